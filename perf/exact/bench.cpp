// SPDX-License-Identifier: Apache-2.0
#include "harness/inputs.hpp"
#include "harness/stage.hpp"
#include "problem.hpp"

#include <onepass/exact_sum.hpp>

namespace {

using namespace perf;

struct sums : staged_suite<sums, item_types> {
  std::vector<std::string> primitives() const override
  {
    return {"exact_sum.small", "exact_sum.normal", "exact_sum.spread", "exact_sum.wide", "exact_dot.normal"};
  }

  void prepare(std::string const& type, std::int64_t items) override
  {
    memory.reserve(2 * size_of(type, items), sizeof(double));
  }

  template <class T>
  void fill(race& r)
  {
    auto const x = items_made<T>(r.items, items_of<T>(r, 0));
    std::vector<T> y;
    if (is_dot(r)) y = items_made<T>(r.items, items_of<T>(r, 1));
    auto digits = onepass::long_sum<true>::zero();
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (is_dot(r)) digits.add(onepass::float_product{x[i], y[i]});
      else digits.add(double(x[i]));
      if (i % (1u << 30) == 0) digits.settle();
    }
    T const sum = digits.round_to<T>();
    memory.input<T>(r, x);
    if (is_dot(r)) memory.input<T>(r, y);
    memory.output<T>(r, {&sum, 1}, 1);
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<sums>()); }
