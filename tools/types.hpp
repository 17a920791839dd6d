// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace tools {

using u8  = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using f32 = float;
using f64 = double;

/// x -> slope x + offset, modulo 2^32: its composition associates, does not commute, and can be compared bit for bit.
struct affine {
  u32 slope, offset;
  auto operator<=>(affine const&) const = default;
};

template <class T>
inline constexpr char const* type_name = nullptr;
template <>
inline constexpr char const* type_name<u8> = "u8";
template <>
inline constexpr char const* type_name<u16> = "u16";
template <>
inline constexpr char const* type_name<u32> = "u32";
template <>
inline constexpr char const* type_name<i32> = "i32";
template <>
inline constexpr char const* type_name<u64> = "u64";
template <>
inline constexpr char const* type_name<f32> = "f32";
template <>
inline constexpr char const* type_name<f64> = "f64";
template <>
inline constexpr char const* type_name<affine> = "u32 x 2";

/// The type by which items are asked for: maps belong to the u32 from which they are made.
template <class T>
inline constexpr char const* asked_as = type_name<T>;
template <>
inline constexpr char const* asked_as<affine> = type_name<u32>;

template <class... T>
struct type_list {};
using item_types = type_list<u8, u16, u32, i32, u64, f32, f64>;

template <class... T>
std::vector<std::string> names_of(type_list<T...>)
{
  return {type_name<T>...};
}

}  // namespace tools
