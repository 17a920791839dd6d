// SPDX-License-Identifier: Apache-2.0
// What Kokkos' names have of their own: inner products, items that equal a value; and results on their way to variables
// of the host.
#include <onepass/kokkos.hpp>

using view = Kokkos::View<float*, Kokkos::CudaSpace>;

float names(Kokkos::Cuda const& exec, view a, view b, float& total)
{
  namespace KE = onepass::kokkos;
  onepass::exclusive_scan(exec, a, b, onepass::plus{}, 0.0f, total);
  KE::inclusive_scan("label", exec, a, b);
  auto const end          = KE::remove(exec, KE::begin(a), KE::end(a), 1.0f);
  auto const [least, all] = KE::minmax_element(exec, b);
  return KE::transform_reduce(exec, a, b, 0.0f) + float(end - KE::begin(a)) + float(all - least);
}
