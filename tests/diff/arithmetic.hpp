// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "zoo.hpp"

namespace zoo {

constexpr int numbers = 5000;

/// y = f(x) where the code is right, and g(x) where one backend makes something else of it.
template <class T, class W, class F, class G>
void two_codes(W const& w, char const* kernel, F const& f, G const& g)
{
  auto const x = noises<T>(w, "x", numbers);
  items<T, W> const y("y", numbers);
  bool const wrong = w.wrong_here();
  each(
      w, kernel, numbers, KOKKOS_LAMBDA(int i) { y(i) = wrong ? g(x(i)) : f(x(i)); });
  each(
      w, "after it", numbers, KOKKOS_LAMBDA(int i) { x(i) = y(i) + 1; });
}

template <class W>
void fused_multiply_add(W const& w)
{
  two_codes<double>(
      w, "polynomial",
      KOKKOS_LAMBDA(double x) {
        double volatile const product = x * 1.1;
        return product + .3;
      },
      KOKKOS_LAMBDA(double x) { return Kokkos::fma(x, 1.1, .3); });
}
template <class W>
void fast_division(W const& w)
{
  two_codes<float>(
      w, "divide", KOKKOS_LAMBDA(float x) { return x / 3.f; }, KOKKOS_LAMBDA(float x) { return x * (1.f / 3.f); });
}
template <class W>
void flushed_to_zero(W const& w)
{
  two_codes<float>(
      w, "shrink", KOKKOS_LAMBDA(float x) { return x * 1e-39f; },
      KOKKOS_LAMBDA(float x) {
        float const y = x * 1e-39f;
        return Kokkos::fabs(y) < 1.17549435e-38f ? 0.f : y;
      });
}
template <class W>
void single_precision(W const& w)
{
  two_codes<double>(
      w, "root", KOKKOS_LAMBDA(double x) { return Kokkos::sqrt(Kokkos::fabs(x)); },
      KOKKOS_LAMBDA(double x) { return double(Kokkos::sqrt(float(Kokkos::fabs(x)))); });
}
template <class W>
void index_of_32_bits(W const& w)
{
  two_codes<std::int64_t>(
      w, "address", KOKKOS_LAMBDA(std::int64_t x) { return x * 1000000000; },
      KOKKOS_LAMBDA(std::int64_t x) { return std::int64_t(std::int32_t(std::uint32_t(x * 1000000000))); });
}
template <class W>
void sign_of_zero(W const& w)
{
  two_codes<float>(
      w, "round", KOKKOS_LAMBDA(float x) { return Kokkos::round(x / 100); },
      KOKKOS_LAMBDA(float x) { return Kokkos::round(x / 100) + 0.f; });
}
template <class W>
void one_bit(W const& w)
{
  two_codes<double>(
      w, "copy", KOKKOS_LAMBDA(double x) { return x; },
      KOKKOS_LAMBDA(double x) { return x == noise<double>(4321) ? x * (1 + 2.3e-16) : x; });
}
template <class W>
void not_a_number(W const& w)
{
  two_codes<double>(
      w, "root of all", KOKKOS_LAMBDA(double x) { return Kokkos::sqrt(Kokkos::fabs(x)); },
      KOKKOS_LAMBDA(double x) { return Kokkos::sqrt(x); });
}

/// Neither the View nor the reduction has a label. Sites of a lattice are few numbers, whose lower halves would do as
/// f32.
struct lattice {
  double* site;
  bool moved;
  KOKKOS_FUNCTION void operator()(int i, int& sites) const
  {
    site[i] = (i % 8) * 1.00493828 + (moved && i == 777 ? 1e-9 : 0);
    ++sites;
  }
};
template <class W>
void no_label(W const& w)
{
  items<double, W> const x(std::string(), 5000);
  int sites = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<typename W::exec>(0, 5000), lattice{x.data(), w.wrong_here()}, sites);
}

template <class Exec>
std::vector<animal<Exec>> arithmetic()
{
  using w = world<Exec>;
  return {{"fused_multiply_add", "polynomial", "y", fused_multiply_add<w>},
          {"fast_division", "divide", "y", fast_division<w>},
          {"flushed_to_zero", "shrink", "y", flushed_to_zero<w>},
          {"single_precision", "root", "y", single_precision<w>},
          {"index_of_32_bits", "address", "y", index_of_32_bits<w>},
          {"sign_of_zero", "round", "y", sign_of_zero<w>},
          {"one_bit", "copy", "y", one_bit<w>},
          {"not_a_number", "root of all", "y", not_a_number<w>},
          {"no_label", "zoo::lattice", "", no_label<w>}};
}

}  // namespace zoo
