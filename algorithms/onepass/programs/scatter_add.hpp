// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_ranges.hpp>
#include <onepass/backends/run_relays.hpp>
#include <onepass/backends/run_sums.hpp>
#include <onepass/execution/fixed_tuning.hpp>
#include <onepass/execution/plain_parts.hpp>
#include <onepass/programs/chained_sums.hpp>
#include <onepass/programs/few_sums.hpp>
#include <onepass/programs/fixed_sums.hpp>
#include <onepass/programs/held_sums.hpp>
#include <onepass/programs/local_sums.hpp>
#include <onepass/programs/scatter.hpp>
#include <onepass/segmented.hpp>
#include <onepass/sort_by_cell.hpp>

namespace onepass::ONEPASS_ABI::detail {

// The ways of scatter_add: of integers there is one, floats take the first that their number, that of the rows and the
// backend allow. All of these give the same bits.

/// What adds values to the sums of the places that indices say.
template <class Values, class Indices, class Sums>
auto additions(Values const& values, Indices const& indices, Sums const& sums)
{
  if constexpr (has_wide_rows<Values>) {
    using places = indexed_positions<Indices>;
    using items  = items_by_rows<Values>;
    return add_program<places, items, Sums>{
        {indices, sums.out.size, values.width}, {values}, sums, indices.size * values.width};
  } else return add_program<Indices, Values, Sums>{indices, values, sums, indices.size};
}

/// scatter_add of integers.
template <class Where, class Values, class Indices, class Out>
void add_integers(Where const& where, Values const& values, Indices const& indices, Out const& out)
{
  integer_sums<Out> const sums{{out}};
  if (sums.size() > 0) onepass::run(where, detail::additions(values, indices, sums), "scatter_add");
}

/// scatter_add of few floats by one team of a device; false if they are more, or rows are too many to number.
template <class Where, class Values, class Indices, class Out>
bool add_few([[maybe_unused]] Where const& where, [[maybe_unused]] Values const& values,
             [[maybe_unused]] Indices const& indices, [[maybe_unused]] Out const& out)
{
  if constexpr (!has_relays<Where>) return false;
  else {
    using sums_type        = fixed_sums<Out, typename Values::value_type>;
    constexpr auto numbers = fixed_tuning_for<tuning_of<Where>>();
    auto const add =
        detail::additions(values, indices, sums_type(out, indices.size * items_of_row(out), nullptr, nullptr));
    if (add.size() > numbers.few || add.bins() >= extent(few_sums<decltype(add)>::none)) return false;
    if (add.size() > 0) onepass::run(where, few_sums<std::remove_const_t<decltype(add)>>{add}, "scatter_add");
    return true;
  }
}

/// Readies sums: memory is cleared, and a sample of values places their window.
template <class Place, class Values, class Sums>
void ready(Place const& place, Values const& values, Sums const& sums, std::byte* memory, std::size_t bytes)
{
  constexpr auto numbers = fixed_tuning_for<tuning_of<Place>>();
  ready_sums<Values, Sums, numbers.sample> const all{values, sums, reinterpret_cast<pack*>(memory),
                                                     extent(bytes / sizeof(pack))};
  onepass::run(place.step(" (clear)"), all, all.most(), "scatter_add");
}

/// What adds floats on devices if their indices are local, before others do. Takes memory behind `parts`.
template <class Where, class Values, class Indices, class Out>
class local_additions {
  static constexpr auto numbers = fixed_tuning_for<tuning_of<Where>>();

  using sums_type = local_sums<Out, typename Values::value_type>;
  using add_type  = decltype(detail::additions(std::declval<Values const&>(), std::declval<Indices const&>(),
                                               std::declval<sums_type const&>()));
  using finder    = find_local_parts<add_type, numbers.local_bits>;
  using adder     = add_local_parts<add_type, numbers.local_bits>;

public:
  local_additions(Values const& values, Indices const& indices, Out const& out, plain_parts& parts)
      : add_(detail::additions(values, indices, sums_type(out)))
  {
    extent const n = add_.size(), number = finder::parts_of(add_.bins());
    extent const room = finder::room_for(n, add_.bins());
    pays_             = n >= numbers.local && number >= numbers.local_parts && add_.bins() <= n * sparse_rows
            && room * finder::chunk <= sums_type::most && number < extent(1) << 31;
    if (!pays_) return;
    listed_ = parts.template add<std::uint32_t>(number * room);
    left_   = parts.template add<extent>(1);
    number_ = parts.template add<std::uint32_t>(number);
    end_    = parts.bytes();
  }

  /// Places the window, and returns how many values are left to add; null, and nothing is done, if it does not pay.
  template <class Place>
  extent const* queue(Place const& place, std::byte* memory, fixed_window* window) const
  {
    if (!pays_) return nullptr;
    auto add        = add_;
    add.sums.window = window;
    local_parts<add_type, numbers.local_bits> const parts{add, reinterpret_cast<extent*>(memory + left_),
                                                          reinterpret_cast<std::uint32_t*>(memory + number_),
                                                          reinterpret_cast<std::uint32_t*>(memory + listed_)};
    detail::ready(place, add.values(), add.sums, memory + left_, end_ - left_);
    onepass::run(place.step(" (look)"), finder{parts}, parts.chunks(), "scatter_add");
    onepass::run(place.step(" (local)"), adder{parts}, parts.parts(), "scatter_add");
    return parts.left;
  }

private:
  add_type add_;
  bool pays_;
  std::size_t listed_ = 0, left_ = 0, number_ = 0, end_ = 0;
};

/// scatter_add of floats, as fixed-point numbers in memory; false if there are too many of them, or of rows, or the
/// backend is not for devices.
template <class Where, class Values, class Indices, class Out>
bool add_in_memory(Where const& where, Values const& values, Indices const& indices, Out const& out)
{
  if constexpr (!adds_parts<Where>) return false;
  else {
    using sums_type        = chained_sums<Out, typename Values::value_type>;
    constexpr auto numbers = fixed_tuning_for<tuning_of<Where>>();
    extent const columns = items_of_row(out), bins = out.size * columns, n = indices.size * columns;
    if (n > (bins <= numbers.cached ? numbers.in_cache : numbers.in_memory) || bins > sums_type::most_bins)
      return false;
    if (n == 0 || bins == 0) return true;
    bool const sparse        = bins > n * sparse_rows;
    extent const slots       = sparse ? 3 * n + 1 : bins;  // so that nearly all are found at once
    extent const most_listed = n / sums_type::chained + 1;
    with_workspace(where, "scatter_add", [&](auto const& place, auto& scratch) {
      using program = decltype(detail::additions(values, indices, std::declval<sums_type const&>()));
      plain_parts parts(private_sum_bytes<program>(place, n, bins));
      auto const window = parts.template add<fixed_window>(1);
      local_additions<Where, Values, Indices, Out> const local(values, indices, out, parts);
      auto const listed         = parts.template add<std::uint32_t>(most_listed),
                 digits         = parts.template add<std::int64_t>(most_listed * sums_type::long_type::words),
                 values_chained = parts.template add<chained_value>(n);
      auto const words          = parts.template add<std::uint64_t>(2 * slots),
                 chains         = parts.template add<std::uint32_t>(slots),
                 owners         = parts.template add<std::uint32_t>(sparse ? slots : 0);
      std::byte* const memory   = scratch.plain(parts.bytes());
      sums_type sums(out, n);
      sums.window    = reinterpret_cast<fixed_window*>(memory + window);
      sums.slots     = slots;
      sums.owner     = sparse ? reinterpret_cast<std::uint32_t*>(memory + owners) : nullptr;
      sums.word      = reinterpret_cast<std::uint64_t*>(memory + words);
      sums.chain     = reinterpret_cast<std::uint32_t*>(memory + chains);
      sums.values    = reinterpret_cast<chained_value*>(memory + values_chained);
      sums.listed    = reinterpret_cast<std::uint32_t*>(memory + listed);
      sums.digit     = reinterpret_cast<std::int64_t*>(memory + digits);
      sums.left      = local.queue(place, memory, sums.window);
      auto const add = detail::additions(values, indices, sums);
      detail::ready(place, add.values(), sums, memory + words, parts.bytes() - words);
      onepass::run(place, add, "scatter_add");
      onepass::run(place.step(" (round)"), finish_chained_sums<sums_type>{sums}, slots, "scatter_add");
      finish_rest<std::remove_const_t<program>> const rest{add};
      onepass::run(place.step(" (digits)"), rest, rest.most(), "scatter_add");
    });
    return true;
  }
}

/// scatter_add of floats into few rows, as fixed-point numbers; false if they are too many, or values too few.
template <class Where, class Values, class Indices, class Out>
bool add_fixed(Where const& where, Values const& values, Indices const& indices, Out const& out)
{
  using sums_type        = fixed_sums<Out, typename Values::value_type>;
  using program          = decltype(detail::additions(values, indices, std::declval<sums_type const&>()));
  constexpr auto numbers = fixed_tuning_for<tuning_of<Where>>();
  extent const columns   = items_of_row(out);
  extent const bins = out.size * columns, n = indices.size * columns;
  if (bins == 0 || n < numbers.from || n > sums_type::most_items || n < bins * numbers.items_each
      || bins > private_sums(where, sums_type::words))
    return false;
  with_workspace(where, "scatter_add", [&](auto const& place, auto& scratch) {
    plain_parts parts(private_sum_bytes<program>(place, n, bins));
    auto const where_to     = parts.template add<fixed_window>(1);
    auto const words        = parts.template add<std::uint32_t>(bins * sums_type::words),
               digits       = parts.template add<std::int64_t>(bins * sums_type::long_type::words),
               added        = parts.template add<std::uint32_t>(bins);
    std::byte* const memory = scratch.plain(parts.bytes());
    sums_type sums(out, n, reinterpret_cast<fixed_window*>(memory + where_to),
                   reinterpret_cast<std::uint32_t*>(memory + words));
    sums.digit     = reinterpret_cast<std::int64_t*>(memory + digits);
    sums.added     = reinterpret_cast<std::uint32_t*>(memory + added);
    auto const add = detail::additions(values, indices, sums);
    detail::ready(place, add.values(), sums, memory + words, parts.bytes() - words);
    onepass::run(place, add, "scatter_add");
    onepass::run_each(place.step(" (round)"), finish_fixed_sums<sums_type>{sums}, bins, "");
  });
  return true;
}

/// scatter_add of floats into many rows, as fixed-point numbers: one or two passes of a sort bring the values to the
/// order of parts, whose rows lie in a team's memory. False if the backend does not do that, or values are too few.
template <class Where, class Values, class Indices, class Out>
bool add_in_parts(Where const& where, Values const& values, Indices const& indices, Out const& out)
{
  if constexpr (has_wide_rows<Values> || !adds_parts<Where>) return false;
  else {
    using index            = typename Indices::value_type;
    using value            = typename Values::value_type;
    using sums_type        = fixed_sums<Out, value, true>;
    using program          = add_parts_program<contiguous<index const>, contiguous<value const>, sums_type>;
    constexpr auto numbers = fixed_tuning_for<tuning_of<Where>>();
    extent const n = indices.size, rows = out.size;
    if (rows < 2 || n < numbers.from || n > sums_type::most_items || n < rows) return false;
    int const all  = std::min(int(std::bit_width(std::uint64_t(rows - 1))), std::numeric_limits<index>::digits),
              most = int(std::bit_width(std::uint64_t(bins_of_part(where, sums_type::words)))) - 1,
              one = std::max(all - numbers.part_bits, 0), low = one <= most ? one : std::max(most - 1, 0);
    if (most < 0 || all - low > 2 * numbers.part_bits) return false;
    with_workspace(where, "scatter_add", [&](auto const& place, auto& scratch) {
      sort_program<Indices, contiguous<index>, Values, contiguous<value>, unchanged> sort{
          indices, {nullptr, n}, values, {nullptr, n}, {}, false, false, low, all};
      plain_parts parts(std::max(private_order_bytes(place, sort, n), private_sum_bytes<program>(place, n, rows)));
      auto const keys = parts.template add<index>(n), order = parts.template add<value>(n),
                 words  = parts.template add<std::uint32_t>(rows * sums_type::words);
      auto const window = parts.template add<fixed_window>(1);
      local_additions<Where, Values, Indices, Out> const local(values, indices, out, parts);
      auto const open         = parts.template add<std::uint32_t>(extent(1) << (all - low));
      std::byte* const memory = scratch.plain(parts.bytes());
      sort.out.data           = reinterpret_cast<index*>(memory + keys);
      sort.companions_out     = {reinterpret_cast<value*>(memory + order), n};
      sums_type sums(out, n, reinterpret_cast<fixed_window*>(memory + window),
                     reinterpret_cast<std::uint32_t*>(memory + words));
      sums.open      = reinterpret_cast<std::uint32_t*>(memory + open);
      sums.part_bits = low;
      if constexpr (has_counted_orders<Where>) {
        reserve_for_order(place, sort, counted_items<false>{{n, nullptr}}, scratch);
        sums.left = local.queue(place, memory, sums.window);
      }
      program const add{{{sort.out.data, n}, {sort.companions_out.data, n}, sums, n}, low, all - low};
      detail::ready(place, values, sums, memory + open, parts.bytes() - open);
      if constexpr (has_counted_orders<Where>)
        onepass::run(place.step(" (parts)"), sort, counted_items<false>{{n, sums.left}}, "scatter_add");
      else onepass::run(place.step(" (parts)"), sort, item_count{n}, "scatter_add");
      onepass::run(place, add, "scatter_add");
      finish_open_parts<program> const rest{add};
      onepass::run(place.step(" (digits)"), rest, rest.most(), "scatter_add");
    });
    return true;
  }
}

/// So many rows at most can be numbered from 1 on.
inline constexpr extent most_owned = std::numeric_limits<std::uint32_t>::max();

/// scatter_add of floats by the calling thread of a host, where that takes less than a sort; false if not, or if a sum
/// is not held.
template <class Where, class Values, class Indices, class Out>
bool add_alone([[maybe_unused]] Where const& where, [[maybe_unused]] Values const& values,
               [[maybe_unused]] Indices const& indices, [[maybe_unused]] Out const& out)
{
  if constexpr (!returns_finished<Where>) return false;
  else {
    constexpr auto numbers = fixed_tuning_for<tuning_of<Where>>();
    extent const columns = items_of_row(out), n = indices.size * columns;
    bool const hashes =
        out.size * columns > numbers.met && out.size > indices.size * sparse_rows && out.size <= most_owned;
    extent const slots = hashes ? 2 * indices.size + 1 : out.size, items = slots * columns;
    bool const gains = has_wide_rows<Out> || items <= numbers.held || n >= items * numbers.items_each;
    if (n > numbers.alone && !(gains && instance_of(where).concurrency() <= numbers.helpers)) return false;
    bool const may_be_triples = n <= numbers.alone;
    plain_parts parts;
    auto const sums = may_be_triples ? parts.template add<held_sum>(items) : parts.template add<held_pair>(items),
               rows = parts.template add<std::uint32_t>(hashes ? slots : 0);
    bool held       = false;
    with_plain_memory(where, "scatter_add", parts.bytes(), [&](std::byte* memory) {
      auto* const owners = hashes ? reinterpret_cast<std::uint32_t*>(memory + rows) : nullptr;
      if (hashes) std::fill_n(owners, slots, 0u);
      auto const hold = [&]<class Sum>(Sum* first) {
        return add_to_held_sums<Sum, Indices, Values, Out>{indices, values, out, first, owners, slots}();
      };
      static_assert(sizeof(held_pair) <= sizeof(held_sum));
      held = hold(reinterpret_cast<held_pair*>(memory + sums))
             || (may_be_triples && hold(reinterpret_cast<held_sum*>(memory + sums)));
    });
    return held;
  }
}

/// scatter_add of floats: the values in the order of their indices, then exact sums of those of each.
template <class Where, class Values, class Indices, class Out>
void add_in_order(Where const& where, Values const& values, Indices const& indices, Out const& out)
{
  using index    = typename Indices::value_type;
  using moved    = std::conditional_t<has_wide_rows<Values>, counting<std::uint32_t>, Values>;
  using value    = typename moved::value_type;
  using offset   = std::uint32_t;
  extent const n = indices.size, number = out.size;
  extent const columns = items_of_row(out);
  if (n == 0 || number * columns == 0) return;
  require(n < extent(1) << 32, "scatter_add: there are ", n, " values; add fewer than 2^32 at a time");
  with_workspace(where, "scatter_add", [&](auto const& place, auto& scratch) {
    using program     = sort_program<Indices, contiguous<index>, moved, contiguous<value>, unchanged>;
    auto const travel = [&] {
      if constexpr (has_wide_rows<Values>) return moved{0, n};
      else return values;
    }();
    int const bits =
        std::min(std::max(1, int(std::bit_width(std::uint64_t(number - 1)))), std::numeric_limits<index>::digits);
    program sort{indices, {nullptr, n}, travel, {nullptr, n}, {}, false, false, 0, bits};
    plain_parts parts(private_order_bytes(place, sort, n));
    auto const keys = parts.template add<index>(n), order = parts.template add<value>(n),
               begins       = parts.template add<offset>(number + 1),
               made         = parts.template add<typename Out::value_type>(number * columns);
    std::byte* const memory = scratch.plain(parts.bytes());
    sort.out.data           = reinterpret_cast<index*>(memory + keys);
    sort.companions_out     = {reinterpret_cast<value*>(memory + order), n};
    contiguous<offset> const offsets{reinterpret_cast<offset*>(memory + begins), number + 1};
    onepass::run(place.step(" (sort)"), sort, item_count{n}, "scatter_add");
    find_offsets(place.step(" (offsets)"), contiguous<index const>{sort.out.data, n}, {n}, offsets, "scatter_add");

    contiguous<value const> const ordered{sort.companions_out.data, n};
    repeated_offsets<contiguous<offset const>> const bounds{{offsets.data, number + 1}, n, columns};
    auto const add = [&](auto const& items) {
      using items_type  = std::remove_cvref_t<decltype(items)>;
      using bounds_type = std::remove_cvref_t<decltype(bounds)>;
      using sums_type   = added_sums<bounds_type, Out>;
      using term        = exact_number<unchanged>;
      sums_type const sums{bounds, out, reinterpret_cast<typename Out::value_type*>(memory + made)};
      segments<bounds_type> const all{bounds, item_count{extent(bounds.size)}};
      reduce_segments<held_sum>(place.step(" (add)"), items, all, sums, hold_plus{},
                                given<held_sum>{held_sum(0.0), nullptr}, true);
      onepass::run(place.step(" (digits)"),
                   make_sums_anew<items_type, term, open_added_sums<bounds_type, Out>>{items, {}, {sums}}, sums.size,
                   "scatter_add");
    };
    if constexpr (has_wide_rows<Values>) add(permuted_columns<contiguous<value const>, Values>{ordered, values});
    else add(ordered);
  });
}

}  // namespace onepass::ONEPASS_ABI::detail
