// SPDX-License-Identifier: Apache-2.0
// A user's namespace may have functions of any name, and of any arguments: calls of the library do not find them by way
// of the user's items, operators and functors. Each such function is deleted, so whoever finds one does not compile.
#include <onepass/backends/run_canonical_tiles.hpp>
#include <onepass/kokkos.hpp>
#include <onepass/onepass.hpp>

namespace user {

// clang-format off
#define TAKEN(name) template <class... Any> int name(Any&&...) = delete;
TAKEN(run) TAKEN(run_each) TAKEN(run_in_team) TAKEN(run_on_team) TAKEN(first) TAKEN(on) TAKEN(launch) TAKEN(require)
TAKEN(apply) TAKEN(wait) TAKEN(count_of) TAKEN(as_input) TAKEN(as_sequence) TAKEN(footprint_of) TAKEN(with)
TAKEN(store) TAKEN(load) TAKEN(copy) TAKEN(fold) TAKEN(combine) TAKEN(merge) TAKEN(sort) TAKEN(select) TAKEN(find)
TAKEN(reduce) TAKEN(transform_reduce) TAKEN(scan) TAKEN(read_only) TAKEN(min) TAKEN(max) TAKEN(swap) TAKEN(move)
TAKEN(forward) TAKEN(begin) TAKEN(end) TAKEN(size) TAKEN(data) TAKEN(get) TAKEN(process) TAKEN(visit) TAKEN(invoke)
TAKEN(call) TAKEN(bind) TAKEN(execute) TAKEN(exchange) TAKEN(check) TAKEN(each) TAKEN(publish) TAKEN(put) TAKEN(take)
TAKEN(add) TAKEN(step) TAKEN(cast) TAKEN(convert) TAKEN(clamp) TAKEN(named) TAKEN(resolved) TAKEN(instance_of)
TAKEN(in_memory) TAKEN(write) TAKEN(read) TAKEN(walk) TAKEN(upsweep) TAKEN(downsweep) TAKEN(lookback) TAKEN(emit)
TAKEN(with_input)
TAKEN(gather) TAKEN(scatter) TAKEN(histogram) TAKEN(filter) TAKEN(partition) TAKEN(count) TAKEN(permute)
TAKEN(portably) TAKEN(serially) TAKEN(fill) TAKEN(move_all) TAKEN(copy_n) TAKEN(fetch) TAKEN(at) TAKEN(select_if)
TAKEN(draw) TAKEN(sum) TAKEN(total) TAKEN(digits) TAKEN(digit_of) TAKEN(key_code) TAKEN(key_digit) TAKEN(merge_sort)
TAKEN(radix_sort) TAKEN(radix_sort_by_key) TAKEN(merge_sort_by_key) TAKEN(tell) TAKEN(unrolled) TAKEN(loop)
TAKEN(for_each) TAKEN(transform) TAKEN(make_rows) TAKEN(row_of) TAKEN(stage) TAKEN(stage_in) TAKEN(concat)
TAKEN(finish) TAKEN(queue) TAKEN(run_in_pieces) TAKEN(run_canonical_items) TAKEN(copy_items) TAKEN(spread)
TAKEN(part_of) TAKEN(count_if) TAKEN(code) TAKEN(lift) TAKEN(scatter_add) TAKEN(add_exactly) TAKEN(reduce_exactly)
TAKEN(steps_of) TAKEN(additions) TAKEN(segmented_reduce)
TAKEN(reduce_by_key) TAKEN(dot) TAKEN(ready) TAKEN(require_room) TAKEN(require_values) TAKEN(require_no_overlap)
TAKEN(require_apart) TAKEN(require_disjoint) TAKEN(require_result_apart) TAKEN(require_single_pass_in_place)
TAKEN(require_init_apart) TAKEN(require_index) TAKEN(require_offsets) TAKEN(require_on_device) TAKEN(with_result)
TAKEN(with_workspace)
#undef TAKEN
    // clang-format on

    struct item {
  int k;
  float x;
  friend bool operator==(item const&, item const&) = default;
};
struct pred {
  bool operator()(item const& a) const { return a.k > 0; }
};
struct op {
  item operator()(item const& a, item const& b) const { return {a.k + b.k, a.x}; }
};
struct less_t {
  bool operator()(item const& a, item const& b) const { return a.k < b.k; }
};
struct fn {
  item operator()(item const& a) const { return a; }
};
struct key_f {
  int operator()(item const& a) const { return a.k; }
};
struct dec {
  auto operator()(item const& a) const { return onepass::key_parts(a.k, a.x); }
};
struct eq {
  bool operator()(item const& a, item const& b) const { return a.k == b.k; }
};
struct make_f {
  item operator()(onepass::extent i) const { return {int(i), 0}; }
};
struct use_f {
  void operator()(onepass::extent, item const&) const {}
};
struct use2 {
  void operator()(onepass::extent, onepass::extent) const {}
};
struct ipred {
  bool operator()(onepass::extent i) const { return i > 2; }
};
enum class color : unsigned char { a, b };
struct scanner {
  using value_type = item;
  void operator()(int, item& u, bool) const { u.k += 1; }
  void join(item& a, item const& b) const { a.k += b.k; }
};
struct seq {
  using value_type = item;
  onepass::extent size;
  item operator()(onepass::extent i) const { return {int(i), 0}; }
};
template <class T>
struct counting_up {
  using value_type = T;
  onepass::extent size;
  T operator()(onepass::extent i) const { return T(i); }
};
struct floats : counting_up<float> {};
struct integers : counting_up<int> {};
struct number {
  float operator()(item const& a) const { return a.x; }
};
}  // namespace user
template <class T>
using V = Kokkos::View<T*>;
using user::item;
template <class Where>
void all(Where const& e)
{
  using namespace onepass;
  V<item> a, b, c, d;
  V<int> i, j;
  V<extent> off;
  Kokkos::View<extent> n;
  extent m;
  item t;
  V<user::color> col, col2;
  V<float> f;
  Kokkos::View<item> t0;
  onepass::exclusive_scan(e, a, b, user::op{}, item{}, t);
  onepass::exclusive_scan(e, user::seq{3}, b, user::op{}, t0, t0);
  onepass::inclusive_scan(e, onepass::first(a, n), b, user::op{});
  onepass::transform_exclusive_scan(e, a, b, user::fn{}, user::op{}, item{}, t);
  onepass::transform_inclusive_scan(e, a, b, user::fn{}, user::op{}, item{}, t);
  onepass::transform_reduce(e, a, t, user::fn{}, user::op{}, item{});
  onepass::reduce(e, a, t, user::op{}, item{});
  onepass::reduce(e, user::seq{3}, t0, user::op{}, t0);
  onepass::select_if(e, a, b, m, user::pred{});
  onepass::select_if(e, onepass::first(a, n), b, n, user::pred{});
  onepass::select_flagged(e, a, i, b, m);
  onepass::select_indices(e, a, i, m, user::pred{});
  onepass::partition_if(e, a, b, c, m, user::pred{});
  onepass::partition_if_into_one(e, a, b, m, user::pred{});
  onepass::partition_three_way(e, a, b, c, d, i, user::key_f{});
  onepass::partition_by_key(e, a, b, i, user::key_f{});
  onepass::unique(e, a, b, m, user::eq{});
  onepass::unique(e, a, b, m);
  onepass::unique_by_key(e, a, b, c, d, m);
  onepass::unique(e, onepass::zip(a, i), onepass::zip(b, j), m);
  onepass::run_length_encode(e, a, b, i, m);
  onepass::non_trivial_runs(e, a, i, j, m);
  onepass::run_length_decode(e, a, i, b, m);
  onepass::reduce_by_key(e, a, b, c, d, m, user::op{});
  onepass::exclusive_scan_by_key(e, a, b, c, user::op{}, item{});
  onepass::inclusive_scan_by_key(e, a, b, c, user::op{});
  onepass::segmented_reduce(e, a, off, b, user::op{}, item{});
  onepass::exclusive_segmented_scan(e, a, off, b, user::op{}, item{});
  onepass::inclusive_segmented_scan(e, a, off, b, user::op{});
  Kokkos::View<item**> aa, bb;
  onepass::reduce_rows(e, aa, b, user::op{}, item{});
  onepass::exclusive_scan(e, aa, bb, user::op{}, item{});
  onepass::radix_sort(e, a, b, {}, user::dec{});
  onepass::radix_sort(e, a, {}, user::dec{});
  onepass::radix_sort(e, col, col2);
  onepass::radix_sort_by_key(e, col, a, col2, b);
  onepass::radix_sort_by_key(e, a, b, {}, user::dec{});
  onepass::argsort(e, a, i, {}, user::dec{});
  onepass::merge_sort(e, a, b, user::less_t{});
  onepass::merge_sort_by_key(e, a, b, c, d, user::less_t{});
  onepass::merge(e, a, b, c, user::less_t{});
  onepass::merge_by_key(e, a, a, b, b, c, d, user::less_t{});
  onepass::lower_bound(e, a, b, i, user::less_t{});
  onepass::upper_bound(e, a, b, i, user::less_t{});
  onepass::find_if(e, a, m, user::pred{});
  bool yes;
  onepass::all_of(e, a, yes, user::pred{});
  onepass::count_if(e, a, m, user::pred{});
  onepass::min_element(e, a, m, user::less_t{});
  onepass::minmax_element(e, a, m, m, user::less_t{});
  onepass::histogram(e, a, i, user::key_f{});
  onepass::adjacent_difference(e, a, b, user::op{});
  onepass::gather(e, a, i, b);
  onepass::scatter(e, a, i, b);
  onepass::apply_permutation(e, i, a);
  onepass::apply_permutation(e, i, std::tuple(a), std::tuple(b));
  onepass::sort_by_cell(e, i, off, j);
  onepass::segmented_sort(e, col, col2, off);
  onepass::top_k(e, col, 3, col2, i);
  user::color ck;
  onepass::select_kth(e, col, 3, ck);
  onepass::scan_each(e, 5, user::make_f{}, user::use_f{}, user::op{}, item{}, t);
  onepass::inclusive_scan_each(e, 5, user::make_f{}, user::use_f{}, user::op{});
  onepass::select_each(e, 5, user::ipred{}, user::use2{}, m);
}

template <class Where>
void numbers(Where const& e)
{
  V<item> a, b;
  V<int> i, j;
  V<float> f;
  V<onepass::extent> off;
  float sum;
  int whole;
  onepass::transform_reduce(e, a, sum, user::number{});
  onepass::reduce(e, user::floats{3}, sum);
  onepass::reduce(e, user::integers{3}, whole);
  onepass::dot(e, user::floats{3}, user::floats{3}, sum);
  onepass::dot(e, user::integers{3}, user::integers{3}, whole);
  onepass::segmented_reduce(e, user::floats{3}, off, f);
  onepass::reduce_by_key(e, a, user::floats{3}, b, f, whole);
  onepass::scatter_add(e, user::floats{3}, i, f);
  onepass::scatter_add(e, user::integers{3}, i, j);
}

struct body {
  V<item> a, b;
  V<float> f;
  KOKKOS_FUNCTION void operator()(Kokkos::TeamPolicy<>::member_type const& m) const
  {
    auto const h = onepass::in_team(m, 10000);
    item t;
    onepass::extent n;
    onepass::inclusive_scan(h, a, b, user::op{}, item{}, t);
    onepass::reduce(h, a, t, user::op{}, item{});
    onepass::transform_reduce(h, a, t, user::fn{}, user::op{}, item{});
    onepass::select_if(h, a, b, n, user::pred{});
    onepass::merge_sort(h, a, b, user::less_t{});
    onepass::radix_sort(h, a, {}, user::dec{});
    onepass::radix_sort_by_key(h, a, b, {}, user::dec{});
    onepass::scan_each(h, 5, user::make_f{}, user::use_f{}, user::op{}, item{}, t);
    onepass::select_each(h, 5, user::ipred{}, user::use2{}, n);
  }
};
void kk()
{
  namespace KE = onepass::kokkos;
  V<item> a, b;
  Kokkos::DefaultExecutionSpace e;
  KE::reduce(e, a, item{}, user::op{});
  KE::copy_if(e, a, b, user::pred{});
  KE::remove_if(e, a, user::pred{});
  KE::unique(e, a);
  KE::exclusive_scan(e, a, b, item{}, user::op{});
  KE::inclusive_scan("x", e, KE::begin(a), KE::end(a), KE::begin(b), user::op{});
  KE::find(e, a, item{});
  KE::count(e, a, item{});
  KE::sort(e, a, user::less_t{});
  KE::min_element(e, a, user::less_t{});
  KE::partition_copy(e, a, b, b, user::pred{});
  KE::adjacent_difference(e, a, b, user::op{});
  KE::transform_reduce(e, a, item{}, user::op{}, user::fn{});
}
void f()
{
  Kokkos::parallel_for("x", Kokkos::TeamPolicy<>(1, 1), body{});

  Kokkos::DefaultExecutionSpace x;
  all(x);
  numbers(x);
  numbers(onepass::exactly(x));
  using of_ranks = onepass::scan_program<onepass::scan_kind::total_only, user::floats, onepass::nothing, float,
                                         onepass::plus, onepass::unchanged>;
  float sum;
  of_ranks const program{user::floats{3}, {}, {onepass::plus{}}, {}, {}, false, &sum};
  of_ranks::aggregate_type of_tile;
  onepass::canonical_totals(onepass::canonically(x), program, 3, &of_tile);
  all(onepass::canonically(x));
  all(onepass::portably(x));
  all(onepass::serially());
  onepass::parallel_scan("s", 5, user::scanner{});
  item t;
  onepass::parallel_scan("s", Kokkos::RangePolicy<>(0, 5), user::scanner{}, t);
}
