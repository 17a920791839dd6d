// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/portability.hpp>

#include <cstdint>
#include <cstring>
#include <numeric>

namespace onepass::ONEPASS_ABI {

/// Sixteen bytes: the widest access of a thread. It may alias objects of any type.
struct [[gnu::may_alias]] alignas(16) pack {
  std::uint32_t word[4];
};

/// The same of the size and alignment of a Word.
template <class Word>
struct [[gnu::may_alias]] raw {
  Word word;
};

/// The widest word of at most 8 bytes to which a T is aligned; of such words it consists.
template <class T>
using aligned_word = raw<std::conditional_t<alignof(T) % 8 == 0, std::uint64_t,
                                            std::conditional_t<alignof(T) % 4 == 0, std::uint32_t, std::uint8_t>>>;

/// How many of at most n items of so many bytes, and two thirds of them at least, the threads of a warp should have
/// each: they load and store them in the stage by the widest words that fit, and these should not meet in its 32 banks
/// of four bytes.
constexpr int items_without_conflicts(int n, std::size_t bytes)
{
  auto const conflicts = [=](int items) -> std::size_t {
    std::size_t const all = std::size_t(items) * bytes;
    return all % 16 == 0 ? std::gcd(all / 16, std::size_t(8)) : all % 4 == 0 ? std::gcd(all / 4, std::size_t(32)) : 4;
  };
  int best = n;
  for (int fewer = n - 1; 3 * fewer >= 2 * n; --fewer)
    if (conflicts(fewer) < conflicts(best)) best = fewer;
  return best;
}

/// Whether boundaries of accesses by chunks cut an item: not if its type asks for as much alignment as it has bytes. A
/// struct of floats has the alignment of one.
template <class Chunk, class T>
ONEPASS_FUNCTION constexpr bool lies_across(T const* at)
{
  if constexpr (alignof(T) < sizeof(T) && alignof(T) < alignof(Chunk))
    return reinterpret_cast<std::uintptr_t>(at) % alignof(Chunk) != 0;
  else return false;
}

/// N items of one thread, meant for registers: index them with compile-time constants. Items of less than four bytes
/// share words, which compilers do not do by themselves.
template <class T, int N>
class register_items {
  static_assert(std::is_trivially_copy_constructible_v<T> && std::is_trivially_destructible_v<T>,
                "onepass: teams move items as bytes; they must be trivially copyable, or run on(exec) of a host");

public:
  ONEPASS_FUNCTION T get(int k) const
  {
    if constexpr (per_word == 1) return item_[k];
    else {
      auto const bits = static_cast<carrier>(item_[k / per_word] >> (k % per_word * 8 * sizeof(T)));
      T x;
      std::memcpy(static_cast<void*>(&x), &bits, sizeof(T));
      return x;
    }
  }

  /// Items must be set in order: setting the first item of a word clears the others.
  ONEPASS_FUNCTION void set(int k, T const& x)
  {
    if constexpr (per_word == 1) item_[k] = x;
    else {
      carrier bits;
      std::memcpy(&bits, &x, sizeof(T));
      auto const shifted  = std::uint32_t(bits) << (k % per_word * 8 * sizeof(T));
      item_[k / per_word] = k % per_word == 0 ? shifted : item_[k / per_word] | shifted;
    }
  }

  /// Loads from memory that is aligned as N neighbouring items are, or as one, if its type asks for less than its size.
  ONEPASS_FUNCTION void load(T const* from)
  {
    if (lies_across<chunk>(from)) {
      ONEPASS_UNROLL for (int k = 0; k < N; ++k) set(k, from[k]);
    } else ONEPASS_UNROLL for (int c = 0; c < chunks; ++c)
      {
        chunk const one = reinterpret_cast<chunk const*>(from)[c];
        std::memcpy(reinterpret_cast<char*>(item_) + c * sizeof(chunk), &one, sizeof(chunk));
      }
  }

  ONEPASS_FUNCTION void store(T* to) const
  {
    if (lies_across<chunk>(to)) {
      ONEPASS_UNROLL for (int k = 0; k < N; ++k) to[k] = get(k);
    } else ONEPASS_UNROLL for (int c = 0; c < chunks; ++c)
      {
        chunk one;
        std::memcpy(&one, reinterpret_cast<char const*>(item_) + c * sizeof(chunk), sizeof(chunk));
        reinterpret_cast<chunk*>(to)[c] = one;
      }
  }

protected:
  // The widest access that N contiguous items allow.
  static constexpr std::size_t bytes = N * sizeof(T);
  using chunk                        = std::conditional_t<
      bytes % 16 == 0, pack,
      std::conditional_t<bytes % 4 == 0 && alignof(T) <= 4, raw<std::uint32_t>,
                         std::conditional_t<alignof(T) == 1, raw<std::uint8_t>,
                                            std::conditional_t<alignof(T) == 2, raw<std::uint16_t>, T>>>>;
  static constexpr int chunks = int(bytes / sizeof(chunk));

  static constexpr int per_word = sizeof(T) < 4 && 4 % sizeof(T) == 0 ? 4 / int(sizeof(T)) : 1;

  using carrier = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
  using storage = std::conditional_t<per_word == 1, T, std::uint32_t>;
  storage item_[(N + per_word - 1) / per_word];
};

/// The same of a pack of small items, of which any may be asked for.
template <class T, int N>
class indexed_items : public register_items<T, N> {
  using base = register_items<T, N>;
  using base::item_, base::per_word;
  using typename base::carrier;

public:
  ONEPASS_FUNCTION T at(int k) const
  {
    static_assert(per_word > 1 && N == 4 * per_word);
    int const word  = k / per_word;
    auto const half = word < 2 ? std::uint64_t(item_[1]) << 32 | item_[0] : std::uint64_t(item_[3]) << 32 | item_[2];
    auto const bits = static_cast<carrier>(half >> (k % (2 * per_word) * 8 * int(sizeof(T))));
    T x;
    std::memcpy(static_cast<void*>(&x), &bits, sizeof(T));
    return x;
  }
};

/// N flags of one thread, a bit each. They too must be set in order.
template <int N>
class register_flags {
public:
  static constexpr int words = (N + 31) / 32;

  /// Flags 32 w to 32 w + 31.
  ONEPASS_FUNCTION std::uint32_t word(int w) const { return word_[w]; }
  ONEPASS_FUNCTION void set_word(int w, std::uint32_t flags) { word_[w] = flags; }

  ONEPASS_FUNCTION int count() const
  {
    int set = 0;
    ONEPASS_UNROLL for (int w = 0; w < words; ++w) set += Kokkos::Experimental::popcount_builtin(word_[w]);
    return set;
  }
  /// The position of the last set flag, -1 if none is set.
  ONEPASS_FUNCTION int latest() const
  {
    int last = -1;
    ONEPASS_UNROLL for (int w = 0; w < words; ++w) if (word_[w]) last =
        32 * w + 31 - Kokkos::Experimental::countl_zero_builtin(word_[w]);
    return last;
  }

  ONEPASS_FUNCTION bool get(int k) const { return word_[k / 32] >> k % 32 & 1; }
  ONEPASS_FUNCTION void set(int k, bool x)
  {
    word_[k / 32] = (k % 32 == 0 ? 0 : word_[k / 32]) | std::uint32_t(x) << k % 32;
  }

private:
  std::uint32_t word_[words] = {};
};

/// How a thread keeps the memos of N items: one that is a bool is a flag.
template <class Memo, int N>
using register_memos = std::conditional_t<std::is_same_v<Memo, bool>, register_flags<N>, register_items<Memo, N>>;

}  // namespace onepass::ONEPASS_ABI
