// SPDX-License-Identifier: Apache-2.0
// Functions of words that devices have an instruction for, against plain loops: on the host, and where kernels run.
#include <onepass/portability.hpp>

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <typeinfo>
#include <vector>

namespace {

struct words {
  std::uint32_t low, high, choice;
};

struct results {
  std::uint32_t chosen, shifted, summed;
  friend bool operator==(results const&, results const&) = default;
};

/// What is tested, where it is called.
KOKKOS_FUNCTION results made_of(words const& x)
{
  return {onepass::chosen_bytes(x.low, x.high, x.choice), onepass::funnel_shifted(x.low, x.high, x.choice),
          onepass::plus_bytes(x.low, x.high)};
}

/// Byte by byte and bit by bit.
results expected(words const& x)
{
  results made{0, 0, x.low};
  auto const byte = [&](unsigned i) { return (i < 4 ? x.low : x.high) >> i % 4 * 8 & 255u; };
  auto const bit  = [&](unsigned i) { return i < 64 ? (i < 32 ? x.low : x.high) >> i % 32 & 1u : 0u; };
  for (unsigned b = 0; b < 4; ++b) {
    made.chosen |= byte(x.choice >> 4 * b & 15u) << 8 * b;
    made.summed += x.high >> 8 * b & 255u;
  }
  for (unsigned b = 0; b < 32; ++b) made.shifted |= bit(x.choice % 32 + b) << b;
  return made;
}

std::vector<words> some_words()
{
  std::mt19937 engine(17);
  std::vector<words> all{{0, 0, 0}, {~0u, ~0u, 0x7777}, {0xff, 0xff000000u, 0x7070}, {1, 0x80000000u, 31 & 0x7777}};
  for (int i = 0; i < 1000; ++i)
    all.push_back({std::uint32_t(engine()), std::uint32_t(engine()), std::uint32_t(engine()) & 0x7777u});
  return all;
}

TEST(portability, functions_of_words_are_what_loops_make)
{
  auto const all = some_words();
  Kokkos::View<words*, Kokkos::SharedHostPinnedSpace> const in("in", all.size());
  Kokkos::View<results*, Kokkos::SharedHostPinnedSpace> const out("out", all.size());
  std::copy(all.begin(), all.end(), in.data());
  Kokkos::parallel_for(
      "test::words", Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace>(0, int(all.size())),
      KOKKOS_LAMBDA(int i) { out(i) = made_of(in(i)); });
  Kokkos::fence("test");
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(made_of(all[i]), expected(all[i])) << "words " << i << " on the host";
    ASSERT_EQ(out(i), expected(all[i])) << "words " << i << " in a kernel";
  }
}

TEST(portability, the_host_has_no_warps) { EXPECT_FALSE(onepass::runs_in_warps()); }

}  // namespace

namespace onepass::ONEPASS_ABI {
struct of_this_release {};
}  // namespace onepass::ONEPASS_ABI

// Libraries that embed different releases share no symbol, since each symbol's name has its release.
TEST(portability, symbols_carry_the_release)
{
  std::string release = std::string("v") + onepass::version;
  for (char& c : release)
    if (c == '.') c = '_';
  EXPECT_NE(std::string(typeid(onepass::of_this_release).name()).find(release), std::string::npos) << release;
}
