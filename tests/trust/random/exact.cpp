// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <onepass/exact_sum.hpp>
#include <onepass/reduce.hpp>
#include <onepass/reduce_by_key.hpp>
#include <onepass/scatter.hpp>
#include <onepass/segmented.hpp>

#include <algorithm>
#include <cmath>

// Sums without rounding: the bits of their digits, whatever the machine, its threads, and where items begin.
namespace trust {
namespace {

using digits = onepass::long_sum<>;

/// Floats of some magnitudes, few or all, and both signs; a part of them cancels the one before.
template <class T>
std::vector<T> rough(trial& t, extent n)
{
  constexpr int most = sizeof(T) == 8 ? 1900 : 230;
  int const span     = t.chance("all magnitudes", 20) ? most : 1 + int(t.below("binades", 60));
  bool const cancels = t.chance("cancelling", 30);
  std::vector<T> made;
  for (auto const x : t.random<std::uint64_t>(n)) {
    int const power = int(x % std::uint64_t(span)) - span / 2;
    made.push_back(T(std::ldexp(double(x >> 11), power - 52) * (x & 64 ? -1 : 1)));
    if (cancels && made.size() > 1 && x & 128) made.back() = -made[made.size() - 2];
  }
  return made;
}

template <class T>
void reduce(trial& t)
{
  auto const x = rough<T>(t, t.size()), y = rough<T>(t, extent(x.size()));
  T const init  = rough<T>(t, 1)[0];
  auto const in = t.input("in", x), other = t.input("other", y);
  auto all = t.output<T>("total", 1), products = t.output<T>("products", 1);
  auto sum        = digits::zero();
  auto of_product = onepass::long_sum<true>::zero();
  sum.add(init);
  for (std::size_t i = 0; i < x.size(); ++i) sum.add(x[i]), of_product.add(onepass::float_product{x[i], y[i]});
  t.call([&](auto const& place) {
    onepass::reduce(onepass::exactly(place), in.view(), all.single(), onepass::plus{}, init);
    onepass::dot(onepass::exactly(place), in.view(), other.view(), products.single());
  });
  all.expect(sum.round_to<T>());
  products.expect(of_product.round_to<T>());
}

void segments(trial& t)
{
  auto const content = rough<double>(t, t.size());
  auto const places  = t.random<numbers>(1 + t.below("segments", t.drawn().chance("many segments", 20) ? 3000 : 100));
  std::vector<int> offsets;
  for (auto const x : places) offsets.push_back(int(x % numbers(content.size() + 1)));
  std::sort(offsets.begin(), offsets.end());
  auto const in = t.input("in", content);
  auto const at = t.input("offsets", offsets);
  auto out      = t.output<double>("sums", extent(offsets.size()) - 1);
  std::vector<double> wanted;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    auto sum = digits::zero();
    for (int i = offsets[s]; i < offsets[s + 1]; ++i) sum.add(content[std::size_t(i)]);
    wanted.push_back(sum.round_to<double>());
  }
  t.call(
      [&](auto const& place) { onepass::segmented_reduce(onepass::exactly(place), in.view(), at.view(), out.view()); });
  out.expect(wanted);
}

void runs(trial& t)
{
  auto const n      = t.size();
  auto const keys   = t.runs<numbers>(n);
  auto const values = rough<float>(t, n);
  std::vector<numbers> heads;
  std::vector<float> wanted;
  auto sum = digits::zero();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0 && keys[i] != keys[i - 1]) wanted.push_back(sum.round_to<float>()), sum = digits::zero();
    if (i == 0 || keys[i] != keys[i - 1]) heads.push_back(keys[i]);
    sum.add(values[i]);
  }
  if (n > 0) wanted.push_back(sum.round_to<float>());
  auto const room = std::max(extent(0), extent(heads.size()) - t.below("missing", 3));
  auto const of   = t.input("keys", keys);
  auto const in   = t.input("values", values);
  auto found      = t.output<numbers>("found", room);
  auto out        = t.output<float>("out", room);
  auto count      = t.output<int>("count", 1);
  t.call([&](auto const& place) {
    onepass::reduce_by_key(onepass::exactly(place), of.view(), in.view(), found.view(), out.view(), count.single());
  });
  count.expect(int(heads.size()));
  heads.resize(std::size_t(room)), wanted.resize(std::size_t(room));
  out.expect(wanted);
  found.expect(heads);
}

template <class T>
void scatter_add(trial& t)
{
  auto const n = t.size(), rows = 1 + t.below("rows", t.drawn().chance("many rows", 20) ? 20000 : 300);
  bool const matrix  = t.chance("matrix", 30);
  auto const columns = matrix ? 1 + t.below("columns", 5) : 1;
  auto const values = rough<T>(t, n * columns), before = rough<T>(t, rows * columns);
  std::vector<int> indices;
  for (auto const x : t.random<numbers>(n, "few rows")) indices.push_back(int(x % numbers(rows)));
  auto const in    = t.input("values", values);
  auto const where = t.input("indices", indices);
  auto out         = t.input("out", before);
  std::vector<digits> sums(before.size(), digits::zero());
  std::vector<bool> has(before.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto const b = std::size_t(indices[i / std::size_t(columns)]) * std::size_t(columns) + i % std::size_t(columns);
    sums[b].add(values[i]), has[b] = true;
  }
  auto wanted = before;
  for (std::size_t b = 0; b < wanted.size(); ++b)
    if (has[b]) sums[b].add(before[b]), wanted[b] = sums[b].template round_to<T>();
  t.call([&](auto const& place) {
    if (matrix && n > 0) onepass::scatter_add(place, in.rows(n), where.view(), out.rows(rows));
    else if (!matrix) onepass::scatter_add(place, in.view(), where.view(), out.view());
  });
  out.expect(wanted);
}

}  // namespace

void add_exact(std::vector<family>& to)
{
  to.push_back({"exact f32", reduce<float>});
  to.push_back({"exact f64", reduce<double>});
  to.push_back({"exact segments", segments});
  to.push_back({"exact runs", runs});
  to.push_back({"scatter_add f32", scatter_add<float>});
  to.push_back({"scatter_add f64", scatter_add<double>});
}

}  // namespace trust
