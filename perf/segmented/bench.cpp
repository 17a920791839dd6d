// SPDX-License-Identifier: Apache-2.0
// Segments by offsets, <primitive>.mean<length>; the sums wrap.
#include "harness/stage.hpp"
#include "problem.hpp"

namespace {

using namespace perf;

struct segmented : staged_suite<segmented, item_types> {
  std::vector<std::string> primitives() const override
  {
    std::vector<std::string> names;
    for (auto const* stem : {"inclusive_segmented_scan", "segmented_reduce"})
      for (auto const* mean : {"1", "32", "500", "1000000"}) names.push_back(std::string(stem) + ".mean" + mean);
    return names;
  }

  void prepare(std::string const& type, std::int64_t items) override
  {
    auto const size = size_of(type, items);
    memory.reserve(size + (std::size_t(items) + 1) * sizeof(std::uint32_t), size);
  }

  template <class T>
  void fill(race& r)
  {
    segments_of_race const all(r);
    auto const items   = random_items<T>(r.items);
    auto const offsets = items_made<std::uint32_t>(all.number() + 1, [=](std::int64_t s) { return all.offset(s); });
    std::vector<T> sums, prefixes(items.size());
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
      T sum = 0;
      for (auto i = offsets[s]; i < offsets[s + 1]; ++i) prefixes[i] = sum += items[i];
      sums.push_back(sum);
    }
    memory.input<T>(r, items);
    memory.input<std::uint32_t>(r, offsets);
    if (r.stem() == "segmented_reduce") memory.output<T>(r, sums, std::int64_t(sums.size()));
    else memory.output<T>(r, prefixes, r.items);
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<segmented>()); }
