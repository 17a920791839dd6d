// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/checks.hpp>
#include <onepass/scan.hpp>

namespace onepass::ONEPASS_ABI::classic {

/// \defgroup classic_images The classic summed-area table
/// The summed-area table in stages: deinterleave channels, scan rows, transpose, scan rows, transpose back, interleave.
/// Each stage is a call of its own; the single pass that replaces them is onepass::summed_area_table()
/// (summed_area_table.hpp).
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `image`: a View of rank 3 (row, column, channel)
/// - `planes`: a View of rank 3 (channel, row, column)
///
/// Inputs and outputs share no memory, and items convert to those of the output.
///
/// Compile-time errors: Views of other ranks and memory that the space cannot reach. Throws precondition_error, before
/// anything is queued, if extents do not match.
///
/// Cost: each stage is a kernel that reads and writes every number once.
///
/// Queued on the instance without a fence. Only summed_area_table() and the scan of scan_rows() need a workspace.
///
/// Source: tables by scans and transposes, Harris, Sengupta & Owens 2007; see docs/references.md.
/// \{

namespace detail {

template <class Exec, class In, class Out>
constexpr void check_planes()
{
  static_assert(Kokkos::is_view_v<In> && Kokkos::is_view_v<Out> && In::rank() == 3 && Out::rank() == 3,
                "onepass: images and planes must be Views of rank 3");
  static_assert(reachable<Exec, In> && reachable<Exec, Out>,
                "onepass: the execution space cannot reach the memory of an image; copy it or run elsewhere");
  static_assert(!std::is_const_v<typename Out::value_type>, "onepass: an output must not be const");
}

/// Throws precondition_error unless the extents of `out`, in this order, are a, b and c.
template <class Out>
void require_extents(char const* operation, Out const& out, std::size_t a, std::size_t b, std::size_t c)
{
  require(out.extent(0) == a && out.extent(1) == b && out.extent(2) == c, operation, ": the output is ", out.extent(0),
          " x ", out.extent(1), " x ", out.extent(2), " and must be ", a, " x ", b, " x ", c);
}

/// Copies pixel i of every plane.
template <class From, class To, bool apart>
struct reorder_channels {
  From from;
  To to;
  extent columns;
  int channels;

  ONEPASS_FUNCTION void operator()(extent i) const
  {
    extent const y = i / columns, x = i % columns;
    for (int c = 0; c < channels; ++c)
      if constexpr (apart) to(c, y, x) = static_cast<typename To::value_type>(from(y, x, c));
      else to(y, x, c) = static_cast<typename To::value_type>(from(c, y, x));
  }
};

/// Transposes squares of `side` x `side` through shared memory, so that both reads and writes are coalesced; on hosts,
/// caches make that unnecessary.
template <class Exec, class From, class To>
struct transposer {
  static constexpr int side = 32, rows_at_once = 8;
  using item   = typename To::value_type;
  using policy = Kokkos::TeamPolicy<Exec>;

  From from;
  To to;
  extent rows, columns, across, down;  ///< of a plane; the last two in squares

  ONEPASS_FUNCTION extent squares() const { return extent(from.extent(0)) * down * across; }

  ONEPASS_FUNCTION void operator()(extent square) const
  {
    extent const plane = square / (down * across), y0 = square / across % down * side, x0 = square % across * side;
    for (extent x = x0; x < x0 + side && x < columns; ++x)
      for (extent y = y0; y < y0 + side && y < rows; ++y) to(plane, x, y) = static_cast<item>(from(plane, y, x));
  }
  ONEPASS_FUNCTION void operator()(typename policy::member_type const& team) const
  {
    auto* const held    = static_cast<item*>(team.team_scratch(0).get_shmem_aligned(bytes(), alignof(item)));
    extent const square = team.league_rank(), plane = square / (down * across), y0 = square / across % down * side,
                 x0 = square % across * side;
    int const lane  = team.team_rank() % side;
    for (int r = team.team_rank() / side; r < side; r += rows_at_once)
      if (y0 + r < rows && x0 + lane < columns)
        held[r * (side + 1) + lane] = static_cast<item>(from(plane, y0 + r, x0 + lane));
    team.team_barrier();
    for (int r = team.team_rank() / side; r < side; r += rows_at_once)
      if (x0 + r < columns && y0 + lane < rows) to(plane, x0 + r, y0 + lane) = held[lane * (side + 1) + r];
  }
  ONEPASS_FUNCTION static constexpr std::size_t bytes() { return side * (side + 1) * sizeof(item); }
};

}  // namespace detail

/// planes(c, y, x) = image(y, x, c).
template <place_like Where, class Image, class Planes>
void deinterleave(Where const& where, Image const& image, Planes const& planes)
{
  detail::check_planes<space_of<Where>, Image, Planes>();
  detail::require_extents("deinterleave", planes, image.extent(2), image.extent(0), image.extent(1));
  onepass::run_each(
      where,
      detail::reorder_channels<Image, Planes, true>{image, planes, extent(image.extent(1)), int(image.extent(2))},
      extent(image.extent(0)) * extent(image.extent(1)), "deinterleave");
}

/// image(y, x, c) = planes(c, y, x).
template <place_like Where, class Planes, class Image>
void interleave(Where const& where, Planes const& planes, Image const& image)
{
  detail::check_planes<space_of<Where>, Planes, Image>();
  detail::require_extents("interleave", image, planes.extent(1), planes.extent(2), planes.extent(0));
  onepass::run_each(
      where,
      detail::reorder_channels<Planes, Image, false>{planes, image, extent(image.extent(1)), int(image.extent(2))},
      extent(image.extent(0)) * extent(image.extent(1)), "interleave");
}

/// out(c, x, y) = in(c, y, x), for each plane c.
template <place_like Where, class In, class Out>
void transpose(Where const& where, In const& in, Out const& out)
{
  using exec = space_of<Where>;
  detail::check_planes<exec, In, Out>();
  detail::require_extents("transpose", out, in.extent(0), in.extent(2), in.extent(1));
  using machine  = detail::transposer<exec, In, Out>;
  extent const y = extent(in.extent(1)), x = extent(in.extent(2));
  machine const m{in, out, y, x, div_up(x, machine::side), div_up(y, machine::side)};
  if constexpr (on_host<exec>) onepass::run_each(where, m, m.squares(), "transpose");
  else if (m.squares() > 0) {
    auto const here = on(where).or_named("transpose");
    require(m.squares() < extent(1) << 31,
            "transpose: the planes have more squares than one launch; use more than one call");
    auto p = typename machine::policy(here.space, int(m.squares()), machine::side * machine::rows_at_once);
    Kokkos::parallel_for(here.label, p.set_scratch_size(0, Kokkos::PerTeam(int(machine::bytes() + 16))), m);
  }
}

/// out(c, y, x) = the sum of in(c, y, 0) to in(c, y, x), all rows in one launch. Both are LayoutRight and dense; `out`
/// may be `in`. Throws precondition_error for planes with gaps.
template <place_like Where, class In, class Out>
void scan_rows(Where const& where, In const& in, Out const& out)
{
  detail::check_planes<space_of<Where>, In, Out>();
  detail::require_extents("scan_rows", out, in.extent(0), in.extent(1), in.extent(2));
  using right = Kokkos::LayoutRight;
  static_assert((std::is_same_v<typename In::array_layout, right>)&&std::is_same_v<typename Out::array_layout, right>,
                "onepass: the planes of scan_rows must have the layout LayoutRight");
  auto const flat = [](auto const& planes) {
    using view = std::remove_cvref_t<decltype(planes)>;
    require(planes.span_is_contiguous(), "scan_rows: the planes have gaps; give planes that lie densely");
    return Kokkos::View<typename view::value_type**, Kokkos::LayoutRight, typename view::memory_space,
                        Kokkos::MemoryUnmanaged>(planes.data(), planes.extent(0) * planes.extent(1), planes.extent(2));
  };
  onepass::inclusive_scan(where, flat(in), flat(out));
}

/// out(y, x, c) = the sum of all in(y', x', c) with y' <= y and x' <= x, by the stages above: six kernels. Uses
/// workspace memory for two arrays of planes.
template <place_like Where, class In, class Out>
void summed_area_table(Where const& where, In const& in, Out const& out)
{
  using exec   = space_of<Where>;
  using sum    = typename Out::non_const_value_type;
  using planes = Kokkos::View<sum***, Kokkos::LayoutRight, typename exec::memory_space, Kokkos::MemoryUnmanaged>;
  detail::check_planes<exec, In, Out>();
  detail::require_extents("classic::summed_area_table", out, in.extent(0), in.extent(1), in.extent(2));
  std::size_t const y = in.extent(0), x = in.extent(1), c = in.extent(2);
  if (y * x * c == 0) return;
  with_workspace(where, "classic::summed_area_table", [&](auto const& place, auto& scratch) {
    auto* const memory = scratch.template plain_of<sum>(extent(2 * y * x * c));
    planes const lying(memory, c, y, x), standing(memory + y * x * c, c, x, y);
    deinterleave(place, in, lying);
    scan_rows(place, lying, lying);
    transpose(place, lying, standing);
    scan_rows(place, standing, standing);
    transpose(place, standing, lying);
    interleave(place, lying, out);
  });
}

/// \}

}  // namespace onepass::ONEPASS_ABI::classic
