// SPDX-License-Identifier: Apache-2.0
// The kernels of sorts by a comparator, by CUDA's blocks and by Kokkos' teams.
#include <onepass/merge_sort.hpp>

template <class T>
using items = Kokkos::View<T*, Kokkos::CudaSpace>;

struct wide {
  std::uint64_t words[8];
  ONEPASS_FUNCTION friend bool operator<(wide const& a, wide const& b) { return a.words[0] < b.words[0]; }
};

void of_words(Kokkos::Cuda const& exec, items<std::uint32_t> in, items<std::uint32_t> out)
{
  onepass::merge_sort(exec, in, out);
  onepass::merge_sort(onepass::portably(exec), in, out);
}

void with_values(Kokkos::Cuda const& exec, items<double> keys, items<std::uint32_t> values)
{
  onepass::merge_sort_by_key(exec, keys, values, keys, values);
}

void of_bytes(Kokkos::Cuda const& exec, items<std::uint8_t> in, items<std::uint8_t> out)
{
  onepass::merge_sort(exec, in, out);
}

void of_64_bytes(Kokkos::Cuda const& exec, items<wide> in, items<wide> out) { onepass::merge_sort(exec, in, out); }
