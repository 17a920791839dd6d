// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "memory.hpp"
#include "run_file.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace onepass::trace {

/// What the environment asks for; `onepass trace` sets it. Patterns (patterns.hpp) are apart by semicolons; a kernel or
/// View is named by its name alone or as name#n, its n-th call or allocation.
struct request {
  std::string file;              ///< ONEPASS_TRACE_FILE
  std::optional<unsigned> fill;  ///< ONEPASS_TRACE_FILL: the byte that new memory is filled with, or none
  std::vector<std::string> kernels, views, skipped,
      dumped;                ///< ONEPASS_TRACE_KERNELS, _VIEWS, _SKIP, _DUMP; none: all, all, none, none
  bool stop        = false;  ///< ONEPASS_TRACE_STOP: the program ends once something was dumped
  bool between     = true;   ///< ONEPASS_TRACE_BETWEEN=0: Views on the host are not looked at before a kernel begins
  unsigned threads = 1;      ///< ONEPASS_TRACE_THREADS
  int rank = 0, ranks = 1;
};
/// Reads the environment; throws run_error for what makes no sense.
request asked_for();

/// Whether one of the patterns is that of the name, or of its n-th call (n counts from 1).
bool matches(std::vector<std::string> const& patterns, std::string const& name, u64 n);

/// Follows one program: its Views, its kernels, and what these leave in the Views.
class tracer {
public:
  explicit tracer(request);

  u64 begin(happened, char const* name, u32 device);
  void end(u64 id);
  void begin_copy(char const* to, char const* from);
  void end_copy();
  void allocated(char const* space, char const* label, void* at, u64 bytes);
  void freed(void* at);
  void finish();
  /// In a child that the program has forked, which has only the thread that did: leaves the run file to the parent.
  void leave() { out_.leave(); }

private:
  struct live_view {
    u32 number;
    std::string label;
    u64 nth;
    u64 bytes;
    memory* where;              ///< null: nobody here can read it
    bool known        = false;  ///< whether a header stands before the items, and how large it is
    bool header_alone = false;  ///< there is no room for both, so this may be a View of no items
    u64 header        = 0;
    bool seen         = false;
    u64 placed        = 0;                                 ///< as it was last seen
    std::unordered_map<std::string, unsigned> changed_by;  ///< how many calls in turn of kernels that have
  };
  struct kernel {
    happened kind;
    u32 name;
    u32 device;
  };

  u32 name_of(std::string const&);
  memory* memory_of(std::string const& space);
  region items_of(void const* at, live_view&);
  void look(event&, std::string const& name, bool host_alone);
  void look_before(std::string const& name);
  void happen(happened, std::string const& name, u64 nth, u32 device, bool alone);
  void dump(std::string const& name, u64 nth);

  request asked_;
  filling fill_;
  std::mutex mutex_;
  run_writer out_;
  std::unique_ptr<memory> host_, cuda_;
  bool cuda_missing_ = false;
  std::map<void const*, live_view> views_;
  std::unordered_map<std::string, u32> names_;
  std::unordered_map<std::string, u64> calls_, allocations_;
  std::vector<std::string> texts_;
  std::map<u64, kernel> running_;
  std::vector<std::string> copies_;
  u64 next_ = 1, dumps_ = 0;
};

}  // namespace onepass::trace
