// SPDX-License-Identifier: Apache-2.0
// Sums: random integers, floats that are small whole numbers.
#include "bench.hpp"
#include "inputs.hpp"
#include "stage.hpp"

#include <numeric>

namespace {

using namespace perf;

struct sums : suite {
  stage memory;

  std::vector<std::string> primitives() const override { return {"reduce"}; }
  std::vector<std::string> types() const override { return names_of(reduce_types{}); }

  void prepare(std::string const& type, std::int64_t items) override
  {
    const auto size = std::size_t(items) * with_type(reduce_types{}, type, [](auto zero) { return sizeof(zero); });
    memory.reserve(size, sizeof(double));
  }

  race make(std::string const& primitive, std::string const& type, std::int64_t items) override
  {
    auto r = memory.begin(primitive, type, items);
    with_type(reduce_types{}, type, [&](auto zero) { fill<decltype(zero)>(r); });
    return r;
  }

  void poison(race const&) const override { memory.poison(); }
  bool right(race const&) const override { return memory.right(); }

private:
  template <class T>
  void fill(race& r)
  {
    const auto items = std::is_integral_v<T> ? random_items<T>(r.items) : small_numbers<T>(r.items);
    const T    sum   = std::accumulate(items.begin(), items.end(), T(0));
    memory.input<T>(r, items);
    memory.output<T>(r, {&sum, 1}, 1);
  }
};

}  // namespace

int main(int argc, char** argv)
{
  return perf::run(argc, argv, std::make_unique<sums>());
}
