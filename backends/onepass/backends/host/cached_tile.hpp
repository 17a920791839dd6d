// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/buffer.hpp>
#include <onepass/backends/host/tuning.hpp>
#include <onepass/engine/fold.hpp>
#include <onepass/engine/items/inside.hpp>
#include <onepass/engine/items/running.hpp>
#include <onepass/engine/stream.hpp>

#include <algorithm>
#include <numeric>

namespace onepass::ONEPASS_ABI::backends::host {

/// A program that combines its memos alone, by an algebra: `sum`.
template <class P>
concept combines_memos = !looks_behind<P> && requires(P const& p, typename P::memo_type const& m)
{
  P::holding(p.sum.combine_values(m, m));
};
/// One that only makes the total.
template <class P>
concept folds_memos = combines_memos<P> && P::shape == output_shape::none;

/// Results that may be made elsewhere and then be copied to where they belong as bytes.
template <class P>
concept writes_bytes = is_contiguous<
    decltype(std::declval<P const&>().output())>::value && std::is_trivially_copyable_v<typename P::output_type>;

/// The total of what precedes and items [first, last). One of them at least is there.
template <combines_memos Program>
[[gnu::always_inline]] inline auto total_of(Program const& p, typename Program::aggregate_type const& before,
                                            extent first, extent last)
{
  using memo         = typename Program::memo_type;
  auto in            = p.input();
  auto const memo_at = [&](extent i) -> decltype(auto) { return p.evaluate(i, in(i)); };
  auto const combine = [&](memo const& a, memo const& b) { return p.sum.combine_values(a, b); };
  bool const any     = Program::holds(before);
  memo x             = any ? memo(Program::held(before)) : memo(memo_at(first));
  if (!any) ++first;
  if constexpr (has_stretches<decltype(in)>) {
    each_stretch(in, first, last, [&](auto const& row, extent from, extent to) {
      x = folded(
          x, from, to, [&](extent i) -> decltype(auto) { return p.evaluate(i, row(i)); }, combine);
    });
    return Program::holding(x);
  } else return Program::holding(folded(x, first, last, memo_at, combine));
}

/// The fewest items of so many bytes that are whole lines.
template <std::size_t Bytes>
inline constexpr extent items_of_lines = 64 / extent(std::gcd(std::size_t(64), Bytes));

/// How many items there are up to the first that begins a line; 0 where none does. What is streamed piece by piece ends
/// there: a line of which two pieces write a part costs far more than its bytes.
template <class T>
extent items_to_line(T const* items)
{
  auto const at = reinterpret_cast<std::uintptr_t>(items);
  for (extent k = 0; k < items_of_lines<sizeof(T)>; ++k)
    if ((at + std::uintptr_t(k) * sizeof(T)) % 64 == 0) return k;
  return 0;
}

/// One tile on one thread: reduced, which brings it into the cache, then scanned from there. The tile is cut into four
/// strips, which are processed interleaved, each in order, so that the operator need not commute.
template <class Program>
class cached_tile {
  using memo      = typename Program::memo_type;
  using aggregate = typename Program::aggregate_type;
  using now       = running<Program>;

  static constexpr bool keeps_memos = !pure_program<Program> && Program::shape != output_shape::none;

  /// Strips are made of so many items, so that all begin alike in a line.
  static constexpr extent whole_lines = items_of_lines<bytes_per_output<Program>>;

public:
  cached_tile(Program const& program, extent first, extent last)
      : program_(&program)
      , first_(first)
      , last_(last)
      , strip_((last - first) / strips)
  {
    if (strip_ > whole_lines) strip_ -= strip_ % whole_lines;
  }

  [[gnu::noinline]] aggregate upsweep()
  {
    Program const p    = *program_;  // a copy, which no store can change
    auto in            = p.input();
    memo* const m      = memos();
    auto const item_at = [&](auto kept, auto& sum, extent i) __attribute__((always_inline))
    {
      auto const& item = in(i);  // no copy: small structs would pass through integer registers
      auto const& x    = evaluated(p, i, item, in(i > 0 ? i - 1 : 0));
      if constexpr (keeps_memos) m[i - first_] = x;
      decltype(kept)::add(p, sum, i, item, x);
    };
    if constexpr (folds_memos<Program>)
      return first_ < last_ ? total_of(p, Program::identity(), first_, last_) : Program::identity();
    if (strip_ == 0) {
      auto all = Program::identity();
      for (extent i = first_; i < last_; ++i) item_at(running_aggregate<Program>{}, all, i);
      std::fill_n(before_, strips, Program::identity());
      return all;
    }
    if constexpr (combines_memos<Program> && !keeps_memos) {
      auto all = Program::identity();
      for (int s = 0; s < strips; ++s) {
        before_[s]         = all;
        extent const begin = first_ + s * strip_;
        all                = total_of(p, all, begin, s == strips - 1 ? last_ : begin + strip_);
      }
      return all;
    } else {
      // The first of each apart: behind it an operator without identity has had items.
      auto const first = [&](extent i) __attribute__((always_inline))
      {
        auto sum = Program::identity();
        item_at(running_aggregate<Program>{}, sum, i);
        return now::of(sum);
      };
      typename now::type sum[strips] = {first(first_), first(first_ + strip_), first(first_ + 2 * strip_),
                                        first(first_ + 3 * strip_)};
      for (extent i = first_ + 1; i < first_ + strip_; ++i) {
        item_at(now{}, sum[0], i);
        item_at(now{}, sum[1], i + strip_);
        item_at(now{}, sum[2], i + 2 * strip_);
        item_at(now{}, sum[3], i + 3 * strip_);
      }
      for (extent i = first_ + strips * strip_; i < last_; ++i) item_at(now{}, sum[3], i);

      auto all = Program::identity();
      for (int s = 0; s < strips; ++s) {
        before_[s] = all;
        all        = p.combine(all, now::whole(sum[s]));
      }
      return all;
    }
  }

  /// Writes the tile, past the caches if `stream`, while the next tile is prefetched; then reduces the next tile.
  aggregate downsweep(aggregate const& prefix, cached_tile& next, bool stream) const
  {
    if constexpr (Program::shape == output_shape::mapped) {
      bool written = false;
      if constexpr (writes_bytes<Program>) {
        if (stream) write<true>(prefix, next.first_);
        written = stream;
      }
      if (!written) write<false>(prefix, next.first_);
    }
    return next.upsweep();
  }

private:
  template <bool Stream>
  [[gnu::noinline]] void write(aggregate const& prefix, extent next) const
  {
    using output           = typename Program::output_type;
    constexpr extent piece = div_up(piece_items<output>, whole_lines) * whole_lines;
    Program const p        = *program_;
    auto in                = p.input();
    auto out               = p.output();
    memo const* m          = memos();
    auto const step        = [&](auto kept, auto& before, extent i, auto const& put) __attribute__((always_inline))
    {
      auto const& item = in(i);
      if constexpr (!pure_program<Program>) decltype(kept)::step(p, before, i, item, m[i - first_], put);
      else decltype(kept)::step(p, before, i, item, evaluated(p, i, item, in(i > 0 ? i - 1 : 0)), put);
    };
    auto const straight = [&](extent i) __attribute__((always_inline))
    {
      return [&, i ](output const& made) __attribute__((always_inline)) { out(i) = made; };
    };
    if (strip_ == 0) {
      auto before = prefix;
      for (extent i = first_; i < last_; ++i) step(running_aggregate<Program>{}, before, i, straight(i));
      return;
    }
    alignas(64) output buffer[Stream ? strips : 1][Stream ? piece : 1];
    auto const put_at = [&](int s, extent k, extent i) __attribute__((always_inline))
    {
      return [&, s, k, i ](output const& made) __attribute__((always_inline))
      {
        if constexpr (Stream) buffer[s][k] = made, (void)i;
        else straight(i)(made), (void)s, (void)k;
      };
    };
    auto const first = [&](int s) __attribute__((always_inline))
    {
      extent const i = first_ + s * strip_;
      auto before    = p.combine(prefix, before_[s]);
      step(running_aggregate<Program>{}, before, i, put_at(s, 0, i));
      return now::of(before);
    };
    typename now::type before[strips] = {first(0), first(1), first(2), first(3)};
    extent lead                       = 0;
    if constexpr (Stream) lead = items_to_line(out.data + first_);
    for (extent done = 0, count; done < strip_; done += count) {
      extent const from = first_ + done;
      count             = std::min(done == 0 && lead > 0 ? lead : piece, strip_ - done);
      fetch_ahead(in, next + strips * done, strips * count);
      for (extent k = done == 0; k < count; ++k) {
        step(now{}, before[0], from + k, put_at(0, k, from + k));
        step(now{}, before[1], from + k + strip_, put_at(1, k, from + k + strip_));
        step(now{}, before[2], from + k + 2 * strip_, put_at(2, k, from + k + 2 * strip_));
        step(now{}, before[3], from + k + 3 * strip_, put_at(3, k, from + k + 3 * strip_));
      }
      if constexpr (Stream)
        for (int s = 0; s < strips; ++s)
          stream_out(out.data + from + s * strip_, buffer[s], std::size_t(count) * sizeof(output));
    }
    for (extent i = first_ + strips * strip_; i < last_; ++i) step(now{}, before[3], i, straight(i));
  }

  /// The memos of the items of this thread's tile.
  memo* memos() const
  {
    if constexpr (!keeps_memos) return nullptr;
    else return thread_buffer<memo>(last_ - first_);
  }

  Program const* program_;
  extent first_, last_, strip_;
  aggregate before_[strips];  // what precedes each strip within the tile
};

}  // namespace onepass::ONEPASS_ABI::backends::host
