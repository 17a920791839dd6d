// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_orders.hpp>
#include <onepass/engine/splits.hpp>
#include <onepass/ranks/programs/payloads.hpp>

#include <bit>

namespace onepass::ONEPASS_ABI::ranks::detail {

/// The part to which a number belongs: how many of some bounds, which do not decrease, are at most that. A search,
/// which on hosts a table narrows down by the number's highest bits, mostly to one part. A device has no registers for
/// that.
struct part_of_number {
  std::uint64_t const* bounds;
  std::uint64_t const* firsts;  ///< of each slot of the table, and of the end, the part of its first number
  extent number;                ///< of bounds
  std::uint64_t slots;
  int shift;  ///< a slot has 2^shift numbers, the last one all others too

  ONEPASS_FUNCTION extent operator()(std::uint64_t x) const
  {
    extent low = 0, high = number;
    KOKKOS_IF_ON_HOST((std::uint64_t const slot = x >> shift < slots ? x >> shift : slots - 1;
                       low = extent(firsts[slot]); high = extent(firsts[slot + 1]);))
    return low + partition_point(high - low, [&](extent k) { return bounds[low + k] <= x; });
  }
};

/// The same where kernels read it.
template <class Exec>
class part_table {
public:
  /// Of numbers below `end`.
  template <place_like Where>
  part_table(transport& all, Where const& where, std::vector<std::uint64_t> const& bounds, std::uint64_t end)
      : parts_(extent(bounds.size()) + 1)
      , slots_(std::bit_ceil(std::max<std::uint64_t>(1024, 16 * bounds.size())))
      , shift_(std::max(int(std::bit_width(end)) - int(std::bit_width(slots_ - 1)), 0))
      , words_(where, extent(bounds.size() + slots_ + 1))
  {
    auto const made    = pinned_buffers::of(all).items<std::uint64_t>(0, extent(bounds.size() + slots_ + 1));
    auto* to           = std::copy(bounds.begin(), bounds.end(), made.data());
    std::uint64_t part = 0;
    for (std::uint64_t slot = 0; slot < slots_; ++slot) {
      while (part < bounds.size() && bounds[part] <= slot << shift_) ++part;
      *to++ = part;
    }
    *to = bounds.size();
    copy_items(where, as_input(made), as_sequence(words_.items()));
  }

  extent parts() const { return parts_; }
  part_of_number part() const { return {words_.data(), words_.data() + parts_ - 1, parts_ - 1, slots_, shift_}; }

private:
  extent parts_;
  std::uint64_t slots_;
  int shift_;
  lent_room<std::uint64_t, Exec> words_;
};

/// An order program: items in the order of their parts, and values with them.
template <class In, class Out, class Values, class ValuesOut, class Number>
struct parts_program {
  using item_type = typename In::value_type;

  In in;
  Out out;
  Values companions;
  ValuesOut companions_out;
  Number number_of;
  part_of_number part;
  int width;  ///< of a part's number

  ONEPASS_FUNCTION In input() const { return in; }
  ONEPASS_FUNCTION Out output() const { return out; }
  ONEPASS_FUNCTION Values values() const { return companions; }
  ONEPASS_FUNCTION ValuesOut values_output() const { return companions_out; }
  ONEPASS_FUNCTION bool in_place() const { return false; }
  ONEPASS_FUNCTION int bits() const { return width; }

  ONEPASS_FUNCTION std::uint32_t digit(item_type const& item, int at, int digit_width) const
  {
    return static_cast<std::uint32_t>(part(number_of(item)) >> at) & ((2u << (digit_width - 1)) - 1u);
  }
  ONEPASS_FUNCTION void counted(int, extent) const {}
};

/// Moves items, and values with them, into the order of their parts; those of one part stay in theirs.
template <place_like Where, class In, class T, class Values, class V, class Number>
void order_by_parts(char const* label, Where const& where, In const& in, T* to, Values const& values, V* values_to,
                    Number const& number_of, part_table<space_of<Where>> const& table)
{
  int const width = int(std::bit_width(std::uint64_t(table.parts() - 1)));
  onepass::run(where,
               parts_program<In, contiguous<T>, Values, contiguous<V>, Number>{
                   in, {to, in.size}, values, {values_to, in.size}, number_of, table.part(), width},
               item_count{in.size}, label);
}

}  // namespace onepass::ONEPASS_ABI::ranks::detail
