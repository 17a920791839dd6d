// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

namespace ranks_test {
void add_orders(std::vector<family>&) {}
}  // namespace ranks_test
