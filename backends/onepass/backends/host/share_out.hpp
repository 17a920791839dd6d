// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/compact.hpp>

#include <cstdint>

namespace onepass::ONEPASS_ABI::backends::host {

/// A column that is an array of the program's items.
template <class Program, int C>
constexpr bool is_array_of_items = [] {
  using column = decltype(std::declval<Program const&>().template column<C>());
  if constexpr (is_contiguous<column>::value)
    return std::is_same_v<typename column::value_type, typename Program::item_type>;
  else return false;
}();

/// Whether a program's items, which vectors do not compress, go to one of two arrays each: those with a flag and the
/// others.
template <class Program>
constexpr bool shares_out = false;
template <lists_flags Program>
  requires(Program::columns == 2 && copies_in_all_columns<Program> && !looks_behind<Program>)
constexpr bool shares_out<Program> = [] {
  using item             = typename Program::item_type;
  constexpr bool arrays  = is_array_of_items<Program, 0> && is_array_of_items<Program, 1>,
                 differs = Program::template keeps<0>(true) != Program::template keeps<1>(true);
  return arrays && differs && !compressible<item> && is_contiguous<input_of<Program>>::value;
}();

/// Runs such a program on the calling thread, in one walk without branches: flags may come in any order. The columns
/// have room for all items, and none lies where they are read.
template <class Program>
[[gnu::noinline]] void share_out_alone(Program const& given, extent n)
{
  constexpr int kept = Program::template keeps<0>(true) ? 0 : 1, others = 1 - kept;
  Program program   = given;  // a copy, which no store can change
  auto const in     = program.input();
  auto const all    = program.initial();
  auto* const first = program.template column<kept>().data + program.template position<kept>(0, all);
  auto *yes = first, *no = program.template column<others>().data + program.template position<others>(0, all);
  for (extent i = 0; i < n; ++i) {
    auto const& x   = in(i);
    bool const flag = program.evaluate(i, x);
    auto const a = reinterpret_cast<std::uintptr_t>(yes), b = reinterpret_cast<std::uintptr_t>(no);
    *reinterpret_cast<decltype(yes)>(b ^ ((a ^ b) & (0 - std::uintptr_t(flag)))) = x;  // ?: would become a branch
    yes += flag;
    no += !flag;
  }
  program.finish(program.after(all, yes - first, n - 1), n);
}

}  // namespace onepass::ONEPASS_ABI::backends::host
