// SPDX-License-Identifier: Apache-2.0
//
// Small programs, each with a defect that can be planted: `zoo list` prints name, kernel and View of every one; `zoo
// NAME planted` and `zoo NAME sound` run one, on the default space or, with a third word `serial`, on Kokkos::Serial
// where that is enabled.
#include "arithmetic.hpp"
#include "memories.hpp"
#include "races.hpp"
#include "reductions.hpp"

#include <cstdio>
#include <cstring>

namespace {

template <class Exec>
std::vector<zoo::animal<Exec>> all()
{
  auto animals = zoo::races<Exec>();
  for (auto const& more : {zoo::reductions<Exec>(), zoo::memories<Exec>(), zoo::arithmetic<Exec>()})
    animals.insert(animals.end(), more.begin(), more.end());
  return animals;
}

template <class Exec>
int run(std::string const& name, bool planted)
{
  for (auto const& a : all<Exec>()) {
    if (name != a.name) continue;
    Kokkos::View<double*, typename Exec::memory_space> const none("no items", 0);  // its header is no part of it
    a.run({planted});
    return 0;
  }
  std::fprintf(stderr, "zoo: no %s\n", name.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv)
{
  using exec = Kokkos::DefaultExecutionSpace;
  if (argc == 2 && !std::strcmp(argv[1], "list")) {
    for (auto const& a : all<exec>()) std::printf("%s\t%s\t%s\n", a.name, a.kernel, a.view);
    return 0;
  }
  if (argc < 3) {
    std::fprintf(stderr, "usage: zoo list | zoo NAME planted|sound [serial]\n");
    return 2;
  }
  Kokkos::ScopeGuard const kokkos(argc, argv);
  bool const planted = !std::strcmp(argv[2], "planted");
#ifdef KOKKOS_ENABLE_SERIAL
  if (argc > 3 && !std::strcmp(argv[3], "serial")) return run<Kokkos::Serial>(argv[1], planted);
#endif
  return run<exec>(argv[1], planted);
}
