// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "numbers.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace tools::diff {

using onepass::trace::fingerprint;

/// What the bytes of a View are taken for.
enum class reading { f64, f32, i64, i32 };
char const* name_of(reading);
std::optional<reading> reading_named(std::string const&);

/// A fingerprint, read as numbers of a type.
struct summary {
  bool empty   = true;  ///< no numbers, or NaNs alone
  double least = 0, most = 0, sum = 0;
  trace_u64 nans = 0, infinities = 0, unwritten = 0;
};
summary summary_of(fingerprint const&, reading);

/// The type that the numbers look like in both; Kokkos tells tools no types.
reading guess(fingerprint const& a, fingerprint const& b, trace_u64 bytes);

enum class relation { equal, moved, near, different };
char const* name_of(relation);

/// How far two fingerprints of the same View are apart.
struct distance {
  relation is;
  reading as;
  summary a, b;
  double sums;          ///< difference of the exact sums, b - a
  trace_u64 sums_ulps;  ///< of the rounded sums
};
/// `near` where counts of NaNs, infinities and unwritten words are the same, the extremes differ by at most tolerance
/// times the largest magnitude, and the sums by at most that times the number of items.
distance distance_of(fingerprint const& a, fingerprint const& b, trace_u64 bytes, double tolerance,
                     std::optional<reading> as);

nlohmann::json json_of(summary const&);
nlohmann::json json_of(distance const&);

}  // namespace tools::diff
