// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/vector.hpp>
#include <onepass/engine/program.hpp>
#include <onepass/operators.hpp>

namespace onepass::backends::host {

// Which programs have a leaf in vector registers, and how it is called.

template <class Op>
struct fold_for {};
template <>
struct fold_for<plus> : std::integral_constant<fold, fold::sum> {};
template <>
struct fold_for<minimum> : std::integral_constant<fold, fold::smallest> {};
template <>
struct fold_for<maximum> : std::integral_constant<fold, fold::largest> {};

#ifdef ONEPASS_HIGHWAY
template <class Program>
concept vectorised = plain_scan<Program> && requires { fold_for<typename Program::operation>::value; } &&
                     sizeof(typename Program::item_type) <= 8 && !std::is_same_v<typename Program::item_type, bool>;
#else
template <class Program>
concept vectorised = false;
#endif

/// The type of the leaves that has the size and the kind of T.
template <class T>
struct lane_for {
  template <class I8, class I16, class I32, class I64>
  using sized = std::conditional_t<sizeof(T) == 1, I8,
                                   std::conditional_t<sizeof(T) == 2, I16, std::conditional_t<sizeof(T) == 4, I32, I64>>>;
  using type  = std::conditional_t<
      std::is_floating_point_v<T>, std::conditional_t<sizeof(T) == 4, float, double>,
      std::conditional_t<std::is_signed_v<T>, sized<std::int8_t, std::int16_t, std::int32_t, std::int64_t>,
                         sized<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>>>;
};

template <class Program>
struct leaf {
  using item = typename Program::item_type;
  using lane = typename lane_for<item>::type;

  static auto const& here()
  {
    return std::get<vector_leaf<fold_for<typename Program::operation>::value, lane>>(leaves_of_this_machine());
  }

  static lane const* address(item const* p) { return reinterpret_cast<lane const*>(p); }

  static item reduce(Program const& p, extent first, extent last)
  {
    return item(here().reduce(address(p.input().data + first), std::size_t(last - first)));
  }

  /// Scans [first, last); `before` precedes the item `first`, and in the end the item `last`. Returns as many items from
  /// `next` on combined.
  static item scan(Program const& p, extent first, extent last, item& before, extent next, bool stream)
  {
    const auto in    = p.input();
    const auto scan  = Program::inclusive ? here().inclusive : here().exclusive;
    lane       carry = lane(before);
    const lane sum   = scan(address(in.data + first), reinterpret_cast<lane*>(p.output().data + first), std::size_t(last - first),
                            carry, address(in.data + next), stream);
    before           = item(carry);
    return item(sum);
  }
};

}  // namespace onepass::backends::host
