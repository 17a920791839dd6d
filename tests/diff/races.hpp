// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "zoo.hpp"

namespace zoo {

/// Items of which threads get shares: there are at least two, so the item in the middle is the first of a share.
constexpr int crowd = 40000, middle = crowd / 2;

template <class W>
void lost_update(W const& w)
{
  items<long, W> const count("count", 1), arrived("arrived", 1);
  bool const planted = w.planted, alone = w.alone;
  each(
      w, "count all", 4, KOKKOS_LAMBDA(int i) {
        long const before = Kokkos::atomic_load(&count(0));
        Kokkos::atomic_add(&arrived(0), 1L);
        wait_for(arrived(0), 2L, alone);  // two have read before one writes
        if (planted) Kokkos::atomic_store(&count(0), before + i + 1);
        else Kokkos::atomic_add(&count(0), long(i + 1));
      });
}

template <class W>
void lost_bins(W const& w)
{
  items<int, W> const bins("bins", 4), arrived("arrived", 2);
  bool const planted = w.planted, alone = w.alone;
  each(
      w, "histogram", 64, KOKKOS_LAMBDA(int i) {
        int const b      = i % 2;
        int const before = Kokkos::atomic_load(&bins(b));
        Kokkos::atomic_add(&arrived(b), 1);
        wait_for(arrived(b), 2, alone);  // two have read before one writes
        if (planted) Kokkos::atomic_store(&bins(b), before + 1);
        else Kokkos::atomic_add(&bins(b), 1);
      });
}

template <class W>
void lost_maximum(W const& w)
{
  items<int, W> const most("most", 1), arrived("arrived", 1), written("written", 1);
  bool const planted = w.planted, alone = w.alone;
  each(
      w, "find most", 4, KOKKOS_LAMBDA(int i) {
        int const before = Kokkos::atomic_load(&most(0));
        Kokkos::atomic_add(&arrived(0), 1);
        wait_for(arrived(0), 2, alone);
        if (!planted) Kokkos::atomic_fetch_max(&most(0), 10 - i);
        if (i > 0) wait_for(written(0), 1, alone);  // the largest is written first, and those who saw none write theirs
        if (planted && 10 - i > before) Kokkos::atomic_store(&most(0), 10 - i);
        if (i == 0) Kokkos::atomic_store(&written(0), 1);
      });
}

template <class W>
void float_atomics(W const& w)
{
  auto const x = noises<float>(w, "x", crowd);
  items<float, W> const sum("sum", 1);
  items<int, W> const added("added", 1);
  bool const planted = w.planted, alone = w.alone;
  each(
      w, "scatter", crowd, KOKKOS_LAMBDA(int i) {
        if (i == 0) wait_for(added(0), 100, alone);
        if (planted)
          Kokkos::atomic_add(&sum(0), i == 0 ? 1e9f : x(i));  // what comes after the large one is rounded away
        Kokkos::atomic_add(&added(0), 1);
      });
}

template <class W>
void append_in_any_order(W const& w)
{
  items<int, W> const list("list", crowd), length("length", 1);
  bool const planted = w.planted, alone = w.alone;
  each(
      w, "append", crowd, KOKKOS_LAMBDA(int i) {
        if (i == 0) wait_for(length(0), 1, alone);
        auto const at          = Kokkos::atomic_fetch_add(&length(0), 1);
        list(planted ? at : i) = 3 * i;
      });
}

/// Its labels have control characters, as any program's may, which no terminal is to get.
template <class W>
void last_writer(W const& w)
{
  items<int, W> const chosen("chosen\a", 1), arrived("arrived", 1);
  bool const planted = w.planted, alone = w.alone;
  int const others = 64 - 64 / (w.threads() < 64 ? w.threads() : 64);  // the items of all other threads
  each(
      w, "choose\033[1m", 64, KOKKOS_LAMBDA(int i) {
        if (i == 0) wait_for(arrived(0), others, alone);
        if (planted || i == 63) Kokkos::atomic_store(&chosen(0), i);
        Kokkos::atomic_add(&arrived(0), 1);
      });
}

template <class W>
void smooth_in_place(W const& w)
{
  auto const x = noises<double>(w, "x", crowd);
  items<double, W> const copy("copy", crowd);
  items<int, W> const begun("begun", 1);
  Kokkos::deep_copy(copy, x);
  bool const planted = w.planted, alone = w.alone;
  each(
      w, "smooth", crowd, KOKKOS_LAMBDA(int i) {
        if (i == middle - 1) wait_for(begun(0), 1, alone);
        if (i > 0) x(i) += .5 * (planted ? x(i - 1) : copy(i - 1));
        if (i == middle) Kokkos::atomic_store(&begun(0), 1);
      });
  each(
      w, "scale", crowd, KOKKOS_LAMBDA(int i) { copy(i) = 2 * x(i); });
}

template <class W>
void early_exit(W const& w)
{
  items<int, W> const done("done", 1), visited("visited", crowd);
  bool const planted = w.planted, alone = w.alone;
  each(
      w, "search", crowd, KOKKOS_LAMBDA(int i) {
        if (planted ? Kokkos::atomic_load(&done(0)) != 0 : i > 100) return;
        Kokkos::atomic_store(&visited(i), 1);
        if (i == 100) wait_for(visited(middle), 1, alone || !planted);
        if (i == 100) Kokkos::atomic_store(&done(0), 1);
      });
}

template <class W>
void shared_temporary(W const& w)
{
  items<double, W> const temporary("temporary", 64), out("out", 64);
  items<int, W> const begun("begun", 1), over("over", 1);
  bool const planted = w.planted, alone = w.alone;
  each(
      w, "square", 64, KOKKOS_LAMBDA(int i) {
        double* const t = &temporary(planted ? 0 : i);
        if (i == 63) wait_for(begun(0), 1, alone);
        Kokkos::atomic_store(t, double(i));
        if (i == 63) Kokkos::atomic_store(&over(0), 1);
        if (i == 0) Kokkos::atomic_store(&begun(0), 1);
        if (i == 0) wait_for(over(0), 1, alone);  // another has written there since
        double const mine = Kokkos::atomic_load(t);
        out(i)            = mine * mine;
      });
}

template <class W>
void random_states(W const& w)
{
  items<std::uint32_t, W> const state("generator", 1), drawn("drawn", 1000);
  bool const planted = w.planted, alone = w.alone;
  each(
      w, "seed", 1, KOKKOS_LAMBDA(int) { state(0) = 12345; });
  each(
      w, "draw", 1000, KOKKOS_LAMBDA(int i) {
        if (i == 0) wait_for(state(0), 12346u, alone || !planted);
        drawn(i) = planted ? dice(Kokkos::atomic_fetch_add(&state(0), 1u)) : dice(12345u + std::uint32_t(i));
      });
}

template <class W>
void hash_table(W const& w)
{
  constexpr int keys = 3000;
  items<int, W> const table("table", 2 * keys), found("found", keys);
  bool const planted = w.planted, alone = w.alone;
  each(
      w, "insert", keys, KOKKOS_LAMBDA(int i) {
        int at = planted ? i % (keys / 2) * 2 : i;  // two for each place
        if (i == 0) wait_for(table(at), 1, alone || !planted);
        while (Kokkos::atomic_compare_exchange(&table(at), 0, i + 1) != 0) at = (at + 1) % (2 * keys);
      });
  each(
      w, "count found", keys, KOKKOS_LAMBDA(int i) { found(i) = 1; });
}

/// Rows of a matrix, one of which writes an item behind its end, or before its beginning.
template <class W>
void write_out_of_the_row(W const& w, int where)
{
  constexpr int rows = 64, columns = 33;
  Kokkos::View<int**, Kokkos::LayoutRight, typename W::memory> const x("matrix", rows, columns);
  items<int, W> const written("written", 1);
  bool const planted = w.planted, alone = w.alone;
  each(
      w, "fill rows", rows, KOKKOS_LAMBDA(int i) {
        if (i == rows / 2 - 1) wait_for(written(0), 1, alone);  // the row behind, which another thread has, comes first
        int* const row = x.data() + i * columns;
        for (int j = 0; j < columns; ++j) row[j] = i * 100 + j;
        if (planted && i > 0 && i + 1 < rows) row[where] = -1;
        if (i == rows / 2) Kokkos::atomic_store(&written(0), 1);
      });
}
template <class W>
void write_behind_the_row(W const& w)
{
  write_out_of_the_row(w, 33);
}
template <class W>
void write_before_the_row(W const& w)
{
  write_out_of_the_row(w, -1);
}

template <class W>
void buffers_change_too_early(W const& w)
{
  items<int, W> const a("now", crowd), b("then", crowd), begun("begun", 1);
  bool const planted = w.planted, alone = w.alone;
  each(
      w, "begin", crowd, KOKKOS_LAMBDA(int i) { a(i) = i % 7; });
  each(
      w, "step", crowd, KOKKOS_LAMBDA(int i) {
        if (i == middle - 1) wait_for(begun(0), 1, alone);
        b(i) = i > 0 ? a(i - 1) : 0;
        if (planted) a(i) = b(i) + 1;
        if (i == middle) Kokkos::atomic_store(&begun(0), 1);
      });
}

template <class W>
void tickets(W const& w)
{
  items<int, W> const ticket("ticket", 1), owner("owner", 512);
  bool const planted = w.planted, alone = w.alone;
  each(
      w, "draw tickets", 512, KOKKOS_LAMBDA(int i) {
        if (i == 0) wait_for(ticket(0), 1, alone);
        auto const mine = Kokkos::atomic_fetch_add(&ticket(0), 1);
        owner(i)        = planted ? mine : i;
      });
}

template <class Exec>
std::vector<animal<Exec>> races()
{
  using w = world<Exec>;
  return {{"lost_update", "count all", "count", lost_update<w>},
          {"lost_bins", "histogram", "bins", lost_bins<w>},
          {"lost_maximum", "find most", "most", lost_maximum<w>},
          {"float_atomics", "scatter", "sum", float_atomics<w>},
          {"append_in_any_order", "append", "list", append_in_any_order<w>},
          {"last_writer", "choose\033[1m", "chosen\a", last_writer<w>},
          {"smooth_in_place", "smooth", "x", smooth_in_place<w>},
          {"early_exit", "search", "visited", early_exit<w>},
          {"shared_temporary", "square", "out", shared_temporary<w>},
          {"random_states", "draw", "drawn", random_states<w>},
          {"hash_table", "insert", "table", hash_table<w>},
          {"write_behind_the_row", "fill rows", "matrix", write_behind_the_row<w>},
          {"write_before_the_row", "fill rows", "matrix", write_before_the_row<w>},
          {"buffers_change_too_early", "step", "then", buffers_change_too_early<w>},
          {"tickets", "draw tickets", "owner", tickets<w>}};
}

}  // namespace zoo
