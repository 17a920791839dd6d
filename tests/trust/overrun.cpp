// SPDX-License-Identifier: Apache-2.0
// The test of the electric fence itself (fence.cpp): a kernel that touches one item behind a View, or a freed View.
// usage: onepass_overrun inside|reads|writes|freed    (ends with 0 where nothing stops it)
#include <Kokkos_Core.hpp>

#include <string>

namespace {

struct touch {
  int* item;
  bool writes;
  KOKKOS_FUNCTION void operator()(int) const
  {
    int const now = Kokkos::atomic_load(item);
    if (writes || now == 12345678) Kokkos::atomic_store(item, now);
  }
};

}  // namespace

int main(int argc, char** argv)
{
  std::string const what = argc > 1 ? argv[1] : "inside";
  Kokkos::ScopeGuard const kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  constexpr int n = 1000;  // whole words, to which Kokkos rounds up
  Kokkos::View<int*> view("overrun", n);
  int* const behind = view.data() + n;
  if (what == "freed") view = {};
  Kokkos::parallel_for("overrun", Kokkos::RangePolicy<>(0, 1),
                       touch{what == "inside" ? behind - 1 : behind - (what == "freed"), what == "writes"});
  Kokkos::fence("overrun");
  return 0;
}
