// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <onepass/adjacent_difference.hpp>
#include <onepass/count.hpp>
#include <onepass/find.hpp>
#include <onepass/histogram.hpp>
#include <onepass/minmax.hpp>
#include <onepass/reduce.hpp>
#include <onepass/search.hpp>
#include <onepass/summed_area_table.hpp>

#include <algorithm>

namespace trust {
namespace {

template <class T, class Op>
void reduce(trial& t)
{
  auto const content = t.random<T>(t.size());
  T const init       = t.random<T>(1, "init")[0];
  auto const in      = t.input("in", content);
  auto all           = t.output<T>("total", 1);
  T sum              = init;
  for (auto const& x : content) sum = Op{}(sum, x);
  t.call([&](auto const& place) { onepass::reduce(place, in.view(), all.single(), Op{}, init); });
  all.expect(sum);
}

void count_if(trial& t)
{
  auto const content = t.random<std::uint8_t>(t.size());
  wanted const which{std::uint32_t(t.below("percent", 101))};
  auto const in = t.input("in", content);
  auto count    = t.output<extent>("count", 1);
  t.call([&](auto const& place) { onepass::count_if(place, in.view(), count.single(), which); });
  count.expect(extent(std::count_if(content.begin(), content.end(), which)));
}

void find_if(trial& t)
{
  auto const content = t.random<numbers>(t.size());
  wanted const which{std::uint32_t(t.below("percent", 4))};
  auto const in = t.input("in", content);
  auto index    = t.output<extent>("index", 1);
  t.call([&](auto const& place) { onepass::find_if(place, in.view(), index.single(), which); });
  index.expect(extent(std::find_if(content.begin(), content.end(), which) - content.begin()));
}

void minmax_element(trial& t)
{
  auto const content = t.random<std::int32_t>(1 + t.size());
  auto const in      = t.input("in", content);
  auto smallest = t.output<extent>("smallest", 1), largest = t.output<extent>("largest", 1);
  t.call([&](auto const& place) { onepass::minmax_element(place, in.view(), smallest.single(), largest.single()); });
  auto const wanted = std::minmax_element(content.begin(), content.end());
  smallest.expect(extent(wanted.first - content.begin()));
  largest.expect(extent(wanted.second - content.begin()));
}

void adjacent_difference(trial& t)
{
  auto const n       = t.size();
  auto const content = t.random<numbers>(n);
  auto const in      = t.input("in", content);
  auto out           = t.output<numbers>("out", n);
  auto wanted        = content;
  for (std::size_t i = content.size(); i-- > 1;) wanted[i] = content[i] - content[i - 1];
  t.call([&](auto const& place) { onepass::adjacent_difference(place, in.view(), out.view()); });
  out.expect(wanted);
}

struct bin_of_low_bits {
  numbers bins;
  KOKKOS_FUNCTION numbers operator()(numbers x) const { return x % bins; }
};

void histogram(trial& t)
{
  auto const content = t.random<numbers>(t.size());
  auto const bins    = 1 + t.below("bins", t.drawn().chance("many bins", 20) ? 20000 : 300);
  auto const in      = t.input("in", content);
  auto counts        = t.output<numbers>("counts", bins);
  bin_of_low_bits const bin_of{numbers(bins)};
  std::vector<numbers> wanted(static_cast<std::size_t>(bins));
  for (auto const x : content) ++wanted[bin_of(x)];
  t.call([&](auto const& place) { onepass::histogram(place, in.view(), counts.view(), bin_of); });
  counts.expect(wanted);
}

void lower_bound(trial& t)
{
  auto sorted        = t.random<numbers>(t.size());
  auto const needles = t.random<numbers>(t.size("needles"), "few needles");
  std::sort(sorted.begin(), sorted.end());
  auto const in = t.input("in", sorted), asked = t.input("asked", needles);
  auto positions = t.output<extent>("positions", extent(needles.size()));
  std::vector<extent> wanted;
  for (auto const x : needles)
    wanted.push_back(extent(std::lower_bound(sorted.begin(), sorted.end(), x) - sorted.begin()));
  t.call([&](auto const& place) { onepass::lower_bound(place, in.view(), asked.view(), positions.view()); });
  positions.expect(wanted);
}

void summed_area_table(trial& t)
{
  auto const pixels = t.size();
  auto const rows   = 1 + t.below("rows", 150);
  auto const width  = 1 + pixels / rows;
  auto const in     = t.random<std::uint8_t>(rows * width);
  auto const image  = t.input("in", in);
  auto out          = t.output<numbers>("out", rows * width);
  std::vector<numbers> wanted(in.size());
  for (extent y = 0; y < rows; ++y) {
    numbers sum = 0;
    for (extent x = 0; x < width; ++x) {
      sum += in[std::size_t(y * width + x)];
      wanted[std::size_t(y * width + x)] = sum + (y ? wanted[std::size_t((y - 1) * width + x)] : 0);
    }
  }
  t.call([&](auto const& place) { onepass::summed_area_table(place, image.rows(rows), out.rows(rows)); });
  out.expect(wanted);
}

}  // namespace

void add_totals(std::vector<family>& to)
{
  to.push_back({"reduce u32", reduce<numbers, onepass::plus>});
  to.push_back({"reduce affine", reduce<affine, compose>});
  to.push_back({"count_if", count_if});
  to.push_back({"find_if", find_if});
  to.push_back({"minmax_element", minmax_element});
  to.push_back({"adjacent_difference", adjacent_difference});
  to.push_back({"histogram", histogram});
  to.push_back({"lower_bound", lower_bound});
  to.push_back({"summed_area_table", summed_area_table});
}

}  // namespace trust
