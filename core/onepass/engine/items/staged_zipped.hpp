// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/staged.hpp>

namespace onepass::ONEPASS_ABI {

// The items of two zipped sequences are staged in two arrays, so that both can be copied in packs.

template <class First, class Second>
struct array_bytes<zipped<First, Second>> {
  ONEPASS_FUNCTION static constexpr std::size_t of(int items, int behind)
  {
    return array_bytes<First>::of(items, behind) + array_bytes<Second>::of(items, behind);
  }
};

template <class First, class Second, int Items, int Behind>
struct staged<zipped<First, Second>, Items, Behind> {
  using item         = typename zipped<First, Second>::value_type;
  using first_array  = staged<First, Items, Behind>;
  using second_array = staged<Second, Items, Behind>;

  template <int N>
  struct registers {
    typename first_array::template registers<N> first;
    typename second_array::template registers<N> second;

    ONEPASS_FUNCTION item get(int k) const { return {first.get(k), second.get(k)}; }
    ONEPASS_FUNCTION void load(staged const& from, int i)
    {
      first.load(from.first(), i);
      second.load(from.second(), i);
    }
  };

  char* memory;

  ONEPASS_FUNCTION first_array first() const { return {memory}; }
  ONEPASS_FUNCTION second_array second() const { return {memory + array_bytes<First>::of(Items, Behind)}; }
  ONEPASS_FUNCTION item operator()(int i) const { return {first()(i), second()(i)}; }

  template <class Team>
  ONEPASS_FUNCTION void take(Team const& team, zipped<First, Second> const& from, extent start, int valid) const
  {
    first().take(team, from.first, start, valid);
    second().take(team, from.second, start, valid);
  }

  template <class F>
  ONEPASS_FUNCTION void each_array(zipped<First, Second> const& from, F const& f) const
  {
    first().each_array(from.first, f);
    second().each_array(from.second, f);
  }
};

}  // namespace onepass::ONEPASS_ABI
