// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/codebook/canonical.hpp>
#include <onepass/portability.hpp>

#include <map>
#include <span>

namespace onepass::ONEPASS_ABI::classic::dfloat11 {

// The tables of the classic layout (classic/huffman.hpp), by which codes of up to 32 bits are looked up a byte at a
// time. There is a row for the empty prefix and for every proper prefix of whole bytes of a code, shorter prefixes
// first. A row's entry for the next byte is the symbol whose code ends in that byte, or the row for the byte after it.
//
// In files an entry is a byte, and 240 and above point to row 256 - entry: symbols of 240 and more cannot be
// represented, and there are at most 16 rows besides the first. Here entries are wide, so all symbols can be
// represented, and bytes that belong to no code are marked as invalid.

struct bytewise_tables {
  static constexpr std::uint16_t row_flag = 256, invalid = 0xffff;  ///< below row_flag: a symbol

  std::vector<std::uint16_t> entries{};  ///< 256 per row; row_flag + r continues with row r
  huffman::code_lengths lengths{};

  int rows() const { return int(entries.size() / 256); }
};

/// The tables of any prefix code with codes of up to 32 bits.
inline bytewise_tables make_bytewise_tables(huffman::codes const& all)
{
  std::map<std::pair<int, std::uint32_t>, int> rows{{{0, 0}, 0}};  // prefix: bytes and value
  for (auto const& c : all)
    for (int bytes = 1; bytes <= (c.length - 1) / 8 && c.length; ++bytes)
      rows[{bytes, c.bits >> (c.length - 8 * bytes)}] = 0;
  int number = 0;
  for (auto& [prefix, row] : rows) row = number++;

  bytewise_tables made{std::vector<std::uint16_t>(rows.size() * 256, bytewise_tables::invalid), {}};
  auto const entry = [&](int row, std::uint32_t byte) -> std::uint16_t& {
    return made.entries[std::size_t(row) * 256 + byte];
  };
  for (auto const& [prefix, row] : rows)
    if (prefix.first > 0)
      entry(rows[{prefix.first - 1, prefix.second >> 8}], prefix.second & 255) =
          std::uint16_t(bytewise_tables::row_flag + row);
  for (std::size_t s = 0; s < huffman::alphabet; ++s) {
    int const length = made.lengths[s] = all[s].length;
    if (!length) continue;
    int const bytes = (length - 1) / 8, rest = length - 8 * bytes;  // 1 to 8 bits in the last row
    auto const bits  = std::uint64_t(all[s].bits);
    auto const first = std::uint32_t(bits << (8 - rest) & 255);
    for (std::uint32_t slot = first; slot < first + (1u << (8 - rest)); ++slot)
      entry(rows[{bytes, std::uint32_t(bits >> rest)}], slot) = std::uint16_t(s);
  }
  return made;
}

/// The tables as files have them: one byte per entry, and a last row with the lengths. Throws precondition_error if
/// bytes cannot represent them.
inline std::vector<std::uint8_t> narrowed(bytewise_tables const& wide)
{
  require(wide.rows() <= 17, "classic::dfloat11: the codes need ", wide.rows(),
          " rows of tables; bytes can name 17. Write wide tables");
  std::vector<std::uint8_t> bytes;
  for (auto const e : wide.entries) {
    require(
        e != bytewise_tables::invalid,
        "classic::dfloat11: the codes leave sequences of bits without a meaning, for which the tables have no entry");
    require(e < 240 || e >= bytewise_tables::row_flag, "classic::dfloat11: symbol ", e,
            " has a code; tables of bytes hold symbols below 240. Write wide tables");
    bytes.push_back(std::uint8_t(e < 240 ? e : 256 - (e - bytewise_tables::row_flag)));
  }
  bytes.insert(bytes.end(), wide.lengths.begin(), wide.lengths.end());
  return bytes;
}

/// Calls visit(depth, row, slot, goes_to) for every entry of the rows that are reached from the first, by levels, four
/// at most. goes_to(next) makes that row one of the next level; false if it is one of another.
template <class Visit>
void each_entry_by_level(int rows, Visit const& visit)
{
  std::vector<int> level(std::size_t(rows), -1);
  level[0] = 0;
  for (int depth = 0; depth < 4; ++depth) {
    auto const goes_to = [&](int next) {
      auto& there = level[std::size_t(next)];
      if (there != -1 && there != depth + 1) return false;
      there = depth + 1;
      return true;
    };
    for (int row = 0; row < rows; ++row) {
      if (level[std::size_t(row)] != depth) continue;
      for (std::size_t slot = std::size_t(row) * 256; slot < std::size_t(row + 1) * 256; ++slot)
        visit(depth, row, slot, goes_to);
    }
  }
}

/// The tables of a file. Entries whose symbol cannot end there are marked as invalid (writers fill unused entries with
/// arbitrary values). Throws precondition_error if an entry of 240 or more could be a symbol as well as a row, or if
/// the rows do not form a tree of at most four levels.
inline bytewise_tables widened(std::span<std::uint8_t const> bytes)
{
  require(bytes.size() % 256 == 0 && bytes.size() >= 512 && bytes.size() <= 18 * 256, "classic::dfloat11: tables of ",
          bytes.size(), " bytes; they have 256 a row, and 2 to 18 rows");
  int const rows = int(bytes.size() / 256) - 1;
  bytewise_tables made{std::vector<std::uint16_t>(std::size_t(rows) * 256, bytewise_tables::invalid), {}};
  std::copy(bytes.end() - 256, bytes.end(), made.lengths.begin());
  each_entry_by_level(rows, [&](int depth, int row, std::size_t slot, auto const& goes_to) {
    int const e = bytes[slot], to = 256 - e, length = made.lengths[std::size_t(e)];
    bool const symbol = length > 0 && (length - 1) / 8 == depth, pointer = e >= 240 && to < rows && depth < 3;
    require(!symbol || !pointer, "classic::dfloat11: entry ", e, " of row ", row, " may be a symbol or row ", to,
            "; the tables do not say which");
    if (symbol) made.entries[slot] = std::uint16_t(e);
    if (!pointer) return;
    require(goes_to(to), "classic::dfloat11: row ", to, " of the tables is reached on two levels");
    made.entries[slot] = std::uint16_t(bytewise_tables::row_flag + to);
  });
  return made;
}

/// Throws precondition_error unless the rows form a tree of at most four levels, and every symbol stands where its code
/// ends.
inline void check_rows(bytewise_tables const& tables)
{
  int const rows = tables.rows();
  require(rows > 0 && tables.entries.size() % 256 == 0, "classic::dfloat11: the block has tables of ",
          tables.entries.size(), " entries; give 256 a row, and a row at least");
  each_entry_by_level(rows, [&](int depth, int row, std::size_t slot, auto const& goes_to) {
    int const e = tables.entries[slot], to = e - bytewise_tables::row_flag;
    if (e == bytewise_tables::invalid) return;
    if (to < 0) {
      int const length = tables.lengths[std::size_t(e)];
      require(length > 0 && (length - 1) / 8 == depth, "classic::dfloat11: symbol ", e, " stands in row ", row,
              " of the tables, where a code of ", length, " bits does not end");
    } else
      require(to < rows && depth < 3 && goes_to(to), "classic::dfloat11: row ", row, " of the tables goes on with row ",
              to, "; the rows must form a tree of at most four levels");
  });
}

/// The tables in memory that the execution space can access.
struct bytewise_view {
  std::uint16_t const* entries;
  std::uint8_t const* lengths;

  /// The symbol whose code begins a window, the first bit being the most significant; bytewise_tables::invalid if there
  /// is none.
  ONEPASS_FUNCTION std::uint32_t symbol(std::uint64_t window) const
  {
    std::uint32_t e = entries[window >> 56];
    for (int shift = 48; e >= bytewise_tables::row_flag && e != bytewise_tables::invalid; shift -= 8)
      e = entries[(e - bytewise_tables::row_flag) * 256 + std::uint32_t(window >> shift & 255)];
    return e;
  }
};

}  // namespace onepass::ONEPASS_ABI::classic::dfloat11
