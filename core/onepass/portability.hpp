// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <thread>

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

namespace onepass {

/// Whether the space's threads are host threads. Its teams then have one thread each.
template <class Exec>
inline constexpr bool on_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;

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

}  // namespace onepass
