// SPDX-License-Identifier: Apache-2.0
// Random calls over 1 to 64 ranks that are threads of this process, some of which are held up. Cases of a block
// follow one another on the same ranks, which never wait for each other between them.
// usage: onepass_rank_cases [--payloads windows] [--seed S] [--first N] [--cases N] [--ranks N]
#include "cases.hpp"
#include "host_windows.hpp"
#include "option.hpp"
#include "without_memory.hpp"

#include <onepass/ranks/repartition.hpp>
#include <onepass/ranks/sort.hpp>
#include <onepass/ranks/threads.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <stdexcept>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

namespace ranks_test {
namespace {

constexpr unsigned long long block_of_cases = 100;

/// Cases [from, end), which are in one block.
unsigned long long run(options const& o, bool windows, unsigned long long from, unsigned long long end,
                       char const* program)
{
  dice const drawn(o.seed, ~(from / block_of_cases));
  int const ranks =
      o.ranks ? o.ranks : int(drawn.chance("many", 10) ? 1 + drawn.below("ranks", 64) : 1 + drawn.below("ranks", 8));
  std::atomic<std::uint64_t> steps = 0;
  onepass::ranks::threads::hook delay;
  if (drawn.chance("delays", 30))
    delay = [&](int rank) {
      auto const step = steps.fetch_add(1, std::memory_order_relaxed);
      if ((step * 0x9e3779b97f4a7c15u + std::uint64_t(rank)) >> 58 == 0)
        std::this_thread::sleep_for(std::chrono::microseconds(50 + 50 * rank));
    };
  std::mutex printing;
  unsigned long long wrong = 0;
  alarm(300);
  onepass::ranks::on_threads(
      ranks,
      [&](transport& base) {
        std::optional<with_windows> through;  // with slots of few bytes at times, so that payloads have many parts
        if (windows) through.emplace(base, std::size_t(256) << drawn.below("slot", 12));
        transport& all = through ? *through : base;
        onepass::workspace<space> scratch(space{});
        for (auto k = from; k < end; ++k) {
          auto const verdict = run_case(all, o.seed, k, scratch);
          if (verdict.empty()) continue;
          std::lock_guard const lock(printing);
          ++wrong;
          std::printf("%llu: rank %d of %d: %s\n  again: %s%s --seed %llu --first %llu --cases 1%s\n", k, all.rank(),
                      ranks, verdict.c_str(), program, windows ? " --payloads windows" : "", o.seed, k,
                      o.ranks ? (" --ranks " + std::to_string(ranks)).c_str() : "");
        }
      },
      delay);
  alarm(0);
  return wrong;
}

/// Whether a request sees that a rank has not started its call, and then that it has.
bool sees_a_late_start()
{
  std::atomic<bool> early = true, late = false;
  onepass::ranks::on_threads(2, [&](transport& all) {
    if (all.rank() == 1) early.wait(true);
    auto const started = onepass::ranks::block_of(onepass::ranks::nonblocking(all), 1);
    if (all.rank() == 1) return;
    if (started.test()) late = true;
    early = false;
    early.notify_one();
    while (!started.test()) std::this_thread::yield();
  });
  return !late;
}

/// Whether a rank without keys of its own merges what it is to have from two others, in turns through small slots.
bool merges_from_two_others()
{
  std::atomic<bool> right = true;
  onepass::ranks::on_threads(3, [&](transport& base) {
    with_windows all(base, 256);
    extent const n = 3000, mine = all.rank() < 2 ? n : 0, wanted = all.rank() < 2 ? 0 : 2 * n;
    Kokkos::View<std::uint64_t*, Kokkos::HostSpace> const keys("keys", std::size_t(mine)),
        out("out", std::size_t(wanted));
    for (extent i = 0; i < mine; ++i) keys(i) = std::uint64_t(2 * i + all.rank()) * 0x9e3779b97f4a7c15u;
    onepass::ranks::radix_sort(all, Kokkos::DefaultHostExecutionSpace(), keys, out);
    std::vector<std::uint64_t> expected;
    for (extent i = 0; i < wanted; ++i) expected.push_back(std::uint64_t(i) * 0x9e3779b97f4a7c15u);
    std::sort(expected.begin(), expected.end());
    if (!std::equal(expected.begin(), expected.end(), out.data())) right = false;
  });
  return right;
}

/// Whether ranks have words of each other that hold zeros or what calls before wrote, and each call another number.
bool shares_words()
{
  std::atomic<bool> right = true;
  onepass::ranks::on_threads(3, [&](transport& base) {
    with_windows all(base, 256);
    auto const me        = std::size_t(all.rank());
    std::uint32_t before = 0;
    for (std::size_t const words : {5, 5, 4000, 3, 5000}) {  // memory is made anew for the third and the last
      auto const common = all.share_words(words, onepass::ranks::residence::host);
      if (common.of_rank.size() != 3 || common.call == 0) return void(right = false);
      for (std::size_t w = 0; w < words; ++w) {
        auto const seen = std::atomic_ref(common.of_rank[me][w]).load();
        if (seen != 0 && (seen >= common.call || common.call != before + 1)) right = false;
      }
      all.share(64 * words, onepass::ranks::residence::host);  // of another kind, and of any content
      all.meet();
      for (auto* const to : common.of_rank)
        for (std::size_t w = me; w < words; w += 3) std::atomic_ref(to[w]).store(common.call);
      all.meet();
      for (std::size_t w = 0; w < words; ++w)
        if (std::atomic_ref(common.of_rank[me][w]).load() != common.call) right = false;
      all.meet();
      before = common.call;
    }
    if (!all.share_words(1, onepass::ranks::residence::device).of_rank.empty()) right = false;
    if (!base.share_words(1, onepass::ranks::residence::host).of_rank.empty()) right = false;
  });
  return right;
}

/// Whether every rank throws where ranks begin to tell each other different numbers of words, whoever comes first.
bool refuses_other_words()
{
  std::atomic<int> refused = 0;
  try {
    onepass::ranks::on_threads(3, [&](transport& all) {
      std::vector<std::uint64_t> const mine(all.rank() == 1 ? 2 : 4);
      std::vector<std::uint64_t> theirs(3 * mine.size());
      auto const begun = all.begin_words(mine, theirs);
      try {
        begun->finish();
      } catch (std::logic_error const&) {
        ++refused;
      }
    });
  } catch (std::exception const&) {
    return false;
  }
  return refused == 3;
}

/// Whether a call throws that gets one thread and not the next, while its first rank waits for the others.
bool throws_without_threads()
{
#ifdef __GLIBC__
  // Stacks of a size of which the process may have one more.
  constexpr std::size_t stack = std::size_t(1) << 30;
  std::size_t pages           = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit before;
  pthread_attr_t usual, large;
  getrlimit(RLIMIT_AS, &before);
  pthread_getattr_default_np(&usual);
  pthread_attr_init(&large);
  pthread_attr_setstacksize(&large, stack);
  pthread_setattr_default_np(&large);
  rlimit const low{pages * std::size_t(sysconf(_SC_PAGESIZE)) + stack + stack / 2, before.rlim_max};
  setrlimit(RLIMIT_AS, &low);
  bool thrown = false;
  try {
    onepass::ranks::on_threads(3, [](transport& all) { all.meet(); });
  } catch (std::system_error const&) {
    thrown = true;
  }
  setrlimit(RLIMIT_AS, &before);
  pthread_setattr_default_np(&usual);
  pthread_attr_destroy(&usual);
  pthread_attr_destroy(&large);
  return thrown;
#else
  return true;
#endif
}

}  // namespace
}  // namespace ranks_test

int main(int argc, char** argv)
{
  bool const windows = ranks_test::taken(argc, argv, "--payloads") == "windows";
  auto const o       = ranks_test::read(argc, argv);
  Kokkos::ScopeGuard const kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  auto const start         = std::chrono::steady_clock::now();
  unsigned long long wrong = !ranks_test::sees_a_late_start() + !ranks_test::merges_from_two_others()
                             + !ranks_test::shares_words() + !ranks_test::refuses_other_words()
                             + !ranks_test::throws_without_threads() + ranks_test::waits_without_memory();
  std::signal(SIGALRM, [](int) {
    static char const text[] = "rank cases: a block of cases did not end in 300 s\n";
    (void)!write(2, text, sizeof text - 1);
    std::abort();
  });
  for (auto from = o.first; from < o.first + o.cases;) {
    auto const block = ranks_test::block_of_cases;
    auto const end   = std::min(o.first + o.cases, from + block - from % block);
    wrong += ranks_test::run(o, windows, from, end, argv[0]);
    from = end;
  }
  std::printf("rank cases: %llu of seed %llu%s in %.1f s, %llu wrong\n", o.cases, o.seed,
              windows ? " through windows" : "",
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), wrong);
  return wrong > 0;
}
