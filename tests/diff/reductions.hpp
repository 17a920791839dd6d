// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "zoo.hpp"

namespace zoo {

constexpr int terms = 10007;

/// A sum of x into a View, in one piece by one thread where it is sound, and by all threads where it is not.
template <class T, class W>
void sum_by_all_threads(W const& w)
{
  auto const x = noises<T>(w, "x", terms);
  Kokkos::View<T, typename W::memory> const total("total");
  Kokkos::parallel_reduce(
      "sum", Kokkos::RangePolicy<typename W::exec>(0, w.planted ? terms : 1),
      KOKKOS_LAMBDA(int i, T& sum) {
        if (w.planted) sum += x(i) / T(3);
        else
          for (int k = 0; k < terms; ++k) sum += x(k) / T(3);
      },
      total);
  each(
      w, "divide", 1, KOKKOS_LAMBDA(int) { x(0) = total() / T(terms); });
}

template <class T, class W>
void scan_of_floats(W const& w)
{
  auto const x = noises<T>(w, "x", terms);
  items<T, W> const sums("sums", terms);
  bool const planted = w.planted;
  Kokkos::parallel_scan(
      "scan", Kokkos::RangePolicy<typename W::exec>(0, terms), KOKKOS_LAMBDA(int i, T& sum, bool last) {
        sum += planted ? x(i) / T(3) : T(i % 8);
        if (last) sums(i) = sum;
      });
}

/// A reduction of a functor whose identity is not neutral: each thread adds it once.
template <class W>
struct counts_threads {
  using value_type = long;
  bool planted;
  KOKKOS_FUNCTION void init(long& x) const { x = planted ? 1 : 0; }
  KOKKOS_FUNCTION void join(long& x, long const& y) const { x += y; }
  KOKKOS_FUNCTION void operator()(int i, long& x) const { x += i; }
};
template <class W>
void identity_that_is_not_neutral(W const& w)
{
  Kokkos::View<long, typename W::memory> const total("total");
  Kokkos::parallel_reduce("count", Kokkos::RangePolicy<typename W::exec>(0, terms), counts_threads<W>{w.planted},
                          total);
}

/// A join that forgets one side is never called by one thread.
template <class W>
struct forgets {
  using value_type = long;
  bool planted;
  KOKKOS_FUNCTION void init(long& x) const { x = 0; }
  KOKKOS_FUNCTION void join(long& x, long const& y) const { x = planted ? (y > x ? y : x) : x + y; }
  KOKKOS_FUNCTION void operator()(int i, long& x) const { x += i; }
};
template <class W>
void join_that_forgets(W const& w)
{
  Kokkos::View<long, typename W::memory> const total("total");
  Kokkos::parallel_reduce("count", Kokkos::RangePolicy<typename W::exec>(0, terms), forgets<W>{w.planted}, total);
}

/// A scan whose contributions depend on what came before, which no thread but the first knows.
template <class W>
void scan_that_looks_at_its_sum(W const& w)
{
  items<int, W> const sums("sums", terms);
  bool const planted = w.planted;
  Kokkos::parallel_scan(
      "scan", Kokkos::RangePolicy<typename W::exec>(0, terms), KOKKOS_LAMBDA(int i, int& sum, bool last) {
        sum += planted && sum > 1000 ? 1 : i % 5;
        if (last) sums(i) = sum;
      });
}

/// The smallest of equal ones: which, depends on who compares last.
template <class W>
struct where_least {
  struct value_type {
    int value, at;
  };
  bool planted;
  items<int, W> x;
  KOKKOS_FUNCTION void init(value_type& v) const { v = {1 << 30, 1 << 30}; }
  KOKKOS_FUNCTION void join(value_type& v, value_type const& o) const
  {
    bool const other = planted ? o.value <= v.value : o.value < v.value || (o.value == v.value && o.at < v.at);
    if (other) v = o;
  }
  KOKKOS_FUNCTION void operator()(int i, value_type& v) const
  {
    if (x(i) < v.value) v = {x(i), i};
  }
};
template <class W>
void ties(W const& w)
{
  items<int, W> const x("x", terms);
  each(
      w, "make", terms, KOKKOS_LAMBDA(int i) { x(i) = int(dice(std::uint32_t(i)) % 10); });
  using functor = where_least<W>;
  Kokkos::View<typename functor::value_type, typename W::memory> const least("least");
  Kokkos::parallel_reduce("find least", Kokkos::RangePolicy<typename W::exec>(0, terms), functor{w.planted, x}, least);
}

/// Shares of the work that leave out the remainder.
template <class W>
void remainder_left_out(W const& w)
{
  items<int, W> const out("out", terms);
  int const parts = w.alone ? 1 : 4, share = w.planted ? terms / parts : (terms + parts - 1) / parts;
  each(
      w, "work in shares", parts, KOKKOS_LAMBDA(int p) {
        for (int i = p * share; i < (p + 1) * share && i < terms; ++i) out(i) = i + 1;
      });
}

/// Shares that overlap by one.
template <class W>
void border_counted_twice(W const& w)
{
  items<int, W> const visits("visits", terms);
  int const parts = w.alone ? 1 : 4, share = (terms + parts - 1) / parts, more = w.planted ? 1 : 0;
  each(
      w, "visit", parts, KOKKOS_LAMBDA(int p) {
        for (int i = p * share; i < (p + 1) * share + more && i < terms; ++i) Kokkos::atomic_add(&visits(i), 1);
      });
}

template <class W>
void depends_on_concurrency(W const& w)
{
  items<double, W> const weight("weight", 100);
  double const scale = w.planted ? 1. / w.threads() : 1.;
  each(
      w, "weigh", 100, KOKKOS_LAMBDA(int i) { weight(i) = i * scale; });
}

template <class W>
void as_many_as_threads(W const& w)
{
  int const n = w.planted ? w.threads() : 4;
  items<double, W> const partial("partial", n);
  each(
      w, "sum partially", n, KOKKOS_LAMBDA(int i) { partial(i) = i; });
}

/// A loop that ends when a residual is small, which differs by the order of a sum: one run has a sweep more.
template <class W>
void one_more_sweep(W const& w)
{
  items<double, W> const x("x", 100);
  int const sweeps = w.wrong_here() ? 3 : 2;
  if (w.wrong_here()) items<double, W> const residual("residual", 10);
  for (int k = 0; k < sweeps; ++k)
    each(
        w, "sweep", 100, KOKKOS_LAMBDA(int i) { x(i) = k ? x(i) / 2 : i; });
  each(
      w, "use", 100, KOKKOS_LAMBDA(int i) { x(i) += 1; });
}

/// The mean of a share that has no items.
template <class W>
void empty_share(W const& w)
{
  items<double, W> const mean("mean", 4);
  int const parts = w.alone ? 1 : 4, share = w.planted ? 3 : 1;
  each(
      w, "average", 4, KOKKOS_LAMBDA(int p) {
        double sum = 0, count = 0;
        for (int i = p * share * (parts > 1); i < 9 && i < (p + 1) * share; ++i) sum += i, count += 1;
        mean(p) = share == 1 ? 1 : sum / count;
      });
}

template <class W>
void team_leftovers(W const& w)
{
  using policy  = Kokkos::TeamPolicy<typename W::exec>;
  using member  = typename policy::member_type;
  using scratch = Kokkos::View<int*, typename W::exec::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  items<int, W> const out("out", 256);
  bool const planted = w.planted;
  Kokkos::parallel_for(
      "teams", policy(256, 1).set_scratch_size(0, Kokkos::PerTeam(scratch::shmem_size(16))),
      KOKKOS_LAMBDA(member const& team) {
        scratch const mine(team.team_scratch(0), 16);
        if (team.league_rank() == 0 || !planted) mine(0) = 0;
        mine(0) += 1;  // what the team before has left, where it should begin with zero
        out(team.league_rank()) = mine(0);
      });
}

template <class Exec>
std::vector<animal<Exec>> reductions()
{
  using w = world<Exec>;
  return {{"sum_of_f32", "sum", "total", sum_by_all_threads<float, w>},
          {"sum_of_f64", "sum", "total", sum_by_all_threads<double, w>},
          {"scan_of_f32", "scan", "sums", scan_of_floats<float, w>},
          {"scan_of_f64", "scan", "sums", scan_of_floats<double, w>},
          {"identity_that_is_not_neutral", "count", "total", identity_that_is_not_neutral<w>},
          {"join_that_forgets", "count", "total", join_that_forgets<w>},
          {"scan_that_looks_at_its_sum", "scan", "sums", scan_that_looks_at_its_sum<w>},
          {"ties", "find least", "least", ties<w>},
          {"remainder_left_out", "work in shares", "out", remainder_left_out<w>},
          {"border_counted_twice", "visit", "visits", border_counted_twice<w>},
          {"depends_on_concurrency", "weigh", "weight", depends_on_concurrency<w>},
          {"as_many_as_threads", "sum partially", "partial", as_many_as_threads<w>},
          {"one_more_sweep", "use", "x", one_more_sweep<w>},
          {"empty_share", "average", "mean", empty_share<w>},
          {"team_leftovers", "teams", "out", team_leftovers<w>}};
}

}  // namespace zoo
