// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/codebook/counts.hpp>
#include <onepass/require.hpp>
#include <onepass/version.hpp>

#include <algorithm>
#include <vector>

namespace onepass::ONEPASS_ABI::huffman {

/// \defgroup codebooks Codebooks
/// Optimal codes of bytes on the host, limited in length and unlimited, their tables, and what they cost. Ties are
/// broken by symbol number and by "single symbol before package", so that the same counts give the same lengths
/// everywhere; the device's codebooks (huffman::build()) are the same. Nothing here touches a device or waits.
///
/// Source: Huffman 1952; lengths with a limit, Larmore & Hirschberg 1990; canonical codes, Schwartz & Kallick 1964; see
/// docs/references.md.
/// \{

/// The longest code that the block layout takes, and the limit where none is named.
inline constexpr int longest_code = 12;

namespace detail {

/// The symbols that get a code, rarest first. They are two at least, so that every code is complete (no sequence of
/// bits is invalid): where fewer occur, the lowest that do not join.
inline std::vector<int> coded_symbols(counts const& c)
{
  std::vector<int> symbols;
  for (int s = 0; s < alphabet; ++s)
    if (c[std::size_t(s)]) symbols.push_back(s);
  for (int s = 0; symbols.size() < 2; ++s)
    if (!c[std::size_t(s)]) symbols.push_back(s);
  std::sort(symbols.begin(), symbols.end(), [&](int a, int b) {
    auto const x = c[std::size_t(a)], y = c[std::size_t(b)];
    return x != y ? x < y : a < b;
  });
  return symbols;
}

/// Optimal lengths of at most `limit` for ascending weights, by package-merge: in each of `limit` rounds the packages
/// of the round before, pairs of neighbours, are merged with the single weights. The lightest 2 n - 2 of the last round
/// tell: a weight is as long as the number of rounds in which it is among those taken.
inline std::vector<int> package_merge(std::vector<std::uint64_t> const& weights, int limit)
{
  auto const n = weights.size();
  std::vector<std::vector<bool>> single;  // by round: is the k-th lightest a single weight?
  std::vector<std::uint64_t> row;
  for (int round = 0; round < limit; ++round) {
    std::vector<std::uint64_t> next;
    std::vector<bool> is_single;
    for (std::size_t w = 0, p = 0; w < n || p + 1 < row.size();) {
      bool const package = w == n || (p + 1 < row.size() && row[p] + row[p + 1] < weights[w]);
      next.push_back(package ? row[p] + row[p + 1] : weights[w]);
      is_single.push_back(!package);
      if (package) p += 2;
      else ++w;
    }
    row = std::move(next);
    single.push_back(std::move(is_single));
  }
  std::vector<int> lengths(n, 0);
  auto taken = 2 * n - 2;
  for (int round = limit; round-- > 0;) {
    auto const& flags  = single[std::size_t(round)];
    auto const singles = std::size_t(std::count(flags.begin(), flags.begin() + std::ptrdiff_t(taken), true));
    for (std::size_t w = 0; w < singles; ++w) ++lengths[w];
    taken = 2 * (taken - singles);
  }
  return lengths;
}

/// Optimal lengths for ascending weights, by Huffman's tree: join the two lightest until one is left.
inline std::vector<int> tree_depths(std::vector<std::uint64_t> const& weights)
{
  auto const n = weights.size();
  std::vector<std::uint64_t> weight(weights);
  std::vector<std::size_t> parent(2 * n - 1);
  std::size_t leaf = 0, node = n;  // the lightest not yet joined; nodes are made in ascending order
  auto const lightest = [&] {
    return node == weight.size() || (leaf < n && weight[leaf] <= weight[node]) ? leaf++ : node++;
  };
  while (weight.size() < 2 * n - 1) {
    auto const a = lightest(), b = lightest();
    parent[a] = parent[b] = weight.size();
    weight.push_back(weight[a] + weight[b]);
  }
  std::vector<int> depth(2 * n - 1, 0);
  for (auto i = 2 * n - 2; i-- > 0;) depth[i] = depth[parent[i]] + 1;
  return {depth.begin(), depth.begin() + std::ptrdiff_t(n)};
}

template <class Rule>
code_lengths lengths_by(counts const& c, Rule const& rule)
{
  auto const symbols = coded_symbols(c);
  std::vector<std::uint64_t> weights;
  for (int const s : symbols) weights.push_back(c[std::size_t(s)]);
  auto const found = rule(weights);
  code_lengths lengths{};
  for (std::size_t k = 0; k < symbols.size(); ++k) lengths[std::size_t(symbols[k])] = std::uint8_t(found[k]);
  return lengths;
}

}  // namespace detail

/// The lengths of an optimal code whose longest has at most `limit` bits, 8 to 32, by package-merge. Symbols that do
/// not occur have none, but two symbols always have one. Throws precondition_error for another limit, and if the counts
/// add up to 2^58 or more.
inline code_lengths limited_lengths(counts const& c, int limit = longest_code)
{
  require(limit >= 8 && limit <= 32, "huffman::limited_lengths: a limit of ", limit, " bits; give one of 8 to 32");
  require(total_of(c) < std::uint64_t(1) << 58,
          "huffman::limited_lengths: more than 2^58 symbols; give counts of fewer");
  return detail::lengths_by(c, [&](auto const& weights) { return detail::package_merge(weights, limit); });
}

/// The lengths of an optimal code without a limit, by Huffman's tree: up to 255 bits.
inline code_lengths tree_lengths(counts const& c) { return detail::lengths_by(c, detail::tree_depths); }

/// \}

}  // namespace onepass::ONEPASS_ABI::huffman
