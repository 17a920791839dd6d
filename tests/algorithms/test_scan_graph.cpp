// SPDX-License-Identifier: Apache-2.0
// Calls with a workspace can be captured in a CUDA graph and replayed: a launch leaves the workspace ready for the
// next.
#include "guarded.hpp"
#include "inputs.hpp"
#include "sizes.hpp"

#include <onepass/scan.hpp>

#include <gtest/gtest.h>

#include <numeric>

using namespace test;

#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)

namespace {

/// What `queue(exec)` queues, as a graph.
template <class Exec>
class graph {
public:
  template <class Queue>
  graph(Exec const& exec, Queue const& queue)
      : stream_(exec.cuda_stream())
  {
    cudaGraph_t captured;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    queue(exec);
    check(cudaStreamEndCapture(stream_, &captured));
    check(cudaGraphInstantiateWithFlags(&made_, captured, 0));
    check(cudaGraphDestroy(captured));
  }
  ~graph() { cudaGraphExecDestroy(made_); }
  graph(graph const&)            = delete;
  graph& operator=(graph const&) = delete;

  void replay(int times)
  {
    for (int t = 0; t < times; ++t) check(cudaGraphLaunch(made_, stream_));
    check(cudaStreamSynchronize(stream_));
  }

private:
  static void check(cudaError_t error) { ASSERT_EQ(error, cudaSuccess) << cudaGetErrorString(error); }

  cudaStream_t stream_;
  cudaGraphExec_t made_{};
};

/// Every replay begins with the total that the one before left.
template <class Exec>
void expect_replays_that_go_on(onepass::workspace<Exec>& scratch, Exec const& exec)
{
  for (extent const n : some_sizes<std::uint32_t>()) {
    auto const items = random_items<std::uint32_t>(n);
    auto const sum   = std::accumulate(items.begin(), items.end(), 0u);
    guarded<std::uint32_t> const in(items), out(n);
    single<std::uint32_t> const carry(5);
    Kokkos::fence();
    graph<Exec> replayed(exec, [&](Exec const& mine) {
      EXPECT_TRUE(onepass::is_captured(mine));  // by which a call without a workspace knows that it may borrow none
      onepass::exclusive_scan(row(mine).with(scratch), in.view(), out.view(), onepass::plus{}, carry.view(),
                              carry.view());
    });
    EXPECT_FALSE(onepass::is_captured(exec));
    std::uint32_t done = 0;
    for (int const times : {1, 1, 998}) {
      replayed.replay(times);
      done += std::uint32_t(times);
      auto expected = items;
      std::exclusive_scan(items.begin(), items.end(), expected.begin(), 5u + (done - 1) * sum);
      ASSERT_EQ(out.items(), expected) << "n = " << n << ", after " << done << " replays";
      ASSERT_EQ(carry.value(), 5u + done * sum);
    }
    EXPECT_TRUE(out.canaries_alive());
  }
}

/// An instance on a stream of its own, since the default one cannot be captured.
template <class Exec>
auto some_instance()
{
  return Kokkos::Experimental::partition_space(Exec{}, 1)[0];
}

template <class Exec>
constexpr bool has_graphs = std::is_same_v<Exec, Kokkos::Cuda>;

constexpr std::size_t enough = 16 << 20;

template <class Exec>
void replay_from_a_fresh_workspace()
{
  if constexpr (!has_graphs<Exec>) GTEST_SKIP() << "this row runs on the host";
  else {
    auto const exec = some_instance<Exec>();
    onepass::workspace<Exec> scratch(exec, enough);
    expect_replays_that_go_on(scratch, exec);
  }
}

template <class Exec>
void replay_over_the_wrap_around()
{
  if constexpr (!has_graphs<Exec>) GTEST_SKIP() << "this row runs on the host";
  else {
    auto const exec = some_instance<Exec>();
    onepass::workspace<Exec> scratch(exec, enough);
    scratch.set_epoch(onepass::epoch::last - 500);
    expect_replays_that_go_on(scratch, exec);
  }
}

template <class Exec>
void replay_from_garbage()
{
  if constexpr (!has_graphs<Exec>) GTEST_SKIP() << "this row runs on the host";
  else {
    auto const exec = some_instance<Exec>();
    guarded<unsigned char> const garbage(std::vector<unsigned char>(enough, 0xff), 1);
    onepass::workspace<Exec> scratch(exec, garbage.view());
    expect_replays_that_go_on(scratch, exec);
    EXPECT_TRUE(garbage.canaries_alive());
  }
}

TEST(scan_graph, goes_on_a_thousand_times) { replay_from_a_fresh_workspace<exec_space>(); }
TEST(scan_graph, lives_through_the_wrap_around_of_the_epoch) { replay_over_the_wrap_around<exec_space>(); }
TEST(scan_graph, starts_from_a_workspace_of_garbage) { replay_from_garbage<exec_space>(); }

}  // namespace

#else

TEST(scan_graph, goes_on_a_thousand_times) { GTEST_SKIP() << "this build has no CUDA"; }

#endif
