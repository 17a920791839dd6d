// SPDX-License-Identifier: Apache-2.0
#include "harness/bench.hpp"
#include "problem.hpp"

namespace {

using namespace perf;

auto range(std::int64_t n) { return Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(0, n); }

/// Inputs: pixels, and the input of transpose.
template <class T>
struct make_image {
  std::int64_t columns;
  T* pixels;
  sum_type<T>* sums;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const
  {
    auto const value = image_of_race::factor(i / columns) * image_of_race::factor(i % columns);
    if (pixels) pixels[i] = static_cast<T>(value);
    if (sums) sums[i] = static_cast<sum_type<T>>(value);
  }
};

/// The number of pixels of the output that are not down(y) across(x).
template <class T>
struct differing {
  std::int64_t columns;
  sum_type<T> const* got;
  Kokkos::View<sum_type<T> const*, space> down, across;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const
  {
    count += got[i] != down(i / columns) * across(i % columns);
  }
};

/// The factors of rows or columns, or their sums.
template <class T>
auto factors(std::int64_t n, bool added_up)
{
  Kokkos::View<sum_type<T>*, space> const all("factors", n);
  auto const here = Kokkos::create_mirror_view(all);
  sum_type<T> sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    auto const one = static_cast<sum_type<T>>(image_of_race::factor(i));
    sum += one;
    here(i) = added_up ? sum : one;
  }
  Kokkos::deep_copy(all, here);
  return all;
}

struct tables : suite {
  Kokkos::View<std::byte*, space> in, out;

  std::vector<std::string> primitives() const override { return {"table", "rows", "transpose"}; }
  std::vector<std::string> types() const override { return names_of(item_types{}); }

  void prepare(std::string const& type, std::int64_t items) override
  {
    in = out = {};  // frees the old memory first
    auto const size =
        std::size_t(items) * with_type(item_types{}, type, [](auto zero) { return sizeof(sum_type<decltype(zero)>); });
    in  = Kokkos::View<std::byte*, space>(Kokkos::view_alloc("in", Kokkos::WithoutInitializing), size);
    out = Kokkos::View<std::byte*, space>(Kokkos::view_alloc("out", Kokkos::WithoutInitializing), size);
  }

  race make(std::string const& primitive, std::string const& type, std::int64_t items) override
  {
    image_of_race const of(items);
    race r{primitive, type, of.pixels(), 0, {in.data(), in.data()}, {out.data()}};
    with_type(item_types{}, type, [&](auto zero) {
      using T              = decltype(zero);
      bool const transpose = primitive == "transpose";
      r.bytes            = std::size_t(r.items) * (sizeof(sum_type<T>) + (transpose ? sizeof(sum_type<T>) : sizeof(T)));
      auto* const pixels = in.data();
      Kokkos::parallel_for("pixels", range(r.items),
                           make_image<T>{of.columns, transpose ? nullptr : reinterpret_cast<T*>(pixels),
                                         transpose ? reinterpret_cast<sum_type<T>*>(pixels) : nullptr});
      Kokkos::fence("bench: inputs");
    });
    return r;
  }

  void poison(race const&) const override { Kokkos::deep_copy(out, std::byte(0xa5)); }

  bool right(race const& r) const override
  {
    image_of_race const of(r.items);
    std::int64_t wrong = 0;
    with_type(item_types{}, r.type, [&](auto zero) {
      using T               = decltype(zero);
      bool const transposed = r.primitive == "transpose", table = r.primitive == "table";
      auto const rows = transposed ? of.columns : of.rows, columns = transposed ? of.rows : of.columns;
      Kokkos::parallel_reduce("compare", range(r.items),
                              differing<T>{columns, static_cast<sum_type<T> const*>(r.out[0]), factors<T>(rows, table),
                                           factors<T>(columns, !transposed)},
                              wrong);
    });
    return wrong == 0;
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<tables>()); }
