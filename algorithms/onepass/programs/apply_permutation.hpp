// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/footprint.hpp>
#include <onepass/require.hpp>
#include <onepass/sequences.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace onepass::ONEPASS_ABI {

/// The rows of a View of rank 2 or 3: everything with the same first index. The items of a row are counted with the
/// last index running fastest.
template <class T, int Rank>
struct view_rows {
  using value_type = std::remove_const_t<T>;

  T* data;
  extent size;           ///< rows
  int width;             ///< items of a row
  int columns;           ///< of which have the same indices but for the last
  extent strides[Rank];  ///< of each index

  ONEPASS_FUNCTION T& at(extent row, int e) const
  {
    if constexpr (Rank == 2) return data[row * strides[0] + e * strides[1]];
    else return data[row * strides[0] + e / columns * strides[1] + e % columns * strides[2]];
  }

  /// Whether a row lies between its neighbours.
  bool together() const { return width > 0 && items_within(0) <= strides[0]; }

  /// How many items there are of each index.
  extent along(int index) const { return index == 0 ? size : index == Rank - 1 ? columns : width / columns; }

  /// Items from the first to the last of those with the same index.
  extent items_within(int index) const
  {
    extent items = 1;
    for (int r = 0; r < Rank; ++r)
      if (r != index) items += (along(r) - 1) * strides[r];
    return items;
  }
};

/// Blocks of the same index, of that with the longest stride, if these lie apart; else all that the rows span.
template <class T, int Rank>
footprint footprint_of(view_rows<T, Rank> s, extent rows)
{
  auto const begin = reinterpret_cast<std::uintptr_t>(s.data);
  auto const bytes = [](extent items) { return std::uintptr_t(items) * sizeof(T); };
  if (s.width == 0 || rows == 0) return {begin, 0, 0, 0};
  s.size              = rows;
  int const slow      = int(std::max_element(s.strides, s.strides + Rank) - s.strides);
  extent const within = s.items_within(slow);
  if (within <= s.strides[slow]) return {begin, bytes(within), bytes(s.strides[slow]), std::uintptr_t(s.along(slow))};
  return {begin, bytes(within + (s.along(slow) - 1) * s.strides[slow]), 0, 1};
}

/// What a permutation moves of a View, or of a sequence: its rows, or its items. For reading only, const and non-const
/// Views share one kernel. Throws if a row has more items than are numbered.
template <bool ForReading = false, class Items>
auto as_rows([[maybe_unused]] char const* operation, Items const& items)
{
  if constexpr (item_rank < Items >> 1) {
    require(items.size() / std::max<std::size_t>(items.extent(0), 1) < std::size_t(1) << 31, operation,
            ": a row has 2^31 items or more; give parts of it");
    constexpr int rank = int(Items::rank());
    using item         = std::conditional_t<ForReading, typename Items::const_value_type, typename Items::value_type>;
    view_rows<item, rank> rows{items.data(), extent(items.extent(0)), 1, int(items.extent(rank - 1)), {}};
    for (int r = 0; r < rank; ++r) rows.strides[r] = extent(items.stride(std::size_t(r)));
    for (int r = 1; r < rank; ++r) rows.width *= int(items.extent(std::size_t(r)));
    return rows;
  } else if constexpr (ForReading) return as_input(items);
  else return as_sequence(items);
}

template <class Rows>
constexpr bool has_wide_rows = requires(Rows const& rows)
{
  rows.width;
};

/// The items of a row.
template <class Rows>
ONEPASS_FUNCTION extent items_of_row([[maybe_unused]] Rows const& rows)
{
  if constexpr (has_wide_rows<Rows>) return rows.width;
  else return 1;
}

/// Items that begin so many bytes from each other, in records or not.
template <class T>
struct spaced_items {
  using value_type = T;
  std::byte* data;
  extent size, step;
  ONEPASS_FUNCTION T& operator()(extent i) const { return *reinterpret_cast<T*>(data + i * step); }
};
/// Rows of items that do.
template <class T>
struct spaced_rows : spaced_items<T> {
  int width;
  ONEPASS_FUNCTION T& at(extent row, int e) const { return (&(*this)(row))[e]; }
  static constexpr bool together() { return true; }
};

/// Moves items part, part + parts, ... of a row.
template <class From, class To>
ONEPASS_FUNCTION void move_row(From const& from, extent source, To const& to, extent target, int part, int parts)
{
  if constexpr (has_wide_rows<To>) {
    for (int e = part; e < to.width; e += parts)
      to.at(target, e) = static_cast<typename To::value_type>(from.at(source, e));
  } else if (part == 0) to(target) = static_cast<typename To::value_type>(from(source));
}

/// Moves `Rows` rows, those that are there: what is read of all of them is asked for before anything is written, since
/// no compiler may ask for it earlier than the program does where an output could be an input.
template <int Rows, class From, class To>
ONEPASS_FUNCTION void move_rows(From const& from, extent const (&source)[Rows], To const& to,
                                extent const (&target)[Rows], bool const (&there)[Rows])
{
  using value  = std::remove_cvref_t<decltype(from(extent()))>;
  using output = typename To::value_type;
  if constexpr (Rows > 1 && std::is_default_constructible_v<value>) {
    value moved[Rows];
    ONEPASS_UNROLL for (int k = 0; k < Rows; ++k) if (there[k]) moved[k]      = from(source[k]);
    ONEPASS_UNROLL for (int k = 0; k < Rows; ++k) if (there[k]) to(target[k]) = static_cast<output>(moved[k]);
  } else
    for (int k = 0; k < Rows; ++k)
      if (there[k]) to(target[k]) = static_cast<output>(from(source[k]));
}

/// Calls of a move of wide rows, move(row, part, parts): `parts` neighbouring calls share a row. On hosts none do.
template <class Move>
struct shared_rows {
  Move move;
  extent rows;
  int parts;

  ONEPASS_FUNCTION extent calls() const { return rows * parts; }
  ONEPASS_FUNCTION void operator()(extent call) const
  {
    extent const row = parts == 1 ? call : call / parts;
    move(row, int(call - row * parts), parts);
  }
  /// By a host thread, for which to divide would take as long as to move ten items.
  void alone(extent first, extent last) const
  {
    Move const moves = move;  // a copy, which no store can change
    for (; first < last; ++first) moves(first, 0, 1);
  }
};

/// Calls of a move of some rows at once, move(rows, there): those of a call lie apart, since neighbouring threads are
/// to read neighbouring items. A device that has one row a thread waits for memory more than it moves.
template <class Move>
struct spread_rows {
  static constexpr int at_once = Move::bytes <= 8 ? 4 : Move::bytes <= 16 ? 2 : 1;

  Move move;
  extent rows;

  ONEPASS_FUNCTION extent calls() const { return (rows + (at_once - 1)) / at_once; }
  ONEPASS_FUNCTION void operator()(extent call) const
  {
    extent const step = calls();
    extent row[at_once];
    bool there[at_once];
    ONEPASS_UNROLL for (int k = 0; k < at_once; ++k) row[k] = call + k * step, there[k] = row[k] < rows;
    move(row, there);
  }
};

/// Row i of each column of `to` becomes row permutation(i) of `from`.
template <class Permutation, class From, class To, int... C>
struct permute_rows {
  template <int K>
  using column = std::remove_cvref_t<decltype(std::declval<To const&>().template get<K>())>;

  static constexpr bool wide         = (has_wide_rows<column<C>> || ...);
  static constexpr std::size_t bytes = std::max({std::size_t(0), sizeof(typename column<C>::value_type)...});

  Permutation permutation;
  From from;
  To to;

  ONEPASS_FUNCTION void operator()(extent row, int part, int parts) const
  {
    auto const source = extent(permutation(row));
    (move_row(from.template get<C>(), source, to.template get<C>(), row, part, parts), ...);
  }
  template <int Rows>
  ONEPASS_FUNCTION void operator()(extent const (&row)[Rows], bool const (&there)[Rows]) const
  {
    extent source[Rows];
    ONEPASS_UNROLL for (int k = 0; k < Rows; ++k) if (there[k]) source[k] = extent(permutation(row[k]));
    (move_rows(from.template get<C>(), source, to.template get<C>(), row, there), ...);
  }
};

}  // namespace onepass::ONEPASS_ABI
