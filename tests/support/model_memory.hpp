// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/board.hpp>

#include <cstdint>
#include <vector>

namespace test {

/// Enumerates all outcomes of a run of choices: choose() inside a run, next() between two runs.
class every_choice {
public:
  int choose(int alternatives)
  {
    if (at_ == tape_.size()) tape_.push_back({0, alternatives});
    return tape_[at_++].taken;
  }
  /// Prepares the next run; false when all outcomes have been visited.
  bool next()
  {
    at_ = 0;
    while (!tape_.empty() && ++tape_.back().taken == tape_.back().alternatives) tape_.pop_back();
    return !tape_.empty();
  }

private:
  struct choice {
    int taken, alternatives;
  };
  std::vector<choice> tape_;
  std::size_t at_ = 0;
};

/// A model of shared memory as seen by a reader: each word takes the values that its writer stores, in order; at every
/// load it may have advanced by any number of them or, a bounded number of times, not at all. Words advance
/// independently, as with relaxed stores.
class model_memory {
public:
  explicit model_memory(every_choice& choices)
      : choices_(choices)
  {}
  model_memory(model_memory const&)            = delete;
  model_memory& operator=(model_memory const&) = delete;

  /// The word at `address` takes `values`, in order, beginning with the first.
  void expect(std::uint64_t const* address, std::vector<std::uint64_t> values)
  {
    words_.push_back({address, std::move(values)});
  }

  /// What a load sees.
  std::uint64_t seen(std::uint64_t const* address)
  {
    for (auto& w : words_)
      if (w.address == address) {
        int const left  = int(w.values.size() - w.at) - 1;
        int const least = left > 0 && w.idle == most_idle_loads ? 1 : 0;
        int const step  = left > 0 ? least + choices_.choose(left - least + 1) : 0;
        w.idle          = step == 0 ? w.idle + 1 : 0;
        w.at += std::size_t(step);
        return w.values[w.at];
      }
    return *address;
  }

private:
  static constexpr int most_idle_loads = 2;

  struct word {
    std::uint64_t const* address;
    std::vector<std::uint64_t> values;
    std::size_t at = 0;
    int idle       = 0;
  };

  every_choice& choices_;
  std::vector<word> words_;
};

/// The same as what a board needs of its memory.
struct model_words {
  model_memory* model = nullptr;

  std::uint64_t load(std::uint64_t const* address) const { return model->seen(address); }
  static void store(std::uint64_t*, std::uint64_t) {}
  static std::uint64_t fetch_add(std::uint64_t* word, std::uint64_t by)
  {
    auto const before = *word;
    *word += by;
    return before;
  }
  static void pause(int) {}
};

}  // namespace test
