// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "parts.hpp"

#include <onepass/classic/compaction.hpp>

// Rows for the classic compactions and encoders on items of one type.
namespace tools {

template <class T>
void classic_compaction_rows(session& s)
{
  namespace classic = onepass::classic;
  auto const items = s.items<T>(), keys = with_runs(items, 32);
  keep_percent const keep{50};
  std::vector<T> kept, heads;
  std::vector<u32> lengths;
  std::copy_if(items.begin(), items.end(), std::back_inserter(kept), keep);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) heads.push_back(keys[i]), lengths.push_back(0);
    ++lengths.back();
  }
  auto const compact = [&](char const* name, auto const& call) {
    rows_of(s, {"", "50 %", type_name<T>}, name, inputs(items), parts(kept.size(), part(kept, items)), call,
            all_backends);
  };
  auto const encode = [&](char const* name, auto const& call) {
    rows_of(s, {"", of_mean(32), type_name<T>}, name, inputs(keys),
            parts(heads.size(), part(heads, keys), part(lengths, keys)), call, all_backends);
  };
  compact("compact_by_blocks", [=](auto const&... of) { classic::compact_by_blocks(of..., keep); });
  compact("compact_by_scatter", [=](auto const&... of) { classic::compact_by_scatter(of..., keep); });
  compact("compact_by_gather", [=](auto const&... of) { classic::compact_by_gather(of..., keep); });
  encode("encode_by_four_kernels", [](auto const&... of) { classic::encode_by_four_kernels(of...); });
  encode("encode_by_blocks", [](auto const&... of) { classic::encode_by_blocks(of...); });
}

}  // namespace tools
