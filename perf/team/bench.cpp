// SPDX-License-Identifier: Apache-2.0
// Scans of rows, <primitive>.of<length>: by one call, and by a kernel with a team for each row. The sums wrap.
#include "harness/stage.hpp"
#include "problem.hpp"

#include <numeric>

namespace {

using namespace perf;

struct rows : staged_suite<rows, item_types> {
  std::vector<std::string> primitives() const override
  {
    return {"scan_rows.of64", "scan_rows.of1024", "scan_rows.of16384"};
  }

  void prepare(std::string const& type, std::int64_t items) override
  {
    memory.reserve(size_of(type, items), size_of(type, items));
  }

  template <class T>
  void fill(race& r)
  {
    auto const items  = random_items<T>(r.items);
    auto const length = rows_of_race(r).length;
    std::vector<T> prefixes(items.size());
    for (std::int64_t first = 0; first < r.items; first += length)
      std::partial_sum(items.begin() + first, items.begin() + std::min(first + length, r.items),
                       prefixes.begin() + first);
    memory.input<T>(r, items);
    memory.output<T>(r, prefixes, r.items);
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<rows>()); }
