// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/orders.hpp>
#include <onepass/engine/splits.hpp>
#include <onepass/execution/plain_parts.hpp>

#include <array>
#include <utility>
#include <vector>

namespace onepass::ONEPASS_ABI::backends::cuda {

// Segments whose items come in pieces are sorted by passes, all segments in one launch a pass. The first pass reads the
// pieces, later ones the segments that it wrote. All digits are counted in one reading, segment by segment.

/// Stretches of items, and where their segments begin in the output, as the host lists them.
struct listed_pieces {
  int items;  ///< of a tile
  std::vector<tiled_piece> pieces;
  extent tiles = 0;

  void add(extent first, extent size, int segment)
  {
    if (size == 0) return;
    pieces.push_back({first, size, tiles, segment, pieces.empty() || pieces.back().segment != segment});
    tiles += div_up(size, items);
  }
};

/// piece_of(t) = the piece of tile t.
struct find_pieces {
  tiled_piece const* pieces;
  extent number;
  std::uint32_t* piece_of;

  ONEPASS_FUNCTION void operator()(extent t) const
  {
    piece_of[t] = std::uint32_t(partition_point(number, [&](extent k) { return pieces[k].tile <= t; }) - 1);
  }
};

/// Turns the counts of each digit in each segment into positions in the output. A warp takes one table.
template <class Program>
struct place_segments {
  static constexpr int threads = 256;

  Program program;
  digit_table* tables;
  tiled_piece const* segments;
  int number, digits;  ///< of segments, and of tables for each

  __device__ void run() const
  {
    int const table = int(blockIdx.x) * (threads / 32) + int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
    if (table >= number * digits) return;
    auto before = std::uint64_t(segments[table % number].first);
    for (int b = lane; b < 1 << one_digit; b += 32) {
      auto const seen    = tables[table][b];
      auto const through = before + warp_inclusive_scan(sum_of<std::uint64_t>{}, seen, lane);
      if (number == 1 && program.bits() <= one_digit && b < 1 << program.bits()) program.counted(b, extent(seen));
      tables[table][b] = through - seen;
      before           = broadcast(through, 31);
    }
  }
};
template <class Body>
__global__ void __launch_bounds__(Body::threads) onepass_place_segments(const __grid_constant__ Body body)
{
  begin_kernel();
  body.run();
}

/// Sorts the items of each segment by themselves. Pieces lie in the order of segments; codes have one bit at least.
///
/// Source: passes over all buckets of a digit together, Stehle & Jacobsen 2017; see docs/references.md.
template <order_program Program, class Tuning>
void queue_in_pieces(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program,
                     std::vector<order_piece> const& given, workspace<Kokkos::Cuda>& scratch)
{
  using shape         = scatter_shape<Program, Tuning, true>;
  constexpr int items = shape::numbers.threads * shape::numbers.items;
  require_tile<shape, Program, piece_tiles>(where.space, where.label);
  listed_pieces pieces{items, {}}, segments{items, {}};
  std::vector<extent> sizes;
  for (int segment = -1; auto const& each : given) {
    if (each.size == 0) continue;
    if (std::exchange(segment, each.segment) != each.segment) sizes.push_back(0);
    sizes.back() += each.size;
    pieces.add(each.first, each.size, int(sizes.size()) - 1);
  }
  extent n         = 0;
  int const number = int(sizes.size());
  for (int s = 0; s < number; n += sizes[std::size_t(s++)]) segments.add(n, sizes[std::size_t(s)], s);
  if (n == 0) return;

  digit_plan const plan{program.bits(), one_digit};
  auto const from = source_of(program);
  auto const to   = target_of(program);
  plain_parts parts(std::size_t(spares_for<Program, decltype(to)>(plan, false)) * spare_memory<Program>::bytes(n));
  auto const tables_at = parts.add<digit_table>(extent(plan.passes()) * number);
  auto const room      = [&](listed_pieces const& of) {
    return std::pair(parts.add<tiled_piece>(extent(of.pieces.size())), parts.add<std::uint32_t>(of.tiles));
  };
  auto const rooms        = std::array{room(pieces), room(segments)};
  std::byte* const memory = scratch.plain(parts.bytes());
  auto const on_device    = [&](listed_pieces const& of, std::pair<std::size_t, std::size_t> const& at) {
    auto* const listed   = reinterpret_cast<tiled_piece*>(memory + at.first);
    auto* const piece_of = reinterpret_cast<std::uint32_t*>(memory + at.second);
    auto const count     = extent(of.pieces.size());
    check(cudaMemcpyAsync(listed, of.pieces.data(), std::size_t(count) * sizeof(tiled_piece), cudaMemcpyHostToDevice,
                             where.space.cuda_stream()),
             where.label + ": pieces");
    queue_each(where.space, where.label + " (pieces)", of.tiles, find_pieces{listed, count, piece_of});
    return piece_tiles{listed, piece_of, of.tiles, items, number};
  };
  auto const of_input = on_device(pieces, rooms[0]), of_passes = on_device(segments, rooms[1]);
  auto board   = scratch.make_board<shared_words>(std::max(pieces.tiles, segments.tiles) << one_digit);
  board.anchor = where.anchor;

  auto* const tables = reinterpret_cast<digit_table*>(memory + tables_at);
  int const all      = plan.passes() * number;
  queue_each(where.space, where.label + " (clear)", extent(all * sizeof(digit_table) / 4),
             clear_words{reinterpret_cast<std::uint32_t*>(tables)});
  for (int first = 0; first < plan.passes(); first += digits_together)
    queue_count_digits(where, program, from, n, of_input, digit_list(plan, first), tables + first * number, nullptr,
                       nullptr);
  using places            = place_segments<Program>;
  constexpr int at_a_time = places::threads / 32;
  launch(where.space, where.label + " (places)", onepass_place_segments<places>, int(div_up(all, at_a_time)),
         places::threads, 0, places{program, tables, of_passes.pieces, number, plan.passes()});

  int pass_number = 0;
  auto const pass = [&](auto const& a, auto const& b, digit_bits d) {
    using scatter = digit_scatter<Program, shape, std::decay_t<decltype(a)>, std::decay_t<decltype(b)>, piece_tiles>;
    auto const& tiles = pass_number == 0 ? of_input : of_passes;
    launch(where.space, where.label, onepass_scatter_digit<scatter>, int(tiles.tiles), shape::numbers.threads,
           sizeof(typename scatter::memory),
           scatter{program, a, b, 0, tiles, d, tables + pass_number++ * number, nullptr, nullptr, board});
  };
  by_digits<Program>(
      plan, from, to, false, memory, n, [](auto const&, auto const&) {}, pass);
}

}  // namespace onepass::ONEPASS_ABI::backends::cuda
