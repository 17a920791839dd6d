// SPDX-License-Identifier: Apache-2.0
// Scans and reductions in vector registers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "onepass/backends/host/vector.cpp"
#include <onepass/backends/host/vectors-inl.h>

HWY_BEFORE_NAMESPACE();
namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE {

template <bool Inclusive, class Fold, class T>
HWY_INLINE void scan_some(T const* in, T* out, std::size_t n, vector<T>& before)
{
  vector_tag<T> const d;
  auto const none = hn::Set(d, Fold::template identity<T>());
  for (std::size_t i = 0; i < n; i += lanes<T>)
    hn::StoreN(scanned<Inclusive, Fold, T>(hn::LoadNOr(none, d, in + i, n - i), before), d, out + i, n - i);
}

// Scans whole lines and returns how many items they have. At the same time combines the same number of items from
// `next` on with `sum`, which are prefetched well ahead into the second-level cache.
template <bool Stream, bool Inclusive, class Fold, class T>
HWY_INLINE std::size_t scan_lines(T const* in, T* out, std::size_t n, vector<T>& before, T const* next, vector<T>& sum)
{
  vector_tag<T> const d;
  constexpr std::size_t step = line / sizeof(T), lead = 8192 / sizeof(T);
  std::size_t i = 0;
  for (std::size_t j = 0; j < std::min(lead, n); j += step) __builtin_prefetch(next + j, 0, 2);
  for (; i + step <= n; i += step) {
    __builtin_prefetch(next + std::min(i + lead, n - 1), 0, 2);
    for (std::size_t j = i; j < i + step; j += lanes<T>) {
      sum          = Fold::combine(sum, hn::LoadU(d, next + j));
      auto const v = scanned<Inclusive, Fold, T>(hn::LoadU(d, in + j), before);
      if constexpr (Stream) hn::Stream(v, d, out + j);
      else hn::StoreU(v, d, out + j);
    }
  }
  return i;
}

// The combination of `sum` and in[0, n).
template <class Fold, class T>
HWY_INLINE T combined(vector<T> sum, T const* in, std::size_t n)
{
  vector_tag<T> const d;
  constexpr std::size_t step = 4 * lanes<T>;
  auto const none            = hn::Set(d, Fold::template identity<T>());
  auto b = none, c = none, e = none;
  std::size_t i = 0;
  for (; i + step <= n; i += step) {
    sum = Fold::combine(sum, hn::LoadU(d, in + i));
    b   = Fold::combine(b, hn::LoadU(d, in + i + lanes<T>));
    c   = Fold::combine(c, hn::LoadU(d, in + i + 2 * lanes<T>));
    e   = Fold::combine(e, hn::LoadU(d, in + i + 3 * lanes<T>));
  }
  for (; i < n; i += lanes<T>) sum = Fold::combine(sum, hn::LoadNOr(none, d, in + i, n - i));
  auto all = none;
  (void)scanned<true, Fold, T>(Fold::combine(Fold::combine(sum, b), Fold::combine(c, e)), all);
  return hn::GetLane(all);
}

template <bool Inclusive, fold Fold, class T>
T scan(T const* in, T* out, std::size_t n, T& before, T const* next, bool stream)
{
  using folds = folding<Fold>;
  vector_tag<T> const d;
  auto carry = hn::Set(d, before), sum = hn::Set(d, folds::template identity<T>());
  std::size_t const skewed = (line - reinterpret_cast<std::uintptr_t>(out) % line) % line / sizeof(T);
  std::size_t const head   = stream ? std::min(n, skewed) : 0;
  scan_some<Inclusive, folds>(in, out, head, carry);
  std::size_t const body = stream
                               ? scan_lines<true, Inclusive, folds>(in + head, out + head, n - head, carry, next, sum)
                               : scan_lines<false, Inclusive, folds>(in, out, n, carry, next, sum);
  std::size_t const done = head + body;
  scan_some<Inclusive, folds>(in + done, out + done, n - done, carry);
  before = hn::GetLane(carry);
  return combined<folds>(sum, next + body, n - body);
}

template <fold Fold, class T>
T reduce(T const* in, std::size_t n)
{
  using folds = folding<Fold>;
  return combined<folds>(hn::Set(vector_tag<T>{}, folds::template identity<T>()), in, n);
}

template <fold Fold, class T>
constexpr void put(vector_leaf<Fold, T>& leaf)
{
  leaf = {reduce<Fold, T>, scan<true, Fold, T>, scan<false, Fold, T>};
}

vector_leaves const* leaves()
{
  static constexpr vector_leaves all = filled_by<vector_leaves>([](auto& leaf) { put(leaf); });
  return &all;
}

}  // namespace onepass::ONEPASS_ABI::backends::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace onepass::ONEPASS_ABI::backends::host {

HWY_EXPORT(leaves);

vector_leaves const& leaves_of_this_machine()
{
  static vector_leaves const& all = of_this_machine([] { return HWY_DYNAMIC_DISPATCH(leaves)(); });
  return all;
}

void choose_instruction_set() { hwy::GetChosenTarget().Update(hwy::SupportedTargets()); }

char const* instruction_set()
{
  auto const usable = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(usable & -usable);
}

}  // namespace onepass::ONEPASS_ABI::backends::host
#endif
