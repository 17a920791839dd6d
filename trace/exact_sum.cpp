// SPDX-License-Identifier: Apache-2.0
#include <onepass/trace/exact_sum.hpp>

#include <algorithm>
#include <array>

namespace onepass::trace {

namespace {

using word_array = std::array<std::int64_t, sum_digits>;

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
  exact_sum sum;
  sum.negative     = take_sign(words.data(), sum_digits);
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
  word_array words{};
  put(words, *this, 1);
  return round_digits<double>(words.data(), sum_digits, sum_lowest);
}

exact_sum exact_sum::difference(exact_sum const& a, exact_sum const& b)
{
  word_array words{};
  put(words, a, 1);
  put(words, b, -1);
  return of(words.data());
}

}  // namespace onepass::trace
