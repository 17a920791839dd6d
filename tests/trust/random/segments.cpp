// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <onepass/segmented.hpp>
#include <onepass/segmented_sort.hpp>

#include <algorithm>

namespace trust {
namespace {

/// Offsets of segments that lie within n items and may be empty.
std::vector<int> drawn_offsets(trial& t, extent n)
{
  auto const segments = t.below("segments", t.drawn().chance("many segments", 20) ? 3000 : 100);
  auto places         = t.random<numbers>(segments + 1, "few segments");
  std::vector<int> offsets;
  for (auto const x : places) offsets.push_back(int(x % numbers(n + 1)));
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

void segmented_scan(trial& t)
{
  bool const inclusive = t.chance("inclusive", 50), in_place = t.chance("in place", 25);
  auto const n       = t.size();
  auto const offsets = drawn_offsets(t, n);
  auto const content = t.random<numbers>(n);
  auto in            = t.input("in", content);
  auto const where   = t.input("offsets", offsets);
  auto out           = in_place ? in : t.output<numbers>("out", n);
  t.call(
      [&](auto const& place) {
        if (inclusive) onepass::inclusive_segmented_scan(place, in.view(), where.view(), out.view());
        else onepass::exclusive_segmented_scan(place, in.view(), where.view(), out.view());
      },
      in_place);
  // Items before the first segment are as one more, where there is any; those behind the last are left alone.
  std::vector<numbers> wanted;
  numbers sum = 0;
  for (int i = 0; offsets.size() > 1 && i < offsets.back(); ++i) {
    if (std::binary_search(offsets.begin(), offsets.end(), i)) sum = 0;
    if (!inclusive) wanted.push_back(sum);
    sum += content[std::size_t(i)];
    if (inclusive) wanted.push_back(sum);
  }
  out.expect(wanted);
}

void segmented_reduce(trial& t)
{
  auto const n       = t.size();
  auto const offsets = drawn_offsets(t, n);
  auto const content = t.random<affine>(n);
  auto const init    = t.random<affine>(1, "init")[0];
  auto const in      = t.input("in", content);
  auto const where   = t.input("offsets", offsets);
  auto sums          = t.output<affine>("sums", extent(offsets.size()) - 1);
  std::vector<affine> wanted;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    wanted.push_back(init);
    for (int i = offsets[s]; i < offsets[s + 1]; ++i) wanted.back() = compose{}(wanted.back(), content[std::size_t(i)]);
  }
  t.call([&](auto const& place) {
    onepass::segmented_reduce(place, in.view(), where.view(), sums.view(), compose{}, init);
  });
  sums.expect(wanted);
}

void segmented_sort(trial& t)
{
  bool const in_place = t.chance("in place", 25);
  auto const n        = t.size();
  auto const offsets  = drawn_offsets(t, n);
  auto const keys     = t.random<numbers>(n);
  auto in             = t.input("in", keys);
  auto const where    = t.input("offsets", offsets);
  auto out            = in_place ? in : t.output<numbers>("out", n);
  t.call([&](auto const& place) { onepass::segmented_sort(place, in.view(), out.view(), where.view()); });
  out.expect(keys);  // outside of the segments they are moved nowhere
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    std::vector<numbers> sorted(keys.begin() + offsets[s], keys.begin() + offsets[s + 1]);
    std::sort(sorted.begin(), sorted.end());
    out.expect(sorted, offsets[s]);
  }
}

}  // namespace

void add_segments(std::vector<family>& to)
{
  to.push_back({"segmented_scan", segmented_scan});
  to.push_back({"segmented_reduce", segmented_reduce});
  to.push_back({"segmented_sort", segmented_sort});
}

}  // namespace trust
