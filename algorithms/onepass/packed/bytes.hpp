// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/require.hpp>
#include <onepass/version.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

// xxHash is compiled inline into the functions below, and no library is linked. A program that defines
// ONEPASS_XXHASH_DISPATCH links xxHash's library, which takes the widest vectors of the machine: with AVX2 three times
// as fast as what is inline and runs on any x86-64. XXH_INLINE_ALL stays defined if the including file defined it.
#ifdef ONEPASS_XXHASH_DISPATCH
#define XXH_STATIC_LINKING_ONLY
#include <xxh_x86dispatch.h>
#undef XXH_STATIC_LINKING_ONLY
#elif defined(XXH_INLINE_ALL)
#include <xxhash.h>
#else
#define XXH_INLINE_ALL
#include <xxhash.h>
#undef XXH_INLINE_ALL
#endif

/// \defgroup packed The packed format
/// Files of coded tensors, with checksums for all contents (docs/format.md). bytes.hpp has the building blocks:
/// little-endian values, checksums, and a reader that checks all it reads. container.hpp has the headers and tables,
/// frame.hpp encodes and decodes frames. All of them need xxHash's header, target onepass::packed.
///
/// Errors: reading throws format_error for any data that are damaged, of another format or truncated, before they are
/// used.

/// The packed format, in namespace packed.
namespace onepass::ONEPASS_ABI::packed {

/// \addtogroup packed
/// \{

static_assert(std::endian::native == std::endian::little,
              "onepass: packed bytes are written and read on little-endian machines");

/// Thrown for packed data that are damaged, of another format or truncated. The text says what is wrong and where.
struct format_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Bytes to be read; not owned.
using byte_view = std::span<std::uint8_t const>;

/// The checksum of the bytes: XXH3 with 64 bits and seed 0. One pass over them.
///
/// Source: xxHash; see docs/references.md.
inline std::uint64_t checksum(byte_view b) { return XXH3_64bits(b.data(), b.size()); }

/// The checksum of bytes that come piece by piece.
class running_checksum {
public:
  running_checksum() { XXH3_64bits_reset(&state_); }  ///< Of no bytes.
  /// Appends bytes.
  void add(byte_view b)
  {
    if (!b.empty()) XXH3_64bits_update(&state_, b.data(), b.size());
  }
  /// What checksum() gives for all bytes so far.
  std::uint64_t value() const { return XXH3_64bits_digest(&state_); }

private:
  XXH3_state_t state_;
};

/// Throws format_error unless the condition holds. Its text is the concatenation of `parts`, strings and numbers.
template <class... Parts>
void expect(bool condition, Parts const&... parts)
{
  if (!condition) throw format_error((std::string() + ... + as_text(parts)));
}

/// Appends the bytes of x, a number.
template <class T>
void put(std::vector<std::uint8_t>& to, T x)
{
  auto const at = to.size();
  to.resize(at + sizeof x);
  std::memcpy(to.data() + at, &x, sizeof x);
}

/// Reads values from the front of a sequence of bytes.
struct reader {
  byte_view left;    ///< the bytes not yet read
  char const* what;  ///< the name of the bytes in errors: "the table"

  /// The next n bytes. Throws format_error if fewer are left.
  byte_view take(std::size_t n)
  {
    expect(n <= left.size(), what, " ends too soon: ", n, " more bytes are needed and ", left.size(), " are there");
    auto const taken = left.first(n);
    left             = left.subspan(n);
    return taken;
  }
  /// The next number, as put() wrote it.
  template <class T>
  T get()
  {
    T x;
    std::memcpy(&x, take(sizeof x).data(), sizeof x);
    return x;
  }
};

/// n rounded up to a multiple of 16.
inline constexpr std::size_t padded(std::size_t n) { return (n + 15) / 16 * 16; }

/// \}

}  // namespace onepass::ONEPASS_ABI::packed
