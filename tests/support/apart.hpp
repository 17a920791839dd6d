// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "guarded.hpp"

namespace test {

/// Items a few apart in memory, as a column of a matrix has them.
template <class T>
class apart {
public:
  static constexpr extent step = 3;

  explicit apart(std::vector<T> const& values)
      : size_(values.size())
      , memory_(spread(values))
  {}

  auto view() const
  {
    return Kokkos::View<T*, Kokkos::LayoutStride, memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        memory_.view().data(), Kokkos::LayoutStride(size_, std::size_t(step)));
  }

  /// The current items. Waits for the device.
  std::vector<T> items() const
  {
    auto const all = memory_.items();
    std::vector<T> now;
    for (std::size_t i = 0; i < size_; ++i) now.push_back(all[i * step]);
    return now;
  }

private:
  static std::vector<T> spread(std::vector<T> const& values)
  {
    std::vector<T> all(values.size() * step);
    for (std::size_t i = 0; i < values.size(); ++i) all[i * step] = values[i];
    return all;
  }

  std::size_t size_;
  guarded<T> memory_;
};

}  // namespace test
