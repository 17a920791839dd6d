// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "files.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace tools {

/// A picture of 8 bits a channel, with 1 (grey) or 3 (red, green, blue) neighbouring channels, rows from the top.
struct picture {
  int width = 0, height = 0, channels = 0;
  std::vector<std::uint8_t> numbers;

  std::size_t pixels() const { return std::size_t(width) * std::size_t(height); }
};

/// Reads a PNG or a JPEG, whatever its name says; transparency becomes black. Throws usage_error for no such file,
/// another format, a damaged or truncated file, or more pixels than fit this computer's memory at `bytes_a_pixel`.
picture read_picture(std::filesystem::path const& file, std::size_t bytes_a_pixel);

/// Throws at once if the name of a picture to write is wrong: it must end in .png, .jpg or .jpeg, and this program must
/// have been built with the library for it.
void require_picture_name(std::filesystem::path const& file);

/// Writes the format that the name says. The file gets its name only when it is complete.
void write_picture(std::filesystem::path const& file, picture const& p);

}  // namespace tools
