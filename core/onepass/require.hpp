// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/version.hpp>

#include <charconv>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace onepass::ONEPASS_ABI {

/// Thrown for a call that cannot be carried out: on the host, before anything is queued, never later. The text names
/// the operation, the sizes and the fix.
struct precondition_error : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A part of the text of an error.
template <class Part>
std::string as_text(Part const& part)
{
  if constexpr (std::is_convertible_v<Part const&, std::string_view>) return std::string(std::string_view(part));
  else if constexpr (std::is_floating_point_v<Part>) {
    char digits[64];  // as many as tell it from all others of its type
    return std::string(digits, std::to_chars(digits, std::end(digits), part).ptr);
  } else return std::to_string(part);
}

/// Throws precondition_error with the joined `parts`, the first of which names the operation. They come by value: the
/// address of a variable would keep it out of the registers in all calls that are right.
template <class... Parts>
[[noreturn, gnu::cold, gnu::noinline]] void refuse(Parts... parts)
{
  auto const text = (std::string() + ... + as_text(parts));
  throw precondition_error(text.starts_with("onepass::") ? text : "onepass::" + text);
}

/// The same, unless `condition` holds.
template <class... Parts>
[[gnu::always_inline]] inline void require(bool condition, Parts const&... parts)
{
  if (!condition) [[unlikely]]
    refuse<std::decay_t<Parts const>...>(parts...);
}

/// Refuses more tiles than one launch can have; `size` is the number of `what`, for the text.
inline void require_one_launch(std::string const& label, long long tiles, long long size, char const* what)
{
  require(tiles < 1LL << 31, label, ": ", size, " ", what, " are ", tiles,
          " tiles, more than one launch has; use more than one call");
}

}  // namespace onepass::ONEPASS_ABI
