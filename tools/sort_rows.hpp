// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "measure.hpp"

#include <onepass/argsort.hpp>
#include <onepass/histogram.hpp>
#include <onepass/partition_by_key.hpp>

#include <numeric>

// Sorts of items of one type, and what is made of them. They have no total.
namespace tools {

/// Of some parts, one an item.
struct part_of {
  u32 parts;

  template <class T>
  ONEPASS_FUNCTION u32 operator()(T const& x) const
  {
    return u32((u64(x) * 0x9e3779b97f4a7c15u) >> 32) % parts;
  }
};

template <class T>
void sort_rows(session& s)
{
  using judge      = exact<T>;
  const auto items = items_of<T>(s.file());
  std::vector<std::pair<std::string, std::vector<T>>> inputs{{"bytes", items}, {"sorted", sorted(items)}};
  if constexpr (std::is_integral_v<T>) inputs.emplace_back("few-valued", few_valued(items));

  /// `expected` makes of an input what must be written.
  const auto rows = [&](std::string primitive, std::string how, auto const& expected, auto const& call) {
    std::vector<problem<judge, T>> problems;
    for (auto const& [name, input] : inputs) {
      auto       wanted = expected(input);
      const auto bytes  = (input.size() + wanted.size()) * sizeof(T);
      wanted.resize(items.size(), poison<T>());
      problems.push_back({name, {&input}, bytes, judge{std::move(wanted), poison<T>()}});
    }
    measure_everywhere(s, {std::move(primitive), std::move(how), type_name<T>}, problems, call, all_backends);
  };
  for (const bool descending : {false, true}) {
    const auto before = [=](T const& a, T const& b) { return descending ? b < a : a < b; };
    const auto how    = descending ? "descending" : "ascending";
    rows("radix_sort", how, [&](std::vector<T> input) {
      std::stable_sort(input.begin(), input.end(), before);
      return input;
    }, [=](auto const& place, auto const& in, auto const& out, auto const&) { onepass::radix_sort(place, in, out, {.descending = descending}); });
    if constexpr (std::is_integral_v<T> && sizeof(T) >= 4)
      rows("argsort", how, [&](std::vector<T> const& input) {
        std::vector<T> order(input.size());
        std::iota(order.begin(), order.end(), T(0));
        std::stable_sort(order.begin(), order.end(), [&](T a, T b) { return before(input[std::size_t(a)], input[std::size_t(b)]); });
        return order;
      }, [=](auto const& place, auto const& in, auto const& out, auto const&) { onepass::argsort(place, in, out, {.descending = descending}); });
  }
  if constexpr (std::is_integral_v<T>)
    rows("partition_by_key", "100 parts", [](std::vector<T> input) {
      const part_of part{100};
      std::stable_sort(input.begin(), input.end(), [&](T a, T b) { return part(a) < part(b); });
      return input;
    }, [](auto const& place, auto const& in, auto const& out, auto const&) {
      using exec = typename std::decay_t<decltype(place)>::execution_space;
      const Kokkos::View<onepass::extent*, exec> counts("counts", 100);
      onepass::partition_by_key(place, in, out, counts, part_of{100});
    });
  if constexpr (std::is_same_v<T, u32>)
    if (items.size() >= 256)
      rows("histogram", "256 bins", [](std::vector<T> const& input) {
        std::vector<T> counts(256, 0);
        for (auto const x : input) ++counts[part_of{256}(x)];
        return counts;
      }, [](auto const& place, auto const& in, auto const& out, auto const&) {
        onepass::histogram(place, in, Kokkos::subview(out, std::pair(0, 256)), part_of{256});
      });
}

}  // namespace tools
