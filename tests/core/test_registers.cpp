// SPDX-License-Identifier: Apache-2.0
#include <onepass/engine/registers.hpp>

#include <gtest/gtest.h>

#include <array>

using namespace onepass;

namespace {

struct three_bytes {
  unsigned char b[3];
  friend bool operator==(three_bytes const&, three_bytes const&) = default;
};

template <class T>
class register_items_of : public testing::Test {
protected:
  /// Different for neighbouring positions and for different salts.
  static T item(int k, int salt)
  {
    T made{};
    if constexpr (std::is_same_v<T, bool>) return (k * 5 + k / 7 + salt) % 3 == 0;
    for (std::size_t b = 0; b < sizeof(T); ++b)
      reinterpret_cast<unsigned char*>(&made)[b] = static_cast<unsigned char>(31 * k + 7 * salt + int(b) + 1);
    return made;
  }

  template <int N>
  static void keeps_items()
  {
    register_items<T, N> held;
    for (int salt = 0; salt < 2; ++salt) {  // setting again leaves nothing of what was there
      for (int k = 0; k < N; ++k) held.set(k, item(k, salt));
      for (int k = 0; k < N; ++k) ASSERT_TRUE(held.get(k) == item(k, salt)) << k << " of " << N;
    }
  }

  template <int N>
  static void loads_and_stores()
  {
    alignas(16) std::array<T, N + 2> from, to;
    for (int k = 0; k < N; ++k) from[std::size_t(k)] = item(k, 3);
    for (auto& x : to) x = item(77, 5);
    register_items<T, N> held;
    held.load(from.data());
    for (int k = 0; k < N; ++k) ASSERT_TRUE(held.get(k) == item(k, 3)) << k << " of " << N;
    held.store(to.data());
    for (int k = 0; k < N; ++k) ASSERT_TRUE(to[std::size_t(k)] == item(k, 3)) << k << " of " << N;
    for (int k = N; k < N + 2; ++k) ASSERT_TRUE(to[std::size_t(k)] == item(77, 5)) << "written behind the items";
  }
};

using types = testing::Types<bool, std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::int32_t, float,
                             std::uint64_t, double, three_bytes>;
TYPED_TEST_SUITE(register_items_of, types);

TYPED_TEST(register_items_of, keep_what_is_set)
{
  this->template keeps_items<1>();
  this->template keeps_items<3>();
  this->template keeps_items<4>();
  this->template keeps_items<7>();
  this->template keeps_items<16>();
}

TYPED_TEST(register_items_of, load_and_store_their_own_memory_alone)
{
  this->template loads_and_stores<1>();
  this->template loads_and_stores<3>();
  this->template loads_and_stores<4>();
  this->template loads_and_stores<7>();
  this->template loads_and_stores<16>();
}

TEST(items_without_conflicts, are_as_many_as_fit_unless_fewer_meet_in_fewer_banks)
{
  for (std::size_t const bytes : {1, 2, 4, 8, 16})
    EXPECT_EQ(items_without_conflicts(int(144 / bytes), bytes), 144 / bytes);
  EXPECT_EQ(items_without_conflicts(26, 3), 20);  // 78 bytes are no words; 60 are 15
  EXPECT_EQ(items_without_conflicts(4, 32), 3);   // eight packs: eight threads would meet in a bank
  EXPECT_EQ(items_without_conflicts(2, 64), 2);   // one would be too few
  EXPECT_EQ(items_without_conflicts(1, 100), 1);
}

TEST(register_flags, keep_what_is_set)
{
  register_flags<70> held;
  for (int round = 0; round < 2; ++round) {
    auto const flag = [&](int k) { return (k * 5 + k / 7 + round) % 3 == 0; };
    for (int k = 0; k < 70; ++k) held.set(k, flag(k));
    for (int k = 0; k < 70; ++k) ASSERT_EQ(held.get(k), flag(k)) << k;
  }
}

}  // namespace
