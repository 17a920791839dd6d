// SPDX-License-Identifier: Apache-2.0
// A hand-written loop on the calling thread, since std:: has none of these.
#include "problem.hpp"

namespace perf {

namespace {

template <class T>
std::int64_t reduce(T const* keys, float const* values, std::int64_t n, T* heads, float* sums)
{
  std::int64_t runs = 0;
  for (std::int64_t i = 0; i < n; ++runs) {
    auto const key = keys[i];
    float sum      = 0;
    for (; i < n && keys[i] == key; ++i) sum += values[i];
    heads[runs] = key;
    sums[runs]  = sum;
  }
  return runs;
}

template <class T>
void scan(T const* keys, float const* values, std::int64_t n, float* out)
{
  float sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (i > 0 && keys[i] != keys[i - 1]) sum = 0;
    out[i] = sum;
    sum += values[i];
  }
}

entry const loop{"loop", [](race const& r) {
                   return with_type(item_types{}, r.type, [&](auto zero) -> call {
                     using T            = decltype(zero);
                     auto const* keys   = static_cast<T const*>(r.in[0]);
                     auto const* values = static_cast<float const*>(r.in[1]);
                     auto* heads        = static_cast<T*>(r.out[0]);
                     auto const out     = r.out;
                     auto const n       = r.items;
                     auto* count        = r.counts;
                     if (r.stem() == "reduce_by_key")
                       return [=] { *count = reduce(keys, values, n, heads, static_cast<float*>(out[1])); };
                     return [=] { scan(keys, values, n, static_cast<float*>(out[0])); };
                   });
                 }};

}  // namespace

}  // namespace perf
