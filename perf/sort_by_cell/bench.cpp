// SPDX-License-Identifier: Apache-2.0
#include "harness/bench.hpp"
#include "harness/mixed.hpp"
#include "problem.hpp"

namespace {

using namespace perf;

/// The cells of particles in order, of which some have moved, or of particles in any order; and their arrays.
struct make_particles {
  std::int64_t items, side;
  unsigned moved;  ///< in a hundred; 100: to any cell
  u32* cells;
  f64* values;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    std::int64_t const all     = side * side * side;
    std::uint64_t const random = mixed(std::uint64_t(i));
    std::int64_t cell          = std::int64_t(double(i) / double(items) * double(all));
    if (moved == 100) cell = std::int64_t(random % std::uint64_t(all));
    else if (random % 100 < moved) {
      std::int64_t const steps[] = {1, side, side * side}, step = steps[random / 100 % 3];
      cell += random / 300 % 2 ? step : -step;
    }
    cells[i] = u32(cell < 0 ? 0 : cell < all ? cell : all - 1);
    for (int a = 0; a < arrays; ++a) values[a * items + i] = double(i) + a * .125;
  }
};

/// What is wrong at place i: positions that are no items, cells that fall, offsets that do not enclose their places,
/// and items that are not those of the position. Contenders may leave the items of a cell in any order.
struct faults {
  std::int64_t items, cells;
  u32 const *cell, *offsets, *permutation;
  f64 const *from, *to;  ///< null: none are moved

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const
  {
    if (i == 0 && (offsets[0] != 0 || offsets[cells] != items)) ++count;
    if (permutation[i] >= items) {
      ++count;
      return;
    }
    u32 const own = cell[permutation[i]];
    if (offsets[own] > i || offsets[own + 1] <= i) ++count;
    if (i > 0 && permutation[i - 1] < items && cell[permutation[i - 1]] > own) ++count;
    for (int a = 0; from && a < arrays; ++a) count += to[a * items + i] != from[a * items + permutation[i]];
  }
};
/// The sum of hashed positions: that of 0, 1, ... if none is missing.
struct fingerprint {
  u32 const* permutation;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::uint64_t& sum) const
  {
    sum += mixed(permutation ? permutation[i] : std::uint64_t(i));
  }
};

auto range(std::int64_t items) { return Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(0, items); }

struct cell_sorts : suite {
  Kokkos::View<std::byte*, space> in, out;

  std::vector<std::string> primitives() const override
  {
    std::vector<std::string> all;
    for (std::string const stem : {"particles.", "particles_in_place.", "sort_by_cell."})
      for (std::string const grid : {"46_", "100_"})
        for (std::string const order : {"moved15", "moved2", "random"}) all.push_back(stem + grid + order);
    return all;
  }
  std::vector<std::string> types() const override { return names_of(item_types{}); }

  void prepare(std::string const&, std::int64_t items) override
  {
    auto const size = bytes_of_particles(items) + 1000001 * sizeof(u32);
    in = out = {};  // frees the old memory first
    in       = Kokkos::View<std::byte*, space>(Kokkos::view_alloc("in", Kokkos::WithoutInitializing), size);
    out      = Kokkos::View<std::byte*, space>(Kokkos::view_alloc("out", Kokkos::WithoutInitializing), size);
  }

  race make(std::string const& primitive, std::string const& type, std::int64_t items) override
  {
    race r{primitive, type, items, 0, {in.data()}, {out.data()}};
    r.bytes = std::size_t(items) * (2 * sizeof(u32) + (moves_arrays(r) ? 2 * arrays * sizeof(f64) : 0))
              + std::size_t(cells_of(r)) * sizeof(u32);
    bool const random = primitive.ends_with("random");
    Kokkos::parallel_for("particles", range(items),
                         make_particles{items, side_of(r), random ? 100 : r.variant(),
                                        const_cast<u32*>(cells_in(r).data()), const_cast<f64*>(array_in(r, 0).data())});
    Kokkos::fence("bench: inputs");
    return r;
  }

  void poison(race const&) const override { Kokkos::deep_copy(out, std::byte(0xa5)); }

  bool right(race const& r) const override
  {
    std::int64_t wrong  = 0;
    std::uint64_t found = 0, all = 0;
    Kokkos::parallel_reduce("faults", range(r.items),
                            faults{r.items, cells_of(r), cells_in(r).data(), offsets_out(r).data(),
                                   permutation_out(r).data(), moves_arrays(r) ? array_in(r, 0).data() : nullptr,
                                   array_out(r, 0).data()},
                            wrong);
    Kokkos::parallel_reduce("found", range(r.items), fingerprint{permutation_out(r).data()}, found);
    Kokkos::parallel_reduce("all", range(r.items), fingerprint{nullptr}, all);
    return wrong == 0 && found == all;
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<cell_sorts>()); }
