// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/version.hpp>

#include <Kokkos_Complex.hpp>
#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <thread>
#include <type_traits>

// An enclosing project brings a Kokkos that CMake has not asked for its version.
#if KOKKOS_VERSION < 40700 || KOKKOS_VERSION >= 60000
#error "onepass needs Kokkos 4.7 up to, not including, 6"
#endif

/// Marks a function that runs on host and device.
#define ONEPASS_FUNCTION KOKKOS_FORCEINLINE_FUNCTION

/// Unrolls the loop that follows; its bounds must be compile-time constants. ONEPASS_ROLLED leaves loops as they are:
/// unrolled code under sanitizers takes many minutes to compile.
#if defined(__CUDA_ARCH__) || (defined(__clang__) && !defined(ONEPASS_ROLLED))
#define ONEPASS_UNROLL _Pragma("unroll")
#else
#define ONEPASS_UNROLL
#endif

/// Does not unroll the loop that follows, which a device's compiler would do and run out of registers.
#if defined(__CUDA_ARCH__)
#define ONEPASS_NO_UNROLL _Pragma("unroll 1")
#else
#define ONEPASS_NO_UNROLL
#endif

/// Tells the compiler that a condition holds.
#if defined(__CUDA_ARCH__) || defined(__clang__)
#define ONEPASS_ASSUME(condition) __builtin_assume(condition)
#else
#define ONEPASS_ASSUME(condition) ((condition) ? void(0) : __builtin_unreachable())
#endif

/// Begins a function of which no compiler regroups the sums: clang does with -fassociative-math or
/// -funsafe-math-optimizations, of which it defines no macro.
#if defined(__clang__)
#define ONEPASS_AS_WRITTEN _Pragma("clang fp reassociate(off)")
#else
#define ONEPASS_AS_WRITTEN
#endif

namespace onepass::ONEPASS_ABI {

/// Whether the space's threads are host threads. Its teams then have one thread each.
template <class Exec>
inline constexpr bool on_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;

/// Whether what a space is given to run has ended when the launch returns, and may refer to variables of the caller.
/// Host spaces that do not wait are named in backends/select.hpp.
template <class Exec>
inline constexpr bool runs_at_once = on_host<Exec>;

/// What a host thread does between two polls of a word that another thread will write: it pauses for a moment, and
/// after many turns yields its core, since the other thread may be waiting for that core.
inline void wait_a_turn(int turn)
{
  if (turn >= 1000) std::this_thread::yield();
#if defined(__x86_64__) && !defined(__CUDA_ARCH__)
  else __builtin_ia32_pause();
#endif
}

/// Returns the word, with uninitialised bytes (a struct's padding) fixed to some value: otherwise a compiler may treat
/// the whole word, and all that is computed from it, as undefined.
ONEPASS_FUNCTION std::uint32_t settled(std::uint32_t word)
{
#if defined(__GNUC__) || defined(__CUDA_ARCH__)
  asm("" : "+r"(word));
#endif
  return word;
}

/// Returns x, of which compilers know nothing: not that it is zero, and so not that adding it were nothing.
inline double unknown(double x)
{
#if defined(__x86_64__)
  asm("" : "+x"(x));
#elif defined(__aarch64__)
  asm("" : "+w"(x));
#else
  double volatile seen = x;
  x                    = seen;
#endif
  return x;
}

/// Returns x, rounded: no compiler fuses the operation that made it with the one that takes it. Adding -0 changes no
/// number.
template <std::floating_point T>
ONEPASS_FUNCTION T unfused(T x)
{
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 4) return __fadd_rn(x, -0.0f);
  else return __dadd_rn(x, -0.0);
#else
#if defined(__x86_64__)
#if defined(__FMA__) || defined(__FMA4__)
  if constexpr (sizeof(T) <= sizeof(double)) asm("" : "+x"(x));  // there is none for a long double
#endif
#elif defined(__aarch64__)
  if constexpr (sizeof(T) <= sizeof(double)) asm("" : "+w"(x));
#elif defined(__GNUC__)
  KOKKOS_IF_ON_HOST((asm("" : "+m"(x));))  // in memory, where all processors can have it
#endif
  return x;
#endif
}
/// Both parts.
template <std::floating_point T>
ONEPASS_FUNCTION Kokkos::complex<T> unfused(Kokkos::complex<T> const& x)
{
  return {unfused(x.real()), unfused(x.imag())};
}

/// Four of the eight bytes of {low, high}, chosen by the four lowest hexadecimal digits of `choice`, each of 0 to 7.
ONEPASS_FUNCTION std::uint32_t chosen_bytes(std::uint32_t low, std::uint32_t high, std::uint32_t choice)
{
#ifdef __CUDA_ARCH__
  return __byte_perm(low, high, choice);
#else
  std::uint64_t const all = std::uint64_t(high) << 32 | low;
  std::uint32_t made      = 0;
  for (int b = 0; b < 4; ++b) made |= std::uint32_t(all >> (choice >> 4 * b & 7) * 8 & 255) << 8 * b;
  return made;
#endif
}

/// The lower half of {low, high} shifted right by the five lowest bits of `by`.
ONEPASS_FUNCTION std::uint32_t funnel_shifted(std::uint32_t low, std::uint32_t high, std::uint32_t by)
{
#ifdef __CUDA_ARCH__
  return __funnelshift_r(low, high, by);
#else
  return std::uint32_t((std::uint64_t(high) << 32 | low) >> (by & 31));
#endif
}

/// sum + the four bytes of a word.
ONEPASS_FUNCTION std::uint32_t plus_bytes(std::uint32_t sum, std::uint32_t word)
{
#ifdef __CUDA_ARCH__
  return __dp4a(word, 0x01010101u, sum);
#else
  std::uint32_t const pairs = (word & 0x00ff00ffu) + (word >> 8 & 0x00ff00ffu);
  return sum + (pairs & 0xffffu) + (pairs >> 16);
#endif
}

/// Adds x to an integer that others add to at the same time; it may wrap. Kokkos adds to a std::uint64_t in one
/// instruction of a device, and to an unsigned long long, where that is another type, in a loop.
template <std::integral T>
ONEPASS_FUNCTION void add_shared(T* to, std::type_identity_t<T> x)
{
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == sizeof(std::uint64_t))
    return Kokkos::atomic_add(reinterpret_cast<std::uint64_t*>(to), static_cast<std::uint64_t>(x));
#endif
  Kokkos::atomic_add(to, x);
}

/// Counters in a team's memory, `apart` words apart, to which the threads of the team add. Kokkos' atomics do not know
/// that an address is in such memory, and a GPU's atomics on addresses of any kind take longer.
template <bool Shared>
class team_counters {
public:
#ifdef __CUDA_ARCH__
  __device__ __forceinline__ team_counters(std::uint32_t* first, std::uint32_t apart)
      : first_(std::uint32_t(__cvta_generic_to_shared(first)))
      , bytes_(apart * std::uint32_t(sizeof(std::uint32_t)))
  {}

  __device__ __forceinline__ void add_one(std::uint32_t i) const
  {
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(first_ + i * bytes_));
  }

private:
  std::uint32_t first_, bytes_;
#else
  ONEPASS_FUNCTION team_counters(std::uint32_t* first, std::uint32_t apart)
      : first_(first)
      , apart_(apart)
  {}

  ONEPASS_FUNCTION void add_one(std::uint32_t i) const
  {
    if constexpr (Shared) Kokkos::atomic_inc(first_ + std::size_t(i) * apart_);
    else ++first_[std::size_t(i) * apart_];
  }

private:
  std::uint32_t* first_;
  std::uint32_t apart_;
#endif
};

/// Whether the code that asks runs in warps of 32 threads, which vote and wait together. What follows is of use there
/// alone.
ONEPASS_FUNCTION constexpr bool runs_in_warps()
{
#ifdef __CUDA_ARCH__
  return true;
#else
  return false;
#endif
}

/// Which of its vector lanes a thread of Kokkos' teams is, and how many there are; 32 of them are a warp.
ONEPASS_FUNCTION int vector_lane()
{
#ifdef __CUDA_ARCH__
  return int(threadIdx.x);
#else
  return 0;
#endif
}
ONEPASS_FUNCTION int vector_lanes()
{
#ifdef __CUDA_ARCH__
  return int(blockDim.x);
#else
  return 1;
#endif
}

/// Bit l is what lane l of this thread's warp says.
ONEPASS_FUNCTION std::uint32_t warp_ballot([[maybe_unused]] bool says)
{
#ifdef __CUDA_ARCH__
  return __ballot_sync(0xffffffffu, says);
#else
  return 0;
#endif
}

/// The lanes of this thread's warp see what each of them has written.
ONEPASS_FUNCTION void warp_barrier()
{
#ifdef __CUDA_ARCH__
  __syncwarp();
#endif
}

}  // namespace onepass::ONEPASS_ABI
