// SPDX-License-Identifier: Apache-2.0
// The kernels of selection by rank, by CUDA's blocks and by Kokkos' teams.
#include <onepass/top_k.hpp>

template <class T>
using items = Kokkos::View<T*, Kokkos::CudaSpace>;
template <class T>
using single = Kokkos::View<T, Kokkos::CudaSpace>;

void first(Kokkos::Cuda const& exec, items<float> in, items<float> keys, items<std::uint32_t> indices)
{
  onepass::top_k(exec, in, 100, keys, indices);
  onepass::top_k(onepass::portably(exec), in, 100, keys, indices);
}

void of_words(Kokkos::Cuda const& exec, items<std::uint64_t> in, single<std::uint64_t> key, single<std::int64_t> index)
{
  onepass::select_kth(exec, in, 100, key, index);
}

void of_bytes(Kokkos::Cuda const& exec, items<std::uint8_t> in, items<std::uint8_t> keys)
{
  onepass::top_k(exec, in, 100, keys);
}

template <class T>
using rows = Kokkos::View<T**, Kokkos::CudaSpace>;

void of_rows(Kokkos::Cuda const& exec, rows<float> in, rows<float> keys, rows<std::uint32_t> columns, onepass::extent k)
{
  onepass::top_k(exec, in, k, keys, columns);
}
