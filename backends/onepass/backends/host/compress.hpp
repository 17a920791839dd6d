// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/version.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace onepass::ONEPASS_ABI::backends::host {

// Flags are 64 a word; flags beyond n are not set. `out` has room for n items and 64 bytes more, since whole vectors
// are written. Both functions return the number of set flags.

/// out = the items of in[0, n) whose flags are set. T stands for all types of its size.
template <class T>
using compressing = std::size_t (*)(T const* in, std::uint64_t const* flags, std::size_t n, T* out);

/// out = first + the positions of the set flags.
using listing = std::size_t (*)(std::uint64_t const* flags, std::size_t n, std::int32_t first, std::int32_t* out);

/// flags = which of in[0, n) differ from the item before, of which there is one at in[-1] too; n is a multiple of 64.
template <class T>
using comparing = void (*)(T const* in, std::size_t n, std::uint64_t* flags);

struct vector_lists {
  std::tuple<compressing<std::uint8_t>, compressing<std::uint16_t>, compressing<std::uint32_t>,
             compressing<std::uint64_t>>
      compress;
  listing positions;
  std::tuple<comparing<std::uint8_t>, comparing<std::uint16_t>, comparing<std::uint32_t>, comparing<std::uint64_t>,
             comparing<float>, comparing<double>>
      changes;
};

/// The functions for the instruction set of this processor, chosen on the first call. Defined in compress.cpp where
/// onepass was built with Google Highway, which sets ONEPASS_HIGHWAY.
vector_lists const& lists_of_this_machine();

/// Calls f(i) for every set flag, in order.
template <class F>
void each_set(std::uint64_t const* flags, std::size_t n, F const& f)
{
  for (std::size_t i = 0; i < n; i += 64)
    for (std::uint64_t word = flags[i / 64]; word; word &= word - 1) f(i + std::size_t(std::countr_zero(word)));
}

/// Items that can be compressed in vectors.
template <class T>
concept compressible = std::is_trivially_copyable_v<T> &&(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4
                                                          || sizeof(T) == 8);

/// The type by which vectors hold items of type T: one of its size.
template <compressible T>
using lane_of =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <compressible T>
std::size_t compress(T const* in, std::uint64_t const* flags, std::size_t n, T* out)
{
#ifdef ONEPASS_HIGHWAY
  using lane = lane_of<T>;
  return std::get<compressing<lane>>(lists_of_this_machine().compress)(reinterpret_cast<lane const*>(in), flags, n,
                                                                       reinterpret_cast<lane*>(out));
#else
  T* to = out;
  each_set(flags, n, [&](std::size_t i) { *to++ = in[i]; });
  return std::size_t(to - out);
#endif
}

/// Items whose changes are found in vectors.
template <class T>
constexpr bool compared_in_vectors =
#ifdef ONEPASS_HIGHWAY
    (std::is_integral_v<T> && sizeof(T) <= 8) || std::is_same_v<T, float> || std::is_same_v<T, double>;
#else
    false;
#endif

template <class T>
  requires compared_in_vectors<T>
void changes([[maybe_unused]] T const* in, [[maybe_unused]] std::size_t n, [[maybe_unused]] std::uint64_t* flags)
{
#ifdef ONEPASS_HIGHWAY
  using lane =
      typename std::conditional_t<std::is_integral_v<T>, std::type_identity<lane_of<T>>, std::type_identity<T>>::type;
  std::get<comparing<lane>>(lists_of_this_machine().changes)(reinterpret_cast<lane const*>(in), n, flags);
#endif
}

inline std::size_t positions(std::uint64_t const* flags, std::size_t n, std::int32_t first, std::int32_t* out)
{
#ifdef ONEPASS_HIGHWAY
  return lists_of_this_machine().positions(flags, n, first, out);
#else
  std::int32_t* to = out;
  each_set(flags, n, [&](std::size_t i) { *to++ = first + std::int32_t(i); });
  return std::size_t(to - out);
#endif
}

}  // namespace onepass::ONEPASS_ABI::backends::host
