// SPDX-License-Identifier: Apache-2.0
#include "print.hpp"

#include "commands.hpp"
#include "files.hpp"

#include <nlohmann/json.hpp>

#include <iostream>

namespace tools {

std::string shown(std::string const& text)
{
  constexpr char digits[] = "0123456789abcdef";
  std::string to;
  auto const escape = [&](unsigned char c) { to += {'\\', 'x', digits[c / 16], digits[c % 16]}; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto const c    = static_cast<unsigned char>(text[i]);
    auto const next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (c == 0xc2 && next >= 0x80 && next < 0xa0) escape(c), escape(next), ++i;  // U+0080 to U+009F in UTF-8
    else if (c < 0x20 || c == 0x7f) escape(c);
    else to += text[i];
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
