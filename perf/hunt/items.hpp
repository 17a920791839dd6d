// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/inputs.hpp"
#include "harness/race.hpp"

#include <onepass/operators.hpp>

#include <bit>
#include <cmath>
#include <functional>
#ifdef KOKKOS_ENABLE_CUDA
#include <cuda/std/functional>
#endif

// Items of hunts: numbers and structs of 3 to 64 bytes, with values and operators for them.
namespace perf {

template <class W, int N>
struct words {
  W of[N];

  friend KOKKOS_FUNCTION bool operator==(words const& a, words const& b)
  {
    for (int k = 0; k < N; ++k)
      if (a.of[k] != b.of[k]) return false;
    return true;
  }
};

using u8x3  = words<u8, 3>;
using u32x3 = words<u32, 3>;
using u64x2 = words<u64, 2>;
using u64x3 = words<u64, 3>;
using u64x4 = words<u64, 4>;
using u64x8 = words<u64, 8>;
template <>
inline constexpr char const* type_name<u8x3> = "u8x3";
template <>
inline constexpr char const* type_name<u32x3> = "u32x3";
template <>
inline constexpr char const* type_name<u64x2> = "u64x2";
template <>
inline constexpr char const* type_name<u64x3> = "u64x3";
template <>
inline constexpr char const* type_name<u64x4> = "u64x4";
template <>
inline constexpr char const* type_name<u64x8> = "u64x8";

}  // namespace perf

namespace perf::hunt {

template <class T>
inline constexpr bool is_words = false;
template <class W, int N>
inline constexpr bool is_words<words<W, N>> = true;

/// An item for a number. Items of different numbers differ, as far as T has enough values.
template <class T>
KOKKOS_FUNCTION T from_number(std::uint64_t x)
{
  if constexpr (is_words<T>) {
    T item{};
    for (auto& word : item.of) word = static_cast<std::remove_reference_t<decltype(word)>>(x++);
    return item;
  } else if constexpr (std::is_floating_point_v<T>) return static_cast<T>(x & 0xffffff);
  else return static_cast<T>(x);
}

/// The number of an item, or of its first word.
template <class T>
KOKKOS_FUNCTION std::uint64_t to_number(T const& item)
{
  if constexpr (is_words<T>) return std::uint64_t(item.of[0]);
  else return std::uint64_t(item);
}

/// A value for sums: any integer; for floats a whole number from -8 to 8, so that sums are exact in any order.
template <class T>
T summand(std::uint64_t bits)
{
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(int(bits >> 60) - 8 + int(bits & 1));
  else return from_number<T>(bits);
}

// Operators. Their names are part of the shape.

/// std's, and on CUDA that of CUDA's std.
template <class T>
#ifdef KOKKOS_ENABLE_CUDA
using std_plus = ::cuda::std::plus<T>;
#else
using std_plus = std::plus<T>;
#endif

/// A user's without identity.
struct user_max {
  template <class T>
  KOKKOS_FUNCTION T operator()(T const& a, T const& b) const
  {
    return a < b ? b : a;
  }
};

/// A user's with identity.
struct user_max_with_identity : user_max {
  template <class T>
  KOKKOS_FUNCTION static T identity()
  {
    return onepass::maximum::identity<T>();
  }
};

/// A user's for structs.
struct user_sums {
  template <class W, int N>
  KOKKOS_FUNCTION words<W, N> operator()(words<W, N> const& a, words<W, N> const& b) const
  {
    words<W, N> sums;
    for (int k = 0; k < N; ++k) sums.of[k] = static_cast<W>(a.of[k] + b.of[k]);
    return sums;
  }
};

struct user_sums_with_identity : user_sums {
  template <class T>
  KOKKOS_FUNCTION static T identity()
  {
    return T{};
  }
};

template <class Op>
inline constexpr char const* operator_name = "std::plus";
template <>
inline constexpr char const* operator_name<onepass::plus> = "plus";
template <>
inline constexpr char const* operator_name<user_max> = "user's max";
template <>
inline constexpr char const* operator_name<user_max_with_identity> = "user's max with identity";
template <>
inline constexpr char const* operator_name<user_sums> = "user's sums";
template <>
inline constexpr char const* operator_name<user_sums_with_identity> = "user's sums with identity";

/// The operators that are drawn for T. Not all for every type, since each is compiled for all contenders.
template <class T>
using operators = std::conditional_t<
    is_words<T>, type_list<user_sums, user_sums_with_identity>,
    std::conditional_t<sizeof(T) == 2 || std::is_floating_point_v<T>, type_list<onepass::plus, std_plus<T>, user_max>,
                       type_list<onepass::plus, user_max, user_max_with_identity>>>;

template <class... Op>
std::vector<char const*> operator_names(type_list<Op...>)
{
  return {operator_name<Op>...};
}

/// Calls f(Op{}) for the operator of this name.
template <class First, class... Rest, class F>
void with_operator(type_list<First, Rest...>, std::string const& name, F const& f)
{
  if (name == operator_name<First>) return f(First{});
  if constexpr (sizeof...(Rest) > 0) with_operator(type_list<Rest...>{}, name, f);
}

/// The operator for rivals: their own instead of the library's.
template <class T, class Op>
auto rivals_operator(Op op)
{
  if constexpr (std::is_same_v<Op, onepass::plus>) return std_plus<T>{};
  else return op;
}

/// The value before the first item.
template <class T, class Op>
T start_of(Op)
{
  if constexpr (onepass::has_identity<Op, T>) return static_cast<T>(Op::template identity<T>());
  else return T{};
}

}  // namespace perf::hunt
