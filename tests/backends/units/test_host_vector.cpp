// SPDX-License-Identifier: Apache-2.0
// The vector kernels of the host backend, for the instruction set of this machine, against plain loops.
#include "seed.hpp"

#include <gtest/gtest.h>

#ifdef ONEPASS_HIGHWAY
#include <onepass/backends/host/vector.hpp>
#include <onepass/engine/stream.hpp>
#include <onepass/operators.hpp>

#include <cstring>
#include <vector>

using namespace onepass::backends::host;

namespace {

// Floats of other formats would be taken for doubles.
static_assert(has_lane<float> && has_lane<double> && has_lane<std::uint64_t> && !has_lane<long double>);
#ifdef __STDCPP_FLOAT16_T__
static_assert(!has_lane<_Float16>);
#endif

template <fold Fold>
using operator_of = std::conditional_t<Fold == fold::sum, onepass::plus,
                                       std::conditional_t<Fold == fold::smallest, onepass::minimum, onepass::maximum>>;

template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b)
{
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Whole numbers, few enough that floats are exact however they associate.
template <class T>
std::vector<T> numbers(std::size_t n, test::random_words& engine)
{
  std::vector<T> made(n);
  for (auto& x : made) x = std::is_integral_v<T> ? T(engine()) : T(int(engine() % 64) - 32);
  return made;
}

template <fold Fold, class T>
void expect_plain(vector_leaf<Fold, T> const& leaf, std::size_t n, std::size_t skew, bool inclusive, bool stream,
                  bool in_place)
{
  test::random_words engine(test::seed() + n);
  operator_of<Fold> const op;
  T const canary = T(77), init = T(5);
  auto const items = numbers<T>(n, engine), following = numbers<T>(n, engine);

  std::vector<T> want(skew, canary);
  T running = init, sum = operator_of<Fold>::template identity<T>();
  for (T const x : items) {
    if (!inclusive) want.push_back(running);
    running = op(running, x);
    if (inclusive) want.push_back(running);
  }
  want.push_back(canary);
  for (T const x : following) sum = op(sum, x);

  std::vector<T> got(skew + n + 1, canary);
  if (in_place) std::copy(items.begin(), items.end(), got.begin() + std::ptrdiff_t(skew));
  T carry           = init;
  T* const out      = got.data() + skew;
  T const* const in = in_place ? out : items.data();
  T const summed    = (inclusive ? leaf.inclusive : leaf.exclusive)(in, out, n, carry, following.data(), stream);
  onepass::release_streams();

  EXPECT_TRUE(same_bits(got, want));
  EXPECT_EQ(carry, running);
  EXPECT_EQ(summed, sum);
  EXPECT_EQ(leaf.reduce(following.data(), n), sum);
}

template <fold Fold, class T>
void expect_plain(vector_leaf<Fold, T> const& leaf)
{
  for (std::size_t n = 0; n < 4000; n = n < 140 ? n + 1 : 3 * n + 1)
    for (std::size_t skew : {0, 1, 5})
      for (int way = 0; way < 8; ++way) {
        SCOPED_TRACE(testing::Message() << "fold " << int(Fold) << ", " << sizeof(T) << " bytes, n = " << n << ", skew "
                                        << skew << ", way " << way << ", " << instruction_set());
        expect_plain(leaf, n, skew, way & 1, way & 2, way & 4);
        if (testing::Test::HasFailure()) return;
      }
}

TEST(host_vector, scans_and_reduces_like_a_plain_loop)
{
  std::apply([](auto const&... leaf) { (expect_plain(leaf), ...); }, leaves_of_this_machine());
}

TEST(host_vector, keeps_the_sign_of_zeros)
{
  auto const& leaf = std::get<vector_leaf<fold::sum, float>>(leaves_of_this_machine());
  std::vector<float> zeros(40, -0.0f), out(40);
  float carry = -0.0f;
  leaf.inclusive(zeros.data(), out.data(), zeros.size(), carry, zeros.data(), false);
  EXPECT_TRUE(same_bits(out, zeros));
}

}  // namespace

#else

TEST(host_vector, needs_highway) { GTEST_SKIP() << "onepass was built without Google Highway"; }

#endif
