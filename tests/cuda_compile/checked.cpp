// SPDX-License-Identifier: Apache-2.0
// What on(exec).checked() looks at on the device: offsets, levels, permutations.
#include <onepass/argsort.hpp>
#include <onepass/checked.hpp>
#include <onepass/histogram.hpp>
#include <onepass/segmented.hpp>

using items = Kokkos::View<std::uint32_t*, Kokkos::CudaSpace>;

void checks(Kokkos::Cuda const& exec, items in, items offsets, items out)
{
  auto const where = onepass::on(exec).checked();
  onepass::detail::require_offsets("checks", where, onepass::as_input(offsets), onepass::count_of(offsets),
                                   in.extent(0));
  onepass::detail::require_on_device("checks", where, "level", 7,
                                     onepass::detail::falls<onepass::sequence_of<items>>{onepass::as_input(in)});
  onepass::detail::checked_permutation(where, out);
}
