// SPDX-License-Identifier: Apache-2.0
#include "harness/bench.hpp"
#include "harness/stage.hpp"
#include "problem.hpp"

namespace {

using namespace perf;

/// Random integers; floats are small whole numbers around zero, so that sums are exact in any order. `expected` has all
/// prefixes, the empty one first.
struct scans : suite {
  Kokkos::View<std::byte*, space> in, out, expected;

  std::vector<std::string> primitives() const override { return {"exclusive_scan", "inclusive_scan"}; }
  std::vector<std::string> types() const override { return names_of(item_types{}); }

  void prepare(std::string const& type, std::int64_t items) override
  {
    with_type(item_types{}, type, [&](auto zero) { prepare_as<decltype(zero)>(items); });
  }

  race make(std::string const& primitive, std::string const& type, std::int64_t items) override
  {
    auto const size = with_type(item_types{}, type, [](auto zero) { return sizeof(zero); });
    return {primitive, type, items, 2 * size * std::size_t(items), {in.data()}, {out.data()}};
  }

  void poison(race const& r) const override
  {
    Kokkos::deep_copy(Kokkos::subview(out, std::pair(std::size_t(0), r.bytes / 2)), std::byte(0xa5));
  }

  bool right(race const& r) const override
  {
    return with_type(item_types{}, r.type, [&](auto zero) { return matches<decltype(zero)>(r); });
  }

private:
  template <class T>
  void prepare_as(std::int64_t items)
  {
    in = out = expected = {};  // frees the old memory first
    auto const size     = std::size_t(items) * sizeof(T);
    in                  = Kokkos::View<std::byte*, space>(Kokkos::view_alloc("in", Kokkos::WithoutInitializing), size);
    out                 = Kokkos::View<std::byte*, space>(Kokkos::view_alloc("out", Kokkos::WithoutInitializing), size);
    expected =
        Kokkos::View<std::byte*, space>(Kokkos::view_alloc("expected", Kokkos::WithoutInitializing), size + sizeof(T));

    auto const n = static_cast<std::size_t>(items);
    std::vector<T> values(n), prefixes(n + 1, T(0));
    std::uint64_t state = 88172645463325252u;  // xorshift64
    for (std::size_t i = 0; i < n; ++i) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      values[i]       = std::is_floating_point_v<T> ? T(int(state >> 60) - 8) + T(state >> 63) : T(state >> 8);
      prefixes[i + 1] = static_cast<T>(prefixes[i] + values[i]);
    }
    using words = Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
    Kokkos::deep_copy(output_view<T>(reinterpret_cast<T*>(in.data()), n), words(values.data(), n));
    Kokkos::deep_copy(output_view<T>(reinterpret_cast<T*>(expected.data()), n + 1), words(prefixes.data(), n + 1));
  }

  template <class T>
  bool matches(race const& r) const
  {
    auto const* got  = static_cast<T const*>(r.out[0]);
    auto const* want = reinterpret_cast<T const*>(expected.data()) + (r.primitive == "inclusive_scan");
    return differing<T>{got, want}.among(r.items) == 0;
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<scans>()); }
