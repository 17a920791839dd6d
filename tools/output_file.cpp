// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"
#include "open_files.hpp"
#include "pieces.hpp"
#include "reservation.hpp"

#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace tools {

namespace {

/// What the file system of a file has room for, if it says that: some state no sizes at all.
std::optional<std::uint64_t> free_bytes(int file)
{
  struct statvfs disk;
  if (::fstatvfs(file, &disk) != 0 || disk.f_blocks == 0) return {};
  return std::uint64_t(disk.f_bavail) * disk.f_frsize;
}

/// What is removed when a signal ends the program: the one unfinished file that it has.
char unfinished[PATH_MAX];
volatile std::sig_atomic_t has_unfinished = 0;

void remove_unfinished(int signal)
{
  if (has_unfinished) ::unlink(unfinished);
  ::raise(signal);  // its own action is back, by SA_RESETHAND
}

void watch_signals()
{
  static bool watched = false;
  if (std::exchange(watched, true)) return;
  for (int const signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
                           SIGPROF, SIGIO, SIGPWR}) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;  // another's, too
    action            = {};
    action.sa_handler = remove_unfinished;
    action.sa_flags   = SA_RESETHAND | SA_NODEFER;
    ::sigaction(signal, &action, nullptr);
  }
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of write()
}

/// The temporary file for a name, always the same, and short enough for any file system.
path part_of(path const& target)
{
  auto const name = target.filename().string();
  char sum[17];
  std::snprintf(sum, sizeof sum, "%016llx",
                static_cast<unsigned long long>(
                    onepass::packed::checksum({reinterpret_cast<std::uint8_t const*>(name.data()), name.size()})));
  std::string part = ".";
  part.append(name, 0, 200).append(".").append(sum).append(".part");
  return target.parent_path() / part;
}

/// The name is still that of the open file.
bool is_at(descriptor const& file, path const& name)
{
  struct stat ours, there;
  return ::fstat(file.get(), &ours) == 0 && ::stat(name.c_str(), &there) == 0 && is_same(ours, there);
}

}  // namespace

path resolved(path const& given)
{
  std::error_code error;
  if (auto const there = std::filesystem::canonical(given, error); !error) return there;
  constexpr int most_links = 40;  // as Linux has it
  auto name                = given;
  for (int links = 0; std::filesystem::is_symlink(name, error); ++links) {
    if (links == most_links) throw file_error("cannot write " + given.string() + ": " + std::strerror(ELOOP));
    name = name.parent_path() / std::filesystem::read_symlink(name, error);
  }
  return name;
}

output_file::output_file(path name, writing const& how)
    : name_(std::move(name))
    , how_(how)
    , standard_(is_standard(name_))
{
  // What a pipe or a device permits is not meant for files.
  if (struct stat like; ::stat(how_.like.c_str(), &like) != 0 || !S_ISREG(like.st_mode)) how_.like.clear();
  if (standard_) {
    if (::isatty(STDOUT_FILENO) && !how.force && !how.for_terminal)
      throw usage_error("standard output is a terminal; --force writes there");
    file_ = descriptor(STDOUT_FILENO);
    require_disk();
    return;
  }
  struct stat found;
  if (::stat(name_.c_str(), &found) == 0) {
    if (S_ISDIR(found.st_mode)) throw file_error("cannot write " + name_.string() + ": it is a folder");
    if (!S_ISREG(found.st_mode)) {
      file_ = descriptor(again([&] { return ::open(name_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY); }));
      if (!file_) throw file_error("cannot write " + name_.string() + ": " + why());
      standard_ = is_at(descriptor(STDOUT_FILENO), name_);
      require_disk();
      return;
    }
    if (!how.force) throw naming<usage_error>(name_.string() + " exists; --force writes over it");
    replaced_ = found;
  }
  target_ = resolved(name_);
  open_part();
}

/// Throws usage_error where the file is to be durable and cannot be.
void output_file::require_disk() const
{
  struct stat found;
  if (how_.durable && (::fstat(file_.get(), &found) != 0 || !S_ISREG(found.st_mode)))
    throw naming<usage_error>("--rm removes what is safe in a file, and " + shown_name() + " is none");
}

std::string output_file::shown_name() const { return standard_ ? "standard output" : name_.string(); }

file_error output_file::failure() const
{
  return file_error((standard_ ? "writing to " : "writing ") + shown_name() + " failed: " + why());
}

void output_file::open_part()
{
  auto const part = part_of(target_);
  auto const fail = [&](std::string const& what) { return file_error("cannot write " + name_.string() + ": " + what); };
  auto const locked = [](descriptor const& file) { return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0; };
  auto const open   = [&](int flags) {
    // Until the file has the permissions of another, nobody else reads it.
    auto const mode = how_.like.empty() && !replaced_ ? 0666 : 0600;
    return descriptor(again([&] { return ::open(part.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, mode); }));
  };
  for (;;) {
    file_ = open(O_RDWR | O_CREAT | O_EXCL);
    if (!file_ && errno != EEXIST) throw fail(why());
    // Where a file system has no locks, who has made the file writes it.
    if (file_ && (locked(file_) || errno != EWOULDBLOCK) && is_at(file_, part)) break;
    // What a killed run left is not locked; the lock is kept until the name is gone.
    auto const left = file_ ? std::move(file_) : open(O_RDONLY | O_NONBLOCK);  // a pipe of this name makes none wait
    if (!left && errno == ENOENT) continue;
    if (struct stat found; left && (::fstat(left.get(), &found) != 0 || !S_ISREG(found.st_mode)))
      throw fail(part.string() + " is in the way");
    if (left && !locked(left))
      throw fail(errno == EWOULDBLOCK
                     ? "another onepass is writing it"
                     : part.string() + " is in the way; remove it unless another onepass is writing it");
    if (!left || (is_at(left, part) && ::unlink(part.c_str()) != 0)) throw fail(part.string() + " is in the way");
  }
  part_ = part;
  watch_signals();
  if (part_.native().size() < sizeof unfinished) {
    std::memcpy(unfinished, part_.c_str(), part_.native().size() + 1);
    has_unfinished = 1;
  }
}

output_file::~output_file()
{
  if (part_.empty()) return;
  ::unlink(part_.c_str());
  has_unfinished = 0;
}

void output_file::expect_room_for(std::uint64_t bytes) const
{
  if (part_.empty()) return;
  if (auto const free = free_bytes(file_.get()); free && *free < bytes)
    throw file_error("cannot write " + name_.string() + ": it takes " + std::to_string(bytes) + " bytes and "
                     + std::to_string(*free) + " are free");
}

void output_file::reserve(std::uint64_t bytes, size_is size)
{
  if (part_.empty() || how_.threads < many_threads) return;
  if (!room_) {
    // What is reserved and not needed is nobody else's meanwhile, so only where there is plenty.
    auto const writers = reservation::writers_for(file_.get(), size);
    if (writers == 0 || free_bytes(file_.get()).value_or(0) / 2 < bytes) return;
    room_ = std::make_unique<reservation>(file_.get(), writers);
  }
  room_->up_to(bytes);
}

/// Copies to the file through a mapping, by several threads; false where they would not help or there is no room.
bool output_file::copy_to_room(std::span<std::uint8_t const> b)
{
  constexpr std::size_t few = 16 * piece_bytes;
  if (!room_ || b.size() < few || !room_->holds(written_ + b.size())) return false;
  auto const ahead = written_ % std::uint64_t(::sysconf(_SC_PAGESIZE));  // mappings begin with a page
  auto const bytes = b.size() + ahead;
  void* const all  = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), off_t(written_ - ahead));
  if (all == MAP_FAILED) return false;
  auto* const to = static_cast<std::uint8_t*>(all) + ahead;
  {
    shared_pieces pieces(pieces_of(b.size()), room_->writers() - 1, [&](std::size_t k) {
      auto const piece = piece_of(b, k);
      std::memcpy(to + k * piece_bytes, piece.data(), piece.size());
    });
    while (pieces.take()) {}
  }
  ::munmap(all, bytes);
  return ::lseek(file_.get(), off_t(b.size()), SEEK_CUR) >= 0;
}

void output_file::write(std::span<std::uint8_t const> b)
{
  if (!copy_to_room(b) && !write_all(file_.get(), b)) throw failure();
  written_ += b.size();
}

/// Network file systems and quotas may say only when a file is closed, or flushed, that they have no room for it.
void output_file::expect_arrived() const
{
  int const same = ::dup(file_.get());
  if (same < 0 || ::close(same) != 0) throw failure();
  if ((replaced_ || how_.durable) && ::fsync(file_.get()) != 0) throw failure();
}

void output_file::keep()
{
  if (part_.empty()) return expect_arrived();
  if (room_) {
    room_->end();
    if (::ftruncate(file_.get(), off_t(written_)) != 0) throw failure();
  }
  auto model = replaced_;
  struct stat like;
  bool const is_alike = !how_.like.empty() && ::stat(how_.like.c_str(), &like) == 0;
  if (is_alike) model = like;
  if (model) {
    // Who may not give files away keeps them, and then a group that is another one gets no permissions.
    bool const given = ::fchown(file_.get(), model->st_uid, model->st_gid) == 0;
    struct stat ours;
    if (::fstat(file_.get(), &ours) != 0) throw failure();
    auto const kept = given || ours.st_gid == model->st_gid ? 0777u : 0707u;
    if (::fchmod(file_.get(), model->st_mode & kept) != 0) throw failure();
    timespec const times[] = {model->st_atim, model->st_mtim};
    if (is_alike && how_.same_times) ::futimens(file_.get(), times);
  }
  expect_arrived();
  auto flags = how_.force ? 0u : unsigned(RENAME_NOREPLACE);
  if (::renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, target_.c_str(), flags) != 0) {
    if (errno == EEXIST) throw naming<usage_error>(name_.string() + " exists by now; --force writes over it");
    // A file system that does not know the flag.
    if (errno != EINVAL || ::rename(part_.c_str(), target_.c_str()) != 0) throw failure();
  }
  has_unfinished = 0;
  part_.clear();
  if (how_.durable) {
    auto const parent = target_.parent_path();
    if (descriptor folder(::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); folder)
      ::fsync(folder.get());
  }
}

}  // namespace tools
