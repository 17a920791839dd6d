// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/program.hpp>

#include <vector>

namespace onepass::host {

/// One tile on one thread: reduced, which brings it into the cache, then scanned from there.
template <class Program>
class cached_tile {
  using memo      = typename Program::memo_type;
  using aggregate = typename Program::aggregate_type;

public:
  cached_tile(Program const& program, extent first, extent last) : program_(program), first_(first), last_(last) {}

  aggregate upsweep()
  {
    const auto in = program_.input();
    memo*      m  = memos();
    auto       a  = Program::identity();
    for (extent i = first_; i < last_; ++i) {
      const auto x = program_.evaluate(i, in(i));
      if constexpr (!pure_program<Program>) m[i - first_] = x;
      a = program_.combine(a, program_.lift(x));
    }
    return a;
  }

  void downsweep(aggregate prefix)
  {
    if constexpr (Program::shape == output_shape::mapped) {
      const auto in = program_.input();
      memo*      m  = memos();
      for (extent i = first_; i < last_; ++i) {
        const typename Program::item_type item = in(i);
        const memo x = pure_program<Program> ? program_.evaluate(i, item) : m[i - first_];
        program_.output()(i) = program_.result(item, x, prefix);
        prefix               = program_.combine(prefix, program_.lift(x));
      }
    }
  }

private:
  memo* memos()
  {
    if constexpr (pure_program<Program>) return nullptr;
    else {
      struct slot { memo m; };  // std::vector<bool> has no pointers
      static thread_local std::vector<slot> kept;
      if (extent(kept.size()) < last_ - first_) kept.resize(std::size_t(last_ - first_));
      return &kept.data()->m;
    }
  }

  Program const& program_;
  extent         first_, last_;
};

}  // namespace onepass::host
