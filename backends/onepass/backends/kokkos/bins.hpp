// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/tuning.hpp>
#include <onepass/engine/bins.hpp>
#include <onepass/engine/items/packs.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>

namespace onepass::backends::kokkos {

/// Each team counts its part of the items in a table of its own and adds it to the counts. Of a table there are as many
/// copies as fit, up to one per lane of a warp, whose counters then lie in a bank of their own however alike the items
/// are. If the bins do not fit a team's memory, every item is added to the counts directly.
template <class Exec, class Program, class Tuning>
struct bin_counting {
  static constexpr pass_tuning numbers = bin_tuning_for<Exec, Tuning>();
  static constexpr int threads = numbers.threads, N = numbers.items;
  static constexpr int copies_of(extent bins)
  {
    return int(std::min<extent>(numbers.table_bins / std::max<extent>(bins, 1), numbers.copies));
  }

  struct clear {};
  struct count {};

  using policy = Kokkos::TeamPolicy<Exec, count, Kokkos::LaunchBounds<threads, 1>>;

  Program program;
  extent n, bins, stretch;
  int copies;  ///< 0: no table

  ONEPASS_FUNCTION void operator()(clear, extent b) const { program.counts()(b) = 0; }

  template <class Member>
  ONEPASS_FUNCTION void operator()(count, Member const& member) const
  {
    auto* const table = static_cast<std::uint32_t*>(
        member.team_scratch(0).get_shmem_aligned(std::size_t(bins * copies) * sizeof(std::uint32_t), 16));
    int const rank     = threads == 1 ? 0 : member.team_rank();
    extent const first = extent(member.league_rank()) * stretch, last = first + stretch < n ? first + stretch : n;
    for (extent b = rank; b < bins * copies; b += threads) table[b] = 0;
    member.team_barrier();

    auto const add = [&](typename Program::item_type const& item) {
      extent const b = program.bin(item);
      if (b < 0 || b >= bins) return;
      if (copies == 0) Kokkos::atomic_inc(&program.counts()(b));
      else if constexpr (threads == 1) ++table[b];
      else Kokkos::atomic_inc(table + b * copies + rank % copies);
    };
    auto const in = program.input();
    extent i      = first;
    if constexpr (threads > 1) {
      if constexpr (has_packs<decltype(program.input())>)
        if (in_packs(in, first)) {
          constexpr int P = 16 / int(sizeof(typename Program::item_type));
          for (; i + P * threads <= last; i += P * threads) {
            register_items<typename Program::item_type, P> x;
            x.load(in.data + i + rank * P);
            ONEPASS_UNROLL for (int k = 0; k < P; ++k) add(x.get(k));
          }
        }
      for (; i + N * threads <= last; i += N * threads) {
        typename Program::item_type x[N];
        ONEPASS_UNROLL for (int k = 0; k < N; ++k) x[k] = in(i + k * threads + rank);
        ONEPASS_UNROLL for (int k = 0; k < N; ++k) add(x[k]);
      }
    }
    for (i += rank; i < last; i += threads) add(in(i));

    member.team_barrier();
    if (copies > 0)
      for (extent b = rank; b < bins; b += threads) {
        count_of_bin<Program> sum = 0;
        for (int c = 0; c < copies; ++c) sum += table[b * copies + (c + rank) % copies];  // each lane in its own bank
        if (sum) Kokkos::atomic_add(&program.counts()(b), sum);
      }
  }
};

template <class Exec, class Tuning>
extent most_private_bins(place<Exec, backend, Tuning> const&)
{
  return bin_tuning_for<Exec, Tuning>().table_bins;
}
template <class Where>
std::size_t bytes_of_bins(Where const&, extent, extent)
{
  return 0;
}

template <class Exec, bin_program Program, class Tuning>
void queue(place<Exec, backend, Tuning> const& where, Program const& program, item_count count)
{
  using shape    = bin_counting<Exec, Program, Tuning>;
  extent const n = count(), bins = program.bins();
  extent const most    = shape::numbers.teams(where.space);
  extent const step    = extent(shape::N) * shape::threads;
  extent const stretch = std::min(div_up(div_up(std::max<extent>(n, 1), step), most) * step,
                                  (extent(1) << 31) / step * step);  // a counter has 32 bits
  int const copies     = shape::copies_of(bins);
  shape const s{program, n, bins, stretch, copies};
  Kokkos::parallel_for(
      where.label + " (clear)",
      Kokkos::RangePolicy<Exec, typename shape::clear, Kokkos::IndexType<extent>>(where.space, 0, bins), s);
  auto p = typename shape::policy(where.space, int(div_up(std::max<extent>(n, 1), stretch)), shape::threads);
  p.set_scratch_size(0, Kokkos::PerTeam(std::size_t(bins * copies) * sizeof(std::uint32_t) + 64));
  Kokkos::parallel_for(where.label, p, s);
}

}  // namespace onepass::backends::kokkos
