// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "files.hpp"

namespace tools {

/// A part of a file, and how its items are coded.
struct stretch {
  std::string name, type;
  onepass::packed::frame_kind kind = onepass::packed::frame_kind::bytes;
  std::uint64_t begin = 0, bytes = 0;
};

/// The kind that codes a safetensors type; `bytes` for a type that has none of its own.
onepass::packed::frame_kind kind_of(std::string const& dtype);

/// Whether the name is one of a safetensors file: it ends in .safetensors, in capitals too.
bool is_checkpoint(path const& name);

/// The header and every tensor of a safetensors file, in order and, with what is between them, without gaps. Throws
/// format_error where the header is wrong, and says what is wrong.
std::vector<stretch> tensors_of(input_file& file);

/// The parts of a whole file: those of a .safetensors file, unless it is to be taken as bytes; any other file as one.
std::vector<stretch> stretches_of(input_file& file, bool as_bytes);

}  // namespace tools
