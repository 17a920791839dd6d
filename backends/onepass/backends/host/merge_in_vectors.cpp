// SPDX-License-Identifier: Apache-2.0
// Both runs are read in blocks, next the one whose first number is less: after each, as many numbers as a block has are
// known to come before all that has not been read. They are found, in order, by a network of comparisons between the
// block and what was left of those before it (Batcher 1968), and the greater ones are left for the next. So no step has
// a branch that nobody could predict; but it waits for the one before, and two halves of a merge go side by side.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "onepass/backends/host/merge_in_vectors.cpp"
#include <onepass/backends/host/merge_in_vectors.hpp>
#include <onepass/backends/host/vectors-inl.h>

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE {

template <class T>
constexpr std::size_t vectors = lanes<T> < 8 ? 2 : 1;  // of a block
template <class T>
constexpr std::size_t block_items = vectors<T>* lanes<T>;

// The lesser numbers of each lane, and the greater ones.
template <class T>
HWY_INLINE void compare(vector<T>& a, vector<T>& b)
{
  vector<T> const low = hn::Min(a, b);
  b = hn::Max(a, b), a = low;
}

// Vectors of two blocks of 16 bytes move these at once, and the lanes inside of them by cheap shuffles.
template <class T>
constexpr bool in_halves = vector_bytes == 32;

template <class T>
HWY_INLINE void exchange_halves(vector<T>& a, vector<T>& b)
{
  vector_tag<T> const d;
  vector<T> const low = hn::ConcatLowerLower(d, b, a);
  b = hn::ConcatUpperUpper(d, b, a), a = low;
}

// a0 b0 a1 b1 ..., in each half where these are exchanged apart.
template <class T>
HWY_INLINE void interleave(vector<T>& a, vector<T>& b)
{
  vector_tag<T> const d;
  vector<T> const from = a;
  if constexpr (in_halves<T>) a = hn::InterleaveLower(d, from, b), b = hn::InterleaveUpper(d, from, b);
  else a = hn::InterleaveWholeLower(d, from, b), b = hn::InterleaveWholeUpper(d, from, b);
}

// Sorts each of two vectors, whose numbers rise and then fall, or fall and then rise.
template <class T>
HWY_INLINE void sort_both(vector<T>& a, vector<T>& b)
{
  if constexpr (in_halves<T>) exchange_halves<T>(a, b), compare<T>(a, b);
  for (std::size_t apart = in_halves<T> ? lanes<T> / 2 : lanes<T>; apart > 1; apart /= 2)
    interleave<T>(a, b), compare<T>(a, b);
  interleave<T>(a, b);
  if constexpr (in_halves<T>) exchange_halves<T>(a, b);
}

// What is left of the blocks that have been read.
template <class T>
struct rest_of_blocks {
  vector<T> low, high;  // the second only of blocks of two vectors

  HWY_INLINE void load(T const* from)
  {
    low = hn::LoadU(vector_tag<T>{}, from);
    if constexpr (vectors<T> == 2) high = hn::LoadU(vector_tag<T>{}, from + lanes<T>);
  }
  HWY_INLINE void store(T* to) const
  {
    hn::StoreU(low, vector_tag<T>{}, to);
    if constexpr (vectors<T> == 2) hn::StoreU(high, vector_tag<T>{}, to + lanes<T>);
  }
  HWY_INLINE T last() const { return hn::ExtractLane(vectors<T> == 2 ? high : low, lanes<T> - 1); }

  // Another block comes, and as many numbers go out.
  HWY_INLINE void step(T const* from, T* out)
  {
    vector_tag<T> const d;
    if constexpr (vectors<T> == 2) {
      vector<T> x = hn::Reverse(d, hn::LoadU(d, from + lanes<T>)), y = hn::Reverse(d, hn::LoadU(d, from));
      compare<T>(x, low), compare<T>(y, high);
      compare<T>(x, y), compare<T>(low, high);
      sort_both<T>(x, y), sort_both<T>(low, high);
      hn::StoreU(x, d, out), hn::StoreU(y, d, out + lanes<T>);
    } else {
      vector<T> x = hn::Reverse(d, hn::LoadU(d, from));
      compare<T>(x, low);
      sort_both<T>(x, low);
      hn::StoreU(x, d, out);
    }
  }
};

// A run, behind whose end are as many of the greatest numbers as one likes. What is written is counted, so that these
// and the run's own may take each other's places.
template <class T>
struct endless_run {
  T const *at, *end;           // whole blocks, of the run or of what follows
  T last[2 * block_items<T>];  // what is left of the run behind its whole blocks, then none of it

  HWY_INLINE endless_run(T const* first, T const* past)
      : at(first)
      , end(first + std::size_t(past - first) / block_items<T> * block_items<T>)
  {
    using of = std::numeric_limits<T>;
    std::fill(std::copy(end, past, last), last + 2 * block_items<T>, of::has_infinity ? of::infinity() : of::max());
    go_on();
  }
  HWY_INLINE void go_on()
  {
    if (at != end) return;
    at  = end == last + block_items<T> || end == last + 2 * block_items<T> ? last + block_items<T> : last;
    end = at + block_items<T>;
  }
  HWY_INLINE std::size_t blocks() const { return std::size_t(end - at) / block_items<T>; }
};

// The next block. Its address is computed, since compilers would make a branch of the choice.
template <class T>
HWY_INLINE void step(T const*& a, T const*& b, rest_of_blocks<T>& rest, T* out)
{
  std::size_t const second = *b < *a;
  auto const first = reinterpret_cast<std::uintptr_t>(a), other = reinterpret_cast<std::uintptr_t>(b);
  auto const from = reinterpret_cast<T const*>(first ^ ((first ^ other) & (std::uintptr_t(0) - second)));
  b += second * block_items<T>;
  a += block_items<T> - second * block_items<T>;
  rest.step(from, out);
}

// A part of a merge, whose first block is in `rest`.
template <class T>
struct part {
  endless_run<T> a, b;
  rest_of_blocks<T> rest;
  T* out;
  std::size_t left;  // whole blocks to write

  HWY_INLINE part(T const* a_first, T const* a_past, T const* b_first, T const* b_past, T* to)
      : a(a_first, a_past)
      , b(b_first, b_past)
      , out(to)
      , left(std::size_t((a_past - a_first) + (b_past - b_first)) / block_items<T>)
  {
    auto& first = *b.at < *a.at ? b : a;
    rest.load(first.at);
    first.at += block_items<T>;
  }

  // So many blocks of one run are copied if they come next: the last of them is what is left of blocks then.
  static constexpr std::size_t together = 4;
  HWY_INLINE bool copied(endless_run<T>& from, endless_run<T> const& other)
  {
    constexpr std::size_t n = (together - 1) * block_items<T>;
    if (from.blocks() < together || left < together || *other.at < from.at[n + block_items<T> - 1]
        || from.at[0] < rest.last())
      return false;
    rest.store(out);
    std::memcpy(out + block_items<T>, from.at, n * sizeof(T));
    rest.load(from.at + n);
    from.at += together * block_items<T>, out += together * block_items<T>, left -= together;
    return true;
  }

  // How many steps come to no end, after which to look for copies again.
  HWY_INLINE std::size_t steps()
  {
    constexpr std::size_t most = 16;
    do a.go_on(), b.go_on();
    while (copied(a, b) || copied(b, a));
    return std::min({a.blocks(), b.blocks(), left, most});
  }
};

template <class T, class... Part>
HWY_INLINE void advance(std::size_t steps, Part&... parts)
{
  ((parts.out += steps * block_items<T>, parts.left -= steps), ...);
}

// Functions of their own, whose loops have all registers.
template <class T>
HWY_NOINLINE void run(part<T>& x, part<T>& y, std::size_t steps)
{
  T const *xa = x.a.at, *xb = x.b.at, *ya = y.a.at, *yb = y.b.at;
  T *x_out = x.out, *y_out = y.out;
  auto x_rest = x.rest, y_rest = y.rest;
  for (std::size_t u = 0; u < steps * block_items<T>; u += block_items<T>) {
    step(xa, xb, x_rest, x_out + u);
    step(ya, yb, y_rest, y_out + u);
  }
  x.a.at = xa, x.b.at = xb, y.a.at = ya, y.b.at = yb;
  x.rest = x_rest, y.rest = y_rest;
  advance<T>(steps, x, y);
}
template <class T>
HWY_NOINLINE void finish(part<T>& x, std::size_t numbers)
{
  for (std::size_t s; (s = x.steps()) > 0; advance<T>(s, x))
    for (std::size_t u = 0; u < s; ++u) step(x.a.at, x.b.at, x.rest, x.out + u * block_items<T>);
  T last[block_items<T>];
  step(x.a.at, x.b.at, x.rest, last);
  std::copy_n(last, numbers, x.out);
}

// The first of n indices for which before(i) is false, which is likely to be one of the first.
template <class Before>
std::size_t near_partition_point(std::size_t n, Before const& before)
{
  std::size_t low = 0, high = 1;
  while (high <= n && before(high - 1)) low = high, high *= 2;
  for (high = std::min(high - 1, n); low < high;) {
    std::size_t const middle = low + (high - low) / 2;
    if (before(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

template <class T>
void merge_here(T const* a, T const* a_end, T const* b, T const* b_end, T* out)
{
  // Numbers of one run before all of the other, or behind them.
  auto const before = [&](T const*& first, T const* end, T limit) {
    std::size_t const n =
        near_partition_point(std::size_t(end - first), [&](std::size_t i) { return first[i] <= limit; });
    out = std::copy_n(first, n, out), first += n;
  };
  *b < *a ? before(b, b_end, *a) : before(a, a_end, *b);
  std::size_t as = std::size_t(a_end - a), bs = std::size_t(b_end - b);
  if (as == 0 || bs == 0) return void(std::copy(b, b_end, std::copy(a, a_end, out)));
  auto const behind = [&](T const* first, std::size_t& size, T limit) {
    std::size_t const n = near_partition_point(size, [&](std::size_t i) { return limit <= first[size - 1 - i]; });
    std::copy_n(first + (size - n), n, out + (as + bs - n)), size -= n;
  };
  a[as - 1] < b[bs - 1] ? behind(b, bs, a[as - 1]) : behind(a, as, b[bs - 1]);

  std::size_t const half = (as + bs) / (2 * block_items<T>)*block_items<T>, fewest = half > bs ? half - bs : 0;
  std::size_t const of_a = fewest + near_partition_point(std::min(half, as) - fewest, [&](std::size_t i) {
                             return a[fewest + i] <= b[half - 1 - fewest - i];
                           });
  part<T> x(a, a + of_a, b, b + (half - of_a), out), y(a + of_a, a + as, b + (half - of_a), b + bs, out + half);
  for (std::size_t s; (s = std::min(x.steps(), y.steps())) > 0;) run(x, y, s);
  finish(x, 0);
  finish(y, (as + bs - half) % block_items<T>);
}

// A merge by single numbers is faster without the least and greatest of such vectors.
template <class T>
constexpr bool gains = HWY_TARGET != HWY_SSE2 && !(HWY_TARGET == HWY_AVX2 && std::is_integral_v<T> && sizeof(T) == 8);
template <class T>
constexpr merging<T> merge_if_it_gains()
{
  if constexpr (gains<T>) return merge_here<T>;
  else return nullptr;
}

template <class... T>
constexpr std::tuple<merging<T>...> all_merges(std::tuple<merging<T>...> const&)
{
  return {merge_if_it_gains<T>()...};
}

vector_merges const* merges()
{
  static constexpr vector_merges all = all_merges(vector_merges{});
  return &all;
}

}  // namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace onepass::ONEPASS_ABI::backends::host {

HWY_EXPORT(merges);

vector_merges const& merges_of_this_machine()
{
  static vector_merges const& all = of_this_machine([] { return HWY_DYNAMIC_DISPATCH(merges)(); });
  return all;
}

}  // namespace onepass::ONEPASS_ABI::backends::host
#endif
