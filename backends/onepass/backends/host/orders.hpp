// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/few_items.hpp>
#include <onepass/backends/host/pairs.hpp>
#include <onepass/backends/host/presorted.hpp>
#include <onepass/backends/host/tuning.hpp>
#include <onepass/execution/place.hpp>

#include <atomic>
#include <bit>
#include <vector>

namespace onepass::ONEPASS_ABI::backends::host {

/// A sort on the threads of a host space. All threads together move the items once by their most significant digit;
/// then each thread takes buckets, which fit its cache, and sorts them by the lower digits, the least significant
/// first. So keys of 32 bits pass through memory twice. A bucket that does not fit, where keys are unevenly
/// distributed, is itself sorted in this way: by the thread that takes it, or by all threads if it would keep one busy
/// for too long.
template <class Exec, class Program, class Tuning>
class ordering {
  using target                          = decltype(target_of(std::declval<Program const&>()));
  using spare                           = decltype(spare_memory<Program>::at(nullptr, 0));
  static constexpr order_tuning numbers = order_tuning_for<Tuning>();
  static constexpr extent bucket =
      numbers.bucket(sizeof(item_of<Program>) + (carries_values<Program> ? sizeof(value_of<Program>) : 0));

  static constexpr extent most_inserted = is_tiny<Tuning> ? 5 : 32;
  static constexpr bool through_target  = serves_as_spare<Program, target>;

  enum class side {
    input,
    spare,
    home
  };  ///< where items are; home: the target, or more spare memory where the target cannot be read

public:
  static std::size_t bytes(extent n)
  {
    return n <= bucket ? 0 : (through_target ? 1 : 2) * spare_memory<Program>::bytes(n);
  }

  ordering(place<Exec, backend, Tuning> const& where, Program const& program, extent n, workspace<Exec>& scratch)
      : where_(&where)
      , program_(program)
      , to_(target_of(program))
      , n_(n)
  {
    in_lines_ = std::size_t(n) * bytes_per_item >= numbers.lines_from;
    if (n <= bucket) return;
    std::byte* const memory = scratch.plain(bytes(n));
    if (in_lines_) ask_for_large_pages(memory, bytes(n));
    spare_ = spare_memory<Program>::at(memory, n);
    if constexpr (through_target) home_ = to_;
    else home_ = spare_memory<Program>::at(memory + spare_memory<Program>::bytes(n), n);
  }

  /// What fits the cache is sorted there, by one thread, without a workspace.
  static bool fits(extent n) { return n <= bucket; }
  ordering(Program const& program, extent n)
      : program_(program)
      , to_(target_of(program))
      , n_(n)
      , in_lines_(std::size_t(n) * bytes_per_item >= numbers.lines_from)
  {}
  void run_alone() const { sort_bucket(source_of(program_), side::input, 0, n_, program_.bits()); }

  void run()
  {
    auto const from      = source_of(program_);
    extent const threads = threads_for(where_->space, n_ * extent(bytes_per_item), numbers.bucket_bytes);
    all_threads<Exec> const crew{where_->space, where_->label, int(threads)};
    sort_from_top(crew, from, side::input, 0, n_, program_.bits());
  }

  /// Sorts the items of each segment by themselves; the others stay where they are. The segments are as buckets of a
  /// digit that is done already: a thread takes some of them at a time, and all threads together take the longest.
  template <class Crew, class Segments>
  void run_segments(Crew const& crew, Segments const& segments)
  {
    auto const from     = source_of(program_);
    extent const number = segments.number() - 1;
    if (number < 1 || segments(0) >= segments(number)) {
      if (!program_.in_place()) move_all(crew, from, 0, n_);
      return;
    }
    if (!program_.in_place()) {
      move_all(crew, from, 0, segments(0));
      move_all(crew, from, segments(number), n_ - segments(number));
    }
    extent const most  = crew.size > 1 ? std::max(bucket, n_ / (4 * crew.size)) : n_;
    extent const share = crew.size > 1 ? div_up(number, 32 * crew.size) : number;
    std::atomic<extent> next{0}, longer{0};
    crew(" (segments)", [&](int) {
      for (extent k; (k = next.fetch_add(share, std::memory_order_relaxed)) < number;)
        if (sort_some_segments(from, segments, k, std::min(k + share, number), most) > 0)
          longer.store(1, std::memory_order_relaxed);
    });
    for (extent k = 0; longer > 0 && k < number; ++k)
      if (extent const first = segments(k), n = segments(k + 1) - first; n > most)
        sort_from_top(crew, from, side::input, first, n, program_.bits());
  }

private:
  /// Segments [first, last) but those of more than `most` items; how many these are.
  template <class From, class Segments>
  [[gnu::noinline]] extent sort_some_segments(From const& source, Segments const& given, extent first, extent last,
                                              extent most)
  {
    Program const program   = program_;  // copies, which no store to the target can change
    From const from         = source;
    target const to         = to_;
    Segments const segments = given;
    extent longer           = 0;
    for (extent k = first, begin = segments(first); k < last; ++k) {
      extent const end = segments(k + 1), n = end - begin;
      if (n > 0) {
        bool done = false;
        if constexpr (may_make_items<Program> && !is_tiny<Tuning>)
          if (n <= most_on_the_spot && program.makes_items())
            by_codes_on_the_spot(program, window(from, begin, n), window(to, begin, n), n), done = true;
        if (done) {
        } else if (n > most) ++longer;
        else if (n <= 8 * bucket) sort_bucket(from, side::input, begin, n, program.bits());
        else sort_from_top(this_thread{}, from, side::input, begin, n, program.bits());
      }
      begin = end;
    }
    return longer;
  }

  static constexpr std::size_t bytes_per_item =
      sizeof(item_of<Program>) + (carries_values<Program> ? sizeof(value_of<Program>) : 0);

  bool shares_target(side here) const
  {
    return here == side::input ? program_.in_place() : here == side::home && through_target;
  }

  /// Where the part of a thread begins.
  static extent part(extent first, extent n, int thread, int threads) { return first + part_of(n, thread, threads); }

  /// The digit that cuts n items into buckets. Codes that are one digit long are not cut.
  digit_bits top_digit(int bits, extent n) const
  {
    if (program_.bits() <= one_digit) return {0, bits};
    int const wanted = int(std::bit_width(std::uint64_t(n / bucket))) + 1;
    int width        = std::min({bits, std::max(wanted, numbers.least_bits), numbers.most_bits});
    auto const left  = [&](int w) {
      return div_up(bits - w, numbers.most_bits);
    };  // digits that are left for the buckets
    for (int wider = width; wider <= std::min(bits, numbers.most_bits); ++wider)
      if (left(wider) < left(width)) width = wider;
    return {bits - width, width};
  }

  /// Sorts items [first, first + n) of `from` by their lowest `bits` bits, to the same positions of the target.
  template <class Crew, class From>
  void sort_from_top(Crew const& crew, From const& from, side here, extent first, extent n, int bits)
  {
    if (one_digit < program_.bits() && program_.bits() <= 64 && presorted(crew, from, here, first, n, bits)) return;
    std::vector<bin_places> counts(static_cast<std::size_t>(crew.size));
    while (bits > 0) {
      auto const d = top_digit(bits, n);
      crew(" (count)", [&, d](int t) {
        count_bins(program_, from.items, part(first, n, t, crew.size), part(first, n, t + 1, crew.size), d,
                   counts[std::size_t(t)].data());
      });
      std::vector<extent> begin(std::size_t(d.bins()) + 1, first);
      bool const uneven = add_up(d, counts, begin);
      if (program_.bits() == d.width) tell(begin);
      if (uneven || program_.bits() == d.width) return scatter_by_top(crew, from, here, first, n, d, counts, begin);
      bits = program_.bits() > 64 ? d.at : bits_that_differ(crew, from, first, n, d.at);
    }
    if (!shares_target(here)) move_all(crew, from, first, n);
  }

  /// Of the lowest bits, those up to the highest one in which items differ.
  template <class Crew, class From>
  int bits_that_differ(Crew const& crew, From const& from, extent first, extent n, int bits) const
  {
    auto const code = whole_code(program_, from.items(first));
    std::atomic<std::uint64_t> differ{0};
    crew(" (bits)", [&](int t) {
      extent const a = part(first, n, t, crew.size), z = part(first, n, t + 1, crew.size);
      differ.fetch_or(differences(program_, from.items, code, a, z), std::memory_order_relaxed);
    });
    return int(std::bit_width(differ.load(std::memory_order_relaxed) & lowest_bits(bits)));
  }

  /// Turns counts into positions; begin[b] becomes that of the first item of bin b. False if all items are in one bin.
  bool add_up(digit_bits d, std::vector<bin_places>& counts, std::vector<extent>& begin) const
  {
    extent place = begin[0];
    int used     = 0;
    for (std::size_t b = 0; b < std::size_t(d.bins()); ++b) {
      for (auto& of_thread : counts) {
        extent const items = of_thread[b];
        of_thread[b]       = place;
        place += items;
      }
      begin[b + 1] = place;
      used += begin[b + 1] > begin[b];
    }
    return used > 1;
  }

  void tell(std::vector<extent> const& begin) const
  {
    for (std::size_t b = 0; b + 1 < begin.size(); ++b) program_.counted(int(b), begin[b + 1] - begin[b]);
  }

  template <class Crew, class From>
  void scatter_by_top(Crew const& crew, From const& from, side here, extent first, extent n, digit_bits d,
                      std::vector<bin_places>& places, std::vector<extent> const& begin)
  {
    bool const away = shares_target(here) || (d.at > 0 && here != side::spare);
    bool const last = !away && d.at == 0;
    crew(" (scatter)", [&, d](int t) {
      extent const a = part(first, n, t, crew.size), z = part(first, n, t + 1, crew.size);
      if (last) scatter_some(from, a, z, to_, d, places[std::size_t(t)]);
      else scatter_some(from, a, z, away ? spare_ : home_, d, places[std::size_t(t)]);
    });
    if (!last) sort_buckets(crew, as_source(away ? spare_ : home_), away ? side::spare : side::home, n, d, begin);
  }

  template <class From, class To>
  void scatter_some(From const& from, extent first, extent last, To const& to, digit_bits d, bin_places& places) const
  {
    if (in_lines_ && d.bins() > numbers.lines_above) scatter_in_lines(program_, from, first, last, to, d, places);
    else scatter_directly(program_, from, first, last, to, d, places.data());
  }

  /// Sorts the items of each bin of digit d by the bits below it.
  template <class Crew, class From>
  void sort_buckets(Crew const& crew, From const& from, side here, extent n, digit_bits d,
                    std::vector<extent> const& begin)
  {
    auto const items_of = [&](int b) { return begin[std::size_t(b) + 1] - begin[std::size_t(b)]; };
    extent const most   = crew.size > 1 ? std::max(bucket, n / (4 * crew.size)) : n;  // the most that one thread takes

    std::atomic<int> next{0};
    crew(" (buckets)", [&](int) {
      for (int b; (b = next.fetch_add(1, std::memory_order_relaxed)) < d.bins();) {
        if (items_of(b) > most || items_of(b) == 0) continue;
        if (items_of(b) <= 8 * bucket) sort_bucket(from, here, begin[std::size_t(b)], items_of(b), d.at);
        else sort_from_top(this_thread{}, from, here, begin[std::size_t(b)], items_of(b), d.at);
      }
    });
    for (int b = 0; b < d.bins(); ++b)
      if (items_of(b) > most) sort_from_top(crew, from, here, begin[std::size_t(b)], items_of(b), d.at);
  }

  template <class Crew, class From>
  bool presorted(Crew const& crew, From const& from, side here, extent first, extent n, int bits) const
  {
    return moved_presorted(crew, program_, window(from, first, n), window(to_, first, n), n, bits, shares_target(here));
  }

  /// The same by one thread in its cache. Very few items are inserted; others are sorted as numbers, their codes alone
  /// or with their places, or by digits, whichever takes less for so many bits in which they differ.
  template <class From>
  void sort_bucket(From const& from, side here, extent first, extent n, int bits) const
  {
    digit_bits all{0, bits};
    if (program_.bits() <= 64) {
      bool const one = program_.bits() <= one_digit;
      if (n <= (one ? most_inserted : numbers.inserted))
        return onepass::insert_few<most_inserted>(program_, window(from, first, n), window(to_, first, n), n, bits,
                                                  shares_target(here));
      if (!one) {
        if (here == side::input && presorted(this_thread{}, from, here, first, n, bits)) return;
        auto const source = window(from, first, n);
        auto const out    = window(to_, first, n);
        if constexpr (may_make_items<Program>)
          if (program_.makes_items() && n <= numbers.most_as_codes(bits)) return sort_codes(program_, source, out, n);
        all = differing_bits(program_, source.items, n, bits);
        if (n <= numbers.most_as_places(all.width))
          return sort_places(program_, source, out, n, all, shares_target(here));
      }
    }
    sort_by_digits(from, here, first, n, all);
  }

  /// The least significant digit first, of those bits. The last pass ends in the cache too, and the sorted bucket is
  /// then copied out as a whole: a scatter to memory that is not cached would wait for each of its lines. Where few
  /// items are sorted, the target is cached.
  template <class From>
  void sort_by_digits(From const& from, side here, extent first, extent n, digit_bits all) const
  {
    int const wide = std::clamp(int(std::bit_width(std::uint64_t(n))) - 2, 4, widest_digit);
    digit_plan const plan{all.width, program_.bits() <= one_digit ? one_digit : wide};
    auto const source = window(from, first, n);
    auto const out    = window(to_, first, n);
    auto const copy   = [&](auto const& a, auto const& b) {
      for (extent i = 0; i < n; ++i) move_one(a, i, b, i);
    };
    auto const above = [&](digit_bits d) { return digit_bits{all.at + d.at, d.width}; };
    std::uint32_t seen[2][bins_of_digit];
    int number      = 0;
    auto const pass = [&](auto const& a, auto const& b, digit_bits d) {
      auto* const place = seen[number % 2];
      if (number % 2 == 0)
        count_in_cache(program_, a.items, n, above(d),
                       number + 1 < plan.passes() ? above(plan[number + 1]) : digit_bits{0, 0}, seen[0], seen[1]);
      ++number;
      std::uint32_t before = 0;
      for (int k = 0; k < d.bins(); ++k) {
        auto const items = place[k];
        if (program_.bits() == d.width) program_.counted(k, items);
        place[k] = before;
        before += items;
      }
      scatter_directly(program_, a, 0, n, b, above(d), place);
    };
    struct alignas(256) spare_line {
      std::byte bytes[256];
    };
    std::size_t const bytes = spare_memory<Program>::bytes(n);
    auto* const spares =
        reinterpret_cast<std::byte*>(thread_buffer<spare_line>(extent(2 * bytes / sizeof(spare_line))));
    if constexpr (through_target)
      if (!in_lines_) return by_digits<Program>(plan, source, out, shares_target(here), spares, n, copy, pass);
    auto const near = spare_memory<Program>::at(spares + bytes, n);
    by_digits<Program>(plan, source, near, false, spares, n, copy, pass);
    write_out(near.items, out.items, n);
    write_out(near.values, out.values, n);
    release_streams();
  }

  template <class Crew, class From>
  void move_all(Crew const& crew, From const& from, extent first, extent n) const
  {
    crew(" (copy)", [&](int t) {
      auto const to     = to_;
      extent const last = part(first, n, t + 1, crew.size);
      for (extent i = part(first, n, t, crew.size); i < last; ++i) move_one(from, i, to, i);
    });
  }

  place<Exec, backend, Tuning> const* where_ = nullptr;
  Program const& program_;
  target to_;
  spare spare_{}, home_{};
  extent n_;
  bool in_lines_;
};

/// A program as it is sorted here: items with their values as pairs, where these have a fitting size.
template <order_program Program>
auto as_it_goes(Program const& program)
{
  if constexpr (goes_in_pairs<Program>) return program_of_pairs<Program>{program};
  else return program;
}

/// Bytes of the workspace's plain memory that a sort of n items takes.
template <class Exec, order_program Program, class Tuning>
std::size_t bytes_of_order(place<Exec, backend, Tuning> const&, Program const& program, extent n)
{
  return ordering<Exec, decltype(as_it_goes(program)), Tuning>::bytes(n);
}

/// Sorts what fits the cache, if it does.
template <class Exec, class Tuning, order_program Program>
[[gnu::noinline]] bool sorted_alone(Program const& program, extent n)
{
  auto const goes = as_it_goes(program);
  using sort      = ordering<Exec, std::remove_const_t<decltype(goes)>, Tuning>;
  if (!sort::fits(n)) return false;
  sort(goes, n).run_alone();
  return true;
}

/// Very few items are sorted where the call is, in which the program is in registers.
template <place_like Where, order_program Program>
[[gnu::always_inline]] inline bool finished_at_once(backend, Where const&, Program const& program, item_count count)
{
  extent const n = count();
  if constexpr (!is_tiny<tuning_of<Where>>)
    if (sorted_few(program, n)) return true;
  return sorted_alone<space_of<Where>, tuning_of<Where>>(program, n);
}

template <class Exec, order_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program, item_count count,
                   workspace<Exec>& scratch)
{
  auto const goes = as_it_goes(program);
  ordering<Exec, std::remove_const_t<decltype(goes)>, Tuning>(where, goes, count(), scratch).run();
}

/// Whether offsets do not decrease anywhere: else two threads could have the same items.
template <class Crew, class Segments>
bool segments_are_apart(Crew const& crew, Segments const& given)
{
  std::atomic<bool> apart{true};
  crew(" (offsets)", [&](int t) {
    Segments const segments = given;
    bool falls              = false;
    extent const number = std::max<extent>(segments.number() - 1, 0), last = part_of(number, t + 1, crew.size);
    for (extent k = part_of(number, t, crew.size); k < last; ++k) falls |= segments(k + 1) < segments(k);
    if (falls) apart.store(false, std::memory_order_relaxed);
  });
  return apart.load(std::memory_order_relaxed);
}

/// Sorts the segments of an order program's items. Few that fit the cache need neither threads nor a workspace.
template <place_like Where, order_program Program, class Segments>
bool finished_segments_at_once(backend, Where const&, Program const& program, Segments const& segments, extent n)
{
  using sort = ordering<space_of<Where>, Program, tuning_of<Where>>;
  if (!sort::fits(n) || n > segments_alone<tuning_of<Where>>()) return false;
  sort(program, n).run_segments(this_thread{}, segments);
  return true;
}
template <class Exec, order_program Program, class Segments, class Tuning>
void queue_segments(place<Exec, backend, Tuning> const& where, Program const& program, Segments const& segments,
                    extent n, workspace<Exec>& scratch)
{
  extent const threads = threads_for(where.space, n * extent(sizeof(item_of<Program>)), is_tiny<Tuning> ? 0 : 1);
  ordering<Exec, Program, Tuning> sort(where, program, n, scratch);
  all_threads<Exec> const crew{where.space, where.label, int(threads)};
  bool const apart = segments.number() < few_positions ? segments_are_apart(this_thread{}, segments)
                                                       : segments_are_apart(crew, segments);
  if (apart) sort.run_segments(crew, segments);
  else sort.run_segments(this_thread{}, segments);
}

}  // namespace onepass::ONEPASS_ABI::backends::host
