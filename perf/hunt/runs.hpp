// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "items.hpp"
#include "trial.hpp"

// Runs of equal items.
namespace perf::hunt {

class runs {
public:
  explicit runs(dice const& d)
      : kind_(d.one_of<std::string>("runs", {"all alike", "all different", "mean", "mean", "mean", "mixed"}))
      , mean_(1 + d.up_to_power("mean run", 16))
  {}

  /// Whether a run begins at item i. Mixed runs: stretches of single items and of long runs alternate.
  bool head(std::int64_t i) const
  {
    if (i == 0 || kind_ == "all different") return true;
    if (kind_ == "all alike") return false;
    if (kind_ == "mixed" && (i >> 14) % 2 == 0) return true;
    return mixed(std::uint64_t(i)) % std::uint64_t(mean_) == 0;
  }

  template <class T>
  std::vector<T> items(std::int64_t n) const
  {
    std::vector<T> all(static_cast<std::size_t>(n));
    std::uint64_t number = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      if (head(i)) number += 1 + mixed(std::uint64_t(i)) % 200;  // differs from the last one, even as a byte
      all[std::size_t(i)] = from_number<T>(number);
    }
    return all;
  }

  std::string shape() const
  {
    return kind_ == "mean" || kind_ == "mixed" ? text("runs ", kind_, " ", mean_) : text("runs ", kind_);
  }

private:
  std::string kind_;
  std::int64_t mean_;
};

}  // namespace perf::hunt
