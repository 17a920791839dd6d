// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "measure.hpp"

#include <onepass/huffman.hpp>

// Huffman coding of items of one type: coded, decoded, and the size of what was coded.
namespace tools {

namespace huffman = onepass::huffman;

/// Units of 16 bytes that the items take, as docs/format.md has it, with codes of these lengths.
template <class Split>
onepass::extent units_of(std::vector<u8> const& symbols, huffman::code_lengths const& lengths, std::size_t per_lane)
{
  onepass::extent units = 0;
  for (std::size_t first = 0; first < symbols.size(); first += 32 * per_lane) {
    std::vector<u32> bits(32, 0);
    for (std::size_t i = first; i < std::min(symbols.size(), first + 32 * per_lane); ++i) bits[i % (32 * Split::unit) / Split::unit] += lengths[symbols[i]];
    u32        least = *std::min_element(bits.begin(), bits.end()), step = 1;
    const auto most = *std::max_element(bits.begin(), bits.end());
    while ((most - least + step - 1) / step > 255) step *= 2;
    if (most == least && least > 0 && least % 512 == 0) least += 8;
    u32 all = 9 * 32;
    for (const auto b : bits) all += b <= least ? least : least + (b - least + step - 1) / step * step;
    units += (all + 127) / 128;
  }
  return units;
}

/// total = the last word of an index.
template <class Index, class Total>
struct store_last {
  Index index;
  Total total;
  KOKKOS_FUNCTION void operator()(int) const { total() = onepass::extent(index(index.size() - 1)); }
};

template <class Split>
void huffman_rows_of(session& s, std::string split, std::vector<std::pair<std::string, std::vector<typename Split::item>>> const& inputs)
{
  using T     = typename Split::item;
  using judge = exact<T, onepass::extent>;
  constexpr int per_lane = 64;
  for (auto const& [name, items] : inputs) {
    constexpr std::size_t row = 4096;
    std::vector<u8>       symbols(items.size()), elsewhere(2 * row);
    for (std::size_t i = 0; i < items.size(); i += row)
      Split::part_row(symbols.data() + i, {elsewhere.data(), elsewhere.data()}, items.data() + i, int(std::min(row, items.size() - i)));
    const auto lengths = huffman::limited_lengths(huffman::count_symbols(symbols.data(), symbols.size()));
    measure_everywhere(s, {"huffman", split + ", " + name, type_name<T>},
                       std::vector<problem<judge, T>>{{name, {&items}, 2 * items.size() * sizeof(T), judge{items, units_of<Split>(symbols, lengths, per_lane)}}},
                       [&](auto const& place, auto const& in, auto const& out, auto const& total) {
                         using exec = typename std::decay_t<decltype(place)>::execution_space;
                         const huffman::tables<exec> book(place.space, lengths);
                         const auto                  coded = huffman::make_coded<Split>(place.space, onepass::extent(in.extent(0)), per_lane);
                         huffman::encode<Split>(place, book, in, coded);
                         huffman::decode<Split>(place, book, coded, out);
                         using total_view = std::decay_t<decltype(total)>;
                         Kokkos::parallel_for("onepass check", Kokkos::RangePolicy<exec>(place.space, 0, 1), store_last<std::decay_t<decltype(coded.index)>, total_view>{coded.index, total});
                         place.space.fence("onepass check: what was coded goes out of scope");
                       });
  }
}

template <class T>
void huffman_rows(session& s)
{
  const auto                                          items = s.items<T>();
  std::vector<std::pair<std::string, std::vector<T>>> inputs{{"bytes", items}, {"few-valued", few_valued(items)}};
  if constexpr (std::is_same_v<T, u8>) {
    huffman_rows_of<onepass::split::bytes>(s, "bytes", inputs);
    huffman_rows_of<onepass::split::e4m3>(s, "e4m3", inputs);
  } else if constexpr (std::is_same_v<T, u16>) {
    huffman_rows_of<onepass::split::bf16>(s, "bf16", inputs);
    huffman_rows_of<onepass::split::f16>(s, "f16", inputs);
  } else huffman_rows_of<onepass::split::f32>(s, "f32", inputs);
}

}  // namespace tools
