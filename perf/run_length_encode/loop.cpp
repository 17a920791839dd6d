// SPDX-License-Identifier: Apache-2.0
#include "harness/loops.hpp"
#include "problem.hpp"

namespace perf {

namespace {

entry const loop{"loop", [](race const& r) {
                   return with_type(item_types{}, r.type, [&](auto zero) -> call {
                     using T        = decltype(zero);
                     auto const* in = static_cast<T const*>(r.in[0]);
                     auto* symbols  = static_cast<T*>(r.out[0]);
                     auto* lengths  = static_cast<std::uint32_t*>(r.out[1]);
                     auto const n   = r.items;
                     auto* count    = r.counts;
                     return [=] { *count = encode_by_loop(in, n, symbols, lengths); };
                   });
                 }};

}  // namespace

}  // namespace perf
