// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <cstdio>
#include <cstdlib>

namespace ranks_test {

options read(int argc, char** argv)
{
  options o;
  for (int k = 1; k + 1 < argc; k += 2) {
    std::string const name = argv[k];
    auto const value       = std::strtoull(argv[k + 1], nullptr, 10);
    if (name == "--seed") o.seed = value;
    else if (name == "--first") o.first = value;
    else if (name == "--cases") o.cases = value;
    else if (name == "--ranks") o.ranks = int(value);
    else {
      std::fprintf(stderr, "usage: %s [--seed S] [--first N] [--cases N] [--ranks N]\n", argv[0]);
      std::exit(2);
    }
  }
  return o;
}

std::string run_case(transport& all, unsigned long long seed, unsigned long long number,
                     onepass::workspace<space>& scratch)
{
  static std::vector<family> const families = [] {
    std::vector<family> made;
    add_scans(made), add_dealt(made), add_compactions(made), add_orders(made), add_trees(made), add_requests(made);
    return made;
  }();
  dice const drawn(seed, number);
  auto const& kind = families[std::size_t(drawn.below("family", extent(families.size())))];
  trial t(all, drawn, scratch);
  std::string wrong;
  try {
    kind.run(t);
    wrong = t.wrong();
  } catch (onepass::precondition_error const& e) {
    wrong = std::string(" throws: ") + e.what();
  }
  return wrong.empty() ? "" : std::string(kind.name) + ":" + t.drawn() + " | WRONG:" + wrong;
}

}  // namespace ranks_test
