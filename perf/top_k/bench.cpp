// SPDX-License-Identifier: Apache-2.0
// The k smallest of random items, and of items of three values (top_k.few); equal ones by position.
#include "harness/stage.hpp"
#include "problem.hpp"

#include <numeric>

namespace {

using namespace perf;

struct selections : staged_suite<selections, item_types> {
  std::vector<std::string> primitives() const override
  {
    return {"top_k.1", "top_k.64", "top_k.1024", "top_k.8192", "top_k.65536", "top_k.1048576", "top_k.few1024"};
  }

  void prepare(std::string const& type, std::int64_t items) override
  {
    auto const size = size_of(type, items);
    memory.reserve(size, size + std::size_t(items) * sizeof(u32));
  }

  /// Bytes are those of the items alone: a selection is compared with reading them.
  template <class T>
  void fill(race& r)
  {
    auto items = random_items<T>(r.items);
    if (r.primitive.find("few") != std::string::npos)
      items = items_made<T>(r.items, [](std::int64_t i) { return T(mixed(std::uint64_t(i)) % 3); });
    auto const k = wanted(r);
    std::vector<u32> order(items.size());
    std::iota(order.begin(), order.end(), 0u);
    std::nth_element(order.begin(), order.begin() + (k < r.items ? k : 0), order.end(),
                     [&](u32 a, u32 b) { return items[a] < items[b] || (items[a] == items[b] && a < b); });
    std::sort(order.begin(), order.begin() + k,
              [&](u32 a, u32 b) { return items[a] < items[b] || (items[a] == items[b] && a < b); });
    order.resize(std::size_t(k));
    std::vector<T> first;
    for (auto const i : order) first.push_back(items[i]);
    memory.input<T>(r, items);
    auto const bytes = r.bytes;
    memory.output<T>(r, first, r.items);
    memory.output<u32>(r, order, r.items);
    r.bytes = bytes;
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<selections>()); }
