// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>

namespace tools {

/// How many parts of a pipeline's work may lie between two neighbouring steps. What a step makes of part k for the next
/// one lies in place k % parts_between of that many.
inline constexpr std::size_t parts_between = 2;

/// Takes n parts through three steps, each part in all three, each step part by part in their order. The steps overlap:
/// the first and the last run on threads of their own, the middle one on the calling thread, and a step takes part k
/// when the step before has done with k and the step behind it with k - parts_between. A single part stays on the
/// calling thread.
///
/// Errors: as one after the other would: all parts before one that throws go through all steps, none behind it reaches
/// the step that threw, and what was thrown is thrown again when nothing runs any more. Of two that throw, the earlier
/// part counts.
void run_pipeline(std::size_t n, std::function<void(std::size_t)> const& first,
                  std::function<void(std::size_t)> const& middle, std::function<void(std::size_t)> const& last);

}  // namespace tools
