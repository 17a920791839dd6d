// SPDX-License-Identifier: Apache-2.0
// Splits a text into tokens by a finite automaton. Every character is a map from the state before it to the state after
// it; composition of maps is associative (not commutative), so one inclusive scan gives the state after every
// character. Where a token begins follows from two neighbouring states.
#include <onepass/scan.hpp>
#include <onepass/select.hpp>

#include <cstdio>
#include <string>
#include <vector>

enum state : unsigned { blank, name, number, quoted, closed, sign, states };

/// The automaton: the next state for a state and a character.
KOKKOS_INLINE_FUNCTION unsigned next(unsigned before, char c)
{
  if (before == quoted) return c == '"' ? closed : quoted;
  if (c == '"') return quoted;
  if (c == ' ' || c == '\n') return blank;
  if (c >= '0' && c <= '9') return before == name ? name : number;
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') return name;
  return sign;
}

/// A map from states to states, four bits each.
struct state_map {
  std::uint32_t to;
  KOKKOS_FUNCTION unsigned operator()(unsigned s) const { return to >> 4 * s & 15; }
};
struct map_of_character {
  KOKKOS_FUNCTION state_map operator()(char c) const
  {
    state_map made{0};
    for (unsigned s = 0; s < states; ++s) made.to |= next(s, c) << 4 * s;
    return made;
  }
};
struct first_older_then_newer {
  KOKKOS_FUNCTION state_map operator()(state_map const& older, state_map const& newer) const
  {
    state_map made{0};
    for (unsigned s = 0; s < states; ++s) made.to |= newer(older(s)) << 4 * s;
    return made;
  }
};

/// A token begins where the state changes, after the quote that ends a string, and at every sign.
KOKKOS_INLINE_FUNCTION bool begins(unsigned before, unsigned now)
{
  return now == sign || (now != blank && now != closed && now != before);
}
struct begins_token {
  Kokkos::View<state_map*, Kokkos::DefaultExecutionSpace> maps;
  KOKKOS_FUNCTION bool operator()(int i) const
  {
    return begins(i > 0 ? maps(i - 1)(blank) : unsigned(blank), maps(i)(blank));
  }
};

int main(int argc, char** argv)
{
  using exec_space = Kokkos::DefaultExecutionSpace;
  Kokkos::ScopeGuard const kokkos(argc, argv);
  exec_space const exec;

  std::string source;
  std::string const line = "for (row_2 = 0; row_2 < 1024; ++row_2) print(\"row \", row_2, \" of 1024\"\"!\");\n";
  for (int i = 0; i < 4000; ++i) source += line;
  int const n = int(source.size());

  Kokkos::View<char*, exec_space> text("text", n);
  Kokkos::View<state_map*, exec_space> maps("maps", n);
  Kokkos::View<int*, exec_space> tokens("tokens", n);
  Kokkos::View<onepass::extent, exec_space> count("count");
  Kokkos::deep_copy(
      text, Kokkos::View<char const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(source.data(), n));
  onepass::transform_inclusive_scan(exec, text, maps, map_of_character{}, first_older_then_newer{});
  onepass::select_if(exec, onepass::counting<int>{0, n}, tokens, count, begins_token{maps});

  // The reference: character by character, on the host.
  std::vector<int> expected;
  for (unsigned i = 0, before = blank; i < unsigned(n); ++i) {
    unsigned const now = next(before, source[i]);
    if (begins(before, now)) expected.push_back(int(i));
    before = now;
  }
  onepass::extent found = 0;
  Kokkos::deep_copy(found, count);
  auto const at = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), tokens);
  bool right    = found == onepass::extent(expected.size());
  for (std::size_t k = 0; right && k < expected.size(); ++k) right = at(k) == expected[k];
  if (!right) {
    std::printf("%lld tokens, not these %zu\n", static_cast<long long>(found), expected.size());
    return 1;
  }
  std::printf("%d characters, %lld tokens; the first line is\n ", n, static_cast<long long>(found));
  for (std::size_t k = 0; k + 1 < expected.size() && expected[k] < int(line.size()); ++k)
    std::printf(" [%s]", source.substr(std::size_t(at(k)), std::size_t(at(k + 1) - at(k))).c_str());
  std::printf("\n");
  return 0;
}
