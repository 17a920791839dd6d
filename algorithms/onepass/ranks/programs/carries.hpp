// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/programs/exchange.hpp>
#include <onepass/reduce.hpp>

namespace onepass::ONEPASS_ABI::ranks::detail {

template <class Accumulator, class Items>
using combined_in = std::conditional_t<std::is_void_v<Accumulator>, item_t<Items>, Accumulator>;

/// An operator over values that may be absent, which has an identity whatever the operator has.
template <class Algebra>
struct combine_present {
  static constexpr bool commutes = Algebra::commutes;
  using value_type               = typename Algebra::type;

  Algebra by;

  template <class T>
  ONEPASS_FUNCTION T operator()(T const& older, T const& newer) const
  {
    return by.combine(older, newer);
  }
  template <class T>
  ONEPASS_FUNCTION static T identity()
  {
    return Algebra::identity();
  }
};
template <class Algebra, class T>
struct make_present {
  template <class Item>
  ONEPASS_FUNCTION typename Algebra::type operator()(Item const& x) const
  {
    return Algebra::lift(static_cast<T>(x));
  }
};

/// What ranks tell each other of items of type T under an operator: the combination of all that they have, or "nothing"
/// where they have none and the operator has no identity.
template <class T, class Op>
struct carries : monoid<known_operator_t<Op, T>, T> {
  using known   = known_operator_t<Op, T>;
  using algebra = monoid<known, T>;
  using type    = typename algebra::type;

  explicit carries(Op const& given)
      : algebra{known_operator<T>(given)}
  {}

  algebra const& by() const { return *this; }

  /// All items of this rank, combined; waits.
  template <place_like Where, class In>
  type sum(Where const& where, In const& in) const
  {
    type all{};
    if constexpr (algebra::complete) onepass::reduce(where, in, all, by().op, algebra::identity());
    else onepass::transform_reduce(where, in, all, make_present<algebra, T>{}, combine_present<algebra>{by()});
    return all;
  }

  /// What precedes the first item of all ranks; nothing does where an inclusive scan has no init.
  template <bool Inclusive, class Init>
  static type first(Init const& init)
  {
    if constexpr (!std::is_same_v<Init, no_init>) {
      static_assert(std::is_convertible_v<Init, T>, "onepass: over ranks an init is a value of the accumulator's type");
      return algebra::lift(static_cast<T>(init));
    } else return Inclusive ? algebra::identity() : algebra::initial();
  }

  /// The sums of the first ranks, combined.
  type before(std::vector<type> const& sums, int rank) const
  {
    type all = algebra::identity();
    for (int r = 0; r < rank; ++r) all = this->combine(all, sums[std::size_t(r)]);
    return all;
  }
  type all(std::vector<type> const& sums) const { return before(sums, int(sums.size())); }
};

}  // namespace onepass::ONEPASS_ABI::ranks::detail
