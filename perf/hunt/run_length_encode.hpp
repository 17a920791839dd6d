// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "harness/loops.hpp"
#include "rivals.hpp"
#include "runs.hpp"

#include <onepass/run_length.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_run_length_encode.cuh>
#endif

namespace perf::hunt {

template <class T>
void make_run_length_encode(trial& t, std::int64_t n, runs const& all, std::int64_t in_begin, std::int64_t out_begin)
{
  auto const items = all.items<T>(n);
  std::vector<T> wanted(items.size());
  std::vector<std::uint32_t> wanted_lengths(items.size());
  auto const found = encode_by_loop(items.data(), n, wanted.data(), wanted_lengths.data());
  wanted.resize(std::size_t(found)), wanted_lengths.resize(std::size_t(found));
  auto const in      = t.input(items, in_begin);
  auto const symbols = t.output(wanted, n, out_begin);
  auto const lengths = t.output(wanted_lengths, n);
  auto const count   = t.count(found);

  enter_onepass(t, [=](auto const& place) { onepass::run_length_encode(place, in, symbols, lengths, count.here); });
  auto const* const first = in.data();
#ifdef KOKKOS_ENABLE_CUDA
  enter_cub(t, [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    cub::DeviceRunLengthEncode::Encode(storage, bytes, first, symbols.data(), lengths.data(), count.here.data(), int(n),
                                       stream);
  });
#else
  t.enter("loop", [=] { count.told() = encode_by_loop(first, n, symbols.data(), lengths.data()); });
#endif
}

template <class T>
drawn draw_run_length_encode(dice const& d)
{
  return drawn_for<runs>(d, 3 * sizeof(T) + 8, make_run_length_encode<T>);
}

}  // namespace perf::hunt
