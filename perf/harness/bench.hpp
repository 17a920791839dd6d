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

/// The main of every benchmark: verifies, then races in turn, prints a line a contender and keeps the rows of each race
/// where the command line says.
int run(int argc, char** argv, char const* problem, std::unique_ptr<suite> s);

}  // namespace perf
