// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <iosfwd>
#include <string>

// What the program says. Names come from files that anyone may have made, so nothing of them reaches a terminal as a
// control sequence.
namespace tools {

/// The text with its control characters as \xNN.
std::string shown(std::string const& text);

/// Prints indented JSON; bytes that are no UTF-8 become U+FFFD.
void print(std::ostream& to, nlohmann::json const& value, int indent);

/// Calls do_it, which returns an exit code. Whatever it throws becomes a sentence on standard error, which begins with
/// the name of the file unless the error is one that names_file, and the exit code for it. `file` may be empty.
int guarded(std::string const& file, std::function<int()> const& do_it);

/// Throws file_error unless everything that was printed has reached standard output.
void flush_output();

}  // namespace tools
