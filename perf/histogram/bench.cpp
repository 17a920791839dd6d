// SPDX-License-Identifier: Apache-2.0
// Histograms: random items, or items that are all equal; histogram.<bins>, histogram_of_one.<bins>.
#include "harness/inputs.hpp"
#include "harness/stage.hpp"
#include "problem.hpp"

namespace {

using namespace perf;

struct histograms : staged_suite<histograms, item_types> {
  std::vector<std::string> primitives() const override
  {
    return {"histogram",        "histogram.10000",        "histogram.100000",        "histogram.1000000",
            "histogram_of_one", "histogram_of_one.10000", "histogram_of_one.100000", "histogram_of_one.1000000"};
  }

  void prepare(std::string const& type, std::int64_t items) override
  {
    memory.reserve(size_of(type, items), most_histogram_bins * sizeof(histogram_count));
  }

  template <class T>
  void fill(race& r)
  {
    bool const one  = r.stem() == "histogram_of_one";
    auto const bins = std::uint64_t(histogram_bins(r));
    auto const end  = sizeof(T) == 1 ? bins : std::uint64_t(histogram_end<T>(r));
    // Integers are drawn as such; floats lie in the middle of a bin, so that rounding moves none.
    auto const drawn = [=](std::int64_t i, std::uint64_t below) {
      return one ? 7 : (mixed(std::uint64_t(i)) >> 32) * below >> 32;
    };
    auto const value = [=](std::int64_t i) {
      if constexpr (std::is_integral_v<T>) return static_cast<T>(drawn(i, sizeof(T) == 1 ? 256 : end));
      else return static_cast<T>((T(drawn(i, bins)) + T(.5)) / T(bins));
    };
    std::vector<histogram_count> counts(bins);
    for (std::int64_t i = 0; i < r.items; ++i)
      ++counts[std::is_integral_v<T> ? std::uint64_t(value(i)) * bins / end : drawn(i, bins)];
    memory.input<T>(r, items_made<T>(r.items, value));
    memory.output<histogram_count>(r, counts, std::int64_t(bins));
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<histograms>()); }
