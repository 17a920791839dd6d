// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/key_codec.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// A struct of few words; of more, numbers of any width make worse code.
template <class Item>
inline constexpr bool of_few_words = sizeof(Item) <= 4 * alignof(Item);

/// A number as wide as an item, or as the words of a struct of few: compilers make vectors of a loop that makes one of
/// these of each item, since they see how far apart is what they read.
template <class Item>
using as_wide_as = unsigned_of<of_few_words<Item> ? alignof(Item) : sizeof(Item)>;

#if defined(__x86_64__)
/// Flattened, since what is not inlined stays as it is compiled for every processor.
template <class Work>
[[gnu::target("avx2"), gnu::noinline, gnu::flatten]] void in_avx2(Work const& work)
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
