// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_orders.hpp>
#include <onepass/ranks/programs/sorted_items.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::ranks::detail {

// A sort whose first pass comes before the exchange, and all others behind it. Each rank moves its items into buckets,
// by the highest digit in which keys differ; ranks tell each other how many each bucket has; each copies the buckets
// that it is to have, some at a time, and sorts those that are here by their other bits, while the next are under way.
// A bucket of which several ranks are to have some is sorted by all of these, and each keeps what is its own.

inline constexpr int number_of_buckets = 1 << one_digit;

/// The bucket of a key: one digit of how far its code is above a bound. Codes below that go to the first bucket, those
/// that are too far above it to the last one.
template <class Key>
struct bucket_of_key {
  using code = typename by_some_bits<Key>::code;

  by_some_bits<Key> order;
  code low;  ///< the bound, in which no bit of the digit or below it is set
  int at;    ///< the digit's lowest bit

  ONEPASS_FUNCTION int of_code(code c) const
  {
    auto const digit = code(code(c - low) >> at);
    return c < low ? 0 : digit >> one_digit ? number_of_buckets - 1 : int(digit);
  }
  ONEPASS_FUNCTION int operator()(Key const& key) const { return of_code(order(key)); }
};

/// An order program: keys in the order of their buckets, and values with them.
template <class Key, class In, class Values, class ValuesOut>
struct bucket_program {
  using item_type = Key;

  In in;
  contiguous<Key> out;
  Values companions;
  ValuesOut companions_out;
  bucket_of_key<Key> bucket;
  extent* counts;  ///< of each bucket; memory that the host and the device reach

  ONEPASS_FUNCTION In input() const { return in; }
  ONEPASS_FUNCTION contiguous<Key> output() const { return out; }
  ONEPASS_FUNCTION Values values() const { return companions; }
  ONEPASS_FUNCTION ValuesOut values_output() const { return companions_out; }
  ONEPASS_FUNCTION bool in_place() const { return false; }
  ONEPASS_FUNCTION int bits() const { return one_digit; }

  ONEPASS_FUNCTION std::uint32_t digit(Key const& key, int at, int width) const
  {
    return std::uint32_t(bucket(key)) >> at & ((2u << (width - 1)) - 1u);
  }
  ONEPASS_FUNCTION void counted(int b, extent items) const { counts[b] = items; }
};

/// to[q] = the code of one of n keys, evenly spaced.
template <class In, class Key>
struct take_codes {
  static constexpr int number = 256;

  In in;
  by_some_bits<Key> code;
  extent n;
  std::uint64_t* to;

  ONEPASS_FUNCTION void operator()(extent q) const { to[q] = code(in(n / number * q + n % number * q / number)); }
};

/// Where buckets begin, and behind the last where it ends.
struct bucket_bounds {
  /// How many items the buckets of a rank have.
  struct counts {
    extent of[number_of_buckets] = {};
  };

  std::vector<extent> of_all;                ///< among the items of all ranks
  std::vector<std::vector<extent>> of_rank;  ///< among those of a rank

  bucket_bounds() = default;
  /// Of so many items in each bucket of each rank.
  explicit bucket_bounds(std::vector<counts> const& ranks)
      : of_all(number_of_buckets + 1)
  {
    for (auto const& each : ranks) {
      auto& begin = of_rank.emplace_back(of_all.size());
      for (std::size_t b = 0; b < number_of_buckets; ++b) begin[b + 1] = begin[b] + each.of[b];
      for (std::size_t b = 0; b < begin.size(); ++b) of_all[b] += begin[b];
    }
  }
  extent begin(int b) const { return of_all[std::size_t(b)]; }
  extent begin(std::size_t rank, int b) const { return of_rank[rank][std::size_t(b)]; }
  extent size(int b) const { return begin(b + 1) - begin(b); }
};

/// The sort itself, of keys and of values beside them, if there are any.
template <class Key, class Value, place_like Where>
class bucket_sort {
public:
  using both = keys_and_values<Key, Value>;

  /// Ranks have and are to have so many items each; those of rank r are to be wanted[r] up to wanted[r + 1] of all.
  bucket_sort(transport& all, Where const& where, std::vector<sizes> const& ranks, std::vector<extent> const& wanted,
              sort_order const& order)
      : all_(all)
      , where_(where)
      , ranks_(ranks)
      , wanted_(wanted)
      , me_(std::size_t(all.rank()))
      , order_{order.descending, order.begin_bit, order.end_of(key_bits<Key>)}
      , bucket_{order_of<Key>(order), code(0), 0}
  {}

  /// Moves this rank's items into buckets that all ranks read. By all of them; false, and the items have to be sorted
  /// otherwise, where there is no such memory or keys crowd in buckets that several ranks are to have.
  template <class In, class Values>
  bool distribute(In const& keys, Values const& values)
  {
    using codes = std::array<std::uint64_t, take_codes<In, Key>::number>;
    if (!choose(told(all_, [&] {
          codes some;
          auto const found = written<std::uint64_t>(all_, where_, extent(some.size()), [&](std::uint64_t* to) {
            onepass::run_each(where_, take_codes<In, Key>{keys, bucket_.order, keys.size, to}, extent(some.size()),
                              "ranks::buckets");
          });
          std::copy(found.begin(), found.end(), some.begin());
          return some;
        })))
      return false;
    shared_ = all_.share(memory::bytes(capacity(me_)), residence_of<exec>);
    if (shared_.of_rank.empty()) return false;
    bounds_ = bucket_bounds(told(all_, [&] {
      both const to    = of_rank(me_);
      auto const moved = [&] {
        if constexpr (is_nothing<Value>) return nothing{};
        else return contiguous<Value>{to.values, keys.size};
      }();
      auto const found = written<extent>(all_, where_, number_of_buckets, [&](extent* counted) {
        bucket_program<Key, In, Values, std::decay_t<decltype(moved)>> const program{
            keys, {to.keys, keys.size}, values, moved, bucket_, counted};
        // As one piece, where there are kernels for pieces: others would be compiled for this alone.
        if constexpr (sorts_pieces<Where>)
          onepass::run_in_pieces(where_, program, {{0, keys.size, 0}}, "ranks::buckets");
        else onepass::run(where_, program, item_count{keys.size}, "ranks::buckets");
      });
      bucket_bounds::counts some;
      std::copy(found.begin(), found.end(), some.of);
      return some;
    }));
    return fits(bounds_);
  }

  /// out = this rank's items in order.
  void gather(both const& out) const
  {
    auto const turns = turns_of_buckets();
    // What comes from another rank in a turn lies there one bucket behind another, and here too.
    turns_of_copies copies(turns.size());
    std::vector<std::vector<extent>> arrived;  // where, in each turn, by rank
    extent room = ranks_[me_].have;
    for (std::size_t k = 0; k < turns.size(); ++k) {
      auto& from = arrived.emplace_back();
      for (std::size_t r = 0; r < ranks_.size(); ++r) {
        extent const first = bounds_.begin(r, turns[k].first), n = bounds_.begin(r, turns[k].last) - first;
        from.push_back(r == me_ ? first : room);
        if (r == me_ || n == 0) continue;
        auto const add = [&](auto const* theirs, auto* mine) {
          copies[k].push_back({reinterpret_cast<std::byte const*>(theirs), reinterpret_cast<std::byte*>(mine),
                               std::size_t(n) * sizeof *mine});
        };
        both const there = of_rank(r).from(first), here = of_rank(me_).from(room);
        add(there.keys, here.keys);
        if constexpr (!is_nothing<Value>) add(there.values, here.values);
        room += n;
      }
    }
    auto const under_way = all_.begin_copies(copies);
    for (std::size_t k = 0; k < turns.size(); ++k) {
      std::vector<order_piece> pieces;
      for (int b = turns[k].first; b < turns[k].last; ++b)
        for (std::size_t r = 0; r < ranks_.size(); ++r)
          pieces.push_back({arrived[k][r] + bounds_.begin(r, b) - bounds_.begin(r, turns[k].first),
                            bounds_.begin(r, b + 1) - bounds_.begin(r, b), b});
      under_way->wait(k);
      if (turns[k].apart) sort_apart(turns[k].first, pieces, out);
      else sort_whole(pieces, out.from(bounds_.begin(turns[k].first) - share_begin(me_)));
    }
  }

private:
  using code   = typename bucket_of_key<Key>::code;
  using exec   = space_of<Where>;
  using memory = items_in_memory<Key, Value>;

  /// Some buckets, whose items are copied together.
  struct turn {
    int first, last;
    bool apart;  // one bucket that is not all this rank's, or whose keys differ in more than the bits below its digit
  };

  /// How many items a rank has room for, those that it has and those that come.
  extent capacity(std::size_t r) const { return ranks_[r].have + most_received(r); }
  extent most_received(std::size_t r) const { return ranks_[r].want + ranks_[r].want / 4; }
  both of_rank(std::size_t r) const { return memory::at(shared_.of_rank[r], capacity(r)); }

  /// A rank's share among all items.
  extent share_begin(std::size_t r) const { return wanted_[r]; }
  extent share_end(std::size_t r) const { return wanted_[r + 1]; }
  /// Whether a rank is to have some of a bucket.
  bool is_shared(bucket_bounds const& of, int b, std::size_t r) const
  {
    return std::max(of.begin(b), share_begin(r)) < std::min(of.begin(b + 1), share_end(r));
  }

  /// Chooses the digit by some codes of each rank; whether it seems to fit.
  template <class Codes>
  bool choose(std::vector<Codes> const& some)
  {
    std::uint64_t differing = 0;
    for (auto const& codes : some)
      for (auto const c : codes) differing |= c ^ some[0][0];
    int const bits = int(std::bit_width(differing));
    if (bits <= one_digit) return false;
    bucket_.at  = bits - one_digit;
    bucket_.low = bits < 64 ? code(some[0][0] >> bits << bits) : code(0);
    std::vector<bucket_bounds::counts> about(some.size());
    for (std::size_t r = 0; r < some.size(); ++r)
      for (auto const c : some[r]) about[r].of[bucket_.of_code(code(c))] += ranks_[r].have / extent(some[r].size());
    return fits(bucket_bounds(about));
  }

  /// Whether every rank has room for all buckets of which it is to have some, and these are not too large.
  bool fits(bucket_bounds const& of) const
  {
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      extent needed = 0;
      for (int b = 0; b < number_of_buckets; ++b) {
        if (is_shared(of, b, r)) needed += of.size(b);
        if (of.size(b) >= extent(1) << 31) return false;
      }
      if (needed > most_received(r)) return false;
    }
    return true;
  }

  /// The first turn is small, since nothing is done before its items are here; then they grow, by less than copies are
  /// faster than sorts.
  std::vector<turn> turns_of_buckets() const
  {
    bool const clamps = bucket_.order.bits >> bucket_.at >> one_digit != 0;
    extent size       = std::max<extent>(ranks_[me_].want / 64, extent(shared_.turn / memory::bytes_each));
    std::vector<turn> turns, apart;
    extent taken = 0;
    for (int b = 0; b < number_of_buckets; ++b) {
      if (!is_shared(bounds_, b, me_)) continue;
      bool const whole = share_begin(me_) <= bounds_.begin(b) && bounds_.begin(b + 1) <= share_end(me_);
      if (!whole || (clamps && (b == 0 || b == number_of_buckets - 1))) {
        apart.push_back({b, b + 1, true});
        continue;
      }
      if (turns.empty() || taken >= size) {
        if (!turns.empty()) size *= 2;
        turns.push_back({b, b, false});
        taken = 0;
      }
      turns.back().last = b + 1;
      taken += bounds_.size(b);
    }
    turns.insert(turns.end(), apart.begin(), apart.end());
    return turns;
  }

  /// Keys of one bucket differ in these bits.
  sort_order below_digit() const { return {order_.descending, order_.begin_bit, order_.begin_bit + bucket_.at}; }

  /// to = pieces, each bucket in order.
  void sort_whole(std::vector<order_piece> const& pieces, both const& to) const
  {
    both const from = of_rank(me_);
    if constexpr (sorts_pieces<Where>) {
      extent n = 0;
      for (auto const& each : pieces) n += each.size;
      auto const sort = [&](auto const& values, auto const& values_to) {
        onepass::detail::sort_pieces("ranks::sort", where_, contiguous<Key const>{from.keys, capacity(me_)},
                                     contiguous<Key>{to.keys, n}, values, values_to, pieces, below_digit());
      };
      if constexpr (is_nothing<Value>) sort(nothing{}, nothing{});
      else sort(contiguous<Value const>{from.values, capacity(me_)}, contiguous<Value>{to.values, n});
    } else {
      extent done = 0;
      for (auto piece = pieces.begin(); piece != pieces.end();) {
        auto const end = std::find_if(piece, pieces.end(), [&](auto const& p) { return p.segment != piece->segment; });
        extent const n = append({piece, end}, to.from(done));
        sort_in_place(where_, to.from(done), n, below_digit());
        done += n;
        piece = end;
      }
    }
  }

  /// Sorts a bucket by itself, and copies what is this rank's to its place in `out`.
  void sort_apart(int bucket, std::vector<order_piece> const& pieces, both const& out) const
  {
    extent const n = bounds_.size(bucket), begin = bounds_.begin(bucket);
    lent_room<Key, exec> const keys(where_, n);
    std::optional<lent_room<Value, exec>> values;
    both at{keys.data(), nullptr};
    if constexpr (!is_nothing<Value>) at.values = values.emplace(where_, n).data();
    append(pieces, at);
    sort_in_place(where_, at, n, bucket == 0 || bucket == number_of_buckets - 1 ? order_ : below_digit());
    extent const first = std::max(begin, share_begin(me_)), last = std::min(begin + n, share_end(me_));
    append_runs(where_, std::vector{sorted_run<Key, Value>{at.from(first - begin), last - first}},
                out.from(first - share_begin(me_)));
    on(where_).space.fence("onepass::ranks: memory of a bucket is dropped");
  }

  /// to = the items of pieces, one piece behind another; how many they are.
  extent append(std::vector<order_piece> const& pieces, both const& to) const
  {
    std::vector<sorted_run<Key, Value>> runs;
    extent n = 0;
    for (auto const& each : pieces) {
      runs.push_back({of_rank(me_).from(each.first), each.size});
      n += each.size;
    }
    append_runs(where_, runs, to);
    return n;
  }

  transport& all_;
  Where const& where_;
  std::vector<sizes> const& ranks_;
  std::vector<extent> const& wanted_;
  std::size_t me_;
  sort_order order_;
  bucket_of_key<Key> bucket_;
  shared_memory shared_;
  bucket_bounds bounds_;
};

}  // namespace onepass::ONEPASS_ABI::ranks::detail
