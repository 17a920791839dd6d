// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_told.hpp>
#include <onepass/ranks/programs/canonical.hpp>
#include <onepass/ranks/programs/carries.hpp>

namespace onepass::ONEPASS_ABI::ranks {

/// \addtogroup ranks
/// \{

/// Items to each of which something is added when it is read: what a scan whose carry stays apart gives, as an input of
/// any other call. Made by carried().
template <class Items, class T, class Op>
struct carried_items {
  using value_type = T;  ///< the type of the items that are read
  Items items;           ///< the outputs of a scan without what precedes the rank
  T const* carry;        ///< what precedes the rank
  Op op;                 ///< the scan's operator
  extent size;           ///< how many there are
  /// carry · items(i)
  ONEPASS_FUNCTION T operator()(extent i) const { return static_cast<T>(op(*carry, static_cast<T>(items(i)))); }
};

/// A sequence of carry() · scanned(i), for the outputs and the carry of a scan whose carry is apart.
template <class Scanned, class Carry, class Op = plus>
auto carried(Scanned const& scanned, Carry const& carry, Op op = {})
{
  using T          = typename Carry::non_const_value_type;
  auto const items = as_input(scanned);
  return carried_items<sequence_of<Scanned>, T, known_operator_t<Op, T>>{items, carry.data(), known_operator<T>(op),
                                                                         items.size};
}

/// \}

namespace detail {

template <bool Inclusive, class Where, class In, class Out, class Op, class Init>
void scan_block(Where const& where, In const& in, Out const& out, Op const& op, Init const& init)
{
  using T = item_t<Out>;
  if constexpr (Inclusive) onepass::inclusive_scan<T>(where, in, out, op, init);
  else onepass::exclusive_scan<T>(where, in, out, op, init);
}

/// The same behind `before`, which may be nothing where the operator has no identity.
template <bool Inclusive, class Carries, class Where, class In, class Out, class Op>
void scan_behind(typename Carries::type const& before, Where const& where, In const& in, Out const& out, Op const& op)
{
  if constexpr (Carries::complete) scan_block<Inclusive>(where, in, out, op, before);
  else if (before.present) scan_block<Inclusive>(where, in, out, op, before.value);
  else if constexpr (Inclusive) scan_block<true>(where, in, out, op, no_init{});
}

/// What must hold of the arguments before ranks tell each other anything.
template <class In, class Out>
void require_scannable(char const* label, In const& in, Out const& out)
{
  static_assert(item_rank<In> == 1 && item_rank<Out> == 1, "onepass: over ranks, items of rank 1 are scanned");
  onepass::require_room(label, as_input(in), as_sequence(out));
  onepass::require_no_overlap(label, as_input(in), as_sequence(out));
}

template <bool Inclusive, class Ranks, class Where, class In, class Out, class Op, class Init>
auto scan(char const* label, Ranks& all, Where const& where, In const& in, Out const& out, Op const& op,
          Init const& init)
{
  using carries = detail::carries<item_t<Out>, Op>;
  static_assert(Inclusive || carries::complete || !std::is_same_v<Init, no_init>,
                "onepass: an exclusive scan with an operator that has no identity needs an init");
  auto const check = [&] { require_scannable(label, in, out); };
  if constexpr (makes_tree<Where, item_t<Out>>) {
    check_input<space_of<Where>, In>();
    refuse_nonblocking<Ranks>();
    constexpr auto kind = Inclusive ? scan_kind::inclusive : scan_kind::exclusive;
    return by_canonical_tree<kind, item_t<Out>>(label, all, where, as_input(in), as_sequence(out), op, init, check);
  } else {
    carries const by(op);
    auto const here = on(where).or_named(label);
    return told_then(
        all,
        [&] {
          check();
          return by.sum(here, in);
        },
        [=, rank = transport_of(all).rank()](auto const& sums) {
          auto const first = by.template first<Inclusive>(init);
          scan_behind<Inclusive, carries>(by.combine(first, by.before(sums, rank)), here, in, out, op);
          return carries::value(by.combine(first, by.all(sums)));
        });
  }
}

/// What kernels tell each other of a scan whose carry is apart: the sum of each rank's items.
template <class Carries, class T>
struct tell_sums {
  using value_type = T;
  Carries by;
  T const* sum;
  T all;  ///< that were heard, behind the init
  int rank;
  T* carry;
  T* total;

  ONEPASS_FUNCTION T mine(int) const { return *sum; }
  ONEPASS_FUNCTION void hear(int, int r, T const& value)
  {
    if (r == rank) *carry = all;
    all = by.combine(all, value);
  }
  ONEPASS_FUNCTION void end(int) const { *total = all; }
};

template <bool Inclusive, class Ranks, class Where, class In, class Out, class Carry, class Op, class Init>
auto scan_apart(char const* label, Ranks& all, Where const& where, In const& in, Out const& out, Carry const& carry,
                Op const& op, Init const& init)
{
  using T       = item_t<Out>;
  using carries = detail::carries<T, Op>;
  static_assert(carries::complete, "onepass: a scan whose carry is apart needs an operator with an identity");
  static_assert(std::is_same_v<typename Carry::value_type, T>,
                "onepass: the carry goes to a View of rank 0 of the output's item type");
  check_scalar<space_of<Where>, Carry>();
  refuse_orders<Where, T>();
  carries const by(op);
  auto const here       = on(where).or_named(label);
  auto const scan_alone = [&](auto const& at, auto&& sum) {
    onepass::require_disjoint(label, contiguous<T>{carry.data(), 1}, as_sequence(out));
    if constexpr (Inclusive) onepass::inclusive_scan<T>(at, in, out, op, no_init{}, sum);
    else onepass::exclusive_scan<T>(at, in, out, op, carries::identity(), sum);
  };
  if constexpr (!is_nonblocking<Ranks>)
    if constexpr (tells_values<Where>)
      if (1 < all.size() && fit_words<T>(1, all.size()))
        if (auto const words = all.share_words(words_of_values, residence_of<space_of<Where>>);
            !words.of_rank.empty()) {
          // Kernels tell each other the sums while the host waits once, for all.
          T total{};
          std::optional<lent_room<T, space_of<Where>>> sum;
          std::optional<ready_place<std::decay_t<decltype(here)>>> ready;
          told_beside_kernels(all, here, [&] {
            sum.emplace(where, 1);
            scan_alone(ready.emplace(here).at(), scalar_at<space_of<Where>>(sum->data()));
            return 0;
          });
          onepass::with_result(ready->at(), total, [&](auto const& at, auto const& to) {
            run_told(at,
                     tell_sums<typename carries::algebra, T>{by.by(), sum->data(), by.template first<Inclusive>(init),
                                                             all.rank(), carry.data(), to.data()},
                     1, words.of_rank, all.rank(), words.call, label);
          });
          return total;
        }
  return told_then(
      all,
      [&] {
        T sum = carries::identity();
        scan_alone(here, sum);
        return sum;
      },
      [by, here, carry, init, rank = transport_of(all).rank()](auto const& sums) {
        auto const first = by.template first<Inclusive>(init);
        Kokkos::deep_copy(here.space, carry, by.combine(first, by.before(sums, rank)));
        return by.combine(first, by.all(sums));
      });
}

}  // namespace detail

/// \addtogroup ranks
/// \{

/// out(i) = init · all items of the ranks before · in(0) · … · in(i-1). Returns init · all items of all ranks. `out`
/// may be `in`; init is a value. A reduction and a scan: n items are read twice and n results are written, the least
/// where blocks are given and results are to be final; each rank sends one value. Under canonically(exec) it sends less
/// than a tile of items, as many results, and the totals of its nodes (docs/scale.md).
template <ranks_like Ranks, place_like Where, class In, class Out, class Op = plus, class Init = no_init>
auto exclusive_scan(Ranks&& all, Where const& where, In const& in, Out const& out, Op op = {}, Init const& init = {})
{
  return detail::scan<false>("ranks::exclusive_scan", all, where, in, out, op, init);
}

/// out(i) = init · all items of the ranks before · in(0) · … · in(i); costs as exclusive_scan() does. Returns init ·
/// all items of all ranks: of none, without an init and an identity, an item without content.
template <ranks_like Ranks, place_like Where, class In, class Out, class Op = plus, class Init = no_init>
auto inclusive_scan(Ranks&& all, Where const& where, In const& in, Out const& out, Op op = {}, Init const& init = {})
{
  return detail::scan<true>("ranks::inclusive_scan", all, where, in, out, op, init);
}

/// The carry apart: out(i) = in(0) · … · in(i-1) of this rank alone, and carry() = init · all items of the ranks
/// before. carried(out, carry, op) reads carry() · out(i), in any other call. One pass: n items are read once and n
/// results written. `carry` is a View of rank 0 of the type of the results; the operator has an identity. Returns
/// init · all items of all ranks.
template <ranks_like Ranks, place_like Where, class In, class Out, class Carry, class Op = plus, class Init = no_init>
auto exclusive_scan_apart(Ranks&& all, Where const& where, In const& in, Out const& out, Carry const& carry, Op op = {},
                          Init const& init = {})
{
  return detail::scan_apart<false>("ranks::exclusive_scan_apart", all, where, in, out, carry, op, init);
}

/// The carry apart, inclusive: out(i) = in(0) · … · in(i) of this rank alone.
template <ranks_like Ranks, place_like Where, class In, class Out, class Carry, class Op = plus, class Init = no_init>
auto inclusive_scan_apart(Ranks&& all, Where const& where, In const& in, Out const& out, Carry const& carry, Op op = {},
                          Init const& init = {})
{
  return detail::scan_apart<true>("ranks::inclusive_scan_apart", all, where, in, out, carry, op, init);
}

/// \}

}  // namespace onepass::ONEPASS_ABI::ranks
