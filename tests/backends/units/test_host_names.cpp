// SPDX-License-Identifier: Apache-2.0
// Names that the host has mean the same whatever is included first: here what sorts comes first, then what counts and
// scans.
#include <onepass/partition_by_key.hpp>
#include <onepass/radix_sort.hpp>
#include <onepass/scan.hpp>

#include <gtest/gtest.h>

namespace {

using exec_space = Kokkos::DefaultHostExecutionSpace;
using place      = onepass::place<exec_space, onepass::host_backend>;

TEST(host_names, bins_of_digits_are_not_those_of_histograms)
{
  EXPECT_EQ(onepass::private_bins(place{exec_space{}}), onepass::most_bins);
}

struct squares {
  using value_type = long;
  onepass::extent size;
  KOKKOS_FUNCTION long operator()(onepass::extent i) const { return i * i; }
};

TEST(host_names, scans_of_a_users_sequence_find_what_prefetches)
{
  onepass::extent const n = 100000;
  Kokkos::View<long*, Kokkos::HostSpace> out("out", n);
  onepass::exclusive_scan(place{exec_space{}}, squares{n}, out);
  EXPECT_EQ(out(3), 5);
  EXPECT_EQ(out(n - 1), (n - 2) * (n - 1) * (2 * n - 3) / 6);
}

}  // namespace
