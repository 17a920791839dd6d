// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>
#include <onepass/ranks/transport.hpp>
#include <onepass/require.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <exception>
#include <limits>
#include <utility>
#include <vector>

// Every call over ranks is made of these: what a rank found out by itself is told to all, and if one of them could not
// find it out, all throw what that one threw.

namespace onepass::ONEPASS_ABI::ranks::detail {

/// The rank whose work failed says why, and all throw it.
[[noreturn]] inline void throw_together(transport& all, std::size_t failed, std::string const& why)
{
  std::array<std::uint64_t, 64> mine{};
  std::memcpy(mine.data(), why.data(), std::min(why.size(), sizeof(mine) - 1));
  std::vector<std::uint64_t> theirs(mine.size() * std::size_t(all.size()));
  all.exchange_words(mine, theirs);
  throw precondition_error(std::string(reinterpret_cast<char const*>(&theirs[failed * mine.size()])) + " (rank "
                           + std::to_string(failed) + " of " + std::to_string(all.size()) + ")");
}

/// Words of all ranks in their order, of each one more than `words`: the first says whether something is wrong, the
/// others are what work(to) wrote. Work is done by each rank alone; if it throws on any, all ranks throw the sentence
/// of the first of them.
template <class Work>
std::vector<std::uint64_t> told_words(transport& all, std::size_t words, Work const& work)
{
  std::vector<std::uint64_t> mine(1 + words);
  std::string why;
  try {
    work(mine.data() + 1);
  } catch (std::exception const& e) {
    why     = e.what();
    mine[0] = 1;
  } catch (...) {
    why     = "onepass::ranks: something that is no std::exception was thrown";
    mine[0] = 1;
  }
  auto const size = std::size_t(all.size());
  std::vector<std::uint64_t> theirs(mine.size() * size);
  all.exchange_words(mine, theirs);
  for (std::size_t r = 0; r < size; ++r)
    if (theirs[r * mine.size()]) throw_together(all, r, why);
  return theirs;
}

/// What work() gives on each rank, in their order: of one trivially copyable type.
template <class Work>
auto told(transport& all, Work const& work)
{
  using T = std::invoke_result_t<Work const>;
  static_assert(std::is_trivially_copyable_v<T>, "onepass: ranks tell each other what is trivially copyable");
  constexpr std::size_t words = (sizeof(T) + 7) / 8;

  auto const theirs = told_words(all, words, [&](std::uint64_t* to) {
    T const told = work();
    std::memcpy(to, &told, sizeof(T));
  });
  std::vector<T> of_all;
  of_all.reserve(std::size_t(all.size()));
  for (std::size_t r = 0; r < std::size_t(all.size()); ++r) {
    std::array<std::byte, sizeof(T)> bytes;
    std::memcpy(bytes.data(), &theirs[r * (1 + words) + 1], sizeof(T));
    of_all.push_back(std::bit_cast<T>(bytes));
  }
  return of_all;
}

/// The lists that work() gives on each rank, in their order: rank r's has counts[r] items.
template <class T, class Work>
std::vector<std::vector<T>> told_lists(transport& all, std::vector<extent> const& counts, Work const& work)
{
  static_assert(std::is_trivially_copyable_v<T>, "onepass: ranks tell each other what is trivially copyable");
  auto const words  = (std::size_t(*std::max_element(counts.begin(), counts.end())) * sizeof(T) + 7) / 8;
  auto const theirs = told_words(all, words, [&](std::uint64_t* to) {
    std::vector<T> const list = work();
    if (!list.empty()) std::memcpy(to, list.data(), list.size() * sizeof(T));
  });
  std::vector<std::vector<T>> of_all;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    auto& list = of_all.emplace_back(std::size_t(counts[r]));
    if (!list.empty()) std::memcpy(list.data(), &theirs[r * (1 + words) + 1], list.size() * sizeof(T));
  }
  return of_all;
}

/// The sum of what ranks have; throws where an extent can not hold it. All ranks come to the same.
inline extent added(char const* label, extent a, extent b)
{
  require(b <= std::numeric_limits<extent>::max() - a, label, ": all ranks together have more than 2^63 - 1 items");
  return a + b;
}

/// Where each rank's items begin if they lie in the order of ranks, and behind the last where they end.
template <class Told, class Count>
std::vector<extent> begins_of(char const* label, std::vector<Told> const& ranks, Count const& count)
{
  std::vector<extent> begins{0};
  for (auto const& each : ranks) begins.push_back(added(label, begins.back(), extent(count(each))));
  return begins;
}

/// A rank's block, where ranks told how many items they have.
template <class Told, class Count>
block block_of(char const* label, transport const& all, std::vector<Told> const& ranks, Count const& count)
{
  auto const begins = begins_of(label, ranks, count);
  auto const mine   = std::size_t(all.rank());
  return {begins[mine + 1] - begins[mine], begins[mine], begins.back()};
}
inline block block_of(char const* label, transport const& all, std::vector<extent> const& counts)
{
  return block_of(label, all, counts, [](extent n) { return n; });
}

/// How many items a rank has, and how many it is to get.
struct sizes {
  extent have, want;
};

/// Where the blocks of all ranks begin, now and afterwards.
inline std::pair<std::vector<extent>, std::vector<extent>> blocks_of(char const* label, std::vector<sizes> const& ranks)
{
  auto have = begins_of(label, ranks, [](sizes const& s) { return s.have; });
  auto want = begins_of(label, ranks, [](sizes const& s) { return s.want; });
  require(have.back() == want.back(), label, ": all ranks have ", have.back(), " items, and outputs for ", want.back(),
          "; give outputs whose sizes add up to the number of items");
  return {std::move(have), std::move(want)};
}

/// Rank r's part of n numbers, where all have even parts.
inline std::pair<extent, extent> even_part(extent n, int ranks, int r)
{
  extent const each = n / ranks, more = n % ranks;
  return {each * r + std::min<extent>(r, more), each * (r + 1) + std::min<extent>(r + 1, more)};
}

/// counts(k) = the sum of counts(k) of all ranks: each adds up a part of the counts, and tells it to all, so that a
/// rank sends about 2 n words however many ranks there are.
inline void add_up(transport& all, std::vector<std::uint64_t>& counts)
{
  auto const size         = std::size_t(all.size());
  auto const part         = [&](std::size_t r) { return even_part(extent(counts.size()), all.size(), int(r)); };
  auto const [begin, end] = part(std::size_t(all.rank()));
  auto const own          = std::size_t(end - begin);
  std::vector<std::uint64_t> heard(own * size), sum(own);
  std::vector<piece<std::byte const>> to;
  std::vector<piece<std::byte>> from;
  for (std::size_t r = 0; r < size; ++r) {
    auto const [first, last] = part(r);
    to.push_back({reinterpret_cast<std::byte const*>(counts.data() + first), std::size_t(last - first) * 8});
    from.push_back({reinterpret_cast<std::byte*>(heard.data() + r * own), own * 8});
  }
  all.exchange_payloads(to, from);
  for (std::size_t k = 0; k < heard.size(); ++k) sum[k % own] += heard[k];
  for (std::size_t r = 0; r < size; ++r) {
    auto const [first, last] = part(r);
    to[r]                    = {reinterpret_cast<std::byte const*>(sum.data()), own * 8};
    from[r]                  = {reinterpret_cast<std::byte*>(counts.data() + first), std::size_t(last - first) * 8};
  }
  all.exchange_payloads(to, from);
}

/// What every rank has for this one, in their order, where `each` is what this one has for every rank.
template <class T>
std::vector<T> swapped(transport& all, std::vector<T> const& each)
{
  std::vector<T> heard(each.size());
  std::vector<piece<std::byte const>> to;
  std::vector<piece<std::byte>> from;
  for (std::size_t r = 0; r < each.size(); ++r) {
    to.push_back({reinterpret_cast<std::byte const*>(&each[r]), sizeof(T)});
    from.push_back({reinterpret_cast<std::byte*>(&heard[r]), sizeof(T)});
  }
  all.exchange_payloads(to, from);
  return heard;
}

/// What f gives where the items of a place are, as a value of the host.
template <class T, class F>
struct kept_answer {
  F f;
  T* to;
  ONEPASS_FUNCTION void operator()(extent) const { *to = f(); }
};
template <class T, place_like Where, class F>
T asked(Where const& where, F const& f)
{
  T answer{};
  with_result(where, answer, [&](auto const& at, auto const& to) {
    run_each(at, kept_answer<T, F>{f, to.data()}, 1, "ranks");
  });
  return answer;
}

}  // namespace onepass::ONEPASS_ABI::ranks::detail
