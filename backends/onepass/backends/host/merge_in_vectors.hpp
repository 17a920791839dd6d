// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/vector.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>

namespace onepass::ONEPASS_ABI::backends::host {

/// Merges the sorted numbers [a, a_end) and [b, b_end) into the memory from `out` on. There are no NaNs, and of zeros
/// of both signs come as many as there are, of either sign.
template <class T>
using merging = void (*)(T const* a, T const* a_end, T const* b, T const* b_end, T* out);

using vector_merges = std::tuple<merging<std::uint8_t>, merging<std::int8_t>, merging<std::uint16_t>,
                                 merging<std::int16_t>, merging<std::uint32_t>, merging<std::int32_t>,
                                 merging<std::uint64_t>, merging<std::int64_t>, merging<float>, merging<double>>;

/// The functions for the instruction set of this processor, chosen on the first call; none where it gains nothing.
/// Defined in merge_in_vectors.cpp where onepass was built with Google Highway, which sets ONEPASS_HIGHWAY.
vector_merges const& merges_of_this_machine();

/// The one for numbers of type T, or nothing.
template <class T>
  requires std::is_arithmetic_v<T>
auto merge_of()
{
#ifdef ONEPASS_HIGHWAY
  if constexpr (has_lane<T>) {
    using lane = typename lane_for<T>::type;
    return reinterpret_cast<merging<T>>(std::get<merging<lane>>(merges_of_this_machine()));
  } else
#endif
    return merging<T>(nullptr);
}

}  // namespace onepass::ONEPASS_ABI::backends::host
