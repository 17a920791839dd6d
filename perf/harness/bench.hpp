// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "race.hpp"

#include <memory>

namespace perf {

/// A problem's races: its bench.cpp implements this.
struct suite {
  virtual ~suite() = default;

  virtual std::vector<std::string> primitives() const = 0;
  virtual std::vector<std::string> types() const      = 0;

  /// Allocates memory, and the data that all races of a type share, for races of up to `items` items.
  virtual void prepare(std::string const& type, std::int64_t items) = 0;

  /// The race's input and expected output; valid until the next one is made.
  virtual race make(std::string const& primitive, std::string const& type, std::int64_t items) = 0;

  /// Fills the output with poison before the verified run, and compares it afterwards.
  virtual void poison(race const& r) const = 0;
  virtual bool right(race const& r) const  = 0;
};

/// The main of every benchmark: verifies each race, then runs it, prints a line per contender, and stores the rows in
/// the folder that the command line names.
int run(int argc, char** argv, char const* problem, std::unique_ptr<suite> s);

}  // namespace perf
