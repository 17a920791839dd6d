// SPDX-License-Identifier: Apache-2.0
// Sums by the canonical tree in vector registers: leaves are taken side by side, one a lane.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "onepass/backends/host/vector_trees.cpp"
#include <onepass/backends/host/vectors-inl.h>

HWY_BEFORE_NAMESPACE();
namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE {

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

HWY_EXPORT(tree_leaves);

vector_tree_leaves const& tree_leaves_of_this_machine()
{
  static vector_tree_leaves const& all = of_this_machine([] { return HWY_DYNAMIC_DISPATCH(tree_leaves)(); });
  return all;
}

}  // namespace onepass::ONEPASS_ABI::backends::host
#endif
