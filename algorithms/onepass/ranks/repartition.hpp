// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/programs/payloads.hpp>

namespace onepass::ONEPASS_ABI::ranks {

/// \addtogroup ranks
/// \{

/// Where this rank's block lies among all, if it has n items.
template <ranks_like Ranks>
given_by<Ranks, block> block_of(Ranks&& all, extent n)
{
  return detail::told_block("ranks::block_of", all, [&] { return n; });
}

/// This rank's block where all items are spread evenly, the first ranks having one more if need be; it has n now.
inline block even_block(transport& all, extent n)
{
  extent const total       = block_of(all, n).total;
  auto const [first, last] = detail::even_part(total, all.size(), all.rank());
  return {last - first, first, total};
}

/// The same items in the same order, in other blocks: `out` gets as many as it has room for. The sizes of all ranks'
/// outputs add up to those of the inputs (even_block() gives even ones), else precondition_error is thrown. `in` and
/// `out` are Views of rank 1 of one trivially copyable type, and share no memory. Each item is read and written once,
/// and sent if it moves to another rank. Waits until the items have arrived.
template <place_like Where, class In, class Out>
void repartition(transport& all, Where const& where, In const& in, Out const& out)
{
  using T                = typename Out::value_type;
  char const* const name = "ranks::repartition";
  static_assert(In::rank() == 1 && Out::rank() == 1 && std::is_same_v<typename In::non_const_value_type, T>,
                "onepass: repartition moves items between Views of rank 1 of one type");
  static_assert(std::is_trivially_copyable_v<T>, "onepass: repartition moves trivially copyable items");
  check_input<space_of<Where>, In>();
  check_output<space_of<Where>, Out, T>();
  std::optional<detail::packed_room<T const, space_of<Where>>> from;
  std::optional<detail::packed_room<T, space_of<Where>>> to;
  auto const sizes        = detail::told(all, [&] {
    onepass::require_disjoint(name, as_input(in), as_sequence(out));
    from.emplace(where, in, extent(in.extent(0))), to.emplace(where, out, extent(out.extent(0)));
    return detail::sizes{extent(in.extent(0)), extent(out.extent(0))};
  });
  auto const [have, want] = detail::blocks_of(name, sizes);
  auto const way          = detail::between_blocks(have, want, all.rank());
  from->read(where, in);
  detail::send_along(all, where, way, from->data(), to->data());
  to->write(where, out);
}

/// \}

}  // namespace onepass::ONEPASS_ABI::ranks
