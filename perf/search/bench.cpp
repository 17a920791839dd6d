// SPDX-License-Identifier: Apache-2.0
// Searches: as many needles as items, lower_bound.sorted in order and lower_bound.shuffled as they come.
#include "harness/inputs.hpp"
#include "harness/stage.hpp"
#include "problem.hpp"

namespace {

using namespace perf;

struct searches : staged_suite<searches, item_types> {
  std::vector<std::string> primitives() const override { return {"lower_bound.sorted", "lower_bound.shuffled"}; }

  void prepare(std::string const& type, std::int64_t items) override
  {
    memory.reserve(2 * size_of(type, items), std::size_t(items) * sizeof(std::uint32_t));
  }

  template <class T>
  void fill(race& r)
  {
    auto items   = random_items<T>(r.items);
    auto needles = items_made<T>(
        r.items, [n = std::uint64_t(r.items)](std::int64_t i) { return static_cast<T>(mixed(std::uint64_t(i) + n)); });
    std::sort(items.begin(), items.end());
    if (r.primitive == "lower_bound.sorted") std::sort(needles.begin(), needles.end());
    auto const* first    = items.data();
    auto const* last     = first + items.size();
    auto const* asked    = needles.data();
    auto const positions = items_made<std::uint32_t>(
        r.items, [=](std::int64_t i) { return std::uint32_t(std::lower_bound(first, last, asked[i]) - first); });
    memory.input<T>(r, items);
    memory.input<T>(r, needles);
    memory.output<std::uint32_t>(r, positions, r.items);
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<searches>()); }
