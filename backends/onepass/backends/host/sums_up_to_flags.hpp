// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/flagged_tile.hpp>
#include <onepass/backends/host/in_place.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

/// A compacting program whose combination restarts at flags, and which writes there: reductions by key.
template <class Program>
concept sums_up_to_flags =
    Program::shape
    == output_shape::compacted&& sums_by_flags<Program>&& std::is_same_v<typename Program::memo_type, bool>;

/// What is known before item `next` of such a program once a flag was seen: the aggregate before the first flag, the
/// number of flags since, and the sum of the items since the latest.
template <class Program>
struct open_sum {
  typename Program::aggregate_type before;
  std::uint32_t flags;
  typename sums_of<Program>::value_type sum;
  extent next;

  /// Begins with x, item i, the first that has a flag, and writes it.
  open_sum(Program const& p, typename Program::aggregate_type const& begin, extent i,
           typename Program::item_type const& x)
      : before(begin)
      , flags(1)
      , sum(value_to_add(p, x, true))
      , next(i + 1)
  {
    write_kept(p, i, x, true, begin);
  }
  /// Everything before item `next`.
  auto all(Program const& p) const { return p.after(before, {flags, sums_of<Program>::lift(sum)}); }
  /// So that flags can be counted on.
  void count_anew(Program const& p)
  {
    if (flags > 1) before = p.after(before, {flags - 1, sums_of<Program>::lift(sum)});
    flags = 1;
  }
};

/// A loop's own copy of that, in registers. `Fits`: as of write_kept().
template <bool Fits, class Program, class In>
class adding {
  using item = typename Program::item_type;
  using open = open_sum<Program>;
  using sums = sums_of<Program>;

public:
  [[gnu::always_inline]] adding(Program const& p, In const& in, open const& begun)
      : program_(p)
      , in_(in)
      , before_(begun.before)
      , flags_(begun.flags)
      , sum_(begun.sum)
      , next_(begun.next)
  {}
  [[gnu::always_inline]] void leave(open& to) const
  {
    to.flags = flags_;
    to.sum   = sum_;
    to.next  = next_;
  }

  extent next() const { return next_; }
  std::uint32_t flags() const { return flags_; }

  /// x, the next item, has a flag: all that was added up is written.
  [[gnu::always_inline]] void begin(item const& x)
  {
    ONEPASS_ASSUME(flags_ > 0);
    write_kept<Fits>(program_, next_, x, true, program_.after(before_, {flags_, sums::lift(sum_)}));
    sum_ = value_to_add(program_, x, true);
    ++flags_;
    ++next_;
  }
  [[gnu::always_inline]] void add(item const& x)
  {
    sum_ = program_.sum_algebra().combine_values(sum_, value_to_add(program_, x, false));
    ++next_;
  }
  /// Adds the items before `last`.
  [[gnu::always_inline]] void add_to(extent last)
  {
    if (next_ >= last) return;
    sum_  = with_items(program_, in_, next_, last, sum_);
    next_ = last;
  }
  /// Goes on to the last flag of a word or behind: `flags` are those of items [from, to) that are not done.
  template <class Flagged>
  [[gnu::always_inline]] void take_word(extent from, extent to, std::uint64_t flags, Flagged const& flagged)
  {
    if (flags == 0) return;
    if (flags == every_flag) {
      add_to(from);
      if (next_ == from) return take_flags(flagged);
    }
    if (std::popcount(flags) > most_walked) {
      add_to(from);
      for (flags >>= next_ - from; next_ < to; flags >>= 1)
        if (flags & 1) begin(flagged(next_));
        else add(in_(next_));
    } else
      for (; flags != 0; flags &= flags - 1) {
        add_to(from + std::countr_zero(flags));
        begin(flagged(next_));
      }
  }

private:
  /// 64 items, all of which have a flag: nothing is added up.
  template <class Flagged>
  [[gnu::always_inline]] void take_flags(Flagged const& flagged)
  {
    ONEPASS_ASSUME(flags_ > 0);
    extent const first = next_;
    auto const before  = program_.after(before_, {flags_, sums::lift(sum_)});
    write_kept<Fits>(program_, first, flagged(first), true, before);
    for (unsigned k = 1; k < 64; ++k) {
      auto const sum = sums::lift(value_to_add(program_, in_(first + k - 1), true));
      write_kept<Fits>(program_, first + k, flagged(first + k), true, program_.after(before, {k, sum}));
    }
    next_ += 64;
    flags_ += 64;
    sum_ = value_to_add(program_, in_(next_ - 1), true);
  }

  Program const& program_;
  In const& in_;
  typename Program::aggregate_type const before_;
  std::uint32_t flags_;
  typename sums::value_type sum_;
  extent next_;
};

/// An item that is used twice. Structs that are copied first pass through the stack.
template <class In>
struct item_taken {
  In const& in;
  extent i;
  auto operator()() const { return in(i); }
};
template <class In>
  requires(!lies_in_memory<In>)
struct item_taken<In> {
  typename In::value_type x;
  item_taken(In const& in, extent i)
      : x(in(i))
  {}
  auto const& operator()() const { return x; }
};

// By one thread, from flag to flag, as one would write it by hand. Where items go on without one for a while, flags are
// taken 64 at a time, and what lies between two is one sum in four strips. Both in functions of their own: together
// they need more registers than there are.

/// Items one after another, until there are none, or none or all of many have a flag.
template <bool Fits, class Program>
[[gnu::noinline]] void add_by_items(Program const& given, extent n, open_sum<Program>& open)
{
  constexpr int many = 128;
  Program const p    = given;  // a copy, which no store can change
  auto in            = p.input();
  adding<Fits, Program, input_of<Program>> sum(p, in, open);
  for (std::uint32_t flags = 1; flags % many != 0;) {
    auto const before = sum.flags();
    extent const stop = std::min(n, sum.next() + many);
    while (sum.next() < stop) {
      extent const i = sum.next();
      ONEPASS_ASSUME(i > 0);
      item_taken<input_of<Program>> const x{in, i};
      if (evaluated(p, i, x(), in(i - 1))) [[unlikely]]
        sum.begin(x());
      else sum.add(x());
    }
    flags = sum.next() < n ? sum.flags() - before : 0;
  }
  sum.leave(open);
}

/// A word of flags after another, until items end or a word has some flags, but not all.
template <bool Fits, class Program>
[[gnu::noinline]] void add_by_words(Program const& given, extent n, open_sum<Program>& open)
{
  constexpr int few = 2;
  Program const p   = given;
  auto in           = p.input();
  adding<Fits, Program, input_of<Program>> sum(p, in, open);
  int flags = 0;
  extent to = sum.next();
  for (extent from = sum.next(); from < n && (flags <= few || flags == 64); from = to) {
    to           = std::min(from + 64, n);
    auto const w = flag_word(p, in, from, to, 0);
    flags        = w == 0 ? 0 : std::popcount(w);  // a call, where not all processors have the instruction
    sum.take_word(from, to, w, in);
  }
  sum.add_to(to);
  sum.leave(open);
}

template <bool Fits, class Program>
void add_to(Program const& p, extent n, open_sum<Program>& open)
{
  constexpr extent at_once = extent(1) << 30;
  while (open.next < n) {
    extent const some = std::min(n, open.next + at_once);
    add_by_items<Fits>(p, some, open);
    if (open.next < some) add_by_words<Fits>(p, some, open);
    open.count_anew(p);
  }
}

template <sums_up_to_flags Program>
void sum_up_to_flags(Program const& p, extent n)
{
  auto in     = p.input();
  auto before = p.initial();
  extent i    = 0;  // to the first flag; of runs it is that of the first item
  for (; i < n && !evaluated(p, i, in(i), in(i > 0 ? i - 1 : 0)); ++i)
    before = p.combine(before, p.lift(i, in(i), false));
  if (i == n) return p.finish(before, n);
  open_sum<Program> open(p, before, i, in(i));
  if (columns_hold(p, n)) add_to<true>(p, n, open);
  else add_to<false>(p, n, open);
  p.finish(open.all(p), n);
}

/// One tile, on one thread, of such a program. Where a later tile may write over them, the items with flags are kept;
/// the others are added up once the next flag is known.
template <sums_up_to_flags Program>
class cached_tile<Program> : flags_of_tile<Program> {
  using flags = flags_of_tile<Program>;
  using item  = typename Program::item_type;
  using flags::first_, flags::last_, flags::program_;
  using typename flags::aggregate;
  using typename flags::word;

public:
  cached_tile(Program const& program, extent first, extent last)
      : flags(program, first, last)
      , keeps_(may_be_in_place(program))
  {}

  [[gnu::noinline]] aggregate upsweep()
  {
    Program const p = *program_;
    auto in         = p.input();
    if (!keeps_) return this->raise(p, [](extent, extent, word) {});
    item* next = flagged();
    return this->raise(p, [&](extent from, extent to, word w) {
      if (std::popcount(w) > most_walked) {
        for (extent i = from; i < to; ++i, w >>= 1) {
          *next = in(i);
          next += w & 1;
        }
      } else
        for (; w != 0; w &= w - 1) *next++ = in(from + std::countr_zero(w));
    });
  }

  aggregate downsweep(aggregate const& prefix, cached_tile& next, bool) const
  {
    if (keeps_) {
      item const* at_flag = flagged();
      write<false>(prefix, [&](auto const&, extent) { return *at_flag++; });
    } else {
      auto const as_read = [](auto const& in, extent i) { return in(i); };
      if (columns_hold(*program_, last_)) write<true>(prefix, as_read);
      else write<false>(prefix, as_read);
    }
    return next.upsweep();
  }

private:
  item* flagged() const { return thread_buffer<item, struct items_with_flags>(last_ - first_ + 1); }

  template <bool Fits, class Flagged>
  [[gnu::noinline]] void write(aggregate const& prefix, Flagged const& flagged_of) const
  {
    Program const p        = *program_;
    auto in                = p.input();
    word const* const bits = this->words();
    auto const flagged     = [&](extent i) __attribute__((always_inline)) { return flagged_of(in, i); };
    extent from            = first_;
    while (from < last_ && bits[(from - first_) / 64] == 0) from += 64;
    if (from >= last_) return;
    word w            = bits[(from - first_) / 64];
    extent const head = from + std::countr_zero(w);
    auto const before = p.after(prefix, {0, sum_since_flag(p, in, first_, head, false)});
    adding<Fits, Program, input_of<Program>> sum(p, in, open_sum<Program>(p, before, head, flagged(head)));
    for (w &= w - 1;; w = bits[(from - first_) / 64]) {
      sum.take_word(from, std::min(from + 64, last_), w, flagged);
      if ((from += 64) >= last_) return;
    }
  }

  bool keeps_;
};

}  // namespace onepass::ONEPASS_ABI::backends::host
