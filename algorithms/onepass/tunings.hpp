// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/tunings.hpp>

// onepass::each_tuning: the tuning of every backend of this build, for programs that print it.
