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

/// What the numbers of a picture are: colours, which a file's chunks may say how to show, or numbers as they stand.
enum class pixels_are { colours, numbers };

/// Reads a PNG or a JPEG, whatever its name says, the right way up; transparency becomes black, CMYK red, green and
/// blue, and 16 bits a channel the upper 8. Throws file_error for no such file, format_error for another format and for
/// a damaged or truncated file, machine_error for more pixels than fit this computer's memory at `bytes_a_pixel`.
picture read_picture(std::filesystem::path const& file, pixels_are what, std::size_t bytes_a_pixel);

/// Throws at once if the name of a picture to write is wrong: it must be - (a PNG) or end in .png, .jpg or .jpeg, and
/// this program must have been built with the library for it.
void require_picture_name(std::filesystem::path const& file);

/// The bytes of a picture in the format that the name says. Throws file_error where it is too large for that.
buffer written(std::filesystem::path const& name, picture const& p);

}  // namespace tools
