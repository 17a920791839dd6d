// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/apply_permutation.hpp>
#include <onepass/csr.hpp>
#include <onepass/ranks/programs/parts.hpp>
#include <onepass/sort_by_cell.hpp>

#include <optional>

namespace onepass::ONEPASS_ABI::ranks {

namespace detail {

/// A cell as a number of all.
struct number_of_cell {
  template <class Cell>
  ONEPASS_FUNCTION std::uint64_t operator()(Cell cell) const
  {
    return std::uint64_t(extent(cell));
  }
};

/// The rank that has the cell of each item.
template <class Cell>
struct owners_of {
  using value_type = extent;
  Cell const* cells;
  extent size;
  part_of_number owner;
  ONEPASS_FUNCTION extent operator()(extent i) const { return owner(number_of_cell{}(cells[i])); }
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
    std::optional<detail::lent_room<T, typename Place::execution_space>> leaving, arrived;
    detail::told(*all_, [&] {
      auto const leave = leave_->items().extent(0), arrive = arrive_->items().extent(0);
      require(from.extent(0) == leave && to.extent(0) == arrive, name, ": views of ", from.extent(0), " and ",
              to.extent(0), " items are to move ", leave, " items to ", arrive, "; give views of these sizes");
      onepass::require_disjoint(name, as_input(from), as_sequence(to));
      leaving.emplace(where_, extent(from.extent(0)));
      arrived.emplace(where_, size());
      onepass::apply_permutation(where_, leave_->items(), std::tuple(from), std::tuple(leaving->items()));
      return 0;
    });
    detail::send_along<T>(*all_, where_, way_, leaving->data(), arrived->data());
    onepass::apply_permutation(where_, arrive_->items(), std::tuple(arrived->items()), std::tuple(to));
    where_.space.fence("onepass::ranks: memory of the move is dropped");
  }

private:
  template <place_like Where, class Cells, class Offsets>
  friend auto sort_by_cell(transport& all, Where const& where, Cells const& cells, Offsets const& offsets);

  using positions = detail::lent_room<std::uint32_t, typename Place::execution_space>;

  transport* all_;
  Place where_;
  std::shared_ptr<positions> leave_, arrive_;  // in the order of ranks, and of cells
  detail::route way_;
};

/// Items sorted by cell over all ranks: the first cells are those of rank 0, as many as its offsets describe, the
/// next ones those of rank 1, and so on; each rank gets the items of its cells. offsets(c) = where the c-th cell of
/// this rank begins among its items, and the last offset is how many it gets. Returns how the items get there
/// (cell_moves), which then moves any number of arrays. As onepass::sort_by_cell(): `cells` has the cell of each
/// item, counted over all ranks.
///
/// Cost: the cells are moved with their positions to the order of ranks, 3 n cells and n positions, sent once at most,
/// and sorted as by the local call. A rank has 2^32 items at most, before and after. What is returned holds 4 bytes an
/// item, of before and of after, in workspaces that are kept between calls. Waits for the other ranks.
template <place_like Where, class Cells, class Offsets>
auto sort_by_cell(transport& all, Where const& where, Cells const& cells, Offsets const& offsets)
{
  using cell             = item_t<Cells>;
  using exec             = space_of<Where>;
  char const* const name = "ranks::sort_by_cell";
  static_assert(Kokkos::is_view_v<Cells>, "onepass: over ranks, the cells of items are a View");
  auto const here    = on(where).or_named(name);
  auto const& space  = here.space;
  extent const n     = extent(cells.extent(0));
  auto const numbers = detail::told(all, [&] {
    require(offsets.extent(0) > 0, name, ": there are no offsets; give one more than the rank has cells");
    onepass::require_disjoint(name, as_input(cells), as_sequence(offsets));
    return extent(offsets.extent(0)) - 1;
  });
  auto const firsts  = detail::begins_of(name, numbers, [](extent own) { return own; });
  cell_moves<std::remove_cvref_t<decltype(here)>> moves;
  moves.all_      = &all;
  moves.where_    = here;
  using positions = detail::lent_room<std::uint32_t, exec>;
  std::optional<detail::lent_room<cell, exec>> leaving, arrived;
  std::vector<extent> begins;
  detail::told(all, [&] {
    onepass::detail::require_cells(name, here, "cell of item", as_input(cells), firsts.back());
    onepass::detail::require_numbers<std::uint32_t>(name, n, "items");
    moves.leave_ = std::make_shared<positions>(where, n);
    leaving.emplace(where, n);
    detail::part_table<exec> const owners(all, here, {firsts.begin() + 1, firsts.end() - 1},
                                          std::uint64_t(firsts.back()));
    detail::order_by_parts(name, here, as_input(cells), leaving->data(), counting<std::uint32_t>{0, n},
                           moves.leave_->data(), detail::number_of_cell{}, owners);
    auto const found = detail::pinned_buffers::of(all).items<extent>(1, all.size() + 1);
    onepass::offsets_from_sorted(here, detail::owners_of<cell>{leaving->data(), n, owners.part()}, found);
    space.fence("onepass::ranks::sort_by_cell: items are counted");
    begins.assign(found.data(), found.data() + found.size());
    return 0;
  });
  moves.way_ = detail::announced(all, begins);
  detail::told(all, [&] {
    onepass::detail::require_numbers<std::uint32_t>(name, moves.size(), "items");
    onepass::detail::offsets_output<exec>(name, offsets, moves.size());
    moves.arrive_ = std::make_shared<positions>(where, moves.size());
    arrived.emplace(where, moves.size());
    return 0;
  });
  detail::send_along<cell>(all, here, moves.way_, leaving->data(), arrived->data());
  extent const first = firsts[std::size_t(all.rank())];
  detail::cells_from<cell> const own{arrived->data(), moves.size(), first};
  onepass::sort_by_cell(here, own, offsets, moves.arrive_->items());
  space.fence("onepass::ranks: memory of the sort is dropped");
  return moves;
}

/// \}

}  // namespace onepass::ONEPASS_ABI::ranks
