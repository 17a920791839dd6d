// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/few_items.hpp>
#include <onepass/backends/host/threads.hpp>
#include <onepass/backends/host/tuning.hpp>
#include <onepass/backends/host/wide.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

// The k first of n items. A thread keeps those that may be among them in a buffer, and compares blocks of items with a
// limit, below which few are left soon. A full buffer is cut to its k first, whose last is the new limit: later items
// of the same code come after it. So each item costs a comparison, and one that is kept little more, whatever the order
// in which they come.
namespace onepass::ONEPASS_ABI::backends::host {

/// What is kept of an item: its code, where the item can be made from it and nobody asks where it was ...
template <class Code>
struct kept_code {
  using type = unsigned_of<std::max<std::size_t>(2, sizeof(Code))>;
  static type of(Code code, extent) { return code; }
  static Code code(type x) { return Code(x); }
};

/// ... else its place too; of no two items they are equal.
template <class Code>
struct kept_place {
  struct pair {
    Code code;
    std::uint32_t place;
    bool operator<(pair const& other) const { return code != other.code ? code < other.code : place < other.place; }
  };
  static constexpr bool in_word = sizeof(Code) <= 4;
  using type                    = std::conditional_t<in_word, std::uint64_t, pair>;
  static type of(Code code, extent place)
  {
    if constexpr (in_word) return std::uint64_t(code) << 32 | std::uint64_t(place);
    else return {code, std::uint32_t(place)};
  }
  static Code code(type const& x)
  {
    if constexpr (in_word) return Code(x >> 32);
    else return x.code;
  }
  static extent place(type const& x)
  {
    if constexpr (in_word) return extent(std::uint32_t(x));
    else return extent(x.place);
  }
};

/// So many are sorted rather than the one of a rank be found.
template <class T>
constexpr extent kept_sorted = sorts_in_vectors&& std::is_unsigned_v<T> ? sorted_at_once<T> : 16;

template <class T>
void sort_kept(T* all, extent m)
{
  if constexpr (sorts_in_vectors && std::is_unsigned_v<T>) sort_on_the_spot{}(all, m);
  else std::sort(all, all + m);
}

/// Puts the ranks [first, k) of m to their places.
template <class T>
[[gnu::noinline]] void order_first(T* all, extent m, extent first, extent k)
{
  if (std::is_sorted(all, all + m)) return;
  if (std::is_sorted(all, all + m, [](T const& a, T const& b) { return b < a; })) return std::reverse(all, all + m);
  if (m > kept_sorted<T> && k < m) {
    std::nth_element(all, all + (k - 1), all + m);
    m = k;
    if (first == k - 1) return;
  }
  sort_kept(all, m);
}

/// Up to so many are kept in order, by insertion.
inline constexpr extent most_kept_in_order = 4;

/// Codes that are looked at together, and those of them that are kept one after another.
inline constexpr extent codes_in_block = 64, codes_in_step = 16;

/// Whether a step or a block of items has one that may be below a limit.
template <extent Number, class In, class Before>
[[gnu::always_inline]] inline bool any_before(In const& in, Before const& before, extent at)
{
  using lane = unsigned_of<sizeof(typename In::value_type)>;
  lane any   = 0;
  for (extent j = 0; j < Number; ++j) any |= lane(before(in(at + j)));
  return any != 0;
}

/// Calls keep(codes, i) for as many items from i on, a step, as have one that may be below limit(), as it is then, and
/// rest(i) for those that are left over.
template <class In, class Order, class Limit, class Keep, class Rest>
[[gnu::always_inline]] inline void each_step(In const& in, Order const& order, extent i, extent end, Limit const& limit,
                                             Keep const& keep, Rest const& rest)
{
  auto const steps = [&](extent until) __attribute__((always_inline))
  {
    for (; i < until; i += codes_in_step) {
      if (!any_before<codes_in_step>(in, order.before(limit()), i)) continue;
      alignas(64) typename Order::code codes[codes_in_step];
      for (extent j = 0; j < codes_in_step; ++j) codes[j] = order(in(i + j));
      keep(codes, i);
    }
  };
  while (i + codes_in_block <= end)
    if (any_before<codes_in_block>(in, order.before(limit()), i)) steps(i + codes_in_block);
    else i += codes_in_block;
  steps(i + (end - i) / codes_in_step * codes_in_step);
  for (; i < end; ++i) rest(i);
}

/// A limit above the codes of the k first of the items [begin, end), by samples: the code after that of some rank among
/// these. 0 if there is none, or too few would be left out. It misleads seldom, and never if the rank is k.
template <class In, class Order>
[[gnu::noinline]] typename Order::code sampled_limit(In const& in, Order const& order, extent begin, extent end,
                                                     extent k)
{
  using code         = typename Order::code;
  constexpr int most = 256;
  auto const samples = end - begin < 32 * most ? most / 4 : most;
  double const mean  = double(k) * double(samples) / double(end - begin);
  extent const rank  = std::min(k, extent(mean + 4 + 4 * std::sqrt(mean)));
  if (end - begin < 4 * samples || rank > samples / 2) return 0;
  auto const step = std::uint64_t((end - begin) / samples);
  code codes[most];
  for (std::uint64_t s = 0; s < std::uint64_t(samples); ++s)
    codes[s] = order(in(begin + extent(s * step + (std::uint64_t(std::uint32_t(s) * 2654435769u) * step >> 32))));
  std::nth_element(codes, codes + (rank - 1), codes + samples);
  return code(codes[rank - 1] + 1);
}

/// The k first of the items [begin, end), in order; for few k, and as many items or more.
template <class Kept, class In, class Order>
[[gnu::always_inline]] inline void insert_first(In const& in, Order const& order, extent begin, extent end, extent k,
                                                typename Kept::type* all)
{
  using code = typename Order::code;
  extent i   = begin;
  for (extent j = 0; j < k; ++j, ++i) put_in_order(all, j, Kept::of(order(in(i)), i));
  code limit = Kept::code(all[k - 1]), most = code(~code(0));
  extent inserted  = 0;
  auto const offer = [&](code c, extent at) __attribute__((always_inline))
  {
    if (!(c < limit)) return;
    put_in_order(all, k - 1, Kept::of(c, at));
    limit = std::min(Kept::code(all[k - 1]), most);
    ++inserted;
  };
  each_step(
      in, order, i, end, [&] { return limit; },
      [&](code const* codes, extent at) __attribute__((always_inline)) {
        for (extent j = 0; j < codes_in_step; ++j) offer(codes[j], at + j);
        if (inserted <= 48) return;  // so many come where items decrease
        inserted = std::numeric_limits<extent>::min();
        if (auto const sampled = sampled_limit(in, order, at + codes_in_step, end, k); sampled > 0)
          most = sampled, limit = std::min(limit, most);
      },
      [&](extent at) __attribute__((always_inline)) { offer(order(in(at)), at); });
}

/// Keeps those of the items [begin, end) that may be among the k first, k at least, if there are as many: how many.
/// There is memory for `room` of them, all or some steps more than k. Samples may mislead it, but where `sure`.
template <class Kept, class In, class Order>
[[gnu::always_inline]] inline extent buffer_first(In const& in, Order const& order, extent begin, extent end, extent k,
                                                  typename Kept::type* all, extent room, bool sure)
{
  using code = typename Order::code;
  extent m   = std::min(room, end - begin);
  for (extent j = 0; j < m; ++j) all[j] = Kept::of(order(in(begin + j)), begin + j);
  extent i = begin + m;
  if (i == end) return m;
  code limit = 0, sampled = 0;
  extent last_cut = begin;
  bool may_sample = !sure;
  auto const cut  = [&](extent at) __attribute__((always_inline))
  {
    bool const many = 3 * (m - k) > 2 * (at - last_cut) || at - begin > 8 * room;  // they decrease, or it is worth it
    order_first(all, m, k - 1, k);
    m     = k;
    limit = Kept::code(all[k - 1]);
    if (many && may_sample && last_cut > begin) {
      may_sample = false;
      sampled    = sampled_limit(in, order, at, end, k);
    }
    if (sampled > 0) limit = std::min(limit, sampled);
    last_cut = at;
  };
  cut(i);
  each_step(
      in, order, i, end, [&] { return limit; },
      [&](code const* codes, extent at) __attribute__((always_inline)) {
        for (extent j = 0; j < codes_in_step; ++j) {
          all[m] = Kept::of(codes[j], at + j);
          m += codes[j] < limit;
        }
        if (m > room - codes_in_step) cut(at + codes_in_step);
      },
      [&](extent at) __attribute__((always_inline)) {
        code const c = order(in(at));
        all[m]       = Kept::of(c, at);
        m += c < limit;
      });
  if (sampled == 0) return m;
  cut(end);  // what the samples have left out is beyond their limit
  return Kept::code(all[k - 1]) < sampled ? k : -1;
}

/// The two, in wide vectors.
template <class Kept, class In, class Order>
[[gnu::noinline]] extent keep_first(In const& given, Order const& given_order, extent begin, extent end, extent k,
                                    typename Kept::type* all, extent room)
{
  extent kept     = k;
  auto const work = [&](bool sure) {
    in_wide_vectors([&]() __attribute__((always_inline)) {
      In const in       = given;
      Order const order = given_order;
      if (k > most_kept_in_order) kept = buffer_first<Kept>(in, order, begin, end, k, all, room, sure);
      else insert_first<Kept>(in, order, begin, end, k, all);
    });
  };
  work(false);
  if (kept < 0) work(true);
  return kept;
}

/// Of items whose codes are equal but not they themselves, zeros of either sign, the first ones.
template <class Selection, class Order, class T>
[[gnu::noinline]] void write_equals(Selection const& s, Order const& order, T const* all)
{
  T const code = order.code_of_differing();
  extent rank = 0, equals = 0;
  for (extent r = 0; r < s.last; ++r) rank += all[r] < code, equals += all[r] == code;
  for (extent i = 0, end = rank + equals; rank < end; ++i)
    if (order(s.in(i)) == code) {
      if (rank >= s.first) s.write_item(rank, s.in(i));
      ++rank;
    }
}

/// Writes those ranks of a selection whose first items are kept in order, from the first rank on.
template <class Kept, class Selection, class Order>
[[gnu::always_inline]] inline void write_selected(Selection const& s, Order const& order,
                                                  typename Kept::type const* all)
{
  if constexpr (std::is_same_v<Kept, kept_place<typename Order::code>>) {
    for (extent r = s.first; r < s.last; ++r) s.write_place(r, Kept::place(all[r]));
  } else {
    for (extent r = s.first; r < s.last; ++r) s.write_item(r, order.key(Kept::code(all[r])));
    if constexpr (Selection::equals_differ) {
      bool differ = false;
      for (extent r = 0; r < s.last; ++r) differ |= all[r] == order.code_of_differing();
      if (differ) write_equals(s, order, all);
    }
  }
}

/// Memory for what is kept: all, or as much again as is wanted.
template <class T>
extent room_for(extent n, extent k)
{
  if (k <= most_kept_in_order) return k;
  if (n <= 4 * k) return n;
  return std::max(kept_sorted<T>, k + std::max(k, 4 * codes_in_step));
}

/// So few are kept on the stack, and so many bytes in memory of the thread.
inline constexpr extent kept_on_stack = 320, kept_in_thread = extent(128) << 10;

/// So few are looked at together, and so many at most where the call is: the first of them are kept in order.
inline constexpr extent looked_at_together = 8, looked_at_on_the_spot = 256;

/// A selection among few items, where the call is.
template <class Kept, class Selection, class Order>
[[gnu::always_inline]] inline void select_few(Selection const& s, Order const& order)
{
  using kept = typename Kept::type;
  alignas(64) kept all[codes_in_block];
  extent const k = s.last, n = s.size;
  if (k <= most_kept_in_order || n <= most_inserted_numbers) {
    for (extent i = 0; i < k; ++i) put_in_order(all, i, Kept::of(order(s.in(i)), i));
    auto before      = order.before(Kept::code(all[k - 1]));
    auto const offer = [&](extent i) __attribute__((always_inline))
    {
      if (!before(s.in(i))) return;
      auto const x = Kept::of(order(s.in(i)), i);
      if (!(x < all[k - 1])) return;
      put_in_order(all, k - 1, x);
      before = order.before(Kept::code(all[k - 1]));
    };
    extent i = k;
    for (; i + looked_at_together <= n; i += looked_at_together)
      if (any_before<looked_at_together>(s.in, before, i))
        for (extent j = i; j < i + looked_at_together; ++j) offer(j);
    for (; i < n; ++i) offer(i);
  } else {
    for (extent i = 0; i < n; ++i) all[i] = Kept::of(order(s.in(i)), i);
    order_first(all, n, s.first, k);
  }
  write_selected<Kept>(s, order, all);
}

/// A selection among more.
template <class Kept, place_like Where, class Selection, class Order>
[[gnu::noinline]] bool select_many(Where const& where, Selection const& s, Order const& order, char const* label)
{
  using kept     = typename Kept::type;
  extent const n = s.size, k = s.last;
  auto const finish = [&](kept* all, extent m) {
    order_first(all, m, s.first, k);
    write_selected<Kept>(s, order, all);
  };
  extent const bytes   = n * extent(sizeof(typename Order::code));
  extent const threads = std::min(threads_for(on(where).space, bytes, item_tuning_for<tuning_of<Where>>().alone_from),
                                  std::max<extent>(n, 1));
  if (threads > 1 && threads * k > n / 8) return false;
  extent const own = room_for<kept>(n, k);
  if (threads == 1) {
    if (own <= kept_on_stack) {
      alignas(64) kept all[kept_on_stack];
      finish(all, keep_first<Kept>(s.in, order, 0, n, k, all, own));
      return true;
    }
    if (own * extent(sizeof(kept)) <= kept_in_thread) {
      auto* const all = cached_memory<kept, Selection>(own);
      finish(all, keep_first<Kept>(s.in, order, 0, n, k, all, own));
      return true;
    }
  }
  with_workspace(where, label, [&](auto const& place, auto& scratch) {
    auto* const all = scratch.template plain_of<kept>(threads * own);
    std::vector<extent> kept_by(static_cast<std::size_t>(threads));
    on_threads(place.label, place.space, threads, [&](int t) {
      extent const begin = part_of(n, t, int(threads)), end = part_of(n, t + 1, int(threads));
      kept_by[std::size_t(t)] = keep_first<Kept>(s.in, order, begin, end, std::min(k, end - begin), all + t * own, own);
    });
    extent m = kept_by[0];
    for (extent t = 1; t < threads; m += kept_by[std::size_t(t++)])
      std::copy_n(all + t * own, kept_by[std::size_t(t)], all + m);
    finish(all, m);
  });
  return true;
}

/// A selection with what is kept of its items.
template <class Kept, place_like Where, class Selection, class Order>
[[gnu::always_inline]] inline bool select_kept(Where const& where, Selection const& s, Order const& order,
                                               char const* label)
{
  if constexpr (!is_tiny<tuning_of<Where>>)
    if (s.size <= (s.last <= most_kept_in_order ? looked_at_on_the_spot : codes_in_block)) {
      select_few<Kept>(s, order);
      return true;
    }
  Selection const in_memory = s;  // copies, so that few items are selected from registers
  Order const by            = order;
  return select_many<Kept>(where, in_memory, by, label);
}

/// Finishes a selection, or leaves it to others: where most items of many are asked for, threads share their sort.
template <place_like Where, class Selection>
[[gnu::always_inline]] inline bool is_selected(backend, Where const& where, Selection const& s, char const* label)
{
  if constexpr (Selection::keys_alone)
    if (s.order.is_whole()) {
      auto order = s.whole();
      return select_kept<kept_code<typename Selection::code>>(where, s, order, label);
    }
  return select_kept<kept_place<typename Selection::code>>(where, s, s.order, label);
}

}  // namespace onepass::ONEPASS_ABI::backends::host
