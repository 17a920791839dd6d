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

/// Input, output and total of one primitive in the memory of a space.
template <class T, class Exec>
class track {
public:
  /// A primitive that `writes` writes an item for each it reads.
  track(Exec const& exec, std::size_t n, bool writes)
      : exec_(exec), in_("in", n), out_("out", n), total_("total"), got_((writes ? n : 0) + 1)
  {
    std::memset(static_cast<void*>(&poison_), 0xa5, sizeof(T));
  }

  void load(std::vector<T> const& items) { Kokkos::deep_copy(exec_, in_, view_of(items)); }

  /// Spoils the output, runs, and returns the seconds.
  double run(queue_on<T, Exec> const& queue)
  {
    Kokkos::deep_copy(exec_, out_, poison_);
    Kokkos::deep_copy(exec_, total_, poison_);
    exec_.fence("onepass check: before the timed work");
    return seconds_of(exec_, [&] { queue(in_, out_, total_); });
  }

  /// What the last run wrote, and behind that the total.
  std::vector<T> const& written()
  {
    const auto items = std::pair(std::size_t(0), got_.size() - 1);
    Kokkos::deep_copy(Kokkos::subview(view_of(got_), items), Kokkos::subview(out_, items));
    Kokkos::deep_copy(Kokkos::View<T, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&got_.back()), total_);
    return got_;
  }

  /// Bytes a second, read and written, of the fastest of `runs` copies.
  double copy_speed(int runs)
  {
    double fastest = 0;
    for (int run = 0; run < runs; ++run)
      fastest = std::max(fastest, 2.0 * double(in_.size() * sizeof(T)) / seconds_of(exec_, [&] { Kokkos::deep_copy(exec_, out_, in_); }));
    return fastest;
  }

private:
  Exec                   exec_;
  Kokkos::View<T*, Exec> in_, out_;
  Kokkos::View<T, Exec>  total_;
  std::vector<T>         got_;
  T                      poison_;
};

/// Runs the first problem ten times and each other once; every run is judged. `r` arrives with its names, the rest is
/// filled in here.
template <class T, class Judge, class Exec>
void measure(session& s, row r, Exec const& exec, std::vector<problem<T, Judge>> problems, bool writes, queue_on<T, Exec> const& queue)
{
  constexpr int runs = 10;
  const auto    n    = problems.front().items->size();
  s.doing(r.primitive + " " + r.op + " " + r.type + ", " + r.space + " " + r.schedule);

  track<T, Exec>      views(exec, n, writes);
  std::vector<double> seconds;
  const auto          judged = [&](problem<T, Judge>& p, int times) {
    verdict v;
    views.load(*p.items);
    for (int run = 0; run < times && v.equal; ++run) {
      seconds.push_back(views.run(queue));
      v = p.judge(views.written());
    }
    if (!v.equal) v.text = p.name + ", " + v.text;
    return v;
  };
  auto result = judged(problems.front(), runs);
  r.seconds   = median(seconds);
  for (std::size_t i = 1; i < problems.size() && result.equal; ++i)
    if (const auto v = judged(problems[i], 1); !v.equal) result = v;

  auto& copy = s.copy_speed(Exec::name(), n * sizeof(T));
  if (copy == 0) copy = views.copy_speed(runs);
  r.items            = n;
  r.bytes_per_second = double((writes ? 2 : 1) * n * sizeof(T)) / r.seconds;
  r.share_of_copy    = r.bytes_per_second / copy;
  r.equal            = result.equal;
  r.result           = result.text;
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
