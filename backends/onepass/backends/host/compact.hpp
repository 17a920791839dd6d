// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/buffer.hpp>
#include <onepass/backends/host/cached_tile.hpp>
#include <onepass/backends/host/flags.hpp>
#include <onepass/backends/host/in_place.hpp>
#include <onepass/engine/items/walk.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// Writes values to a column, the first at position `place`; values outside of the column are dropped.
template <class Column, class Value>
void write_values(Column const& column, extent place, Value const* values, extent count, bool stream)
{
  extent const from = std::max<extent>(0, -place), to = std::min(count, column.size - place);
  if (from >= to) return;
  if constexpr (is_contiguous<Column>::value
                && std::is_same_v<typename Column::value_type, Value> && std::is_trivially_copyable_v<Value>) {
    auto const bytes = std::size_t(to - from) * sizeof(Value);
    if (stream) stream_out(column.data + (place + from), values + from, bytes);
    else std::memcpy(column.data + (place + from), values + from, bytes);
  } else {
    for (extent k = from; k < to; ++k) column(place + k) = values[k];
  }
}

/// A compacting program whose flags tell which items are kept.
template <class Program>
concept lists_flags = counts_flags<Program> && Program::shape == output_shape::compacted;

/// One tile, on one thread, of a program whose flags tell which items are kept. The upsweep evaluates all items and
/// lists those that will be written, with their positions, in the second-level cache; the downsweep writes from the
/// lists alone. So a later tile may already write where these items were read. Where none does, items that vectors do
/// not compress are listed by position alone, and read again when they are written.
template <lists_flags Program>
class cached_tile<Program> {
  using item      = typename Program::item_type;
  using aggregate = typename Program::aggregate_type;

  static constexpr extent leaf = listed_together, room = room_of_list;

  template <int C>
  static constexpr bool column_of = Program::template keeps<C>(true);  ///< the flag of the items that column C keeps

  template <bool Flag, class F>
  static constexpr bool any_column(F const& f)
  {
    return [&]<int... C>(std::integer_sequence<int, C...>)
    {
      return ((column_of<C> == Flag && f(std::integral_constant<int, C>{})) || ...);
    }
    (std::make_integer_sequence<int, Program::columns>{});
  }

  /// Items that are copied first, a leaf at a time: of a matrix with gaps between its rows.
  static constexpr bool copied = compressible<item> && has_stretches<input_of<Program>> && !looks_behind<Program>;

  static constexpr bool in_vectors     = copied || (compressible<item> && is_contiguous<input_of<Program>>::value);
  static constexpr bool may_read_again = !in_vectors && lies_in_memory<input_of<Program>> && !items_are_flags<Program>;

  /// Whether items with this flag are written, and whether their positions are needed: to compute something else from
  /// them, or to gather the items.
  template <bool Flag>
  static constexpr bool written = any_column<Flag>([](auto) { return true; });
  template <bool Flag>
  static constexpr bool computed = any_column<Flag>([](auto c) { return !copies_items<Program, c()>; });
  template <bool Flag>
  static constexpr bool placed = (written<Flag> && !in_vectors) || computed<Flag> || (Flag && computed<false>);

public:
  cached_tile(Program const& program, extent first, extent last)
      : program_(&program)
      , first_(first)
      , last_(last)
  {
    if constexpr (may_read_again) reads_again_ = first < last && !may_be_in_place(program);
  }

  [[gnu::noinline]] aggregate upsweep()
  {
    Program const p = *program_;  // a copy, which no store can change
    auto in         = p.input();
    flag_words<leaf> flags;
    extent latest = -1;
    kept_         = 0;
    for (extent from = first_; from < last_; from += leaf) {
      extent const to  = std::min(from + leaf, last_);
      auto const items = near(in, from, to);
      flags.raise(p, items, from, to);
      if (extent const here = flags.latest(); here >= 0) latest = from + here;
      extent const others = from - first_ - kept_;
      kept_ += list<true>(items, flags, from, to, kept_);
      if constexpr (written<false>) {
        flags.flip();
        list<false>(items, flags, from, to, others);
      }
    }
    return p.after(Program::identity(), kept_, latest);
  }

  aggregate downsweep(aggregate const& prefix, cached_tile& next, bool stream) const
  {
    each_column<Program>([&]<int c>(std::integral_constant<int, c>) { write<c>(prefix, stream); });
    return next.upsweep();
  }

private:
  extent size() const { return last_ - first_; }

  // The lists of a thread; those of flags that are not set follow the others. The element before a list of positions
  // may be read.
  template <bool Flag>
  item* items() const
  {
    extent const list = size() + (in_vectors ? room : 0);
    return thread_buffer<item>((written<false> ? 2 : 1) * list) + (Flag ? 0 : list);
  }
  template <bool Flag>
  std::int32_t* places() const
  {
    extent const list = size() + room;
    return thread_buffer<std::int32_t, struct places_of_flags>((placed<false> ? 2 : 1) * list) + 1 + (Flag ? 0 : list);
  }

  /// What items [from, to) are read from.
  static auto near(input_of<Program> const& in, extent from, extent to)
  {
    if constexpr (copied) {
      item* const some = thread_buffer<item, struct copied_items>(leaf);
      each_stretch(in, from, to, [&](auto const& row, extent i, extent end) {
        for (; i < end; ++i) some[i - from] = row(i);
      });
      return row_stretch<item const>{some, from};
    } else return in;
  }

  /// Appends the items of [from, to) whose flags are set to a list that has `listed` items. Returns their number.
  template <bool Flag, class In>
  extent list(In const& in, flag_words<leaf> const& flags, extent from, extent to, extent listed) const
  {
    auto const n = std::size_t(to - from);
    extent count = 0;
    if constexpr (written<Flag> && in_vectors)
      count = extent(compress(&in(from), flags.words(), n, items<Flag>() + listed));
    else if constexpr (!placed<Flag>) each_set(flags.words(), n, [&](std::size_t) { ++count; });
    if constexpr (placed<Flag>)
      count = extent(positions(flags.words(), n, std::int32_t(from - first_), places<Flag>() + listed));
    if constexpr (written<Flag> && !in_vectors) {
      if (reads_again_) return count;
      item* const to_list = items<Flag>() + listed;  // apart: a store could be to what tells where a thread's lists are
      if constexpr (items_are_flags<Program>)
        std::fill_n(to_list, count, item(Flag));  // what made them is not asked again
      else {
        std::int32_t const* const at = places<Flag>() + listed;
        for (extent k = 0; k < count; ++k) to_list[k] = in(first_ + at[k]);
      }
    }
    return count;
  }

  template <int C>
  void write(aggregate const& prefix, bool stream) const
  {
    constexpr bool flag = column_of<C>;
    Program const p     = *program_;
    auto to             = p.template column<C>();
    extent const count = flag ? kept_ : size() - kept_, place = p.template position<C>(first_, prefix);
    if (count == size() && unmoved<C>(p, first_, place, count)) return;
    if constexpr (copies_items<Program, C>) {
      if (!reads_again_) return write_values(to, place, items<flag>(), count, stream);
      if constexpr (is_contiguous<decltype(to)>::value)
        if (!stream && 0 <= place && place + count <= to.size) return make<C>(p, prefix, 0, count, to.data + place);
    }
    using value                 = column_item<Program, C>;
    constexpr std::size_t bytes = 4096;
    constexpr extent piece =
        sizeof(value) > bytes ? 1 : std::max<extent>(extent(std::bit_floor(bytes / sizeof(value))), 16);
    some_values<value, piece> some;
    value* const made = some.values();
    for (extent from = 0, end; from < count; from = end) {
      end = std::min(from + piece - ((place + from) & (piece - 1)), count);  // so that pieces are whole lines
      make<C>(p, prefix, from, end, made);
      write_values(to, place + from, made, end - from, stream);
    }
  }

  /// Makes what column C receives of items [from, to) of its list.
  template <int C, class Value>
  void make(Program const& p, aggregate const& prefix, extent from, extent to, Value* made) const
  {
    constexpr bool flag    = column_of<C>;
    std::int32_t const* at = places<flag>();
    extent const base      = first_;
    auto in                = p.input();
    if constexpr (copies_items<Program, C>) {
      for (extent end; from < to; from = end) {
        end = std::min(from + 64, to);
        if constexpr (is_contiguous<input_of<Program>>::value)
          if (at[end - 1] - at[from] == end - 1 - from) {  // neighbours are one copy
            made = std::copy_n(in.data + base + at[from], end - from, made);
            continue;
          }
        for (extent k = from; k < end; ++k) *made++ = in(base + at[k]);
      }
    } else if (may_read_again && reads_again_)
      compute<C>(p, prefix, from, to, made, [&](extent k) -> decltype(auto) { return in(base + at[k]); });
    else {
      item const* x = items<flag>();
      compute<C>(
          p, prefix, from, to, made, [&](extent k) -> auto const& { return x[k]; });
    }
  }

  /// Computes it: item(k) is item k of the list.
  template <int C, class Value, class ItemOf>
  void compute(Program const& p, aggregate const& prefix, extent from, extent to, Value* made,
               ItemOf const& item_of) const
  {
    constexpr bool flag      = column_of<C>;
    std::int32_t const* at   = places<flag>();
    std::int32_t const* kept = places<true>();
    extent const base        = first_;

    auto const one = [&](extent k) __attribute__((always_inline))
    {
      extent const flags = flag ? k : at[k] - k;  // number of set flags before this item
      auto const before  = p.after(prefix, flags, base + kept[flags - 1]);
      return static_cast<Value>(p.template value<C>(base + at[k], item_of(k), flag, before));
    };
    if (from == 0) *made++ = one(from++);
    ONEPASS_ASSUME(from > 0);  // something precedes it
    for (extent k = from; k < to; ++k) made[k - from] = one(k);
  }

  Program const* program_;
  extent first_, last_, kept_ = 0;
  bool reads_again_ = false;
};

}  // namespace onepass::ONEPASS_ABI::backends::host
