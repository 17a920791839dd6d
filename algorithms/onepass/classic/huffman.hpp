// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/checks.hpp>
#include <onepass/classic/programs/huffman.hpp>
#include <onepass/upload.hpp>

#include <algorithm>

/// \defgroup dfloat11 The layout of DFloat11
/// The layout of DFloat11 (bf16) and of its form for FP8 (e4m3): one stream of exponent codes, the first bit of a code
/// being the most significant, and for every 64 bits of the stream the position of the first code in them. Provided to
/// read such files, and as a baseline: the block layout (huffman/huffman.hpp) needs less memory besides the codes, and
/// one phase instead of two. Symbols of 240 and more, skewed blocks, more than 2^31 items and damaged data, for which
/// the original fails or is silently wrong, are handled.
///
/// Source: Zhang et al. 2025 (DFloat11), Yang et al. 2025 (ECF8); see docs/references.md.

/// The layout of DFloat11.
namespace onepass::ONEPASS_ABI::classic::dfloat11 {

/// \addtogroup dfloat11
/// \{

/// The arrays of one block of weights as stored in a file, on the host.
template <class Split>
struct block {
  using position = typename form<Split>::position;  ///< the position of an item, as stored in files

  extent items = 0;  ///< the number of weights
  std::vector<std::uint8_t>
      luts{};  ///< rows of 256; the last has the code lengths. Empty if bytes cannot represent the symbols
  std::vector<std::uint8_t> codes{};  ///< "encoded_exponent"
  std::vector<std::uint8_t>
      gaps{};  ///< 5 (e4m3: 4) bits for each 8 bytes of codes, the first bit the most significant; whole blocks
  std::vector<std::uint8_t> rest{};  ///< "sign_mantissa": a byte per item; e4m3: half a byte
  std::vector<position>
      positions{};  ///< "output_positions": for each 4096 bytes of codes, the first item that begins there; then items
  bytewise_tables tables{};  ///< the same as luts, in a form that can hold all symbols
};

/// The width of table entries. DFloat11 writes bytes, which cannot represent symbols of 240 and more.
enum class table_entries {
  bytes,  ///< as DFloat11 writes them; such symbols throw precondition_error
  wide    ///< wide enough for all symbols
};

/// The items of [data, data + n) as a block, written by the calling thread in two passes. Throws precondition_error if
/// entries are bytes and a symbol does not fit them, which for bf16 is an exponent of 2^113 or more, Inf or NaN, and if
/// positions cannot name n items.
template <class Split>
block<Split> write(typename Split::item const* data, extent n, table_entries entries = table_entries::bytes)
{
  using layout   = form<Split>;
  using position = typename layout::position;
  require(n >= 0 && std::uint64_t(n) <= std::uint64_t(position(~position(0))), "classic::dfloat11::write: ", n,
          " items; positions cannot name that many");
  huffman::counts found{};
  for (extent i = 0; i < n; ++i) ++found[std::size_t(layout::symbol(data[i]))];
  auto lengths = huffman::tree_lengths(found);
  if (*std::max_element(lengths.begin(), lengths.end()) > layout::longest)
    lengths = huffman::limited_lengths(found, layout::longest);
  auto const all = huffman::canonical(lengths);

  block<Split> made{.items = n};
  made.tables = make_bytewise_tables(all);
  if (entries == table_entries::bytes) made.luts = narrowed(made.tables);
  made.rest.resize(std::size_t(layout::rest_bytes(n)));
  made.codes.reserve(std::size_t(huffman::coded_bits(found, lengths) / 8 + 8));
  std::vector<std::uint8_t> gaps;  // one gap per thread
  std::uint64_t waiting = 0;
  int have              = 0;
  extent bit            = 0;
  for (extent i = 0; i < n; ++i) {
    if (bit / 64 == extent(gaps.size())) {  // codes are too short for a thread to have none
      if (gaps.size() % threads == 0) made.positions.push_back(position(i));
      gaps.push_back(std::uint8_t(bit % 64));
    }
    layout::keep_rest(made.rest.data(), i, data[i]);
    auto const c = all[std::size_t(layout::symbol(data[i]))];
    waiting      = waiting << c.length | c.bits;
    bit += c.length;
    for (have += c.length; have >= 8; have -= 8) made.codes.push_back(std::uint8_t(waiting >> (have - 8)));
  }
  if (have > 0) made.codes.push_back(std::uint8_t(waiting << (8 - have)));
  auto const blocks = std::size_t(div_up(extent(made.codes.size()), block_bytes));
  made.positions.resize(std::max(made.positions.size(), blocks), position(n));  // the last code may end in a block
  made.positions.push_back(position(n));                                        // where none begins

  made.gaps.resize(blocks * std::size_t(threads * layout::gap_bits / 8));
  for (std::size_t t = 0; t < gaps.size(); ++t)
    for (int b = 0; b < layout::gap_bits; ++b) {
      auto const at = t * layout::gap_bits + std::size_t(b);
      made.gaps[at / 8] |= std::uint8_t((gaps[t] >> (layout::gap_bits - 1 - b) & 1) << (7 - at % 8));
    }
  return made;
}

/// Throws precondition_error unless the arrays of a block are consistent. `tables` are made from `luts` if these are
/// not empty.
template <class Split>
void check(block<Split>& b)
{
  extent const blocks = div_up(extent(b.codes.size()), block_bytes), rest = form<Split>::rest_bytes(b.items),
               gaps = blocks * threads * form<Split>::gap_bits / 8;
  require(b.items >= 0 && extent(b.rest.size()) == rest, "classic::dfloat11: ", b.rest.size(),
          " bytes of signs and mantissas for ", b.items, " items; ", rest, " are needed");
  require(extent(b.gaps.size()) >= gaps, "classic::dfloat11: ", b.gaps.size(), " bytes of gaps for ", blocks,
          " blocks; ", gaps, " are needed");
  require(extent(b.positions.size()) == blocks + 1, "classic::dfloat11: ", b.positions.size(), " output positions for ",
          blocks, " blocks; give one more than blocks");
  require(b.positions.front() == 0 && extent(b.positions.back()) == b.items,
          "classic::dfloat11: the output positions go from ", b.positions.front(), " to ", b.positions.back(),
          "; they must go from 0 to ", b.items);
  for (std::size_t k = 0; k + 1 < b.positions.size(); ++k)
    require(b.positions[k] <= b.positions[k + 1], "classic::dfloat11: output position ", k + 1,
            " is before the one before it");
  if (!b.luts.empty()) b.tables = widened(b.luts);
  check_rows(b.tables);
  for (std::size_t s = 0; s < huffman::alphabet; ++s)
    require(b.tables.lengths[s] <= form<Split>::longest, "classic::dfloat11: symbol ", s, " has a code of ",
            b.tables.lengths[s], " bits; at most ", form<Split>::longest, " are allowed");
}

/// A block in memory that an execution space can access.
template <class Split, class Exec>
class coded {
public:
  /// Checks the block as check() does, allocates, and waits until the copy is complete.
  coded(Exec const& exec, block<Split> b)
      : items_(b.items)
  {
    check(b);
    for (std::size_t k = 0; k + 1 < b.positions.size(); ++k)
      longest_ = std::max(longest_, extent(b.positions[k + 1] - b.positions[k]));
    auto const there = [&]<class T>(view<T>& to, auto const& list) {
      to = uploaded<T>(exec, list, "onepass::classic::dfloat11");
    };
    there(entries_, b.tables.entries), there(lengths_, b.tables.lengths), there(codes_, b.codes);
    there(gaps_, b.gaps), there(rest_, b.rest), there(positions_, b.positions);
  }

  /// The number of weights.
  extent items() const { return items_; }

  /// The program that decodes it; `buffer`: the bytes of shared memory that a team has for its items.
  decoder<Split> decode(typename Split::item* out, std::uint32_t* damaged, std::size_t buffer) const
  {
    auto const fits = extent(buffer / sizeof(typename Split::item));
    return {{entries_.data(), lengths_.data()},
            codes_.data(),
            gaps_.data(),
            rest_.data(),
            positions_.data(),
            extent(codes_.size()),
            items_,
            out,
            damaged,
            int(longest_ < fits ? longest_ : fits)};
  }

private:
  template <class T>
  using view = Kokkos::View<T*, typename Exec::memory_space>;

  extent items_ = 0, longest_ = 0;
  view<std::uint16_t> entries_;
  view<std::uint8_t> lengths_, codes_, gaps_, rest_;
  view<typename form<Split>::position> positions_;
};

/// out = the items of the block, a View of rank 1 of Split::item with in.items() items, else precondition_error is
/// thrown. `damaged`, a View of rank 0 of std::uint32_t, becomes the number of 4096-byte blocks whose contents do not
/// match their positions; their items are not all written. Which blocks and items these are does not depend on the
/// backend.
///
/// Cost: two kernels; codes are decoded twice, once to count and once to write. Queued on the instance; nothing is
/// fenced or allocated.
template <place_like Where, class Split, class Out, class Damaged>
void decode(Where const& where, coded<Split, space_of<Where>> const& in, Out const& out, Damaged const& damaged)
{
  using exec = space_of<Where>;
  static_assert(std::is_same_v<typename Out::value_type, typename Split::item> && Out::rank() == 1
                    && reachable<exec, Out>,
                "onepass: the output must be a View of rank 1 of Split::item that the execution space can reach");
  static_assert(!std::is_same_v<typename Out::array_layout, Kokkos::LayoutStride>,
                "onepass: decoded items must be contiguous");
  static_assert(std::is_same_v<typename Damaged::value_type, std::uint32_t> && Damaged::rank() == 0
                    && reachable<exec, Damaged>,
                "onepass: the number of damaged blocks goes to a View of rank 0 of std::uint32_t that the execution "
                "space can reach");
  require(extent(out.extent(0)) == in.items(), "classic::dfloat11::decode: the output has ", out.extent(0),
          " items and ", in.items(), " are coded; give as many");
  auto const p       = on(where).or_named("classic::dfloat11::decode");
  auto* const number = damaged.data();
  auto const program = in.decode(out.data(), number, team_buffer);
  onepass::run_each(p.step(" (clear)"), clear_one{number}, 1, "");
  if constexpr (on_host<exec>) onepass::run_each(p, program, program.blocks(), "");
  else if (program.blocks() > 0) {
    auto teams = Kokkos::TeamPolicy<exec, Kokkos::LaunchBounds<threads, 2>>(p.space, int(program.blocks()), threads);
    teams.set_scratch_size(0, Kokkos::PerTeam(int(std::size_t(program.buffered) * sizeof(typename Split::item) + 32)));
    Kokkos::parallel_for(p.label, teams, program);
  }
}

/// \}

}  // namespace onepass::ONEPASS_ABI::classic::dfloat11
