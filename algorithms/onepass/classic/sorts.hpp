// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/classic/programs/sorts.hpp>
#include <onepass/engine/orders.hpp>
#include <onepass/scan.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::classic {

/// \defgroup classic_sorts Classic sorts
/// Sorts of early GPU computing: baselines to measure radix_sort() against, implemented with equal care.
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`, `out`, `keys`: Views of rank 1 of unsigned integers
///
/// Compile-time errors: other keys and memory that the space cannot reach. Throws precondition_error, before anything
/// is queued, if an output is too short or overlaps, or a key lacks such a bit.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
/// \{

namespace detail {

template <class Where, class Keys>
auto checked_keys(Keys const& keys)
{
  check_input<space_of<Where>, Keys>();
  static_assert(std::is_unsigned_v<item_t<Keys>> && item_rank<Keys> == 1,
                "onepass: the classic sorts take unsigned integers in Views of rank 1");
  return as_sequence(keys);
}

/// Calls f with the place and plain workspace memory of `bytes` bytes.
template <class Where, class F>
void with_plain(Where const& where, char const* label, std::size_t bytes, F const& f)
{
  with_workspace(where, label, [&](auto const& p, auto& scratch) { f(p, scratch.plain(bytes)); });
}

template <class Key>
std::size_t split_bytes(extent n)
{
  return std::size_t(n + 1) * sizeof(extent);
}

/// One split; `memory` has room for n + 1 extents.
template <class Place, class From, class To>
void split_once(Place const& where, From const& from, To const& to, int bit, extent* memory)
{
  using exec     = space_of<Place>;
  using key      = typename From::value_type;
  extent const n = from.size;
  Kokkos::View<extent*, typename exec::memory_space, Kokkos::MemoryUnmanaged> const before(memory + 1, std::size_t(n));
  Kokkos::View<extent, typename exec::memory_space, Kokkos::MemoryUnmanaged> const zeros(memory);
  onepass::transform_exclusive_scan(where, from, before, is_zero_bit<key>{bit}, plus{}, extent(0), zeros);
  onepass::run_each(where, split_scatter<From, To>{from, to, memory + 1, memory, bit}, n, "split (scatter)");
}

template <class Place, class Functor>
void queue_teams(Place const& where, Functor const& functor, extent teams)
{
  using exec = space_of<Place>;
  require(teams < extent(1) << 31, where.label, ": ", teams,
          " teams are more than one launch has, 2^31 - 1; give fewer keys");
  if (teams == 0) return;
  Kokkos::TeamPolicy<exec> policy(where.space, int(teams), on_host<exec> ? 1 : 128);
  Kokkos::parallel_for(where.label, policy.set_scratch_size(0, Kokkos::PerTeam(sizeof(typename Functor::shared) + 32)),
                       functor);
}

}  // namespace detail

/// out = the keys whose bit is 0, then those whose bit is 1, each in input order: stable. `out` may not share memory
/// with `in`. Cost: a scan of the zeros and a scatter; the keys are read twice, and n positions of 8 bytes written and
/// read.
///
/// Source: Blelloch 1990; see docs/references.md.
template <place_like Where, class In, class Out>
void split(Where const& where, In const& in, Out const& out, int bit)
{
  auto const from = read_only(detail::checked_keys<Where>(in));
  auto const to   = detail::checked_keys<Where>(out);
  require(0 <= bit && bit < 8 * int(sizeof(item_t<In>)), "classic::split: a key has no bit ", bit);
  onepass::require_room("classic::split", from, to);
  onepass::require_disjoint("classic::split", from, to);
  detail::with_plain(where, "split", detail::split_bytes<item_t<In>>(from.size), [&](auto const& p, std::byte* memory) {
    detail::split_once(p, from, to, bit, reinterpret_cast<extent*>(memory));
  });
}

/// Sorts the keys in place by their lowest `bits` bits (-1: all), by one split per bit: the time grows with the number
/// of bits. Uses workspace memory for n keys and n positions.
///
/// Source: Blelloch 1990; on GPUs, Satish, Harris & Garland 2009; see docs/references.md.
template <place_like Where, class Keys>
void split_sort(Where const& where, Keys const& keys, int bits = -1)
{
  using key       = item_t<Keys>;
  auto const here = detail::checked_keys<Where>(keys);
  int const all   = bits < 0 ? 8 * int(sizeof(key)) : bits;
  require(all <= 8 * int(sizeof(key)), "classic::split_sort: a key has no ", all, " bits");
  extent const n          = here.size;
  std::size_t const ranks = (detail::split_bytes<key>(n) + 255) / 256 * 256;
  detail::with_plain(where, "split_sort", ranks + std::size_t(n) * sizeof(key), [&](auto const& p, std::byte* memory) {
    contiguous<key> const spare{reinterpret_cast<key*>(memory + ranks), n};
    for (int bit = 0; bit < all; ++bit) {
      if (bit % 2 == 0) detail::split_once(p, read_only(here), spare, bit, reinterpret_cast<extent*>(memory));
      else detail::split_once(p, read_only(spare), here, bit, reinterpret_cast<extent*>(memory));
    }
    if (all % 2 == 1)
      onepass::run_each(
          p,
          copy_item<cargo<contiguous<key>, nothing>, cargo<decltype(detail::checked_keys<Where>(keys)), nothing>>{
              {spare, {}}, {here, {}}},
          n, "split_sort (copy)");
  });
}

/// out = the keys, every chunk of 1024 of them sorted, by splits in shared memory. `out` may be `in`. Cost: one kernel;
/// each key is read once and written once.
///
/// Source: Satish, Harris & Garland 2009; see docs/references.md.
template <place_like Where, class In, class Out>
void sort_chunks(Where const& where, In const& in, Out const& out)
{
  using exec      = space_of<Where>;
  auto const from = read_only(detail::checked_keys<Where>(in));
  auto const to   = detail::checked_keys<Where>(out);
  onepass::require_room("classic::sort_chunks", from, to);
  onepass::require_no_overlap("classic::sort_chunks", from, to);
  using functor = chunk_sort<exec, std::remove_const_t<decltype(from)>, std::remove_const_t<decltype(to)>>;
  auto p        = on(where);
  if (p.label.empty()) p.label = "sort_chunks";
  detail::queue_teams(p, functor{from, to}, div_up(from.size, functor::chunk));
}

/// Merges pairs of neighbouring sorted runs: `in` has sorted runs of `length` keys, at least 1; `out` gets sorted runs
/// of twice the length. `out` may not share memory with `in`. Cost: one kernel; each key is read once and written once.
///
/// Source: the merge within a team, Batcher 1968; see docs/references.md.
template <place_like Where, class In, class Out>
void merge_runs(Where const& where, In const& in, Out const& out, extent length)
{
  using exec      = space_of<Where>;
  auto const from = read_only(detail::checked_keys<Where>(in));
  auto const to   = detail::checked_keys<Where>(out);
  require(length > 0, "classic::merge_runs: runs of ", length, " keys; give at least 1");
  onepass::require_room("classic::merge_runs", from, to);
  onepass::require_disjoint("classic::merge_runs", from, to);
  using functor = merge_pairs<exec, std::remove_const_t<decltype(from)>, std::remove_const_t<decltype(to)>>;
  auto p        = on(where);
  if (p.label.empty()) p.label = "merge_runs";
  length = std::min(length, std::max<extent>(from.size, 1));  // so that twice as many are a number
  detail::queue_teams(p, functor{from, to, length}, div_up(from.size, 2 * length));
}

/// Sorts the keys in place: sort_chunks(), then ceil(log2(chunks)) rounds of merge_runs(), each of which reads and
/// writes every key. Uses workspace memory for n keys.
template <place_like Where, class Keys>
void merge_sort(Where const& where, Keys const& keys)
{
  using key              = item_t<Keys>;
  using exec             = space_of<Where>;
  auto const here        = detail::checked_keys<Where>(keys);
  constexpr extent chunk = chunk_sort<exec, contiguous<key const>, contiguous<key>>::chunk;
  extent const n         = here.size;
  int rounds             = 0;
  while (chunk << rounds < n) ++rounds;
  detail::with_plain(where, "merge_sort", std::size_t(n) * sizeof(key), [&](auto const& p, std::byte* memory) {
    Kokkos::View<key*, typename exec::memory_space, Kokkos::MemoryUnmanaged> const spare(reinterpret_cast<key*>(memory),
                                                                                         std::size_t(n));
    if (rounds % 2 == 0) sort_chunks(p, keys, keys);  // so that the last round writes to `keys`
    else sort_chunks(p, keys, spare);
    for (int r = 0; r < rounds; ++r) {
      if ((rounds - r) % 2 == 0) merge_runs(p, keys, spare, chunk << r);
      else merge_runs(p, spare, keys, chunk << r);
    }
  });
}

/// Sorts the keys in place by compare-exchange steps: log2(n) (log2(n) + 1) / 2 kernels, each of which reads and writes
/// every key.
///
/// Source: Batcher 1968; see docs/references.md.
template <place_like Where, class Keys>
void bitonic_sort(Where const& where, Keys const& keys)
{
  auto const here = detail::checked_keys<Where>(keys);
  using step      = bitonic_step<std::remove_const_t<decltype(here)>>;
  for (extent block = 2; block / 2 < here.size; block *= 2) {
    onepass::run_each(where, step{here, block, 0}, here.size, "bitonic_sort");
    for (extent distance = block / 4; distance > 0; distance /= 2)
      onepass::run_each(where, step{here, block, distance}, here.size, "bitonic_sort");
  }
}

/// \}

}  // namespace onepass::ONEPASS_ABI::classic
