// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "zoo.hpp"

namespace zoo {

constexpr int cells = 1000;

template <class T, class W>
items<T, W> never_written(char const* label, int n)
{
  return items<T, W>(Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), n);
}

/// Adds to memory that was never written. This one is wrong on every backend; fillings that differ show it.
template <class W>
void uninitialised_sum(W const& w)
{
  auto const sum = w.planted ? never_written<double, W>("sum", cells) : items<double, W>("sum", cells);
  each(
      w, "add up", cells, KOKKOS_LAMBDA(int i) { sum(i) += i; });
}

template <class W>
void uninitialised_end(W const& w)
{
  auto const x = never_written<float, W>("x", cells);
  items<float, W> const y("y", cells);
  int const written = w.planted ? cells - 1 : cells;
  each(
      w, "write", written, KOKKOS_LAMBDA(int i) { x(i) = float(i); });
  each(
      w, "double", cells, KOKKOS_LAMBDA(int i) { y(i) = 2 * x(i); });
}

/// A buffer that is larger than what is in it is sound as long as nobody reads the rest.
template <class W>
void uninitialised_capacity(W const& w)
{
  auto const buffer = never_written<int, W>("buffer", 2 * cells);
  items<int, W> const out("out", cells);
  int const shift = w.planted ? 1 : 0;
  each(
      w, "fill half", cells, KOKKOS_LAMBDA(int i) { buffer(i) = i; });
  each(
      w, "use", cells, KOKKOS_LAMBDA(int i) { out(i) = buffer(i + shift) + 1; });
}

template <class W>
void uninitialised_flag(W const& w)
{
  auto const flags = never_written<int, W>("flags", cells);
  items<int, W> const out("out", cells);
  int const step = w.planted ? 2 : 1;
  each(
      w, "mark", cells / step, KOKKOS_LAMBDA(int i) { flags(i * step) = 1; });
  each(
      w, "select", cells, KOKKOS_LAMBDA(int i) { out(i) = flags(i) ^ 1; });
}

/// The copy that is changed on the host and never brought back: where device and host share their memory there is none.
template <class W>
void stale_mirror(W const& w)
{
  items<double, W> const x("x", cells);
  each(
      w, "make", cells, KOKKOS_LAMBDA(int i) { x(i) = i; });
  auto const own_copy = Kokkos::create_mirror(x);
  Kokkos::deep_copy(own_copy, x);
  for (int i = 0; i < cells; ++i) own_copy(i) += 1;
  if (!w.wrong_here()) Kokkos::deep_copy(x, own_copy);
  each(
      w, "square", cells, KOKKOS_LAMBDA(int i) { x(i) *= x(i); });
}

template <class W>
void stale_result(W const& w)
{
  items<double, W> const x("x", cells), y("y", cells);
  each(
      w, "first", cells, KOKKOS_LAMBDA(int i) { x(i) = i; });
  auto const old = Kokkos::create_mirror(x);
  Kokkos::deep_copy(old, x);
  each(
      w, "second", cells, KOKKOS_LAMBDA(int i) { x(i) += 1; });
  if (!w.wrong_here()) Kokkos::deep_copy(old, x);
  double const shown = old(7);
  each(
      w, "use the result", cells, KOKKOS_LAMBDA(int i) { y(i) = shown * i; });
}

/// Two kernels of two instances, of which the second needs the first; without the fence either may come first.
template <class W>
void missing_fence(W const& w)
{
  items<int, W> const x("x", cells), y("y", cells);
  auto const produce = [&] {
    each(
        w, "produce", cells, KOKKOS_LAMBDA(int i) { x(i) = i; });
  };
  if (!w.wrong_here()) produce();
  each(
      w, "consume", cells, KOKKOS_LAMBDA(int i) { y(i) = x(i) + 1; });
  if (w.wrong_here()) produce();
}

/// Rows of a matrix through a pointer: right where rows are contiguous.
template <class Layout, class W>
void through_a_pointer(W const& w)
{
  constexpr int rows = 40, columns = 25;
  Kokkos::View<double**, Layout, typename W::memory> const x("matrix", rows, columns);
  items<double, W> const sums("sums", rows);
  bool const planted = w.planted;
  each(
      w, "make matrix", rows, KOKKOS_LAMBDA(int i) {
        for (int j = 0; j < columns; ++j) x(i, j) = i * 100 + j;
      });
  each(
      w, "sum rows", rows, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int j = 0; j < columns; ++j) sum += planted ? x.data()[i * columns + j] : x(i, j);
        sums(i) = sum;
      });
}
template <class W>
void wrong_layout(W const& w)
{
  w.alone ? through_a_pointer<Kokkos::LayoutRight>(w) : through_a_pointer<Kokkos::LayoutLeft>(w);
}

/// The neighbour to the right, by the stride that it has in one layout alone.
template <class Layout, class W>
void right_neighbour(W const& w)
{
  constexpr int rows = 30, columns = 30;
  Kokkos::View<int**, Layout, typename W::memory> const x("grid", rows, columns);
  Kokkos::View<int**, Layout, typename W::memory> const y("moved", rows, columns);
  bool const planted = w.planted;
  each(
      w, "make grid", rows, KOKKOS_LAMBDA(int i) {
        for (int j = 0; j < columns; ++j) x(i, j) = i * i + j;
      });
  each(
      w, "shift", rows - 1, KOKKOS_LAMBDA(int i) {
        for (int j = 0; j < columns - 1; ++j) y(i, j) = planted ? *(&x(i, j) + 1) : x(i, j + 1);
      });
}
template <class W>
void off_by_one_on_one_layout(W const& w)
{
  w.alone ? right_neighbour<Kokkos::LayoutRight>(w) : right_neighbour<Kokkos::LayoutLeft>(w);
}

template <class W>
void copy_of_the_wrong_half(W const& w)
{
  items<int, W> const from("from", 2 * cells), to("to", cells);
  each(
      w, "make", 2 * cells, KOKKOS_LAMBDA(int i) { from(i) = i; });
  int const begin = w.wrong_here() ? cells : 0;
  Kokkos::deep_copy(to, Kokkos::subview(from, std::pair(begin, begin + cells)));
  each(
      w, "halve", cells, KOKKOS_LAMBDA(int i) { to(i) /= 2; });
}

template <class W>
void swapped_buffers(W const& w)
{
  items<int, W> a("a", cells), b("b", cells);
  for (int step = 0; step < 4; ++step) {
    each(
        w, "step", cells, KOKKOS_LAMBDA(int i) { b(i) = a((i + 1) % cells) + i % 3; });
    if (!(w.wrong_here() && step == 1)) std::swap(a, b);
  }
}

/// A View that is used after the host has changed it, between two kernels, on one backend alone.
template <class W>
void host_code(W const& w)
{
  items<int, W> const x("x", cells);
  each(
      w, "make", cells, KOKKOS_LAMBDA(int i) { x(i) = i; });
  auto const mirror = Kokkos::create_mirror_view(x);
  Kokkos::deep_copy(mirror, x);
  mirror(3) = w.wrong_here() ? 8 : 9;
  Kokkos::deep_copy(x, mirror);
  each(
      w, "add", cells, KOKKOS_LAMBDA(int i) { x(i) += 1; });
}

/// Host code writes to two Views, of which the second is copied later: until then a device has other contents than a
/// host, where both are one memory.
template <class W>
void copied_one_by_one(W const& w)
{
  items<int, W> const x("x", cells), y("y", cells);
  auto const on_host = [](auto const& view, int begin) {
    auto const mirror = Kokkos::create_mirror_view(view);
    for (int i = 0; i < cells; ++i) mirror(i) = begin + i;
    return mirror;
  };
  auto const first = on_host(x, 1), second = on_host(y, 2);
  Kokkos::deep_copy(x, first);
  each(
      w, "add", cells, KOKKOS_LAMBDA(int i) { x(i) += 1; });
  Kokkos::deep_copy(y, second);
  int const factor = w.wrong_here() ? 3 : 2;
  each(
      w, "multiply", cells, KOKKOS_LAMBDA(int i) { y(i) *= factor; });
}

template <class Exec>
std::vector<animal<Exec>> memories()
{
  using w = world<Exec>;
  return {{"uninitialised_sum", "add up", "sum", uninitialised_sum<w>},
          {"uninitialised_end", "double", "y", uninitialised_end<w>},
          {"uninitialised_capacity", "use", "out", uninitialised_capacity<w>},
          {"uninitialised_flag", "select", "out", uninitialised_flag<w>},
          {"stale_mirror", "square", "x", stale_mirror<w>},
          {"stale_result", "deep copy x <- x", "x_mirror", stale_result<w>},
          {"missing_fence", "consume", "y", missing_fence<w>},
          {"wrong_layout", "sum rows", "sums", wrong_layout<w>},
          {"off_by_one_on_one_layout", "shift", "moved", off_by_one_on_one_layout<w>},
          {"copy_of_the_wrong_half", "deep copy to <- from", "to", copy_of_the_wrong_half<w>},
          {"swapped_buffers", "step", "b", swapped_buffers<w>},
          {"host_code", "host code before deep copy x <- x", "x", host_code<w>},
          {"copied_one_by_one", "multiply", "y", copied_one_by_one<w>}};
}

}  // namespace zoo
