// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "measure.hpp"

// What the families of compactions share: their inputs, and outputs whose length depends on the data.
namespace tools {

inline constexpr u32 percents[] = {0, 1, 50, 99, 100};
inline constexpr u64 means[]    = {1, 32, 500};
inline std::string of_mean(u64 mean) { return "run " + std::to_string(mean); }

/// Keeps about `percent` percent of the items.
struct keep_percent {
  u32 percent;

  template <class T>
  ONEPASS_FUNCTION bool operator()(T const& x) const
  {
    return u32((u64(x) * 0x9e3779b97f4a7c15u) >> 32) % 100 < percent;
  }
};

template <class... T>
auto inputs(std::vector<T> const&... items)
{
  return std::tuple<std::vector<T> const*...>(&items...);
}

/// The expected part of an output that has room for `whole`: behind it nothing may be written.
template <class T>
struct part {
  std::vector<T> items;
  std::size_t written;

  template <class Whole>
  part(std::vector<T> const& wanted, std::vector<Whole> const& whole)
      : part(wanted, whole.size())
  {}
  part(std::vector<T> const& wanted, std::size_t room)
      : items(wanted)
      , written(wanted.size() * sizeof(T))
  {
    items.resize(room, poison<T>());
  }
};

template <class... T>
struct parts {
  exact_parts<T...> judge;
  std::size_t written;

  explicit parts(part<T>... all)
      : judge{{std::move(all.items)...}}
      , written((all.written + ...))
  {}
  parts(std::size_t count, part<T>... all)
      : parts(std::move(all)...)
  {
    judge.count = std::int64_t(count);
  }
};

/// Adds a row for every machine; `names` has the variant and the type.
template <class... In, class... Out, class Call, class Machines = decltype(all_machines)>
void rows_of(session& s, row names, char const* primitive, std::tuple<std::vector<In> const*...> const& in,
             parts<Out...> const& out, Call const& call, Machines const& machines = all_machines)
{
  names.primitive = primitive;
  auto const read = std::apply([](auto const*... items) { return ((items->size() * sizeof(In)) + ...); }, in);
  measure_everywhere(s, names,
                     std::vector<problem<exact_parts<Out...>, In...>>{{"bytes", in, read + out.written, out.judge}},
                     call, machines);
}

}  // namespace tools
