// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/box_filter.hpp>
#include <onepass/summed_area_table.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup filters Filters by summed-area tables
/// Means over boxes by four reads of a summed-area table per pixel, whatever the radius. Common to all of them:
///
/// - `where`: an execution space instance, or a place
/// - `table`: what summed_area_table() wrote: u32, u64, f32 or f64, rank 2 or 3
/// - `out`: a View of the same extents of any arithmetic type; for integers, means are rounded to nearest
/// - `radius`: the box of pixel (y, x) has rows y - radius to y + radius, and likewise columns. It is clipped to the
///   image, and the mean is taken over the clipped box
///
/// A u32 table is exact as long as a box's sum is below 2^32: with bytes, up to radius 2051. Unsigned tables are for
/// images without negative numbers. In a table of floats, a box's sum is a small difference of large sums and loses
/// digits.
///
/// Compile-time errors: memory that the space cannot reach, Views of other ranks, and tables and radii of other types.
/// Throws precondition_error, before anything is queued, if extents differ, memory is shared, or a radius is negative.
///
/// Cost: one kernel; four sums are read a pixel, most of them from cache, and each mean is written once.
///
/// Queued on the instance without a fence. box_filter() and variable_box_filter() allocate nothing.
///
/// Source: Crow 1984; see docs/references.md.
/// \{

namespace detail {

template <class Where, class Table, class Radius, class Out>
void filter(char const* label, Where const& where, Table const& table, Radius const& radius, Out const& out)
{
  using exec = space_of<Where>;
  static_assert(
      Kokkos::is_view_v<Table> && Kokkos::is_view_v<Out> && Table::rank() == Out::rank()
          && (Out::rank() == 2 || Out::rank() == 3),
      "onepass: a filter takes a table and an output of rank 2 (row, column) or both of rank 3 (row, column, channel)");
  static_assert(
      reachable<exec, Table> && reachable<exec, Out>,
      "onepass: the execution space cannot reach the memory of the table or the output; copy it or run elsewhere");
  using sum    = typename Table::non_const_value_type;
  using result = typename Out::non_const_value_type;
  static_assert((sizeof(sum) == 4 || sizeof(sum) == 8) && (std::is_floating_point_v<sum> || std::is_unsigned_v<sum>),
                "onepass: a table must be of u32, u64, f32 or f64");
  static_assert(std::is_arithmetic_v<result> && !std::is_const_v<typename Out::value_type>,
                "onepass: a filter writes numbers to a View that is not const");
  require_same_extents(label, "the table", table, "the output", out);
  if (out.size() == 0) return;
  auto const from = as_raster<1>(typename Table::const_type(table));
  auto const to   = as_raster<1>(out);
  onepass::require_apart(label, footprint_of(from), footprint_of(to));
  onepass::run_each(where,
                    box_filter_program<sum, result, Radius>{from, to, radius,
                                                            from.planes > 1 && from.plane_stride < from.column_stride},
                    extent(out.size()), label);
}

/// A number is the radius of all pixels. Radii share no memory with what the call writes, `image` among it.
template <class Where, class Radius, class Image, class... Written>
auto radius_from(char const* label, Where const&, Radius const& radius, Image const& image, Written const&... written)
{
  if constexpr (std::is_integral_v<Radius>) {
    require(radius >= 0, label, ": the radius is ", radius, "; give 0 or more");
    return one_radius{onepass::radius_of(radius)};
  } else {
    static_assert(Kokkos::is_view_v<Radius> && Radius::rank() == 2,
                  "onepass: radii must be a number, or a View of rank 2 (row, column) of integers");
    static_assert(std::is_integral_v<typename Radius::value_type>,
                  "onepass: radii must be a number, or a View of rank 2 (row, column) of integers");
    static_assert(reachable<space_of<Where>, Radius>,
                  "onepass: the execution space cannot reach the memory of the radii; copy them or run elsewhere");
    require(radius.extent(0) == image.extent(0) && radius.extent(1) == image.extent(1), label, ": there are ",
            radius.extent(0), " x ", radius.extent(1), " radii for ", image.extent(0), " x ", image.extent(1),
            " pixels; give one a pixel");
    auto const radii = as_raster<1>(typename Radius::const_type(radius));
    auto const apart = [&](auto const& view) {
      onepass::require_apart(label, footprint_of(radii), footprint_of(as_raster<1>(view)));
    };
    apart(image), (apart(written), ...);
    return radius_of_pixel<typename Radius::non_const_value_type>{radii};
  }
}

}  // namespace detail

/// out(y, x) = the mean over the box of this radius around (y, x), for each channel by itself.
template <place_like Where, class Table, class Out>
void box_filter(Where const& where, Table const& table, extent radius, Out const& out)
{
  detail::filter("box_filter", where, table, detail::radius_from("box_filter", where, radius, out), out);
}

/// box_filter() with a radius per pixel, the same for all channels: `radii` is a View of rank 2 (row, column) of
/// integers, which share no memory with `out`. Negative radii count as 0.
template <place_like Where, class Table, class Radii, class Out>
void variable_box_filter(Where const& where, Table const& table, Radii const& radii, Out const& out)
{
  static_assert(Kokkos::is_view_v<Radii>,
                "onepass: variable_box_filter takes a View of radii; box_filter takes a number");
  detail::filter("variable_box_filter", where, table, detail::radius_from("variable_box_filter", where, radii, out),
                 out);
}

/// Three box filters in sequence, which together approximate a Gaussian of standard deviation sqrt(r (r + 1)): `radius`
/// is a number or a View of radii. `in` is an image as for summed_area_table(), `table` a View for its table, which is
/// overwritten by each filter; `out` may be `in`, and else nothing shares memory with what is written. Intermediate
/// images have the output's type. Cost: three tables and three filters.
///
/// Source: Wells 1986; see docs/references.md.
template <place_like Where, class In, class Radius, class Table, class Out>
void near_gaussian(Where const& where, In const& in, Radius const& radius, Table const& table, Out const& out)
{
  constexpr char label[] = "near_gaussian";
  detail::require_same_extents(label, "the image", in, "the output", out);
  onepass::require_apart(label, footprint_of(as_raster<1>(table)), footprint_of(as_raster<1>(out)));
  auto const radii = detail::radius_from(label, where, radius, out, table);
  onepass::summed_area_table(where, in, table, unchanged{}, label);
  detail::filter(label, where, table, radii, out);
  for (int more = 0; more < 2; ++more) {
    onepass::summed_area_table(where, out, table, unchanged{}, label);
    detail::filter(label, where, table, radii, out);
  }
}

/// \}

}  // namespace onepass::ONEPASS_ABI
