// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/compact.hpp>
#include <onepass/engine/items/stage.hpp>

#include <cstdint>

namespace onepass::ONEPASS_ABI::backends::host {

/// Whether a program's items, which vectors do not compress, go to one of two arrays each: those with a flag and the
/// others.
template <class Program>
constexpr bool shares_out = false;
template <lists_flags Program>
  requires(Program::columns == 2 && !looks_behind<Program>)
constexpr bool shares_out<Program> =
    !compressible<typename Program::item_type> && is_contiguous<input_of<Program>>::value
    && parts_items<Program> && copies_to_array<Program, 0> && copies_to_array<Program, 1>;

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
