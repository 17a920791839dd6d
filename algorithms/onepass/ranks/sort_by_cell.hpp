// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/apply_permutation.hpp>
#include <onepass/ranks/programs/payloads.hpp>
#include <onepass/sort_by_cell.hpp>
#include <onepass/upload.hpp>

namespace onepass::ONEPASS_ABI::ranks {

namespace detail {

/// The rank that has the cell of each item: the last whose first cell is not behind it.
template <class Cells>
struct owners_of {
  using value_type = std::int32_t;
  Cells cells;
  extent size;
  extent const* firsts;
  std::int32_t ranks;

  ONEPASS_FUNCTION value_type operator()(extent i) const
  {
    extent const cell = extent(cells(i));
    value_type low    = 0;
    for (value_type left = ranks; left > 1;) {  // as many steps for each cell, none of which has a branch
      value_type const half = left / 2;
      low += firsts[low + half] <= cell ? half : 0;
      left -= half;
    }
    return low;
  }
};

/// Cells counted from a rank's first one.
template <class Cell>
struct cells_from {
  using value_type = Cell;
  Cell const* cells;
  extent size, first;
  ONEPASS_FUNCTION Cell operator()(extent i) const { return static_cast<Cell>(extent(cells[i]) - first); }
};

}  // namespace detail

/// \addtogroup ranks
/// \{

/// How items get to the ranks that have their cells, into the order of these: what sort_by_cell() found out. It moves
/// any number of arrays, each time by all ranks together.
template <class Place>
class cell_moves {
public:
  /// How many items this rank gets: those of its cells.
  extent size() const { return way_.received(); }

  /// to = the items of this rank's cells, cell after cell, those of a cell in the order of all ranks. `from` has this
  /// rank's items, as many as there were cells, and `to` has size() items; Views of rank 1 of one trivially copyable
  /// type, that share no memory. Each item is read and written three times, and sent once at most. Waits until the
  /// items have arrived.
  template <class From, class To>
  void move(From const& from, To const& to) const
  {
    using T                = typename To::value_type;
    char const* const name = "ranks::sort_by_cell";
    static_assert(From::rank() == 1 && To::rank() == 1 && std::is_same_v<typename From::non_const_value_type, T>,
                  "onepass: items move between Views of rank 1 of one type");
    static_assert(std::is_trivially_copyable_v<T>, "onepass: items that move are trivially copyable");
    Kokkos::View<T*, memory> leaving, arrived;
    detail::told(*all_, [&] {
      require(from.extent(0) == leave_.extent(0) && to.extent(0) == arrive_.extent(0), name, ": views of ",
              from.extent(0), " and ", to.extent(0), " items are to move ", leave_.extent(0), " items to ",
              arrive_.extent(0), "; give views of these sizes");
      require_disjoint(name, as_input(from), as_sequence(to));
      leaving = detail::room_for<T>(where_, extent(from.extent(0)));
      arrived = detail::room_for<T>(where_, size());
      onepass::apply_permutation(where_, leave_, std::tuple(from), std::tuple(leaving));
      return 0;
    });
    detail::send_along<T>(*all_, where_, way_, leaving.data(), arrived.data());
    onepass::apply_permutation(where_, arrive_, std::tuple(arrived), std::tuple(to));
    where_.space.fence("onepass::ranks: memory of the move is dropped");
  }

private:
  template <place_like Where, class Cells, class Offsets>
  friend auto sort_by_cell(transport& all, Where const& where, Cells const& cells, Offsets const& offsets);

  using memory = typename Place::execution_space::memory_space;

  transport* all_;
  Place where_;
  Kokkos::View<std::uint32_t*, memory> leave_, arrive_;  // positions in the order of ranks, and of cells
  detail::route way_;
};

/// Items sorted by cell over all ranks: the first cells are those of rank 0, as many as its offsets describe, the
/// next ones those of rank 1, and so on; each rank gets the items of its cells. offsets(c) = where the c-th cell of
/// this rank begins among its items, and the last offset is how many it gets. Returns how the items get there
/// (cell_moves), which then moves any number of arrays. As onepass::sort_by_cell(): `cells` has the cell of each
/// item, counted over all ranks.
///
/// Cost: a sort of the items by rank and one by cell, and the cells are moved once. A rank has 2^32 items at most,
/// before and after. Waits for the other ranks.
template <place_like Where, class Cells, class Offsets>
auto sort_by_cell(transport& all, Where const& where, Cells const& cells, Offsets const& offsets)
{
  using cell             = item_t<Cells>;
  char const* const name = "ranks::sort_by_cell";
  static_assert(Kokkos::is_view_v<Cells>, "onepass: over ranks, the cells of items are a View");
  auto const here    = on(where).or_named(name);
  auto const& space  = here.space;
  extent const n     = extent(cells.extent(0));
  int const ranks    = all.size();
  auto const numbers = detail::told(all, [&] {
    require(offsets.extent(0) > 0, name, ": there are no offsets; give one more than the rank has cells");
    require_disjoint(name, as_input(cells), as_sequence(offsets));
    return extent(offsets.extent(0)) - 1;
  });
  auto const firsts  = detail::begins_of(name, numbers, [](extent own) { return own; });
  cell_moves<std::remove_cvref_t<decltype(here)>> moves;
  moves.all_   = &all;
  moves.where_ = here;
  std::vector<extent> begins(static_cast<std::size_t>(ranks) + 1);
  detail::told(all, [&] {
    onepass::detail::require_cells(name, here, "cell of item", as_input(cells), firsts.back());
    auto const known  = uploaded<extent>(space, firsts, name);
    auto const to     = detail::room_for<extent>(where, ranks + 1);
    auto const owners = detail::room_for<std::int32_t>(where, n);
    moves.leave_      = detail::room_for<std::uint32_t>(where, n);
    detail::copy_items(here, detail::owners_of<sequence_of<Cells>>{as_input(cells), n, known.data(), ranks},
                       as_sequence(owners));
    onepass::sort_by_cell(here, owners, to, moves.leave_);
    Kokkos::deep_copy(space, detail::unmanaged_items<extent, Kokkos::HostSpace>(begins.data(), begins.size()), to);
    space.fence("onepass::ranks::sort_by_cell: counts leave");
    return 0;
  });
  moves.way_ = detail::announced(all, begins);
  Kokkos::View<cell*, typename space_of<Where>::memory_space> leaving, arrived;
  detail::told(all, [&] {
    onepass::detail::require_numbers<std::uint32_t>(name, moves.size(), "items");
    moves.arrive_ = detail::room_for<std::uint32_t>(where, moves.size());
    leaving       = detail::room_for<cell>(where, n);
    arrived       = detail::room_for<cell>(where, moves.size());
    onepass::apply_permutation(here, moves.leave_, std::tuple(cells), std::tuple(leaving));
    return 0;
  });
  detail::send_along<cell>(all, here, moves.way_, leaving.data(), arrived.data());
  extent const first = firsts[std::size_t(all.rank())];
  detail::copy_items(here, detail::cells_from<cell>{arrived.data(), moves.size(), first}, as_sequence(arrived));
  onepass::sort_by_cell(here, arrived, offsets, moves.arrive_);
  space.fence("onepass::ranks: memory of the sort is dropped");
  return moves;
}

/// \}

}  // namespace onepass::ONEPASS_ABI::ranks
