// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

// Hand-written loops on the calling thread, since std:: has none of these. Two return the number of runs.
namespace perf {

template <class T>
std::int64_t encode_by_loop(T const* in, std::int64_t n, T* symbols, std::uint32_t* lengths)
{
  std::int64_t runs = 0;
  for (std::int64_t i = 0; i < n; ++runs) {
    auto const begin = i;
    symbols[runs]    = in[begin];
    while (i < n && in[i] == in[begin]) ++i;
    lengths[runs] = std::uint32_t(i - begin);
  }
  return runs;
}

template <class T, class V, class Op>
std::int64_t reduce_by_loop(T const* keys, V const* values, std::int64_t n, T* heads, V* sums, Op op)
{
  std::int64_t runs = 0;
  for (std::int64_t i = 0; i < n; ++runs) {
    auto const key = keys[i];
    V sum          = values[i];
    for (++i; i < n && keys[i] == key; ++i) sum = op(sum, values[i]);
    heads[runs] = key;
    sums[runs]  = sum;
  }
  return runs;
}

/// From `start` in every run.
template <bool Inclusive, class T, class V, class Op>
void scan_by_loop(T const* keys, V const* values, std::int64_t n, V* out, V start, Op op)
{
  V sum = start;
  for (std::int64_t i = 0; i < n; ++i) {
    bool const head = i == 0 || !(keys[i] == keys[i - 1]);
    if (head) sum = start;
    if (!Inclusive) out[i] = sum;
    sum = Inclusive && head ? values[i] : op(sum, values[i]);
    if (Inclusive) out[i] = sum;
  }
}

}  // namespace perf
