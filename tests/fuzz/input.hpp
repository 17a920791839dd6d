// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "files.hpp"

#include <span>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

/// Bytes as a file in memory, for readers that open files. `ending` is that of its name.
class fuzzed_file {
public:
  explicit fuzzed_file(std::span<std::uint8_t const> bytes)
      : file_(memfd_create("fuzzed", 0))
  {
    if (!file_ || ::write(file_.get(), bytes.data(), bytes.size()) != ssize_t(bytes.size())) std::abort();
  }
  tools::path name() const { return "/proc/self/fd/" + std::to_string(file_.get()); }

private:
  tools::descriptor file_;
};

/// A reader either takes a file or says that it is damaged.
template <class Read>
void attempt(Read const& read)
{
  try {
    read();
  } catch (onepass::packed::format_error const&) {}
}
