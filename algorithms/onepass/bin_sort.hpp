// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/apply_permutation.hpp>
#include <onepass/programs/bin_sort.hpp>
#include <onepass/segmented_sort.hpp>
#include <onepass/sort_by_cell.hpp>

namespace onepass::ONEPASS_ABI::kokkos {

/// Kokkos::BinSort by sort_by_cell() and apply_permutation(), with Kokkos' constructors and member functions: keys are
/// put into bins, and any number of Views then into the order of these.
///
/// - `KeyView`: a View of any rank, of which `BinOp` reads key i: `bin(keys, i)` from 0 to `max_bins()` - 1, and, for
///   sort_within_bins, `operator()(keys, i, j)`, whether key i comes before key j of the same bin
/// - `Space`, `SizeType`: of the offsets and the permutation
/// - instances may be places (`on(exec).with(workspace)`)
///
/// What differs from Kokkos: keys of one bin keep their order, also those that are alike within a sorted bin; values of
/// ranks 1 to 3; and values [first, last) are sorted where they are, wherever the range of the keys begins.
///
/// Throws precondition_error if there are no bins, if there are values, but not one a key, if a range of keys or values
/// lies beyond their View, or if keys are more than an int counts.
///
/// Cost: that of sort_by_cell(), of a sort of segments by a comparator where bins are sorted, and of an
/// apply_permutation() in place. Members that take no instance wait, as Kokkos' do.
///
/// Source: the contract is Kokkos'.
/// \ingroup kokkos_names
template <class KeyView, class BinOp, class Space = typename KeyView::device_type,
          class SizeType = typename KeyView::memory_space::size_type>
class BinSort {
  using keys_view = typename KeyView::const_type;

public:
  using exec_space     = typename Space::execution_space;  ///< where calls without an instance run
  using size_type      = SizeType;                         ///< of offsets and positions
  using value_type     = SizeType;                         ///< as Kokkos names it
  using bin_op_type    = BinOp;                            ///< what tells bins
  using offset_type    = Kokkos::View<SizeType*, Space>;   ///< of offsets and of the permutation
  using bin_count_type = Kokkos::View<int const*, Space>;  ///< of counts

  /// Keys [first, last) by the bins that `bins` tells.
  template <place_like Where>
  BinSort(Where const& where, keys_view keys, int first, int last, BinOp bins, bool sort_within_bins = false)
      : keys_(keys)
      , bins_(bins)
      , first_(first)
      , size_(last - first)
      , sorts_bins_(sort_within_bins)
  {
    extent const number = bins_.max_bins();
    require(number > 0, "kokkos::BinSort: there are ", number, " bins; give an operator with at least one");
    require(0 <= first && first <= last && last <= extent(keys.extent(0)), "kokkos::BinSort: the keys from ", first,
            " to ", last, " of ", keys.extent(0), " are no range of the View; give one that is");
    auto const room = [&](char const* what) {
      return Kokkos::view_alloc(instance_of(where), std::string("onepass::BinSort ") + what,
                                Kokkos::WithoutInitializing);
    };
    ends_    = offset_type(room("offsets"), std::size_t(number + 1));
    offsets_ = Kokkos::subview(ends_, std::pair<extent, extent>(0, number));
    counts_  = counts_view(room("counts"), std::size_t(number));
    order_   = offset_type(room("permutation"), std::size_t(size_));
  }
  /// The same on the default instance.
  BinSort(keys_view keys, int first, int last, BinOp bins, bool sort_within_bins = false)
      : BinSort(exec_space{}, keys, first, last, bins, sort_within_bins)
  {}
  /// All keys.
  template <place_like Where>
  BinSort(Where const& where, keys_view keys, BinOp bins, bool sort_within_bins = false)
      : BinSort(where, keys, 0, number_of(keys), bins, sort_within_bins)
  {}
  /// All keys, on the default instance.
  BinSort(keys_view keys, BinOp bins, bool sort_within_bins = false)
      : BinSort(exec_space{}, keys, bins, sort_within_bins)
  {}

  /// Finds the order of the keys. Called again where keys have changed.
  template <place_like Where>
  void create_permute_vector(Where const& where)
  {
    auto const place = on(where).or_named("BinSort");
    auto const ends  = as_sequence(ends_);
    auto const order = as_sequence(order_);
    onepass::detail::order_by_cell("BinSort", place, bins_of_keys<keys_view, BinOp>{keys_, bins_, first_, size_}, ends,
                                   counting<SizeType>{SizeType(first_), size_}, order);
    onepass::run_each(place.step(" (counts)"),
                      keys_of_bin<decltype(ends), decltype(as_sequence(counts_))>{ends, as_sequence(counts_)},
                      ends.size - 1, "BinSort", few_short_calls);
    if (sorts_bins_)
      onepass::detail::sort_segments_by_merging("BinSort", place, cargo{as_input(order_), nothing{}},
                                                cargo{order, nothing{}},
                                                offset_segments<decltype(as_input(ends_))>{as_input(ends_), size_},
                                                before_in_bin<keys_view, BinOp>{keys_, bins_});
  }
  /// The same on the default instance; waits.
  void create_permute_vector()
  {
    Kokkos::fence("onepass::BinSort: keys are read");
    create_permute_vector(exec_space{});
    exec_space{}.fence("onepass::BinSort: the permutation is there");
  }

  /// Puts values [first, last), one a key, into the order of the keys.
  template <place_like Where, class Values>
  void sort(Where const& where, Values const& values, int first, int last) const
  {
    if (values.extent(0) == 0) return;
    require(last - first == size_, "kokkos::BinSort: there are ", last - first, " values for ", size_,
            " keys; give one a key");
    require(0 <= first && last <= extent(values.extent(0)), "kokkos::BinSort: the values from ", first, " to ", last,
            " of ", values.extent(0), " are no range of the View; give one that is");
    auto const place = on(where).or_named("BinSort");
    order_from<decltype(as_input(order_))> const order{as_input(order_), first_, size_};
    if (first == 0 && extent(values.extent(0)) == size_) onepass::apply_permutation(place, order, values);
    else onepass::apply_permutation(place, order, rows(values, first, last));
  }
  /// The same on the default instance; waits.
  template <class Values>
  void sort(Values const& values, int first, int last) const
  {
    Kokkos::fence("onepass::BinSort: values are read");
    sort(exec_space{}, values, first, last);
    exec_space{}.fence("onepass::BinSort: values are there");
  }
  /// All values.
  template <place_like Where, class Values>
  void sort(Where const& where, Values const& values) const
  {
    sort(where, values, 0, int(size_));
  }
  /// All values, on the default instance; waits.
  template <class Values>
  void sort(Values const& values) const
  {
    sort(values, 0, int(size_));
  }

  /// Where each key of the order is among all keys.
  KOKKOS_FUNCTION offset_type get_permute_vector() const { return order_; }
  /// Where each bin begins in that order.
  KOKKOS_FUNCTION offset_type get_bin_offsets() const { return offsets_; }
  /// How many keys each bin has.
  KOKKOS_FUNCTION bin_count_type get_bin_count() const { return counts_; }

private:
  using counts_view = Kokkos::View<int*, Space>;

  static int number_of(keys_view const& keys)
  {
    require(keys.extent(0) <= std::size_t(Kokkos::Experimental::finite_max_v<int>), "kokkos::BinSort: there are ",
            keys.extent(0), " keys, more than an int counts; give a range of them");
    return int(keys.extent(0));
  }

  template <class Values>
  static auto rows(Values const& values, int first, int last)
  {
    std::pair<int, int> const range(first, last);
    if constexpr (Values::rank() == 1) return Kokkos::subview(values, range);
    else if constexpr (Values::rank() == 2) return Kokkos::subview(values, range, Kokkos::ALL);
    else return Kokkos::subview(values, range, Kokkos::ALL, Kokkos::ALL);
  }

  keys_view keys_;
  BinOp bins_;
  extent first_, size_;
  bool sorts_bins_;
  offset_type ends_, offsets_, order_;
  counts_view counts_;
};

}  // namespace onepass::ONEPASS_ABI::kokkos
