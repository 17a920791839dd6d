// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/checks.hpp>
#include <onepass/programs/zip.hpp>

#include <tuple>

namespace onepass::ONEPASS_ABI {

/// Views of rank 1 and of one length as one sequence of rows: row i has item i of each View. Made by zip(). unique()
/// and run_length_encode() take such rows as input and output.
template <class... Views>
struct zipped_views {
  static_assert((Kokkos::is_view_v<Views> && ...), "onepass: columns must be Views");
  static_assert(((Views::rank() == 1) && ...), "onepass: columns must be Views of rank 1");
  std::tuple<Views...> views;  ///< the columns
};

/// Combines Views as the columns of a table: item i of zip(a, b) is the row {a(i), b(i)}. Nothing is copied. Views of
/// another rank are a compile-time error; columns of different lengths are an error of the call that reads them.
template <class... Views>
zipped_views<Views...> zip(Views const&... views)
{
  return {{views...}};
}

namespace detail {

/// The columns of an input as one sequence of rows; throws unless all are as long as the first.
template <class Exec, class... In>
auto rows_in(char const* operation, zipped_views<In...> const& in)
{
  (check_input<Exec, In>(), ...);
  return std::apply(
      [&](auto const& first, auto const&... rest) {
        (require(rest.extent(0) == first.extent(0), operation, ": columns of ", first.extent(0), " and ",
                 rest.extent(0), " items; give columns of one length"),
         ...);
        return onepass::make_rows(as_input(first), as_input(rest)...);
      },
      in.views);
}

/// Throws unless the columns fit: column c of the output may be column c of the input, but overlap nothing else.
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
          onepass::require_no_overlap(operation, from, to);
          onepass::require_single_pass_in_place(operation, where, from, to);
        } else {
          onepass::require_disjoint(operation, from, to);
          onepass::require_disjoint(operation, as_sequence(std::get<K>(out.views)), to);
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

}  // namespace onepass::ONEPASS_ABI
