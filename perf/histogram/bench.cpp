// SPDX-License-Identifier: Apache-2.0
// Histograms: random items, or items that are all equal.
#include "harness/inputs.hpp"
#include "harness/stage.hpp"
#include "problem.hpp"

namespace {

using namespace perf;

struct histograms : staged_suite<histograms, item_types> {
  std::vector<std::string> primitives() const override { return {"histogram", "histogram_of_one"}; }

  void prepare(std::string const& type, std::int64_t items) override
  {
    memory.reserve(size_of(type, items), histogram_bins * sizeof(histogram_count));
  }

  template <class T>
  void fill(race& r)
  {
    bool const one   = r.primitive == "histogram_of_one";
    auto const value = [](int bin) {
      return std::is_integral_v<T> ? static_cast<T>(bin) : static_cast<T>((T(bin) + T(.5)) / T(histogram_bins));
    };
    auto const bin = [=](std::int64_t i) { return one ? 7 : int(mixed(std::uint64_t(i)) >> 56); };

    std::vector<histogram_count> counts(histogram_bins);
    for (std::int64_t i = 0; i < r.items; ++i) ++counts[std::size_t(bin(i))];
    memory.input<T>(r, items_made<T>(r.items, [=](std::int64_t i) { return value(bin(i)); }));
    memory.output<histogram_count>(r, counts, histogram_bins);
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<histograms>()); }
