// SPDX-License-Identifier: Apache-2.0
// Random calls of every kind, drawn from a seed and a number, each compared byte by byte with what a plain loop makes:
// outputs, inputs, and the memory around them.
// usage: onepass_random_cases [--seed S] [--first N] [--cases N] [--ledger FILE] [--list]
//   --list     says what would be drawn; a case that goes wrong prints the command that repeats it alone
//   --ledger   a CSV of blocks of 1000 cases that were right: those that stand there are not run again
#include "trial.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <unistd.h>

namespace trust {

/// Memory of the space, kept from case to case.
std::byte* trial::room(std::size_t slot, std::size_t bytes)
{
  static std::deque<Kokkos::View<std::byte*, memory>> slots;
  if (slots.size() <= slot) slots.resize(slot + 1);
  if (slots[slot].size() < bytes) {
    slots[slot] = {};
    slots[slot] = Kokkos::View<std::byte*, memory>(Kokkos::view_alloc("trust", Kokkos::WithoutInitializing), 2 * bytes);
    Kokkos::push_finalize_hook([slot] {
      if (slot < slots.size()) slots[slot] = {};
    });
  }
  return slots[slot].data();
}

/// Instances of one thread and of several; one on a device.
space const& trial::instance()
{
  static std::deque<space> all;
  if (all.empty()) {
#if defined(KOKKOS_ENABLE_OPENMP) && !defined(KOKKOS_ENABLE_CUDA)
    for (int threads = 1; threads <= space().concurrency(); ++threads) all.emplace_back(threads);
#else
    all.emplace_back();
#endif
    Kokkos::push_finalize_hook([] { all.clear(); });
  }
  if (all.size() == 1 || !chance("several threads", 25)) return all.front();
  return all[std::size_t(1 + below("more than two", extent(all.size()) - 1))];
}

onepass::workspace<space>& trial::scratch(space const& exec)
{
  static std::map<space const*, std::unique_ptr<onepass::workspace<space>>> all;
  auto& found = all[&exec];
  if (!found) {
    found = std::make_unique<onepass::workspace<space>>(exec);
    Kokkos::push_finalize_hook([] { all.clear(); });
  }
  return *found;
}

namespace {

struct options {
  unsigned long long seed = 1, first = 0, cases = 1000;
  std::string ledger;
  bool list = false;
};

options read(int argc, char** argv)
{
  options o;
  auto const usage = [&] {
    std::fprintf(stderr, "usage: %s [--seed S] [--first N] [--cases N] [--ledger FILE] [--list]\n", argv[0]);
    std::exit(2);
  };
  for (int k = 1; k < argc; ++k) {
    std::string const name = argv[k];
    if (name.starts_with("--kokkos")) continue;
    if (name == "--list") {
      o.list = true;
      continue;
    }
    if (k + 1 == argc) usage();
    char const* const value = argv[++k];
    if (name == "--ledger") o.ledger = value;
    else if (name == "--seed") o.seed = std::strtoull(value, nullptr, 10);
    else if (name == "--first") o.first = std::strtoull(value, nullptr, 10);
    else if (name == "--cases") o.cases = std::strtoull(value, nullptr, 10);
    else usage();
  }
  return o;
}

/// What to type to see the present case again, for signals too.
char replay[200];

void say_and_die(int signal)
{
  auto const print = [](char const* text) { return write(2, text, std::strlen(text)); };
  (void)print(signal == SIGALRM ? "random cases: no end after 120 s; again: " : "random cases: crashed; again: ");
  (void)print(replay);
  std::signal(signal, SIG_DFL);
  std::raise(signal == SIGALRM ? SIGKILL : signal);
}

std::string run(family const& kind, dice const& d, std::string& drawn)
{
  trial t(d);
  std::string wrong;
  try {
    kind.run(t);
    wrong = t.verdict();
  } catch (std::exception const& e) {
    wrong = std::string("throws: ") + e.what();
  }
  drawn = t.text();
  return wrong;
}

constexpr unsigned long long block_of_cases = 1000;

/// The blocks of a seed that a ledger has.
std::set<unsigned long long> done_in(options const& o)
{
  std::set<unsigned long long> found;
  std::ifstream file(o.ledger);
  for (std::string line; std::getline(file, line);) {
    unsigned long long seed = 0, first = 0;
    char where[64] = {};
    if (std::sscanf(line.c_str(), "%63[^,],%llu,%llu", where, &seed, &first) == 3 && seed == o.seed
        && where == std::string(space::name()))
      found.insert(first);
  }
  return found;
}

int go(options const& o, std::string const& program)
{
  std::vector<family> all;
  add_scans(all), add_totals(all), add_compactions(all), add_runs(all), add_orders(all), add_segments(all);
  add_canonical(all), add_exact(all);
  auto const done        = o.ledger.empty() ? std::set<unsigned long long>{} : done_in(o);
  auto const start       = std::chrono::steady_clock::now();
  unsigned long long ran = 0, wrong = 0;
  for (auto from = o.first; from < o.first + o.cases;) {
    auto const end   = std::min(o.first + o.cases, from + block_of_cases - from % block_of_cases);
    bool const whole = from % block_of_cases == 0 && end - from == block_of_cases;
    if (whole && done.contains(from)) {
      from = end;
      continue;
    }
    auto const wrong_before = wrong;
    auto const block_start  = std::chrono::steady_clock::now();
    for (auto k = from; k < end; ++k, ++ran) {
      std::snprintf(replay, sizeof replay, "%s --seed %llu --first %llu --cases 1\n", program.c_str(), o.seed, k);
      dice const d(o.seed, k);
      auto const& kind = all[std::size_t(d.below("family", std::int64_t(all.size())))];
      alarm(120);
      std::string drawn;
      auto const verdict = run(kind, d, drawn);
      if (o.list || !verdict.empty())
        std::printf("%llu: %s:%s%s%s\n", k, kind.name, drawn.c_str(),
                    verdict.empty() ? "" : " | WRONG: ", verdict.c_str());
      if (verdict.empty()) continue;
      ++wrong;
      std::printf("  again: %s", replay);
      std::fflush(stdout);
    }
    alarm(0);
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - block_start).count();
    if (!o.ledger.empty() && whole && wrong == wrong_before) {
      bool const fresh = !std::ifstream(o.ledger).good();
      std::ofstream file(o.ledger, std::ios::app);
      if (fresh) file << "space,seed,first,cases,seconds\n";
      file << space::name() << ',' << o.seed << ',' << from << ',' << end - from << ',' << seconds << '\n';
    }
    from = end;
  }
  double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("random cases: %llu of seed %llu on %s in %.1f s, %llu wrong; %zu kinds\n", ran, o.seed, space::name(),
              seconds, wrong, all.size());
  return wrong > 0;
}

}  // namespace
}  // namespace trust

int main(int argc, char** argv)
{
  auto const asked = trust::read(argc, argv);
  Kokkos::ScopeGuard const kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  for (int const signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGALRM}) std::signal(signal, trust::say_and_die);
  return trust::go(asked, argv[0]);
}
