// SPDX-License-Identifier: Apache-2.0
#include "runs.hpp"

#include <onepass/trace/patterns.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <map>
#include <memory>
#include <regex>
#include <set>

namespace tools::diff {

using onepass::trace::event;
using onepass::trace::happened;
using onepass::trace::run;

namespace {

std::string const before(onepass::trace::host_code);

}  // namespace

char const* name_of(verdict v)
{
  switch (v) {
  case verdict::equal:
    return "equal";
  case verdict::near:
    return "within tolerance";
  case verdict::different:
    return "different";
  default:
    return "not comparable";
  }
}

place_pattern place_pattern::of(std::string const& text)
{
  auto const at = text.find('@');
  return at == std::string::npos ? place_pattern{text} : place_pattern{text.substr(0, at), text.substr(at + 1)};
}
bool place_pattern::fits(std::string const& l, std::string const& k) const
{
  return onepass::trace::fits(label, l) && onepass::trace::fits(kernel, k);
}

namespace {

/// The functor of a reduction without a label, which Kokkos names together with its reducer.
std::string without_reducer(std::string const& text)
{
  static std::string const wrapper = "CombinedFunctorReducer<";
  auto const at                    = text.find(wrapper);
  if (at == std::string::npos || (at > 0 && text.substr(0, at) != "Kokkos::Impl::")) return text;
  int depth        = 0;
  auto const begin = at + wrapper.size();
  for (auto i = begin; i < text.size(); ++i) {
    if (std::string_view("<({[").find(text[i]) != std::string_view::npos) ++depth;
    else if (std::string_view(">)}]").find(text[i]) != std::string_view::npos) --depth;
    if ((text[i] == ',' && depth == 0) || depth < 0) return text.substr(begin, i - begin);
  }
  return text;
}

/// The type that a mangled name stands for; the name itself where it is none, or too long for the demangler, or where
/// the type may have no end: two references to what was said before (S0_, T_) may double it.
std::string demangled(std::string const& name)
{
  static std::regex const reference("S[0-9A-Z]+_|T[0-9]*_");
  constexpr int most_references      = 40;
  constexpr std::size_t most_letters = 1 << 16;
  if (std::distance(std::sregex_iterator(name.begin(), name.end(), reference), {}) > most_references) return name;
  int status = 1;
  std::unique_ptr<char, void (*)(void*)> const text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && std::strlen(text.get()) <= most_letters ? text.get() : name;
}

/// Types of Kokkos as they stand in a name; in one that stays mangled their number of letters is before them.
std::regex of_kokkos(std::string const& types)
{
  return std::regex("Kokkos::(Experimental::)?" + types + "\\b|(6Kokkos|S[0-9A-Z]*_)[0-9]+" + types + "(?=E)");
}

}  // namespace

std::string neutral(std::string const& name)
{
  if (name.starts_with(before)) return before + neutral(name.substr(before.size()));
  auto text = name;
  // A kernel without a label bears the name of a type. Short labels could be one by chance.
  if (name.size() > 6 && (name[0] == 'N' || name[0] == 'Z' || std::isdigit(static_cast<unsigned char>(name[0]))))
    text = demangled(name);
  static std::regex const spaces = of_kokkos("(Serial|OpenMP|Threads|HPX|Cuda|HIP|SYCL)"),
                          memories =
                              of_kokkos("(Host|Cuda|CudaUVM|CudaHostPinned|HIP|HIPManaged|HIPHostPinned|SYCLDeviceUSM|"
                                        "SYCLSharedUSM|SYCLHostUSM)Space"),
                          layouts = of_kokkos("Layout(Left|Right)");
  static std::regex const mirrors("_mirror\\b");
  text = std::regex_replace(text, memories, "Space");
  text = std::regex_replace(text, spaces, "Exec");
  text = std::regex_replace(text, layouts, "Layout");
  return without_reducer(std::regex_replace(text, mirrors, ""));
}

std::vector<call_key> calls_of(run const& r, std::string (*named)(std::string const&))
{
  std::map<std::string, std::string> texts;
  std::map<std::string, trace_u64> calls;
  std::vector<call_key> keys;
  for (auto const& e : r.events) {
    auto const& name   = r.names[e.name];
    auto [text, fresh] = texts.try_emplace(name);
    if (fresh) text->second = named(name);
    // Host code bears the name of the kernel behind it, and belongs to that call of it.
    auto const n = e.kind == happened::host ? calls[text->second.substr(before.size())] + 1 : ++calls[text->second];
    keys.push_back({text->second, n});
  }
  return keys;
}

namespace {

using view_key = std::pair<std::string, trace_u64>;

/// One rank of a run with the names that pair it with another.
struct side {
  explicit side(run const& from)
      : all(from)
      , keys(calls_of(from, neutral))
  {
    for (std::size_t i = 0; i < keys.size(); ++i) at.emplace(keys[i], i);
    for (auto const& v : all.views) views.push_back({all.names[v.label], v.number + 1});
    for (std::size_t v = 0; v < views.size(); ++v) view_at.emplace(views[v], v);
  }

  /// What is known of a View while the run goes on.
  struct state {
    onepass::trace::fingerprint const* now = nullptr;
    std::size_t changed                    = 0;
  };
  void advance(std::size_t to, std::vector<std::size_t>& touched)
  {
    for (; next <= to; ++next)
      for (auto const& seen : all.events[next].changed) {
        states[seen.view] = {&seen.now, next};
        touched.push_back(seen.view);
      }
  }
  bool lives(std::size_t view, std::size_t behind) const
  {
    return all.views[view].first_event <= behind && all.views[view].last_event > behind;
  }
  std::string space(std::size_t view) const
  {
    auto const& name = all.names[all.views[view].space];
    return name.find("Host") != std::string::npos ? "host" : "device";
  }

  run const& all;
  std::vector<call_key> keys;
  std::map<call_key, std::size_t> at;
  std::vector<view_key> views;
  std::map<view_key, std::size_t> view_at;
  std::vector<state> states = std::vector<state>(all.views.size());
  std::size_t next          = 0;
};

class comparer {
public:
  comparer(side& a, side& b, rules const& r, int rank, comparison& to, std::set<place_pattern const*>& used)
      : a_(a)
      , b_(b)
      , rules_(r)
      , rank_(rank)
      , to_(to)
      , used_(used)
  {}

  void compare()
  {
    pair();
    if (pairs_.empty()) {
      can_not_be_compared();
      to_.notes.push_back("no kernel of one run has the name of one of the other" + of_rank());
      return;
    }
    bool const in_order =
        std::is_sorted(pairs_.begin(), pairs_.end(), [](auto& x, auto& y) { return x.second < y.second; });
    if (!in_order)
      to_.notes.push_back("the runs have their kernels in different orders" + of_rank()
                          + ", so each kernel is compared by the Views that it has changed in both");
    to_.kernels += pairs_.size();
    for (auto const& [i, j] : pairs_) {
      if (!a_.all.events[i].looked || !b_.all.events[j].looked) continue;
      if (in_order) compare_states(i, j);
      else compare_changes(i, j);
    }
    to_.compared += compared_.size();
    if (compared_.empty()) {
      can_not_be_compared();
      to_.notes.push_back("no View of one run has the label of one of the other" + of_rank());
    }
    if (!moved_.empty())
      to_.notes.push_back(std::to_string(moved_.size())
                          + " Views have the same words in other places in the memory of the host and of the device"
                          + of_rank() + ", first " + first_moved_
                          + ": their layouts differ, or their order, which --order keep calls a difference");
    say_unpaired_views();
  }

private:
  std::string of_rank() const { return rank_ > 0 ? " (rank " + std::to_string(rank_) + ")" : ""; }

  /// A difference counts more, in whatever rank it is.
  void can_not_be_compared()
  {
    if (to_.is != verdict::different) to_.is = verdict::not_comparable;
  }

  /// Copies and host code may be there on one backend alone; a kernel may not.
  void pair()
  {
    std::size_t alone_a = 0, alone_b = 0;
    auto const lacks = [](side const& x, std::size_t i, side const& y) {
      auto const kind = x.all.events[i].kind;
      return kind != happened::copy && kind != happened::host && !y.at.contains(x.keys[i]);
    };
    std::string first;
    for (std::size_t i = 0; i < a_.keys.size(); ++i) {
      if (auto const j = b_.at.find(a_.keys[i]); j != b_.at.end()) pairs_.push_back({i, j->second});
      else if (lacks(a_, i, b_) && alone_a++ == 0) first = text_of(a_.keys[i]) + " runs in the first run alone";
    }
    for (std::size_t j = 0; j < b_.keys.size(); ++j)
      if (lacks(b_, j, a_) && alone_b++ == 0 && first.empty())
        first = text_of(b_.keys[j]) + " runs in the second run alone";
    auto const cut = [&](side const& x, char const* which) {
      if (x.all.complete) return false;
      to_.notes.push_back(std::string("the ") + which + " run ended before Kokkos was finalized"
                          + (x.keys.empty() ? "" : ", after " + text_of(x.keys.back())) + of_rank());
      return true;
    };
    bool const cut_a = cut(a_, "first"), cut_b = cut(b_, "second");
    // What a run that was cut off lacks at its end is no difference.
    if (cut_a) alone_b = 0;
    if (cut_b) alone_a = 0;
    if (cut_a || cut_b) can_not_be_compared();
    if (alone_a + alone_b == 0) return;
    to_.notes.push_back(std::to_string(alone_a) + " calls of kernels are in the first run alone, "
                        + std::to_string(alone_b) + " in the second" + of_rank());
    if (to_.broken.empty()) to_.broken = first + of_rank();
  }

  static std::string text_of(call_key const& key) { return key.first + " (call " + std::to_string(key.second) + ")"; }

  void compare_states(std::size_t i, std::size_t j)
  {
    std::vector<std::size_t> touched_a, touched_b;
    a_.advance(i, touched_a);
    b_.advance(j, touched_b);
    std::set<view_key> touched;
    for (auto const v : touched_a) touched.insert(a_.views[v]);
    for (auto const v : touched_b) touched.insert(b_.views[v]);
    for (auto const& key : touched) {
      auto const u = a_.view_at.find(key), v = b_.view_at.find(key);
      if (u == a_.view_at.end() || v == b_.view_at.end()) continue;
      auto const &x = a_.states[u->second], &y = b_.states[v->second];
      if (!x.now || !y.now || !a_.lives(u->second, i) || !b_.lives(v->second, j)) continue;
      bool const by_a = std::count(touched_a.begin(), touched_a.end(), u->second) > 0 && may_write(a_.keys[i], key),
                 by_b = std::count(touched_b.begin(), touched_b.end(), v->second) > 0 && may_write(b_.keys[j], key);
      // Where host code writes to a View itself on one backend, and to its mirror on the other, they are not the same
      // until that is copied.
      auto const by_host = [](side const& s, std::size_t event) { return s.all.events[event].kind == happened::host; };
      if (a_.space(u->second) != b_.space(v->second) && (!by_a || by_host(a_, x.changed))
          && (!by_b || by_host(b_, y.changed)))
        continue;
      // The kernel that changed it last: the pair's own, or one that the other run lacks.
      bool const here  = x.changed == i || y.changed == j;
      auto const& call = here ? a_.keys[i] : by_a ? a_.keys[x.changed] : b_.keys[y.changed];
      judge(call, i, u->second, v->second, *x.now, *y.now);
    }
  }

  /// Whether the event may have written to a View: a copy writes to the one that it names. A View of a device that is
  /// new since the event before is first seen behind it, whatever it is.
  static bool may_write(call_key const& call, view_key const& view)
  {
    auto const& name = call.first;
    return !name.starts_with("deep copy ") || name.starts_with("deep copy " + neutral(view.first) + " <- ");
  }

  void compare_changes(std::size_t i, std::size_t j)
  {
    for (auto const& x : a_.all.events[i].changed)
      for (auto const& y : b_.all.events[j].changed)
        if (a_.views[x.view] == b_.views[y.view]) judge(a_.keys[i], i, x.view, y.view, x.now, y.now);
  }

  void judge(call_key const& call, std::size_t i, std::size_t u, std::size_t v, fingerprint const& x,
             fingerprint const& y)
  {
    auto const& [label, number] = a_.views[u];
    auto const numbered         = [](std::string const& name, trace_u64 n) { return name + "#" + std::to_string(n); };
    auto const fits             = [&, &l = label, &n = number](place_pattern const& p) {
      bool const is = p.fits(l, call.first) || p.fits(l, numbered(call.first, call.second))
                      || p.fits(numbered(l, n), call.first)
                      || p.fits(numbered(l, n), numbered(call.first, call.second));
      if (is) used_.insert(&p);
      return is;
    };
    if (std::count_if(rules_.skipped.begin(), rules_.skipped.end(), fits) > 0) return;
    compared_.insert(a_.views[u]);
    ++to_.views;
    parting p{rank_, call.first, label,     call.second, number, a_.all.views[u].bytes, b_.all.views[v].bytes,
              {},    i,          a_.keys[i]};
    if (p.bytes_a != p.bytes_b) {
      if (p.kernel.starts_with(before)) p.kernel.erase(0, before.size());  // it was made there, by whatever
      if (sizes_.insert(a_.views[u]).second) part(p, relation::different);
      return;
    }
    auto tolerance = rules_.tolerance;
    for (auto const& [pattern, limit] : rules_.tolerances)
      if (fits(pattern)) tolerance = limit;
    std::optional<reading> as;
    for (auto const& [pattern, type] : rules_.types)
      if (fits(pattern)) as = type;
    p.how   = distance_of(x, y, p.bytes_a, tolerance, as);
    auto is = p.how.is;
    if (is == relation::moved) {
      bool const same = a_.space(u) == b_.space(v);
      if (rules_.sameness == order::ignored || (rules_.sameness == order::automatic && !same)) is = relation::equal;
      if (rules_.sameness == order::automatic && !same && moved_.insert(a_.views[u]).second && moved_.size() == 1)
        first_moved_ = label + " after " + text_of(call);
    }
    part(p, is);
  }

  void part(parting const& p, relation is)
  {
    if (is == relation::equal) return;
    if (is == relation::near) {
      if (to_.is == verdict::equal) to_.is = verdict::near;
      return;
    }
    to_.is = verdict::different;
    to_.parted.push_back(p);
  }

  void say_unpaired_views()
  {
    auto const alone = [](side const& x, side const& y) {
      std::set<std::string> labels;
      for (auto const& [label, n] : x.views)
        if (!label.starts_with("Kokkos::") && !label.ends_with("_mirror") && !y.view_at.contains({label, n}))
          labels.insert(label);
      return labels;
    };
    for (auto const& [which, labels] : {std::pair("first", alone(a_, b_)), std::pair("second", alone(b_, a_))}) {
      if (labels.empty()) continue;
      std::string some;
      std::size_t shown = 0;
      for (auto const& l : labels)
        if (shown++ < 5) some += (some.empty() ? "" : ", ") + l;
      to_.notes.push_back(std::string("Views of the ") + which + " run alone: " + some
                          + (labels.size() > 5 ? " and " + std::to_string(labels.size() - 5) + " more" : "")
                          + of_rank());
    }
  }

  side &a_, &b_;
  rules const& rules_;
  int rank_;
  comparison& to_;
  std::set<place_pattern const*>& used_;  ///< the rules that fit a View
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
  std::set<view_key> compared_, sizes_;
  std::set<view_key> moved_;  ///< passed over, since their memories are of different kinds
  std::string first_moved_;
};

}  // namespace

comparison compare(recording const& a, recording const& b, rules const& r)
{
  comparison c;
  if (a.ranks.size() != b.ranks.size()) {
    c.is = verdict::not_comparable;
    c.notes.push_back(a.name + " has " + std::to_string(a.ranks.size()) + " ranks and " + b.name + " "
                      + std::to_string(b.ranks.size()));
    return c;
  }
  auto const fill = [](recording const& x) {
    auto const j = nlohmann::json::parse(x.ranks[0].second.about, nullptr, false);
    return j.is_object() && j.contains("fill") && j["fill"].is_number() ? j["fill"].get<int>() : -1;
  };
  if (fill(a) == fill(b))
    c.notes.push_back(
        "both runs filled new memory with the same byte, so a kernel that reads what was never written may go unseen; "
        "onepass trace --fill gives each its own");
  std::set<place_pattern const*> used;
  for (std::size_t rank = 0; rank < a.ranks.size(); ++rank) {
    side x(a.ranks[rank].second), y(b.ranks[rank].second);
    comparer(x, y, r, int(rank), c, used).compare();
  }
  auto const say_unused = [&](std::string const& option, place_pattern const& p) {
    if (!used.contains(&p)) c.notes.push_back(option + " " + p.text() + " fits no View that is compared");
  };
  for (auto const& p : r.skipped) say_unused("--skip", p);
  for (auto const& [p, _] : r.tolerances) say_unused("--tolerance", p);
  for (auto const& [p, _] : r.types) say_unused("--type", p);
  std::stable_sort(c.parted.begin(), c.parted.end(), [](auto const& x, auto const& y) { return x.event < y.event; });
  if (!c.broken.empty() && c.is != verdict::different) c.is = verdict::different;
  return c;
}

}  // namespace tools::diff
