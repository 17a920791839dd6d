// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/merge.hpp>
#include <onepass/ranks/programs/cuts.hpp>

namespace onepass::ONEPASS_ABI::ranks::detail {

/// Memory for keys, and for the values beside them if there are any.
template <class Key, class Value>
struct keys_and_values {
  Key* keys;
  Value* values;

  keys_and_values from(extent i) const
  {
    if constexpr (is_nothing<Value>) return {keys + i, nullptr};
    else return {keys + i, values + i};
  }
};

/// Items in order, wherever they lie.
template <class Key, class Value>
struct sorted_run {
  keys_and_values<Key, Value> at;
  extent size;
  bool of_another = false;  ///< whether that is memory of another rank
};

/// How often runs are merged two by two until they are one.
inline int rounds_of(std::size_t runs) { return runs > 1 ? int(std::bit_width(runs - 1)) : 0; }

/// From how many ranks something comes.
inline std::size_t runs_of(route const& way)
{
  std::size_t runs = 0;
  for (std::size_t r = 0; r + 1 < way.from.size(); ++r) runs += way.from[r] < way.from[r + 1];
  return runs;
}

/// to = the runs, one behind another.
template <class Key, class Value, place_like Where>
void append_runs(Where const& where, std::vector<sorted_run<Key, Value>> const& runs, keys_and_values<Key, Value> to)
{
  auto const copy = [&]<class T>(T* from, T* into, extent n) {
    copy_items(where, contiguous<T const>{from, n}, contiguous<T>{into, n});
  };
  for (auto const& run : runs) {
    copy(run.at.keys, to.keys, run.size);
    if constexpr (!is_nothing<Value>) copy(run.at.values, to.values, run.size);
    to = to.from(run.size);
  }
}

/// Merges runs, those before first: into `to`, from there into `other`, and so on, once a round.
template <class Key, class Value, place_like Where, class Less>
void merge_runs(Where const& where, std::vector<sorted_run<Key, Value>> runs, Less const& less,
                keys_and_values<Key, Value> to, keys_and_values<Key, Value> other)
{
  auto const items = [](auto* at, extent n) { return view_at<space_of<Where>>(at, n); };
  for (; runs.size() > 1; std::swap(to, other)) {
    std::vector<sorted_run<Key, Value>> merged;
    if (runs.size() % 2 == 1) runs.push_back({runs.back().at, 0});
    extent done = 0;
    for (std::size_t r = 0; r < runs.size(); r += 2) {
      auto const &a = runs[r], &b = runs[r + 1];
      auto const out = to.from(done);
      extent const n = a.size + b.size;
      if constexpr (is_nothing<Value>)
        onepass::merge(where, items(a.at.keys, a.size), items(b.at.keys, b.size), items(out.keys, n), less);
      else
        onepass::merge_by_key(where, items(a.at.keys, a.size), items(a.at.values, a.size), items(b.at.keys, b.size),
                              items(b.at.values, b.size), items(out.keys, n), items(out.values, n), less);
      merged.push_back({out, n});
      done += n;
    }
    runs = merged;
  }
}

/// splits(q) = how many of the first d(q) items of a merge of two runs are of the first one.
template <class Key, class Less>
struct split_runs {
  contiguous<Key const> a, b;
  Less less;
  extent const* d;
  extent* splits;

  ONEPASS_FUNCTION void operator()(extent q) const
  {
    splits[q] = split_of_merge(
        d[q], a.size, b.size, less, [&](extent i) { return a(i); }, [&](extent j) { return b(j); });
  }
};

/// Merges two runs to `to`, in turns: what lies in memory of another rank is copied for one turn while the turns before
/// are merged. `spare` has room for both.
template <class Key, class Value, place_like Where, class Less>
void merge_in_turns(transport& all, Where const& where, std::vector<sorted_run<Key, Value>> runs, extent turns,
                    Less const& less, keys_and_values<Key, Value> to, keys_and_values<Key, Value> spare)
{
  extent const as = runs[0].size, bs = runs[1].size;
  auto const ends = pinned_buffers::of(all).items<extent>(0, turns);
  for (extent k = 0; k < turns; ++k) ends(k) = even_part(as + bs, int(turns), int(k)).second;
  auto const found = written<extent>(all, where, turns, [&](extent* splits) {
    onepass::run_each(where,
                      split_runs<Key, Less>{{runs[0].at.keys, as}, {runs[1].at.keys, bs}, less, ends.data(), splits},
                      turns, "ranks::turns");
  });
  // Where the items of each run end, turn by turn.
  std::vector<std::array<extent, 2>> cuts{{0, 0}};
  for (extent k = 0; k < turns; ++k) {
    extent const of_first = found[std::size_t(k)];
    cuts.push_back({of_first, ends(k) - of_first});
  }

  turns_of_copies copies(static_cast<std::size_t>(turns));
  extent room = 0;
  for (std::size_t r = 0; r < 2; ++r) {
    if (!runs[r].of_another) continue;
    auto const from = std::exchange(runs[r].at, spare.from(room));
    room += runs[r].size;
    for (std::size_t k = 0; k < copies.size(); ++k) {
      extent const first = cuts[k][r], n = cuts[k + 1][r] - first;
      auto const add = [&](auto const* theirs, auto* mine) {
        copies[k].push_back({reinterpret_cast<std::byte const*>(theirs + first),
                             reinterpret_cast<std::byte*>(mine + first), std::size_t(n) * sizeof *mine});
      };
      add(from.keys, runs[r].at.keys);
      if constexpr (!is_nothing<Value>) add(from.values, runs[r].at.values);
    }
  }
  auto const under_way = all.begin_copies(copies);
  for (std::size_t k = 0; k < copies.size(); ++k) {
    auto const part = [&](std::size_t r) {
      return sorted_run<Key, Value>{runs[r].at.from(cuts[k][r]), cuts[k + 1][r] - cuts[k][r]};
    };
    under_way->wait(k);
    merge_runs(where, std::vector{part(0), part(1)}, less, to.from(cuts[k][0] + cuts[k][1]), to);
  }
}

}  // namespace onepass::ONEPASS_ABI::ranks::detail
