// SPDX-License-Identifier: Apache-2.0
// Compaction: select_if.<percent kept> of random items, unique.run<mean length> of runs.
#include "bench.hpp"
#include "inputs.hpp"
#include "stage.hpp"

namespace {

using namespace perf;

struct selections : suite {
  stage memory;

  std::vector<std::string> primitives() const override
  {
    return {"select_if.0", "select_if.10", "select_if.50", "select_if.90", "select_if.100",
            "unique.run1", "unique.run4",  "unique.run32", "unique.run500"};
  }
  std::vector<std::string> types() const override { return names_of(select_types{}); }

  void prepare(std::string const& type, std::int64_t items) override
  {
    const auto size = std::size_t(items) * with_type(select_types{}, type, [](auto zero) { return sizeof(zero); });
    memory.reserve(size, size);
  }

  race make(std::string const& primitive, std::string const& type, std::int64_t items) override
  {
    auto r = memory.begin(primitive, type, items);
    with_type(select_types{}, type, [&](auto zero) { fill<decltype(zero)>(r); });
    return r;
  }

  void poison(race const&) const override { memory.poison(); }
  bool right(race const&) const override { return memory.right(); }

private:
  template <class T>
  void fill(race& r)
  {
    const bool unique = r.stem() == "unique";
    auto       items  = unique ? std::vector<T>(std::size_t(r.items)) : random_items<T>(r.items);
    if (unique) fill_with_runs<T>(items, r.variant());
    std::vector<T> kept(items.size());
    kept.erase(unique ? std::unique_copy(items.begin(), items.end(), kept.begin())
                      : std::copy_if(items.begin(), items.end(), kept.begin(), keeping<T>(r.variant())), kept.end());
    memory.input<T>(r, items);
    memory.output<T>(r, kept, r.items);
    memory.count(0, kept.size());
  }
};

}  // namespace

int main(int argc, char** argv)
{
  return perf::run(argc, argv, std::make_unique<selections>());
}
