// SPDX-License-Identifier: Apache-2.0
#include "harness/stage.hpp"
#include "problem.hpp"

namespace {

using namespace perf;

/// The entropy: the least bits per item of any code of single symbols.
template <class Kind>
double least_bits(std::span<typename Kind::item const> items)
{
  std::vector<std::int64_t> counts(256);
  for (auto const x : items) ++counts[std::size_t(symbol(Kind{}, x))];
  double bits = rest_bits(Kind{});
  for (auto const c : counts)
    if (c) bits -= double(c) / double(items.size()) * std::log2(double(c) / double(items.size()));
  return bits;
}

struct coding : staged_suite<coding, item_types> {
  std::vector<std::string> primitives() const override { return {"decode", "encode", "compress"}; }

  void prepare(std::string const& type, std::int64_t items) override
  {
    auto const bytes = with_type(item_types{}, type, [&](auto kind) { return sizeof(typename decltype(kind)::item); })
                       * std::size_t(items);
    memory.reserve(bytes, bytes);
  }

  /// The bytes of a race are those of the items, and the fewest bits that the entropy allows.
  template <class Kind>
  void fill(race& r)
  {
    using item       = typename Kind::item;
    auto const items = items_made<item>(r.items, [](std::int64_t i) { return made(Kind{}, i); });
    memory.input<item>(r, items);
    if (r.primitive == "decode")
      memory.output<item>(r, items, r.items);  // contenders of the other primitives verify by decoding
    r.bytes = items.size() * sizeof(item) + std::size_t(least_bits<Kind>(items) / 8 * double(items.size()));
  }
};

}  // namespace

int main(int argc, char** argv) { return perf::run(argc, argv, perf::problem, std::make_unique<coding>()); }
