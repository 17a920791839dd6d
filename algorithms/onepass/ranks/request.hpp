// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/transport.hpp>
#include <onepass/sequences.hpp>

#include <concepts>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace onepass::ONEPASS_ABI::ranks {

namespace detail {

/// A call that was started, and what it gave or threw once it has ended.
template <class T>
class started {
public:
  started()                          = default;
  started(started const&)            = delete;
  started& operator=(started const&) = delete;
  virtual ~started()                 = default;

  bool ended_or_test() { return ended() || test(); }
  void finish()
  {
    if (ended()) return;
    try {
      if constexpr (std::is_void_v<T>) end(), result_.emplace();
      else result_.emplace(end());
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }
  T result() const
  {
    if (thrown_) std::rethrow_exception(thrown_);
    if constexpr (!std::is_void_v<T>) return *result_;
  }

private:
  virtual bool test() = 0;
  virtual T end()     = 0;
  bool ended() const { return result_ || thrown_; }

  std::optional<std::conditional_t<std::is_void_v<T>, nothing, T>> result_;
  std::exception_ptr thrown_;
};

}  // namespace detail

/// \addtogroup ranks
/// \{

/// The ranks, for a call that is to be started only: a call that is given this instead of them does this rank's part,
/// begins to exchange its words, and returns a request. For reduce() but at canonically(exec), count_if(), histogram(),
/// scans of blocks and of segments, scans with the carry apart, select_if(), partition_if(), segmented_reduce() and
/// block_of(), which exchange words once.
///
///     auto const sum = ranks::reduce(ranks::nonblocking(all), exec, forces);
///     ...  // kernels that need no sum
///     use(sum.wait());
///
/// Any number of calls may be under way. As with MPI's own nonblocking collectives, all ranks start the same calls, in
/// the same order among all calls over these ranks. They wait for them in any order, each rank in its own. Beside what
/// the call sends anyway, each rank sends 512 bytes, room for the sentence of one that is wrong.
class nonblocking {
public:
  /// The ranks outlive the request.
  explicit nonblocking(transport& all)
      : all_(&all)
  {}
  /// The ranks that it was made of.
  transport& ranks() const { return *all_; }

private:
  transport* all_;
};

/// A call that was started. It ends in wait(), or else in the destructor, which does what is left of it on this rank.
/// Until then what it reads and writes is left alone, and its place and the place's workspace stay; they may serve
/// other calls. Made by calls that are given nonblocking(). Moves only.
template <class T>
class request {
public:
  /// Holds a call that a function of this library started.
  explicit request(std::unique_ptr<detail::started<T>> call)
      : call_(std::move(call))
  {}
  /// The call moves; `other` holds none then, and must not be asked.
  request(request&& other) noexcept = default;
  /// Ends the one that was here.
  request& operator=(request&& other) noexcept
  {
    std::swap(call_, other.call_);
    other.end();
    return *this;
  }
  ~request() { end(); }

  /// Whether wait() would wait for no rank: all have started the call, and what they told is here. MPI may carry it
  /// only while ranks are in calls of MPI; this is one.
  bool test() const { return call_->ended_or_test(); }

  /// What the call gives; or throws what it throws, where one rank was wrong on all ranks the same. Waits until all
  /// ranks have started the call, not for what it queues then. May be called again.
  T wait() const
  {
    call_->finish();
    return call_->result();
  }

private:
  void end()
  {
    if (call_) call_->finish();
    call_.reset();
  }

  std::unique_ptr<detail::started<T>> call_;
};

/// What calls take as the ranks: a transport, or nonblocking() of one.
template <class Ranks>
concept ranks_like =
    std::derived_from<std::remove_cvref_t<Ranks>, transport> || std::same_as<std::remove_cvref_t<Ranks>, nonblocking>;

/// Whether a call that is given these ranks is to be started only.
template <ranks_like Ranks>
inline constexpr bool is_nonblocking = std::same_as<std::remove_cvref_t<Ranks>, nonblocking>;

/// What a call returns that gives a T: that, or a request of it.
template <ranks_like Ranks, class T>
using given_by = std::conditional_t<is_nonblocking<Ranks>, request<T>, T>;

/// \}

namespace detail {

template <ranks_like Ranks>
transport& transport_of(Ranks& all)
{
  if constexpr (is_nonblocking<Ranks>) return all.ranks();
  else return all;
}

}  // namespace detail

}  // namespace onepass::ONEPASS_ABI::ranks
