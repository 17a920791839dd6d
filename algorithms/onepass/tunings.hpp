// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/tunings.hpp>

// The numbers that this build runs with, for programs that print them: onepass::each_tuning.
