// SPDX-License-Identifier: Apache-2.0
// A hand-written loop on the calling thread, since std:: has none.
#include "problem.hpp"

namespace perf {

namespace {

template <class T>
std::int64_t encode(T const* in, std::int64_t n, T* symbols, std::uint32_t* lengths)
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

entry const loop{"loop", [](race const& r) {
                   return with_type(item_types{}, r.type, [&](auto zero) -> call {
                     using T        = decltype(zero);
                     auto const* in = static_cast<T const*>(r.in[0]);
                     auto* symbols  = static_cast<T*>(r.out[0]);
                     auto* lengths  = static_cast<std::uint32_t*>(r.out[1]);
                     auto const n   = r.items;
                     auto* count    = r.counts;
                     return [=] { *count = encode(in, n, symbols, lengths); };
                   });
                 }};

}  // namespace

}  // namespace perf
