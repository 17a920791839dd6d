// SPDX-License-Identifier: Apache-2.0
// y = W x with weights that stay compressed: each tile of bf16 weights is decoded in registers by the kernel that
// multiplies them (huffman/tile.hpp), so W is never written out. Here a tile is a row of 4096 weights.
#include <onepass/huffman/tile.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

using exec_space  = Kokkos::DefaultExecutionSpace;
using policy      = Kokkos::TeamPolicy<exec_space>;
using bf16        = onepass::split::bf16;
namespace huffman = onepass::huffman;

constexpr int rows = 512, columns = 4096, together = 8;  // rows of a team

KOKKOS_INLINE_FUNCTION float to_float(std::uint16_t bits) { return Kokkos::bit_cast<float>(std::uint32_t(bits) << 16); }

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;

  std::mt19937 engine(1);
  std::normal_distribution<float> normal(0, .02f);
  Kokkos::View<std::uint16_t*, exec_space> weights("weights", rows * columns);
  Kokkos::View<float*, exec_space> x("x", columns), y("y", rows);
  auto const here_w = Kokkos::create_mirror_view(weights);
  auto const here_x = Kokkos::create_mirror_view(x);
  for (int i = 0; i < rows * columns; ++i)
    here_w(i) = std::uint16_t(Kokkos::bit_cast<std::uint32_t>(normal(engine)) >> 16);
  for (int c = 0; c < columns; ++c) here_x(c) = normal(engine);
  Kokkos::deep_copy(weights, here_w);
  Kokkos::deep_copy(x, here_x);

  // Compressed on the device: counts, codebook and encoding, one kernel after another, nothing on the host.
  Kokkos::View<std::uint64_t*, exec_space> counts("counts", huffman::alphabet);
  huffman::tables<exec_space> const book(exec);
  auto const coded = huffman::make_coded<bf16>(exec, rows * columns, columns / huffman::tile_decoder<bf16>::lanes());
  huffman::count<bf16>(exec, weights, counts);
  huffman::build(exec, counts, book);
  huffman::encode<bf16>(exec, book, weights, coded);

  // One row per tile, with its 32 lanes as vector lanes if the space has them.
  auto const decoder = huffman::make_tile_decoder<bf16>(book, coded);
  policy teams(exec, rows / together, Kokkos::AUTO, std::min(decoder.lanes(), policy::vector_length_max()));
  teams.set_scratch_size(0, Kokkos::PerTeam(int(decoder.table_bytes() + 32)));
  Kokkos::parallel_for(
      "y = W x", teams, KOKKOS_LAMBDA(policy::member_type const& team) {
        auto const* const table =
            decoder.load_table(team, team.team_scratch(0).get_shmem_aligned(decoder.table_bytes(), 16));
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, together), [&](int t) {
          int const row = team.league_rank() * together + t;
          float sum     = 0;
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, decoder.lanes()),
              [&](int lane, float& part) {
                decoder.decode_tile(row, lane, table, [&](onepass::extent i, std::uint16_t bits) {
                  part += to_float(bits) * x(i - onepass::extent(row) * columns);
                });
              },
              sum);
          Kokkos::single(Kokkos::PerThread(team), [&] { y(row) = sum; });
        });
      });

  auto const here_y   = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  std::uint32_t units = 0;
  Kokkos::deep_copy(units, Kokkos::subview(coded.index, decoder.tiles()));
  for (int r = 0; r < rows; ++r) {
    double expected = 0;
    for (int c = 0; c < columns; ++c) expected += double(to_float(here_w(r * columns + c))) * double(here_x(c));
    if (!(std::abs(here_y(r) - expected) < 1e-4)) {
      std::printf("row %d: %g, not %g\n", r, double(here_y(r)), expected);
      return 1;
    }
  }
  std::printf("%d x %d weights in %.1f %% of their bytes, multiplied as they are\n", rows, columns,
              100. * (16. * units + double(coded.rest.size()) + 4. * double(coded.index.size()))
                  / (2. * rows * columns));
  return 0;
}
