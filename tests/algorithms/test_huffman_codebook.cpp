// SPDX-License-Identifier: Apache-2.0
// The codebook that a team makes is the one that the host makes.
#include "coded_items.hpp"
#include "guarded.hpp"
#include "kernel_log.hpp"

#include <onepass/huffman/huffman.hpp>

#include <gtest/gtest.h>

using namespace test;

namespace {

/// Counts of every kind: none, one, few and all symbols; alike, unlike, and so unlike that the limit bites.
std::vector<huffman::counts> some_counts()
{
  random_words engine(seed());
  std::vector<huffman::counts> all(4);
  all[1][77] = 5;
  all[2][0]  = 1;
  for (std::size_t s = 0; s < 40; ++s) all[3][s * 3] = std::uint64_t(1) << s;
  for (int const used : {2, 3, 16, 100, 255, 256})
    for (int const value_mix : {0, 2, 30}) {
      huffman::counts c{};
      for (int k = 0; k < used; ++k)
        c[used == 256 ? std::size_t(k) : engine() % 256] +=
            1 + (engine() >> (63 - engine() % std::uint64_t(value_mix + 1)));
      all.push_back(c);
    }
  return all;
}

template <class T>
std::vector<T> fetched(T const* from, std::size_t n)
{
  Kokkos::fence("test");
  std::vector<T> to(n);
  Kokkos::deep_copy(Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(to.data(), n),
                    Kokkos::View<T const*, memory_space, Kokkos::MemoryUnmanaged>(from, n));
  return to;
}

template <class Table>
std::vector<typename Table::value_type> listed(Table const& table)
{
  return {table.begin(), table.end()};
}

TEST(huffman_codebook, lengths_are_those_of_the_host)
{
  for (auto const& c : some_counts())
    for (int limit = 8; limit <= 16; ++limit) {
      guarded<std::uint64_t> const counts(listed(c));
      guarded<std::uint8_t> const lengths(256);
      huffman::find_lengths(row(), counts.view(), lengths.view(), limit);
      ASSERT_EQ(lengths.items(), listed(huffman::limited_lengths(c, limit))) << "limit " << limit;
      ASSERT_TRUE(lengths.canaries_alive());
    }
}

/// Counts whose sums 64 bits do not hold still give a complete code, of a 2^16-th of them.
TEST(huffman_codebook, sums_of_counts_never_wrap)
{
  constexpr std::uint64_t half = std::uint64_t(1) << 63;
  std::vector<huffman::counts> heavy(3);
  heavy[0][3] = heavy[0][4] = heavy[0][5] = half, heavy[0][7] = 5;
  heavy[1].fill(1);
  heavy[1][0] = heavy[1][1] = half;
  random_words engine(seed());
  for (auto& x : heavy[2]) x = engine();
  for (auto const& c : heavy) {
    EXPECT_THROW(huffman::limited_lengths(c), onepass::precondition_error);
    auto less = c;
    for (auto& x : less) x = x >> 16 | (x != 0);
    guarded<std::uint64_t> const counts(listed(c));
    guarded<std::uint8_t> const lengths(256);
    huffman::find_lengths(row(), counts.view(), lengths.view());
    EXPECT_EQ(lengths.items(), listed(huffman::limited_lengths(less)));
  }
}

TEST(huffman_codebook, tables_are_those_of_the_host)
{
  huffman::tables<exec_space> const book(exec_space{});
  for (auto const& c : some_counts())
    for (int const limit : {8, 12}) {
      guarded<std::uint64_t> const counts(listed(c));
      huffman::build(row(), counts.view(), book, limit);
      auto const lengths = huffman::limited_lengths(c, limit);
      ASSERT_EQ(fetched(book.lengths().data(), 256), listed(lengths));
      ASSERT_EQ(fetched(book.encode(), 256), listed(huffman::make_encode_table(lengths)));
      ASSERT_EQ(fetched(book.pairs(), huffman::windows), listed(huffman::make_pair_table(lengths)));
      if (book.many()) { ASSERT_EQ(fetched(book.many(), huffman::windows), listed(huffman::make_many_table(lengths))); }
    }
}

/// Counts, codebook, encoding and decoding are queued one after another; the host sees nothing of them.
TEST(huffman_codebook, a_chain_waits_for_nothing)
{
  onepass::backends::host::crowd::rest const rest;
  using bf16 = split::bf16;
  exec_space const exec;
  auto const items = spread_items<bf16>(5000, value_mix::normal);
  guarded<std::uint16_t> const in(items), out(5000);
  guarded<std::uint64_t> const counts(256);
  huffman::tables<exec_space> const book(exec);
  auto const coded = huffman::make_coded<bf16>(exec, 5000, 32);
  onepass::workspace<exec_space> scratch(exec);
  auto const place = row(exec).with(scratch);
  auto const chain = [&] {
    huffman::count<bf16>(place, in.view(), counts.view());
    huffman::build(place, counts.view(), book);
    huffman::encode<bf16>(place, book, in.view(), coded);
    huffman::decode<bf16>(place, book, coded, out.view());
  };
  chain();  // the workspace grows
  EXPECT_TRUE(out.items() == items);
  Kokkos::deep_copy(out.view(), std::uint16_t(0));
  exec.fence("test");
  {
    kernel_log const log;
    chain();
    expect_discipline(log, exec, !onepass::on_host<exec_space>);
  }
  EXPECT_TRUE(out.items() == items);
}

TEST(huffman_codebook, refuses_limits_that_no_table_has)
{
  huffman::tables<exec_space> const book(exec_space{});
  guarded<std::uint64_t> const counts(256), few(255);
  EXPECT_THROW(huffman::build(row(), counts.view(), book, 13), onepass::precondition_error);
  EXPECT_THROW(huffman::build(row(), counts.view(), book, 7), onepass::precondition_error);
  EXPECT_THROW(huffman::build(row(), few.view(), book), onepass::precondition_error);
  EXPECT_THROW(huffman::find_lengths(row(), counts.view(), book.lengths(), 17), onepass::precondition_error);
}

}  // namespace
