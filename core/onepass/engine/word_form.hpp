// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/operators.hpp>

#include <cstdint>
#include <cstring>

namespace onepass::ONEPASS_ABI {

/// How a value lies in the 32-bit words that tiles publish: as it is in memory. Types with padding or flags have forms
/// of fewer words, of which a warp that looks at many tiles holds more at once.
template <class Value>
struct word_form {
  static constexpr int words = (int(sizeof(Value)) + 3) / 4;

  ONEPASS_FUNCTION static void put(Value const& value, std::uint32_t (&to)[words])
  {
    to[words - 1] = 0;
    std::memcpy(to, &value, sizeof(Value));
  }
  ONEPASS_FUNCTION static Value get(std::uint32_t const (&from)[words])
  {
    Value made;
    std::memcpy(static_cast<void*>(&made), from, sizeof(Value));
    return made;
  }
};

/// A value, in its own form, and a number of at most 31 bits, in one more word. Whether there is a value, where it may
/// be missing, is a bit of that word.
template <class Value>
struct with_number {
  using of                   = word_form<Value>;
  static constexpr int words = of::words + 1;

  Value value;
  std::uint32_t number;

  ONEPASS_FUNCTION void put(std::uint32_t (&to)[words]) const
  {
    std::uint32_t own[of::words];
    of::put(value, own);
    for (int w = 0; w < of::words; ++w) to[w] = own[w];
    to[of::words] = number;
  }
  ONEPASS_FUNCTION static with_number get(std::uint32_t const (&from)[words])
  {
    std::uint32_t own[of::words];
    for (int w = 0; w < of::words; ++w) own[w] = from[w];
    return {of::get(own), from[of::words]};
  }
};
template <class T>
struct with_number<maybe<T>> {
  static constexpr int words = with_number<T>::words;

  maybe<T> value;
  std::uint32_t number;

  ONEPASS_FUNCTION void put(std::uint32_t (&to)[words]) const
  {
    with_number<T>{value.value, number << 1 | std::uint32_t(value.present)}.put(to);
  }
  ONEPASS_FUNCTION static with_number get(std::uint32_t const (&from)[words])
  {
    auto const made = with_number<T>::get(from);
    return {{made.value, (made.number & 1) != 0}, made.number >> 1};
  }
};

/// Values that may be missing. Those of less than a word share theirs with the flag, as they do in memory.
template <class T>
  requires(sizeof(T) >= 4)
struct word_form<maybe<T>> {
  static constexpr int words = with_number<maybe<T>>::words;

  ONEPASS_FUNCTION static void put(maybe<T> const& value, std::uint32_t (&to)[words])
  {
    with_number<maybe<T>>{value, 0}.put(to);
  }
  ONEPASS_FUNCTION static maybe<T> get(std::uint32_t const (&from)[words])
  {
    return with_number<maybe<T>>::get(from).value;
  }
};

}  // namespace onepass::ONEPASS_ABI
