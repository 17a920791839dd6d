// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

// Who races whom. A contender is a file that adds itself to the list; bench.cpp runs the races.
namespace perf {

/// Everything runs here: the GPU where Kokkos has one, else the host's threads.
using space = Kokkos::DefaultExecutionSpace;

inline constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, space::memory_space>::accessible;

/// One primitive on so many items of one type.
struct race {
  std::string  primitive, type;
  std::int64_t items;
  void const*  in;
  void*        out;
};

/// Queues the primitive once on the default instance of the space, with what it allocated before.
using call = std::function<void()>;

struct contender {
  std::string                      name;
  std::function<call(race const&)> enter;  ///< an empty call if it does not run this race
};

/// Copies are the yardstick; their output is not the primitive's.
inline bool is_copy(std::string const& name) { return name.starts_with("copy"); }

/// In order of entry.
inline std::vector<contender>& contenders()
{
  static std::vector<contender> all;
  return all;
}

struct entry {
  entry(std::string name, std::function<call(race const&)> enter) { contenders().push_back({std::move(name), std::move(enter)}); }
};

/// f(T{}) for the C++ type of a name.
template <class F>
auto with_type(std::string const& name, F const& f)
{
  if (name == "u8") return f(std::uint8_t{});
  if (name == "i32") return f(std::int32_t{});
  if (name == "u32") return f(std::uint32_t{});
  if (name == "f32") return f(float{});
  if (name == "i64") return f(std::int64_t{});
  if (name == "f64") return f(double{});
  throw std::invalid_argument("unknown type " + name + "; known are u8, i32, u32, f32, i64, f64");
}

/// Of the items: the name of a type says how many bits it has.
inline std::size_t bytes_of(race const& r) { return std::stoul(r.type.substr(1)) / 8 * std::size_t(r.items); }

template <class T>
using input_view = Kokkos::View<T const*, space, Kokkos::MemoryUnmanaged>;
template <class T>
using output_view = Kokkos::View<T*, space, Kokkos::MemoryUnmanaged>;

template <class T>
input_view<T> input_of(race const& r) { return input_view<T>(static_cast<T const*>(r.in), std::size_t(r.items)); }
template <class T>
output_view<T> output_of(race const& r) { return output_view<T>(static_cast<T*>(r.out), std::size_t(r.items)); }

}  // namespace perf
