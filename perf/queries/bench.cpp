// SPDX-License-Identifier: Apache-2.0
// Questions: random items, a zero among them nowhere (find_if.none) or in the middle (find_if.middle); and differences.
#include "harness/stage.hpp"
#include "problem.hpp"

#include <numeric>

namespace {

using namespace perf;

struct questions : staged_suite<questions, item_types> {
  std::vector<std::string> primitives() const override
  {
    return {"count_if", "find_if.none", "find_if.middle", "min_element", "minmax_element", "adjacent_difference"};
  }

  void prepare(std::string const& type, std::int64_t items) override
  {
    auto const size = size_of(type, items);
    memory.reserve(size, size);
  }

  template <class T>
  void fill(race& r)
  {
    auto items = random_items<T>(r.items);
    if (r.primitive == "find_if.middle") items[items.size() / 2] = 0;
    auto const first = items.begin(), last = items.end();
    memory.input<T>(r, items);
    if (r.stem() == "count_if") memory.count(0, std::size_t(std::count_if(first, last, lower_half<T>())));
    else if (r.stem() == "find_if") memory.count(0, std::size_t(std::find_if(first, last, is_zero()) - first));
    else if (r.stem() == "min_element") memory.count(0, std::size_t(std::min_element(first, last) - first));
    else if (r.stem() == "minmax_element") {
      auto const both = std::minmax_element(first, last);
      memory.count(0, std::size_t(both.first - first));
      memory.count(1, std::size_t(both.second - first));
    } else {
      std::vector<T> differences(items.size());
      std::adjacent_difference(first, last, differences.begin(), [](T a, T b) { return static_cast<T>(a - b); });
      memory.output<T>(r, differences, r.items);
    }
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<questions>()); }
