// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/race.hpp"

#include <tuple>
#include <utility>

// Particles with arrays of f64, put in the order of the cells of a cube: "46_moved15" is a grid of 46 x 46 x 46 cells,
// of whose particles, once in order, 15 in a hundred have gone to one of six neighbours; "46_random" has them in any
// order. "particles" moves all arrays from one place to another, "particles_in_place" where they are, and
// "sort_by_cell" gives offsets and permutation alone.
namespace perf {

inline constexpr int arrays = 7;

inline bool moves_arrays(race const& r) { return r.stem() != "sort_by_cell"; }
inline bool moves_in_place(race const& r) { return r.stem() == "particles_in_place"; }
inline std::int64_t side_of(race const& r) { return std::stoll(r.primitive.substr(r.primitive.find('.') + 1)); }
inline std::int64_t cells_of(race const& r) { return side_of(r) * side_of(r) * side_of(r); }

/// Bytes of the arrays and the cells, or of the arrays, the permutation and the offsets, one behind the other.
inline std::size_t bytes_of_particles(std::int64_t items)
{
  return std::size_t(items) * (arrays * sizeof(f64) + sizeof(u32));
}

/// Items of a race's input, or output, from a byte on.
template <class T>
input_view<T> read_from(race const& r, std::size_t at, std::int64_t items)
{
  return input_view<T>(reinterpret_cast<T const*>(static_cast<std::byte const*>(r.in[0]) + at), std::size_t(items));
}
template <class T>
output_view<T> written_from(race const& r, std::size_t at, std::int64_t items)
{
  return output_view<T>(reinterpret_cast<T*>(static_cast<std::byte*>(r.out[0]) + at), std::size_t(items));
}
inline std::size_t array_at(race const& r, int a) { return std::size_t(a * r.items) * sizeof(f64); }

inline auto array_in(race const& r, int a) { return read_from<f64>(r, array_at(r, a), r.items); }
inline auto cells_in(race const& r) { return read_from<u32>(r, array_at(r, arrays), r.items); }

inline auto array_out(race const& r, int a) { return written_from<f64>(r, array_at(r, a), r.items); }
inline auto permutation_out(race const& r) { return written_from<u32>(r, array_at(r, arrays), r.items); }
inline auto offsets_out(race const& r) { return written_from<u32>(r, bytes_of_particles(r.items), cells_of(r) + 1); }

/// The arrays of a race as tuples of Views.
template <class Array>
auto all_arrays(race const& r, Array const& array)
{
  return [&]<int... A>(std::integer_sequence<int, A...>) { return std::tuple(array(r, A)...); }
  (std::make_integer_sequence<int, arrays>{});
}

/// A call that first has the arrays where it moves them, if that is in place. Later calls move what they find there: as
/// much work, on other values.
template <class Move>
call once_copied(race const& r, Move const& move)
{
  return [=, first = moves_in_place(r)]() mutable {
    if (first)
      for (int a = 0; a < arrays; ++a) Kokkos::deep_copy(space(), array_out(r, a), array_in(r, a));
    first = false;
    move();
  };
}

}  // namespace perf
