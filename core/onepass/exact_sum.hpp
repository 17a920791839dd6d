// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/exact_digits.hpp>
#include <onepass/extent.hpp>
#include <onepass/portability.hpp>

#include <Kokkos_MathematicalFunctions.hpp>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>

namespace onepass::ONEPASS_ABI {

/// s = a + b rounded; returns what s lacks, without rounding (NaN if s is not finite). Either may be a product: it is
/// rounded before, since no compiler fuses it with these sums.
///
/// Source: Knuth 1997; see docs/references.md.
ONEPASS_FUNCTION double error_of_sum(double a, double b, double& s)
{
  ONEPASS_AS_WRITTEN
#ifdef __CUDA_ARCH__
  s              = __dadd_rn(a, b);
  double const v = __dsub_rn(s, a);
  return __dadd_rn(__dsub_rn(a, __dsub_rn(s, v)), __dsub_rn(b, v));
#else
  a = unfused(a), b = unfused(b);
  s              = a + b;
  double const v = s - a;
  return (a - (s - v)) + (b - v);
#endif
}

/// A sum of floats without rounding: three doubles whose sum it is. A sum that three doubles can not be holds a NaN,
/// and so do sums of infinities and NaNs: such a sum has to be made again by digits (long_sum). So whether a sum is
/// held may depend on the order of its items, but no bit of it does.
///
/// Source: Shewchuk 1997; see docs/references.md.
struct held_sum {
  static constexpr int parts = 3;  ///< 159 bits

  double part[parts];  ///< in no order

  held_sum() = default;
  /// The sum of one item.
  ONEPASS_FUNCTION explicit constexpr held_sum(double x)
      : part{x, 0, 0}
  {}
  /// The sum of two, of which the second may be what rounding took of the first.
  ONEPASS_FUNCTION constexpr held_sum(double x, double rest)
      : part{x, rest, 0}
  {}

  /// Adds x. Calls rest(y) with what is left over, if anything is.
  template <class Rest>
  ONEPASS_FUNCTION void add(double x, Rest const& rest)
  {
    ONEPASS_UNROLL for (int k = 0; k < parts; ++k)
    {
      double s;
      x       = error_of_sum(part[k], x, s);
      part[k] = s;
      if (x == 0) return;
    }
    rest(x);
  }
  /// Adds x, or notes that the sum is not held any more.
  ONEPASS_FUNCTION void add(double x)
  {
    add(x, [this](double) { part[parts - 1] = Kokkos::Experimental::quiet_NaN_v<double>; });
  }
  /// The same, to the last of the three, where the others have been tried.
  ONEPASS_FUNCTION void add_last(double x)
  {
    double s;
    bool const held = error_of_sum(part[parts - 1], x, s) == 0;
    part[parts - 1] = held ? s : Kokkos::Experimental::quiet_NaN_v<double>;
  }

  /// The sum rounded once, to nearest even; +0.0 if it is zero; NaN if it is not held.
  template <std::floating_point Float>
  ONEPASS_FUNCTION explicit operator Float() const
  {
    ONEPASS_AS_WRITTEN
    double s = part[0], t = part[1], f = part[2];
    for (int k = 0; k < 4; ++k) {  // the largest first; each no more than half a unit of the one before
      f = error_of_sum(t, f, t);
      t = error_of_sum(s, t, s);
    }
    f = error_of_sum(t, f, t);
    if (!(t == t && f == f)) return Kokkos::Experimental::quiet_NaN_v<Float>;
    if constexpr (sizeof(Float) == 8) {
      // s is the nearest double of s + t; where t is half a unit, f decides.
      double const twice = 2 * t, other = s + twice;
      if (other - s == twice && ((t > 0 && f > 0) || (t < 0 && f < 0))) s = other;
      return s + 0.0;
    } else {
      // The last bit of s says that something follows, so that rounding s once more is rounding once.
      std::uint64_t bits;
      std::memcpy(&bits, &s, sizeof bits);
      if (t != 0 && (bits & 1) == 0) bits += (t > 0) == (s > 0) ? std::uint64_t(1) : ~std::uint64_t(0);
      std::memcpy(&s, &bits, sizeof bits);
      return s == 0 ? Float(0) : Float(s);
    }
  }
};

/// The same by two doubles: a sum rounded to nearest, and what rounding took of it. Together they are rounded once.
struct held_pair {
  double sum, rest = -0.0;  ///< nothing has been added yet to a rest of -0.0

  /// Adds x. Calls more(y) with what is left over, if anything is.
  template <class More>
  void add(double x, More const& more)
  {
    double left = error_of_sum(sum, x, sum);
    if (left == 0) {         // as of most whole numbers
      rest += unknown(0.0);  // -0.0 becomes 0.0; compilers leave out a sum with a zero that they know
      return;
    }
    left = error_of_sum(rest, left, rest);
    if (left != 0) more(left);
  }
  bool is_new() const { return std::bit_cast<std::uint64_t>(rest) == std::bit_cast<std::uint64_t>(-0.0); }

  /// The sum rounded once, to nearest even; +0.0 if it is zero and something was added.
  template <std::floating_point Float>
  explicit operator Float() const
  {
    if (sizeof(Float) == sizeof(double) || rest == 0) return Float(sum + rest);
    return Float(held_sum(sum, rest));
  }
};

/// The operator by which sums are held.
struct hold_plus {
  static constexpr bool commutes = true;

  ONEPASS_FUNCTION held_sum operator()(held_sum a, held_sum const& b) const
  {
    ONEPASS_UNROLL for (int k = 0; k < held_sum::parts; ++k) if (b.part[k] != 0) a.add(b.part[k]);
    return a;
  }
  /// Adds N sums at once. Each of the three doubles takes what it can of all N before the next does: threads of a warp
  /// part once, where one has something left over, and not N times.
  template <int N>
  ONEPASS_FUNCTION static held_sum all(held_sum a, held_sum const (&b)[N])
  {
    double left[N], rest[2 * N];
    bool any = false, more = false;
    ONEPASS_UNROLL for (int n = 0; n < N; ++n)
    {
      left[n] = error_of_sum(a.part[0], b[n].part[0], a.part[0]);
      any |= left[n] != 0 || b[n].part[1] != 0 || b[n].part[2] != 0;
    }
    if (any) {
      ONEPASS_UNROLL for (int n = 0; n < N; ++n)
      {
        rest[2 * n]     = error_of_sum(a.part[1], left[n], a.part[1]);
        rest[2 * n + 1] = b[n].part[1] != 0 ? error_of_sum(a.part[1], b[n].part[1], a.part[1]) : 0;
        more |= rest[2 * n] != 0 || rest[2 * n + 1] != 0 || b[n].part[2] != 0;
      }
      if (more) ONEPASS_UNROLL for (int n = 0; n < N; ++n)
        {
          if (rest[2 * n] != 0) a.add_last(rest[2 * n]);
          if (rest[2 * n + 1] != 0) a.add_last(rest[2 * n + 1]);
          if (b[n].part[2] != 0) a.add(b[n].part[2]);
        }
    }
    return a;
  }
  template <class T>
    requires(std::is_same_v<T, held_sum>)
  ONEPASS_FUNCTION static constexpr T identity() { return held_sum(0.0); }
};

/// x * y + z, rounded once. Where clang may regroup sums it takes two operations for one that the processor does not
/// have, if it knows what is called.
ONEPASS_FUNCTION double fused(double x, double y, double z)
{
#if defined(__clang__) && defined(__x86_64__) && !defined(__FMA__) && !defined(__CUDA_ARCH__)
  auto* call = static_cast<double (*)(double, double, double)>(std::fma);
  asm("" : "+r"(call));
  return call(x, y, z);
#else
  return Kokkos::fma(x, y, z);
#endif
}

/// What is exact about x * y: the product and what rounding took of it, or a sum that is not held where that is not a
/// float, since the product overflows or its error is too small.
ONEPASS_FUNCTION held_sum held_product(double x, double y)
{
  double const p = x * y, e = fused(x, y, -p), size = Kokkos::fabs(p);
  bool const held = (size >= 0x1p-960 || x == 0 || y == 0) && size <= Kokkos::Experimental::finite_max_v<double>;
  return {p, held ? e : Kokkos::Experimental::quiet_NaN_v<double>};
}

/// A product that is added to digits.
struct float_product {
  double x, y;
};

/// A sum of any floats, or of any products of two floats, as a value: digits, and which infinities and NaNs there were.
/// Sums combine in any order and to the same digits. Equal sums are equal bytes once they are settled.
template <bool OfProducts = false>
struct long_sum {
  static constexpr int lowest = OfProducts ? product_lowest : sum_lowest;
  static constexpr int digits = OfProducts ? product_digits : sum_digits;
  static constexpr int words  = digits + 1;

  std::int64_t word[words];  ///< digits; in the last one, bits of `special`

  /// What is no number.
  enum special : std::int64_t { none = 0, positive_infinity = 1, negative_infinity = 2, not_a_number = 4 };

  /// Nothing added yet.
  ONEPASS_FUNCTION static long_sum zero()
  {
    long_sum z;
    ONEPASS_NO_UNROLL for (int w = 0; w < words; ++w) z.word[w] = 0;
    return z;
  }

  /// Calls add_digit(which, digit) for the digits of x, or note(special) if it has none.
  template <class AddDigit, class Note>
  ONEPASS_FUNCTION static void put(double x, AddDigit const& add_digit, Note const& note)
  {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    auto const split = split_f64(bits);
    if (split.mantissa != 0) put_digits(split.mantissa, split.exponent - 1 - 1074 - lowest, split.negative, add_digit);
    else if (split.exponent == 0) note(x != x ? not_a_number : x > 0 ? positive_infinity : negative_infinity);
  }
  /// The same of a product.
  template <class AddDigit, class Note>
    requires(OfProducts)
  ONEPASS_FUNCTION static void put(float_product const& p, AddDigit const& add_digit, Note const& note)
  {
    std::uint64_t a, b;
    std::memcpy(&a, &p.x, sizeof a);
    std::memcpy(&b, &p.y, sizeof b);
    auto const x = split_f64(a), y = split_f64(b);
    if (x.exponent == 0 || y.exponent == 0) return put(p.x * p.y, add_digit, note);  // an infinity or NaN
    if (x.mantissa == 0 || y.mantissa == 0) return;
    auto const product  = static_cast<unsigned_128>(x.mantissa) * y.mantissa;
    int const at        = x.exponent + y.exponent - 2;
    bool const negative = x.negative != y.negative;
    put_digits(std::uint64_t(product), at, negative, add_digit);
    put_digits(std::uint64_t(product >> 64), at + 64, negative, add_digit);
  }

  /// Adds a float or a product.
  template <class Number>
  ONEPASS_FUNCTION void add(Number const& x)
  {
    put(
        x, [this](int d, std::int64_t digit) { word[d] += digit; }, [this](std::int64_t s) { word[digits] |= s; });
  }
  /// Adds all that another sum has. Of 2^31 sums that are not settled, words may overflow.
  ONEPASS_FUNCTION void combine(long_sum const& other)
  {
    ONEPASS_NO_UNROLL for (int d = 0; d < digits; ++d) word[d] += other.word[d];
    word[digits] |= other.word[digits];
  }
  /// Moves carries, so that 2^31 more digits may be added.
  ONEPASS_FUNCTION void settle() { carry_digits(word, digits); }

  /// The sum rounded once, to nearest even: +0.0 if it is zero, an infinity if it is too large or had one, NaN if it
  /// had one or infinities of both signs.
  template <std::floating_point Float>
  ONEPASS_FUNCTION Float round_to() const
  {
    auto copy = *this;
    return copy.template rounded_away<Float>();
  }
  /// The same; the digits are changed.
  template <std::floating_point Float>
  ONEPASS_FUNCTION Float rounded_away()
  {
    auto const s = word[digits];
    if (s >= not_a_number || s == (positive_infinity | negative_infinity))
      return Kokkos::Experimental::quiet_NaN_v<Float>;
    if (s == positive_infinity) return Kokkos::Experimental::infinity_v<Float>;
    if (s == negative_infinity) return -Kokkos::Experimental::infinity_v<Float>;
    return round_digits<Float>(word, digits, lowest);
  }
};

}  // namespace onepass::ONEPASS_ABI
