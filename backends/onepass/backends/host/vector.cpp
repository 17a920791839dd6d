// SPDX-License-Identifier: Apache-2.0
// Compiled once for every instruction set: Highway includes this file again for each. Instruction sets without a gain
// are left out: all with a lower number than AVX3, which are newer, and those between SSE2 and AVX2.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | (HWY_AVX3 - 1))
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "onepass/backends/host/vector.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>
#include <onepass/backends/host/vector.hpp>

#include <algorithm>
#include <limits>
#include <tuple>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t line         = 64;  // bytes of a cache line
constexpr std::size_t vector_bytes = HWY_HAVE_SCALABLE ? 16 : std::min<std::size_t>(HWY_MAX_BYTES, line);

template <class T>
using vector_tag = hn::FixedTag<T, vector_bytes / sizeof(T)>;
template <class T>
using vector = hn::Vec<vector_tag<T>>;
template <class T>
constexpr std::size_t lanes = vector_bytes / sizeof(T);
template <class T>
constexpr std::size_t block = 16 / sizeof(T);  // lanes among which shuffles are cheap

template <fold Fold>
struct folding;

template <>
struct folding<fold::sum> {
  template <class T>
  static constexpr T identity()
  {
    return std::is_floating_point_v<T> ? T(-0.0) : T(0);
  }
  template <class V>
  static HWY_INLINE V combine(V older, V newer)
  {
    return hn::Add(older, newer);
  }
};

template <fold Fold>
  requires(Fold != fold::sum)
struct folding<Fold> {
  static constexpr bool small = Fold == fold::smallest;

  template <class T>
  static constexpr T identity()
  {
    using of = std::numeric_limits<T>;
    if constexpr (of::has_infinity) return small ? of::infinity() : -of::infinity();
    else return small ? of::max() : of::lowest();
  }
  template <class V>
  static HWY_INLINE V combine(V older, V newer)
  {
    if constexpr (std::is_floating_point_v<hn::TFromV<V>>)  // as the scalar operators treat zeros and NaN
      return hn::IfThenElse(small ? hn::Lt(newer, older) : hn::Lt(older, newer), newer, older);
    else return small ? hn::Min(older, newer) : hn::Max(older, newer);
  }
};

// A vector of zero bits, but for the first Count lanes of every Period, which hold the identity.
template <class Fold, class T, std::size_t Count, std::size_t Period>
HWY_INLINE vector<T> filler()
{
  struct made {
    alignas(line) T lane[lanes<T>] = {};
    constexpr made()
    {
      for (std::size_t i = 0; i < lanes<T>; ++i)
        if (i % Period < Count) lane[i] = Fold::template identity<T>();
    }
  };
  static constexpr made filled{};
  return hn::Load(vector_tag<T>{}, filled.lane);
}

template <class Fold, class T, std::size_t Count, std::size_t Period>
HWY_INLINE vector<T> fill(vector<T> shifted)
{
  if constexpr (std::is_integral_v<T> && Fold::template identity<T>() == T(0)) return shifted;
  else return hn::Or(shifted, filler<Fold, T, Count, Period>());
}

// Moves every lane up by Count lanes inside its block of 16 bytes; the first lanes become the identity.
template <std::size_t Count, class Fold, class T>
HWY_INLINE vector<T> lanes_up(vector<T> v)
{
  return fill<Fold, T, Count, block<T>>(hn::ShiftLeftLanes<int(Count)>(vector_tag<T>{}, v));
}

template <std::size_t Count, class Fold, class T>
HWY_INLINE vector<T> blocks_up(vector<T> v)
{
  return fill<Fold, T, Count * block<T>, lanes<T>>(hn::SlideUpBlocks<int(Count)>(vector_tag<T>{}, v));
}

// Moves every lane up by Count lanes in the whole vector.
template <std::size_t Count, class Fold, class T>
HWY_INLINE vector<T> wide_up(vector<T> v)
{
  vector_tag<T> const d;
#if HWY_TARGET <= HWY_AVX3
  if constexpr (vector_bytes == 64) {  // one shuffle, no mask: masks would be recomputed for every vector
    vector_tag<std::uint32_t> const words;
    auto const before = hn::BitCast(words, hn::Set(d, Fold::template identity<T>()));
    return hn::BitCast(d, hn::Vec512<std::uint32_t>{_mm512_alignr_epi32(hn::BitCast(words, v).raw, before.raw,
                                                                        16 - int(Count * sizeof(T) / 4))});
  }
#endif
  hn::RebindToSigned<decltype(d)> const places;
  auto const place = hn::Iota(places, -hwy::MakeSigned<T>(Count)), first = hn::Zero(places);
  auto const moved = hn::TableLookupLanes(v, hn::IndicesFromVec(d, hn::Max(place, first)));
  return hn::IfThenElse(hn::RebindMask(d, hn::Ge(place, first)), moved, hn::Set(d, Fold::template identity<T>()));
}

// The last lane of each block, in all lanes of the block.
template <class T>
HWY_INLINE vector<T> last_of_block(vector<T> v)
{
  struct made {
    alignas(line) std::uint8_t byte[vector_bytes] = {};
    constexpr made()
    {
      for (std::size_t i = 0; i < vector_bytes; ++i) byte[i] = std::uint8_t(16 - sizeof(T) + i % sizeof(T));
    }
  };
  static constexpr made from{};
  vector_tag<std::uint8_t> const bytes;
  return hn::BitCast(vector_tag<T>{}, hn::TableLookupBytes(hn::BitCast(bytes, v), hn::Load(bytes, from.byte)));
}

// The last lane of the vector, in all lanes.
template <class T>
HWY_INLINE vector<T> last_of_all(vector<T> v)
{
  vector_tag<T> const d;
  return hn::TableLookupLanes(v, hn::IndicesFromVec(d, hn::Set(hn::RebindToSigned<decltype(d)>{}, lanes<T> - 1)));
}

// Scans one vector. `before` is the same in all lanes, and the next vector waits only for the one combination that
// updates it. Lanes of 32 bits and more move across the whole vector; smaller ones inside their blocks, then whole
// blocks.
//
// Source: Kogge & Stone 1973; see docs/references.md.
template <bool Inclusive, class Fold, class T>
HWY_INLINE vector<T> scanned(vector<T> x, vector<T>& before)
{
  vector<T> const older = before;
  vector<T> all;
  if constexpr (sizeof(T) >= 4 && lanes < T >> block<T>) {
    x = Fold::combine(wide_up<1, Fold, T>(x), x);
    x = Fold::combine(wide_up<2, Fold, T>(x), x);
    if constexpr (lanes < T >> 4) x = Fold::combine(wide_up<4, Fold, T>(x), x);
    if constexpr (lanes < T >> 8) x = Fold::combine(wide_up<8, Fold, T>(x), x);
    all = last_of_all<T>(x);
    if constexpr (!Inclusive) x = wide_up<1, Fold, T>(x);
  } else {
    x = Fold::combine(lanes_up<1, Fold, T>(x), x);
    if constexpr (block < T >> 2) x = Fold::combine(lanes_up<2, Fold, T>(x), x);
    if constexpr (block < T >> 4) x = Fold::combine(lanes_up<4, Fold, T>(x), x);
    if constexpr (block < T >> 8) x = Fold::combine(lanes_up<8, Fold, T>(x), x);
    all = last_of_block<T>(x);
    if constexpr (!Inclusive) x = lanes_up<1, Fold, T>(x);
    if constexpr (constexpr std::size_t blocks = lanes<T> / block<T>; blocks > 1) {
      auto up = blocks_up<1, Fold, T>(all);
      all     = Fold::combine(up, all);
      if constexpr (blocks > 2) {
        all = Fold::combine(blocks_up<2, Fold, T>(all), all);
        up  = blocks_up<1, Fold, T>(all);
      }
      x   = Fold::combine(up, x);
      all = hn::BroadcastBlock<int(blocks - 1)>(all);
    }
  }
  before = Fold::combine(older, all);
  return Fold::combine(older, x);
}

template <bool Inclusive, class Fold, class T>
HWY_INLINE void scan_some(T const* in, T* out, std::size_t n, vector<T>& before)
{
  vector_tag<T> const d;
  auto const none = hn::Set(d, Fold::template identity<T>());
  for (std::size_t i = 0; i < n; i += lanes<T>)
    hn::StoreN(scanned<Inclusive, Fold, T>(hn::LoadNOr(none, d, in + i, n - i), before), d, out + i, n - i);
}

// Scans whole lines and returns how many items they have. At the same time combines the same number of items from
// `next` on with `sum`, which are prefetched well ahead into the second-level cache.
template <bool Stream, bool Inclusive, class Fold, class T>
HWY_INLINE std::size_t scan_lines(T const* in, T* out, std::size_t n, vector<T>& before, T const* next, vector<T>& sum)
{
  vector_tag<T> const d;
  constexpr std::size_t step = line / sizeof(T), lead = 8192 / sizeof(T);
  std::size_t i = 0;
  for (std::size_t j = 0; j < std::min(lead, n); j += step) __builtin_prefetch(next + j, 0, 2);
  for (; i + step <= n; i += step) {
    __builtin_prefetch(next + std::min(i + lead, n - 1), 0, 2);
    for (std::size_t j = i; j < i + step; j += lanes<T>) {
      sum          = Fold::combine(sum, hn::LoadU(d, next + j));
      auto const v = scanned<Inclusive, Fold, T>(hn::LoadU(d, in + j), before);
      if constexpr (Stream) hn::Stream(v, d, out + j);
      else hn::StoreU(v, d, out + j);
    }
  }
  return i;
}

// The combination of `sum` and in[0, n).
template <class Fold, class T>
HWY_INLINE T combined(vector<T> sum, T const* in, std::size_t n)
{
  vector_tag<T> const d;
  constexpr std::size_t step = 4 * lanes<T>;
  auto const none            = hn::Set(d, Fold::template identity<T>());
  auto b = none, c = none, e = none;
  std::size_t i = 0;
  for (; i + step <= n; i += step) {
    sum = Fold::combine(sum, hn::LoadU(d, in + i));
    b   = Fold::combine(b, hn::LoadU(d, in + i + lanes<T>));
    c   = Fold::combine(c, hn::LoadU(d, in + i + 2 * lanes<T>));
    e   = Fold::combine(e, hn::LoadU(d, in + i + 3 * lanes<T>));
  }
  for (; i < n; i += lanes<T>) sum = Fold::combine(sum, hn::LoadNOr(none, d, in + i, n - i));
  auto all = none;
  (void)scanned<true, Fold, T>(Fold::combine(Fold::combine(sum, b), Fold::combine(c, e)), all);
  return hn::GetLane(all);
}

template <bool Inclusive, fold Fold, class T>
T scan(T const* in, T* out, std::size_t n, T& before, T const* next, bool stream)
{
  using folds = folding<Fold>;
  vector_tag<T> const d;
  auto carry = hn::Set(d, before), sum = hn::Set(d, folds::template identity<T>());
  std::size_t const skewed = (line - reinterpret_cast<std::uintptr_t>(out) % line) % line / sizeof(T);
  std::size_t const head   = stream ? std::min(n, skewed) : 0;
  scan_some<Inclusive, folds>(in, out, head, carry);
  std::size_t const body = stream
                               ? scan_lines<true, Inclusive, folds>(in + head, out + head, n - head, carry, next, sum)
                               : scan_lines<false, Inclusive, folds>(in, out, n, carry, next, sum);
  std::size_t const done = head + body;
  scan_some<Inclusive, folds>(in + done, out + done, n - done, carry);
  before = hn::GetLane(carry);
  return combined<folds>(sum, next + body, n - body);
}

template <fold Fold, class T>
T reduce(T const* in, std::size_t n)
{
  using folds = folding<Fold>;
  return combined<folds>(hn::Set(vector_tag<T>{}, folds::template identity<T>()), in, n);
}

template <fold Fold, class T>
constexpr void put(vector_leaf<Fold, T>& leaf)
{
  leaf = {reduce<Fold, T>, scan<true, Fold, T>, scan<false, Fold, T>};
}

vector_leaves const* leaves()
{
  static constexpr vector_leaves all = [] {
    vector_leaves made{};
    std::apply([](auto&... leaf) { (put(leaf), ...); }, made);
    return made;
  }();
  return &all;
}

// Loads as many items as a vector has sums, and converts each to a sum.
template <class Sum, class Item>
HWY_INLINE vector<Sum> widened(Item const* in)
{
  vector_tag<Sum> const d;
  if constexpr (std::is_same_v<Item, Sum>) return hn::LoadU(d, in);
  else return hn::PromoteTo(d, hn::LoadU(hn::Rebind<Item, decltype(d)>{}, in));
}

template <class Item, class Sum>
void add_rows(Item const* in, std::ptrdiff_t pitch, int rows, Sum* sums, std::size_t n)
{
  vector_tag<Sum> const d;
  std::size_t i = 0;
  for (; i + lanes<Sum> <= n; i += lanes<Sum>) {
    auto sum = widened<Sum>(in + i);
    for (int r = 1; r < rows; ++r) sum = hn::Add(sum, widened<Sum>(in + r * pitch + i));
    hn::StoreU(sum, d, sums + i);
  }
  for (; i < n; ++i) {
    Sum sum = static_cast<Sum>(in[i]);
    for (int r = 1; r < rows; ++r) sum += static_cast<Sum>(in[r * pitch + std::ptrdiff_t(i)]);
    sums[i] = sum;
  }
}

template <bool Stream, class Item, class Sum>
HWY_INLINE std::size_t scan_row_lines(Item const* in, Sum* running, Sum* out, std::size_t n, vector<Sum>& before,
                                      Item const* ahead)
{
  vector_tag<Sum> const d;
  constexpr std::size_t step = line / sizeof(Sum);
  std::size_t i              = 0;
  for (; i + step <= n; i += step) {
    if (i * sizeof(Item) % line == 0)
      __builtin_prefetch(ahead + i, 0, 2);  // all at once they would delay everything else
    for (std::size_t j = i; j < i + step; j += lanes<Sum>) {
      auto const now = hn::Add(hn::LoadU(d, running + j), widened<Sum>(in + j));
      hn::StoreU(now, d, running + j);
      auto const v = scanned<true, folding<fold::sum>, Sum>(now, before);
      if constexpr (Stream) hn::Stream(v, d, out + j);
      else hn::StoreU(v, d, out + j);
    }
  }
  return i;
}

template <class Item, class Sum>
void scan_row(Item const* in, Sum* running, Sum* out, std::size_t n, Sum& before, Item const* ahead, bool stream)
{
  auto const one_by_one = [&](std::size_t first, std::size_t last) {
    Sum all = before;  // a store could be to what is given by reference
    for (std::size_t i = first; i < last; ++i) {
      Sum const now = running[i] + static_cast<Sum>(in[i]);
      running[i]    = now;
      out[i]        = all += now;
    }
    before = all;
  };
  std::size_t const skewed = (line - reinterpret_cast<std::uintptr_t>(out) % line) % line / sizeof(Sum);
  std::size_t const head   = stream ? std::min(n, skewed) : 0;
  one_by_one(0, head);
  auto carry             = hn::Set(vector_tag<Sum>{}, before);
  std::size_t const body = stream ? scan_row_lines<true>(in + head, running + head, out + head, n - head, carry, ahead)
                                  : scan_row_lines<false>(in, running, out, n, carry, ahead);
  before                 = hn::GetLane(carry);
  one_by_one(head + body, n);
}

template <class Item, class Sum>
constexpr void put(vector_grid_leaf<Item, Sum>& leaf)
{
  leaf = {add_rows<Item, Sum>, scan_row<Item, Sum>};
}

vector_grid_leaves const* grid_leaves()
{
  static constexpr vector_grid_leaves all = [] {
    vector_grid_leaves made{};
    std::apply([](auto&... leaf) { (put(leaf), ...); }, made);
    return made;
  }();
  return &all;
}

/// Blocks of 16 bytes, `apart` items from one to the next.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_blocks(D d, T const* from, std::size_t apart)
{
  constexpr std::size_t blocks = hn::MaxLanes(D()) / block<T>;
  if constexpr (blocks == 1) return hn::LoadU(d, from);
  else {
    hn::Half<D> const half;
    return hn::Combine(d, load_blocks(half, from + blocks / 2 * apart, apart), load_blocks(half, from, apart));
  }
}
template <class D, class T>
HWY_INLINE void store_blocks(hn::Vec<D> v, D d, T* to, std::size_t apart)
{
  constexpr std::size_t blocks = hn::MaxLanes(D()) / block<T>;
  if constexpr (blocks == 1) hn::StoreU(v, d, to);
  else {
    hn::Half<D> const half;
    store_blocks(hn::LowerHalf(half, v), half, to, apart);
    store_blocks(hn::UpperHalf(half, v), half, to + blocks / 2 * apart, apart);
  }
}

/// Turns rows of each block into columns: the matrix of a block of each vector is transposed.
template <class V>
HWY_INLINE void turn(V& a, V& b)
{
  hn::DFromV<V> const d;
  auto const low = hn::InterleaveLower(d, a, b);
  b              = hn::InterleaveUpper(d, a, b);
  a              = low;
}
template <class V>
HWY_INLINE void turn(V& a, V& b, V& c, V& e)
{
  hn::DFromV<V> const d;
  hn::RepartitionToWide<hn::DFromV<V>> const pairs;
  turn(a, b);
  turn(c, e);
  auto const wide = [&](V v) { return hn::BitCast(pairs, v); };
  auto const ac = hn::InterleaveLower(pairs, wide(a), wide(c)), ac_up = hn::InterleaveUpper(pairs, wide(a), wide(c)),
             be = hn::InterleaveLower(pairs, wide(b), wide(e)), be_up = hn::InterleaveUpper(pairs, wide(b), wide(e));
  a = hn::BitCast(d, ac), b = hn::BitCast(d, ac_up), c = hn::BitCast(d, be), e = hn::BitCast(d, be_up);
}

/// The next two blocks of as many leaves as a vector has lanes, whose first ones are `apart`. Loads and stores of two
/// blocks at once are half as many, and there are more of these than a core can take beside everything else.
template <class V, class T>
HWY_INLINE void load_pairs(V& a, V& b, T const* from, std::size_t apart)
{
  vector_tag<T> const d;
  if constexpr (vector_bytes == 64) {
    vector_tag<std::uint64_t> const words;
    hn::Half<decltype(d)> const half;
    alignas(line) static constexpr std::uint64_t low[8]  = {0, 1, 4, 5, 8, 9, 12, 13},
                                                 high[8] = {2, 3, 6, 7, 10, 11, 14, 15};
    auto const two                                       = [&](T const* at) {
      return hn::BitCast(words, hn::Combine(d, hn::LoadU(half, at + apart), hn::LoadU(half, at)));
    };
    auto const x = two(from), y = two(from + 2 * apart);
    a = hn::BitCast(d, hn::TwoTablesLookupLanes(words, x, y, hn::SetTableIndices(words, low)));
    b = hn::BitCast(d, hn::TwoTablesLookupLanes(words, x, y, hn::SetTableIndices(words, high)));
  } else a = load_blocks(d, from, apart), b = load_blocks(d, from + block<T>, apart);
}
template <class V, class T>
HWY_INLINE void store_pairs(V a, V b, T* to, std::size_t apart)
{
  vector_tag<T> const d;
  if constexpr (vector_bytes == 64) {
    vector_tag<std::uint64_t> const words;
    hn::Half<decltype(d)> const half;
    alignas(line) static constexpr std::uint64_t low[8]  = {0, 1, 8, 9, 2, 3, 10, 11},
                                                 high[8] = {4, 5, 12, 13, 6, 7, 14, 15};
    auto const x = hn::BitCast(words, a), y = hn::BitCast(words, b);

    auto const put = [&](std::uint64_t const(&places)[8], T* at) {
      auto const two = hn::BitCast(d, hn::TwoTablesLookupLanes(words, x, y, hn::SetTableIndices(words, places)));
      hn::StoreU(hn::LowerHalf(half, two), half, at);
      hn::StoreU(hn::UpperHalf(half, two), half, at + apart);
    };
    put(low, to), put(high, to + 2 * apart);
  } else store_blocks(a, d, to, apart), store_blocks(b, d, to + block<T>, apart);
}

/// Calls add(column) for the columns of each block in order, and replaces them by what it returns if `back`.
template <class Add, class... V>
HWY_INLINE void step_columns(bool back, Add const& add, V&... rows)
{
  turn(rows...);
  ((rows = add(rows)), ...);
  if (back) turn(rows...);
}

/// A step through as many leaves as a vector has lanes, by one block of items each or by two: add(items of all leaves)
/// gives their results, which are written if there is an `out`.
template <bool Two, class T, class Add>
HWY_INLINE void step_leaves(T const* in, T* out, Add const& add)
{
  constexpr std::size_t leaf = vector_tree_leaf<T>::items, apart = block<T> * leaf;
  vector_tag<T> const d;
  auto const load = [&](auto& x, auto& y, std::size_t l) {
    if constexpr (Two) load_pairs(x, y, in + l * leaf, apart);
    else x = load_blocks(d, in + l * leaf, apart);
  };
  auto const store = [&](auto x, auto y, std::size_t l) {
    if constexpr (Two) store_pairs(x, y, out + l * leaf, apart);
    else store_blocks(x, d, out + l * leaf, apart);
  };
  vector<T> a, b, c, e, f, g, h, i;
  load(a, f, 0), load(b, g, 1);
  if constexpr (block<T> == 4) load(c, h, 2), load(e, i, 3);
  if constexpr (block<T> == 4) {
    step_columns(out, add, a, b, c, e);
    if constexpr (Two) step_columns(out, add, f, g, h, i);
  } else {
    step_columns(out, add, a, b);
    if constexpr (Two) step_columns(out, add, f, g);
  }
  if (!out) return;
  store(a, f, 0), store(b, g, 1);
  if constexpr (block<T> == 4) store(c, h, 2), store(e, i, 3);
}

/// Goes through all leaves, two vectors of them abreast, since an addition waits for the one before. begin(leaf) is
/// what vectors of sums begin with, add(sum, items) their next results, and end(sum, leaf) is given the last of them.
template <class T, class Begin, class Add, class End>
HWY_INLINE void walk_leaves(T const* in, T* out, lines_ahead ahead, Begin const& begin, Add const& add, End const& end)
{
  using leaf = vector_tree_leaf<T>;
  for (std::size_t l = 0; l < leaf::leaves; l += 2 * lanes<T>) {
    std::size_t const m = l + lanes<T>;
    auto x = begin(l), y = begin(m);
    auto const step = [&](auto two, std::size_t i) {
      std::size_t const at = l * leaf::items + i, on = m * leaf::items + i;
      for (std::size_t bytes = 0; bytes < (1 + two()) * 2 * block<T> * vector_bytes; bytes += line) ahead.fetch();
      step_leaves<two()>(in + at, out ? out + at : nullptr, [&](auto items) { return add(x, items); });
      step_leaves<two()>(in + on, out ? out + on : nullptr, [&](auto items) { return add(y, items); });
    };
    std::size_t i = 0;
    for (; i + 2 * block<T> <= leaf::items; i += 2 * block<T>) step(std::true_type{}, i);
    for (; i < leaf::items; i += block<T>) step(std::false_type{}, i);
    end(x, l), end(y, m);
  }
}

template <class T>
void fold_tree(T const* in, T* sums, lines_ahead ahead)
{
  vector_tag<T> const d;
  auto const none = hn::Set(d, folding<fold::sum>::identity<T>());
  walk_leaves<T>(
      in, nullptr, ahead, [&](std::size_t) { return none; },
      [](auto& sum, auto items) { return sum = hn::Add(sum, items); },
      [&](auto sum, std::size_t l) { hn::StoreU(sum, d, sums + l); });
}

template <bool Inclusive, class T>
void scan_tree(T const* in, T* out, T const* before, lines_ahead ahead)
{
  vector_tag<T> const d;
  walk_leaves<T>(
      in, out, ahead, [&](std::size_t l) { return hn::LoadU(d, before + l); },
      [](auto& sum, auto items) {
        auto const older = sum;
        sum              = hn::Add(sum, items);
        return Inclusive ? sum : older;
      },
      [](auto, std::size_t) {});
}

vector_tree_leaves const* tree_leaves()
{
  static constexpr vector_tree_leaves all{{fold_tree<float>, scan_tree<true, float>, scan_tree<false, float>},
                                          {fold_tree<double>, scan_tree<true, double>, scan_tree<false, double>}};
  return &all;
}

}  // namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace onepass::ONEPASS_ABI::backends::host {

HWY_EXPORT(leaves);
HWY_EXPORT(grid_leaves);
HWY_EXPORT(tree_leaves);

void choose_instruction_set() { hwy::GetChosenTarget().Update(hwy::SupportedTargets()); }

vector_leaves const& leaves_of_this_machine()
{
  static vector_leaves const& all = of_this_machine([] { return HWY_DYNAMIC_DISPATCH(leaves)(); });
  return all;
}

vector_grid_leaves const& grid_leaves_of_this_machine()
{
  static vector_grid_leaves const& all = of_this_machine([] { return HWY_DYNAMIC_DISPATCH(grid_leaves)(); });
  return all;
}

vector_tree_leaves const& tree_leaves_of_this_machine()
{
  static vector_tree_leaves const& all = of_this_machine([] { return HWY_DYNAMIC_DISPATCH(tree_leaves)(); });
  return all;
}

char const* instruction_set()
{
  auto const usable = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(usable & -usable);
}

}  // namespace onepass::ONEPASS_ABI::backends::host
#endif
