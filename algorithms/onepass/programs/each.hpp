// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/calls.hpp>
#include <onepass/programs/scan.hpp>
#include <onepass/programs/select.hpp>

namespace onepass::ONEPASS_ABI {

/// Calls of a function that makes items, and of one that uses what is before each, or up to it.
template <scan_kind Kind, class T, class Op, class In, class Out>
struct each_calls {
  using value_type = T;
  using operation  = Op;
  using algebra    = monoid<Op, T>;
  using aggregate  = typename algebra::type;
  using kept       = T;

  static constexpr int bytes_read = 8;

  In in;
  Out out;
  Op op;
  given<T> init;
  bool has_init;

  ONEPASS_FUNCTION operation combining() const { return op; }
  ONEPASS_FUNCTION aggregate first() const
  {
    if (has_init) return algebra::lift(init());
    if constexpr (Kind == scan_kind::inclusive) return algebra::identity();
    else return algebra::initial();
  }
  ONEPASS_FUNCTION T make(extent i) const { return static_cast<T>(in(i)); }
  ONEPASS_FUNCTION T shown(aggregate const& before, T const& own) const
  {
    if constexpr (Kind == scan_kind::inclusive) return algebra::value(grown(before, own));
    else return algebra::value(before);
  }
  ONEPASS_FUNCTION void use(extent i, T const& result) const { out(i, result); }
  ONEPASS_FUNCTION T total(aggregate const& all) const { return algebra::value(all); }

  ONEPASS_FUNCTION aggregate read(extent first, extent last, T* keep) const
  {
    auto all = algebra::identity();
    for (extent i = first; i < last; ++i) {
      T const own     = make(i);
      keep[i - first] = own;
      all             = grown(all, own);
    }
    return all;
  }
  ONEPASS_FUNCTION aggregate write(extent first, extent last, aggregate before, T const* keep) const
  {
    for (extent i = first; i < last; ++i) before = handed_on(i, before, keep[i - first]);
    return before;
  }
  ONEPASS_FUNCTION aggregate walk(extent first, extent last, aggregate before) const
  {
    for (extent i = first; i < last; ++i) before = handed_on(i, before, make(i));
    return before;
  }

private:
  ONEPASS_FUNCTION aggregate grown(aggregate const& before, T const& own) const
  {
    return algebra{op}.combine(before, algebra::lift(own));
  }
  /// Uses what is before item i; returns what is before the next.
  ONEPASS_FUNCTION aggregate handed_on(extent i, aggregate const& before, T const& own) const
  {
    auto const through = grown(before, own);
    use(i, algebra::value(Kind == scan_kind::inclusive ? through : before));
    return through;
  }
};

/// What a predicate says of positions, as an input: it is asked by neighbouring threads for neighbouring positions.
template <class Predicate>
struct asked_positions {
  using value_type = std::uint8_t;

  Predicate predicate;
  extent size;

  ONEPASS_FUNCTION value_type operator()(extent i) const { return make(i); }
  ONEPASS_FUNCTION value_type make(extent i) const { return bool(predicate(i)); }

  template <int Items, class Team>
  ONEPASS_FUNCTION void stage_in(Team const& team, value_type* stage, extent first, int valid) const
  {
    detail::made_items<asked_positions>{this, size}.template stage_in<Items>(team, stage, first, valid);
  }
};

/// A sink, or a reference to one, as an output: it is called with what is assigned to a place.
template <class Sink>
struct sink_places {
  using value_type = extent;

  struct place {
    std::remove_reference_t<Sink> const* sink;
    extent at;
    ONEPASS_FUNCTION void operator=(extent i) const { (*sink)(i, at); }
  };

  Sink sink;
  extent size;

  ONEPASS_FUNCTION place operator()(extent at) const { return {&sink, at}; }
};

}  // namespace onepass::ONEPASS_ABI
