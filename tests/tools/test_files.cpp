// SPDX-License-Identifier: Apache-2.0
// The files of the onepass program: what is written is read back, in pieces of any size, and nothing unfinished stays.
#include "files.hpp"

#include "pieces.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdexcept>
#include <string>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <thread>
#include <utility>

/// Why no file is locked, or 0 where the system decides.
static int lock_error = 0;

/// In place of the system's, so that a test has file systems without locks.
extern "C" int flock(int file, int operation)
{
  if (lock_error == 0) return int(::syscall(SYS_flock, file, operation));
  errno = lock_error;
  return -1;
}

/// Why nothing that is closed has arrived, or 0.
static int close_error = 0;

/// In place of the system's, so that a test has file systems that say only then that there is no room.
extern "C" int close(int file)
{
  auto const result = int(::syscall(SYS_close, file));
  if (close_error == 0) return result;
  errno = close_error;
  return -1;
}

/// Whether file systems state sizes.
static bool states_sizes = true;

/// In place of the system's, so that a test has file systems that state none, as some in user space do.
extern "C" int fstatvfs(int file, struct statvfs* sizes)
{
  struct statfs found;
  if (::fstatfs(file, &found) != 0) return -1;
  *sizes          = {};
  sizes->f_frsize = (unsigned long)(found.f_bsize);
  sizes->f_blocks = states_sizes ? found.f_blocks : 0;
  sizes->f_bavail = states_sizes ? found.f_bavail : 0;
  return 0;
}

namespace {

using tools::buffer, tools::path;

class files : public testing::Test {
protected:
  files()
      : folder_(std::filesystem::temp_directory_path() / ("onepass_files." + std::to_string(getpid())))
  {
    std::filesystem::create_directory(folder_);
  }
  ~files() override { std::filesystem::remove_all(folder_); }

  path at(char const* name) const { return folder_ / name; }
  auto entries() const { return std::distance(std::filesystem::directory_iterator(folder_), {}); }

  path folder_;
};

TEST_F(files, are_read_as_they_were_written_and_pieces_may_be_empty)
{
  buffer const some{1, 2, 3}, none;
  ASSERT_EQ(none.data(), nullptr);  // an address that fwrite() and fread() do not take, for no byte either
  {
    tools::output_file out(at("new"));
    for (auto const& piece : {none, some, none, some, none}) out.write(piece);
    EXPECT_EQ(out.written(), 6u);
    out.keep();
  }
  tools::input_file in(at("new"));
  ASSERT_EQ(in.size(), 6u);
  EXPECT_EQ(in.read(0, 6), (buffer{1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(in.read(2, 2), (buffer{3, 1}));
  EXPECT_EQ(in.read(6, 0), none);
  EXPECT_THROW(in.read(5, 2), onepass::packed::format_error);
  EXPECT_THROW(in.read(7, 0), onepass::packed::format_error);
  EXPECT_EQ(entries(), 1);
}

/// Numbers that differ from place to place.
buffer numbers(std::size_t n)
{
  buffer all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = std::uint8_t((i * 2654435761u) >> 13);
  return all;
}

TEST_F(files, are_the_same_by_many_threads)
{
  // What is written by threads, and what by the system, in turn and at odd places; too much and too little is reserved.
  auto const data = numbers(24 << 20);
  for (auto const& [first, second] : {std::pair<std::size_t, std::size_t>{0, 0},
                                      {data.size(), data.size()},
                                      {data.size() + (50 << 20), 0},
                                      {data.size() / 2, data.size() - 7},
                                      {1, data.size()}})
    for (unsigned const threads : {1u, 2 * tools::many_threads}) {
      {
        tools::output_file out(at("new"), {.force = true, .threads = threads});
        if (first) out.reserve(first);
        std::size_t begin = 0;
        for (std::size_t const n : {std::size_t(5), std::size_t(9) << 20, std::size_t(3) << 20, std::size_t(0),
                                    std::size_t(5) << 20, std::size_t(77)}) {
          out.write(std::span(data).subspan(begin, n));
          begin += n;
        }
        if (second) out.reserve(second);
        out.write(std::span(data).subspan(begin));
        EXPECT_EQ(out.written(), data.size());
        out.keep();
      }
      tools::input_file in(at("new"), data.size(), threads);
      ASSERT_EQ(in.size(), data.size()) << first << ' ' << second;
      EXPECT_TRUE(in.read(0, in.size()) == data) << first << ' ' << second;
    }
}

TEST_F(files, have_their_room_ahead_on_many_threads_only)
{
  struct statfs on;
  ASSERT_EQ(::statfs(folder_.c_str(), &on), 0);
  if (on.f_type != TMPFS_MAGIC && on.f_type != EXT4_SUPER_MAGIC)
    GTEST_SKIP() << "on another file system none is reserved";
  for (unsigned const threads : {tools::many_threads - 1, tools::many_threads}) {
    tools::output_file out(at("new"), {.threads = threads});
    auto const part  = std::filesystem::directory_iterator(folder_)->path();
    std::size_t size = 0;
    out.reserve(70 << 20);
    int const waits = threads < tools::many_threads ? 5 : 6000;
    for (int wait = 0; wait < waits && size < 70 << 20; ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      size = std::filesystem::file_size(part);
    }
    EXPECT_EQ(size, threads < tools::many_threads ? 0 : 70 << 20);
    out.write(numbers(9 << 20));
    out.keep();
    EXPECT_EQ(std::filesystem::file_size(at("new")), 9 << 20);
    std::filesystem::remove(at("new"));
  }
}

TEST_F(files, that_may_not_grow_are_an_error_where_room_is_reserved_too)
{
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  tools::output_file out(at("new"), {.threads = tools::many_threads});  // the signal of this limit is ignored by now
  rlimit const limit{40 << 20, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  auto const data = numbers(30 << 20);
  out.reserve(90 << 20);
  out.write(data);
  EXPECT_THROW(out.write(data), tools::file_error);
  ::setrlimit(RLIMIT_FSIZE, &before);
}

TEST_F(files, are_used_piece_by_piece_in_their_order)
{
  auto const data = numbers((10 << 20) + 12345);
  {
    tools::output_file out(at("new"));
    out.write(data);
    out.keep();
  }
  for (unsigned const threads : {1u, 2 * tools::many_threads}) {
    tools::input_file in(at("new"), data.size(), threads);
    for (auto const& [begin, bytes] : {std::pair<std::size_t, std::size_t>{0, data.size()},
                                       {12345, data.size() - 12345},
                                       {7, 0},
                                       {7, 1},
                                       {7, tools::piece_bytes + 1}}) {
      buffer to(bytes), used;
      in.read(begin, to,
              [&](std::span<std::uint8_t const> piece) { used.insert(used.end(), piece.begin(), piece.end()); });
      EXPECT_TRUE(std::equal(to.begin(), to.end(), data.begin() + long(begin)));
      EXPECT_TRUE(used == to);
    }
    // What is not there is an error where it begins, and what throws ends it.
    std::filesystem::resize_file(at("new"), data.size() - 1);
    buffer to(data.size());
    std::size_t used = 0;
    EXPECT_THROW(in.read(0, to, [&](std::span<std::uint8_t const> piece) { used += piece.size(); }), tools::file_error);
    EXPECT_EQ(used, data.size() / tools::piece_bytes * tools::piece_bytes);
    EXPECT_THROW(in.read(0, std::span(to).first(9 << 20), [&](auto) { throw std::runtime_error("enough"); }),
                 std::runtime_error);
    std::filesystem::resize_file(at("new"), data.size());
    EXPECT_THROW(in.read(1, to, [](auto) {}), onepass::packed::format_error);
    tools::output_file out(at("new"), {.force = true});
    out.write(data);
    out.keep();
  }
}

TEST_F(files, are_written_where_there_are_no_locks)
{
  for (int const error : {ENOLCK, ENOSYS, EOPNOTSUPP, EIO}) {
    lock_error = error;
    {
      tools::output_file out(at("new"), {.force = true});
      out.write(buffer{1});
      out.keep();
    }
    lock_error = 0;
    EXPECT_EQ(entries(), 1);
    EXPECT_EQ(tools::input_file(at("new")).size(), 1u);
  }
  // What a killed run has left there cannot be told from what another is writing.
  tools::output_file const first(at("other"));
  lock_error = ENOLCK;
  EXPECT_THROW(tools::output_file second(at("other")), tools::file_error);
  lock_error = 0;
  EXPECT_EQ(entries(), 2);
}

TEST_F(files, are_written_where_no_sizes_are_stated)
{
  tools::output_file out(at("new"));
  EXPECT_THROW(out.expect_room_for(std::uint64_t(1) << 60), tools::file_error);
  states_sizes = false;
  EXPECT_NO_THROW(out.expect_room_for(100));
  states_sizes = true;
}

TEST_F(files, that_have_no_room_when_they_are_closed_get_no_name)
{
  for (int const error : {ENOSPC, EDQUOT}) {
    tools::output_file out(at("new"));
    out.write(buffer{1});
    close_error = error;
    EXPECT_THROW(out.keep(), tools::file_error);
    close_error = 0;
    EXPECT_FALSE(std::filesystem::exists(at("new")));
  }
  EXPECT_EQ(entries(), 0);
}

TEST_F(files, that_have_changed_since_they_were_opened_are_not_removed)
{
  auto const write = [&](char const* how) {
    auto* const file = std::fopen(at("new").c_str(), how);
    EXPECT_EQ(std::fputc('x', file), 'x');
    std::fclose(file);
  };
  write("w");
  for (char const* how : {"a", "r+"}) {
    tools::input_file const in(at("new"));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // times of files are those of ticks
    write(how);
    EXPECT_THROW(in.remove(), tools::file_error);
    EXPECT_EQ(entries(), 1);
  }
  tools::input_file const in(at("new"));
  ASSERT_EQ(::link(at("new").c_str(), at("link").c_str()), 0);  // which changes a time of the file, too
  in.remove();
  EXPECT_FALSE(std::filesystem::exists(at("new")));
}

TEST_F(files, that_another_writes_are_left_to_it)
{
  tools::output_file const first(at("new"));
  EXPECT_THROW(tools::output_file second(at("new")), tools::file_error);
  EXPECT_EQ(entries(), 1);
}

TEST_F(files, that_are_not_kept_leave_nothing)
{
  {
    tools::output_file out(at("new"));
    out.write(buffer{1});
  }
  EXPECT_EQ(entries(), 0);
  {
    tools::output_file out(at("new"), {.threads = tools::many_threads});
    out.reserve(100 << 20);
    out.write(buffer{1});
  }
  EXPECT_EQ(entries(), 0);
}

}  // namespace
