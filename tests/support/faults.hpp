// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "row.hpp"

#include <string>

namespace test {

/// Errors that an operator found in its operands, counted in the space where it runs.
enum class fault { broken_operand, swapped, repeated, gap };

/// The part used in kernels: a plain address, so that operators stay trivially copyable.
struct fault_sink {
  unsigned* counts;
  ONEPASS_FUNCTION void report(fault f) const { Kokkos::atomic_inc(counts + static_cast<int>(f)); }
};

/// The part used by the test. An operator that is called with an operand that does not come from items reports it even
/// if its result is discarded, as at the tail of the last tile.
class faults {
public:
  fault_sink sink() const { return {counts_.data()}; }

  /// Empty when nothing was reported.
  std::string text() const
  {
    auto const seen           = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, counts_);
    char const* const names[] = {"broken operand", "swapped operands", "repeated items", "gap between operands"};
    std::string said;
    for (int f = 0; f < 4; ++f)
      if (seen(f) > 0) said += std::string(names[f]) + " " + std::to_string(seen(f)) + " times; ";
    return said;
  }

private:
  Kokkos::View<unsigned[4], exec_space::memory_space> counts_{"test::faults"};
};

}  // namespace test
