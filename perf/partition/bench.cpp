// SPDX-License-Identifier: Apache-2.0
// Partition of random items: partition_if.<percent kept> into two Views, partition_into_one.<percent kept> into one,
// and partition_three_way, a third each.
#include "harness/inputs.hpp"
#include "harness/stage.hpp"
#include "problem.hpp"

namespace {

using namespace perf;

struct partitions : staged_suite<partitions, item_types> {
  std::vector<std::string> primitives() const override
  {
    return {"partition_if.50", "partition_into_one.50", "partition_three_way"};
  }

  void prepare(std::string const& type, std::int64_t items) override
  {
    auto const size = size_of(type, items);
    memory.reserve(size, 3 * size);
  }

  template <class T>
  void fill(race& r)
  {
    auto const items = random_items<T>(r.items);
    std::array<std::vector<T>, 3> parts;
    memory.input<T>(r, items);
    if (r.primitive == "partition_three_way") {
      for (auto const& x : items) parts[std::size_t(third<T>()(x))].push_back(x);
      for (auto const& part : parts) memory.output<T>(r, part, r.items);
      for (std::size_t k = 0; k < 2; ++k) memory.count(k, parts[k].size());
      memory.any_count(2);  // CUB does not return the size of the third part
      return;
    }
    auto const keep = keeping<T>(r.variant());
    for (auto const& x : items) parts[!keep(x)].push_back(x);
    memory.count(0, parts[0].size());
    if (r.stem() == "partition_into_one") {
      parts[0].insert(parts[0].end(), parts[1].begin(), parts[1].end());
      return memory.output<T>(r, parts[0], r.items);
    }
    memory.output<T>(r, parts[0], r.items);
    memory.output<T>(r, parts[1], r.items);
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<partitions>()); }
