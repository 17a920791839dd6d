// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/orders.hpp>

namespace onepass::ONEPASS_ABI {

/// A program that can tell an item's code at once.
template <class Program>
concept tells_codes = requires(Program const& p, item_of<Program> const& x)
{
  p.code(x);
};

/// The code of an item, at most 64 bits.
template <class Program>
std::uint64_t whole_code(Program const& program, item_of<Program> const& x)
{
  if constexpr (tells_codes<Program>) return program.code(x);
  else return code_bits(program, x, 0, program.bits());
}

inline std::uint64_t lowest_bits(int bits) { return bits <= 0 ? 0 : ~std::uint64_t(0) >> (64 - bits); }

/// Most items or fewer by the lowest bits of their codes, by insertion; by one thread of the host. `in_place`: they go
/// where they are.
template <extent Most, order_program Program, class From, class To>
void insert_few(Program const& program, From const& from, To const& to, extent n, int bits, bool in_place)
{
  std::uint64_t code[Most];
  std::uint8_t place[Most];
  std::uint64_t const mask = lowest_bits(bits);
  for (extent i = 0; i < n; ++i) {
    auto const c = whole_code(program, from.items(i)) & mask;
    extent j     = i;
    for (; j > 0 && code[j - 1] > c; --j) code[j] = code[j - 1], place[j] = place[j - 1];
    code[j] = c, place[j] = std::uint8_t(i);
  }
  if (in_place) {
    alignas(256) std::byte memory[spare_memory<Program>::bytes(Most)];
    auto const copy = spare_memory<Program>::at(memory, n);
    for (extent i = 0; i < n; ++i) move_one(from, i, copy, i);
    for (extent k = 0; k < n; ++k) move_one(copy, place[k], to, k);
  } else
    for (extent k = 0; k < n; ++k) move_one(from, place[k], to, k);
  if (1 <= bits && bits == program.bits() && bits <= one_digit)  // not in a bucket, whose digit is told already
    for (extent k = 0, b = 0; b < extent(1) << bits; ++b) {
      extent const before = k;
      while (k < n && code[k] == std::uint64_t(b)) ++k;
      program.counted(int(b), k - before);
    }
}

}  // namespace onepass::ONEPASS_ABI
