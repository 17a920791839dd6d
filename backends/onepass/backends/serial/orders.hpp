// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/insert_few.hpp>
#include <onepass/engine/orders.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::serial {

/// Counts a digit's bins, then moves every item after those of lower bins and after the earlier items of its own bin.
template <class Program, class From, class To>
void scatter(Program const& program, From const& from, To const& to, extent n, digit_bits d)
{
  extent place[1 << one_digit] = {};
  for (extent i = 0; i < n; ++i) ++place[program.digit(from.items(i), d.at, d.width)];
  extent before = 0;
  for (int b = 0; b < d.bins(); ++b) {
    extent const count = place[b];
    if (program.bits() == d.width) program.counted(b, count);
    place[b] = before;
    before += count;
  }
  for (extent i = 0; i < n; ++i) move_one(from, i, to, place[program.digit(from.items(i), d.at, d.width)]++);
}

/// Bytes of the workspace's plain memory that a sort of n items takes.
template <class Where, order_program Program>
std::size_t bytes_of_order(Where const&, Program const& program, extent n)
{
  digit_plan const plan{program.bits(), one_digit};
  return std::size_t(spares_for<Program, decltype(target_of(program))>(plan, program.in_place()))
         * spare_memory<Program>::bytes(n);
}

/// Very few items are inserted, without a workspace.
template <place_like Where, order_program Program>
bool finished_at_once(backend, Where const&, Program const& program, item_count count)
{
  constexpr extent most     = 32;
  constexpr bool fits_stack = spare_memory<Program>::bytes(most) <= 8192;
  extent const n            = count();
  if constexpr (fits_stack && !is_tiny<tuning_of<Where>>)
    if (n <= most && program.bits() <= 64) {
      onepass::insert_few<most>(program, source_of(program), target_of(program), n, program.bits(), program.in_place());
      return true;
    }
  return false;
}

/// The reference for all order programs.
template <class Exec, order_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program, item_count count,
                   workspace<Exec>& scratch)
{
  extent const n = count();
  digit_plan const plan{program.bits(), one_digit};
  auto const from   = source_of(program);
  auto const to     = target_of(program);
  std::byte* spares = scratch.plain(bytes_of_order(where, program, n));
  auto const copy   = [&](auto const& a, auto const& b) {
    for (extent i = 0; i < n; ++i) move_one(a, i, b, i);
  };
  auto const pass = [&](auto const& a, auto const& b, digit_bits d) { scatter(program, a, b, n, d); };
  by_digits<Program>(plan, from, to, program.in_place(), spares, n, copy, pass);
}

}  // namespace onepass::ONEPASS_ABI::backends::serial
