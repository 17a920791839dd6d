// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/portability.hpp>

namespace onepass::ONEPASS_ABI::backends {

/// Something of the host that is called with an Argument, behind one type: of what Kokkos runs on host threads all its
/// machinery is compiled, for each type again, and Kokkos 5 even spells the type's name meanwhile, which for ours takes
/// a quarter of a compilation. What is called has to outlive it.
template <class Argument>
class any_call {
  void const* callee_;
  void (*call_)(void const* callee, Argument argument);

public:
  template <class Callee>
  explicit any_call(Callee const& callee)
      : callee_(&callee)
      , call_([](void const* it, Argument argument) { (*static_cast<Callee const*>(it))(argument); })
  {}
  void operator()(Argument argument) const { call_(callee_, argument); }
};

}  // namespace onepass::ONEPASS_ABI::backends
