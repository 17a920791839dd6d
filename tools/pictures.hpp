// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "files.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace tools {

/// 8 bits a channel, 1 (grey) or 3 (red, green, blue) channels side by side, rows from the top.
struct picture {
  int width = 0, height = 0, channels = 0;
  std::vector<std::uint8_t> numbers;

  std::size_t pixels() const { return std::size_t(width) * std::size_t(height); }
};

/// Reads a PNG or a JPEG, whatever its name says; transparency is laid on black. Throws usage_error: no such file,
/// another format, a damaged or truncated file, more pixels than the memory of this machine can hold `bytes_a_pixel`
/// of.
picture read_picture(std::filesystem::path const& file, std::size_t bytes_a_pixel);

/// Says at once what is wrong with the name of a picture to write: it must end in .png, .jpg or .jpeg, and this program
/// must have been built with the library for it.
void require_picture_name(std::filesystem::path const& file);

/// Writes the format that the name says. The file has its name only once it is whole.
void write_picture(std::filesystem::path const& file, picture const& p);

}  // namespace tools
