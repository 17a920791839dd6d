// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/program.hpp>
#include <onepass/sequences.hpp>

namespace onepass::ONEPASS_ABI {

// Programs that look behind read the last item of the tile before. In place that tile may write this item just then, by
// itself: if nothing before it was dropped, it stays where it is. Threads of a host may not even do that, so such items
// are not written.

// clang-format off
namespace detail {
template <class S>
concept of_columns = requires(S const& s) { s.first; s.rest; };
}  // namespace detail
// clang-format on

/// A sequence that gives objects of its type, which have an address.
template <class S>
constexpr bool of_objects = [] {
  using given = std::invoke_result_t<S const&, extent>;
  return std::is_lvalue_reference_v<
             given> && std::is_same_v<std::remove_cvref_t<given>, std::remove_cv_t<typename S::value_type>>;
}();

/// Whether item i of the sequence, or a part of it, is the very object that the column has at position i.
template <class In, class Column>
bool lies_in(In const& in, Column const& to, extent i)
{
  if constexpr (of_objects<In> && of_objects<Column>)
    return static_cast<void const volatile*>(&in(i)) == static_cast<void const volatile*>(&to(i));
  else if constexpr (is_zipped<In>) return lies_in(in.first, to, i) || lies_in(in.second, to, i);
  else if constexpr (detail::of_columns<In>) return lies_in(in.first, to, i) || lies_in(in.rest, to, i);
  else return false;
}

/// Whether what a sequence gives lies in memory, so that it may as well be read again.
template <class In>
constexpr bool lies_in_memory = of_objects<In>;
template <class First, class Second>
constexpr bool lies_in_memory<zipped<First, Second>> = lies_in_memory<First>&& lies_in_memory<Second>;

/// Whether the n items from `first` on, if column C receives them from position `place` on, stay where they are, and a
/// thread beside may read them.
template <int C, class Program>
ONEPASS_FUNCTION bool unmoved([[maybe_unused]] Program const& p, [[maybe_unused]] extent first,
                              [[maybe_unused]] extent place, [[maybe_unused]] extent n = 1)
{
  if constexpr (looks_behind<Program>) {
    KOKKOS_IF_ON_HOST((auto const to = p.template column<C>();
                       return n > 0 && place == first && first + n <= to.size && lies_in(p.input(), to, first);))
  }
  return false;
}

}  // namespace onepass::ONEPASS_ABI
