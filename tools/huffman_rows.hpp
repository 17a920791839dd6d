// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "measure.hpp"

#include <onepass/classic/huffman.hpp>
#include <onepass/huffman/huffman.hpp>

// Rows for Huffman coding of items of one type: counts, a codebook made on the device, encoding, decoding, and the size
// of what was encoded; and the classic layout, written by the host.
namespace tools {

namespace huffman = onepass::huffman;

/// The number of 16-byte units that the items take, as docs/format.md describes, with codes of these lengths.
template <class Split>
onepass::extent units_of(std::vector<u8> const& symbols, huffman::code_lengths const& lengths, std::size_t per_lane)
{
  onepass::extent units = 0;
  for (std::size_t first = 0; first < symbols.size(); first += 32 * per_lane) {
    std::vector<u32> bits(32, 0);
    for (std::size_t i = first; i < std::min(symbols.size(), first + 32 * per_lane); ++i)
      bits[i % (32 * Split::unit) / Split::unit] += lengths[symbols[i]];
    u32 least = *std::min_element(bits.begin(), bits.end()), step = 1;
    auto const most = *std::max_element(bits.begin(), bits.end());
    while ((most - least + step - 1) / step > 255) step *= 2;
    if (most == least && least > 0 && least % 512 == 0) least += 8;
    u32 all = 9 * 32;
    for (auto const b : bits) all += b <= least ? least : least + (b - least + step - 1) / step * step;
    units += (all + 127) / 128;
  }
  return units;
}

/// total = the last of `numbers`.
template <class Numbers, class Total>
struct store_last {
  Numbers numbers;
  Total total;
  KOKKOS_FUNCTION void operator()(int) const { total() = onepass::extent(numbers.data()[numbers.size() - 1]); }
};

template <class Exec, class Numbers, class Total>
void tell_last(Exec const& exec, Numbers const& numbers, Total const& total)
{
  Kokkos::parallel_for("onepass check", Kokkos::RangePolicy<Exec>(exec, 0, 1),
                       store_last<Numbers, Total>{numbers, total});
  exec.fence("onepass check: what was coded goes out of scope");
}

/// Judges the decoded items, and that no block is damaged.
template <class Split>
void classic_rows_of(session& s, std::string split, std::vector<typename Split::item> const& items)
{
  namespace dfloat11 = onepass::classic::dfloat11;
  using T            = typename Split::item;
  using judge        = exact<T, onepass::extent>;
  auto const block = dfloat11::write<Split>(items.data(), onepass::extent(items.size()), dfloat11::table_entries::wide);
  measure_everywhere(s, {"huffman", "classic " + split, type_name<T>},
                     std::vector<problem<judge, T>>{{"bytes", {&items}, 2 * items.size() * sizeof(T), judge{items, 0}}},
                     [&](auto const& place, auto const&, auto const& out, auto const& total) {
                       using exec = typename std::decay_t<decltype(place)>::execution_space;
                       dfloat11::coded<Split, exec> const coded(place.space, block);
                       Kokkos::View<std::uint32_t, exec> const damaged("damaged");
                       dfloat11::decode(place, coded, out, damaged);
                       tell_last(place.space, damaged, total);
                     });
}

template <class Split>
void huffman_rows_of(session& s, std::string split,
                     std::vector<std::pair<std::string, std::vector<typename Split::item>>> const& inputs)
{
  using T                = typename Split::item;
  using judge            = exact<T, onepass::extent>;
  constexpr int per_lane = 64;
  for (auto const& [name, items] : inputs) {
    constexpr std::size_t row = 4096;
    std::vector<u8> symbols(items.size()), elsewhere(2 * row);
    for (std::size_t i = 0; i < items.size(); i += row)
      Split::part_row(symbols.data() + i, {elsewhere.data(), elsewhere.data()}, items.data() + i,
                      int(std::min(row, items.size() - i)));
    auto const lengths = huffman::limited_lengths(huffman::count_symbols(symbols.data(), symbols.size()));
    measure_everywhere(
        s, {"huffman", split + ", " + name, type_name<T>},
        std::vector<problem<judge, T>>{
            {name, {&items}, 2 * items.size() * sizeof(T), judge{items, units_of<Split>(symbols, lengths, per_lane)}}},
        [&](auto const& place, auto const& in, auto const& out, auto const& total) {
          using exec = typename std::decay_t<decltype(place)>::execution_space;
          huffman::tables<exec> const book(place.space);
          Kokkos::View<std::uint64_t*, exec> const counts("counts", huffman::alphabet);
          huffman::count<Split>(place, in, counts);
          huffman::build(place, counts, book);
          auto const coded = huffman::make_coded<Split>(place.space, onepass::extent(in.extent(0)), per_lane);
          huffman::encode<Split>(place, book, in, coded);
          huffman::decode<Split>(place, book, coded, out);
          tell_last(place.space, coded.index, total);
        });
  }
}

template <class T>
void huffman_rows(session& s)
{
  auto const items = s.items<T>();
  std::vector<std::pair<std::string, std::vector<T>>> inputs{{"bytes", items}, {"few-valued", few_valued(items)}};
  if constexpr (std::is_same_v<T, u8>) {
    huffman_rows_of<onepass::split::bytes>(s, "bytes", inputs);
    huffman_rows_of<onepass::split::e4m3>(s, "e4m3", inputs);
    classic_rows_of<onepass::split::e4m3>(s, "e4m3", items);
  } else if constexpr (std::is_same_v<T, u16>) {
    huffman_rows_of<onepass::split::bf16>(s, "bf16", inputs);
    classic_rows_of<onepass::split::bf16>(s, "bf16", items);
    huffman_rows_of<onepass::split::f16>(s, "f16", inputs);
  } else huffman_rows_of<onepass::split::f32>(s, "f32", inputs);
}

}  // namespace tools
