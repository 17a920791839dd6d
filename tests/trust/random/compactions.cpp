// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <onepass/partition.hpp>
#include <onepass/partition_by_key.hpp>
#include <onepass/select.hpp>

#include <algorithm>
#include <array>

namespace trust {
namespace {

/// The items of `content` whose part is p.
template <class T, class PartOf>
std::vector<T> part(std::vector<T> const& content, PartOf const& part_of, int p)
{
  std::vector<T> found;
  for (auto const& x : content)
    if (int(part_of(x)) == p) found.push_back(x);
  return found;
}

/// The first items, as many as there is room for.
template <class T>
std::vector<T> fitting(std::vector<T> found, extent room)
{
  found.resize(std::size_t(std::min(extent(found.size()), room)));
  return found;
}

/// Room for n items, or for fewer.
extent room_for(trial& t, extent n) { return t.chance("short", 15) ? t.below("room", n + 1) : n; }

template <class T>
void select_if(trial& t)
{
  bool const in_place = t.chance("in place", 25), spread = sizeof(T) == 4 && t.chance("spread", 30);
  auto const content = t.random<T>(t.size());
  wanted const which{std::uint32_t(t.below("percent", 101))};
  auto in        = t.input("in", content, spread);
  auto out       = in_place ? in : t.output<T>("out", room_for(t, extent(content.size())), spread);
  auto count     = t.output<int>("count", 1);
  auto kept      = part(content, which, 1);
  auto const run = [&](auto const& from, auto const& to) {
    t.call([&](auto const& place) { onepass::select_if(place, from, to, count.single(), which); }, in_place);
  };
  if constexpr (sizeof(T) == 4) {
    if (spread) run(in.apart(), out.apart());
    else run(in.view(), out.view());
  } else run(in.view(), out.view());
  count.expect(int(kept.size()));
  out.expect(fitting(kept, out.size()));
}

void select_flagged(trial& t)
{
  auto const n       = t.size();
  auto const content = t.random<affine>(n);
  wanted const which{std::uint32_t(t.below("percent", 101))};
  auto flags_of = t.random<std::uint8_t>(n, "few flags");
  for (auto& f : flags_of) f = which(f) ? f | 1 : 0;
  auto const in    = t.input("in", content);
  auto const flags = t.input("flags", flags_of);
  auto out         = t.output<affine>("out", room_for(t, n));
  auto count       = t.output<extent>("count", 1);
  std::vector<affine> kept;
  for (std::size_t i = 0; i < content.size(); ++i)
    if (flags_of[i]) kept.push_back(content[i]);
  t.call(
      [&](auto const& place) { onepass::select_flagged(place, in.view(), flags.view(), out.view(), count.single()); });
  count.expect(extent(kept.size()));
  out.expect(fitting(kept, out.size()));
}

void select_indices(trial& t)
{
  auto const n       = t.size();
  auto const content = t.random<std::uint8_t>(n);
  wanted const which{std::uint32_t(t.below("percent", 101))};
  auto const in = t.input("in", content);
  auto out      = t.output<numbers>("out", room_for(t, n));
  auto count    = t.output<numbers>("count", 1);
  std::vector<numbers> kept;
  for (std::size_t i = 0; i < content.size(); ++i)
    if (which(content[i])) kept.push_back(numbers(i));
  t.call([&](auto const& place) { onepass::select_indices(place, in.view(), out.view(), count.single(), which); });
  count.expect(numbers(kept.size()));
  out.expect(fitting(kept, out.size()));
}

void partition_if(trial& t)
{
  auto const n       = t.size();
  auto const content = t.random<numbers>(n);
  wanted const which{std::uint32_t(t.below("percent", 101))};
  bool const into_one = t.chance("into one", 40);
  auto const in       = t.input("in", content);
  auto kept           = t.output<numbers>("kept", into_one ? n : room_for(t, n));
  auto others         = t.output<numbers>("others", into_one ? 0 : n);
  auto count          = t.output<extent>("count", 1);
  auto first = part(content, which, 1), rest = part(content, which, 0);
  t.call([&](auto const& place) {
    if (into_one) onepass::partition_if_into_one(place, in.view(), kept.view(), count.single(), which);
    else onepass::partition_if(place, in.view(), kept.view(), others.view(), count.single(), which);
  });
  count.expect(extent(first.size()));
  if (into_one) first.insert(first.end(), rest.begin(), rest.end());
  else others.expect(rest);
  kept.expect(fitting(first, kept.size()));
}

struct third_of {
  KOKKOS_FUNCTION int operator()(numbers x) const { return int((x * 2654435761u >> 7) % 3); }
};

void partition_three_way(trial& t)
{
  auto const n       = t.size();
  auto const content = t.random<numbers>(n);
  auto const in      = t.input("in", content);
  std::array<items<numbers>, 3> out{t.output<numbers>("first", n), t.output<numbers>("second", room_for(t, n)),
                                    t.output<numbers>("third", n)};
  auto counts = t.output<extent>("counts", 3);
  t.call([&](auto const& place) {
    onepass::partition_three_way(place, in.view(), out[0].view(), out[1].view(), out[2].view(), counts.view(),
                                 third_of{});
  });
  std::vector<extent> sizes;
  for (int p = 0; p < 3; ++p) {
    auto const found = part(content, third_of{}, p);
    sizes.push_back(extent(found.size()));
    out[std::size_t(p)].expect(fitting(found, out[std::size_t(p)].size()));
  }
  counts.expect(sizes);
}

struct low_bits {
  numbers parts;
  KOKKOS_FUNCTION int operator()(numbers x) const { return int((x ^ x >> 16) % parts); }
};

void partition_by_key(trial& t)
{
  bool const in_place = t.chance("in place", 25);
  auto const content  = t.random<numbers>(t.size());
  low_bits const key{numbers(1 + t.below("parts", 256))};
  auto in     = t.input("in", content);
  auto out    = in_place ? in : t.output<numbers>("out", extent(content.size()));
  auto counts = t.output<numbers>("counts", extent(key.parts));
  auto moved  = content;
  std::stable_sort(moved.begin(), moved.end(), [&](numbers a, numbers b) { return key(a) < key(b); });
  std::vector<numbers> sizes(key.parts);
  for (auto const x : content) ++sizes[std::size_t(key(x))];
  t.call([&](auto const& place) { onepass::partition_by_key(place, in.view(), out.view(), counts.view(), key); });
  counts.expect(sizes);
  out.expect(moved);
}

}  // namespace

void add_compactions(std::vector<family>& to)
{
  to.push_back({"select_if u32", select_if<numbers>});
  to.push_back({"select_if u8", select_if<std::uint8_t>});
  to.push_back({"select_flagged", select_flagged});
  to.push_back({"select_indices", select_indices});
  to.push_back({"partition_if", partition_if});
  to.push_back({"partition_three_way", partition_three_way});
  to.push_back({"partition_by_key", partition_by_key});
}

}  // namespace trust
