// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

// Races and contenders. A contender is a file that adds itself to the list; bench.cpp runs the races.
namespace perf {

/// The space of all races: the GPU if Kokkos has one, else the host's threads.
using space = Kokkos::DefaultExecutionSpace;

inline constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, space::memory_space>::accessible;

/// One primitive, in one variant, on `items` items of one type (by key: the type of the keys). "select_if.50" is
/// variant 50 of the primitive select_if.
struct race {
  std::string primitive, type;
  std::int64_t items;
  std::size_t bytes;  ///< bytes that must be read and written
  std::array<void const*, 2> in{};
  std::array<void*, 3> out{};
  std::int64_t* counts = nullptr;  ///< three numbers of items, of each output, which the space writes
  std::int64_t* told   = nullptr;  ///< the same, for contenders that return their counts to the host

  std::string stem() const { return primitive.substr(0, primitive.find('.')); }

  /// The number at the name's end: 50 of "select_if.50", 32 of "unique.run32".
  unsigned variant() const
  {
    return unsigned(std::stoul(primitive.substr(primitive.find_last_not_of("0123456789") + 1)));
  }
};

/// Queues the primitive once on the default instance of the space; all memory was allocated before.
using call = std::function<void()>;

struct contender {
  std::string name;
  std::function<call(race const&)> enter;  ///< an empty call if it does not run this race
};

/// Copies are the reference of speed; their output is not the primitive's.
inline bool is_copy(std::string const& name) { return name.starts_with("copy"); }

/// All contenders, in the order in which they were added.
inline std::vector<contender>& contenders()
{
  static std::vector<contender> all;
  return all;
}

struct entry {
  entry(std::string name, std::function<call(race const&)> enter)
  {
    contenders().push_back({std::move(name), std::move(enter)});
  }
};

template <class... T>
struct type_list {};

// Item types by their names on the command line, in the results and in CMakeLists.txt.
template <class T>
inline constexpr char const* type_name = nullptr;

using u8  = std::uint8_t;
using u16 = std::uint16_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;
using f32 = float;
using i64 = std::int64_t;
using u64 = std::uint64_t;
using f64 = double;
template <>
inline constexpr char const* type_name<u8> = "u8";
template <>
inline constexpr char const* type_name<u16> = "u16";
template <>
inline constexpr char const* type_name<i16> = "i16";
template <>
inline constexpr char const* type_name<i32> = "i32";
template <>
inline constexpr char const* type_name<u32> = "u32";
template <>
inline constexpr char const* type_name<f32> = "f32";
template <>
inline constexpr char const* type_name<i64> = "i64";
template <>
inline constexpr char const* type_name<u64> = "u64";
template <>
inline constexpr char const* type_name<f64> = "f64";

template <class... T>
std::vector<std::string> names_of(type_list<T...>)
{
  return {type_name<T>...};
}

/// Calls f(T{}) for the type of this name in a list.
template <class First, class... Rest, class F>
auto with_type(type_list<First, Rest...>, std::string const& name, F const& f)
{
  if (name == type_name<First>) return f(First{});
  if constexpr (sizeof...(Rest) > 0) return with_type(type_list<Rest...>{}, name, f);
  throw std::invalid_argument("this benchmark has no type " + name);
}

/// The bytes of an item, from the number of bits in the type's name.
inline std::size_t bytes_of(race const& r) { return std::stoul(r.type.substr(1)) / 8 * std::size_t(r.items); }

template <class T>
using input_view = Kokkos::View<T const*, space, Kokkos::MemoryUnmanaged>;
template <class T>
using output_view = Kokkos::View<T*, space, Kokkos::MemoryUnmanaged>;

template <class T>
using value_view = Kokkos::View<T, space, Kokkos::MemoryUnmanaged>;

template <class T>
input_view<T> input_of(race const& r, std::size_t k = 0)
{
  return input_view<T>(static_cast<T const*>(r.in[k]), std::size_t(r.items));
}
template <class T>
output_view<T> output_of(race const& r, std::size_t k = 0)
{
  return output_view<T>(static_cast<T*>(r.out[k]), std::size_t(r.items));
}

}  // namespace perf
