// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

namespace tools {

/// How many places take what a step makes, if that many steps behind it use it: part k lies in place k % places_for(d).
constexpr std::size_t places_for(std::size_t steps_behind) { return steps_behind + 1; }

/// Takes n parts through the steps, each part through all of them in their order, each step part by part in theirs. The
/// steps overlap: step `here` runs on the calling thread, any other on one of its own, and a step takes part k when the
/// step before has done with k and each step d behind it with k - places_for(d). A single part stays on the calling
/// thread.
///
/// Errors: as one after the other would: all parts before one that throws go through all steps, none behind it reaches
/// the step that threw, and what was thrown is thrown again when nothing runs any more. Of two that throw, the earlier
/// part counts.
void run_pipeline(std::size_t n, std::vector<std::function<void(std::size_t)>> const& steps, std::size_t here);

}  // namespace tools
