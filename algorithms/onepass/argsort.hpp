// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/apply_permutation.hpp>
#include <onepass/radix_sort.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup permutations Permutations
/// The sorted order of keys, or of cells, as a permutation of positions, and Views permuted by such an order.
/// \{

/// permutation = the positions of the keys in sorted order: keys(permutation(0)) is the first key. Equal keys keep
/// their order. The keys themselves are not moved.
///
/// - `keys`, `order`, `decompose`: as in radix_sort()
/// - `permutation`: a View of rank 1 of an integral type that can represent n - 1, at least as long as `keys`
///
/// Throws precondition_error, before anything is queued, if `permutation` is too short, too narrow or shares memory
/// with the keys, or a key lacks the bits that `order` names. Compile-time errors: those of radix_sort(), and
/// permutations that are not integers.
///
/// Cost: that of radix_sort_by_key() with positions as values, which are generated instead of read.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
///
/// Source: Satish, Harris & Garland 2009; Adinets & Merrill 2022; see docs/references.md.
template <place_like Where, class Keys, class Permutation, class Decompose = unchanged>
void argsort(Where const& where, Keys const& keys, Permutation const& permutation, sort_order const& order = {},
             Decompose const& decompose = {})
{
  using exec  = space_of<Where>;
  using index = typename Permutation::non_const_value_type;
  check_input<exec, Keys>();
  static_assert(std::is_integral_v<index>, "onepass: a permutation must be a View of an integral type");
  auto const from = as_input(keys);
  auto const to   = detail::sorted_output<exec, index>(permutation);
  onepass::require_room("argsort", from, to);
  onepass::require_disjoint("argsort", from, to);
  require(from.size == 0 || std::uint64_t(from.size - 1) <= std::uint64_t(Kokkos::Experimental::finite_max_v<index>),
          "argsort: positions of ", from.size, " keys do not fit the permutation's items; give it wider ones");
  detail::sort("argsort", where, from, nothing{}, counting<index>{0, from.size}, to, order, decompose);
}

/// \}

}  // namespace onepass::ONEPASS_ABI
