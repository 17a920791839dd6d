// SPDX-License-Identifier: Apache-2.0
// Runs of equal keys, <primitive>.run<mean length>; values are f32, small whole numbers, so that their sums are exact.
#include "harness/inputs.hpp"
#include "harness/stage.hpp"
#include "problem.hpp"

namespace {

using namespace perf;

struct by_key : suite {
  using key_type = u32;

  // On the host, generated once for all races.
  std::vector<key_type> keys, heads;
  std::vector<float> values, sums, prefixes;
  stage memory;

  std::vector<std::string> primitives() const override
  {
    std::vector<std::string> names;
    for (auto const* stem : {"reduce_by_key", "exclusive_scan_by_key"})
      for (auto const* mean : {"1", "4", "32", "500"}) names.push_back(std::string(stem) + ".run" + mean);
    return names;
  }
  std::vector<std::string> types() const override { return names_of(item_types{}); }

  void prepare(std::string const&, std::int64_t items) override
  {
    auto const n = std::size_t(items);
    memory.reserve(n * (sizeof(key_type) + sizeof(float)), n * (sizeof(key_type) + sizeof(float)));
    values = small_numbers<float>(items);
    keys.resize(n), heads.resize(n), sums.resize(n), prefixes.resize(n);
  }

  race make(std::string const& primitive, std::string const& type, std::int64_t items) override
  {
    auto r       = memory.begin(primitive, type, items);
    auto const n = std::size_t(items);
    fill_with_runs<key_type>(std::span(keys).first(n), r.variant());
    memory.input<key_type>(r, {keys.data(), n});
    auto const count = reduce(n);
    memory.input<float>(r, {values.data(), n});
    if (r.stem() == "exclusive_scan_by_key") {
      memory.output<float>(r, {prefixes.data(), n}, items);
      return r;
    }
    memory.output<key_type>(r, {heads.data(), count}, items);
    memory.output<float>(r, {sums.data(), count}, items);
    memory.count(0, count);
    return r;
  }

  void poison(race const&) const override { memory.poison(); }
  bool right(race const&) const override { return memory.right(); }

private:
  /// Heads, sums and exclusive prefixes of the first n keys and values; returns the number of runs.
  std::size_t reduce(std::size_t n)
  {
    std::size_t found = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == 0 || keys[i] != keys[i - 1]) heads[found] = keys[i], sums[found] = 0, ++found;
      prefixes[i] = sums[found - 1];
      sums[found - 1] += values[i];
    }
    return found;
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<by_key>()); }
