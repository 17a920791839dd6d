// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>

#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/relays.hpp>
#endif

namespace onepass::ONEPASS_ABI {

/// Whether relay programs (engine/relays.hpp) run at a place.
template <place_like Where>
constexpr bool has_relays = std::is_same_v<backend_of<Where>, cuda_backend>;

}  // namespace onepass::ONEPASS_ABI
