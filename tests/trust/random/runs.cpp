// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <onepass/reduce_by_key.hpp>
#include <onepass/run_length.hpp>
#include <onepass/scan_by_key.hpp>
#include <onepass/unique.hpp>

namespace trust {
namespace {

/// Where the runs of equal keys begin, and the end.
template <class T>
std::vector<extent> beginnings(std::vector<T> const& keys)
{
  std::vector<extent> found;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (i == 0 || keys[i] != keys[i - 1]) found.push_back(extent(i));
  found.push_back(extent(keys.size()));
  return found;
}

template <class T>
void run_lengths(trial& t)
{
  auto const n    = t.size();
  auto const keys = t.runs<T>(n);
  auto const what = t.below("unique, encode or long runs", 3);
  auto const in   = t.input("in", keys);
  auto symbols    = t.output<T>("symbols", n);
  auto lengths    = t.output<int>("lengths", n);
  auto offsets    = t.output<extent>("offsets", n);
  auto runs       = t.output<extent>("runs", 1);
  auto const at   = beginnings(keys);
  std::vector<T> heads;
  std::vector<int> how_long;
  std::vector<extent> where;
  for (std::size_t r = 0; r + 1 < at.size(); ++r) {
    int const length = int(at[r + 1] - at[r]);
    if (what == 2 && length == 1) continue;
    heads.push_back(keys[std::size_t(at[r])]), how_long.push_back(length), where.push_back(at[r]);
  }
  t.call([&](auto const& place) {
    if (what == 0) onepass::unique(place, in.view(), symbols.view(), runs.single());
    else if (what == 1) onepass::run_length_encode(place, in.view(), symbols.view(), lengths.view(), runs.single());
    else onepass::non_trivial_runs(place, in.view(), offsets.view(), lengths.view(), runs.single());
  });
  runs.expect(extent(heads.size()));
  if (what < 2) symbols.expect(heads);
  if (what > 0) lengths.expect(how_long);
  if (what == 2) offsets.expect(where);
}

void run_length_decode(trial& t)
{
  auto const runs    = t.below("runs", t.drawn().chance("many runs", 15) ? 5000 : 300);
  auto const symbols = t.random<numbers>(runs);
  auto const most    = extent(1) << t.below("log length", 8);
  std::vector<int> how_long;
  std::vector<numbers> wanted;
  for (extent r = 0; r < runs; ++r) {
    how_long.push_back(int(t.bits(r) >> 40) % int(most + 1));
    wanted.insert(wanted.end(), std::size_t(how_long.back()), symbols[std::size_t(r)]);
  }
  auto const all     = extent(wanted.size());
  auto const in      = t.input("symbols", symbols);
  auto const lengths = t.input("lengths", how_long);
  auto out           = t.output<numbers>("out", t.chance("short", 20) ? t.below("room", all + 1) : all);
  auto total         = t.output<extent>("total", 1);
  t.call([&](auto const& place) {
    onepass::run_length_decode(place, in.view(), lengths.view(), out.view(), total.single());
  });
  total.expect(all);
  wanted.resize(std::size_t(out.size()));
  out.expect(wanted);
}

void reduce_by_key(trial& t)
{
  auto const n    = t.size();
  auto const keys = t.runs<numbers>(n), values = t.random<numbers>(n);
  auto const in = t.input("keys", keys), beside = t.input("values", values);
  auto heads = t.output<numbers>("heads", n), sums = t.output<numbers>("sums", n);
  auto runs     = t.output<int>("runs", 1);
  auto const at = beginnings(keys);
  std::vector<numbers> firsts, totals;
  for (std::size_t r = 0; r + 1 < at.size(); ++r) {
    firsts.push_back(keys[std::size_t(at[r])]), totals.push_back(0);
    for (auto i = at[r]; i < at[r + 1]; ++i) totals.back() += values[std::size_t(i)];
  }
  t.call([&](auto const& place) {
    onepass::reduce_by_key(place, in.view(), beside.view(), heads.view(), sums.view(), runs.single());
  });
  runs.expect(int(firsts.size()));
  heads.expect(firsts);
  sums.expect(totals);
}

void scan_by_key(trial& t)
{
  bool const in_place = t.chance("in place", 25);
  auto const n        = t.size();
  auto const keys     = t.runs<std::uint8_t>(n);
  auto const values   = t.random<affine>(n);
  auto const in       = t.input("keys", keys);
  auto beside         = t.input("values", values);
  auto out            = in_place ? beside : t.output<affine>("out", n);
  std::vector<affine> wanted;
  for (std::size_t i = 0; i < values.size(); ++i)
    wanted.push_back(i > 0 && keys[i] == keys[i - 1] ? compose{}(wanted.back(), values[i]) : values[i]);
  t.call(
      [&](auto const& place) {
        onepass::inclusive_scan_by_key(place, in.view(), beside.view(), out.view(), compose{});
      },
      in_place);
  out.expect(wanted);
}

}  // namespace

void add_runs(std::vector<family>& to)
{
  to.push_back({"runs u32", run_lengths<numbers>});
  to.push_back({"runs u8", run_lengths<std::uint8_t>});
  to.push_back({"run_length_decode", run_length_decode});
  to.push_back({"reduce_by_key", reduce_by_key});
  to.push_back({"scan_by_key", scan_by_key});
}

}  // namespace trust
