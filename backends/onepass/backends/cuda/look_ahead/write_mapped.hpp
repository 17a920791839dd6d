// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/look_ahead/copy_shifted.hpp>
#include <onepass/backends/cuda/look_ahead/ring.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// to[first, first + count) = the staged results from position `at` on: the copy engine writes the body of whole words,
/// threads the ends, or everything where the output's words are not the stage's.
template <int Squad, class Sequence>
__device__ void write_out(int barrier, typename Sequence::value_type const* staged, int at, int rank,
                          Sequence const& to, extent first, int count)
{
  using T          = typename Sequence::value_type;
  auto const phase = [](T const* x) { return int(reinterpret_cast<std::uintptr_t>(x) % 16); };
  auto* const from = staged + at;
  packed_stretch<T> const cut(phase(to.data + first) / int(sizeof(T)), count);
  fence_copies();
  squad_barrier<Squad>(barrier);
  if (phase(from) != phase(to.data + first)) return copy_shifted<Squad>(staged, at, to, first, count, rank);
  if (rank == 0 && cut.body > 0) bulk_store(to.data + first + cut.head, from + cut.head, cut.body * int(sizeof(T)));
  if (rank < cut.head) to(first + rank) = from[rank];
  if (int const tail = cut.head + cut.body + rank; tail < count) to(first + tail) = from[tail];
}

/// A squad that writes for a mapping program: it replaces items by results in the slot, and the copy engine writes them
/// out.
template <class Ring>
__device__ void write_mapped(Ring const& ring, int writer, int rank)
{
  using program = typename Ring::program_type;
  int stored    = -1;  // the slot that the copy engine may still be reading
  ring.each_slot(
      [&](int s, int parity) {
        auto& at           = ring.state(s);
        extent const index = at.index, first = ring.first(index);
        auto const in      = ring.items_of(s, index, rank);
        auto const algebra = algebra_of(ring.program);
        if constexpr (Ring::carries) at.reduced.wait(parity);
        typename Ring::memos const m = ring.memos_of(s, rank);
        typename Ring::inside before;
        if constexpr (Ring::sums) {
          at.reduced.wait(parity);
          before = at.before[rank];
        } else {
          before = Ring::network::scan(algebra, in.combined(ring.program, m, rank), rank % 32).before;
          at.reduced.wait(parity);
        }
        before = algebra.combine(at.groups[rank / Ring::network::lanes], before);
        at.prefixed.wait(parity);
        auto const prefix  = at.prefix;
        int const barrier  = 2 + writer;
        auto* const staged = reinterpret_cast<typename program::output_type*>(ring.memory_of(s));
        if constexpr (!results_replace_items<program>)
          squad_barrier<Ring::squad>(barrier);  // all have read before any writes elsewhere
        in.results(ring.program, m, algebra.after(prefix, first, before), staged + rank * Ring::N);
        auto const [lead, end] = ring.with_items(index);
        write_out<Ring::squad>(barrier, staged, lead, rank, ring.program.output(), first + lead, end - lead);
        if (rank == 0 && ring.finishes(index)) ring.program.finish(algebra.after(prefix, first, at.all), ring.n);
        if (rank != 0) at.empty.arrive();
        else {  // all but the latest stores have been read by the copy engine
          commit_stores();
          wait_stores_read<1>();
          if (stored >= 0) ring.state(stored).empty.arrive();
          stored = s;
        }
      },
      writer, Ring::writers);
  if (rank == 0) {
    wait_stores_read<0>();                               // the block's memory must outlive its stores
    if (stored >= 0) ring.state(stored).empty.arrive();  // another squad may still wait for its end
  }
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
