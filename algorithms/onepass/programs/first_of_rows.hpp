// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/merge_alone.hpp>
#include <onepass/engine/ranges.hpp>
#include <onepass/engine/registers.hpp>
#include <onepass/engine/warps.hpp>
#include <onepass/programs/exact_cut.hpp>
#include <onepass/programs/first_by_warp.hpp>
#include <onepass/programs/top_k.hpp>
#include <onepass/sequences.hpp>

namespace onepass::ONEPASS_ABI {

// The k first items of every row of a matrix, in order (docs/decisions/0025-top-k.md). Rows are independent, so these
// are range programs of which a position is a row.

/// The item in row r and column c.
template <class T>
struct matrix_items {
  using value_type = std::remove_const_t<T>;
  T* data;
  extent rows, columns, row_stride, column_stride;

  ONEPASS_FUNCTION T& operator()(extent r, extent c) const { return data[r * row_stride + c * column_stride]; }
  ONEPASS_FUNCTION strided<T> row(extent r) const { return {data + r * row_stride, columns, column_stride}; }
  /// The same where columns lie side by side.
  contiguous<T> whole_row(extent r) const { return {data + r * row_stride, columns}; }
  matrix_items some(extent first, extent n) const
  {
    return {data + first * row_stride, n, columns, row_stride, column_stride};
  }
};

/// A View of rank 2, or one of rank 1 as a matrix of one column.
template <class Item, class View>
matrix_items<Item> as_matrix(View const& view)
{
  if constexpr (View::rank() == 1) return {view.data(), extent(view.extent(0)), 1, extent(view.stride(0)), 0};
  else
    return {view.data(), extent(view.extent(0)), extent(view.extent(1)), extent(view.stride(0)),
            extent(view.stride(1))};
}

/// f of a matrix, or nothing of none.
template <class Matrix, class F>
auto if_any(Matrix const& matrix, F const& f)
{
  if constexpr (is_nothing<Matrix>) return matrix;
  else return f(matrix);
}

/// Where the items of ranks [first, last) of each row go: their keys, their columns, or both; to column rank - first.
template <class In, class Keys, class Indices>
struct ranks_of_rows {
  In in;
  Keys keys;
  Indices indices;
  extent first, last;

  /// The same of row r alone, whose items these are, and of some rows.
  template <class Row>
  auto row(extent r, Row const& items) const
  {
    auto const row_of  = [=](auto const& matrix) { return matrix.row(r); };
    using keys_of      = decltype(if_any(keys, row_of));
    using positions_of = decltype(if_any(indices, row_of));
    return ranks_written<Row, keys_of, positions_of>{
        items, if_any(keys, row_of), if_any(indices, row_of), first, last, in.columns};
  }
  ranks_of_rows some(extent from, extent n) const
  {
    auto const rows = [=](auto const& matrix) { return matrix.some(from, n); };
    return {rows(in), if_any(keys, rows), if_any(indices, rows), first, last};
  }

  ONEPASS_FUNCTION void put(extent row, extent rank, extent column) const
  {
    if (rank < first || rank >= last) return;
    if constexpr (!is_nothing<Keys>) keys(row, rank - first) = in(row, column);
    if constexpr (!is_nothing<Indices>) indices(row, rank - first) = static_cast<typename Indices::value_type>(column);
  }
};

/// A range program: rows by teams of threads, or by warps of a team where it has warps and k is small. A team without
/// them, and one that looks for more, finds the bound of a row digit by digit, lists what reaches it, and ranks that.
template <class In, class Order, class Out, bool ByTeams>
struct first_of_rows {
  using code = typename Order::code;
  using cut  = exact_cut<std::uint32_t, code>;
  using item = listed_item<code>;

  static constexpr extent alone_at_a_time = 1;
  static constexpr bool holds_items       = true;
  static constexpr extent most            = 1024;  ///< items of a row that can be looked for
  static constexpr int most_by_warps = 64, most_warps = 4, most_threads = 1024;
  static constexpr int bytes_of_warp = 128 * int(sizeof(item)) + 16;  ///< a list, its length, a limit

  In in;
  Order order;
  Out out;
  extent k;

  ONEPASS_FUNCTION extent size() const { return in.rows; }
  extent bytes() const { return in.rows * in.columns * extent(sizeof(typename In::value_type)); }
  static constexpr int positions(team_tuning const& numbers)
  {
    return ByTeams || numbers.threads < 32 ? 1 : numbers.threads / 32;
  }
  static constexpr int stage_words(int)
  {
    constexpr int by_warps = most_warps * bytes_of_warp,
                  by_cut   = int(sizeof(cut) + sizeof(item) * most + sizeof(int) * (most_threads + 1));
    return ((ByTeams && by_cut > by_warps ? by_cut : by_warps) + 15) / 4;
  }

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    alignas(16) char stage[4 * stage_words(1)];
    for (extent r = first; r < last; ++r) by_digits(lone_team{stage}, r);
  }

  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    if constexpr (team_of_warps<Team>) {
      if (k <= most_by_warps) return by_warps(team, first, last);
    }
    if constexpr (ByTeams)
      for (extent r = first; r < last; ++r) by_digits(team, r);
  }

private:
  template <class Team>
  ONEPASS_FUNCTION void by_digits(Team const& team, extent r) const
  {
    auto* const mine  = reinterpret_cast<cut*>(team.stage());
    auto* const list  = reinterpret_cast<item*>(mine + 1);
    int* const kept   = reinterpret_cast<int*>(list + most);  // of every thread
    auto const placed = [&](extent c) { return placed_code<code>{order(in(r, c)), c}; };
    int const at_bits = bits_of(in.columns - 1);
    auto const bound  = mine->find(team, placed, in.columns, k, at_bits);
    onepass::list_what_reaches(team, placed, in.columns, bound, kept, [&](int place, placed_code<code> const& x) {
      list[place] = {std::uint32_t(x.at), x.code};
    });
    team.barrier();
    for (int i = team.rank(); i < k; i += Team::threads) {
      int rank = 0;
      for (int j = 0; j < k; ++j) rank += list[j] < list[i];
      out.put(r, rank, list[i].column);
    }
    team.barrier();
  }

  /// A row a warp, or stretches of a row in turn, of which the first warp then puts what all have found in order.
  template <class Team>
  ONEPASS_FUNCTION void by_warps(Team const& team, extent first, extent last) const
  {
    using warp_type     = decltype(team.warp());
    constexpr int lanes = warp_type::lanes, warps = Team::threads / lanes;
    using finder = first_by_warp<warp_type, code, ByTeams ? warps : 1>;
    using entry  = typename finder::entry;
    using word   = typename finder::code;
    static_assert(warps <= most_warps && finder::most == most_by_warps);
    static_assert(int(sizeof(entry) * finder::room + sizeof(word) + sizeof(int)) <= bytes_of_warp);
    auto const warp    = team.warp();
    int const number   = team.rank() / lanes;
    auto* const lists  = reinterpret_cast<entry*>(team.stage());
    auto* const limits = reinterpret_cast<word*>(lists + warps * finder::room);
    auto* const counts = reinterpret_cast<int*>(limits + warps);
    extent const row   = ByTeams ? first : first + number;
    auto* const list   = lists + number * finder::room;
    finder found(warp, list, int(k), limits, number);
    if constexpr (finder::shares) {
      if (warp.lane == 0) limits[number] = ~word(0);
      team.barrier();
    }
    if (row < last) {
      constexpr int many = sizeof(code) <= 4 ? 32 : 16, some = 16, few = 8;  // items of a lane
      auto const from         = in.row(row);
      auto const in_stretches = [&]<int N>(std::integral_constant<int, N>) {
        constexpr extent stretch = N * lanes;
        for (extent c = ByTeams ? number * stretch : 0; c < in.columns; c += ByTeams ? warps * stretch : stretch)
          found.template take<N>(from, c, order);
      };
      if (!finder::shares && in.columns <= finder::most) found.take_all(from, order);
      else if (in.columns <= (ByTeams ? warps * many : few) * lanes) in_stretches(std::integral_constant<int, few>{});
      else if (ByTeams || in.columns > some * lanes) in_stretches(std::integral_constant<int, many>{});
      else in_stretches(std::integral_constant<int, some>{});
      found.settle();
    }
    if constexpr (finder::shares) {
      if (warp.lane == 0) counts[number] = found.count();
      team.barrier();
      if (number > 0) return;
      for (int w = 1; w < warps; ++w) found.add(lists + w * finder::room, counts[w]);
      found.settle();
    }
    for (int i = warp.lane; i < found.count(); i += lanes) out.put(row, i, extent(list[i].column));
  }
};

/// A range program: rows by threads, of which each keeps the K first of its row in registers, in order.
template <class In, class Order, class Out, int K>
struct first_by_threads {
  using entry = listed_item<typename Order::code>;

  static constexpr extent alone_at_a_time = 64;
  static constexpr bool holds_items       = true;

  In in;
  Order order;
  Out out;
  int k;

  ONEPASS_FUNCTION extent size() const { return in.rows; }
  extent bytes() const { return in.rows * in.columns * extent(sizeof(typename In::value_type)); }
  static constexpr int positions(team_tuning const& numbers) { return numbers.threads; }
  static constexpr int stage_words(int) { return 4; }

  ONEPASS_FUNCTION void alone(extent first, extent last) const
  {
    for (extent r = first; r < last; ++r) take(r);
  }
  template <int Positions, class Team>
  ONEPASS_FUNCTION void together(Team const& team, extent, extent first, extent last) const
  {
    if (first + team.rank() < last) take(first + team.rank());
  }

private:
  static constexpr int some = 8;  ///< items that are put in order before they meet the first

  ONEPASS_FUNCTION void take(extent r) const
  {
    using item            = typename In::value_type;
    constexpr int of_load = 16 / int(sizeof(item)) < some ? 16 / int(sizeof(item)) : some;
    constexpr int at_once = 2 * some;  // items that are on their way together
    entry first[K];
    ONEPASS_UNROLL for (int e = 0; e < K; ++e) first[e] = entry::none();
    auto const row                                      = in.row(r);
    extent c                                            = 0;
    if (in.column_stride == 1 && reinterpret_cast<std::uintptr_t>(row.data) % 16 == 0)
      ONEPASS_NO_UNROLL for (; c + at_once <= in.columns; c += at_once)
      {
        register_items<item, of_load> held[at_once / of_load];
        ONEPASS_UNROLL for (int l = 0; l < at_once / of_load; ++l) held[l].load(row.data + c + l * of_load);
        ONEPASS_UNROLL for (int from = 0; from < at_once; from += some)
            meet(first, c + from, some, [&](int i) { return held[(from + i) / of_load].get((from + i) % of_load); });
      }
    ONEPASS_NO_UNROLL for (; c < in.columns; c += some)
    {
      int const there = in.columns - c < some ? int(in.columns - c) : some;
      item held[some];
      ONEPASS_UNROLL for (int i = 0; i < some; ++i) held[i] = row(i < there ? c + i : c);
      meet(first, c, there, [&](int i) { return held[i]; });
    }
    ONEPASS_UNROLL for (int e = 0; e < K; ++e) if (e < k) out.put(r, e, extent(first[e].column));
  }

  /// The first become those of them and of so many items from column c on. Later items of the same code are none.
  template <class ItemAt>
  ONEPASS_FUNCTION void meet(entry (&first)[K], extent c, int there, ItemAt const& item_at) const
  {
    entry more[some];
    entry const last = first[K - 1];
    bool any         = last.column == entry::none().column;
    ONEPASS_UNROLL for (int i = 0; i < some; ++i)
    {
      more[i] = i < there ? entry{std::uint32_t(c + i), order(item_at(i))} : entry::none();
      any |= more[i].code < last.code;
    }
    if (!any) return;
    sort_by_network(more);
    keep_first_of_both(first, more);
  }
};

/// A range program: whatever is done with each row by itself, some at a time.
template <class Take>
struct rows_apart {
  static constexpr extent alone_at_a_time = 1;

  extent rows, bytes_of_row;
  Take take;  ///< take(row)

  extent size() const { return rows; }
  extent bytes() const { return rows * bytes_of_row; }
  void alone(extent first, extent last) const
  {
    for (extent r = first; r < last; ++r) take(r);
  }
};

/// All items of all rows, each as a word of its code and column where codes have 32 bits at most, else as both.
template <class In, class Order>
struct items_of_rows {
  using listed                  = listed_item<typename Order::code>;
  static constexpr bool in_word = sizeof(listed) == 8;
  using value_type              = std::conditional_t<in_word, std::uint64_t, listed>;

  In in;
  Order order;
  extent size;
  divisor by;

  ONEPASS_FUNCTION value_type operator()(extent i) const
  {
    extent const r = by.quotient(i), c = i - r * in.columns;
    listed const x{std::uint32_t(c), order(in(r, c))};
    if constexpr (in_word) return x.word();
    else return x;
  }
  ONEPASS_FUNCTION static extent column(value_type const& x)
  {
    if constexpr (in_word) return extent(std::uint32_t(x));
    else return extent(x.column);
  }
};

/// Writes the k first of each row, once all rows are in order.
template <class Items, class Out>
struct write_first_of_rows {
  contiguous<typename Items::value_type const> sorted;
  Out out;
  extent k, columns;

  ONEPASS_FUNCTION void operator()(extent i) const
  {
    extent const r = i / k, rank = i - r * k;
    out.put(r, rank, Items::column(sorted(r * columns + rank)));
  }
};

}  // namespace onepass::ONEPASS_ABI
