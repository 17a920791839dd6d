// SPDX-License-Identifier: Apache-2.0
// Soak: scans, selections, sorts and reductions, of all items and of segments, one of which is long, launched again and
// again on 1 to 8 instances of 1 to 4 processes, beside a hog that takes 1 to all but one of the multiprocessors (on a
// host: threads), called and replayed as CUDA graphs, with a workspace each or one that is handed from instance to
// instance. Each result has to be that of std, bit by bit; a kernel on the instance compares it and forgets it.
// usage: onepass_soak [--launches N] [--seconds S] [--processes P] [--seed S] [--ledger FILE] [--lap K]
//   --launches   calls of the library in all, those of the ledger included; each is one kernel at least
//   --ledger     a CSV of rounds of 10 s or less without a wrong result, which counts on
//   --lap        this one alone: what a wrong result names
#include "hunt/dice.hpp"
#include "soak_hog.hpp"

#include <onepass/radix_sort.hpp>
#include <onepass/reduce.hpp>
#include <onepass/scan.hpp>
#include <onepass/segmented.hpp>
#include <onepass/segmented_sort.hpp>
#include <onepass/select.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <numeric>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace trust {

using onepass::extent;
using perf::hunt::dice;
using space   = Kokkos::DefaultExecutionSpace;
using memory  = space::memory_space;
using number  = std::uint32_t;
using clock   = std::chrono::steady_clock;
using scratch = onepass::workspace<space>;

/// On a host tiny tiles, so that threads meet often.
using tuning = std::conditional_t<on_device, onepass::measured_tuning, onepass::tiny_tuning>;

constexpr number poison      = 0xa5a5a5a5;
constexpr int most_instances = 8, calls_a_round = 6;

struct odd {
  KOKKOS_FUNCTION bool operator()(number x) const { return x % 2 == 1; }
};

/// Counts the numbers that are not what they have to be, and forgets them.
struct compare_and_forget {
  number* is;
  number const* has_to_be;
  unsigned long long* wrong;
  KOKKOS_FUNCTION void operator()(extent i) const
  {
    if (is[i] != has_to_be[i]) Kokkos::atomic_inc(wrong);
    is[i] = poison;
  }
};

double seconds_since(clock::time_point begin) { return std::chrono::duration<double>(clock::now() - begin).count(); }

/// What one instance does again and again. Outputs lie side by side: count, sum, scanned, selected and sorted items,
/// items sorted in segments, sums of these.
class work {
public:
  work(space const& exec, extent n, std::uint64_t seed)
      : exec_(exec)
      , n_(n)
      , wrong_("wrong")
  {
    auto const drawn = [&] { return seed = seed * 6364136223846793005u + 1442695040888963407u, number(seed >> 33); };
    std::vector<number> items(std::size_t(n), 0);
    for (auto& x : items) x = drawn();
    std::vector<extent> offsets{0, n - n / 4};
    while (offsets.back() < n) offsets.push_back(std::min(n, offsets.back() + drawn() % 40));
    std::vector<number> made(std::size_t(head + 4 * n) + offsets.size() - 1, poison);
    auto* const scanned   = made.data() + head;
    auto* const selected  = scanned + n;
    auto* const sorted    = selected + n;
    auto* const segmented = sorted + n;
    std::inclusive_scan(items.begin(), items.end(), scanned);
    extent const kept = std::copy_if(items.begin(), items.end(), selected, odd{}) - selected;
    std::copy(items.begin(), items.end(), sorted);
    std::sort(sorted, sorted + n);
    std::copy(items.begin(), items.end(), segmented);
    std::memcpy(made.data(), &kept, sizeof kept);
    made[2] = scanned[n - 1];
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
      extent const begin = offsets[s], end = offsets[s + 1];
      segmented[n + extent(s)] = std::accumulate(items.begin() + begin, items.begin() + end, number(0));
      std::sort(segmented + begin, segmented + end);
    }
    in_       = on_space(items);
    offsets_  = on_space(offsets);
    expected_ = on_space(made);
    out_      = view("out", made.size());
    Kokkos::deep_copy(out_, poison);
  }

  /// Queues one round.
  void go(scratch& with, onepass::schedule how) const
  {
    auto const here   = onepass::on(exec_).with(with).by(how).tuned<tuning>();
    auto* const first = out_.data() + head;
    view const scanned(first, in_.size()), selected(first + n_, in_.size()), sorted(first + 2 * n_, in_.size());
    view const segmented(first + 3 * n_, in_.size()), sums(first + 4 * n_, offsets_.size() - 1);
    Kokkos::View<extent, memory> const count(reinterpret_cast<extent*>(out_.data()));
    Kokkos::View<number, memory> const sum(out_.data() + 2);
    onepass::inclusive_scan(here, in_, scanned);
    onepass::select_if(here, in_, selected, count, odd{});
    onepass::radix_sort(here, in_, sorted);
    onepass::reduce(here, in_, sum);
    onepass::segmented_sort(here, in_, segmented, offsets_);
    onepass::segmented_reduce(here, in_, offsets_, sums);
    Kokkos::parallel_for("onepass_soak",
                         Kokkos::RangePolicy<space, Kokkos::IndexType<extent>>(exec_, 0, extent(out_.size())),
                         compare_and_forget{out_.data(), expected_.data(), wrong_.data()});
  }

  unsigned long long wrong() const
  {
    unsigned long long now;
    Kokkos::deep_copy(now, wrong_);
    return now;
  }
  space const& instance() const { return exec_; }
  extent items() const { return n_; }

private:
  static constexpr extent head = 4;
  using view                   = Kokkos::View<number*, memory>;

  template <class T>
  static Kokkos::View<T*, memory> on_space(std::vector<T> const& items)
  {
    Kokkos::View<T*, memory> const made("soak", items.size());
    Kokkos::deep_copy(made, Kokkos::View<T const*, Kokkos::HostSpace>(items.data(), items.size()));
    return made;
  }

  space exec_;
  extent n_;
  view in_, out_, expected_;
  Kokkos::View<extent*, memory> offsets_;
  Kokkos::View<unsigned long long, memory> wrong_;
};

/// Instances that run beside each other where the space can do that.
std::vector<space> some_instances()
{
  std::vector<space> all;
#ifdef KOKKOS_ENABLE_CUDA
  all = Kokkos::Experimental::partition_space(space{}, std::vector<int>(most_instances, 1));
#else
  for (int k = 0; k < most_instances; ++k) all.emplace_back(1 + k % space().concurrency());
#endif
  return all;
}

/// What this process does at the moment, for those who wait in vain.
char present[200];

void say_and_die(int signal)
{
  auto const print = [](char const* text) { return write(2, text, std::strlen(text)); };
  (void)print(signal == SIGALRM ? "soak: no end after 120 s: " : "soak: crashed: ");
  (void)print(present);
  std::signal(signal, SIG_DFL);
  std::raise(signal == SIGALRM ? SIGKILL : signal);
}

/// Instances of drawn number beside a hog of drawn size, rounds on each for about a second. Returns the launches;
/// negative if a result was wrong.
long lap(dice const& d, std::vector<space> const& instances, hog& beside)
{
  int const count = 1 + int(d.below("instances", most_instances));
  int const taken = d.chance("hog", 75) ? int(1 + d.below("taken", beside.most())) : 0;
  bool const one  = d.chance("one workspace", 25);
  auto const how  = on_device && d.chance("chained", 50) ? onepass::schedule::chained : onepass::schedule::automatic;
  std::snprintf(present, sizeof present, "%d instances, %d taken, %s, schedule %d\n", count, taken,
                one ? "one workspace" : "a workspace each", int(how));
  alarm(120);
  std::vector<work> all;
  std::vector<std::unique_ptr<scratch>> workspaces;
  for (int k = 0; k < count; ++k) {
    auto const name = std::to_string(k);
    auto const n    = d.below(name, d.up_to_power("n" + name, on_device ? 18 : 16)) + 1;
    all.emplace_back(instances[std::size_t(k)], n, d.bits("items" + name));
    workspaces.push_back(std::make_unique<scratch>(instances[std::size_t(k)]));
  }
  auto& shared    = *workspaces.front();
  auto const with = [&](int k) -> scratch& { return one ? shared : *workspaces[std::size_t(k)]; };
  auto const call = [&](int k) { all[std::size_t(k)].go(with(k), how); };
  handed_over order(instances);
  long launches      = 0;
  auto const in_turn = [&](auto const& queue, int rounds, int launches_each) {
    for (int r = 0; r < rounds; ++r)
      for (int k = 0; k < count; ++k) {
        if (one) order.wait(k);
        queue(k);
        if (one) order.pass_on(k);
        launches += launches_each;
      }
  };
  in_turn([&](int k) { call(k), Kokkos::fence("soak: first"); }, 2, calls_a_round);  // allocates, loads kernels
  {
    constexpr int rounds = 8;
    replays graphs(instances, count, [&](int k) {
      for (int r = 0; r < rounds; ++r) call(k);
    });
    in_turn([&](int k) { graphs.go(k), Kokkos::fence("soak: first"); }, 1, rounds * calls_a_round);
    beside.take(taken);
    auto const begin = clock::now();
    for (int chunk = 0; chunk < (on_device ? 50 : 1) && seconds_since(begin) < 1; ++chunk) {
      in_turn([&](int k) { graphs.go(k); }, on_device ? 20 : 2, rounds * calls_a_round);
      in_turn(call, on_device ? 5 : 2, calls_a_round);
      for (int k = 0; k < count; ++k) instances[std::size_t(k)].fence("soak");
    }
    beside.give_back();
  }
  alarm(0);
  for (auto const& w : all)
    if (auto const wrong = w.wrong()) {
      std::printf("soak: %llu numbers WRONG with %lld items: %s", wrong, static_cast<long long>(w.items()), present);
      return -1;
    }
  return launches;
}

/// Laps for some time, in a process of its own.
long soak(std::uint64_t seed, std::uint64_t first, double seconds, long most)
{
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 1);  // so that no instance's queue lies behind the hog
  for (int const s : {SIGSEGV, SIGABRT, SIGBUS, SIGALRM}) std::signal(s, say_and_die);
  Kokkos::ScopeGuard const kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  auto const begin     = clock::now();
  auto const instances = some_instances();
  hog beside;
  long launches = 0;
  for (std::uint64_t k = first; launches < most && seconds_since(begin) < seconds; ++k) {
    long const more = lap(dice(seed, k), instances, beside);
    if (more < 0) {
      std::printf("soak: again: onepass_soak --seed %llu --lap %llu\n", static_cast<unsigned long long>(seed),
                  static_cast<unsigned long long>(k));
      return -1;
    }
    launches += more;
  }
  return launches;
}

/// The same in `processes` processes at once; the launches of all, negative if one failed.
long soak_in(int processes, std::uint64_t seed, std::uint64_t first, double seconds, long most)
{
  std::vector<std::array<int, 3>> children;  // process, and the pipe's end
  for (int p = 0; p < processes; ++p) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    std::fflush(stdout);
    auto const child = fork();
    if (child == 0) {
      long const done = soak(seed, first + std::uint64_t(p) * 1000, seconds, (most + processes - 1) / processes);
      std::fflush(stdout);
      bool const told = write(ends[1], &done, sizeof done) == sizeof done;
      _exit(!told);
    }
    close(ends[1]);
    children.push_back({child, ends[0], 0});
  }
  long all = 0;
  for (auto const& c : children) {
    long done = -1;
    if (read(c[1], &done, sizeof done) != sizeof done) done = -1;
    close(c[1]);
    waitpid(c[0], nullptr, 0);
    all = done < 0 || all < 0 ? -1 : all + done;
  }
  return all;
}

/// The launches of this space that a ledger has, and how many rounds.
long done_in(std::string const& ledger, std::uint64_t& rounds)
{
  long all = 0;
  std::ifstream file(ledger);
  for (std::string line; std::getline(file, line); ++rounds) {
    char where[64] = {};
    long launches  = 0;
    if (std::sscanf(line.c_str(), "%63[^,],%*d,%ld", where, &launches) == 2 && where == std::string(space::name()))
      all += launches;
  }
  return all;
}

int go(std::vector<std::string> const& arguments)
{
  long launches = 10000, processes = 0, only = -1;
  double seconds     = 1e9;
  std::uint64_t seed = 1, round = 0;
  std::string ledger;
  for (std::size_t k = 0; k + 1 < arguments.size(); k += 2) {
    auto const &name = arguments[k], &value = arguments[k + 1];
    if (name == "--launches") launches = std::stol(value);
    else if (name == "--seconds") seconds = std::stod(value);
    else if (name == "--processes") processes = std::stol(value);
    else if (name == "--seed") seed = std::stoull(value);
    else if (name == "--ledger") ledger = value;
    else if (name == "--lap") only = std::stol(value);
    else return std::fprintf(stderr, "soak: %s is none of its arguments\n", name.c_str()), 2;
  }
  if (only >= 0) return soak_in(1, seed, std::uint64_t(only), 1e9, 1) < 0;
  auto const begin = clock::now();
  long done        = done_in(ledger, round);
  while (done < launches && seconds_since(begin) < seconds) {
    auto const start = clock::now();
    int const side   = processes ? int(processes) : 1 + int(round % 4);
    long const more =
        soak_in(side, seed, round++ * 10000, std::min(10., seconds - seconds_since(begin)), launches - done);
    if (more < 0) return std::printf("soak: FAILED on %s\n", space::name()), 1;
    done += more;
    std::printf("soak: %ld launches in %d processes, %.1f s\n", more, side, seconds_since(start));
    if (ledger.empty()) continue;
    bool const fresh = !std::ifstream(ledger).good();
    std::ofstream file(ledger, std::ios::app);
    if (fresh) file << "space,processes,launches,seconds\n";
    file << space::name() << ',' << side << ',' << more << ',' << seconds_since(start) << '\n';
  }
  std::printf("soak: %ld launches on %s, every result repeated\n", done, space::name());
  return 0;
}

}  // namespace trust

int main(int argc, char** argv) { return trust::go({argv + 1, argv + argc}); }
