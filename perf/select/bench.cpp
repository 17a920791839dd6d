// SPDX-License-Identifier: Apache-2.0
// Compaction: select_if.<percent kept> of random items, unique.run<mean length> of runs.
#include "harness/inputs.hpp"
#include "harness/stage.hpp"
#include "problem.hpp"

namespace {

using namespace perf;

struct selections : staged_suite<selections, item_types> {
  std::vector<std::string> primitives() const override
  {
    return {"select_if.0", "select_if.10", "select_if.50", "select_if.90", "select_if.100",
            "unique.run1", "unique.run4",  "unique.run32", "unique.run500"};
  }

  void prepare(std::string const& type, std::int64_t items) override
  {
    auto const size = size_of(type, items);
    memory.reserve(size, size);
  }

  template <class T>
  void fill(race& r)
  {
    bool const unique = r.stem() == "unique";
    auto items        = unique ? std::vector<T>(std::size_t(r.items)) : random_items<T>(r.items);
    if (unique) fill_with_runs<T>(items, r.variant());
    std::vector<T> kept(items.size());
    kept.erase(unique ? std::unique_copy(items.begin(), items.end(), kept.begin())
                      : std::copy_if(items.begin(), items.end(), kept.begin(), keeping<T>(r.variant())),
               kept.end());
    memory.input<T>(r, items);
    memory.output<T>(r, kept, r.items);
    memory.count(0, kept.size());
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<selections>()); }
