// SPDX-License-Identifier: Apache-2.0
// Indices, values that are added by them, and the sums that these have; shared by the tests of calls by index.
#pragma once
#include "inputs.hpp"

#include <onepass/exact_sum.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace test {

using digits = onepass::long_sum<>;

inline std::vector<int> random_indices(extent n, int rows, std::uint64_t salt = 0)
{
  random_words engine(seed() + salt);
  std::vector<int> indices;
  for (extent i = 0; i < n; ++i) {
    auto const any = int(engine() % unsigned(rows));
    indices.push_back(engine() % 3 == 0 ? any % 4 : any);  // some rows have many
  }
  return indices;
}

/// Indices as they come where bins are crowded or sorted, and such as are none.
inline std::vector<int> shaped_indices(extent n, int rows, char const* shape)
{
  random_words engine(seed() + std::uint64_t(n) + std::uint64_t(rows));
  std::vector<int> indices;
  for (extent i = 0; i < n; ++i)
    indices.push_back(*shape == 's'                ? int(i * rows / n)
                      : *shape == 'o'              ? rows - 1
                      : *shape == 'l' && i < n / 2 ? int(engine() % unsigned(rows))
                      : *shape == 'l'              ? rows / 2
                                                   : int(std::pow(double(rows), double(engine() >> 11) * 0x1p-53)) - 1);
  return indices;
}

/// Values whose sums round in every order to something else; with `wild`, also of all magnitudes.
template <class T>
std::vector<T> rough_values(extent n, bool wild)
{
  if constexpr (std::is_integral_v<T>) return random_items<T>(n);
  else {
    random_words engine(seed() + std::uint64_t(n));
    std::normal_distribution<double> normal;
    constexpr int most = sizeof(T) == 8 ? 1000 : 120;
    std::vector<T> values;
    for (extent i = 0; i < n; ++i)
      values.push_back(T(std::ldexp(normal(engine), wild ? int(engine() % (2 * most)) - most : 0)));
    if (wild && n > 10) values[3] = std::numeric_limits<T>::infinity();
    return values;
  }
}

/// out(b) += the values with index b, of `columns` columns.
template <class T>
std::vector<T> added(std::vector<T> out, std::vector<T> const& values, std::vector<int> const& indices,
                     std::size_t columns)
{
  if constexpr (std::is_integral_v<T>)
    for (std::size_t i = 0; i < values.size(); ++i)
      out[std::size_t(indices[i / columns]) * columns + i % columns] += values[i];
  else {
    std::vector<digits> sums(out.size(), digits::zero());
    std::vector<bool> has(out.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      auto const b = std::size_t(indices[i / columns]) * columns + i % columns;
      sums[b].add(double(values[i])), has[b] = true;
    }
    for (std::size_t b = 0; b < out.size(); ++b)
      if (has[b]) sums[b].add(double(out[b])), out[b] = sums[b].template round_to<T>();
  }
  return out;
}

template <class T>
void expect_bits(std::vector<T> const& got, std::vector<T> const& wanted)
{
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    if (std::memcmp(&got[i], &wanted[i], sizeof(T)) != 0 && !(got[i] != got[i] && wanted[i] != wanted[i])) {
      ADD_FAILURE() << "item " << i << " of " << got.size() << ": " << got[i] << " and not " << wanted[i] << ", seed "
                    << seed();
      return;
    }
}

}  // namespace test
