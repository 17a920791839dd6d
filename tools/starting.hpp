// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Kokkos_Core.hpp>

#include <string>

// What is made right before a command begins.
namespace tools {

/// Makes standard input, output and error fail where they are closed, so that no file opened later takes their place.
void keep_standard_files();

/// How Kokkos is initialised. Throws usage_error for a KOKKOS_ variable for which Kokkos would end the program, and
/// takes no more threads than Kokkos can.
Kokkos::InitializationSettings kokkos_settings();

/// Makes a whole number of an option's text, which may end in k, M, G or T; else says what is wrong with it.
std::string whole_number(std::string& text);

}  // namespace tools
