// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/calls.hpp>

namespace onepass::ONEPASS_ABI {

// clang-format off
template <class F, class T>
concept joins = requires(F const f, T& older, T const& newer) { f.join(older, newer); };
template <class F, class Tag, class T>
concept joins_by = requires(F const f, T& older, T const& newer) { f.join(Tag{}, older, newer); };
template <class F, class T>
concept inits = requires(F const f, T& value) { f.init(value); };
template <class F, class Tag, class T>
concept inits_by = requires(F const f, T& value) { f.init(Tag{}, value); };
// clang-format on

/// Calls of a functor of Kokkos with its tag, or without one where Tag is void.
template <class Functor, class Tag>
struct tagged {
#if defined(__GNUC__)  // functors that take an int of a policy of 64-bit indices are their authors' choice
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif
  template <class Index, class T>
  ONEPASS_FUNCTION static void call(Functor const& f, Index i, T& update, bool is_final)
  {
    if constexpr (std::is_void_v<Tag>) f(i, update, is_final);
    else f(Tag{}, i, update, is_final);
  }
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

  template <class T>
  static constexpr bool has_join = std::is_void_v<Tag> ? joins<Functor, T> : joins_by<Functor, Tag, T>;
  template <class T>
  static constexpr bool has_init = std::is_void_v<Tag> ? inits<Functor, T> : inits_by<Functor, Tag, T>;

  template <class T>
  ONEPASS_FUNCTION static void join(Functor const& f, T& older, T const& newer)
  {
    if constexpr (!has_join<T>) older += newer;
    else if constexpr (std::is_void_v<Tag>) f.join(older, newer);
    else f.join(Tag{}, older, newer);
  }

  /// The value that an update begins with.
  template <class T>
  ONEPASS_FUNCTION static T fresh([[maybe_unused]] Functor const& f)
  {
    T value{};
    if constexpr (has_init<T> && std::is_void_v<Tag>) f.init(value);
    else if constexpr (has_init<T>) f.init(Tag{}, value);
    return value;
  }
};

/// A functor's join as an operator. What an init makes can not be known without the functor, so it is not an identity.
template <class Functor, class Tag, class T>
struct functor_join {
  Functor const* functor;

  ONEPASS_FUNCTION T operator()(T const& older, T const& newer) const
  {
    T both = older;
    tagged<Functor, Tag>::join(*functor, both, newer);
    return both;
  }
  template <class>
    requires(!tagged<Functor, Tag>::template has_init<T>)
  ONEPASS_FUNCTION static constexpr T identity() { return T{}; }
};

/// The contract of Kokkos::parallel_scan, by a functor or a reference to one. A call that is not final, with a fresh
/// update, makes an item's contribution; the final call is given everything before the item. A thread that walks items
/// one after another lets them share an update, as Kokkos' own threads do.
template <class Held, class Tag, class Index, class T, int Reads>
struct functor_calls {
  using functor_type = std::remove_cvref_t<Held>;
  using value_type   = T;
  using tag          = tagged<functor_type, Tag>;
  using operation    = std::conditional_t<number<T> && !tag::template has_join<T> && !tag::template has_init<T>, plus,
                                       functor_join<functor_type, Tag, T>>;
  using algebra      = monoid<operation, T>;
  using aggregate    = typename algebra::type;
  using kept         = nothing;

  static constexpr int bytes_read = Reads;

  Held functor;
  Index begin;

  ONEPASS_FUNCTION operation combining() const
  {
    if constexpr (std::is_same_v<operation, plus>) return {};
    else return {&functor};
  }
  ONEPASS_FUNCTION aggregate first() const { return algebra::initial(); }
  ONEPASS_FUNCTION T make(extent i) const
  {
    T own = tag::template fresh<T>(functor);
    tag::call(functor, at(i), own, false);
    return own;
  }
  ONEPASS_FUNCTION T shown(aggregate const& before, T const&) const { return total(before); }
  ONEPASS_FUNCTION void use(extent i, T update) const { tag::call(functor, at(i), update, true); }
  ONEPASS_FUNCTION T total(aggregate const& all) const
  {
    if constexpr (algebra::complete) return all;
    else return all.present ? all.value : tag::template fresh<T>(functor);
  }

  ONEPASS_FUNCTION aggregate read(extent first, extent last, kept*) const
  {
    if (first == last) return algebra::identity();
    return algebra::lift(each<false>(first, last, tag::template fresh<T>(functor)));
  }
  ONEPASS_FUNCTION aggregate write(extent first, extent last, aggregate const& before, kept const*) const
  {
    return walk(first, last, before);
  }
  ONEPASS_FUNCTION aggregate walk(extent first, extent last, aggregate const& before) const
  {
    if (first == last) return before;
    return algebra::lift(each<true>(first, last, total(before)));
  }

private:
  /// Items [first, last) share an update. Of a functor that stays where it is there is a copy for many of them: what
  /// that holds is in registers, since no store of the user's code can change it.
  template <bool IsFinal>
  ONEPASS_FUNCTION T each(extent first, extent last, T const& update) const
  {
    constexpr extent many = 256;
    if constexpr (std::is_reference_v<Held>)
      if (last - first >= many) {
        walked_program<functor_type> own = functor;
        return each_by<IsFinal>(own, first, last, update);
      }
    return each_by<IsFinal>(functor, first, last, update);
  }
  template <bool IsFinal>
  ONEPASS_FUNCTION T each_by(functor_type const& f, extent first, extent last, T update) const
  {
    for (extent i = first; i < last; ++i) tag::call(f, at(i), update, IsFinal);
    return update;
  }
  ONEPASS_FUNCTION Index at(extent i) const { return static_cast<Index>(begin + static_cast<Index>(i)); }
};

}  // namespace onepass::ONEPASS_ABI
