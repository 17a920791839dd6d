// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

// What is made right before a command begins, or when it first needs a space.
namespace tools {

/// Makes standard input, output and error fail where they are closed, so that no file opened later takes their place.
void keep_standard_files();

/// Starts Kokkos, unless it runs; with CUDA that takes a third of a second, so what first needs a space calls it.
/// Throws machine_error where no device is, and usage_error for a KOKKOS_ variable for which Kokkos would end the
/// program; takes no more threads than Kokkos can.
void start_kokkos();

/// Ends Kokkos with its owner, if it was started.
struct kokkos_end {
  ~kokkos_end();
};

/// Makes a whole number of an option's text, which may end in k, M, G or T; else says what is wrong with it.
std::string whole_number(std::string& text);

/// What is wrong with an option's text that is to name a file.
std::string name_of_file(std::string const& text);

}  // namespace tools
