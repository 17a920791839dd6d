// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/word_form.hpp>
#include <onepass/extent.hpp>

namespace onepass::ONEPASS_ABI {

/// What a tile has published so far.
enum class tile_status : std::uint32_t {
  invalid          = 0,  ///< nothing yet in this launch
  aggregate        = 1,  ///< the combination of its own items
  inclusive_prefix = 2   ///< the combination of everything up to and including it
};

/// The number of a descriptor's launch: 1 to `last`, then 1 again. Fresh memory is 0, which is no launch.
struct epoch {
  static constexpr std::uint32_t last = (1u << 30) - 1;
  ONEPASS_FUNCTION static constexpr std::uint32_t next(std::uint32_t e) { return e >= last ? 1 : e + 1; }
};

/// What a tile publishes: 64-bit words, each {epoch, status | 32 bits of the value}. Every word carries its launch and
/// state. So readers need no fence, launches need not reset anything, and values of all sizes up to 64 bytes share one
/// board: no word of another value type or an older launch is mistaken for a current one.
///
/// Source: status and value in one word, Merrill & Garland 2016; see docs/references.md. Epochs, and values of several
/// words, are the library's own, docs/decisions/0002-self-tagged-words.md.
template <class Value>
struct descriptor {
  static_assert(sizeof(Value) <= 64, "onepass: an aggregate may have at most 64 bytes");

  static constexpr int words = word_form<Value>::words;

  std::uint64_t word[words];

  ONEPASS_FUNCTION static std::uint32_t tag(std::uint32_t epoch, tile_status status)
  {
    return epoch << 2 | static_cast<std::uint32_t>(status);
  }

  ONEPASS_FUNCTION static descriptor make(std::uint32_t epoch, tile_status status, Value const& value)
  {
    std::uint32_t bits[words];
    word_form<Value>::put(value, bits);
    descriptor made;
    for (int w = 0; w < words; ++w) made.word[w] = std::uint64_t(tag(epoch, status)) << 32 | settled(bits[w]);
    return made;
  }

  /// Also `invalid` if the words' states differ, because they were read while being written: then read again.
  ONEPASS_FUNCTION tile_status status(std::uint32_t epoch) const
  {
    auto const first = static_cast<std::uint32_t>(word[0] >> 32);
    bool same        = first >> 2 == epoch;
    for (int w = 1; w < words; ++w) same = same && static_cast<std::uint32_t>(word[w] >> 32) == first;
    return same ? static_cast<tile_status>(first & 3) : tile_status::invalid;
  }

  /// Whether every word has this tag, that is this epoch and status.
  ONEPASS_FUNCTION bool is(std::uint32_t tag) const
  {
    bool same = true;
    for (int w = 0; w < words; ++w) same = same & (static_cast<std::uint32_t>(word[w] >> 32) == tag);
    return same;
  }

  ONEPASS_FUNCTION Value value() const
  {
    std::uint32_t bits[words];
    for (int w = 0; w < words; ++w) bits[w] = static_cast<std::uint32_t>(word[w]);
    return word_form<Value>::get(bits);
  }
};

}  // namespace onepass::ONEPASS_ABI
