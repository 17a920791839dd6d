// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "machines.hpp"
#include "session.hpp"

#include <chrono>
#include <functional>

namespace tools {

/// One derived input of a primitive, and who judges its output.
template <class T, class Judge>
struct problem {
  std::string           name;
  std::vector<T> const* items;
  Judge                 judge;
};

/// Queues a primitive on Views of an execution space: input, output, total.
template <class T, class Exec>
using queue_on = std::function<void(Kokkos::View<T const*, Exec> const&, Kokkos::View<T*, Exec> const&, Kokkos::View<T, Exec> const&)>;

template <class Exec, class Work>
double seconds_of(Exec const& exec, Work const& work)
{
  const auto start = std::chrono::steady_clock::now();
  work();
  exec.fence("onepass check: end of the timed work");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> values)
{
  const auto middle = values.begin() + long(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class T>
auto view_of(std::vector<T> const& items) { return Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(items.data(), items.size()); }
template <class T>
auto view_of(std::vector<T>& items) { return Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(items.data(), items.size()); }

/// Runs the first problem ten times and each other once, output poisoned before and judged after every run.
/// `r` arrives with its names; the rest is filled in here. A primitive that `writes` writes an item for each it reads.
template <class T, class Judge, class Exec>
void measure(session& s, row r, Exec const& exec, std::vector<problem<T, Judge>> problems, bool writes, queue_on<T, Exec> const& queue)
{
  constexpr int runs = 10;
  const auto    n = problems.front().items->size(), written = writes ? n : 0;
  s.doing(r.primitive + " " + r.op + " " + r.type + ", " + r.space + " " + r.schedule);

  Kokkos::View<T*, Exec> in("in", n), out("out", n);
  Kokkos::View<T, Exec>  total("total");
  std::vector<T>         got(written + 1), poison(1);
  std::memset(static_cast<void*>(poison.data()), 0xa5, sizeof(T));

  std::vector<double> times;
  verdict             result, first;
  for (auto& p : problems) {
    Kokkos::deep_copy(exec, in, view_of(*p.items));
    for (int run = 0; run < (&p == &problems.front() ? runs : 1) && result.equal; ++run) {
      Kokkos::deep_copy(exec, out, poison[0]);
      Kokkos::deep_copy(exec, total, poison[0]);
      exec.fence("onepass check: before the timed work");
      const auto t = seconds_of(exec, [&] { queue(in, out, total); });
      if (&p == &problems.front()) times.push_back(t);
      auto got_items = Kokkos::subview(view_of(got), std::pair(std::size_t(0), written));
      Kokkos::deep_copy(got_items, Kokkos::subview(out, std::pair(std::size_t(0), written)));
      Kokkos::deep_copy(Kokkos::View<T, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&got[written]), total);
      result = p.judge(got);
    }
    if (&p == &problems.front()) first = result;
    if (!result.equal) {
      result.text = p.name + ", " + result.text;
      break;
    }
  }

  auto& copy = s.copy_speed(Exec::name(), n * sizeof(T));
  if (copy == 0) {
    auto fastest = seconds_of(exec, [&] { Kokkos::deep_copy(exec, out, in); });
    for (int run = 1; run < runs; ++run) fastest = std::min(fastest, seconds_of(exec, [&] { Kokkos::deep_copy(exec, out, in); }));
    copy = 2.0 * double(n * sizeof(T)) / fastest;
  }
  r.items            = n;
  r.seconds          = median(times);
  r.bytes_per_second = double((1 + writes) * n * sizeof(T)) / r.seconds;
  r.share_of_copy    = r.bytes_per_second / copy;
  r.equal            = result.equal;
  r.result           = result.equal ? first.text : result.text;
  s.add(std::move(r));
}

/// A row for every machine that the session wants. `call(place, in, out, total)` queues the primitive.
template <class T, class Judge, class Call>
void measure_everywhere(session& s, row const& names, std::vector<problem<T, Judge>> const& problems, bool writes, Call const& call)
{
  each_machine([&](machine const& m, auto const& place) {
    if (!s.wants_space(m.space)) return;
    using exec = typename std::decay_t<decltype(place)>::execution_space;
    onepass::workspace<exec> scratch(place.space);
    const auto               there = place.with(scratch);
    auto                     r     = names;
    r.space    = m.space;
    r.schedule = m.schedule;
    try {
      measure<T, Judge, exec>(s, std::move(r), place.space, problems, writes,
                              [&](auto const& in, auto const& out, auto const& total) { call(there, in, out, total); });
    } catch (onepass::precondition_error const&) {
      if (!m.choosy) throw;
    }
  });
}

}  // namespace tools
