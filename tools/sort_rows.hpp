// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/argsort.hpp>
#include <onepass/histogram.hpp>
#include <onepass/partition_by_key.hpp>

#include <numeric>

// Rows for sorts of items of one type, and for what is built from sorts. They have no total.
namespace tools {

/// Assigns each item to one of `parts` parts.
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
  auto const items = s.items<T>();
  std::vector<std::pair<std::string, std::vector<T>>> inputs_of{
      {"bytes", items}, {"sorted", sorted(items)}, {"few-valued", few_valued(items)}};
  for (bool const descending : {false, true}) {
    auto const before = [=](T const& a, T const& b) { return descending ? b < a : a < b; };
    auto const how    = descending ? "descending" : "ascending";
    std::vector<problem<judge, T>> problems;
    for (auto const& [name, input] : inputs_of) {
      auto wanted = input;
      std::stable_sort(wanted.begin(), wanted.end(), before);
      problems.push_back({name, {&input}, 2 * input.size() * sizeof(T), judge{std::move(wanted), poison<T>()}});
    }
    measure_everywhere(
        s, {"radix_sort", how, type_name<T>}, problems,
        [=](auto const& place, auto const& in, auto const& out, auto const&) {
          onepass::radix_sort(place, in, out, {.descending = descending});
        },
        all_backends);

    std::vector<u32> order(items.size());
    std::iota(order.begin(), order.end(), u32(0));
    std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return before(items[a], items[b]); });
    row const names{"", how, type_name<T>};
    rows_of(
        s, names, "argsort", inputs(items), parts(part(order, items)),
        [=](auto const& place, auto const& in, auto const& out, auto const&) {
          onepass::argsort(place, in, out, {.descending = descending});
        },
        all_backends);
    rows_of(
        s, names, "apply_permutation", inputs(items, order), parts(part(problems.front().judge.items, items)),
        [](auto const& place, auto const& in, auto const& permutation, auto const& out, auto const&) {
          onepass::apply_permutation(place, permutation, std::tuple(in), std::tuple(out));
        },
        all_backends);
  }

  auto by_part = items;
  std::stable_sort(by_part.begin(), by_part.end(), [part = part_of{100}](T a, T b) { return part(a) < part(b); });
  std::vector<u32> of_part(100, 0), of_bin(256, 0);
  for (auto const& x : items) ++of_part[part_of{100}(x)], ++of_bin[part_of{256}(x)];
  rows_of(
      s, {"", "100 parts", type_name<T>}, "partition_by_key", inputs(items),
      parts(part(by_part, items), part(of_part, of_part)),
      [](auto const& place, auto const& in, auto const& out, auto const& counts, auto const&) {
        onepass::partition_by_key(place, in, out, counts, part_of{100});
      },
      all_backends);
  rows_of(
      s, {"", "256 bins", type_name<T>}, "histogram", inputs(items), parts(part(of_bin, of_bin)),
      [](auto const& place, auto const& in, auto const& counts, auto const&) {
        onepass::histogram(place, in, counts, part_of{256});
      },
      all_backends);
}

}  // namespace tools
