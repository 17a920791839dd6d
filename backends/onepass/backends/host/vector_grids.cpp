// SPDX-License-Identifier: Apache-2.0
// Rows of grids in vector registers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "onepass/backends/host/vector_grids.cpp"
#include <onepass/backends/host/vectors-inl.h>

HWY_BEFORE_NAMESPACE();
namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE {

// Loads as many items as a vector has sums, and converts each to a sum.
template <class Sum, class Item>
HWY_INLINE vector<Sum> widened(Item const* in)
{
  vector_tag<Sum> const d;
  if constexpr (std::is_same_v<Item, Sum>) return hn::LoadU(d, in);
  else return hn::PromoteTo(d, hn::LoadU(hn::Rebind<Item, decltype(d)>{}, in));
}

template <class Item, class Sum>
void add_rows(Item const* in, std::ptrdiff_t pitch, int rows, Sum* sums, std::size_t n)
{
  vector_tag<Sum> const d;
  std::size_t i = 0;
  for (; i + lanes<Sum> <= n; i += lanes<Sum>) {
    auto sum = widened<Sum>(in + i);
    for (int r = 1; r < rows; ++r) sum = hn::Add(sum, widened<Sum>(in + r * pitch + i));
    hn::StoreU(sum, d, sums + i);
  }
  for (; i < n; ++i) {
    Sum sum = static_cast<Sum>(in[i]);
    for (int r = 1; r < rows; ++r) sum += static_cast<Sum>(in[r * pitch + std::ptrdiff_t(i)]);
    sums[i] = sum;
  }
}

template <bool Stream, class Item, class Sum>
HWY_INLINE std::size_t scan_row_lines(Item const* in, Sum* running, Sum* out, std::size_t n, vector<Sum>& before,
                                      Item const* ahead)
{
  vector_tag<Sum> const d;
  constexpr std::size_t step = line / sizeof(Sum);
  std::size_t i              = 0;
  for (; i + step <= n; i += step) {
    if (i * sizeof(Item) % line == 0)
      __builtin_prefetch(ahead + i, 0, 2);  // all at once they would delay everything else
    for (std::size_t j = i; j < i + step; j += lanes<Sum>) {
      auto const now = hn::Add(hn::LoadU(d, running + j), widened<Sum>(in + j));
      hn::StoreU(now, d, running + j);
      auto const v = scanned<true, folding<fold::sum>, Sum>(now, before);
      if constexpr (Stream) hn::Stream(v, d, out + j);
      else hn::StoreU(v, d, out + j);
    }
  }
  return i;
}

template <class Item, class Sum>
void scan_row(Item const* in, Sum* running, Sum* out, std::size_t n, Sum& before, Item const* ahead, bool stream)
{
  auto const one_by_one = [&](std::size_t first, std::size_t last) {
    Sum all = before;  // a store could be to what is given by reference
    for (std::size_t i = first; i < last; ++i) {
      Sum const now = running[i] + static_cast<Sum>(in[i]);
      running[i]    = now;
      out[i]        = all += now;
    }
    before = all;
  };
  std::size_t const skewed = (line - reinterpret_cast<std::uintptr_t>(out) % line) % line / sizeof(Sum);
  std::size_t const head   = stream ? std::min(n, skewed) : 0;
  one_by_one(0, head);
  auto carry             = hn::Set(vector_tag<Sum>{}, before);
  std::size_t const body = stream ? scan_row_lines<true>(in + head, running + head, out + head, n - head, carry, ahead)
                                  : scan_row_lines<false>(in, running, out, n, carry, ahead);
  before                 = hn::GetLane(carry);
  one_by_one(head + body, n);
}

template <class Item, class Sum>
constexpr void put(vector_grid_leaf<Item, Sum>& leaf)
{
  leaf = {add_rows<Item, Sum>, scan_row<Item, Sum>};
}

vector_grid_leaves const* grid_leaves()
{
  static constexpr vector_grid_leaves all = filled_by<vector_grid_leaves>([](auto& leaf) { put(leaf); });
  return &all;
}

}  // namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace onepass::ONEPASS_ABI::backends::host {

HWY_EXPORT(grid_leaves);

vector_grid_leaves const& grid_leaves_of_this_machine()
{
  static vector_grid_leaves const& all = of_this_machine([] { return HWY_DYNAMIC_DISPATCH(grid_leaves)(); });
  return all;
}

}  // namespace onepass::ONEPASS_ABI::backends::host
#endif
