// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fingerprint.hpp"

#include <cstdio>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace onepass::trace {

/// A run file: eight bytes that name the format, then records, each written by one call when it has happened, so that
/// the file of a program that was killed ends with whole records or with a part of one. Numbers are little-endian.
///
///     u32 bytes of the payload, u32 kind and above it 24 bits that check both, u64 XXH3 of payload and kind, payload
///
/// Names and Views are numbered in the order of their records.
constexpr std::string_view run_magic{"1prun\0\0\2", 8};
constexpr std::size_t head_bytes = 16;

enum class record : u32 { start = 1, name, view, gone, event, dump, end };
enum class happened : std::uint8_t {
  for_each,
  reduce,
  scan,  ///< a kernel
  copy,  ///< a deep copy; its name is put together from the labels
  host   ///< what was seen to have changed when the kernel of this name began
};

/// What the name of an event of host code begins with; the kernel's name follows.
constexpr std::string_view host_code = "host code before ";

/// Thrown for what is no run file or a damaged one: what is wrong, and at which byte.
struct run_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A View's fingerprint after an event.
struct seen_view {
  u32 view;
  fingerprint now;
};

struct event {
  happened kind;
  bool alone;   ///< no other kernel was running; if one was, nothing is seen
  bool looked;  ///< fingerprints were asked for
  u32 name;
  u32 device;                      ///< as Kokkos tells tools: space, device and instance
  std::vector<seen_view> changed;  ///< every View whose words are others than when it was last seen
};

struct traced_view {
  u32 label, space;
  u64 bytes;
  u32 number;  ///< it is that one of the Views with this label, in the order of their allocation
  std::size_t first_event;
  std::size_t last_event = std::numeric_limits<std::size_t>::max();  ///< it was gone before that event
};

struct dumped {
  u32 view;
  std::size_t after_event;  ///< the number of events before
  std::string file;         ///< beside the run file
};

/// A whole run, as read from a file.
struct run {
  std::string about;  ///< JSON: command, folder, environment, rank, filling; `repeatable`: false without UTF-8
  std::vector<std::string> names;
  std::vector<traced_view> views;
  std::vector<event> events;
  std::vector<dumped> dumps;
  bool complete = false;  ///< the program has finalized Kokkos
};

/// Whether the bytes begin as a run file does.
bool is_run(std::span<unsigned char const> bytes);
/// Throws run_error. A file that ends inside a record is that of a program that was killed, and is read as far as it
/// goes.
run read_run(std::span<unsigned char const> bytes);

/// Puts records together. Errors of writing end the trace with one sentence, never the program.
class run_writer {
public:
  explicit run_writer(std::string const& file);
  ~run_writer();
  run_writer(run_writer const&) = delete;
  void leave();  ///< closes the file as it is; nothing is written from then on
  void start(std::string const& about);
  u32 name(std::string_view);
  u32 view(u32 label, u32 space, u64 bytes);
  void gone(u32 view);
  void happen(event const&);
  void dump(u32 view, std::string const& file);
  void end();

private:
  class payload;
  void write(record, payload const&);
  void write(void const* data, std::size_t bytes);

  std::string file_;
  int descriptor_ = -1;
  u32 names_ = 0, views_ = 0;
};

}  // namespace onepass::trace
