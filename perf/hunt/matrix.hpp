// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "choices.hpp"
#include "rivals.hpp"

#include <onepass/count.hpp>
#include <onepass/minmax.hpp>
#include <onepass/reduce.hpp>
#include <onepass/segmented.hpp>
#include <onepass/select.hpp>

#include <utility>

// Matrices: calls whose items are a View of rank 2, of either layout, whole or the inner part of a larger one.
namespace perf::hunt {

/// A matrix of device items, as drawn.
struct matrix_shape {
  std::int64_t rows, columns;
  bool left;         ///< columns are contiguous, else rows are
  std::int64_t rim;  ///< rows and columns around it that are not its own

  matrix_shape(dice const& d, std::int64_t n)
      : rows(std::min(n, d.up_to_power("rows", 30)))
      , columns(n / rows)
      , left(d.chance("left", 50))
      , rim(d.one_of<std::int64_t>("rim", {0, 0, 1, 4}))
  {}

  std::int64_t items() const { return rows * columns; }
  /// Of the memory that it lies in.
  std::int64_t room() const { return (rows + 2 * rim) * (columns + 2 * rim); }
  std::string text() const
  {
    return hunt::text(rows, " x ", columns, left ? ", columns" : ", rows", " contiguous, rim ", rim);
  }

  /// Its items in the order of its rows, as the memory that it lies in.
  template <class T>
  std::vector<T> laid_out(std::vector<T> const& items) const
  {
    std::vector<T> all(std::size_t(room()), T{});
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c)
        all[std::size_t(left ? r + rim + (c + rim) * (rows + 2 * rim) : (r + rim) * (columns + 2 * rim) + c + rim)] =
            items[std::size_t(r * columns + c)];
    return all;
  }

  /// Calls f with the View of it.
  template <class T, class F>
  void with_view(device_items<T> const& all, F const& f) const
  {
    auto const inner = [&]<class Layout>(Layout) {
      Kokkos::View<T const**, Layout, space, Kokkos::MemoryUnmanaged> const whole(
          all.data(), std::size_t(rows + 2 * rim), std::size_t(columns + 2 * rim));
      if (rim == 0) f(whole);
      else f(Kokkos::subview(whole, std::pair(rim, rim + rows), std::pair(rim, rim + columns)));
    };
    if (left) inner(Kokkos::LayoutLeft{});
    else inner(Kokkos::LayoutRight{});
  }
};

/// Kokkos' policy for all items, and a loop of the host over them in the order of memory.
template <class View>
auto each_item(View const& v)
{
  using policy = Kokkos::MDRangePolicy<space, Kokkos::Rank<2>, Kokkos::IndexType<std::int64_t>>;
  return policy({0, 0}, {std::int64_t(v.extent(0)), std::int64_t(v.extent(1))});
}
template <class View, class F>
void loop_over(View const& v, F const& f)
{
  auto const rows = std::int64_t(v.extent(0)), columns = std::int64_t(v.extent(1));
  if constexpr (std::is_same_v<typename View::array_layout, Kokkos::LayoutLeft>) {
    for (std::int64_t c = 0; c < columns; ++c)
      for (std::int64_t r = 0; r < rows; ++r) f(r, v(r, c));
  } else
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) f(r, v(r, c));
}

// What a Kokkos user would write.
template <class View, class T = typename View::non_const_value_type>
struct adds_items {
  View v;
  KOKKOS_FUNCTION void operator()(std::int64_t r, std::int64_t c, T& sum) const { sum = static_cast<T>(sum + v(r, c)); }
};
template <class View>
struct counts_items {
  View v;
  KOKKOS_FUNCTION void operator()(std::int64_t r, std::int64_t c, std::int64_t& count) const
  {
    count += is_wanted<typename View::non_const_value_type>()(v(r, c));
  }
};
template <class View, class T = typename View::non_const_value_type>
struct selects_items {
  View v;
  device_items<T> out;
  u32 columns;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count, bool last) const
  {
    auto const row = u32(i) / columns;
    auto const x   = v(row, u32(i) - row * columns);
    if (!is_wanted<T>()(x)) return;
    if (last) out(count) = x;
    ++count;
  }
};
template <class View, class T = typename View::non_const_value_type>
struct adds_row {
  View v;
  device_items<T> out;
  KOKKOS_FUNCTION void operator()(std::int64_t r) const
  {
    T sum = 0;
    for (std::int64_t c = 0; c < std::int64_t(v.extent(1)); ++c) sum = static_cast<T>(sum + v(r, c));
    out(r) = sum;
  }
};

/// A rival on hosts.
template <class Loop>
void enter_loop(trial& t, Loop const& loop)
{
  if constexpr (on_host) t.enter("loop", loop);
}

template <class T, class View>
void enter_reduce(trial& t, View const& v, std::vector<T> const& items)
{
  T sum = 0;
  for (auto const& x : items) sum = static_cast<T>(sum + x);
  auto const out = t.output(std::vector<T>{sum}, 1);
  value_view<T> const total(out.data());
  enter_onepass(t, [=](auto const& place) { onepass::reduce(place, v, total); });
  t.enter("kokkos.mdrange",
          [=] { Kokkos::parallel_reduce("reduce", each_item(v), adds_items<View>{v}, Kokkos::Sum<T, space>(total)); });
  enter_loop(t, [=] {
    T s = 0;
    loop_over(v, [&](auto, T x) { s = static_cast<T>(s + x); });
    *total.data() = s;
  });
}

template <class T, class View>
void enter_count_if(trial& t, View const& v, std::vector<T> const& items)
{
  auto const to = t.count(std::count_if(items.begin(), items.end(), is_wanted<T>()));
  enter_onepass(t, [=](auto const& place) { onepass::count_if(place, v, to.here, is_wanted<T>()); });
  t.enter("kokkos.mdrange", [=] {
    std::int64_t count = 0;
    Kokkos::parallel_reduce("count", each_item(v), counts_items<View>{v}, count);
    to.told() = count;
  });
  enter_loop(t, [=] {
    std::int64_t count = 0;
    loop_over(v, [&](auto, T x) { count += is_wanted<T>()(x); });
    to.told() = count;
  });
}

template <class T, class View>
void enter_select_if(trial& t, View const& v, std::vector<T> const& items)
{
  auto const kept = wanted_of(items);
  auto const n    = std::int64_t(items.size());
  auto const to   = t.count(std::int64_t(kept.size()));
  auto const out  = t.output(kept, n);
  enter_onepass(t, [=](auto const& place) { onepass::select_if(place, v, out, to.here, is_wanted<T>()); });
  t.enter("kokkos.parallel_scan", [=] {
    std::int64_t count = 0;
    Kokkos::parallel_scan("select", range(0, n), selects_items<View>{v, out, u32(v.extent(1))}, count);
    to.told() = count;
  });
  if constexpr (!std::is_same_v<typename View::array_layout, Kokkos::LayoutLeft>)  // whose loop has another order
    enter_loop(t, [=] {
      std::int64_t count = 0;
      loop_over(v, [&](auto, T x) {
        if (is_wanted<T>()(x)) out(count++) = x;
      });
      to.told() = count;
    });
}

template <class T, class View>
void enter_reduce_rows(trial& t, View const& v, std::vector<T> const& items)
{
  auto const rows = std::int64_t(v.extent(0)), columns = std::int64_t(v.extent(1));
  std::vector<T> sums(std::size_t(rows), T(0));
  for (std::size_t i = 0; i < items.size(); ++i)
    sums[i / std::size_t(columns)] = static_cast<T>(sums[i / std::size_t(columns)] + items[i]);
  auto const out = t.output(sums, rows);
  enter_onepass(t, [=](auto const& place) { onepass::reduce_rows(place, v, out); });
  t.enter("kokkos.thread_a_row", [=] { Kokkos::parallel_for("rows", range(0, rows), adds_row<View>{v, out}); });
  enter_loop(t, [=] {
    for (std::int64_t r = 0; r < rows; ++r) out(r) = 0;
    loop_over(v, [&](auto r, T x) { out(r) = static_cast<T>(out(r) + x); });
  });
}

template <class T>
void make_matrix(trial& t, matrix_shape const& m, choices const& chosen, std::string const& what)
{
  auto const items = chosen.items<T>(m.items());
  m.with_view(t.input(m.laid_out(items)), [&](auto const& v) {
    if (what == "reduce") enter_reduce(t, v, items);
    else if (what == "count_if") enter_count_if(t, v, items);
    else if (what == "select_if") enter_select_if(t, v, items);
    else enter_reduce_rows(t, v, items);
  });
}

/// Sums of the items have to be exact in any order.
template <class T>
drawn draw_matrix(dice const& d)
{
  matrix_shape const m(d, std::min<std::int64_t>(d.items(), std::int64_t(1) << 28));
  choices const chosen(d);
  auto const what = d.one_of<std::string>("call", {"reduce", "count_if", "select_if", "reduce_rows"});
  return {m.items(), text(what, " of ", m.text(), ", ", chosen.shape()), 4 * std::size_t(m.room()) * sizeof(T),
          [=](trial& t) { make_matrix<T>(t, m, chosen, what); }};
}

}  // namespace perf::hunt
