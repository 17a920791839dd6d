// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "machines.hpp"
#include "session.hpp"

#include <chrono>
#include <functional>

namespace tools {

/// One derived input of a primitive, how many items must be written for it, and who judges the output.
template <class T, class Judge>
struct problem {
  std::string           name;
  std::vector<T> const* items;
  std::size_t           written;
  Judge                 judge;
};

/// Queues a primitive on Views of an execution space: input, output, total.
template <class T, class Total, class Exec>
using queue_on = std::function<void(Kokkos::View<T const*, Exec> const&, Kokkos::View<T*, Exec> const&, Kokkos::View<Total, Exec> const&)>;

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
template <class T, class Total, class Exec>
class track {
public:
  track(Exec const& exec, std::size_t n) : exec_(exec), in_("in", n), out_("out", n), total_("total"), got_(n) {}

  void load(std::vector<T> const& items) { Kokkos::deep_copy(exec_, in_, view_of(items)); }

  /// Spoils the output, runs, and returns the seconds.
  double run(queue_on<T, Total, Exec> const& queue)
  {
    Kokkos::deep_copy(exec_, out_, poison<T>());
    Kokkos::deep_copy(exec_, total_, poison<Total>());
    exec_.fence("onepass check: before the timed work");
    return seconds_of(exec_, [&] { queue(in_, out_, total_); });
  }

  /// What the judge says of the last run's output.
  template <class Judge>
  verdict judged_by(Judge& judge)
  {
    Kokkos::deep_copy(view_of(got_), out_);
    Total got_total;
    Kokkos::deep_copy(Kokkos::View<Total, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&got_total), total_);
    return judge(got_, got_total);
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
  Exec                      exec_;
  Kokkos::View<T*, Exec>    in_, out_;
  Kokkos::View<Total, Exec> total_;
  std::vector<T>            got_;
};

/// Runs the first problem ten times and each other once; every run is judged. `r` arrives with its names, the rest is
/// filled in here.
template <class T, class Judge, class Exec>
void measure(session& s, row r, Exec const& exec, std::vector<problem<T, Judge>> problems, queue_on<T, typename Judge::total_type, Exec> const& queue)
{
  constexpr int runs = 10;
  const auto    n    = problems.front().items->size();
  s.doing(r.primitive + " " + r.op + " " + r.type + ", " + r.space + " " + r.schedule);

  track<T, typename Judge::total_type, Exec> views(exec, n);
  std::vector<double>                        seconds;
  const auto                                 judged = [&](problem<T, Judge>& p, int times) {
    verdict v;
    views.load(*p.items);
    for (int run = 0; run < times && v.equal; ++run) {
      seconds.push_back(views.run(queue));
      v = views.judged_by(p.judge);
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
  r.bytes_per_second = double((n + problems.front().written) * sizeof(T)) / r.seconds;
  r.share_of_copy    = r.bytes_per_second / copy;
  r.equal            = result.equal;
  r.result           = result.text;
  s.add(std::move(r));
}

inline constexpr auto all_machines = [](auto const& visit) { each_machine(visit); };
inline constexpr auto all_backends = [](auto const& visit) { each_backend(visit); };

/// A row for every machine that the session wants. `call(place, in, out, total)` queues the primitive.
template <class T, class Judge, class Call, class Machines = decltype(all_machines)>
void measure_everywhere(session& s, row const& names, std::vector<problem<T, Judge>> const& problems, Call const& call, Machines const& machines = all_machines)
{
  machines([&](machine const& m, auto const& place) {
    if (!s.wants_space(m.space)) return;
    using exec = typename std::decay_t<decltype(place)>::execution_space;
    onepass::workspace<exec> scratch(place.space);
    const auto               there = place.with(scratch);
    auto                     r     = names;
    r.space    = m.space;
    r.schedule = m.schedule;
    try {
      measure<T, Judge, exec>(s, std::move(r), place.space, problems,
                              [&](auto const& in, auto const& out, auto const& total) { call(there, in, out, total); });
    } catch (onepass::precondition_error const&) {
      if (!m.choosy) throw;
    }
  });
}

}  // namespace tools
