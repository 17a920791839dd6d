// SPDX-License-Identifier: Apache-2.0
// Sums: random integers, floats that are small whole numbers.
#include "harness/inputs.hpp"
#include "harness/stage.hpp"
#include "problem.hpp"

#include <numeric>

namespace {

using namespace perf;

struct sums : staged_suite<sums, item_types> {
  std::vector<std::string> primitives() const override { return {"reduce"}; }

  void prepare(std::string const& type, std::int64_t items) override
  {
    memory.reserve(size_of(type, items), sizeof(double));
  }

  template <class T>
  void fill(race& r)
  {
    auto const items = std::is_integral_v<T> ? random_items<T>(r.items) : small_numbers<T>(r.items);
    T const sum      = std::accumulate(items.begin(), items.end(), T(0));
    memory.input<T>(r, items);
    memory.output<T>(r, {&sum, 1}, 1);
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<sums>()); }
