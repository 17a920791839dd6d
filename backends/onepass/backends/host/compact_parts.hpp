// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/compact.hpp>
#include <onepass/engine/items/serial.hpp>

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
    each_column<Program>([&]<int c>(std::integral_constant<int, c>) __attribute__((always_inline)) {
      flag_words<leaf> flags;
      flags.set(n, [&](extent k) { return Program::template keeps<c>(parts[k]); });
      counts_[c] += extent(compress(in.data + from, flags.words(), std::size_t(n), items(c) + counts_[c]));
    });
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
