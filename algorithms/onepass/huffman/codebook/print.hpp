// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/codebook/canonical.hpp>
#include <onepass/version.hpp>

#include <ostream>
#include <string>

namespace onepass::ONEPASS_ABI::huffman {

/// Prints a line a code, shortest first: bits, code, symbol and how often it occurs; then what the code costs beside
/// the entropy and a code without a limit.
///
/// \ingroup codebooks
inline void print_codebook(std::ostream& out, counts const& c, code_lengths const& lengths)
{
  auto const all   = canonical(lengths);
  auto const total = total_of(c);
  auto const cell  = [&](std::string text, std::size_t width) {
    return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
  };
  auto const share = [&](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4f", x);
    return std::string(text);
  };
  out << "bits  code          symbol         count   share\n";
  std::vector<std::size_t> order;
  for (std::size_t s = 0; s < alphabet; ++s)
    if (lengths[s]) order.push_back(s);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return lengths[a] < lengths[b]; });
  for (auto const s : order) {
    std::string bits;
    for (int b = all[s].length; b-- > 0;) bits += char('0' + (all[s].bits >> b & 1u));
    bits.resize(std::max<std::size_t>(bits.size(), 12), ' ');
    out << cell(std::to_string(lengths[s]), 4) << "  " << bits << cell(std::to_string(s), 8)
        << cell(std::to_string(c[s]), 14) << cell(share(total ? double(c[s]) / double(total) : 0), 8) << '\n';
  }
  out << "entropy " << share(entropy(c)) << ", this code " << share(average_length(c, lengths)) << ", without a limit "
      << share(average_length(c, tree_lengths(c))) << " bits a symbol\n";
}

}  // namespace onepass::ONEPASS_ABI::huffman
