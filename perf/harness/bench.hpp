// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "race.hpp"

#include <memory>

namespace perf {

/// What the bench.cpp of a problem provides.
struct suite {
  virtual ~suite() = default;

  virtual std::vector<std::string> primitives() const = 0;
  virtual std::vector<std::string> types() const      = 0;

  /// Makes room, and what all races of a type share, for races of up to `items`.
  virtual void prepare(std::string const& type, std::int64_t items) = 0;

  /// The race's input and what is expected of it; valid until the next one is made.
  virtual race make(std::string const& primitive, std::string const& type, std::int64_t items) = 0;

  /// Spoils the output before the verified run, and compares it after it.
  virtual void poison(race const& r) const = 0;
  virtual bool right(race const& r) const  = 0;
};

/// The main of every benchmark: verifies, then races in turn, prints a line a contender and writes Google Benchmark's
/// JSON.
int run(int argc, char** argv, std::unique_ptr<suite> s);

/// Seconds that `calls` queued one after another take on the device; clock.cpp.
double seconds_of(int calls, call const& queue);

/// Why Kokkos cannot start here; empty if it can; clock.cpp.
std::string missing_device();

/// Where, with what and when this was measured: device, driver, compiler, commit, clocks, date; stamp.cpp.
std::vector<std::pair<std::string, std::string>> stamp();

}  // namespace perf
