// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/operators.hpp>

#include <functional>

#if defined(__CUDACC__) && __has_include(<cuda/functional>)
#include <cuda/functional>
#include <cuda/std/functional>
#define ONEPASS_KNOWS_CUDA_OPERATORS
#endif

namespace onepass::ONEPASS_ABI {

// Operators of other libraries whose identity and commutativity are known. Scans and reductions replace them by their
// counterpart in operators.hpp, which gives the same bits.

namespace detail {

/// What libcu++ and Thrust call them; where these are not there, nothing that std does not have.
namespace libcudacxx {
#ifdef ONEPASS_KNOWS_CUDA_OPERATORS
using ::cuda::maximum;
using ::cuda::minimum;
using ::cuda::std::bit_and;
using ::cuda::std::bit_or;
using ::cuda::std::bit_xor;
using ::cuda::std::multiplies;
using ::cuda::std::plus;
#else
using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::multiplies;
using std::plus;
template <class = void>
struct maximum;
template <class = void>
struct minimum;
#endif
}  // namespace libcudacxx

/// Op is one of these templates, for operands of any type or of type T.
template <class Op, class T, template <class...> class... Known>
constexpr bool is_one_of = ((std::is_same_v<Op, Known<>> || std::is_same_v<Op, Known<T>>) || ...);

/// Op is this reducer of Kokkos, over values of type T.
template <class Op, class T, template <class, class> class Known>
constexpr bool is_reducer_of = false;
template <class T, class Space, template <class, class> class Known>
constexpr bool is_reducer_of<Known<T, Space>, T, Known> = true;

}  // namespace detail

/// A reducer of Kokkos as an operator. Kokkos joins values in any order.
template <class Reducer>
struct joined_by {
  static constexpr bool commutes = true;

  Reducer reducer;

  template <class T>
  ONEPASS_FUNCTION T operator()(T const& a, T const& b) const
  {
    T both = a;
    reducer.join(both, b);
    return both;
  }
};

/// The operator by which scans and reductions combine values of type T where they are given `op`: one of onepass that
/// means the same, for operators of std, libcu++ and Thrust (std::plus, std::multiplies, std::bit_and, std::bit_or,
/// std::bit_xor, cuda::minimum, cuda::maximum) and reducers of Kokkos (Sum, Prod, Min, Max, BAnd, BOr); any other
/// reducer as joined_by; else `op` itself.
template <class T, class Op>
ONEPASS_FUNCTION constexpr auto known_operator(Op const& op)
{
  using detail::is_one_of, detail::is_reducer_of;
  namespace libcudacxx = detail::libcudacxx;
  if constexpr (Kokkos::is_reducer<Op>::value) {
    if constexpr (!std::is_arithmetic_v<T>) return joined_by<Op>{op};
    else if constexpr (is_reducer_of<Op, T, Kokkos::Sum>) return plus{};
    else if constexpr (is_reducer_of<Op, T, Kokkos::Prod>) return multiplies{};
    else if constexpr (is_reducer_of<Op, T, Kokkos::Min>) return minimum{};
    else if constexpr (is_reducer_of<Op, T, Kokkos::Max>) return maximum{};
    else if constexpr (is_reducer_of<Op, T, Kokkos::BAnd>) return bit_and{};
    else if constexpr (is_reducer_of<Op, T, Kokkos::BOr>) return bit_or{};
    else return joined_by<Op>{op};
  } else if constexpr (!std::is_arithmetic_v<T>) return op;
  else if constexpr (is_one_of<Op, T, std::plus, libcudacxx::plus>) return plus{};
  else if constexpr (is_one_of<Op, T, std::multiplies, libcudacxx::multiplies>) return multiplies{};
  else if constexpr (is_one_of<Op, T, std::bit_and, libcudacxx::bit_and>) return bit_and{};
  else if constexpr (is_one_of<Op, T, std::bit_or, libcudacxx::bit_or>) return bit_or{};
  else if constexpr (is_one_of<Op, T, std::bit_xor, libcudacxx::bit_xor>) return bit_xor{};
  else if constexpr (is_one_of<Op, T, libcudacxx::minimum>) return minimum{};
  else if constexpr (is_one_of<Op, T, libcudacxx::maximum>) return maximum{};
  else return op;
}
template <class Op, class T>
using known_operator_t = decltype(known_operator<T>(std::declval<Op const&>()));

}  // namespace onepass::ONEPASS_ABI
