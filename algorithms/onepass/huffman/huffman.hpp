// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_lanes.hpp>
#include <onepass/backends/run_tiles.hpp>
#include <onepass/checks.hpp>
#include <onepass/histogram.hpp>
#include <onepass/huffman/codebook/print.hpp>
#include <onepass/huffman/programs/codebook.hpp>
#include <onepass/huffman/programs/decode.hpp>
#include <onepass/huffman/programs/encode_host.hpp>
#include <onepass/scan.hpp>
#include <onepass/upload.hpp>

namespace onepass::ONEPASS_ABI::huffman {

/// \defgroup huffman Huffman coding
/// Entropy coding of bytes and of weights in the block layout (docs/format.md). Common to all of it:
///
/// - `Split`: which part of an item is coded (huffman/split.hpp): split::bf16, split::bytes, ...
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`); every backend writes
///   the same bytes
/// - `in`, `out` of items: a contiguous View of rank 1 of `Split::item`, an unsigned integer that holds an item's bits
///
/// Coded data may be damaged or hostile: decoding stays inside the Views that it was given, and damaged data becomes
/// the same wrong items on every backend. What shows that data is right are the checksums of the packed format
/// (packed/container.hpp).
///
/// Errors: the compiler refuses, with a sentence, items, counts and lengths of other types, Views with gaps, and memory
/// that the space cannot reach. Throws precondition_error, before anything is queued, where sizes do not fit each
/// other.
///
/// Calls that take a `where` are queued on the instance; nothing is fenced, and nothing allocated where the place has a
/// workspace that is large enough. What makes memory (tables, make_coded(), batch) allocates, and says so.
///
/// Source: Huffman 1952; codes of limited length, Larmore & Hirschberg 1990; canonical codes, Schwartz & Kallick 1964;
/// coding the exponents of weights, Zhang et al. 2025 (DFloat11); see docs/references.md. The block layout is the
/// library's own, docs/decisions/0008-huffman-layout.md.
/// \{

/// One codebook and its tables where an execution space can reach them.
template <class Exec>
class tables {
public:
  using memory_space = typename Exec::memory_space;  ///< where the tables lie

  /// The tables of a complete code of at most 12 bits, from its lengths. Allocates, and waits until the tables are
  /// there. Throws precondition_error if the lengths are not those of such a code.
  tables(Exec const& exec, code_lengths const& lengths)
      : lengths_(uploaded<std::uint8_t>(exec, lengths, label))
      , pairs_(uploaded<std::uint32_t>(exec, make_pair_table(lengths), label))
      , encode_(uploaded<std::uint32_t>(exec, make_encode_table(lengths), label))
  {
    if constexpr (hosts_decode) many_ = uploaded<std::uint64_t>(exec, make_many_table(lengths), label);
  }

  /// Room for a codebook, which build() makes. Allocates.
  explicit tables(Exec const& exec)
      : lengths_(room<std::uint8_t>(exec, alphabet))
      , pairs_(room<std::uint32_t>(exec, windows))
      , encode_(room<std::uint32_t>(exec, alphabet))
  {
    if constexpr (hosts_decode) many_ = room<std::uint64_t>(exec, windows);
  }

  /// The length of each symbol's code, as code_lengths are.
  Kokkos::View<std::uint8_t*, memory_space> lengths() const { return lengths_; }

  std::uint32_t* pairs() const { return pairs_.data(); }    ///< what devices decode by: a pair_table
  std::uint32_t* encode() const { return encode_.data(); }  ///< what encoders look up: an encode_table
  std::uint64_t* many() const { return many_.data(); }      ///< what hosts decode by, a many_table; null on devices

private:
  static constexpr char label[]      = "onepass::huffman::tables";
  static constexpr bool hosts_decode = Kokkos::SpaceAccessibility<Kokkos::HostSpace, memory_space>::accessible;

  template <class Word>
  static Kokkos::View<Word*, memory_space> room(Exec const& exec, int words)
  {
    return Kokkos::View<Word*, memory_space>(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, std::string(label)),
                                             std::size_t(words));
  }
  Kokkos::View<std::uint8_t*, memory_space> lengths_;
  Kokkos::View<std::uint32_t*, memory_space> pairs_, encode_;
  Kokkos::View<std::uint64_t*, memory_space> many_;
};

/// Coded items where an execution space can reach them.
template <class Exec>
struct coded {
  /// The Views of its parts.
  template <class T>
  using view = Kokkos::View<T*, typename Exec::memory_space>;

  extent items = 0;                ///< how many items are coded
  int per_lane = 128;              ///< symbols a lane has in a full tile: 32, 64, 128 or 256
  view<std::uint32_t> index{};     ///< tiles + 1: where each tile begins in `words`, in units of four words
  view<std::uint32_t> words{};     ///< the tiles; a multiple of four
  view<std::uint8_t> rest{};       ///< what is not coded (split::rest_layout)
  std::uint32_t longest_tile = 0;  ///< words of the longest tile; 0 if it is not known, which costs a little speed
};

/// The layout of a block of `items` items, fewer than 2^35, with 32, 64, 128 or 256 symbols a lane. Throws
/// precondition_error for other numbers.
template <class Split>
block_layout layout_of(extent items, int per_lane)
{
  require(items >= 0 && items < extent(1) << 35, "huffman: ", items,
          " items; fewer than 2^35 go into one block");  // so that an index can name their units
  require(is_per_lane(per_lane), "huffman: ", per_lane, " symbols a lane; give 32, 64, 128 or 256");
  return {items, per_lane, Split::unit};
}

/// The number of symbols a lane that serves n items well: more of them take less room, fewer keep a device busy where
/// there are few items.
constexpr int default_per_lane(extent n) { return n >= extent(1) << 21 ? 128 : n >= extent(1) << 17 ? 64 : 32; }

/// Memory for n items coded with codes of at most `longest` bits, whatever the items are. Allocates. Throws
/// precondition_error as layout_of() does.
template <class Split, class Exec>
coded<Exec> make_coded(Exec const& exec, extent n, int per_lane, int longest = longest_code)
{
  auto const layout = layout_of<Split>(n, per_lane);
  coded<Exec> made{.items = n, .per_lane = per_lane};
  auto const alloc = [&](char const* label) {
    return Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, std::string(label));
  };
  made.index = typename coded<Exec>::template view<std::uint32_t>(alloc("onepass::huffman::index"),
                                                                  std::size_t(layout.tiles() + 1));
  made.words = typename coded<Exec>::template view<std::uint32_t>(
      alloc("onepass::huffman::words"), std::size_t(layout.tiles()) * layout.most_tile_words(longest));
  made.rest = typename coded<Exec>::template view<std::uint8_t>(alloc("onepass::huffman::rest"),
                                                                std::size_t(split::rest_layout<Split>{n}.bytes()));
  return made;
}

namespace detail {

template <class Split, class Exec, class Items>
void check_items()
{
  static_assert(Kokkos::is_view_v<Items> && Items::rank() == 1, "onepass: coded items must be a View of rank 1");
  static_assert(std::is_same_v<typename Items::non_const_value_type, typename Split::item>,
                "onepass: the items must be Split::item, an unsigned integer that holds their bits");
  static_assert(!std::is_same_v<typename Items::array_layout, Kokkos::LayoutStride>,
                "onepass: coded items must be contiguous");
  static_assert(reachable<Exec, Items>,
                "onepass: the execution space cannot reach the items' memory; copy them or run elsewhere");
}

template <class Split>
struct symbol_of {
  ONEPASS_FUNCTION constexpr int operator()(typename Split::item x) const { return Split::symbol(x); }
};

template <class Exec, class Counts>
void check_counts()
{
  static_assert(std::is_same_v<typename Counts::non_const_value_type, std::uint64_t> && Counts::rank() == 1
                    && reachable<Exec, Counts>,
                "onepass: counts of symbols are a View of rank 1 of std::uint64_t that the execution space can reach");
}

template <class... Views>
constexpr bool without_gaps = (!std::is_same_v<typename Views::array_layout, Kokkos::LayoutStride> && ...);

/// The sizes that both directions need, and the alignment of what devices copy in bulk.
template <class Split, class Exec>
void require_parts(char const* operation, block_layout const& layout, coded<Exec> const& c)
{
  auto const rest = split::rest_layout<Split>{layout.items}.bytes();
  require(extent(c.index.size()) >= layout.tiles() + 1, operation, ": the index has ", c.index.size(), " words; ",
          layout.tiles() + 1, " are needed");
  require(extent(c.rest.size()) >= rest, operation, ": the rest has ", c.rest.size(), " bytes; ", rest, " are needed");
  require(c.words.size() / 4 < std::size_t(1) << 32, operation,
          ": more than 2^34 coded words; use more than one block");
  require(reinterpret_cast<std::uintptr_t>(c.words.data()) % 16 == 0, operation,
          ": the coded words must be aligned to 16 bytes");
}

template <class Split, class Items>
unit_memory<Split> units(Items const& items, extent n, std::uint8_t* rest)
{
  auto* const at = const_cast<typename Split::item*>(items.data());
  return {at, rest, n, unit_memory<Split>::aligned(at, rest)};
}

/// The decoder of a block whose parts fit each other, without an output.
template <class Split, class Exec>
decode_program<Split> decoder(char const* operation, tables<Exec> const& book, coded<Exec> const& in)
{
  auto const layout = layout_of<Split>(in.items, in.per_lane);
  require_parts<Split>(operation, layout, in);
  auto const most = layout.most_tile_words();
  require(in.longest_tile % 4 == 0 && in.longest_tile <= most, operation, ": a longest tile of ", in.longest_tile,
          " words; give a multiple of four, at most ", most);
  auto* const rest = in.rest.data();
  return {layout,
          {nullptr, rest, in.items, unit_memory<Split>::aligned(nullptr, rest)},
          in.index.data(),
          {in.words.data(), std::uint32_t(in.words.size() / 4)},
          book.pairs(),
          book.many(),
          in.longest_tile ? in.longest_tile : most};
}

template <class Split, class Exec, class Out>
decode_program<Split> decoder(char const* operation, tables<Exec> const& book, coded<Exec> const& in, Out const& out)
{
  require(extent(out.extent(0)) == in.items, operation, ": the output has ", out.extent(0), " items and ", in.items,
          " are coded; give as many");
  auto program   = decoder<Split>(operation, book, in);
  program.memory = units<Split>(out, in.items, in.rest.data());
  return program;
}

/// For host threads that have many items to encode; else null.
template <class Split, class Place, class Scratch>
std::uint32_t const* codes_of_pairs(Place const& where, encode_parts<Split> const& parts, Scratch& scratch)
{
  if constexpr (on_host<typename Place::execution_space>)
    if (parts.layout.items >= codes_of_pairs_from<typename Place::tuning>()) {
      auto* const joined = scratch.template plain_of<std::uint32_t>(join_codes::pairs);
      onepass::run_each(where.step(" (pairs)"), join_codes{parts.codes, joined}, join_codes::pairs, "");
      return joined;
    }
  return nullptr;
}

}  // namespace detail

/// result(s) = how often symbol s occurs in the items. `result` is a View of 256 std::uint64_t, and is overwritten;
/// another size throws precondition_error. Cost: that of a histogram of 256 bins; n items are read once.
template <class Split, place_like Where, class In, class Result>
void count(Where const& where, In const& in, Result const& result)
{
  using exec = space_of<Where>;
  detail::check_items<Split, exec, In>();
  detail::check_counts<exec, Result>();
  require(result.size() == std::size_t(alphabet), "huffman::count: the result has ", result.size(),
          " places; give 256");
  onepass::detail::count_bins("huffman::count", where, in, result, detail::symbol_of<Split>{});
}

/// lengths(s) = the length of symbol s's code, the same that limited_lengths() gives for these counts; where they add
/// up to more than it takes, for a 2^16-th of each. `how_often` is a View of 256 std::uint64_t, `lengths` one of 256
/// std::uint8_t, and `limit` is 8 to 16: else precondition_error. Cost: one kernel of one team.
template <place_like Where, class Counts, class Lengths>
void find_lengths(Where const& where, Counts const& how_often, Lengths const& lengths, int limit = longest_code)
{
  using exec = space_of<Where>;
  detail::check_counts<exec, Counts>();
  static_assert(std::is_same_v<typename Lengths::value_type, std::uint8_t> && Lengths::rank() == 1
                    && reachable<exec, Lengths>,
                "onepass: code lengths go to a View of rank 1 of std::uint8_t that the execution space can reach");
  static_assert(detail::without_gaps<Counts, Lengths>, "onepass: counts and code lengths must be contiguous");
  require(how_often.size() == std::size_t(alphabet) && lengths.size() == std::size_t(alphabet),
          "huffman::find_lengths: ", how_often.size(), " counts and room for ", lengths.size(),
          " lengths; give 256 of both");
  require(limit >= 8 && limit <= codebook_program::longest, "huffman::find_lengths: a limit of ", limit,
          " bits; give one of 8 to 16");
  onepass::run(where, codebook_program{{}, how_often.data(), limit, lengths.data(), nullptr, nullptr, nullptr},
               "huffman::find_lengths");
}

/// book = the codebook of these counts, with codes of at most `limit` bits, 8 to 12, by the lengths that find_lengths()
/// gives. `how_often` is a View of 256 std::uint64_t; other sizes and limits throw precondition_error.
/// Cost: one kernel of one team; nothing goes to the host.
template <place_like Where, class Counts>
void build(Where const& where, Counts const& how_often, tables<space_of<Where>> const& book, int limit = longest_code)
{
  using exec = space_of<Where>;
  detail::check_counts<exec, Counts>();
  static_assert(detail::without_gaps<Counts>, "onepass: counts of which a codebook is made must be contiguous");
  require(how_often.size() == std::size_t(alphabet), "huffman::build: there are ", how_often.size(),
          " counts; give 256");
  require(limit >= 8 && limit <= longest_code, "huffman::build: a limit of ", limit, " bits; give one of 8 to 12");
  onepass::run(
      where,
      codebook_program{{}, how_often.data(), limit, book.lengths().data(), book.pairs(), book.encode(), book.many()},
      "huffman::build");
}

/// out = the items, coded by these tables. `out` was made by make_coded() for as many items, else precondition_error is
/// thrown. Every item's symbol must have a code. A tile that does not fit `out.words` is not written; the last word of
/// the index gives how many units of four words there are. Cost: one kernel; n items are read, the second time from
/// caches, and their coded form is written once. schedule::two_pass of portably(exec) takes three kernels and reads the
/// items twice from memory.
template <class Split, place_like Where, class In>
void encode(Where const& where, tables<space_of<Where>> const& book, In const& in, coded<space_of<Where>> const& out)
{
  detail::check_items<Split, space_of<Where>, In>();
  auto const layout = layout_of<Split>(extent(in.extent(0)), out.per_lane);
  require(out.items == layout.items, "huffman::encode: room for ", out.items, " items was made and there are ",
          layout.items);
  detail::require_parts<Split>("huffman::encode", layout, out);

  encode_parts<Split> const parts{layout, detail::units<Split>(in, layout.items, out.rest.data()), book.encode()};
  encode_target const to{out.index.data(), out.words.data(), std::uint32_t(out.words.size() / 4)};
  with_workspace(where, "huffman::encode", [&](auto const& place, auto& scratch) {
    onepass::run(place, encode_program<Split>{{parts, to}, detail::codes_of_pairs(place, parts, scratch)}, "");
  });
}

/// out = the items that were coded. `out` has in.items items, else precondition_error is thrown, as it is where the
/// parts of `in` do not fit each other. Cost: one kernel; the coded form is read once and n items are written once.
template <class Split, place_like Where, class Out>
void decode(Where const& where, tables<space_of<Where>> const& book, coded<space_of<Where>> const& in, Out const& out)
{
  detail::check_items<Split, space_of<Where>, Out>();
  static_assert(!std::is_const_v<typename Out::value_type>, "onepass: an output must not be const");
  onepass::run(where, detail::decoder<Split>("huffman::decode", book, in, out), "huffman::decode");
}

/// \}

}  // namespace onepass::ONEPASS_ABI::huffman
