// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/compact.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// A program that sends items themselves to one column or another, whatever its memos are.
template <class Program>
concept lists_parts = Program::shape
                          == output_shape::compacted&& copies_in_all_columns<Program>&&
                              compressible<typename Program::item_type> && (is_contiguous<input_of<Program>>::value)
                      && !(counts_flags<Program> || looks_behind<Program>);

/// One tile, on one thread, of a program that sends items to columns: as with flags, but with a list for each column.
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
    Program const p = *program_;  // a copy, which no store can change
    auto in         = p.input();
    auto sum        = Program::identity();
    memo memos[leaf]{};
    flag_words<leaf> flags;
    for (auto& count : counts_) count = 0;
    for (extent from = first_; from < last_; from += leaf) {
      extent const to = std::min(from + leaf, last_);
      for (extent some = from; some < to; some += 64) {
        fetch_pages_ahead(in, some, 64);
        for (extent i = some; i < std::min(some + 64, to); ++i) memos[i - from] = p.evaluate(i, in(i));
      }
      for (extent i = from; i < to; ++i) sum = p.combine(sum, p.lift(i, in(i), memos[i - from]));
      each_column<Program>([&]<int c>(std::integral_constant<int, c>) {
        flags.set(to - from, [&](extent k) { return Program::template keeps<c>(memos[k]); });
        counts_[c] += extent(compress(in.data + from, flags.words(), std::size_t(to - from), items(c) + counts_[c]));
      });
    }
    return sum;
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
  item* items(int column) const
  {
    extent const list = last_ - first_ + room;
    return thread_buffer<item>(Program::columns * list) + column * list;
  }

  Program const* program_;
  extent first_, last_, counts_[Program::columns]{};
};

}  // namespace onepass::ONEPASS_ABI::backends::host
