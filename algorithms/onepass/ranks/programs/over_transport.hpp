// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/transport.hpp>

namespace onepass::ONEPASS_ABI::ranks::detail {

/// A transport that carries payloads between devices itself, and leaves everything else to another one, which outlives
/// it.
class over_transport : public transport {
public:
  explicit over_transport(transport& base)
      : base_(base)
  {}

  int rank() const override { return base_.rank(); }
  int size() const override { return base_.size(); }
  std::unique_ptr<words_under_way> begin_words(std::span<std::uint64_t const> mine,
                                               std::span<std::uint64_t> theirs) override
  {
    return base_.begin_words(mine, theirs);
  }
  void exchange_words(std::span<std::uint64_t const> mine, std::span<std::uint64_t> theirs) override
  {
    base_.exchange_words(mine, theirs);
  }
  void meet() override { base_.meet(); }
  bool takes_device_memory() const override { return true; }
  std::string name() const override { return "payloads of devices " + how() + ", all else by " + base_.name(); }

  /// How payloads of devices travel, for people: "from ...", "by ...".
  virtual std::string how() const = 0;

protected:
  transport& base() { return base_; }

private:
  transport& base_;
};

}  // namespace onepass::ONEPASS_ABI::ranks::detail
