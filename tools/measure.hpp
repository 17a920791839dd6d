// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "machines.hpp"
#include "session.hpp"

#include <bit>
#include <chrono>
#include <functional>
#include <tuple>

namespace tools {

/// The inputs of a primitive, how many bytes must be read and written for them, and the judge of the outputs.
template <class Judge, class... In>
struct problem {
  std::string name;
  std::tuple<std::vector<In> const*...> inputs;
  std::size_t bytes;
  Judge judge;

  auto const& first() const { return *std::get<0>(inputs); }
};

template <class Exec, class Work>
double seconds_of(Exec const& exec, Work const& work)
{
  auto const start = std::chrono::steady_clock::now();
  work();
  exec.fence("onepass check: end of the timed work");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> values)
{
  auto const middle = values.begin() + long(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class T>
auto view_of(std::vector<T> const& items)
{
  return Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(items.data(), items.size());
}
template <class T>
auto view_of(std::vector<T>& items)
{
  return Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(items.data(), items.size());
}

/// Bytes a second, read and written, of the fastest of some copies of `bytes` bytes.
template <class Exec>
double copy_speed(Exec const& exec, std::size_t bytes, int runs)
{
  Kokkos::View<char*, Exec> const in("in", bytes), out("out", bytes);
  double fastest = 0;
  for (int run = 0; run < runs; ++run)
    fastest = std::max(fastest, 2.0 * double(bytes) / seconds_of(exec, [&] { Kokkos::deep_copy(exec, out, in); }));
  return fastest;
}

/// Inputs, outputs and total of one primitive, in the memory of a space.
template <class Exec, class Judge, class... In>
class track {
  using total   = typename Judge::total_type;
  using outputs = typename Judge::outputs;

  template <class Tuple>
  struct views_of;
  template <class... Out>
  struct views_of<std::tuple<std::vector<Out>...>> {
    using type = std::tuple<Kokkos::View<Out*, Exec>...>;
  };
  using output_views = typename views_of<outputs>::type;

public:
  /// Their types, and that of the function that queues the primitive on them.
  using views = decltype(std::tuple_cat(std::tuple<Kokkos::View<In const*, Exec>...>(), output_views(),
                                        std::tuple<Kokkos::View<total, Exec>>()));
  using queue = std::function<void(views const&)>;

  explicit track(Exec const& exec)
      : exec_(exec)
      , total_("total")
  {}

  /// Copies the problem's inputs, and makes outputs as long as its judge expects.
  void load(problem<Judge, In...> const& p)
  {
    each(in_, p.inputs, [&](auto& view, auto const* items) {
      fit(view, items->size());
      Kokkos::deep_copy(exec_, view, view_of(*items));
    });
    got_ = p.judge.room();
    each(out_, got_, [](auto& view, auto const& got) { fit(view, got.size()); });
  }

  /// Fills the outputs with poison, calls the primitive, and returns the seconds.
  double run(queue const& work)
  {
    auto const spoil = [&](auto const&... view) {
      (Kokkos::deep_copy(exec_, view, poison<typename std::decay_t<decltype(view)>::value_type>()), ...);
    };
    std::apply(spoil, out_);
    spoil(total_);
    exec_.fence("onepass check: before the timed work");
    views const all = std::tuple_cat(std::tuple<Kokkos::View<In const*, Exec>...>(in_), out_, std::tuple(total_));
    return seconds_of(exec_, [&] { work(all); });
  }

  /// Judges the outputs of the last call.
  verdict judged_by(Judge& judge)
  {
    each(got_, out_, [](auto& got, auto const& out) { Kokkos::deep_copy(view_of(got), out); });
    total got_total;
    Kokkos::deep_copy(Kokkos::View<total, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&got_total), total_);
    return std::apply([&](auto const&... got) { return judge(got..., got_total); }, got_);
  }

private:
  /// Calls f(a, b) for each pair of two tuples.
  template <class A, class B, class F>
  static void each(A& a, B& b, F const& f)
  {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (f(std::get<I>(a), std::get<I>(b)), ...); }
    (std::make_index_sequence<std::tuple_size_v<std::decay_t<A>>>());
  }

  template <class View>
  static void fit(View& view, std::size_t size)
  {
    if (view.extent(0) != size) view = View(Kokkos::view_alloc(Kokkos::WithoutInitializing, "items"), size);
  }

  Exec exec_;
  std::tuple<Kokkos::View<In*, Exec>...> in_;
  output_views out_;
  Kokkos::View<total, Exec> total_;
  outputs got_;
};

/// Calls the primitive some times on the first problem, or until that took long enough, and once on each other; every
/// call is judged. `r` is given with its names, and with its number of items where that is not the length of the first
/// input; the rest is filled in here.
template <class Judge, class... In, class Exec>
void measure(session& s, row r, Exec const& exec, std::vector<problem<Judge, In...>> problems,
             typename track<Exec, Judge, In...>::queue const& queue)
{
  constexpr int runs           = ONEPASS_CHECK_RUNS;
  constexpr double long_enough = 0.1;  // seconds
  s.doing(r.primitive + " " + r.op + " " + r.type + ", " + r.space + " " + r.schedule);

  track<Exec, Judge, In...> views(exec);
  std::vector<double> seconds;
  auto const judged = [&](problem<Judge, In...>& p, int times) {
    verdict v;
    double spent = 0;
    views.load(p);
    for (int run = 0; run < times && v.equal && spent < long_enough; ++run) {
      spent += seconds.emplace_back(views.run(queue));
      v = views.judged_by(p.judge);
    }
    if (!v.equal) v.text = p.name + ", " + v.text;
    return v;
  };
  auto result = judged(problems.front(), runs);
  r.seconds   = median(seconds);
  for (std::size_t i = 1; i < problems.size() && result.equal; ++i)
    if (auto const v = judged(problems[i], 1); !v.equal) result = v;

  auto const moved  = problems.front().bytes;
  auto const copied = std::bit_ceil(moved / 2);  // rounded, so that rows share a measurement
  auto& copy        = s.copy_speed(Exec::name(), copied);
  if (copy == 0) copy = copy_speed(exec, copied, runs);
  if (r.items == 0) r.items = problems.front().first().size();
  r.bytes_per_second = double(moved) / r.seconds;
  r.share_of_copy    = r.bytes_per_second / copy;
  r.equal            = result.equal;
  r.result           = result.text;
  s.add(std::move(r));
}

inline constexpr auto all_machines  = [](auto const& visit) { each_machine(visit); };
inline constexpr auto all_backends  = [](auto const& visit) { each_backend(visit); };
inline constexpr auto all_canonical = [](auto const& visit) { each_canonical(visit); };
inline constexpr auto all_spaces    = [](auto const& visit) { each_user(visit); };

/// Adds a row for every machine that the session asks for. `call(place, in..., out..., total)` queues the primitive.
template <class Judge, class... In, class Call, class Machines = decltype(all_machines)>
void measure_everywhere(session& s, row const& names, std::vector<problem<Judge, In...>> const& problems,
                        Call const& call, Machines const& machines = all_machines)
{
  machines([&](machine const& m, auto const& place) {
    if (!s.wants_space(m.space)) return;
    using exec = typename std::decay_t<decltype(place)>::execution_space;
    onepass::workspace<exec> scratch(place.space);
    auto const there = place.with(scratch);
    auto r           = names;
    r.space          = m.space;
    r.schedule       = m.schedule;
    try {
      measure(s, std::move(r), place.space, problems,
              [&](auto const& views) { std::apply([&](auto const&... each) { call(there, each...); }, views); });
    } catch (onepass::precondition_error const&) {
      if (!m.choosy) throw;
    }
  });
}

}  // namespace tools
