// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ranks_test {

/// How many calls over ranks leave others waiting where one rank is refused memory, each time that it asks for some.
unsigned long long waits_without_memory();

}  // namespace ranks_test
