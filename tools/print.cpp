// SPDX-License-Identifier: Apache-2.0
#include "print.hpp"

#include "commands.hpp"
#include "files.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <string_view>

namespace tools {

namespace {

/// The bytes of the UTF-8 sequence that begins with the text; 1 for a byte that begins none.
std::size_t sequence(std::string_view text)
{
  auto const lead  = static_cast<unsigned char>(text[0]);
  std::size_t more = lead >= 0xf8 || lead < 0xc2 ? 0 : lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  if (text.size() <= more) return 1;
  auto const continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  auto const rest      = text.substr(1, more);
  return std::all_of(rest.begin(), rest.end(), continues) ? 1 + more : 1;
}

/// Whether a terminal may take it for an order: the control characters of ASCII, and U+0080 to U+009F in UTF-8 or as
/// single bytes.
bool controls(std::string_view one)
{
  auto const first = static_cast<unsigned char>(one[0]), last = static_cast<unsigned char>(one.back());
  bool const is_c1 = last >= 0x80 && last < 0xa0 && (one.size() == 1 || (one.size() == 2 && first == 0xc2));
  return first < 0x20 || first == 0x7f || is_c1;
}

}  // namespace

std::string shown(std::string const& text)
{
  constexpr char digits[] = "0123456789abcdef";
  std::string to;
  for (std::string_view left = text; !left.empty();) {
    auto const one = left.substr(0, sequence(left));
    left.remove_prefix(one.size());
    if (!controls(one)) to += one;
    else
      for (unsigned char const c : one) to += {'\\', 'x', digits[c / 16], digits[c % 16]};
  }
  return to;
}

void print(std::ostream& to, nlohmann::json const& value, int indent)
{
  to << value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
}

int guarded(std::string const& file, std::function<int()> const& do_it)
{
  auto const say = [&](int code, std::string const& sentence) {
    std::fprintf(stderr, "onepass: %s\n", shown(sentence).c_str());
    return code;
  };
  auto const of_file = [&](std::string const& what) { return file.empty() ? what : file + ": " + what; };
  auto const said    = [&](int code, std::exception const& e) {
    return say(code, dynamic_cast<names_file const*>(&e) ? e.what() : of_file(e.what()));
  };
  try {
    return do_it();
  } catch (usage_error const& e) {
    return said(exit_code::misused, e);
  } catch (onepass::precondition_error const& e) {
    return said(exit_code::misused, e);
  } catch (file_error const& e) {
    return said(exit_code::unusable, e);
  } catch (std::filesystem::filesystem_error const& e) {
    return say(exit_code::unusable, "cannot use " + e.path1().string() + ": " + e.code().message());
  } catch (onepass::packed::format_error const& e) {
    return said(exit_code::damaged, e);
  } catch (std::bad_alloc const&) {
    return say(exit_code::exhausted, of_file("there is not enough memory for it"));
  } catch (std::exception const& e) {
    return said(exit_code::exhausted, e);
  }
}

void flush_output()
{
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) || !std::cout)
    throw file_error("writing to standard output failed" + (errno ? ": " + why() : ""));
}

}  // namespace tools
