// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace onepass::ONEPASS_ABI::backends::host {

/// How many calls this thread is inside of: more than one where what a user gave to a call makes calls itself.
inline constinit thread_local int calls_around = 0;

/// Values that own something, as long as this thread is inside of the call that asked for them.
class owning_values {
public:
  virtual void drop() = 0;

protected:
  ~owning_values() = default;
};

/// The thread is inside of so many calls for as long as this exists; of one more, unless it is told. What it then
/// keeps of values that own something is dropped.
class inside_call {
public:
  explicit inside_call(int calls = calls_around + 1)
      : calls_before_(std::exchange(calls_around, calls))
      , around_(std::exchange(innermost_, this))
  {}
  ~inside_call()
  {
    for (auto* values : to_drop_) values->drop();
    calls_around = calls_before_;
    innermost_   = around_;
  }
  inside_call(inside_call const&)            = delete;
  inside_call& operator=(inside_call const&) = delete;

  /// Drops the values when the innermost call of this thread has ended.
  static void drop_behind(owning_values& values)
  {
    if (innermost_) innermost_->to_drop_.push_back(&values);
  }

private:
  int calls_before_;
  inside_call* around_;
  std::vector<owning_values*> to_drop_;

  static constinit thread_local inside_call* innermost_;
};
inline constinit thread_local inside_call* inside_call::innermost_ = nullptr;

/// Memory for values of a type, which grows and is not cleared. Constructors run only where values cannot do without.
template <class T>
class kept_values final : owning_values {
public:
  kept_values()                              = default;
  kept_values(kept_values const&)            = delete;
  kept_values& operator=(kept_values const&) = delete;
  ~kept_values() { drop(); }

  T* for_some(extent n)
  {
    if (size_ <= n) [[unlikely]]
      grow(n);
    return values_;
  }

private:
  static constexpr bool constructs = !std::is_trivially_copyable_v<T>, owns = !std::is_trivially_destructible_v<T>;
  // Whole lines: a vector that is stored across two of them takes twice as long.
  static constexpr std::align_val_t alignment{std::max<std::size_t>(alignof(T), 64)};

  [[gnu::noinline]] void grow(extent n)
  {
    extent const size = std::max(n + 1, 2 * size_);
    drop();
    if constexpr (owns) inside_call::drop_behind(*this);
    values_ = static_cast<T*>(operator new(std::size_t(size) * sizeof(T), alignment));
    if constexpr (constructs) std::uninitialized_value_construct_n(values_, size);
    size_ = size;
  }
  void drop() override
  {
    if constexpr (constructs) std::destroy_n(values_, size_);
    operator delete(values_, alignment);
    values_ = nullptr;
    size_   = 0;
  }

  T* values_   = nullptr;
  extent size_ = 0;
};

/// Memory of this thread for n values, the same at every call for one use inside of one call: it grows, is kept from
/// call to call unless its values own something, and is not cleared. Calls inside of that call have memory of their
/// own, kept as well.
template <class T, class Use = void>
T* thread_buffer(extent n)
{
  struct level {
    kept_values<T> own;
    std::unique_ptr<level> deeper;
    [[gnu::noinline]] level& inside()
    {
      if (!deeper) deeper = std::make_unique<level>();
      return *deeper;
    }
  };
  static thread_local level kept;
  auto* here = &kept;
  for (int call = 1; call < calls_around; ++call) here = &here->inside();
  return here->own.for_some(n);
}

/// Room for n values, from the beginning of a line on, which are not made yet where they need no constructor.
template <class T, extent N>
class some_values {
public:
  T* values() { return reinterpret_cast<T*>(bytes_); }

private:
  alignas(64) std::byte bytes_[std::size_t(N) * sizeof(T)];
};
template <class T, extent N>
  requires(!std::is_trivially_copyable_v<T>)
class some_values<T, N> {
public:
  T* values() { return values_; }

private:
  alignas(64) T values_[N];
};

/// Asks the system for large pages, for memory that is written at many positions in turn: with small pages each write
/// costs a walk through the page table. What the memory holds stays as it is.
inline void ask_for_large_pages([[maybe_unused]] std::byte* memory, [[maybe_unused]] std::size_t bytes)
{
#if defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = std::uintptr_t(2) << 20;
  auto const begin              = reinterpret_cast<std::uintptr_t>(memory);
  auto const first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace onepass::ONEPASS_ABI::backends::host
