// SPDX-License-Identifier: Apache-2.0
// The same random calls over the ranks of MPI.
// usage: mpirun -n 4 onepass_rank_cases_mpi [--payloads peers|nccl|on_device|pinned] [--slot BYTES] [--seed S]
//        [--first N] [--cases N]     With --slot payloads of devices go through peers whose slots have that many bytes.
#include "cases.hpp"
#include "option.hpp"

#include <onepass/ranks/mpi.hpp>

#include <cstdint>
#include <cstdio>
#include <iterator>
#include <optional>
#include <span>
#include <unistd.h>
#include <vector>

namespace {

onepass::ranks::payloads payloads_of(std::string const& name)
{
  using onepass::ranks::payloads;
  for (auto const way : {payloads::peers, payloads::nccl, payloads::on_device, payloads::pinned})
    if (name == name_of(way)) return way;
  return payloads::automatic;
}

/// Whether this build, which has no way for payloads of devices but MPI's, says so on all ranks, and what it takes.
bool refuses_what_is_not_there()
{
  using onepass::ranks::mpi, onepass::ranks::payloads;
  for (auto const way : {payloads::peers, payloads::nccl}) try {
      mpi const all(MPI_COMM_WORLD, way);
      return false;
    } catch (onepass::precondition_error const& e) {
      auto const begin = std::string("onepass::ranks::") + name_of(way) + ": this build has no ";
      if (!std::string(e.what()).starts_with(begin)) return false;
    }
  mpi const all(MPI_COMM_WORLD);
  return all.takes_device_memory() == mpi::is_aware();
}

/// Whether more words than MPI counts are refused, before anything is read: an int would wrap to none.
bool refuses_words_without_number(onepass::ranks::transport& all)
{
  std::uint64_t word      = 0;
  std::size_t const words = std::size_t(1) << 32;
  int refused             = 0;
  for (bool const started : {false, true}) try {
      std::span<std::uint64_t const> const mine(&word, words);
      if (started) all.begin_words(mine, {&word, words})->finish();
      else all.exchange_words(mine, {&word, words});
    } catch (onepass::precondition_error const&) {
      ++refused;
    }
  return refused == 2;
}

}  // namespace

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  auto const way           = payloads_of(ranks_test::taken(argc, argv, "--payloads"));
  auto const slot          = ranks_test::taken(argc, argv, "--slot");
  auto const o             = ranks_test::read(argc, argv);
  unsigned long long wrong = 0, first_wrong = 0;
  {
    Kokkos::ScopeGuard const kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
    onepass::ranks::mpi base(MPI_COMM_WORLD, way);
    std::optional<onepass::ranks::peers> through;  // its slots have few bytes, so that payloads have many parts
    if (!slot.empty()) through.emplace(base, std::stoull(slot));
    onepass::ranks::transport& all = through ? static_cast<onepass::ranks::transport&>(*through) : base;
    if (!onepass::ranks::peers::are_known && !refuses_what_is_not_there()) {
      ++wrong;
      std::printf("rank %d of %d: payloads by a way that this build does not have\n", all.rank(), all.size());
    }
    if (!refuses_words_without_number(base)) {
      ++wrong;
      std::printf("rank %d of %d: more words than MPI counts are not refused\n", all.rank(), all.size());
    }
    onepass::workspace<ranks_test::space> scratch(ranks_test::space{});
    for (auto k = o.first; k < o.first + o.cases; ++k) {
      alarm(120);  // ends a program whose ranks wait for each other
      auto const verdict = ranks_test::run_case(all, o.seed, k, scratch);
      if (verdict.empty()) continue;
      if (++wrong == 1) first_wrong = k;
      std::printf("%llu: rank %d of %d: %s\n  again: mpirun -n %d %s --seed %llu --first %llu --cases 1\n", k,
                  all.rank(), all.size(), verdict.c_str(), all.size(), argv[0], o.seed, k);
    }
    all.meet();
    using onepass::ranks::residence;
    constexpr bool on_host     = onepass::on_host<ranks_test::space>;
    bool const boards          = !all.share_words(1, on_host ? residence::host : residence::device).of_rank.empty();
    std::uint64_t const mine[] = {wrong, first_wrong};
    std::vector<std::uint64_t> of_all(std::size(mine) * std::size_t(all.size()));
    all.exchange_words(mine, of_all);
    if (all.rank() == 0) {  // the last line says it all, wherever the others went
      std::printf("rank cases: %llu of seed %llu over %s%s", o.cases, o.seed, all.name().c_str(),
                  boards ? ", boards of all ranks" : "");
      for (int r = 0; r < all.size(); ++r)
        if (auto const* const told = &of_all[std::size(mine) * std::size_t(r)]; told[0] > 0)
          std::printf(", %llu WRONG on rank %d, first %llu", static_cast<unsigned long long>(told[0]), r,
                      static_cast<unsigned long long>(told[1]));
      std::printf("\n");
    }
  }
  MPI_Finalize();
  return wrong > 0;
}
