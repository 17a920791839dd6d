// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/huffman/huffman.hpp>
#include <onepass/huffman/programs/batch.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::huffman {

/// Streams of one split that are decoded together, in one kernel: a model's tensors, say, which are too small to keep a
/// device busy one by one. Made once, decoded as often as wanted; it keeps what its streams refer to.
///
/// \ingroup huffman
template <class Split, class Exec>
class batch {
public:
  using item         = typename Split::item;         ///< what is decoded
  using memory_space = typename Exec::memory_space;  ///< where everything lies

  /// One of them: what decode() takes.
  struct stream {
    tables<Exec> book;                      ///< its codebook
    coded<Exec> in;                         ///< its coded items
    Kokkos::View<item*, memory_space> out;  ///< in.items items
  };

  /// Allocates, and waits until the list is where `exec` reaches it. Throws precondition_error as decode() does, for
  /// any of the streams.
  batch(Exec const& exec, std::vector<stream> streams)
      : kept_(std::move(streams))
  {
    std::vector<decode_program<Split>> programs;
    std::vector<typename program::group> groups;
    for (auto const& s : kept_) {
      auto const one = detail::decoder<Split>("huffman::batch", s.book, s.in, s.out);
      for (extent t = 0; t < one.tiles(); t += table_group)
        groups.push_back({std::uint32_t(programs.size()), std::uint32_t(t)});
      longest_ = std::max(longest_, one.staged_words());
      slack_   = std::max(slack_, one.slack_words());
      programs.push_back(one);
    }
    programs_ = uploaded<decode_program<Split>>(exec, programs, "onepass::huffman::batch");
    groups_   = uploaded<typename program::group>(exec, groups, "onepass::huffman::batch");
  }

  /// The lane program of all streams.
  decode_batch_program<Split> decoder() const
  {
    return {programs_.data(), groups_.data(), extent(groups_.size()), longest_, slack_};
  }

private:
  using program = decode_batch_program<Split>;

  std::vector<stream> kept_;
  Kokkos::View<decode_program<Split>*, memory_space> programs_;
  Kokkos::View<typename program::group*, memory_space> groups_;
  std::uint32_t longest_ = 0, slack_ = 0;
};

/// Decodes every stream of the batch into its output: one kernel, or the tiles of all of them over a host's threads.
/// Queued on the instance; nothing is fenced or allocated. Cost: the coded forms are read once and the items written
/// once.
///
/// \ingroup huffman
template <class Split, place_like Where>
void decode(Where const& where, batch<Split, space_of<Where>> const& all)
{
  onepass::run(where, all.decoder(), "huffman::decode (batch)");
}

}  // namespace onepass::ONEPASS_ABI::huffman
