// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "race.hpp"

// Sorts by key have values of 32 bits, the positions of their keys, which lie behind the keys.
namespace perf {

using sort_value = std::uint32_t;

/// f(T{}) for the C++ type of a key.
template <class F>
auto with_key(std::string const& name, F const& f)
{
  if (name == "u8") return f(std::uint8_t{});
  if (name == "u16") return f(std::uint16_t{});
  if (name == "u32") return f(std::uint32_t{});
  if (name == "u64") return f(std::uint64_t{});
  throw std::invalid_argument("unknown key type " + name + "; known are u8, u16, u32, u64");
}

/// Where the values begin, in bytes.
inline std::size_t values_at(race const& r) { return (bytes_of(r) + 255) / 256 * 256; }

inline input_view<sort_value> values_in(race const& r)
{
  return input_view<sort_value>(reinterpret_cast<sort_value const*>(static_cast<char const*>(r.in) + values_at(r)), std::size_t(r.items));
}
inline output_view<sort_value> values_out(race const& r)
{
  return output_view<sort_value>(reinterpret_cast<sort_value*>(static_cast<char*>(r.out) + values_at(r)), std::size_t(r.items));
}

}  // namespace perf
