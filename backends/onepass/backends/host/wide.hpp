// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/version.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

#if defined(__x86_64__)
template <class Work>
[[gnu::target("avx2"), gnu::noinline]] void in_avx2(Work const& work)
{
  work();
}
#endif

/// Calls work(), a lambda that is always inlined, in code for AVX2 where the processor has it: what a compiler makes
/// vectors of, user code among it, takes half as long in vectors twice as wide. Results are the same, since AVX2 has no
/// instruction that multiplies and adds at once.
template <class Work>
void in_wide_vectors(Work const& work)
{
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return in_avx2(work);
#endif
  work();
}

}  // namespace onepass::ONEPASS_ABI::backends::host
