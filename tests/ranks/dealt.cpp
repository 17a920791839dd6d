// SPDX-License-Identifier: Apache-2.0
// Scans of items that are dealt in runs.
#include "cases.hpp"

#include <onepass/ranks/dealt.hpp>

namespace ranks_test {

namespace {

namespace ranks = onepass::ranks;

/// Items whose runs go round the ranks, and this rank's among them.
template <class T>
class dealt_case {
public:
  using packed = Kokkos::View<T*, memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  explicit dealt_case(trial& t)
      : t_(t)
  {
    extent const kind = t.below("run kind", 4);
    extent n          = t.size();
    if (kind == 0) run = 1 + t.below("run", 8);
    else if (kind == 1) run = 1 + t.below("run", 3000);
    else {  // what GPUs that write each other's memory take in one pass
      run = ranks::dealt_run(t.where(), packed(), packed()) >> t.below("halves", 8);
      if (onepass::on_host<space>) run = std::min<extent>(run, 4096);
      else run = std::max<extent>(run / tile * tile, tile);
      n += run * t.below("more", onepass::on_host<space> ? 4 : 20);
    }
    all = t.items<T>("items", n);
    for (extent i = 0; i < n; ++i)
      if (i / run % t.all().size() == extent(t.me())) own.push_back(i);
    // One rank's may begin anywhere.
    extent const ahead = extent(t.me()) == t.below("ahead", 4 * t.all().size()) ? 1 : 0;
    std::vector<T> mine;
    for (extent const i : own) mine.push_back(all[std::size_t(i)]);
    mine.insert(mine.begin(), std::size_t(ahead), T{});
    in  = part(t.on_space(mine, 0, extent(mine.size())), ahead);
    out = t.chance("in place", 25) ? in : part(t.room<T>(extent(mine.size())), ahead);
  }

  /// Compares results and the total with a plain loop over all items.
  template <class Op>
  void look(bool inclusive, bool begun, T now, Op const& op, T const& total) const
  {
    std::vector<T> wanted;
    std::size_t mine = 0;
    for (extent i = 0; i < extent(all.size()); ++i) {
      T const before = now;
      now            = begun ? op(now, all[std::size_t(i)]) : all[std::size_t(i)];
      begun          = true;
      if (mine == own.size() || own[mine] != i) continue;
      wanted.push_back(inclusive ? now : before);
      ++mine;
    }
    t_.same("results", t_.seen(trial::view<T>(out.data(), Kokkos::LayoutStride(out.extent(0), 1))), wanted, 0,
            extent(wanted.size()));
    if (begun) t_.same("total", total, now);
  }

  extent run = 1;
  std::vector<T> all;
  std::vector<extent> own;  ///< positions of this rank's items
  packed in, out;

private:
  static constexpr extent tile =
      std::max<extent>(onepass::dealt_tile<ranks::detail::dealt_program<false, packed, packed, onepass::plus>,
                                           decltype(std::declval<trial&>().where())>(),
                       1);

  static packed part(trial::view<T> const& of, extent ahead)
  {
    return packed(of.data() + ahead, of.extent(0) - std::size_t(ahead));
  }

  trial& t_;
};

template <class T>
void dealt_sums(trial& t)
{
  dealt_case<T> const c(t);
  bool const given     = t.chance("init given", 50);
  bool const inclusive = t.chance("inclusive", 50);
  T const init         = given ? T(5) : T(0);
  onepass::plus const op;
  auto& all     = t.all();
  auto const at = t.where();
  T const total = inclusive ? (given ? ranks::inclusive_scan_dealt(all, at, c.in, c.out, c.run, op, init)
                                     : ranks::inclusive_scan_dealt(all, at, c.in, c.out, c.run))
                            : (given ? ranks::exclusive_scan_dealt(all, at, c.in, c.out, c.run, op, init)
                                     : ranks::exclusive_scan_dealt(all, at, c.in, c.out, c.run));
  c.look(inclusive, true, init, op, total);
}

/// No identity, and an operator that does not commute.
void dealt_compositions(trial& t)
{
  dealt_case<affine> const c(t);
  affine const init{3, std::uint32_t(t.below("init", 100))};
  auto& all     = t.all();
  auto const at = t.where();
  if (t.chance("inclusive, no init", 40))
    c.look(true, false, affine{}, compose{}, ranks::inclusive_scan_dealt(all, at, c.in, c.out, c.run, compose{}));
  else c.look(false, true, init, compose{}, ranks::exclusive_scan_dealt(all, at, c.in, c.out, c.run, compose{}, init));
}

/// Items with gaps, which are not those of all ranks' Views.
void dealt_apart(trial& t)
{
  dealt_case<std::uint64_t> const c(t);
  std::vector<std::uint64_t> mine;
  for (extent const i : c.own) mine.push_back(c.all[std::size_t(i)]);
  auto const in    = t.on_space(mine, 0, extent(mine.size()), t.chance("gaps", 50));
  auto const total = ranks::inclusive_scan_dealt(t.all(), t.where(), in, c.out, c.run, onepass::maximum{});
  c.look(true, true, 0, onepass::maximum{}, total);
}

/// A rank has an item too many, deals in other runs, or in none: all say so, and the next call is as any other.
void dealt_refusals(trial& t)
{
  dealt_case<std::uint32_t> const c(t);
  auto& all         = t.all();
  auto const at     = t.where();
  extent const kind = t.below("kind", 3), wrong = t.below("wrong", all.size());
  bool const is_wrong = extent(t.me()) == wrong;
  t.same("dealt_items", ranks::dealt_items(all, extent(c.all.size()), c.run), extent(c.own.size()));
  std::string said, wanted;
  try {
    if (kind == 0) {
      auto const more = t.room<std::uint32_t>(extent(c.own.size()) + 1);
      if (is_wrong) ranks::exclusive_scan_dealt(all, at, more, more, c.run);
      else ranks::exclusive_scan_dealt(all, at, c.in, c.out, c.run);
    } else ranks::exclusive_scan_dealt(all, at, c.in, c.out, is_wrong ? (kind == 1 ? c.run + 1 : 0) : c.run);
  } catch (onepass::precondition_error const& e) {
    said = e.what();
  }
  auto const head = std::string("onepass::ranks::exclusive_scan_dealt: ");
  if (kind == 2)
    wanted = head + "runs have 0 items; give one at least (rank " + std::to_string(wrong) + " of "
             + std::to_string(all.size()) + ")";
  if (kind == 1 && all.size() > 1) {
    auto const r = wrong == 0 ? 1 : wrong;
    wanted       = head + "rank 0 deals in runs of " + std::to_string(c.run + (wrong == 0)) + " items, and rank "
             + std::to_string(r) + " in runs of " + std::to_string(c.run + (wrong != 0)) + "; give all the same";
  }
  if (kind == 0) {  // one item more, which belongs to one rank
    extent const total = extent(c.all.size()) + 1;
    ranks::detail::dealing const dealt{total, c.run, all.size()};
    for (int r = 0; r < all.size() && wanted.empty(); ++r) {
      extent const is = ranks::detail::dealing{total - 1, c.run, all.size()}.items_of(r) + (r == int(wrong));
      if (is != dealt.items_of(r))
        wanted = head + "rank " + std::to_string(r) + " has " + std::to_string(is) + " items, and of "
                 + std::to_string(total) + " items dealt in runs of " + std::to_string(c.run) + " to "
                 + std::to_string(all.size()) + " ranks it has " + std::to_string(dealt.items_of(r))
                 + "; give each rank its runs (dealt_items())";
    }
  }
  t.same("sentence", said, wanted);
  if (wanted.empty()) return;  // `in` may be `out`, and has been overwritten
  auto const total = ranks::exclusive_scan_dealt(all, at, c.in, c.out, c.run);
  c.look(false, true, 0, onepass::plus{}, total);
}

}  // namespace

void add_dealt(std::vector<family>& all)
{
  all.insert(all.end(), {{"dealt sums", dealt_sums<std::uint64_t>},
                         {"dealt sums of 32 bits", dealt_sums<std::uint32_t>},
                         {"dealt sums of floats", dealt_sums<double>},
                         {"dealt compositions", dealt_compositions},
                         {"dealt items apart", dealt_apart},
                         {"dealt refusals", dealt_refusals}});
}

}  // namespace ranks_test
