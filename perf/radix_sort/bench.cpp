// SPDX-License-Identifier: Apache-2.0
#include "harness/bench.hpp"
#include "harness/mixed.hpp"
#include "problem.hpp"

namespace {

using namespace perf;

template <class T>
struct make_keys {
  T* keys;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { keys[i] = static_cast<T>(mixed(std::uint64_t(i))); }
};
struct make_positions {
  sort_value* values;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { values[i] = sort_value(i); }
};

/// The number of neighbours that are out of order; for a sort by key also of values that do not belong to their key, or
/// are out of order for equal keys. Values are distinct, so if none is wrong, none is missing.
template <class T>
struct faults {
  T const *keys, *sorted;
  sort_value const* values;  // null: none
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const
  {
    if (i > 0 && sorted[i] < sorted[i - 1]) ++count;
    if (!values) return;
    if (keys[values[i]] != sorted[i]) ++count;
    if (i > 0 && sorted[i] == sorted[i - 1] && values[i] <= values[i - 1]) ++count;
  }
};
/// The sum of the hashed keys: the same for the same keys in any order.
template <class T>
struct fingerprint {
  T const* keys;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::uint64_t& sum) const { sum += mixed(keys[i]); }
};

auto range(std::int64_t items) { return Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(0, items); }

/// Random keys. A race reads them from a first buffer and sorts into another.
struct sorts : suite {
  Kokkos::View<std::byte*, space> in, out;

  std::vector<std::string> primitives() const override { return {"radix_sort", "radix_sort_by_key"}; }
  std::vector<std::string> types() const override { return names_of(item_types{}); }

  void prepare(std::string const& type, std::int64_t items) override
  {
    in = out        = {};  // frees the old memory first
    auto const size = values_at({"", type, items, 0}) + std::size_t(items) * sizeof(sort_value);
    in              = Kokkos::View<std::byte*, space>(Kokkos::view_alloc("in", Kokkos::WithoutInitializing), size);
    out             = Kokkos::View<std::byte*, space>(Kokkos::view_alloc("out", Kokkos::WithoutInitializing), size);
  }

  /// Makes keys and positions again, since the position where values begin depends on the number of keys.
  race make(std::string const& primitive, std::string const& type, std::int64_t items) override
  {
    race r{primitive, type, items, 0, {in.data()}, {out.data()}};
    r.bytes = 2 * bytes_of(r);  // of the keys only, read once and written once: sorts are compared by keys a second
    with_type(item_types{}, type, [&](auto zero) {
      Kokkos::parallel_for("keys", range(items),
                           make_keys<decltype(zero)>{reinterpret_cast<decltype(zero)*>(in.data())});
    });
    Kokkos::parallel_for("positions", range(items),
                         make_positions{reinterpret_cast<sort_value*>(in.data() + values_at(r))});
    Kokkos::fence("bench: inputs");
    return r;
  }

  void poison(race const&) const override { Kokkos::deep_copy(out, std::byte(0xa5)); }

  bool right(race const& r) const override
  {
    return with_type(item_types{}, r.type, [&](auto zero) {
      using T              = decltype(zero);
      auto const* keys     = static_cast<T const*>(r.in[0]);
      auto const* sorted   = static_cast<T const*>(r.out[0]);
      bool const valued    = r.primitive == "radix_sort_by_key";
      std::int64_t wrong   = 0;
      std::uint64_t before = 0, after = 0;
      Kokkos::parallel_reduce("faults", range(r.items),
                              faults<T>{keys, sorted, valued ? values_out(r).data() : nullptr}, wrong);
      Kokkos::parallel_reduce("keys before", range(r.items), fingerprint<T>{keys}, before);
      Kokkos::parallel_reduce("keys after", range(r.items), fingerprint<T>{sorted}, after);
      return wrong == 0 && before == after;
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<sorts>()); }
