// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench.hpp"

#include <algorithm>
#include <span>

namespace perf {

/// Counts the items that differ. Compares by value: a sum may be a zero of either sign.
template <class T>
struct differing {
  T const *got, *want;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const { count += got[i] != want[i]; }

  std::int64_t among(std::int64_t items) const
  {
    std::int64_t wrong = 0;
    Kokkos::parallel_reduce("compare", Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(0, items), *this,
                            wrong);
    return wrong;
  }
};

/// The memory of races with inputs and outputs in several parts. The host makes inputs and expected outputs; the device
/// compares outputs, the poison after their expected end, and counts.
class stage {
public:
  /// Memory for races that read and write at most these numbers of bytes. A copy reads and writes half of a race's
  /// bytes each, so both sides have the size of the larger. `ends`: bytes lost to alignment.
  void reserve(std::size_t in, std::size_t out)
  {
    in_ = out_ = expected_ = {};  // frees the old memory first
    auto const size        = std::max(in, out) + ends;
    in_                    = memory(Kokkos::view_alloc("in", Kokkos::WithoutInitializing), size);
    out_                   = memory(Kokkos::view_alloc("out", Kokkos::WithoutInitializing), size);
    expected_              = memory(Kokkos::view_alloc("expected", Kokkos::WithoutInitializing), size);
    counts_                = Kokkos::View<std::int64_t*, space>("counts", parts);
    told_                  = Kokkos::View<std::int64_t*, Kokkos::HostSpace>("told", parts);
    wanted_                = Kokkos::View<std::int64_t*, Kokkos::HostSpace>("wanted", parts);
  }

  race begin(std::string const& primitive, std::string const& type, std::int64_t items)
  {
    read_ = written_ = ins_ = outs_ = 0;
    wrong_.clear();
    Kokkos::deep_copy(expected_, poison_byte);
    Kokkos::deep_copy(wanted_, poison_count);
    race r{primitive, type, items, 0};
    r.in[0]  = in_.data();
    r.out[0] = out_.data();
    r.counts = counts_.data();
    r.told   = told_.data();
    return r;
  }

  /// The race's next input.
  template <class T>
  void input(race& r, std::span<T const> items)
  {
    r.in[ins_++] = put(in_, read_, items);
    read_        = aligned(read_ + items.size_bytes());
    r.bytes += items.size_bytes();
  }

  /// The race's next output, with room for `room` items, and its expected contents.
  template <class T>
  void output(race& r, std::span<T const> items, std::int64_t room)
  {
    differing<T> const compare{reinterpret_cast<T const*>(out_.data() + written_),
                               static_cast<T const*>(put(expected_, written_, items))};
    wrong_.push_back([=] { return compare.among(room); });
    r.out[outs_++] = out_.data() + written_;
    written_       = aligned(written_ + std::size_t(room) * sizeof(T));
    r.bytes += items.size_bytes();
  }

  /// The next expected count.
  void count(std::size_t k, std::size_t items) { wanted_(k) = std::int64_t(items); }

  /// Count k need not be written: it follows from the outputs.
  void any_count(std::size_t k) { wanted_(k) = any; }

  void poison() const
  {
    Kokkos::deep_copy(used(out_), poison_byte);
    Kokkos::deep_copy(counts_, poison_count);
    Kokkos::deep_copy(told_, poison_count);
  }

  bool right() const
  {
    auto const counts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts_);
    auto const same   = [&](auto const& got) {
      return std::equal(got.data(), got.data() + parts, wanted_.data(),
                          [](auto is, auto wanted) { return is == wanted || wanted == any; });
    };
    if (!same(counts) && !same(told_)) return false;
    return std::all_of(wrong_.begin(), wrong_.end(), [](auto const& wrong) { return wrong() == 0; });
  }

private:
  using memory = Kokkos::View<std::byte*, space>;

  static constexpr std::size_t alignment = 256, parts = 3, ends = alignment * parts;
  static constexpr std::byte poison_byte{0xa5};
  static constexpr std::int64_t any          = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t poison_count = -1;

  static std::size_t aligned(std::size_t size) { return (size + alignment - 1) / alignment * alignment; }

  memory used(memory const& all) const { return Kokkos::subview(all, std::pair(std::size_t(0), written_)); }

  template <class T>
  static void* put(memory const& to, std::size_t offset, std::span<T const> items)
  {
    auto const bytes = std::as_bytes(items);
    auto const end   = offset + bytes.size();
    if (end > to.size()) throw std::logic_error("this suite has reserved too little");
    Kokkos::View<std::byte const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const from(bytes.data(), bytes.size());
    if (!bytes.empty()) Kokkos::deep_copy(Kokkos::subview(to, std::pair(offset, end)), from);
    return to.data() + offset;
  }

  memory in_, out_, expected_;
  Kokkos::View<std::int64_t*, space> counts_;
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> told_, wanted_;
  std::vector<std::function<std::int64_t()>> wrong_;  // items of each output that differ
  std::size_t read_ = 0, written_ = 0, ins_ = 0, outs_ = 0;
};

/// A suite whose races use a stage: Derived fills it by fill<T>(race&), for each of Types.
template <class Derived, class Types>
struct staged_suite : suite {
  std::vector<std::string> types() const override { return names_of(Types{}); }

  race make(std::string const& primitive, std::string const& type, std::int64_t items) override
  {
    auto r = memory.begin(primitive, type, items);
    with_type(Types{}, type, [&](auto zero) { static_cast<Derived&>(*this).template fill<decltype(zero)>(r); });
    return r;
  }

  void poison(race const&) const override { memory.poison(); }
  bool right(race const&) const override { return memory.right(); }

protected:
  static std::size_t size_of(std::string const& type, std::int64_t items)
  {
    return std::size_t(items) * with_type(Types{}, type, [](auto zero) { return sizeof(zero); });
  }

  stage memory;
};

}  // namespace perf
