// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <onepass/scan.hpp>

namespace trust {
namespace {

template <class T, class Op>
void scan(trial& t)
{
  bool const inclusive = t.chance("inclusive", 50), in_place = t.chance("in place", 25);
  bool const spread  = std::is_same_v<Op, onepass::plus> && sizeof(T) == 4 && t.chance("spread", 30);
  auto const n       = t.size();
  auto const content = t.random<T>(n);
  T const init       = t.random<T>(1, "init")[0];
  Op const op;

  auto in  = t.input("in", content, spread);
  auto out = in_place ? in : t.output<T>("out", n, spread);
  auto all = t.output<T>("total", 1);
  std::vector<T> wanted;
  T sum = init;
  for (auto const& x : content) {
    if (!inclusive) wanted.push_back(sum);
    sum = T(op(sum, x));
    if (inclusive) wanted.push_back(sum);
  }
  auto const run = [&](auto const& from, auto const& to) {
    t.call(
        [&](auto const& place) {
          if (inclusive) onepass::inclusive_scan(place, from, to, op, init, all.single());
          else onepass::exclusive_scan(place, from, to, op, init, all.single());
        },
        in_place);
  };
  if constexpr (std::is_same_v<Op, onepass::plus> && sizeof(T) == 4) {
    if (spread) run(in.apart(), out.apart());
    else run(in.view(), out.view());
  } else run(in.view(), out.view());
  out.expect(wanted);
  all.expect(sum);
}

/// Without an init, and without a total.
void plain_scan(trial& t)
{
  bool const inclusive = t.chance("inclusive", 50);
  auto const n         = t.size();
  auto const content   = t.random<numbers>(n);
  auto const in        = t.input("in", content);
  auto out             = t.output<std::uint64_t>("out", n);
  std::vector<std::uint64_t> wanted;
  std::uint64_t sum = 0;
  for (auto const x : content) {
    if (!inclusive) wanted.push_back(sum);
    sum += x;
    if (inclusive) wanted.push_back(sum);
  }
  t.call([&](auto const& place) {
    if (inclusive) onepass::inclusive_scan<std::uint64_t>(place, in.view(), out.view());
    else onepass::exclusive_scan<std::uint64_t>(place, in.view(), out.view());
  });
  out.expect(wanted);
}

/// Rows of a matrix, each by itself.
void scan_of_rows(trial& t)
{
  bool const inclusive = t.chance("inclusive", 50);
  auto const n         = t.size();
  auto const rows      = 1 + t.below("rows", 60);
  auto const columns   = n / rows;
  auto const content   = t.random<numbers>(rows * columns);
  auto const in        = t.input("in", content);
  auto out             = t.output<numbers>("out", rows * columns);
  std::vector<numbers> wanted;
  numbers sum = 0;
  for (extent i = 0; i < rows * columns; ++i) {
    if (i % columns == 0) sum = 0;
    if (!inclusive) wanted.push_back(sum);
    sum += content[std::size_t(i)];
    if (inclusive) wanted.push_back(sum);
  }
  t.call([&](auto const& place) {
    if (inclusive) onepass::inclusive_scan(place, in.rows(rows), out.rows(rows));
    else onepass::exclusive_scan(place, in.rows(rows), out.rows(rows));
  });
  out.expect(wanted);
}

}  // namespace

void add_scans(std::vector<family>& to)
{
  to.push_back({"scan u32 plus", scan<numbers, onepass::plus>});
  to.push_back({"scan u8 larger", scan<std::uint8_t, larger>});
  to.push_back({"scan f64 plus", scan<double, onepass::plus>});
  to.push_back({"scan affine", scan<affine, compose>});
  to.push_back({"scan u32 to u64", plain_scan});
  to.push_back({"scan of rows", scan_of_rows});
}

}  // namespace trust
