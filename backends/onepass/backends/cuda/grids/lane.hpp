// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/bulk.hpp>
#include <onepass/backends/cuda/warp.hpp>
#include <onepass/engine/grids.hpp>
#include <onepass/operators.hpp>

#include <cstring>

namespace onepass::ONEPASS_ABI::backends::cuda {

// What one lane of a warp does for a grid: it handles N neighbouring columns, whose results fill whole 16-byte words.

/// The largest power of two, 16 at most, that divides `bytes`.
constexpr std::size_t widest_word(std::size_t bytes) { return bytes % 16 == 0 ? 16 : bytes & (~bytes + 1); }

/// N neighbouring items, aligned as their size allows.
template <class Item, int N>
struct alignas(widest_word(sizeof(Item) * N)) lane_pack {
  Item of[N];
};

template <class Value, int N>
struct alignas(16) grid_result {
  Value of[N];
};

/// Writes past the caches, since a table is not read at once: 1.5 times as fast as ordinary writes.
template <class T, class Value, int N>
__device__ __forceinline__ void store_past(T* to, grid_result<Value, N> const& result)
{
  constexpr int words = int(sizeof(result) / 16);
  uint4 w[words];
  std::memcpy(w, &result, sizeof w);
#pragma unroll
  for (int i = 0; i < words; ++i) __stcs(reinterpret_cast<uint4*>(to) + i, w[i]);
}

/// Copies `bytes` of 16 bytes into shared memory, and fills the rest with zeros, asynchronously.
__device__ __forceinline__ void copy_16(std::uint32_t to, void const* from, int bytes)
{
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
#else
  char word[16] = {};
  for (int i = 0; i < bytes; ++i) word[i] = static_cast<char const*>(from)[i];
  std::memcpy(__cvta_shared_to_generic(to), word, 16);
#endif
}
__device__ __forceinline__ void copies_arrive()
{
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Prefetches `bytes` bytes into the L2 cache; address and size are multiples of 16.
__device__ __forceinline__ void ask_l2_for([[maybe_unused]] void const* from, [[maybe_unused]] int bytes)
{
  ONEPASS_SM90(asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes));)
}

/// The sum over the lanes before this one.
template <class T>
__device__ __forceinline__ T warp_exclusive_sum(T const& x, int lane)
{
  T const through = warp_inclusive_scan(sum_of<T>{}, x, lane);
  if constexpr (std::is_integral_v<T>) return through - x;
  else {
    T const before = shuffle_up(through, 1);
    return lane ? before : T{};
  }
}

template <class Value>
constexpr int columns_of_lane()
{
  int n = 1;
  while (n * sizeof(Value) % 16 != 0) ++n;
  return n;
}

template <class Program>
struct grid_lane {
  using item  = typename Program::item_type;
  using value = typename Program::value_type;

  static constexpr int N = columns_of_lane<value>();
  using items            = lane_pack<item, N>;
  using piece            = items;  ///< the type of one read of a lane that sums a row

  struct column_sums {
    value of[N] = {};
    __device__ __forceinline__ void add(Program const& program, items const& x)
    {
#pragma unroll
      for (int j = 0; j < N; ++j) of[j] = of[j] + program.value(x.of[j]);
    }
    __device__ __forceinline__ value operator[](int j) const { return of[j]; }
  };

  __device__ __forceinline__ static value total(Program const& program, items const& x)
  {
    value sum = program.value(x.of[0]);
#pragma unroll
    for (int j = 1; j < N; ++j) sum = sum + program.value(x.of[j]);
    return sum;
  }

  /// to[j] += x[0] + ... + x[j].
  __device__ __forceinline__ static void add_through(Program const& program, items const& x, value (&to)[N])
  {
    value sum = program.value(x.of[0]);
    to[0]     = to[0] + sum;
#pragma unroll
    for (int j = 1; j < N; ++j) {
      sum   = sum + program.value(x.of[j]);
      to[j] = to[j] + sum;
    }
  }

  /// For two rows, the sums of the lanes before this one.
  __device__ __forceinline__ static void before_lane(Program const& program, items const& x, items const& y, int lane,
                                                     value& of_x, value& of_y)
  {
    of_x = warp_exclusive_sum(total(program, x), lane);
    of_y = warp_exclusive_sum(total(program, y), lane);
  }
};

/// For bytes summed into 32 bits as they are: four at a time by dot products, and two rows packed in one word, since
/// 128 bytes of a row add up to less than 2^16.
template <class Program>
concept sums_bytes =
    Program::plain && std::same_as<typename Program::item_type,
                                   std::uint8_t> && std::same_as<typename Program::value_type, std::uint32_t>;

template <sums_bytes Program>
struct grid_lane<Program> {
  using value = std::uint32_t;

  static constexpr int N = 4;
  using items            = std::uint32_t;  ///< four bytes
  using piece            = uint4;

  /// Sums of at most 257 rows.
  struct column_sums {
    std::uint32_t even = 0, odd = 0;
    __device__ __forceinline__ void add(Program const&, items x)
    {
      even += x & 0xff00ffu;
      odd += x >> 8 & 0xff00ffu;
    }
    __device__ __forceinline__ value operator[](int j) const { return (j % 2 ? odd : even) >> (j / 2 * 16) & 0xffffu; }
  };

  __device__ __forceinline__ static value total(Program const&, items x) { return __dp4a(x, 0x01010101u, 0u); }
  __device__ __forceinline__ static value total(Program const&, uint4 const& x)
  {
    constexpr unsigned ones = 0x01010101u;
    return __dp4a(x.x, ones, __dp4a(x.y, ones, __dp4a(x.z, ones, __dp4a(x.w, ones, 0u))));
  }

  __device__ __forceinline__ static void add_through(Program const&, items x, value (&to)[N])
  {
    to[0] = __dp4a(x, 0x00000001u, to[0]);
    to[1] = __dp4a(x, 0x00000101u, to[1]);
    to[2] = __dp4a(x, 0x00010101u, to[2]);
    to[3] = __dp4a(x, 0x01010101u, to[3]);
  }

  __device__ __forceinline__ static void before_lane(Program const& program, items x, items y, int lane, value& of_x,
                                                     value& of_y)
  {
    auto const both = warp_exclusive_sum(total(program, x) | total(program, y) << 16, lane);
    of_x            = both & 0xffffu;
    of_y            = both >> 16;
  }
};

}  // namespace onepass::ONEPASS_ABI::backends::cuda
