// SPDX-License-Identifier: Apache-2.0
// Runs of equal items, run_length_encode.run<mean length>.
#include "harness/inputs.hpp"
#include "harness/stage.hpp"
#include "problem.hpp"

namespace {

using namespace perf;

struct encodings : suite {
  using item = u32;

  // On the host, generated once for all races.
  std::vector<item> items, symbols;
  std::vector<std::uint32_t> lengths;
  stage memory;

  std::vector<std::string> primitives() const override
  {
    return {"run_length_encode.run1", "run_length_encode.run4", "run_length_encode.run32", "run_length_encode.run500"};
  }
  std::vector<std::string> types() const override { return names_of(item_types{}); }

  void prepare(std::string const&, std::int64_t most) override
  {
    auto const n = std::size_t(most);
    memory.reserve(n * sizeof(item), n * (sizeof(item) + sizeof(std::uint32_t)));
    items.resize(n), symbols.resize(n), lengths.resize(n);
  }

  race make(std::string const& primitive, std::string const& type, std::int64_t n) override
  {
    auto r = memory.begin(primitive, type, n);
    fill_with_runs<item>(std::span(items).first(std::size_t(n)), r.variant());
    auto const count = encode(std::size_t(n));
    memory.input<item>(r, {items.data(), std::size_t(n)});
    memory.output<item>(r, {symbols.data(), count}, n);
    memory.output<std::uint32_t>(r, {lengths.data(), count}, n);
    memory.count(0, count);
    return r;
  }

  void poison(race const&) const override { memory.poison(); }
  bool right(race const&) const override { return memory.right(); }

private:
  /// Symbols and lengths of the first n items; returns the number of runs.
  std::size_t encode(std::size_t n)
  {
    std::size_t found = 0;
    for (std::size_t begin = 0, end = 0; begin < n; begin = end, ++found) {
      while (end < n && items[end] == items[begin]) ++end;
      symbols[found] = items[begin];
      lengths[found] = std::uint32_t(end - begin);
    }
    return found;
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<encodings>()); }
