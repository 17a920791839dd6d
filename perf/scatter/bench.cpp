// SPDX-License-Identifier: Apache-2.0
#include "harness/bench.hpp"
#include "problem.hpp"

namespace {

using namespace perf;

auto range(std::int64_t n) { return Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(0, n); }

template <class T>
struct add_by_atomics {
  input_view<u32> indices;
  input_view<T> values;
  T* bins;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { Kokkos::atomic_add(bins + indices(i), values(i)); }
};
template <class T>
struct differ {
  T const *got, *want;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const { count += got[i] != want[i]; }
};

struct additions : suite {
  static constexpr std::int64_t most_bins = 1 << 24;
  Kokkos::View<std::byte*, space> in, out, expected;  // a copy reads and writes half of a race's bytes each

  static std::int64_t values_at(std::int64_t items) { return (items * 4 + 255) / 256 * 256; }

  std::vector<std::string> primitives() const override
  {
    std::vector<std::string> all;
    for (std::string const order : {"uniform", "zipf", "sorted"})
      for (std::string const bins : {"100", "10000", "1000000", "16777216"})
        all.push_back("scatter_add." + order + "_b" + bins);
    return all;
  }
  std::vector<std::string> types() const override { return names_of(item_types{}); }

  void prepare(std::string const&, std::int64_t items) override
  {
    auto const made = [](std::string const& name, std::int64_t n) {
      return Kokkos::View<std::byte*, space>(Kokkos::view_alloc(name, Kokkos::WithoutInitializing), std::size_t(n));
    };
    in = out = expected = {};  // frees the old memory first
    in                  = made("in", values_at(items) + items * 8 + most_bins * 8);
    out                 = made("out", (items + most_bins) * 8);
    expected            = made("expected", most_bins * 8);
  }

  race make(std::string const& primitive, std::string const& type, std::int64_t items) override
  {
    race r{primitive, type, items, 0, {in.data(), in.data() + values_at(items)}, {out.data()}};
    return with_type(item_types{}, type, [&](auto zero) {
      using T = decltype(zero);
      r.bytes = std::size_t(items) * (sizeof(u32) + sizeof(T)) + std::size_t(bins_of(r)) * sizeof(T);
      Kokkos::parallel_for("additions", range(items),
                           make_additions<T>{items, bins_of(r), primitive[primitive.find('.') + 1],
                                             reinterpret_cast<u32*>(in.data()),
                                             reinterpret_cast<T*>(in.data() + values_at(items))});
      Kokkos::deep_copy(expected, std::byte(0));
      Kokkos::parallel_for("expected", range(items),
                           add_by_atomics<T>{indices_in(r), input_of<T>(r, 1), reinterpret_cast<T*>(expected.data())});
      Kokkos::fence("bench: inputs");
      return r;
    });
  }

  void poison(race const&) const override { Kokkos::deep_copy(out, std::byte(0)); }

  bool right(race const& r) const override
  {
    return with_type(item_types{}, r.type, [&](auto zero) {
      using T            = decltype(zero);
      std::int64_t wrong = 0;
      Kokkos::parallel_reduce("differ", range(bins_of(r)),
                              differ<T>{bins_out<T>(r).data(), reinterpret_cast<T const*>(expected.data())}, wrong);
      return wrong == 0;
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<additions>()); }
