// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"
#include "machines.hpp"
#include "options.hpp"
#include "packing.hpp"
#include "print.hpp"

#include <onepass/huffman/huffman.hpp>
#include <onepass/packed/container.hpp>

#include <nlohmann/json.hpp>

#include <iostream>

namespace tools {

namespace packed  = onepass::packed;
namespace huffman = onepass::huffman;

namespace {

/// Counts the symbols of a file, part by part.
template <class Split>
huffman::counts counts_of(input_file& file)
{
  using item                      = typename Split::item;
  using host                      = Kokkos::DefaultHostExecutionSpace;
  constexpr std::uint64_t stretch = 64 << 20;
  start_kokkos();
  huffman::counts sum{};
  Kokkos::View<std::uint64_t*, host> found("onepass::codebook", huffman::alphabet);
  auto const whole = file.size() / sizeof(item) * sizeof(item);
  if (whole < file.size())
    std::cerr << "note: the last " << file.size() - whole << " bytes fill no item and are left out\n";
  buffer data;
  for (std::uint64_t at = 0; at < whole; at += stretch) {
    data.resize(std::min(stretch, whole - at));
    file.read(at, data);
    huffman::count<Split>(host{},
                          Kokkos::View<item const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                              reinterpret_cast<item const*>(data.data()), data.size() / sizeof(item)),
                          found);
    host{}.fence("onepass codebook");
    for (std::size_t s = 0; s < huffman::alphabet; ++s) sum[s] += found(s);
  }
  return sum;
}

}  // namespace

int codebook(packing const& asked)
{
  auto kind = packed::frame_kind::bytes;
  for (int k = 1; k < packed::frame_kinds; ++k)
    if (asked.as == packed::name_of(packed::frame_kind(k))) kind = packed::frame_kind(k);
  input_file file(asked.file);
  auto const counts  = packed::with_split(kind, [&](auto s) { return counts_of<decltype(s)>(file); });
  auto const lengths = huffman::limited_lengths(counts);
  if (!asked.json) huffman::print_codebook(std::cout, counts, lengths);
  else
    print(std::cout,
          {{"file", asked.file.string()},
           {"as", packed::name_of(kind)},
           {"symbols", huffman::total_of(counts)},
           {"entropy", huffman::entropy(counts)},
           {"bits", huffman::average_length(counts, lengths)},
           {"bits_without_limit", huffman::average_length(counts, huffman::tree_lengths(counts))},
           {"lengths", lengths}},
          1);
  return 0;
}

CLI::App const* add_codebook(CLI::App& app, packing& asked)
{
  auto& command = *app.add_subcommand("codebook", "Print the code of a file's symbols, what it costs, and the entropy");
  add_files(command, asked, "Any file");
  command.add_option("--as", asked.as, "What the items are: bytes, bf16, f16, f32 or e4m3; auto is bytes")
      ->check(CLI::IsMember({"auto", "bytes", "bf16", "f16", "f32", "e4m3"}));
  return &command;
}

}  // namespace tools
