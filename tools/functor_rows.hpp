// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/each.hpp>
#include <onepass/parallel_scan.hpp>

#include <numeric>

// Rows for scans and selections by functions, for which there are no arrays.
namespace tools {

/// A functor as Kokkos has them: sums before each item and up to it.
template <class T, class In, class Out>
struct sums_of_items {
  using value_type = T;
  In in;
  Out before, up_to;

  template <class Index>
  ONEPASS_FUNCTION void operator()(Index const i, T& update, bool const is_final) const
  {
    if (is_final) before(i) = update;
    update += in(i);
    if (is_final) up_to(i) = update;
  }
};

/// What a position contributes to scan_each: one and its item's last bit.
template <class In>
struct one_and_bit {
  In in;
  ONEPASS_FUNCTION u32 operator()(onepass::extent i) const { return 1 + (u32(in(i)) & 1); }
};
template <class In>
one_and_bit(In) -> one_and_bit<In>;  // clang deduces aggregates from 17 on
/// Writes what precedes position i behind the item's own bits.
template <class In, class Out>
struct write_beside {
  In in;
  Out out;
  ONEPASS_FUNCTION void operator()(onepass::extent i, u32 before) const { out(i) = u64(in(i)) << 32 | before; }
};
template <class In, class Out>
write_beside(In, Out) -> write_beside<In, Out>;

template <class In>
struct keeps_position {
  In in;
  keep_percent keep;
  ONEPASS_FUNCTION bool operator()(onepass::extent i) const { return keep(in(i)); }
};
/// Writes what is kept, and where it was.
template <class In, class Kept, class Places>
struct write_both {
  In in;
  Kept kept;
  Places places;
  ONEPASS_FUNCTION void operator()(onepass::extent i, onepass::extent at) const
  {
    kept(at) = in(i), places(at) = u32(i);
  }
};
template <class In, class Kept, class Places>
write_both(In, Kept, Places) -> write_both<In, Kept, Places>;

template <class T>
void functor_rows(session& s)
{
  auto const items = s.items<T>();
  auto const n     = onepass::extent(items.size());

  if (s.wants_operator("plus")) {
    std::vector<T> before(items.size()), up_to(items.size());
    std::exclusive_scan(items.begin(), items.end(), before.begin(), T(0));
    std::inclusive_scan(items.begin(), items.end(), up_to.begin());
    rows_of(s, {"", "plus", type_name<T>}, "parallel_scan", inputs(items),
            parts(part(before, items), part(up_to, items)),
            [=](auto const& place, auto const& in, auto const& out, auto const& through, auto const&) {
              using functor = sums_of_items<T, std::decay_t<decltype(in)>, std::decay_t<decltype(out)>>;
              onepass::parallel_scan(onepass::range_policy(place, 0, n), functor{in, out, through});
            });

    std::vector<u64> beside;
    u32 sum = 0;
    for (auto const x : items) beside.push_back(u64(x) << 32 | sum), sum += 1 + (u32(x) & 1);
    rows_of(s, {"", "plus", type_name<T>}, "scan_each", inputs(items), parts(part(beside, items)),
            [=](auto const& place, auto const& in, auto const& out, auto const&) {
              onepass::scan_each(place, n, one_and_bit{in}, write_beside{in, out});
            });
  }
  if (!s.wants_operator("none")) return;
  for (u32 const percent : percents) {
    keep_percent const keep{percent};
    std::vector<T> kept;
    std::vector<u32> places;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (keep(items[i])) kept.push_back(items[i]), places.push_back(u32(i));
    std::size_t const count = kept.size();
    rows_of(s, {"", std::to_string(percent) + " %", type_name<T>}, "select_each", inputs(items),
            parts(count, part(kept, items), part(places, items)),
            [=](auto const& place, auto const& in, auto const& out, auto const& out_places, auto const& counted) {
              onepass::select_each(place, n, keeps_position<std::decay_t<decltype(in)>>{in, keep},
                                   write_both{in, out, out_places}, counted);
            });
  }
}

}  // namespace tools
