// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/columns.hpp>
#include <onepass/programs/checked.hpp>
#include <onepass/radix_sort.hpp>

#include <tuple>
#include <utility>

namespace onepass {

/// \defgroup permutations Permutations
/// The sorted order of keys as a permutation of positions, and Views permuted by such an order.
///
/// Compile-time errors: memory that the space cannot reach, permutations that are not integers, Views of rank 2 and
/// different numbers of inputs and outputs.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
/// \{

/// permutation = the positions of the keys in sorted order: keys(permutation(0)) is the first key. Equal keys keep
/// their order. The keys themselves are not moved.
///
/// - `keys`, `order`, `decompose`: as in radix_sort()
/// - `permutation`: a View of rank 1 of an integral type that can represent n - 1, at least as long as `keys`
///
/// Throws precondition_error, before anything is queued, if `permutation` is too short, too narrow or shares memory
/// with the keys, or a key lacks the bits that `order` names. Cost: that of radix_sort_by_key() with positions as
/// values, which are generated instead of read.
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
  require_room("argsort", from, to);
  require_disjoint("argsort", from, to);
  require(from.size == 0 || std::uint64_t(from.size - 1) <= std::uint64_t(Kokkos::Experimental::finite_max_v<index>),
          "argsort: positions of ", from.size, " keys do not fit the permutation's items; give it wider ones");
  detail::sort("argsort", where, from, nothing{}, counting<index>{0, from.size}, to, order, decompose);
}

namespace detail {

/// to(i) = from(permutation(i)), for every column.
template <class Permutation, class From, class To, int... C>
struct permute_columns {
  Permutation permutation;
  From from;
  To to;

  ONEPASS_FUNCTION void operator()(extent i) const
  {
    auto const source = extent(permutation(i));
    ((to.template get<C>()(i) = from.template get<C>()(source)), ...);
  }
};
template <class From, class To, int... C>
struct copy_columns {
  From from;
  To to;
  ONEPASS_FUNCTION void operator()(extent i) const { ((to.template get<C>()(i) = from.template get<C>()(i)), ...); }
};

template <class Where, class Permutation, class From, class To, int... C>
void permute(Where const& where, Permutation const& permutation, From const& from, To const& to,
             std::integer_sequence<int, C...>)
{
  run_each(where, permute_columns<Permutation, From, To, C...>{permutation, from, to}, permutation.size,
           "apply_permutation");
}

template <class Where, class Permutation>
auto checked_permutation(Where const& where, Permutation const& permutation)
{
  check_input<space_of<Where>, Permutation>();
  static_assert(std::is_integral_v<item_t<Permutation>>, "onepass: a permutation must consist of integers");
  auto const order = as_input(permutation);
  require_on_device("apply_permutation", where, "position", order.size,
                    leaves_range<sequence_of<Permutation>>{order, order.size}, "is none of the ", order.size,
                    " items; give positions from 0 on");
  return order;
}

template <class Exec, class View>
auto permuted_view(View const& view, extent n)
{
  check_output<Exec, View, typename View::value_type>();
  static_assert(View::rank() == 1, "onepass: apply_permutation takes Views of rank 1");
  auto const items = as_sequence(view);
  require(items.size >= n, "apply_permutation: a view has ", items.size, " items and the permutation ", n,
          "; give views of at least ", n);
  return items;
}

}  // namespace detail

/// Every View of `to` = the same View of `from`, permuted: to(i) = from(permutation(i)).
///
/// - `permutation`: a View of rank 1 or a sequence of integers in [0, n); `on(exec).checked()` checks this first, waits
///   for the result, and throws precondition_error otherwise
/// - `from`, `to`: std::tuples of equally many Views of rank 1 (`from` also of sequences), each of at least n items;
///   items of `from` convert to those of `to`. Outputs share no memory with anything else
///
/// Throws precondition_error, before anything is queued, if a View is too short or memory is shared. Cost: one kernel
/// for all Views; the permutation is read once, each item is read once, at a random position, and written once.
template <place_like Where, class Permutation, class... From, class... To>
void apply_permutation(Where const& where, Permutation const& permutation, std::tuple<From...> const& from,
                       std::tuple<To...> const& to)
{
  using exec = space_of<Where>;
  static_assert(sizeof...(From) == sizeof...(To), "onepass: apply_permutation needs as many outputs as inputs");
  (check_input<exec, From>(), ...);
  auto const order   = detail::checked_permutation(where, permutation);
  auto const sources = std::apply([](auto const&... s) { return make_columns(as_input(s)...); }, from);
  auto const targets =
      std::apply([&](auto const&... t) { return make_columns(detail::permuted_view<exec>(t, order.size)...); }, to);
  std::apply(
      [&](auto const&... s) {
        (require(as_input(s).size >= order.size, "apply_permutation: an input has ", as_input(s).size,
                 " items and the permutation ", order.size),
         ...);
        std::apply(
            [&](auto const&... t) { ((require_disjoint("apply_permutation", as_input(s), as_sequence(t))), ...); }, to);
      },
      from);
  detail::permute(where, order, sources, targets, std::make_integer_sequence<int, sizeof...(To)>{});
}

/// In place: view(i) = view(permutation(i)) for every View. Goes through workspace memory for all Views: two kernels,
/// every item is read and written twice. Throws precondition_error, before anything is queued, if a View is too short
/// or shares memory with the permutation.
template <place_like Where, class Permutation, class... Views>
  requires(sizeof...(Views) > 0 && (Kokkos::is_view_v<Views> && ...))
void apply_permutation(Where const& where, Permutation const& permutation, Views const&... views)
{
  using exec         = space_of<Where>;
  auto const order   = detail::checked_permutation(where, permutation);
  auto const n       = order.size;
  auto const targets = make_columns(detail::permuted_view<exec>(views, n)...);
  (require_disjoint("apply_permutation", order, as_sequence(views)), ...);

  constexpr std::size_t sizes[]           = {sizeof(typename Views::value_type)...};
  std::size_t begin[sizeof...(Views) + 1] = {};
  for (std::size_t c = 0; c < sizeof...(Views); ++c)
    begin[c + 1] = begin[c] + (std::size_t(n) * sizes[c] + 255) / 256 * 256;

  auto const through = [&](workspace<exec>& scratch) {
    std::byte* const memory = scratch.plain(begin[sizeof...(Views)]);
    [&]<int... C>(std::integer_sequence<int, C...> all)
    {
      auto const sources = make_columns(as_input(views)...);
      auto const spares  = make_columns(contiguous<typename Views::value_type>{
           reinterpret_cast<typename Views::value_type*>(memory + begin[C]), n}...);
      detail::permute(where, order, sources, spares, all);
      run_each(
          where,
          detail::copy_columns<std::remove_const_t<decltype(spares)>, std::remove_const_t<decltype(targets)>, C...>{
              spares, targets},
          n, "apply_permutation");
    }
    (std::make_integer_sequence<int, int(sizeof...(Views))>{});
  };
  if (on(where).scratch) through(*on(where).scratch);
  else {
    workspace<exec> scratch(on(where).space);
    through(scratch);
  }
}

/// \}

}  // namespace onepass
