// SPDX-License-Identifier: Apache-2.0
#include <onepass/trace/exact_sum.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace onepass::trace {

namespace {

using word_array = std::array<std::int64_t, sum_digits>;

/// Moves carries up, so that every word but the last is between 0 and 2^32; the last has the sign.
void carry(word_array& words)
{
  for (int i = 0; i + 1 < sum_digits; ++i) {
    words[i + 1] += words[i] >> 32;
    words[i] &= 0xffffffff;
  }
}

void put(word_array& words, exact_sum const& x, int sign)
{
  for (std::size_t d = 0; d < x.digits.size() && x.low + d < sum_digits; ++d)
    words[x.low + d] += (x.negative ? -sign : sign) * std::int64_t(x.digits[d]);
}

}  // namespace

exact_sum exact_sum::of(std::int64_t const* from)
{
  word_array words;
  std::copy_n(from, sum_digits, words.begin());
  carry(words);
  exact_sum sum;
  sum.negative = words.back() < 0;
  if (sum.negative) {
    for (auto& w : words) w = -w;
    carry(words);
  }
  auto const zero  = [](std::int64_t w) { return w == 0; };
  auto const first = std::find_if_not(words.begin(), words.end(), zero);
  if (first == words.end()) return {};
  auto const last = std::find_if_not(words.rbegin(), words.rend(), zero).base();
  sum.low         = std::uint8_t(first - words.begin());
  sum.digits.assign(first, last);
  return sum;
}

double exact_sum::rounded() const
{
  // Adding from the top loses nothing that the nearest double, up to its last bit, could see.
  double x = 0;
  for (int d = int(digits.size()) - 1; d >= 0 && d >= int(digits.size()) - 4; --d)
    x += std::ldexp(double(digits[d]), 32 * (low + d) - 1074);
  return negative ? -x : x;
}

exact_sum exact_sum::difference(exact_sum const& a, exact_sum const& b)
{
  word_array words{};
  put(words, a, 1);
  put(words, b, -1);
  return of(words.data());
}

}  // namespace onepass::trace
