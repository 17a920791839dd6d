// SPDX-License-Identifier: Apache-2.0
#include "harness/bench.hpp"
#include "problem.hpp"

namespace {

using namespace perf;

template <class T>
struct make_run {
  runs_of_race runs;
  T* symbols;
  std::uint32_t* lengths;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const
  {
    symbols[k] = runs_of_race::symbol<T>(k);
    lengths[k] = std::uint32_t(runs.end(k) - runs.begin(k));
  }
};

template <class T>
struct differing {
  runs_of_race runs;
  T const* got;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const
  {
    count += got[i] != runs_of_race::symbol<T>(runs.run_at(i));
  }
};

struct expansions : suite {
  Kokkos::View<std::byte*, space> in, out;

  std::vector<std::string> primitives() const override
  {
    return {"decode_1", "decode_4", "decode_32", "decode_500", "decode_all"};
  }
  std::vector<std::string> types() const override { return names_of(item_types{}); }

  void prepare(std::string const& type, std::int64_t items) override
  {
    in = out        = {};  // frees the old memory first
    auto const item = with_type(item_types{}, type, [](auto zero) { return sizeof(zero); });
    auto const bytes =
        (item + 2) * std::size_t(items);  // a copy reads half of all bytes: more than the output if runs are short
    in  = Kokkos::View<std::byte*, space>(Kokkos::view_alloc("in", Kokkos::WithoutInitializing),
                                         lengths_begin(item, items) + 4 * std::size_t(items));
    out = Kokkos::View<std::byte*, space>(Kokkos::view_alloc("out", Kokkos::WithoutInitializing), bytes);
  }

  race make(std::string const& primitive, std::string const& type, std::int64_t items) override
  {
    race r{primitive, type, items, 0, {in.data()}, {out.data()}};
    auto const number = std::size_t(runs_of_race(r).number());
    r.bytes = number * (bytes_of(r) / std::size_t(items) + 4) + bytes_of(r);  // symbols and lengths read, items written
    with_type(item_types{}, type, [&](auto zero) {
      using T = decltype(zero);
      runs_of_race const runs(r);
      Kokkos::parallel_for("runs", Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(0, runs.number()),
                           make_run<T>{runs, const_cast<T*>(symbols_of<T>(r).data()),
                                       const_cast<std::uint32_t*>(lengths_of<T>(r).data())});
      Kokkos::fence("perf: runs are made");
    });
    return r;
  }

  void poison(race const& r) const override
  {
    Kokkos::deep_copy(Kokkos::subview(out, std::pair(std::size_t(0), bytes_of(r))), std::byte(0xa5));
  }

  bool right(race const& r) const override
  {
    std::int64_t wrong = 0;
    with_type(item_types{}, r.type, [&](auto zero) {
      using T = decltype(zero);
      Kokkos::parallel_reduce("compare", Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(0, r.items),
                              differing<T>{runs_of_race(r), static_cast<T const*>(r.out[0])}, wrong);
    });
    return wrong == 0;
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<expansions>()); }
