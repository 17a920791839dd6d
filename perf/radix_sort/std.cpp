// SPDX-License-Identifier: Apache-2.0
// std::sort on the calling thread, after a copy.
#include "problem.hpp"

#include <algorithm>

namespace perf {

namespace {

entry const std_sort{"std", [](race const& r) -> call {
                       if (r.primitive != "radix_sort") return {};
                       return with_type(item_types{}, r.type, [&](auto zero) -> call {
                         using T        = decltype(zero);
                         auto const in  = input_of<T>(r);
                         auto const out = output_of<T>(r);
                         auto const n   = r.items;
                         return [=] {
                           std::copy(in.data(), in.data() + n, out.data());
                           std::sort(out.data(), out.data() + n);
                         };
                       });
                     }};

}  // namespace

}  // namespace perf
