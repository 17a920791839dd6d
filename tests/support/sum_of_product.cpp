// SPDX-License-Identifier: Apache-2.0
// Compiled to assembly by the test unfused_by_fma4, for a processor that nobody has to run it.
#include <onepass/portability.hpp>

double sum_of_product(double a, double b, double c) { return onepass::unfused(a * b) + c; }
