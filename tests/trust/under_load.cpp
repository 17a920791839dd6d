// SPDX-License-Identifier: Apache-2.0
// Scans, selections and sorts on host threads, quiet and beside busy processes: how many times longer a call takes, by
// the median.
// usage: onepass_under_load [competitors [most]]   (8 and 3; fails where a median takes more than `most` times as long)
#include <onepass/radix_sort.hpp>
#include <onepass/scan.hpp>
#include <onepass/select.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using exec = Kokkos::DefaultHostExecutionSpace;

/// Processes that want a core each, as long as this lives.
class competitors {
public:
  explicit competitors(int count)
  {
    for (int k = 0; k < count; ++k) {
      auto const child      = fork();
      bool volatile forever = true;
      while (child == 0 && forever) {}
      if (child > 0) all_.push_back(child);
    }
  }
  ~competitors()
  {
    for (auto const child : all_) kill(child, SIGKILL), waitpid(child, nullptr, 0);
  }
  competitors(competitors const&) = delete;

private:
  std::vector<pid_t> all_;
};

struct positive {
  KOKKOS_FUNCTION bool operator()(int x) const { return x > 3; }
};

/// The median milliseconds of calls for a fifth of a second and more.
double median_of(std::function<void()> const& call)
{
  using clock = std::chrono::steady_clock;
  std::vector<double> all;
  for (double sum = 0; all.size() < 11 || (sum < 200 && all.size() < 1000); sum += all.back()) {
    auto const begin = clock::now();
    call();
    all.push_back(std::chrono::duration<double, std::milli>(clock::now() - begin).count());
  }
  std::nth_element(all.begin(), all.begin() + long(all.size() / 2), all.end());
  return all[all.size() / 2];
}

std::map<std::pair<std::string, int>, double> measured()
{
  exec const space;
  std::map<std::pair<std::string, int>, double> all;
  for (int const n : {100'000, 1'000'000, 10'000'000}) {
    Kokkos::View<int*, exec> const in("in", std::size_t(n)), out("out", std::size_t(n));
    Kokkos::View<unsigned*, exec> const keys("keys", std::size_t(n)), sorted("sorted", std::size_t(n));
    Kokkos::View<onepass::extent, exec> const count("count");
    for (int i = 0; i < n; ++i) in(i) = i % 7, keys(i) = unsigned(i) * 2654435761u;
    onepass::workspace scratch(space);
    auto const here = onepass::on(space).with(scratch);
    auto const add  = [&](char const* name, auto const& call) {
      all[{name, n}] = median_of([&] {
        call();
        space.fence("under load");
      });
    };
    add("inclusive_scan", [&] { onepass::inclusive_scan(here, in, out); });
    add("select_if", [&] { onepass::select_if(here, in, out, count, positive{}); });
    add("radix_sort", [&] { onepass::radix_sort(here, keys, sorted); });
  }
  return all;
}

}  // namespace

int main(int argc, char** argv)
{
  int const count   = argc > 1 ? std::atoi(argv[1]) : 8;
  double const most = argc > 2 ? std::atof(argv[2]) : 3;
  Kokkos::ScopeGuard const kokkos(argc, argv);
  auto const quiet = measured();
  competitors const busy(count);
  auto const loaded = measured();
  int over          = 0;
  std::printf("%-16s %10s %12s %12s %8s\n", "median, ms", "items", "quiet", "loaded", "times");
  for (auto const& [what, before] : quiet) {
    double const times = loaded.at(what) / before;
    over += times > most;
    std::printf("%-16s %10d %12.3f %12.3f %8.2f\n", what.first.c_str(), what.second, before, loaded.at(what), times);
  }
  std::printf("%d competitors, %d threads; %d of %zu take more than %.1f times as long\n", count, exec().concurrency(),
              over, quiet.size(), most);
  return over > 0;
}
