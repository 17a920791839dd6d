// SPDX-License-Identifier: Apache-2.0
// A polynomial of a million coefficients at one point, modulo a prime, in one pass over the coefficients: neighbouring
// pieces are joined to longer ones, and joining is associative.
#include <onepass/reduce.hpp>

#include <cstdio>

constexpr std::uint64_t prime = 2147483647;  // 2^31 - 1: products fit 64 bits

/// Coefficients c(i), ..., c(j-1): their value at x, from x^0 on, and x^(j-i).
struct piece {
  std::uint64_t value, power;
};

struct joined {
  KOKKOS_FUNCTION piece operator()(piece const& lower, piece const& higher) const
  {
    return {(lower.value + lower.power * higher.value) % prime, lower.power * higher.power % prime};
  }
};

/// A coefficient as a piece of length one.
struct as_piece {
  std::uint64_t x;
  KOKKOS_FUNCTION piece operator()(std::uint32_t coefficient) const { return {coefficient % prime, x}; }
};

int main(int argc, char** argv)
{
  using exec_space = Kokkos::DefaultExecutionSpace;
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;
  int const n           = 1'000'000;
  std::uint64_t const x = 123456789;

  Kokkos::View<std::uint32_t*, exec_space> coefficients("coefficients", n);
  Kokkos::parallel_for(
      "coefficients", Kokkos::RangePolicy<exec_space>(exec, 0, n),
      KOKKOS_LAMBDA(int i) { coefficients(i) = std::uint32_t(i) * 2654435761u; });

  Kokkos::View<piece, exec_space> result("result");
  onepass::transform_reduce(exec, coefficients, result, as_piece{x}, joined{}, piece{0, 1});

  auto const got       = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result);
  auto const c         = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), coefficients);
  std::uint64_t horner = 0;
  for (int i = n - 1; i >= 0; --i) horner = (horner * x + c(i)) % prime;
  if (got().value != horner) {
    std::printf("the value is %llu, not %llu\n", static_cast<unsigned long long>(horner),
                static_cast<unsigned long long>(got().value));
    return 1;
  }
  std::printf("p(%llu) = %llu (mod 2^31 - 1)\n", static_cast<unsigned long long>(x),
              static_cast<unsigned long long>(horner));
  return 0;
}
