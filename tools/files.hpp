// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "commands.hpp"

#include <onepass/packed/container.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace tools {

using path   = std::filesystem::path;
using buffer = std::vector<std::uint8_t>;

struct closes {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using file_handle = std::unique_ptr<std::FILE, closes>;

inline std::string why() { return std::strerror(errno); }

/// A file of known size that can be read at any position.
class input_file {
public:
  explicit input_file(path const& name)
      : name_(name.string())
  {
    std::error_code error;
    if (!std::filesystem::is_regular_file(name, error))
      throw usage_error("cannot read " + name_ + "; name a file that exists");
    size_ = std::filesystem::file_size(name);
    file_.reset(std::fopen(name_.c_str(), "rb"));
    if (!file_) throw usage_error("cannot read " + name_ + ": " + why());
  }
  std::string const& name() const { return name_; }
  std::uint64_t size() const { return size_; }

  /// Fills `to` with the bytes from `at` on.
  void read(std::uint64_t at, std::span<std::uint8_t> to)
  {
    if (at > size_ || to.size() > size_ - at)
      throw onepass::packed::format_error(name_ + " ends at byte " + std::to_string(size_) + "; bytes "
                                          + std::to_string(at) + " to " + std::to_string(at + to.size())
                                          + " are missing");
    if (to.empty()) return;  // as in output_file::write()
    if (fseeko(file_.get(), off_t(at), SEEK_SET) != 0 || std::fread(to.data(), 1, to.size(), file_.get()) != to.size())
      throw std::runtime_error("reading " + name_ + " failed: " + why());
  }
  buffer read(std::uint64_t at, std::uint64_t n)
  {
    if (n > size_) n = size_ + 1;  // refused below, without allocating what a damaged file asks for
    buffer b(n > size_ ? 0 : n);
    if (n > size_)
      throw onepass::packed::format_error(name_ + " has " + std::to_string(size_) + " bytes; more are asked for");
    read(at, b);
    return b;
  }

private:
  std::string name_;
  std::uint64_t size_ = 0;
  file_handle file_;
};

/// A file that gets its name only when it is complete: until then it is a temporary file beside it, which is removed if
/// anything goes wrong.
class output_file {
public:
  explicit output_file(path name)
      : name_(std::move(name))
      , part_(name_.string() + ".part-" + std::to_string(getpid()))
  {
    file_.reset(std::fopen(part_.c_str(), "wbx"));
    if (!file_) throw usage_error("cannot write " + part_.string() + ": " + why());
  }
  ~output_file()
  {
    if (!file_) return;
    file_.reset();
    std::error_code ignored;
    std::filesystem::remove(part_, ignored);
  }
  output_file(output_file const&) = delete;

  std::uint64_t written() const { return written_; }

  void write(std::span<std::uint8_t const> b)
  {
    if (b.empty()) return;  // an empty buffer may have a null address, which fwrite() does not take
    if (std::fwrite(b.data(), 1, b.size(), file_.get()) != b.size())
      throw std::runtime_error("writing " + part_.string() + " failed: " + why());
    written_ += b.size();
  }
  /// Call it when everything is written: gives the file its name.
  void keep()
  {
    if (std::fflush(file_.get()) != 0) throw std::runtime_error("writing " + part_.string() + " failed: " + why());
    std::filesystem::rename(part_, name_);
    file_.reset();
  }

private:
  path name_, part_;
  std::uint64_t written_ = 0;
  file_handle file_;
};

}  // namespace tools
