// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/look_ahead/ring.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

// What a squad (the warps that do the same work) that writes for a compacting program lists of a tile: one kind of list
// for each kind of value that travels inside a tile. A list, for one shape of the ring, has:
//
//   bytes             bytes of a squad's memory that it takes
//   frees_by_copies   the copy engine will fill memory of the slot that threads have written
//   of<Ring>{ring, s, writer}
//     fill(rank)      lists the tile of slot s, by the whole squad; waits at a barrier until the tile before is no
//                     longer read from the list
//     range<C>()      the entries that column C takes
//     value<C>(k, range, prefix)   what it takes of the k-th of them; `prefix` is everything before the tile
//   items             optional: the list is one of items, which columns copy

/// A list of positions in a tile. If a thread has so many items that its entries would begin in the same bank as its
/// neighbours', padding avoids bank conflicts.
template <int N, int Items>
struct position_list {
  std::uint16_t* entry;

  ONEPASS_FUNCTION static constexpr int slot(int i) { return N > 32 ? i + i / 64 * 2 : i; }
  static constexpr int lead  = 16;  ///< in bytes: one entry may be read before the first
  static constexpr int bytes = lead + (slot(Items) * 2 + 15) / 16 * 16;

  __device__ static position_list in(char* memory) { return {reinterpret_cast<std::uint16_t*>(memory + lead)}; }
  __device__ int operator[](int i) const { return entry[slot(i)]; }
  __device__ void set(int i, int position) const { entry[slot(i)] = std::uint16_t(position); }

  /// Lists the positions base + k with is(k), from entry `at` on.
  template <class Is>
  __device__ void put(int at, int base, Is const& is) const
  {
#pragma unroll
    for (int k = 0; k < N; ++k)
      if (is(k)) set(at++, base + k);
  }
};

/// In a program of flags, whether column C keeps the items whose flag is set; otherwise it keeps the others.
template <class Program, int C>
ONEPASS_FUNCTION constexpr bool keeps_set()
{
  return Program::template keeps<C>(true);
}
template <class Program>
constexpr bool keeps_others = []<int... C>(std::integer_sequence<int, C...>)
{
  return (!keeps_set<Program, C>() || ...);
}
(std::make_integer_sequence<int, Program::columns>{});

/// For flag_counts: lists the set flags, then the others. put(entry, is) lists those of a thread's positions k with
/// is(k), from an entry on; put_one(entry, position) lists a single one, where there are few.
template <class Ring, class Put, class PutOne>
__device__ void list_flags(Ring const& ring, int s, int writer, int rank, Put const& put, PutOne const& put_one)
{
  constexpr int N = Ring::N;
  auto const& at  = ring.state(s);
  auto const made = ring.memos_of(s, rank);
  int const base = rank * N, own = made.kept.count();
  auto const through = warp_inclusive_scan(algebra_of(ring.program), flag_tally::of(own, -1), rank % 32).count();
  int const before   = at.groups[rank / Ring::network::lanes].count() + through - own;
  squad_barrier<Ring::squad>(2 + writer);
  if (__any_sync(all_lanes, own > N / 4)) put(before, [&](int k) { return made.kept.get(k); });
  else {
    int entry = before;
#pragma unroll
    for (int w = 0; w < Ring::flags::words; ++w)
      for (std::uint32_t left = made.kept.word(w); left; left &= left - 1)
        put_one(entry++, base + 32 * w + __ffs(int(left)) - 1);
  }
  // Positions before the first item are listed before all others, those beyond the last item after them.
  if constexpr (keeps_others<typename Ring::program_type>)
    put(at.all.count() + base - before, [&](int k) { return !made.kept.get(k); });
}

template <class Shape>
struct flag_list {
  using program   = typename Shape::program_type;
  using positions = position_list<Shape::N, Shape::items>;

  static constexpr int bytes            = positions::bytes;
  static constexpr bool frees_by_copies = false;

  template <class Ring>
  struct of {
    Ring const& ring;
    int s, writer;

    __device__ positions list() const { return positions::in(ring.memory_of_writer(writer)); }

    __device__ void fill(int rank) const
    {
      auto const to = list();
      list_flags(
          ring, s, writer, rank, [&](int entry, auto const& is) { to.put(entry, rank * Shape::N, is); },
          [&](int entry, int position) { to.set(entry, position); });
    }
    template <int C>
    __device__ entries range() const
    {
      auto const& at         = ring.state(s);
      auto const [lead, end] = ring.with_items(at.index);
      if constexpr (keeps_set<program, C>()) return {0, at.all.count()};
      else return {at.all.count() + lead, end};
    }
    template <int C>
    __device__ auto value(int k, entries range, typename Shape::aggregate const& prefix) const
    {
      auto const& p      = ring.program;
      auto const from    = list();
      extent const index = ring.state(s).index, first = ring.first(index);
      int const at    = from[range.begin + k];
      auto const item = typename Shape::stage{ring.memory_of(s)}(at);
      if constexpr (keeps_set<program, C>())
        return p.template value<C>(first + at, item, true, p.after(prefix, k, first + from[k - 1]));
      else
        return p.template value<C>(first + at, item, false,
                                   p.after(prefix, at - ring.with_items(index).begin - k, first + at));
    }
  };
};

/// For flag_counts, where columns take only items, and these are no wider than a position: a list of the items
/// themselves, which columns then copy 16 bytes at a time.
template <class Shape>
struct item_list {
  using program = typename Shape::program_type;
  using item    = typename Shape::item;

  static constexpr int bytes = 16 + (Shape::items * int(sizeof(item)) + 15) / 16 * 16;  // one more word may be read
  static constexpr bool frees_by_copies = false;

  template <class Ring>
  struct of {
    Ring const& ring;
    int s, writer;

    __device__ item* items() const { return reinterpret_cast<item*>(ring.memory_of_writer(writer)); }

    __device__ void fill(int rank) const
    {
      typename Shape::stage const tile{ring.memory_of(s)};
      auto* const to = items();
      list_flags(
          ring, s, writer, rank,
          [&](int entry, auto const& is) {
            constexpr int per_pack = 16 / int(sizeof(item));
#pragma unroll
            for (int k = 0; k < Shape::N; k += per_pack) {
              register_items<item, per_pack> held;
              held.load(tile.data() + rank * Shape::N + k);
#pragma unroll
              for (int j = 0; j < per_pack; ++j)
                if (is(k + j)) to[entry++] = held.get(j);
            }
          },
          [&](int entry, int position) { to[entry] = tile(position); });
    }
    template <int C>
    __device__ entries range() const
    {
      return typename flag_list<Shape>::template of<Ring>{ring, s, writer}.template range<C>();
    }
  };
};

/// For part_counts: the positions of the items of the first part, of the second, and of the rest.
template <class Shape>
struct part_list {
  using program   = typename Shape::program_type;
  using positions = position_list<Shape::N, Shape::items>;

  static constexpr int bytes            = positions::bytes;
  static constexpr bool frees_by_copies = false;

  template <class Ring>
  struct of {
    Ring const& ring;
    int s, writer;

    __device__ positions list() const { return positions::in(ring.memory_of_writer(writer)); }

    __device__ void fill(int rank) const
    {
      auto const& at    = ring.state(s);
      auto const made   = ring.memos_of(s, rank);
      auto const own    = part_tally::of(made.first.count(), made.second.count());
      auto const local  = warp_inclusive_scan(algebra_of(ring.program), own, rank % 32);
      auto const before = Shape::algebra::combine(at.groups[rank / Ring::network::lanes], {local.bits - own.bits});
      int const base = rank * Shape::N, second = at.all.first(), third = second + at.all.second();
      auto const to = list();
      squad_barrier<Shape::squad>(2 + writer);
      to.put(before.first(), base, [&](int k) { return made.first.get(k); });
      to.put(second + before.second(), base, [&](int k) { return made.second.get(k); });
      to.put(third + base - before.first() - before.second(), base,
             [&](int k) { return !made.first.get(k) && !made.second.get(k); });
    }
    template <int C>
    __device__ entries range() const
    {
      auto const& at   = ring.state(s);
      int const second = at.all.first(), third = second + at.all.second();
      auto const [lead, end] = ring.with_items(at.index);
      if constexpr (C == 0) return {0, second};
      else if constexpr (C == 1) return {second, third};
      else return {third + lead, end};
    }
    template <int C>
    __device__ auto value(int k, entries range, typename Shape::aggregate const& prefix) const
    {
      int const at = list()[range.begin + k];
      return ring.program.template value<C>(ring.first(ring.state(s).index) + at,
                                            typename Shape::stage{ring.memory_of(s)}(at),
                                            typename program::memo_type(C), prefix);
    }
  };
};

/// For sums_since_flag: the positions of set flags, and with each the combination of what precedes its item in the
/// tile. These sums overwrite the values that were combined, where those are the second of pairs and wide enough.
template <class Shape>
struct sum_list {
  using program   = typename Shape::program_type;
  using item      = typename Shape::item;
  using sum       = typename Shape::algebra::sum_type;
  using positions = position_list<Shape::N, Shape::items>;

  static constexpr bool replaces_values = []() -> bool {
    if constexpr (is_zipped<input_of<program>>) return sizeof(sum) <= sizeof(item::second);
    else return false;
  }();
  static constexpr int bytes =
      positions::bytes + (replaces_values ? 0 : (Shape::items * int(sizeof(sum)) + 15) / 16 * 16);
  static constexpr bool frees_by_copies = replaces_values;

  template <class Ring>
  struct of {
    Ring const& ring;
    int s, writer;

    __device__ positions list() const { return positions::in(ring.memory_of_writer(writer)); }
    __device__ sum* sums() const
    {
      char* at = ring.memory_of_writer(writer) + positions::bytes;
      if constexpr (replaces_values)
        at = reinterpret_cast<char*>(typename Shape::stage{ring.memory_of(s)}.second().data());
      return reinterpret_cast<sum*>(at);
    }

    __device__ void fill(int rank) const
    {
      auto const& at    = ring.state(s);
      auto const made   = ring.memos_of(s, rank);
      auto const before = algebra_of(ring.program).combine(at.groups[rank / Ring::network::lanes], at.before[rank]);
      auto const in     = ring.items_of(s, at.index, rank);
      auto const to     = list();
      auto* const found = sums();
      int entry         = before.count();
      squad_barrier<Shape::squad>(2 + writer);  // after this the values are in registers
      if (__any_sync(all_lanes, made.kept.count() > 0))
        in.at_flags(ring.program, made, before, [&](int k, typename Shape::inside const& now) {
          to.set(entry, rank * Shape::N + k);
          found[entry++] = now.sum;
        });
    }
    template <int>
    __device__ entries range() const
    {
      return {0, ring.state(s).all.count()};
    }
    template <int C>
    __device__ auto value(int k, entries, typename Shape::aggregate const& prefix) const
    {
      int const at = list()[k];
      typename Shape::stage const tile{ring.memory_of(s)};
      auto const kept = [&]() -> item {
        if constexpr (replaces_values) return {tile.first()(at), {}};  // the value is overwritten
        else return tile(at);
      };
      return ring.program.template value<C>(
          ring.first(ring.state(s).index) + at, kept(), true,
          ring.program.after(prefix, typename Shape::inside{std::uint32_t(k), sums()[k]}));
    }
  };
};

/// For programs that do not compact.
template <class Shape>
struct no_list {
  static constexpr int bytes = 0;
};

namespace detail {
template <class Shape>
constexpr bool lists_items = []() -> bool {
  using program = typename Shape::program_type;
  using item    = typename Shape::item;
  if constexpr (Shape::compacts && counts_flags<program> && sizeof(item) <= 2)
    return []<int... C>(std::integer_sequence<int, C...>)
    {
      return (... && (std::is_same_v<column_item<program, C>, item> ? copies_items<program, C> : false));
    }
  (std::make_integer_sequence<int, program::columns>{});
  else return false;
}();
}  // namespace detail

template <class Shape>
using list_for = std::conditional_t<
    !Shape::compacts, no_list<Shape>,
    std::conditional_t<
        Shape::parts, part_list<Shape>,
        std::conditional_t<Shape::sums, sum_list<Shape>,
                           std::conditional_t<detail::lists_items<Shape>, item_list<Shape>, flag_list<Shape>>>>>;

}  // namespace onepass::ONEPASS_ABI::backends::cuda
