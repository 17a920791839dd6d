// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/operators.hpp>

#include <cstring>

namespace onepass::ONEPASS_ABI {

// Keys as unsigned numbers that compare as the keys do, so that a backend can sort them digit by digit.

/// The unsigned type of `Bytes` bytes.
template <std::size_t Bytes>
using unsigned_of = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

/// Keys with an order of their own: integers, bool, enumerations, floats of 16, 32 and 64 bits.
template <class T>
concept simple_key = sizeof(T) <= 8 && (number<T> || std::is_enum_v<T>);

/// The code of a key: code(a) < code(b) where a < b. For floats, -0.0 equals +0.0; NaNs lie beyond the infinity of
/// their sign, and among themselves are ordered by their bits.
template <simple_key T>
ONEPASS_FUNCTION auto key_code(T const& key)
{
  using code         = unsigned_of<sizeof(T)>;
  constexpr code top = code(code(1) << (8 * sizeof(T) - 1));
  code bits;
  std::memcpy(&bits, &key, sizeof(T));
  if constexpr (std::is_enum_v<T>) return std::is_signed_v<std::underlying_type_t<T>> ? code(bits ^ top) : bits;
  else if constexpr (std::is_integral_v<T>) return std::is_signed_v<T> ? code(bits ^ top) : bits;
  else {
    if (bits == top) bits = 0;
    return code(bits & top ? ~bits : bits | top);
  }
}

/// Keys whose code determines all their bits, so that the key can be made from the code.
template <class T>
concept coded_key = simple_key<T> &&(std::is_integral_v<T> || std::is_enum_v<T>);

/// Whether a key can be made from its code: all can but -0.0, whose code is that of +0.0.
template <simple_key T>
ONEPASS_FUNCTION bool made_by_code(T const& key)
{
  if constexpr (coded_key<T>) return true;
  else {
    unsigned_of<sizeof(T)> bits;
    std::memcpy(&bits, &key, sizeof(T));
    return bits != decltype(bits)(decltype(bits)(1) << (8 * sizeof(T) - 1));
  }
}

/// The key that has this code, and can be made from it.
template <simple_key T>
ONEPASS_FUNCTION T key_of_code(unsigned_of<sizeof(T)> code)
{
  using code_type         = decltype(code);
  constexpr code_type top = code_type(code_type(1) << (8 * sizeof(T) - 1));
  code_type bits;
  if constexpr (coded_key<T>) bits = static_cast<code_type>(code ^ onepass::key_code(T{}));  // T{} has no bit set
  else bits = static_cast<code_type>(code & top ? code ^ top : ~code);
  T key;
  std::memcpy(&key, &bits, sizeof(T));
  return key;
}

/// A key of several parts, the most significant first. A decomposer returns one: key_parts(x.cell, x.depth).
template <simple_key... Parts>
struct parts_of;

template <simple_key First>
struct parts_of<First> {
  First first;
};
template <simple_key First, simple_key... Rest>
struct parts_of<First, Rest...> {
  First first;
  parts_of<Rest...> rest;
};

template <simple_key Last>
ONEPASS_FUNCTION parts_of<Last> key_parts(Last const& last)
{
  return {last};
}
template <simple_key First, simple_key... Rest>
  requires(sizeof...(Rest) > 0)
ONEPASS_FUNCTION parts_of<First, Rest...> key_parts(First const& first, Rest const&... rest)
{
  return {first, key_parts(rest...)};
}

template <class Key>
constexpr int key_bits = 8 * int(sizeof(Key));
template <class... Parts>
constexpr int key_bits<parts_of<Parts...>> = (key_bits<Parts> + ...);

// The two functions below have two forms each, for conditions that are the same for all keys of a loop. GCC hoists
// masks out of the loop, but would test a condition for every key; ptxas, given masks alone, keeps what it derives from
// all keys of a thread in registers, and sort kernels spill.

/// Bits [at, at + width) of a key's code, where `at` is less than the code's width; bits beyond its last are 0. Width
/// from 1 to 32.
template <simple_key T>
ONEPASS_FUNCTION std::uint32_t key_digit(T const& key, int at, int width)
{
#ifdef __CUDA_ARCH__
  if (at >= key_bits<T>) return 0;
  return static_cast<std::uint32_t>(onepass::key_code(key) >> at) & (width < 32 ? (1u << width) - 1u : ~0u);
#else
  return static_cast<std::uint32_t>(onepass::key_code(key) >> at) & ((2u << (width - 1)) - 1u);
#endif
}

/// The digit of a key in descending order where `descending`, else the digit itself.
ONEPASS_FUNCTION std::uint32_t turned_digit(std::uint32_t digit, int width, bool descending)
{
#ifdef __CUDA_ARCH__
  return descending ? digit ^ ((1u << width) - 1u) : digit;
#else
  return digit ^ ((0u - std::uint32_t(descending)) & ((1u << width) - 1u));
#endif
}

template <class First, class... Rest>
ONEPASS_FUNCTION std::uint32_t key_digit(parts_of<First, Rest...> const& key, int at, int width)
{
  if constexpr (sizeof...(Rest) == 0) return key_digit(key.first, at, width);
  else {
    constexpr int below = key_bits<parts_of<Rest...>>;
    if (at >= below) return key_digit(key.first, at - below, width);
    auto const low = key_digit(key.rest, at, width);
    return at + width <= below ? low : low | key_digit(key.first, 0, at + width - below) << (below - at);
  }
}

/// Whether key_digit() takes a Key.
template <class Key>
constexpr bool is_key_code = simple_key<Key>;
template <class... Parts>
constexpr bool is_key_code<parts_of<Parts...>> = true;

}  // namespace onepass::ONEPASS_ABI
