// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>
#include <onepass/portability.hpp>

#include <Kokkos_Complex.hpp>
#include <Kokkos_NumericTraits.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace onepass::ONEPASS_ABI {

/// Kokkos' 16-bit floats.
template <class T>
concept short_float =
    std::is_same_v<T, Kokkos::Experimental::half_t> || std::is_same_v<T, Kokkos::Experimental::bhalf_t>;

/// Types with the arithmetic of numbers: C++'s own, and Kokkos' 16-bit floats.
template <class T>
concept number = std::is_arithmetic_v<T> || short_float<T>;

template <class T>
struct is_complex : std::false_type {};
template <class T>
struct is_complex<Kokkos::complex<T>> : std::true_type {};

/// The widest unsigned integers that there are.
#ifdef __SIZEOF_INT128__
using widest_unsigned = unsigned_128;
#else
using widest_unsigned = std::uint64_t;
#endif

/// The type in which integers of type T are added and multiplied so that they wrap: unsigned, and never narrower than
/// int.
template <class T>
using wrapping =
    std::conditional_t<!std::is_integral_v<T>, T,
                       std::conditional_t<sizeof(T) <= 4, std::uint32_t,
                                          std::conditional_t<sizeof(T) <= 8, std::uint64_t, widest_unsigned>>>;

// An operator is a default-constructible function object (older, newer) -> T that is associative. It need not be
// commutative. Its neutral value, if it has one, is the static member template `identity<T>()`; without one it works as
// well, at the price of a flag per value (see monoid). If scans without an init are not to begin with the neutral
// value, the static member template `initial<T>()` says with what. A commutative operator may declare
// `commutes = true`; backends may then also swap its operands.

/// a + b, rounded or wrapped to T. Neutral: the zero that changes no bit of the other operand (-0.0 for floats).
struct plus {
  static constexpr bool commutes = true;

  template <class T>
  ONEPASS_FUNCTION constexpr T operator()(T const& a, T const& b) const
  {
    return static_cast<T>(wrapping<T>(a) + wrapping<T>(b));
  }

  template <class T>
    requires(number<T> || is_complex<T>::value)
  ONEPASS_FUNCTION static constexpr T identity()
  {
    if constexpr (is_complex<T>::value) return T(-0.0, -0.0);
    else if constexpr (std::is_integral_v<T>) return T(0);
    else return T(-0.0f);
  }

  /// What an exclusive scan begins with, and what a reduction of nothing gives: +0.0, as those of std do.
  template <class T>
    requires(std::is_floating_point_v<T> || short_float<T> || is_complex<T>::value)
  ONEPASS_FUNCTION static constexpr T initial() { return T(0.0f); }
};

/// a * b, rounded or wrapped to T.
struct multiplies {
  static constexpr bool commutes = true;

  template <class T>
  ONEPASS_FUNCTION constexpr T operator()(T const& a, T const& b) const
  {
    return static_cast<T>(wrapping<T>(a) * wrapping<T>(b));
  }

  template <class T>
    requires(number<T> || is_complex<T>::value)
  ONEPASS_FUNCTION static constexpr T identity() { return T(1.0f); }
};

/// The smaller operand, or the older one where they are equal; machines may swap them, and so give either of two zeros.
/// With NaNs it does not associate.
struct minimum {
  static constexpr bool commutes = true;

  template <class T>
  ONEPASS_FUNCTION constexpr T operator()(T const& a, T const& b) const
  {
    return b < a ? b : a;
  }

  template <class T>
    requires(std::is_arithmetic_v<T>)
  ONEPASS_FUNCTION static constexpr T identity()
  {
    if constexpr (std::is_floating_point_v<T>) return Kokkos::Experimental::infinity_v<T>;
    else return Kokkos::Experimental::finite_max_v<T>;
  }
};

/// The larger operand, or the older one where they are equal; machines may swap them, and so give either of two zeros.
/// With NaNs it does not associate.
struct maximum {
  static constexpr bool commutes = true;

  template <class T>
  ONEPASS_FUNCTION constexpr T operator()(T const& a, T const& b) const
  {
    return a < b ? b : a;
  }

  template <class T>
    requires(std::is_arithmetic_v<T>)
  ONEPASS_FUNCTION static constexpr T identity()
  {
    if constexpr (std::is_floating_point_v<T>) return -Kokkos::Experimental::infinity_v<T>;
    else return Kokkos::Experimental::finite_min_v<T>;
  }
};

struct bit_and {
  static constexpr bool commutes = true;

  template <std::integral T>
  ONEPASS_FUNCTION constexpr T operator()(T const& a, T const& b) const
  {
    return static_cast<T>(a & b);
  }
  template <std::integral T>
  ONEPASS_FUNCTION static constexpr T identity()
  {
    return static_cast<T>(~wrapping<T>(0));
  }
};

struct bit_or {
  static constexpr bool commutes = true;

  template <std::integral T>
  ONEPASS_FUNCTION constexpr T operator()(T const& a, T const& b) const
  {
    return static_cast<T>(a | b);
  }
  template <std::integral T>
  ONEPASS_FUNCTION static constexpr T identity()
  {
    return T(0);
  }
};

struct bit_xor {
  static constexpr bool commutes = true;

  template <std::integral T>
  ONEPASS_FUNCTION constexpr T operator()(T const& a, T const& b) const
  {
    return static_cast<T>(a ^ b);
  }
  template <std::integral T>
  ONEPASS_FUNCTION static constexpr T identity()
  {
    return T(0);
  }
};

/// Leaves a value as it is.
struct unchanged {
  template <class T>
  ONEPASS_FUNCTION constexpr T const& operator()(T const& x) const
  {
    return x;
  }
};

/// a - b, rounded or wrapped to T. It does not associate: adjacent_difference takes it, scans and reductions do not.
struct minus {
  template <class T>
  ONEPASS_FUNCTION constexpr T operator()(T const& a, T const& b) const
  {
    return static_cast<T>(wrapping<T>(a) - wrapping<T>(b));
  }
};

/// Order by <, and NaNs behind all numbers, equal to each other, so that floats are ordered whatever they are.
struct less {
  template <class T>
  ONEPASS_FUNCTION constexpr bool operator()(T const& a, T const& b) const
  {
    if constexpr (std::is_floating_point_v<T> || short_float<T>) return a < b || (a == a && b != b);
    else return a < b;
  }
};

/// Equality by ==.
struct equal_to {
  template <class T>
  ONEPASS_FUNCTION constexpr bool operator()(T const& a, T const& b) const
  {
    return a == b;
  }
};

/// Whether F, applied to a T, runs no code of the user and is cheap, so that a backend may apply it again instead of
/// keeping the result.
template <class F, class T>
constexpr bool repeatable = false;
template <class T>
constexpr bool repeatable<unchanged, T> = true;
template <class T>
constexpr bool repeatable<equal_to, T> = std::is_arithmetic_v<T>;

// clang-format off
template <class Op, class T>
concept has_identity = requires { { Op::template identity<T>() } -> std::convertible_to<T>; };
// clang-format on

template <class Op>
concept commuting = requires
{
  requires std::bool_constant<Op::commutes>::value;
};

// clang-format off
template <class Op, class T>
concept operator_over = requires(Op const op, T const& a, T const& b) { { op(a, b) } -> std::convertible_to<T>; };
// clang-format on

/// A value, or nothing yet.
template <class T>
struct maybe {
  T value;
  bool present;
};

/// An operator completed by a neutral value: its own, or "nothing yet" where it has none. The user's operator is never
/// called with a value that no item made.
template <class Op, class T>
struct monoid {
  static constexpr bool complete    = has_identity<Op, T>;
  static constexpr bool commutes    = commuting<Op>;
  static constexpr bool has_initial = requires { Op::template initial<T>(); };
  using type                        = std::conditional_t<complete, T, maybe<T>>;
  using aggregate_type              = type;
  using value_type                  = T;

  Op op;

  ONEPASS_FUNCTION static type identity()
  {
    if constexpr (complete) return Op::template identity<T>();
    else return type{T{}, false};
  }
  /// What precedes all items where the caller gives no init.
  ONEPASS_FUNCTION static type initial()
  {
    if constexpr (has_initial) return Op::template initial<T>();
    else return identity();
  }
  ONEPASS_FUNCTION static type lift(T const& value)
  {
    if constexpr (complete) return value;
    else return type{value, true};
  }
  ONEPASS_FUNCTION static T const& value(type const& x)
  {
    if constexpr (complete) return x;
    else return x.value;
  }
  ONEPASS_FUNCTION static bool has_value([[maybe_unused]] type const& x)
  {
    if constexpr (complete) return true;
    else return x.present;
  }
  ONEPASS_FUNCTION type combine(type const& older, type const& newer) const
  {
    if constexpr (complete) return static_cast<T>(op(older, newer));
    else {
      KOKKOS_IF_ON_DEVICE((return combine_in_warp(older, newer);))
      KOKKOS_IF_ON_HOST((if (!older.present) return newer; if (!newer.present) return older;
                         return type{static_cast<T>(op(older.value, newer.value)), true};))
    }
  }
  /// The same of values that are there: a loop over items that asks for none whether one was before keeps them in
  /// registers, and may have vectors.
  ONEPASS_FUNCTION T combine_values(T const& older, T const& newer) const { return static_cast<T>(op(older, newer)); }

private:
  /// The same as combine() by one branch, at which lanes of a warp part.
  ONEPASS_FUNCTION type combine_in_warp(type const& older, type const& newer) const requires(!complete)
  {
    type x = older.present ? older : newer;
    if (older.present && newer.present) x.value = static_cast<T>(op(older.value, newer.value));
    return x;
  }
};

/// Addition, for scans that a backend itself needs.
template <class T>
struct sum_of {
  ONEPASS_FUNCTION T combine(T a, T b) const { return a + b; }
  ONEPASS_FUNCTION static T identity() { return 0; }
};

}  // namespace onepass::ONEPASS_ABI
