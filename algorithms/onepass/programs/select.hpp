// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/columns.hpp>
#include <onepass/engine/items/inside.hpp>

namespace onepass::ONEPASS_ABI {

// Programs that keep some items. The aggregate is the number of kept items.

/// What is written for a kept item: the item itself, or its position.
struct write_item {
  template <class Item>
  ONEPASS_FUNCTION Item const& operator()(extent, Item const& x) const
  {
    return x;
  }
};
struct write_position {
  template <class Item>
  ONEPASS_FUNCTION extent operator()(extent i, Item const&) const
  {
    return i;
  }
};
struct write_first {
  template <class Item>
  ONEPASS_FUNCTION auto const& operator()(extent, Item const& x) const
  {
    return x.first;
  }
};
/// An output, and what is written to it.
template <class Sequence, class Written>
struct kept_column {
  Sequence to;
  Written written;
};

/// Which items are kept: by a predicate of the item, or by its flag.
template <class Predicate>
struct keep_if {
  Predicate predicate;
  template <class Item>
  ONEPASS_FUNCTION bool operator()(extent, Item const& x) const
  {
    return predicate(x);
  }
};
template <class Flags>
struct keep_flagged {
  Flags flags;
  template <class Item>
  ONEPASS_FUNCTION bool operator()(extent i, Item const&) const
  {
    return bool(flags(i));
  }
};
/// By the flags of items that are zipped with theirs.
struct keep_by_second {
  template <class Item>
  ONEPASS_FUNCTION bool operator()(extent, Item const& x) const
  {
    return bool(x.second);
  }
};
/// What says whether an item is kept: the item itself, or its flag.
template <class Keep, class Item>
struct deciding {
  using type = Item;
};
template <class Flags, class Item>
struct deciding<keep_flagged<Flags>, Item> {
  using type = typename Flags::value_type;
};
/// By items that are flags themselves.
struct keep_said {
  ONEPASS_FUNCTION bool operator()(extent, std::uint8_t said) const { return said != 0; }
};

/// select, unique and similar: every column receives one value per kept item, in order.
template <class In, class Keep, class Count, class... Columns>
struct select_program {
  using item_type      = typename In::value_type;
  using memo_type      = bool;
  using aggregate_type = extent;
  using inside         = flag_counts;
  using deciding_type  = typename deciding<Keep, item_type>::type;

  static constexpr auto shape        = output_shape::compacted;
  static constexpr int columns       = sizeof...(Columns);
  static constexpr bool pure         = false;
  static constexpr bool commutes     = true;
  static constexpr bool looks_behind = requires(Keep const k, extent i, item_type const& x) { k(i, x, x); };

  static constexpr bool items_are_flags = std::is_same_v<Keep, keep_said>;
  static constexpr bool flags_changes   = requires { requires Keep::keeps_changes; };

  In in;
  Keep keep;
  Count* count;
  columns_of<Columns...> outputs;

  ONEPASS_FUNCTION In input() const { return in; }
  template <class... Item>
  ONEPASS_FUNCTION bool evaluate(extent i, Item const&... items) const
  {
    return keep(i, items...);
  }
  ONEPASS_FUNCTION extent lift(extent, item_type const&, bool kept) const { return kept; }
  ONEPASS_FUNCTION extent after(extent before, extent kept, extent) const { return before + kept; }
  ONEPASS_FUNCTION extent combine(extent a, extent b) const { return a + b; }
  ONEPASS_FUNCTION static extent identity() { return 0; }
  ONEPASS_FUNCTION extent initial() const { return 0; }
  ONEPASS_FUNCTION void finish(extent kept, extent) const
  {
    if (count) *count = Count(kept);
  }

  template <int C>
  ONEPASS_FUNCTION auto column() const
  {
    return outputs.template get<C>().to;
  }
  template <int C>
  ONEPASS_FUNCTION static constexpr bool keeps(bool kept)
  {
    return kept;
  }
  template <int C>
  static constexpr bool copies = std::is_same_v<decltype(outputs.template get<C>().written), write_item>;
  template <int C>
  ONEPASS_FUNCTION extent position(extent, extent before) const
  {
    return before;
  }
  template <int C>
  ONEPASS_FUNCTION decltype(auto) value(extent i, item_type const& x, bool, extent) const
  {
    return outputs.template get<C>().written(i, x);
  }
};

}  // namespace onepass::ONEPASS_ABI
