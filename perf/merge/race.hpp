// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/inputs.hpp"
#include "harness/race.hpp"

// The first half of the items and the second, each in order; beside the keys of merge_by_key lie their positions.
namespace perf {

template <class T>
struct halves {
  T const* a;
  T const* b;
  std::int64_t as, bs;

  halves(race const& r, std::size_t k)
      : a(static_cast<T const*>(r.in[k]))
      , b(a + r.items / 2)
      , as(r.items / 2)
      , bs(r.items - as)
  {}

  input_view<T> a_view() const { return input_view<T>(a, std::size_t(as)); }
  input_view<T> b_view() const { return input_view<T>(b, std::size_t(bs)); }
};

}  // namespace perf
