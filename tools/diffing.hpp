// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tools::diff {

/// What `onepass trace` is asked for.
struct trace_request {
  std::vector<std::string> program;
  std::string out, fill, library;
  std::vector<std::string> kernels, views, skipped, dumped;
  bool no_between = false, force = false;
  int threads = 0;
};

/// What `onepass diff` is asked for.
struct diff_request {
  std::string a, b;
  std::vector<std::string> tolerances, skipped, types, extents;
  std::string order = "auto", layouts;
  bool locate = false, all = false, json = false;
};

CLI::App const* add_trace(CLI::App& app, trace_request&);
CLI::App const* add_diff(CLI::App& app, diff_request&);

/// Becomes the program that is traced; returns only by throwing usage_error.
[[noreturn]] void trace(trace_request const&);
int diff(diff_request const&);

/// The environment in which Kokkos loads the tracer; throws usage_error where libonepass_trace.so is not found.
std::vector<std::pair<std::string, std::string>> environment_of(trace_request const&);

}  // namespace tools::diff
