// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include "open_files.hpp"
#include "pieces.hpp"

#include <algorithm>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace tools {

namespace {

/// Threads that read ahead of the one that uses what is read, where there are many: a thread reads 3 to 4 GB/s.
constexpr std::size_t reading_helpers = 4;

/// The file has a byte at the end of the size that it states, and none behind.
bool has_stated_size(int file, std::uint64_t size)
{
  char c;
  return again([&] { return ::pread(file, &c, 1, off_t(size)); }) == 0
         && (size == 0 || again([&] { return ::pread(file, &c, 1, off_t(size - 1)); }) == 1);
}

/// A file without a name, which goes when it is closed.
descriptor nameless_file(path const& folder)
{
  if (descriptor made(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)); made) return made;
  auto pattern = (folder / "onepass-XXXXXX").string();
  descriptor made(::mkostemp(pattern.data(), O_CLOEXEC));
  if (made) ::unlink(pattern.c_str());
  return made;
}

/// Others have written to the file. A link that comes or goes changes st_ctim, too.
bool has_changed(struct stat const& before, struct stat const& now)
{
  auto const differ = [](timespec const& a, timespec const& b) {
    return a.tv_sec != b.tv_sec || a.tv_nsec != b.tv_nsec;
  };
  return before.st_size != now.st_size || differ(before.st_mtim, now.st_mtim)
         || (before.st_nlink == now.st_nlink && differ(before.st_ctim, now.st_ctim));
}

/// Where a file is read that others have read from before.
std::uint64_t position_of(int file)
{
  auto const at = ::lseek(file, 0, SEEK_CUR);
  return at > 0 ? std::uint64_t(at) : 0;
}

}  // namespace

path temporary_folder(std::string const& what)
{
  std::error_code error;
  auto folder = std::filesystem::temp_directory_path(error);
  if (error) throw file_error("cannot keep " + what + " in the folder for temporary files: " + error.message());
  return folder;
}

descriptor::~descriptor()
{
  if (number_ > STDERR_FILENO) ::close(number_);
}

input_file::input_file(path const& name, std::uint64_t most, unsigned threads)
    : standard_(is_standard(name))
    , name_(standard_ ? "standard input" : name.string())
    , helpers_(threads < many_threads ? 0 : reading_helpers)
    , file_(standard_ ? STDIN_FILENO : again([&] { return ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY); }))
{
  if (!file_ || ::fstat(file_.get(), &found_) != 0) throw file_error("cannot read " + name_ + ": " + why());
  if (S_ISDIR(found_.st_mode)) throw file_error("cannot read " + name_ + ": it is a folder");
  if (S_ISREG(found_.st_mode) && has_stated_size(file_.get(), std::uint64_t(found_.st_size))) {
    begin_ = std::min(position_of(file_.get()), std::uint64_t(found_.st_size));
    size_  = std::uint64_t(found_.st_size) - begin_;
    return;
  }

  auto const folder = temporary_folder("what " + name_ + " has");
  auto copy         = nameless_file(folder);
  if (!copy) throw file_error("cannot keep what " + name_ + " has in " + folder.string() + ": " + why());
  buffer piece(1 << 20);
  for (size_ = 0; size_ < most;) {
    auto const n = when_ready(file_.get(), POLLIN, [&] {
      return ::read(file_.get(), piece.data(), std::min<std::uint64_t>(piece.size(), most - size_));
    });
    if (n < 0) throw file_error("reading " + name_ + " failed: " + why());
    if (n == 0) break;
    if (!write_all(copy.get(), std::span(piece).first(std::size_t(n))))
      throw file_error("cannot keep what " + name_ + " has in " + folder.string() + ": " + why());
    size_ += std::uint64_t(n);
  }
  file_ = std::move(copy);
}

void input_file::read(std::uint64_t at, std::span<std::uint8_t> to)
{
  if (at > size_ || to.size() > size_ - at)
    throw onepass::packed::format_error("it ends at byte " + std::to_string(size_) + "; bytes " + std::to_string(at)
                                        + " to " + std::to_string(at + to.size()) + " are missing");
  while (!to.empty()) {
    auto const n = again([&] { return ::pread(file_.get(), to.data(), to.size(), off_t(begin_ + at)); });
    if (n < 0) throw file_error("reading " + name_ + " failed: " + why());
    if (n == 0) throw file_error("reading " + name_ + " failed: it became shorter meanwhile");
    to = to.subspan(std::size_t(n));
    at += std::uint64_t(n);
  }
}

buffer input_file::read(std::uint64_t at, std::uint64_t n)
{
  if (n > size_)  // without allocating what a damaged file asks for
    throw onepass::packed::format_error("it has " + std::to_string(size_) + " bytes; more are asked for");
  buffer b(n);
  read(at, b);
  return b;
}

void input_file::read(std::uint64_t at, std::span<std::uint8_t> to,
                      std::function<void(std::span<std::uint8_t const>)> const& use)
{
  auto const n = pieces_of(to.size());
  std::vector<std::atomic<bool>> there(n);
  std::vector<std::exception_ptr> thrown(n);
  shared_pieces pieces(n, n < 2 * helpers_ ? 0 : helpers_, [&](std::size_t k) {
    try {
      read(at + k * piece_bytes, piece_of(to, k));
    } catch (...) {
      thrown[k] = std::current_exception();
    }
    there[k] = true;
    there[k].notify_one();
  });
  for (std::size_t k = 0; k < n; ++k) {
    while (!there[k])
      if (!pieces.take()) there[k].wait(false);
    if (thrown[k]) std::rethrow_exception(thrown[k]);
    use(piece_of(to, k));
  }
}

void input_file::remove() const
{
  if (standard_ || !S_ISREG(found_.st_mode)) return;
  struct stat there;
  if (::stat(name_.c_str(), &there) == 0) {
    if (!is_same(there, found_)) return;
    if (has_changed(found_, there)) throw file_error(name_ + " has changed meanwhile and stays");
  }
  if (::unlink(name_.c_str()) != 0) throw file_error("cannot remove " + name_ + ": " + why());
}

}  // namespace tools
