// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_grids.hpp>
#include <onepass/checks.hpp>
#include <onepass/programs/summed_area_table.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup tables Summed-area tables
/// out(y, x) is the sum of all in(y', x') with y' <= y and x' <= x. Common to all of them:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`: an image: a View of rank 2 (row, column) or of rank 3 (row, column, channel) of u8, u16, i32, f32, f64 or
///   any other arithmetic type; of any strides, so rows may be padded and channels interleaved, or planar by planar()
/// - `out`: a View of the same extents and rank, of u32, u64, f32 or f64; it shares no memory with `in`
///
/// Every channel has a table of its own. Unsigned sums wrap: four corners of a u32 table give the exact sum of any box
/// whose sum is below 2^32, however large the image. f32 holds whole numbers up to 2^24 only, which a table soon
/// exceeds.
///
/// Compile-time errors: memory that the space cannot reach, Views of other ranks, tables of other types, and floats
/// into a table of integers. Throws precondition_error, before anything is queued, if extents differ or memory is
/// shared.
///
/// Cost: one pass; each pixel is read once and each sum written once. On two-pass schedules pixels are read twice.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
///
/// Source: Crow 1984; on GPUs, reading twice, Nehab et al. 2011; see docs/references.md. The single pass is the
/// library's own, docs/decisions/0012-grid-programs.md.
/// \{

namespace detail {

template <class Exec, class In, class Out>
constexpr void check_images()
{
  static_assert(Kokkos::is_view_v<In> && Kokkos::is_view_v<Out>, "onepass: images and tables must be Views");
  static_assert((In::rank() == 2 || In::rank() == 3) && In::rank() == Out::rank(),
                "onepass: an image must be a View of rank 2 (row, column) or 3 (row, column, channel), and its table "
                "of the same rank");
  static_assert(
      reachable<Exec, In> && reachable<Exec, Out>,
      "onepass: the execution space cannot reach the memory of the image or the table; copy it or run elsewhere");
  static_assert(!std::is_const_v<typename Out::value_type>, "onepass: a table must not be const");
  using sum = typename Out::non_const_value_type;
  static_assert((sizeof(sum) == 4 || sizeof(sum) == 8) && (std::is_floating_point_v<sum> || std::is_unsigned_v<sum>),
                "onepass: a table must be of u32, u64, f32 or f64");
}

/// Images whose columns are contiguous are processed transposed: the table is the same either way.
template <class In, class Out>
bool by_columns(In const& in, Out const& out)
{
  return in.row_stride < in.column_stride && out.row_stride < out.column_stride;
}

/// Channels [first, first + C planes) of an image whose channels are contiguous, C of them a pixel.
template <int C, class T>
raster<T, C> channels_of(raster<T, 1> const& all, extent first, extent planes)
{
  return {all.data + first, planes, all.rows, all.columns, planes > 1 ? C : 0, all.row_stride, all.column_stride};
}

/// Calls f(in, out) with the rasters of two Views; interleaved channels become pixels of up to four, so that a line is
/// read for four of them at once. If there are few and their number is part of the View's type (T**[3]), code is
/// compiled for that number alone. `Canonical`: sums are those of the image as it is, since transposed they are rounded
/// otherwise.
template <bool Canonical, class In, class Out, class F>
void with_rasters(In const& in, Out const& out, F const& f)
{
  auto const all_in  = as_input_raster<1>(in);
  auto const all_out = as_raster<1>(out);
  auto const call    = [&](auto const& from, auto const& to) {
    if (!Canonical && by_columns(from, to)) f(from.transposed(), to.transposed());
    else f(from, to);
  };
  if constexpr (In::rank() == 3) {
    auto const pixels = [&]<int C>(std::integral_constant<int, C>, extent first, extent planes = 1) {
      call(channels_of<C>(all_in, first, planes), channels_of<C>(all_out, first, planes));
    };
    bool const interleaved = in.stride(2) == 1 && out.stride(2) == 1;
    constexpr auto known   = In::static_extent(2);
    if constexpr (1 <= known && known <= 4) {
      if (interleaved) return pixels(std::integral_constant<int, int(known)>{}, 0);
    } else if (interleaved && all_in.planes > 1) {
      if (all_in.planes == 2) return pixels(std::integral_constant<int, 2>{}, 0);
      if (all_in.planes == 3) return pixels(std::integral_constant<int, 3>{}, 0);
      constexpr std::integral_constant<int, 4> four{};
      pixels(four, 0, all_in.planes / 4);
      if (all_in.planes % 4 > 0)
        pixels(four, all_in.planes - 4);  // some once more: fewer might be refused where four are not
      return;
    }
  }
  call(all_in, all_out);
}

template <class A, class B>
void require_same_extents(char const* operation, char const* a_name, A const& a, char const* b_name, B const& b)
{
  auto const text = [](auto const& v) {
    std::string all = std::to_string(v.extent(0)) + " x " + std::to_string(v.extent(1));
    if (v.rank() == 3) all += " x " + std::to_string(v.extent(2));
    return all;
  };
  for (unsigned d = 0; d < A::rank(); ++d)
    if (a.extent(d) != b.extent(d))  // text takes as long as many pixels
      require(false, operation, ": ", a_name, " has ", text(a), " and ", b_name, " ", text(b),
              "; give both the same rows, columns and channels");
}

}  // namespace detail

/// The table of transform(in(y, x)). `transform` maps a number to a number; it is pure and may run up to three times
/// per pixel. `label` names the call in errors and kernels.
template <place_like Where, class In, class Out, class Transform>
void summed_area_table(Where const& where, In const& in, Out const& out, Transform const& transform,
                       char const* label = "summed_area_table")
{
  detail::check_images<space_of<Where>, In, Out>();
  using item = typename In::non_const_value_type;
  using sum  = typename Out::non_const_value_type;
  static_assert(std::is_invocable_v<Transform const, item const&>,
                "onepass: the transform of a summed-area table must be callable with an item");
  using term = std::remove_cvref_t<std::invoke_result_t<Transform const, item const&>>;
  static_assert(std::is_arithmetic_v<term> && (std::is_integral_v<term> || std::is_floating_point_v<sum>),
                "onepass: floats need a table of floats");
  detail::require_same_extents(label, "the image", in, "the table", out);
  if (in.size() == 0) return;
  onepass::require_apart(label, footprint_of(as_input_raster<1>(in)), footprint_of(as_raster<1>(out)));
  detail::with_rasters<is_canonical<tuning_of<Where>> && std::is_floating_point_v<sum>>(
      in, out, [&]<class T, int C>(raster<T, C> const& from, auto const& to) {
        onepass::run(where, summed_area_table_program<item, sum, C, Transform>{from, to, transform}, label);
      });
}

/// The table of an image: the sums of in(y, x) itself.
template <place_like Where, class In, class Out>
void summed_area_table(Where const& where, In const& in, Out const& out)
{
  onepass::summed_area_table(where, in, out, unchanged{});
}

/// The table of the squares, each computed in the table's type. Together with the table of the image it gives the
/// variance of any box.
template <place_like Where, class In, class Out>
void summed_area_table_of_squares(Where const& where, In const& in, Out const& out)
{
  onepass::summed_area_table(where, in, out, squared<typename Out::non_const_value_type>{},
                             "summed_area_table_of_squares");
}

/// \}

}  // namespace onepass::ONEPASS_ABI
