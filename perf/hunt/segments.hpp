// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "items.hpp"
#include "rivals.hpp"
#include "trial.hpp"

#include <limits>

// Segments, given by offsets.
namespace perf::hunt {

class segments {
public:
  explicit segments(dice const& d)
      : kind_(d.one_of<std::string>("segments", {"one", "uniform", "uniform", "skewed", "skewed"}))
      , mean_(1 + d.up_to_power("mean segment", 20))
      , empty_(d.one_of<std::int64_t>("empty segments", {0, 0, 10, 90}))
  {}

  /// The offsets, one more than segments. Limits of skewed lengths are the mean times 2, 4, 8, ..., each half as likely
  /// as the last.
  std::vector<u32> offsets(std::int64_t n) const
  {
    std::vector<u32> all{0};
    for (std::uint64_t s = 0; std::int64_t(all.back()) < n; ++s) {
      auto const random   = mixed(s);
      auto const scale    = kind_ == "skewed" ? std::int64_t(1) << std::countr_zero(mixed(~s) | 1u << 20) : 1;
      std::int64_t length = 1 + std::int64_t((random >> 8) % std::uint64_t(2 * mean_ * scale));
      if (kind_ == "one") length = n;
      else if (std::int64_t(random % 100) < empty_) length = 0;
      all.push_back(u32(std::min(std::int64_t(all.back()) + length, n)));
    }
    return all;
  }

  /// The bytes of the offsets, about.
  std::size_t bytes(std::int64_t n) const
  {
    auto const length = std::size_t(mean_) * std::size_t(100 - empty_);
    return kind_ == "one" ? 8 : 4 * (std::size_t(n) * 110 / length + 100);
  }

  std::string shape() const
  {
    return kind_ == "one" ? "one segment" : text("segments ", kind_, " ", mean_, " empty ", empty_, "%");
  }

private:
  std::string kind_;
  std::int64_t mean_, empty_;
};

/// Adds kernel(s) for each segment by a thread of its own, except on a GPU where a segment is so long that its thread
/// would take seconds.
template <class Kernel>
void enter_thread_a_segment(trial& t, std::vector<u32> const& offsets, Kernel const& kernel)
{
  u32 longest = 0;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) longest = std::max(longest, offsets[s + 1] - offsets[s]);
  if (!on_host && longest > 1 << 16) return;
  auto const number = std::int64_t(offsets.size()) - 1;
  t.enter("kokkos.thread_a_segment", [=] { Kokkos::parallel_for("thread a segment", range(0, number), kernel); });
}

}  // namespace perf::hunt
