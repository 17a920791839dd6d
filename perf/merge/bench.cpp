// SPDX-License-Identifier: Apache-2.0
// Merges of two halves of random items in order.
#include "harness/stage.hpp"
#include "problem.hpp"

#include <numeric>

namespace {

using namespace perf;

struct merges : staged_suite<merges, item_types> {
  std::vector<std::string> primitives() const override { return {"merge", "merge_by_key"}; }

  void prepare(std::string const& type, std::int64_t items) override
  {
    auto const size = size_of(type, items) + std::size_t(items) * sizeof(std::uint32_t);
    memory.reserve(size, size);
  }

  template <class T>
  void fill(race& r)
  {
    auto keys         = random_items<T>(r.items);
    auto const middle = keys.begin() + r.items / 2;
    std::sort(keys.begin(), middle);
    std::sort(middle, keys.end());
    memory.input<T>(r, keys);
    std::vector<T> merged(keys.size());
    if (r.stem() == "merge") {
      std::merge(keys.begin(), middle, middle, keys.end(), merged.begin());
      memory.output<T>(r, merged, r.items);
      return;
    }
    std::vector<std::uint32_t> positions(keys.size()), order(keys.size());
    std::iota(positions.begin(), positions.end(), 0u);
    auto const half = positions.begin() + r.items / 2;
    std::merge(positions.begin(), half, half, positions.end(), order.begin(),
               [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    std::transform(order.begin(), order.end(), merged.begin(), [&](std::uint32_t i) { return keys[i]; });
    memory.input<std::uint32_t>(r, positions);
    memory.output<T>(r, merged, r.items);
    memory.output<std::uint32_t>(r, order, r.items);
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<merges>()); }
