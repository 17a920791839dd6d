// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>

namespace CLI {
class App;
}

namespace tools {

struct request;

/// The program's exit codes; docs/program.md lists them. Of several files the highest counts.
namespace exit_code {
inline constexpr int fine      = 0;
inline constexpr int differs   = 1;  ///< a result is not what it should be
inline constexpr int misused   = 2;  ///< the command cannot be carried out as it is
inline constexpr int unusable  = 3;  ///< a file is missing, or cannot be read or written
inline constexpr int damaged   = 4;  ///< a file is damaged, truncated or of another format
inline constexpr int exhausted = 5;  ///< memory or a device was not there
inline constexpr int near      = 6;  ///< diff: within tolerance
inline constexpr int apart     = 7;  ///< diff: not comparable
}  // namespace exit_code

/// Beside an error: its sentence names the file that it is about. Before others guarded() puts the name.
struct names_file {};
template <class Error>
struct naming : Error, names_file {
  using Error::Error;
};

/// Thrown for wrong arguments.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Thrown for a file that is missing, or that cannot be read or written.
struct file_error : std::runtime_error, names_file {
  using std::runtime_error::runtime_error;
};
/// Thrown where the machine has no GPU, or too little memory.
struct machine_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// add_<command>() adds a command whose options fill the request; <command>() returns the program's exit code.
CLI::App const* add_check(CLI::App& app, request& asked);
int check(request const& asked);
CLI::App const* add_info(CLI::App& app, bool& json);
int info(bool json);

}  // namespace tools
