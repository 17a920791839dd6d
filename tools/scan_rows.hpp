// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "measure.hpp"

#include <onepass/reduce.hpp>
#include <onepass/scan.hpp>

#include <numeric>

// Rows for the scan family on items of one type.
namespace tools {

/// Applies the newer map to the result of the older one.
struct compose {
  ONEPASS_FUNCTION affine operator()(affine const& older, affine const& newer) const
  {
    return {newer.slope * older.slope, newer.slope * older.offset + newer.offset};
  }
};

/// What transforming scans do to an item.
struct changed {
  template <class T>
  ONEPASS_FUNCTION T operator()(T const& x) const
  {
    if constexpr (std::is_same_v<T, affine>) return {x.slope | 1, x.offset};
    else if constexpr (std::is_floating_point_v<T>) return x / 2;
    else return static_cast<T>(x ^ T(0x55));
  }
};

enum class what { exclusive, inclusive, total };

/// All prefixes that a scan writes, and the ranges that they span; by compensated sums, whose error is far below T's
/// rounding.
template <class T, class Transform>
bounded<T> bounds_of(std::vector<T> const& items, what wanted, Transform f, T init)
{
  bounded<T> made{{}, {}, items.size()};
  f64 sum = init, lost = 0, low = std::min(sum, 0.0), high = std::max(sum, 0.0);
  for (auto const& x : items) {
    if (wanted == what::exclusive) made.items.push_back({sum + lost, high - low});
    f64 const y = f(x), next = sum + y;
    lost += std::abs(sum) >= std::abs(y) ? (sum - next) + y : (y - next) + sum;
    sum  = next;
    low  = std::min(low, sum);
    high = std::max(high, sum);
    if (wanted == what::inclusive) made.items.push_back({sum + lost, high - low});
  }
  made.total = {sum + lost, high - low};
  return made;
}

/// All prefixes for an operator that gives the same bits however it is associated; init does not enter inclusive ones.
template <class T, class Op, class Transform>
exact<T> values_of(std::vector<T> const& items, what wanted, Op op, Transform f, T init)
{
  exact<T> made{};
  auto& out = made.items;
  if (wanted != what::total) out.resize(items.size());
  if (wanted == what::exclusive) std::transform_exclusive_scan(items.begin(), items.end(), out.begin(), init, op, f);
  if (wanted == what::inclusive) std::transform_inclusive_scan(items.begin(), items.end(), out.begin(), op, f);
  made.total = wanted == what::inclusive ? out.back()
                                         : std::accumulate(items.begin(), items.end(), init,
                                                           [&](T const& a, T const& b) { return op(a, f(b)); });
  return made;
}

/// The judge of a scan: sums of floats are rounded, everything else is exact.
template <class T, class Op, class Transform>
auto judge_of(std::vector<T> const& items, what wanted, Op op, Transform f, T init)
{
  if constexpr (std::is_floating_point_v<T> && std::is_same_v<Op, onepass::plus>)
    return bounds_of(items, wanted, f, init);
  else return values_of(items, wanted, op, f, init);
}

/// What the canonical tree gives on the host; every space must give the same bits.
template <class T, class Call>
exact<T> canonical_values(std::vector<T> const& items, what wanted, Call const& call)
{
  exact<T> made{};
  if (wanted != what::total) made.items.resize(items.size());
  Kokkos::DefaultHostExecutionSpace const host;
  call(onepass::canonically(host), view_of(items), view_of(made.items),
       Kokkos::View<T, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&made.total));
  host.fence("onepass check: the canonical values");
  return made;
}

template <class T, class Op>
void scan_rows_of(session& s, std::string const& op_name,
                  std::vector<std::pair<std::string, std::vector<T>>> const& inputs, Op op, T init)
{
  auto const rows = [&](char const* primitive, what wanted, auto f, auto const& call) {
    using judge    = decltype(judge_of(inputs.front().second, wanted, op, f, init));
    T const before = wanted == what::inclusive ? T{} : init;
    std::vector<problem<judge, T>> problems;
    for (auto const& [name, items] : inputs)
      problems.push_back({name,
                          {&items},
                          (wanted == what::total ? 1 : 2) * items.size() * sizeof(T),
                          judge_of(items, wanted, op, f, before)});
    measure_everywhere(s, {primitive, op_name, type_name<T>}, problems, call);
    if constexpr (std::is_floating_point_v<T> && std::is_same_v<Op, onepass::plus>) {
      std::vector<problem<exact<T>, T>> canonical;
      for (auto const& p : problems)
        canonical.push_back({p.name, p.inputs, p.bytes, canonical_values(p.first(), wanted, call)});
      measure_everywhere(s, {primitive, op_name, type_name<T>}, canonical, call, all_canonical);
    }
  };
  rows("exclusive_scan", what::exclusive, onepass::unchanged{},
       [=](auto const& place, auto const& in, auto const& out, auto const& total) {
         onepass::exclusive_scan(place, in, out, op, init, total);
       });
  rows("inclusive_scan", what::inclusive, onepass::unchanged{},
       [=](auto const& place, auto const& in, auto const& out, auto const& total) {
         onepass::inclusive_scan(place, in, out, op, onepass::no_init{}, total);
       });
  rows("reduce", what::total, onepass::unchanged{},
       [=](auto const& place, auto const& in, auto const&, auto const& total) {
         onepass::reduce(place, in, total, op, init);
       });
  if constexpr (!std::is_same_v<Op, onepass::maximum>) {  // two operators are enough to test a transform
    rows("transform_exclusive_scan", what::exclusive, changed{},
         [=](auto const& place, auto const& in, auto const& out, auto const& total) {
           onepass::transform_exclusive_scan(place, in, out, changed{}, op, init, total);
         });
    rows("transform_inclusive_scan", what::inclusive, changed{},
         [=](auto const& place, auto const& in, auto const& out, auto const& total) {
           onepass::transform_inclusive_scan(place, in, out, changed{}, op, onepass::no_init{}, total);
         });
  }
}

template <class T>
void scan_rows(session& s)
{
  auto const items = s.items<T>();
  std::vector<std::pair<std::string, std::vector<T>>> inputs{{"bytes", items}};
  if constexpr (std::is_same_v<T, affine>) {
    inputs.emplace_back("few-valued", few_valued(items));
    scan_rows_of(s, "affine", inputs, compose{}, T{3, 5});
  } else {
    if constexpr (std::is_integral_v<T>) {
      inputs.emplace_back("sorted", sorted(items));
      inputs.emplace_back("few-valued", few_valued(items));
    }
    if (s.wants_operator("plus")) scan_rows_of(s, "plus", inputs, onepass::plus{}, T(1));
    if (s.wants_operator("max")) scan_rows_of(s, "max", inputs, onepass::maximum{}, T(1));
  }
}

}  // namespace tools
