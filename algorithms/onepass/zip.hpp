// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/checks.hpp>
#include <onepass/programs/zip.hpp>

#include <tuple>

namespace onepass {

/// Views of rank 1 and of one length, side by side: item i is the row of item i of each. zip() makes it. The input and
/// the output of unique() and run_length_encode() may be such rows.
template <class... Views>
struct zipped_views {
  static_assert((Kokkos::is_view_v<Views> && ...), "onepass: columns must be Views");
  static_assert(((Views::rank() == 1) && ...), "onepass: columns must be Views of rank 1");
  std::tuple<Views...> views;  ///< the columns
};

/// The Views side by side, as the columns of a table: zip(a, b)'s item i is the row {a(i), b(i)}. No memory moves. The
/// compiler refuses what is no View of rank 1; columns that differ in length are refused by the call that takes them.
template <class... Views>
zipped_views<Views...> zip(Views const&... views)
{
  return {{views...}};
}

namespace detail {

/// The columns of an input as one sequence of rows; all as long as the first.
template <class Exec, class... In>
auto rows_in(char const* operation, zipped_views<In...> const& in)
{
  (check_input<Exec, In>(), ...);
  return std::apply(
      [&](auto const& first, auto const&... rest) {
        (require(rest.extent(0) == first.extent(0), operation, ": columns of ", first.extent(0), " and ",
                 rest.extent(0), " items; give columns of one length"),
         ...);
        return make_rows(as_input(first), as_input(rest)...);
      },
      in.views);
}

/// Column c of the output may be column c of the input, and nothing else.
template <class Where, class... In, class... Out>
void require_columns_fit(char const* operation, Where const& where, zipped_views<In...> const& in,
                         zipped_views<Out...> const& out)
{
  auto const against = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    auto const to = as_sequence(std::get<I>(out.views));
    [&]<std::size_t... J>(std::index_sequence<J...>)
    {
      auto const one = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
        auto const from = as_input(std::get<K>(in.views));
        if constexpr (K == I) {
          require_no_overlap(operation, from, to);
          require_single_pass_in_place(operation, where, from, to);
        } else {
          require_disjoint(operation, from, to);
          require_disjoint(operation, as_sequence(std::get<K>(out.views)), to);
        }
      };
      (one(std::integral_constant<std::size_t, J>{}), ...);
    }
    (std::index_sequence_for<In...>{});
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) { (against(std::integral_constant<std::size_t, I>{}), ...); }
  (std::index_sequence_for<Out...>{});
}

}  // namespace detail

}  // namespace onepass
