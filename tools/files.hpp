// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "commands.hpp"

#include <onepass/packed/container.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <sys/stat.h>
#include <thread>

namespace tools {

using path   = std::filesystem::path;
using buffer = std::vector<std::uint8_t>;

/// "-" is standard input or output.
inline bool is_standard(path const& name) { return name == "-"; }

/// What errno says.
inline std::string why() { return std::strerror(errno); }

/// Calls a function of the system again as long as a signal interrupts it.
template <class Call>
auto again(Call const& call)
{
  for (;;)
    if (auto const result = call(); result >= 0 || errno != EINTR) return result;
}

/// The folder for temporary files. Throws file_error, which says what cannot be kept there, where it is none.
path temporary_folder(std::string const& what);

/// An open file, closed with its owner.
class descriptor {
public:
  explicit descriptor(int number = -1)
      : number_(number)
  {}
  descriptor(descriptor&& other) noexcept
      : number_(std::exchange(other.number_, -1))
  {}
  descriptor& operator=(descriptor&& other) noexcept
  {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor();

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

private:
  int number_;
};

/// A file that can be read at any position; standard input begins where it stands. A pipe, a device, and whatever else
/// does not have the size that it states (/proc), is copied to a nameless temporary file first, up to `most` bytes.
class input_file {
public:
  /// Throws file_error for what is not there or cannot be read. `threads` are those of the machine.
  explicit input_file(path const& name, std::uint64_t most = std::numeric_limits<std::uint64_t>::max(),
                      unsigned threads = std::thread::hardware_concurrency());

  std::string const& name() const { return name_; }
  std::uint64_t size() const { return size_; }

  /// Fills `to` with the bytes from `at` on. Throws format_error where the file ends before.
  void read(std::uint64_t at, std::span<std::uint8_t> to);
  buffer read(std::uint64_t at, std::uint64_t n);

  /// The same, and calls use(piece) for one piece after the other while they are still in a cache; on many threads
  /// others read ahead of that. A piece whose reading throws is not used, nor are those behind it.
  void read(std::uint64_t at, std::span<std::uint8_t> to,
            std::function<void(std::span<std::uint8_t const>)> const& use);

  /// Removes the file, which has served, as --rm asks for; never a pipe or a device, nor what has its name by now, such
  /// as a result that was written over it. Throws file_error where it has changed since it was opened.
  void remove() const;

private:
  bool standard_;
  std::string name_;
  std::size_t helpers_;
  std::uint64_t begin_ = 0, size_ = 0;
  struct stat found_ {};
  descriptor file_;
};

/// How an output_file is written.
struct writing {
  bool force = false;         ///< write over a file that exists, and to a terminal
  path like{};                ///< has the permissions and the owner that the new file gets; empty: none
  bool same_times   = false;  ///< the new file has the times of `like`
  bool durable      = false;  ///< the new file is on the disk when keep() returns; so is any that takes another's place
  bool for_terminal = false;  ///< what is written may go to a terminal
  unsigned threads  = std::thread::hardware_concurrency();  ///< of the machine
};

/// The file that a chain of links names, whether it exists or not. Throws file_error for links in a circle.
path resolved(path const& given);

class reservation;

/// A new file that gets its name only when it is complete: until then it is a temporary file beside it, which goes when
/// anything goes wrong or a signal ends the program, and which the next run for the same name takes over if the program
/// was killed. A symbolic link is followed. What exists and is no regular file, such as a device or a pipe, is written
/// to as it is.
class output_file {
public:
  /// Throws usage_error for a file that exists, without `force`, and file_error where nothing can be written.
  explicit output_file(path name, writing const& how = {});
  ~output_file();
  output_file(output_file const&) = delete;

  std::uint64_t written() const { return written_; }
  /// Whether it is standard output, which then takes nothing else.
  bool is_standard_output() const { return standard_; }

  /// Throws file_error if the file system has no room for so many bytes.
  void expect_room_for(std::uint64_t bytes) const;
  /// How well the number of bytes is known that a file will have.
  enum class size_is { known, guessed };
  /// Says that so many bytes will be written, or perhaps a few less. On many threads a file that others know nothing of
  /// yet gets its room ahead of them, on a thread of its own, and what is then written there is copied by several. A
  /// guess may be raised by another call.
  void reserve(std::uint64_t bytes, size_is size = size_is::known);
  void write(std::span<std::uint8_t const> b);
  /// Call it when everything is written: gives the file its name.
  void keep();

private:
  void require_disk() const;
  std::string shown_name() const;
  file_error failure() const;
  void open_part();
  void expect_arrived() const;
  bool copy_to_room(std::span<std::uint8_t const> b);

  path name_, target_, part_;  ///< part_ is empty where bytes go straight to the target
  writing how_;
  bool standard_ = false;
  std::optional<struct stat> replaced_;
  std::uint64_t written_ = 0;
  descriptor file_;
  std::unique_ptr<reservation> room_;
};

}  // namespace tools
