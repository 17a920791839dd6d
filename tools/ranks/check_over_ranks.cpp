// SPDX-License-Identifier: Apache-2.0
#include "over_ranks.hpp"

#include "commands.hpp"
#include "judging.hpp"

#ifdef ONEPASS_HAS_MPI
#include <onepass/onepass.hpp>
#include <onepass/packed/bytes.hpp>
#include <onepass/ranks/dealt.hpp>
#include <onepass/ranks/histogram.hpp>
#include <onepass/ranks/mpi.hpp>
#include <onepass/ranks/reduce.hpp>
#include <onepass/ranks/repartition.hpp>
#include <onepass/ranks/runs.hpp>
#include <onepass/ranks/scan.hpp>
#include <onepass/ranks/segmented.hpp>
#include <onepass/ranks/select.hpp>
#include <onepass/ranks/sort.hpp>
#include <onepass/ranks/sort_by_cell.hpp>
#include <onepass/ranks/top_k.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

namespace tools {

namespace {

namespace ranks = onepass::ranks;
using onepass::extent;
using u32   = std::uint32_t;
using space = Kokkos::DefaultExecutionSpace;
template <class T>
using list = Kokkos::View<T*, space::memory_space>;

template <class T>
list<T> room(extent n)
{
  return list<T>(Kokkos::view_alloc("onepass check: items", Kokkos::WithoutInitializing), std::size_t(n));
}

struct is_even {
  KOKKOS_FUNCTION bool operator()(u32 x) const { return x % 2 == 0; }
};
struct low_byte {
  KOKKOS_FUNCTION extent operator()(u32 x) const { return extent(x & 255); }
};
struct high_bits {
  KOKKOS_FUNCTION u32 operator()(u32 x) const { return x >> 28; }
};
/// A float of one of 128 binades.
struct to_float {
  KOKKOS_FUNCTION float operator()(u32 x) const
  {
    return Kokkos::bit_cast<float>((x & 0x807fffffu) | (64 + (x >> 23) % 128) << 23);
  }
};
/// Where every thousandth item is, seen from item `first`.
struct thousands {
  extent first, end;
  KOKKOS_FUNCTION u32 operator()(extent k) const { return u32(Kokkos::min(1000 * k, end) - first); }
};
/// A rank's items of a list that is dealt in runs.
struct dealt_item {
  list<u32> whole;
  extent run;
  int rank, ranks;
  KOKKOS_FUNCTION u32 operator()(extent i) const
  {
    return whole(std::size_t((i / run * ranks + rank) * run + i % run));
  }
};

template <class In, class F, class T>
struct write_each {
  In in;
  F f;
  list<T> out;
  KOKKOS_FUNCTION void operator()(extent i) const { out(std::size_t(i)) = f(in(i)); }
};
/// A list of f(x) for each item x of a sequence.
template <class T, class In, class F = onepass::unchanged>
list<T> list_of(In const& in, extent n, F f = {})
{
  auto const out = room<T>(n);
  Kokkos::parallel_for("onepass check: items", Kokkos::RangePolicy<space, Kokkos::IndexType<extent>>(0, n),
                       write_each<In, F, T>{in, f, out});
  return out;
}

/// What a call gives: so many items, on a rank from number `first` of all on where it is a block.
template <class T>
struct given {
  list<T> items;
  extent count, first = 0, total = 0;
  bool is_block = false;
  std::optional<T> sum{};  ///< what a scan returns
};
template <class T>
given<T> value(T const& x)
{
  auto const one = room<T>(1);
  Kokkos::deep_copy(one, x);
  return {one, 1};
}

class comparison {
public:
  /// Blocks grow with the rank's number: even ones would hide a mistake.
  comparison(ranks::transport& all, std::vector<u32> const& items)
      : all_(all)
      , n_(extent(items.size()))
      , whole_(room<u32>(n_))
  {
    extent const p = all.size(), r = all.rank(), share = n_ / (p * (p + 1) / 2);
    first_        = share * (r * (r + 1) / 2);
    own_          = (r + 1 == p ? n_ : share * ((r + 1) * (r + 2) / 2)) - first_;
    using of_host = Kokkos::View<u32 const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::deep_copy(whole_, of_host(items.data(), items.size()));
    all_keys_ = list_of<u32>(whole_, n_, high_bits{});
    mine_ = part(whole_), keys_ = part(all_keys_);
    out_ = room<u32>(own_), beside_ = room<u32>(own_), all_out_ = room<u32>(n_), all_beside_ = room<u32>(n_);
  }

  rank_rows run()
  {
    totals();
    scans();
    compactions();
    by_key();
    segments();
    orders();
    return {all_.rank(), all_.size(), all_.name(), std::size_t(n_), std::move(rows_)};
  }

private:
  /// This rank's part of what all have.
  template <class T>
  list<T> part(list<T> const& whole) const
  {
    return Kokkos::subview(whole, std::pair(std::size_t(first_), std::size_t(first_ + own_)));
  }
  template <class T>
  given<T> mine(list<T> const& items) const
  {
    return {items, own_, first_, n_, true};
  }
  given<u32> of_all(list<u32> const& items) const { return {items, n_}; }
  template <class T>
  given<T> block(list<T> const& items, ranks::block const& b) const
  {
    return {items, b.count, b.first, b.total, true};
  }
  template <class T>
  given<T> summed(given<T> scanned, T const& sum) const
  {
    scanned.sum = sum;
    return scanned;
  }

  template <class F>
  auto timed(F const& f, double& seconds) const
  {
    Kokkos::fence("onepass check: what came before");
    all_.meet();
    Kokkos::Timer const timer;
    auto const result = f();
    Kokkos::fence("onepass check: a call");
    seconds = timer.seconds();
    return result;
  }
  /// The first item of `is`, counted over all ranks, that differs; -1 if none does. The sum that a scan returns counts
  /// as the item behind the last.
  template <class T>
  static extent first_wrong(given<T> const& is, given<T> const& wanted)
  {
    auto const a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, is.items);
    auto const b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, wanted.items);
    for (extent i = 0; i < is.count; ++i)
      if (is.first + i >= wanted.count
          || std::memcmp(&a(std::size_t(i)), &b(std::size_t(is.first + i)), sizeof(T)) != 0)
        return is.first + i;
    return is.sum && std::memcmp(&*is.sum, &wanted.sum.value(), sizeof(T)) != 0 ? wanted.count : -1;
  }
  /// A row: the call over ranks, which gives this rank's part, and the call of one rank, which gives all.
  template <class Over, class Alone>
  void row(char const* call, Over const& over, Alone const& alone)
  {
    rank_row r{call};
    auto const is     = timed(over, r.seconds);
    auto const wanted = timed(alone, r.seconds_alone);

    // Ranks tell each other what they have, where it differs, and how long they took.
    rank_part const mine{first_wrong(is, wanted), is.first, is.count, is.total, wanted.count};
    struct told {
      rank_part part;
      std::int64_t nanoseconds;
    };
    constexpr std::size_t words = sizeof(told) / 8;
    auto const own = std::bit_cast<std::array<std::uint64_t, words>>(told{mine, std::int64_t(r.seconds * 1e9)});
    std::vector<std::uint64_t> of_all(words * std::size_t(all_.size()));
    all_.exchange_words(own, of_all);
    std::vector<rank_part> parts;
    for (std::size_t k = 0; k < of_all.size(); k += words) {
      told theirs;
      std::memcpy(&theirs, &of_all[k], sizeof theirs);
      parts.push_back(theirs.part);
      r.seconds = std::max(r.seconds, double(theirs.nanoseconds) * 1e-9);
    }
    auto const fault = fault_of(parts, is.is_block);
    r.equal          = fault.empty();
    r.result         = r.equal ? "equal" : fault;
    rows_.push_back(std::move(r));
  }

  void totals()
  {
    auto const sum_alone = [&] {
      u32 sum = 0;
      onepass::reduce(at_, whole_, sum);
      return value(sum);
    };
    row(
        "reduce", [&] { return value(ranks::reduce(all_, at_, mine_)); }, sum_alone);
    row(
        "reduce, started", [&] { return value(ranks::reduce(ranks::nonblocking(all_), at_, mine_).wait()); },
        sum_alone);
    auto const floats = list_of<float>(whole_, n_, to_float{});
    row(
        "reduce, exactly", [&] { return value(ranks::reduce(all_, onepass::exactly(at_), part(floats))); },
        [&] {
          float sum = 0;
          onepass::reduce(onepass::exactly(at_), floats, sum);
          return value(sum);
        });
    row(
        "reduce, canonically", [&] { return value(ranks::reduce(all_, onepass::canonically(at_), part(floats))); },
        [&] {
          float sum = 0;
          onepass::reduce(onepass::canonically(at_), floats, sum);
          return value(sum);
        });
    row(
        "count_if", [&] { return value(ranks::count_if(all_, at_, mine_, is_even{}).total); },
        [&] {
          extent count = 0;
          onepass::count_if(at_, whole_, count, is_even{});
          return value(count);
        });
    auto const counts          = room<u32>(256);
    auto const histogram_alone = [&] {
      auto const all_counts = room<u32>(256);
      onepass::histogram(at_, whole_, all_counts, low_byte{});
      return given<u32>{all_counts, 256};
    };
    row(
        "histogram",
        [&] {
          return ranks::histogram(all_, at_, mine_, counts, low_byte{}), given<u32>{counts, 256};
        },
        histogram_alone);
    row(
        "histogram, started",
        [&] {
          ranks::histogram(ranks::nonblocking(all_), at_, mine_, counts, low_byte{}).wait();
          return given<u32>{counts, 256};
        },
        histogram_alone);
  }

  void scans()
  {
    onepass::plus const plus{};
    auto const exclusive = [&] {
      u32 sum = 0;
      onepass::exclusive_scan(at_, whole_, all_out_, plus, 0u, sum);
      return summed(of_all(all_out_), sum);
    };
    row(
        "exclusive_scan",
        [&] {
          auto const sum = ranks::exclusive_scan(all_, at_, mine_, out_);
          return summed(mine(out_), sum);
        },
        exclusive);
    row(
        "exclusive_scan, started beside another",
        [&] {
          ranks::nonblocking const later(all_);
          auto scan   = ranks::exclusive_scan(later, at_, mine_, out_);
          auto select = ranks::select_if(later, at_, mine_, beside_, is_even{});
          select.wait();
          auto const sum = scan.wait();
          return summed(mine(out_), sum);
        },
        exclusive);
    row(
        "inclusive_scan",
        [&] {
          auto const sum = ranks::inclusive_scan(all_, at_, mine_, out_);
          return summed(mine(out_), sum);
        },
        [&] {
          u32 sum = 0;
          onepass::inclusive_scan(at_, whole_, all_out_, plus, onepass::no_init{}, sum);
          return summed(of_all(all_out_), sum);
        });
    auto const floats = list_of<double>(whole_, n_, to_float{});
    auto const sums = room<double>(own_), all_sums = room<double>(n_);
    auto const tree = onepass::canonically(at_);
    row(
        "exclusive_scan, canonically",
        [&] {
          auto const sum = ranks::exclusive_scan(all_, tree, part(floats), sums);
          return summed(mine(sums), sum);
        },
        [&] {
          double sum = 0;
          onepass::exclusive_scan(tree, floats, all_sums, plus, 0., sum);
          return summed(given<double>{all_sums, n_}, sum);
        });
    row(
        "exclusive_scan_apart",
        [&] {
          Kokkos::View<u32, space::memory_space> const carry("onepass check: carry");
          auto const sum = ranks::exclusive_scan_apart(all_, at_, mine_, out_, carry);
          return summed(mine(list_of<u32>(ranks::carried(out_, carry), own_)), sum);
        },
        exclusive);
    extent const large = ranks::dealt_run(at_, whole_, all_out_), run = n_ < large * all_.size() ? 1000 : large;
    extent const own = ranks::dealt_items(all_, n_, run);
    auto const deal  = [&](list<u32> const& of) {
      return list_of<u32>(onepass::counting<extent>{0, own}, own, dealt_item{of, run, all_.rank(), all_.size()});
    };
    auto const dealt = deal(whole_), scanned = room<u32>(own);
    row(
        "exclusive_scan_dealt",
        [&] {
          auto const sum = ranks::exclusive_scan_dealt(all_, at_, dealt, scanned, run);
          return summed(given<u32>{scanned, own}, sum);
        },
        [&] {
          auto const all = exclusive();
          return summed(given<u32>{deal(all_out_), own}, *all.sum);
        });
  }

  void compactions()
  {
    extent count = 0;
    row(
        "select_if", [&] { return block(out_, ranks::select_if(all_, at_, mine_, out_, is_even{})); },
        [&] {
          return onepass::select_if(at_, whole_, all_out_, count, is_even{}), given<u32>{all_out_, count};
        });
    row(
        "partition_if, others",
        [&] { return block(beside_, ranks::partition_if(all_, at_, mine_, out_, beside_, is_even{}).second); },
        [&] {
          onepass::partition_if(at_, whole_, all_out_, all_beside_, count, is_even{});
          return given<u32>{all_beside_, n_ - count};
        });
    row(
        "unique", [&] { return block(out_, ranks::unique(all_, at_, keys_, out_)); },
        [&] {
          return onepass::unique(at_, all_keys_, all_out_, count), given<u32>{all_out_, count};
        });
    row(
        "run_length_encode, lengths",
        [&] { return block(beside_, ranks::run_length_encode(all_, at_, keys_, out_, beside_)); },
        [&] {
          onepass::run_length_encode(at_, all_keys_, all_out_, all_beside_, count);
          return given<u32>{all_beside_, count};
        });
    auto const even = ranks::even_block(all_, own_);
    auto const to   = room<u32>(even.count);
    row(
        "repartition", [&] { return ranks::repartition(all_, at_, mine_, to), block(to, even); },
        [&] { return of_all(whole_); });
  }

  void by_key()
  {
    extent count = 0;
    row(
        "reduce_by_key, sums",
        [&] { return block(beside_, ranks::reduce_by_key(all_, at_, keys_, mine_, out_, beside_)); },
        [&] {
          onepass::reduce_by_key(at_, all_keys_, whole_, all_out_, all_beside_, count);
          return given<u32>{all_beside_, count};
        });
    row(
        "exclusive_scan_by_key",
        [&] { return ranks::exclusive_scan_by_key(all_, at_, keys_, mine_, out_), mine(out_); },
        [&] { return onepass::exclusive_scan_by_key(at_, all_keys_, whole_, all_out_), of_all(all_out_); });
    row(
        "inclusive_scan_by_key",
        [&] { return ranks::inclusive_scan_by_key(all_, at_, keys_, mine_, out_), mine(out_); },
        [&] { return onepass::inclusive_scan_by_key(at_, all_keys_, whole_, all_out_), of_all(all_out_); });
  }

  void segments()
  {
    auto const begins = [&](extent first, extent last) {  // of those that begin with an item of these
      extent const from = (first + 999) / 1000, to = (last + 999) / 1000;
      return list_of<u32>(onepass::counting<extent>{from, to - from}, to - from, thousands{first, last});
    };
    auto const heads   = begins(first_, first_ + own_);
    extent const all   = (n_ + 999) / 1000;
    auto const offsets = list_of<u32>(onepass::counting<extent>{0, all + 1}, all + 1, thousands{0, n_});
    row(
        "segmented_reduce", [&] { return block(beside_, ranks::segmented_reduce(all_, at_, mine_, heads, beside_)); },
        [&] {
          auto const sums = room<u32>(all);
          onepass::segmented_reduce(at_, whole_, offsets, sums);
          return given<u32>{sums, all};
        });
    row(
        "exclusive_segmented_scan",
        [&] { return ranks::exclusive_segmented_scan(all_, at_, mine_, heads, out_), mine(out_); },
        [&] { return onepass::exclusive_segmented_scan(at_, whole_, offsets, all_out_), of_all(all_out_); });
    row(
        "inclusive_segmented_scan",
        [&] { return ranks::inclusive_segmented_scan(all_, at_, mine_, heads, out_), mine(out_); },
        [&] { return onepass::inclusive_segmented_scan(at_, whole_, offsets, all_out_), of_all(all_out_); });
  }

  void orders()
  {
    row(
        "radix_sort", [&] { return ranks::radix_sort(all_, at_, mine_, out_), mine(out_); },
        [&] { return onepass::radix_sort(at_, whole_, all_out_), of_all(all_out_); });
    row(
        "radix_sort_by_key, values",
        [&] { return ranks::radix_sort_by_key(all_, at_, keys_, mine_, out_, beside_), mine(beside_); },
        [&] {
          onepass::radix_sort_by_key(at_, all_keys_, whole_, all_out_, all_beside_);
          return of_all(all_beside_);
        });
    row(
        "argsort", [&] { return ranks::argsort(all_, at_, keys_, out_), mine(out_); },
        [&] { return onepass::argsort(at_, all_keys_, all_out_), of_all(all_out_); });
    extent const k = std::min<extent>(n_, 100);
    row(
        "top_k, indices",
        [&] {
          auto const best = room<u32>(k), places = room<u32>(k);
          return ranks::top_k(all_, at_, mine_, k, best, places), given<u32>{places, k};
        },
        [&] {
          auto const best = room<u32>(k), places = room<u32>(k);
          return onepass::top_k(at_, whole_, k, best, places), given<u32>{places, k};
        });
    // Cells are what the keys say, 16 of them, or some that stay empty so that each rank has one.
    int const p        = all_.size();
    extent const cells = std::max<extent>(16, p);
    extent const from = cells * all_.rank() / p, until = cells * (all_.rank() + 1) / p;
    auto const my_begins = room<u32>(until - from + 1), begins = room<u32>(cells + 1);
    row(
        "sort_by_cell, moved",
        [&] {
          auto const moves = ranks::sort_by_cell(all_, at_, keys_, my_begins);
          auto const to    = room<u32>(moves.size());
          moves.move(mine_, to);
          return block(to, ranks::block_of(all_, moves.size()));
        },
        [&] {
          onepass::sort_by_cell(at_, all_keys_, begins, all_out_);
          onepass::apply_permutation(at_, all_out_, std::tuple(whole_), std::tuple(all_beside_));
          return of_all(all_beside_);
        });
  }

  ranks::transport& all_;
  space at_;
  extent n_, first_ = 0, own_ = 0;
  list<u32> whole_, mine_, all_keys_, keys_, out_, beside_, all_out_, all_beside_;
  std::vector<rank_row> rows_;
};

/// Throws usage_error on rank 0, which ends all, unless all have the same items.
void require_same(ranks::transport& all, std::vector<u32> const& items)
{
  onepass::packed::byte_view const bytes(reinterpret_cast<std::uint8_t const*>(items.data()),
                                         items.size() * sizeof(u32));
  std::array<std::uint64_t, 2> const mine{items.size(), onepass::packed::checksum(bytes)};
  std::vector<std::uint64_t> of_all(2 * std::size_t(all.size()));
  all.exchange_words(mine, of_all);
  for (std::size_t rank = 1; all.rank() == 0 && rank < std::size_t(all.size()); ++rank)
    if (!std::equal(mine.begin(), mine.end(), &of_all[2 * rank]))
      throw usage_error("rank " + std::to_string(rank) + " reads " + std::to_string(of_all[2 * rank])
                        + " items, rank 0 " + std::to_string(mine[0]) + (of_all[2 * rank] == mine[0] ? " others" : "")
                        + ": --ranks needs one file that all ranks see");
  all.meet();
}

/// MPI, from here to the end of the block.
struct started_mpi {
  started_mpi() { MPI_Init(nullptr, nullptr); }
  ~started_mpi() { MPI_Finalize(); }
};

}  // namespace

rank_rows check_over_ranks(std::vector<u32> const& items, std::function<int()> const& said)
{
  started_mpi const mpi;
  ranks::mpi all(MPI_COMM_WORLD);
  try {
    require_same(all, items);
    return comparison(all, items).run();
  } catch (...) {  // to end MPI would wait for the others, which wait for this rank
    MPI_Abort(MPI_COMM_WORLD, said());
    throw;
  }
}

}  // namespace tools

#else

tools::rank_rows tools::check_over_ranks(std::vector<std::uint32_t> const&, std::function<int()> const&)
{
  throw usage_error("--ranks: this build found no MPI; configure it where there is one");
}

#endif
