// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/compact.hpp>
#include <onepass/engine/items/serial.hpp>

#include <bit>

namespace onepass::ONEPASS_ABI::backends::host {

/// A program that sends items themselves to one of three parts.
template <class Program>
concept lists_parts = Program::shape
                          == output_shape::compacted&& copies_in_all_columns<Program>&&
                              compressible<typename Program::item_type> && (is_contiguous<input_of<Program>>::value)
                      && in_parts<Program>;

/// One tile, on one thread, of a program that sends items to three parts: as with flags, but with a list for each.
template <lists_parts Program>
class cached_tile<Program> {
  using item      = typename Program::item_type;
  using memo      = typename Program::memo_type;
  using aggregate = typename Program::aggregate_type;

  static constexpr extent leaf = listed_together, room = room_of_list;
  static constexpr bool few_lanes = sizeof(item) >= 4;

public:
  cached_tile(Program const& program, extent first, extent last)
      : program_(&program)
      , first_(first)
      , last_(last)
  {}

  [[gnu::noinline]] aggregate upsweep()
  {
    for (auto& count : counts_) count = 0;
    for (extent from = first_; from < last_; from += leaf) {
      extent const to = std::min(from + leaf, last_);
      in_wide_vectors([&]() __attribute__((always_inline)) { list(from, to); });
    }
    return program_->after(Program::identity(), counts_[0], counts_[1]);
  }

  aggregate downsweep(aggregate const& prefix, cached_tile& next, bool stream) const
  {
    each_column<Program>([&]<int c>(std::integral_constant<int, c>) {
      write_values(program_->template column<c>(), program_->template position<c>(first_, prefix), items(c), counts_[c],
                   stream);
    });
    return next.upsweep();
  }

private:
  /// Lists the items [from, to), a leaf. All numbers of parts are found, before any is looked at: a load of what was
  /// just written byte by byte would wait for it.
  [[gnu::always_inline]] void list(extent from, extent to)
  {
    Program const p = *program_;  // a copy, which no store can change
    auto in         = p.input();
    alignas(64) memo parts[leaf];
    extent const n = to - from, whole = n / 64 * 64;
    for (extent k = 0; k < whole; k += 64) {
      fetch_pages_ahead(in, from + k, 64);
#ifndef __CUDACC__  // which does not know it
#pragma GCC unroll 4
#endif
      for (extent j = k; j < k + 64; ++j) parts[j] = p.evaluate(from + j, in(from + j));
    }
    for (extent k = whole; k < n; ++k) parts[k] = p.evaluate(from + k, in(from + k));
    std::fill(parts + n, parts + div_up(n, 64) * 64, memo(Program::columns));
    if constexpr (few_lanes) list_in_vectors(in.data + from, parts, n);
    else list_runs(in.data + from, parts, n);
  }

  /// Vectors of a few wide items are compressed for each list.
  [[gnu::always_inline]] void list_in_vectors(item const* in, memo const* parts, extent n)
  {
    each_column<Program>([&]<int c>(std::integral_constant<int, c>) __attribute__((always_inline)) {
      flag_words<leaf> flags;
      flags.set(n, [&](extent k) { return Program::template keeps<c>(parts[k]); });
      counts_[c] += extent(compress(in, flags.words(), std::size_t(n), items(c) + counts_[c]));
    });
  }

  /// Long runs of narrow items are copied; others are written to all lists, each of which ends behind those that are
  /// its own: no branch could be guessed.
  [[gnu::always_inline]] void list_runs(item const* in, memo const* parts, extent n)
  {
    constexpr int most_runs = 8;
    item* const lists[]     = {items(0), items(1), items(2)};
    item* to[]              = {lists[0] + counts_[0], lists[1] + counts_[1], lists[2] + counts_[2]};
    extent k                = 0;
    for (; k + 64 <= n; k += 64) {
      alignas(64) std::uint8_t differs[64];
      differs[0] = 0;
      for (extent j = 1; j < 64; ++j) differs[j] = parts[k + j] != parts[k + j - 1];
      std::uint64_t ends = word_of(differs);
      if (std::popcount(ends) < most_runs && (k + 128 <= n || ends == 0)) {
        for (int begin = 0; begin < 64;) {
          int const end = ends ? std::countr_zero(ends) : 64;
          auto& list    = to[std::min<memo>(parts[k + begin], 2)];
          std::memcpy(list, in + (k + begin), 64 * sizeof(item));  // what is behind the run is written over
          list += end - begin;
          begin = end;
          ends &= ends - 1;
        }
      } else list_each(in, parts, k, k + 64, to);
    }
    list_each(in, parts, k, n, to);
    for (int c = 0; c < 3; ++c) counts_[c] = to[c] - lists[c];
  }
  [[gnu::always_inline]] static void list_each(item const* in, memo const* parts, extent k, extent end, item* (&to)[3])
  {
    item *const first = to[0], *const second = to[1], *const third = to[2];
    extent ends[3] = {0, 0, 0};
    for (; k < end; ++k) {
      auto const part = parts[k];
      first[ends[0]] = in[k], second[ends[1]] = in[k], third[ends[2]] = in[k];
      extent is_first = part == 0, is_second = part == 1, is_third = part == 2;
      asm("" : "+r"(is_first), "+r"(is_second), "+r"(is_third));  // else g++ makes branches of them
      ends[0] += is_first, ends[1] += is_second, ends[2] += is_third;
    }
    for (int c = 0; c < 3; ++c) to[c] += ends[c];
  }

  item* items(int column) const
  {
    extent const list = last_ - first_ + room;
    return thread_buffer<item>(Program::columns * list) + column * list;
  }

  Program const* program_;
  extent first_, last_, counts_[Program::columns]{};
};

}  // namespace onepass::ONEPASS_ABI::backends::host
