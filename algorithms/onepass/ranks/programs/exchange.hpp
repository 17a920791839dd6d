// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run.hpp>
#include <onepass/ranks/request.hpp>
#include <onepass/require.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <exception>
#include <limits>
#include <span>
#include <utility>
#include <vector>

// Every call over ranks is made of these: what a rank found out by itself is told to all, and if one of them could not
// find it out, all throw what that one threw.

namespace onepass::ONEPASS_ABI::ranks::detail {

/// The words that work(to) writes on each rank. Each does its work alone; if it throws on any, all ranks throw the
/// sentence of the first of them, of which a word beside the others tells.
class telling {
public:
  /// `started`: the words are begun and heard in two. Then a sentence travels with them, since ranks that hear of a
  /// failure may wait for other calls first.
  template <class Work>
  telling(transport& all, std::size_t words, bool started, Work const& work)
      : all_(all)
      , words_(words)
      , mine_(1 + words + (started ? sentence_words : 0))
      , theirs_(mine_.size() * std::size_t(all.size()))
  {
    try {
      work(mine_.data() + 1);
    } catch (std::exception const& e) {
      why_     = e.what();
      mine_[0] = 1;
    } catch (...) {
      why_     = "onepass::ranks: something that is no std::exception was thrown";
      mine_[0] = 1;
    }
    if (!started) return;
    put_sentence(mine_.data() + 1 + words);
    under_way_ = all.begin_words(mine_, theirs_);
  }

  bool test() { return under_way_->test(); }

  /// Those of all ranks, one behind another. Waits for them. Called once.
  std::vector<std::uint64_t> heard()
  {
    if (under_way_) under_way_->finish();
    else all_.exchange_words(mine_, theirs_);
    std::vector<std::uint64_t> of_all;
    for (std::size_t r = 0; r < std::size_t(all_.size()); ++r) {
      auto const* const told = &theirs_[r * mine_.size()];
      if (told[0]) throw_of(r, told + 1 + words_);
      of_all.insert(of_all.end(), told + 1, told + 1 + words_);
    }
    return of_all;
  }

private:
  static constexpr std::size_t sentence_words = 64;

  void put_sentence(std::uint64_t* to) const
  {
    std::memcpy(to, why_.data(), std::min(why_.size(), sentence_words * sizeof *to - 1));
  }

  /// Throws what a rank says, which has come with its words, or else is heard now.
  [[noreturn]] void throw_of(std::size_t failed, std::uint64_t const* said) const
  {
    std::vector<std::uint64_t> theirs;
    if (!under_way_) {
      std::array<std::uint64_t, sentence_words> mine{};
      put_sentence(mine.data());
      theirs.resize(mine.size() * std::size_t(all_.size()));
      all_.exchange_words(mine, theirs);
      said = &theirs[failed * mine.size()];
    }
    throw precondition_error(std::string(reinterpret_cast<char const*>(said)) + " (rank " + std::to_string(failed)
                             + " of " + std::to_string(all_.size()) + ")");
  }

  transport& all_;
  std::size_t words_;
  std::vector<std::uint64_t> mine_, theirs_;
  std::string why_;
  std::unique_ptr<words_under_way> under_way_;
};

/// finish(words) of the words of all ranks, so many that work(to) writes on each; or a request of it, where the call is
/// to be started only. Then `finish` is kept, with copies of what it needs. It exchanges nothing: ranks wait for calls
/// in any order.
template <ranks_like Ranks, class Work, class Finish>
auto told_words_then(Ranks& all, std::size_t words, Work const& work, Finish const& finish)
{
  using made = std::invoke_result_t<Finish const, std::vector<std::uint64_t>>;
  if constexpr (is_nonblocking<Ranks>) {
    struct call final : started<made> {
      call(transport& ranks, std::size_t n, Work const& does, Finish const& ends)
          : words_told(ranks, n, true, does)
          , then(ends)
      {}
      bool test() override { return words_told.test(); }
      made end() override { return then(words_told.heard()); }

      telling words_told;
      Finish then;
    };
    return request<made>(std::make_unique<call>(all.ranks(), words, work, finish));
  } else return finish(telling(all, words, false, work).heard());
}

/// finish(told) of what work() gives on each rank, in their order: of one trivially copyable type. Or a request of it.
template <ranks_like Ranks, class Work, class Finish>
auto told_then(Ranks& all, Work const& work, Finish const& finish)
{
  using T = std::invoke_result_t<Work const>;
  static_assert(std::is_trivially_copyable_v<T>, "onepass: ranks tell each other what is trivially copyable");
  constexpr std::size_t words = (sizeof(T) + 7) / 8;
  return told_words_then(
      all, words,
      [&](std::uint64_t* to) {
        T const told = work();
        std::memcpy(to, &told, sizeof(T));
      },
      [finish](std::vector<std::uint64_t> const& theirs) {
        std::vector<T> of_all;
        for (std::size_t at = 0; at < theirs.size(); at += words) {
          std::array<std::byte, sizeof(T)> bytes;
          std::memcpy(bytes.data(), &theirs[at], sizeof(T));
          of_all.push_back(std::bit_cast<T>(bytes));
        }
        return finish(of_all);
      });
}
/// What work() gives on each rank.
template <class Work>
auto told(transport& all, Work const& work)
{
  return told_then(all, work, [](auto const& of_all) { return of_all; });
}

/// The same of work() that queues kernels and does not wait for them. Where ranks throw it waits first, since memory of
/// the call is given back.
template <place_like Where, class Work>
auto told_beside_kernels(transport& all, Where const& where, Work const& work)
{
  try {
    return told(all, work);
  } catch (...) {
    on(where).space.fence("onepass::ranks: memory of the call is dropped");
    throw;
  }
}

/// The lists that work() gives on each rank, in their order: rank r's has counts[r] items.
template <class T, class Work>
std::vector<std::vector<T>> told_lists(transport& all, std::vector<extent> const& counts, Work const& work)
{
  static_assert(std::is_trivially_copyable_v<T>, "onepass: ranks tell each other what is trivially copyable");
  auto const words = (std::size_t(*std::max_element(counts.begin(), counts.end())) * sizeof(T) + 7) / 8;
  auto const put   = [&](std::uint64_t* to) {
    std::vector<T> const list = work();
    if (!list.empty()) std::memcpy(to, list.data(), list.size() * sizeof(T));
  };
  return told_words_then(all, words, put, [&](std::vector<std::uint64_t> const& theirs) {
    std::vector<std::vector<T>> of_all;
    for (std::size_t r = 0; r < counts.size(); ++r) {
      auto& list = of_all.emplace_back(std::size_t(counts[r]));
      if (!list.empty()) std::memcpy(list.data(), &theirs[r * words], list.size() * sizeof(T));
    }
    return of_all;
  });
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

/// The block of this rank, where work() gives how many items each has.
template <ranks_like Ranks, class Work>
auto told_block(char const* label, Ranks& all, Work const& work)
{
  return told_then(all, work, [label, &them = transport_of(all)](std::vector<extent> const& counts) {
    return block_of(label, them, counts);
  });
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

/// How many words a rank takes to add up n counts, beside these.
inline std::size_t beside_counts(transport const& all, extent n)
{
  auto const [begin, end] = even_part(n, all.size(), all.rank());
  return std::size_t(end - begin) * (std::size_t(all.size()) + 1);
}

/// counts(k) = the sum of counts(k) of all ranks: each adds up a part of the counts, and tells it to all, so that a
/// rank sends about 2 n words however many ranks there are. `beside` has beside_counts() zeros.
inline void add_up(transport& all, std::vector<std::uint64_t>& counts, std::vector<std::uint64_t>& beside)
{
  auto const size         = std::size_t(all.size());
  auto const part         = [&](std::size_t r) { return even_part(extent(counts.size()), all.size(), int(r)); };
  auto const [begin, end] = part(std::size_t(all.rank()));
  auto const own          = std::size_t(end - begin);
  std::span const heard(beside.data(), own * size), sum(beside.data() + own * size, own);
  std::vector<piece<std::byte const>> to;
  std::vector<piece<std::byte>> from;
  for (std::size_t r = 0; r < size; ++r) {
    auto const [first, last] = part(r);
    to.push_back({reinterpret_cast<std::byte const*>(counts.data() + first), std::size_t(last - first) * 8});
    from.push_back({reinterpret_cast<std::byte*>(heard.data() + r * own), own * 8});
  }
  all.exchange_payloads(to, from, residence::host);
  for (std::size_t first = 0; first < heard.size(); first += own)
    for (std::size_t k = 0; k < own; ++k) sum[k] += heard[first + k];
  for (std::size_t r = 0; r < size; ++r) {
    auto const [first, last] = part(r);
    to[r]                    = {reinterpret_cast<std::byte const*>(sum.data()), own * 8};
    from[r]                  = {reinterpret_cast<std::byte*>(counts.data() + first), std::size_t(last - first) * 8};
  }
  all.exchange_payloads(to, from, residence::host);
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
  all.exchange_payloads(to, from, residence::host);
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
  onepass::with_result(where, answer, [&](auto const& at, auto const& to) {
    onepass::run_each(at, kept_answer<T, F>{f, to.data()}, 1, "ranks");
  });
  return answer;
}

}  // namespace onepass::ONEPASS_ABI::ranks::detail
