// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/look_ahead/copy_shifted.hpp>
#include <onepass/backends/cuda/look_ahead/lists.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// Writes what column C takes of a listed tile. Each warp writes whole lines of memory, each thread four bytes at
/// least.
template <int C, class Ring, class List>
__device__ void write_column(Ring const& ring, List const& list, int s, int rank)
{
  using program       = typename Ring::program_type;
  using T             = column_item<program, C>;
  constexpr int group = sizeof(T) < 4 ? 4 / int(sizeof(T)) : 1;
  auto const range    = list.template range<C>();
  int const count     = range.end - range.begin;
  auto const to       = ring.program.template column<C>();
  auto const prefix   = ring.state(s).prefix;
  extent const base   = ring.program.template position<C>(ring.before(ring.state(s).index), prefix);
  auto const inside   = part_inside(to, base, base + count);
  int const begin = int(inside.begin - base), end = begin + inside.count;
  if constexpr (requires { list.items(); })
    copy_shifted<Ring::squad>(list.items(), range.begin + begin, to, base + begin, end - begin, rank);
  else {
    int const lead    = int(reinterpret_cast<std::uintptr_t>(to.data + base) / sizeof(T) % (32 * group));
    auto const value  = [&](int k) -> T { return list.template value<C>(k, range, prefix); };
    auto const ragged = [&](int k) {
      for (int j = 0; j < group; ++j)
        if (k + j >= begin && k + j < end) to(base + k + j) = value(k + j);
    };
    int k = rank * group - lead;
    for (; k < begin; k += Ring::squad * group) ragged(k);
#pragma unroll 4
    for (; k + group <= end; k += Ring::squad * group) {
      register_items<T, group> together;
#pragma unroll
      for (int j = 0; j < group; ++j) together.set(j, value(k + j));
      together.store(to.data + base + k);
    }
    ragged(k);
  }
}

/// A squad that writes for a compacting program: it lists what a tile keeps, then writes each column.
template <class List, class Ring>
__device__ void write_listed(Ring const& ring, int writer, int rank)
{
  using program = typename Ring::program_type;
  ring.each_slot(
      [&](int s, int parity) {
        auto& at = ring.state(s);
        typename List::template of<Ring> const list{ring, s, writer};
        at.reduced.wait(parity);
        list.fill(rank);
        squad_barrier<Ring::squad>(2 + writer);
        at.prefixed.wait(parity);
        each_column<program>([&]<int c>(std::integral_constant<int, c>) { write_column<c>(ring, list, s, rank); });
        if (rank == 0 && ring.finishes(at.index))
          ring.program.finish(algebra_of(ring.program).after(at.prefix, ring.first(at.index), at.all), ring.n);
        if constexpr (List::frees_by_copies) fence_copies();
        at.empty.arrive();
      },
      writer, Ring::writers);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
