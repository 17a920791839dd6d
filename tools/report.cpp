// SPDX-License-Identifier: Apache-2.0
#include "print.hpp"
#include "session.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>

namespace tools {

namespace {

/// The last line of a table.
template <class Row>
void print_verdict(std::vector<Row> const& rows)
{
  auto const different = std::count_if(rows.begin(), rows.end(), [](Row const& r) { return !r.equal; });
  if (different == 0) std::printf("%zu rows, all equal\n", rows.size());
  else std::printf("%zu rows, %td differ\n", rows.size(), different);
}

}  // namespace

void print_table(session const& s)
{
  std::printf("%-26s %-10s %-8s %-8s %-19s %11s %10s %8s %6s  %s\n", "primitive", "op", "type", "space", "schedule",
              "items", "ms", "GB/s", "copy", "result");
  for (auto const& r : s.rows())
    std::printf("%-26s %-10s %-8s %-8s %-19s %11zu %10.3f %8.2f %6.2f  %s\n", r.primitive.c_str(), r.op.c_str(),
                r.type.c_str(), r.space.c_str(), r.schedule.c_str(), r.items, r.seconds * 1e3,
                r.bytes_per_second * 1e-9, r.share_of_copy, r.result.c_str());
  print_verdict(s.rows());
}

void print_json(session const& s)
{
  auto rows = nlohmann::json::array();
  for (auto const& r : s.rows())
    rows.push_back({{"primitive", r.primitive},
                    {"operator", r.op},
                    {"type", r.type},
                    {"space", r.space},
                    {"schedule", r.schedule},
                    {"items", r.items},
                    {"ms", r.seconds * 1e3},
                    {"gigabytes_per_second", r.bytes_per_second * 1e-9},
                    {"share_of_copy", r.share_of_copy},
                    {"equal", r.equal},
                    {"result", r.result}});
  nlohmann::json const all{
      {"file", s.asked().file.string()}, {"bytes", s.file().size()}, {"equal", s.all_equal()}, {"rows", rows}};
  print(std::cout, all, 2);
}

void print_ranks(rank_rows const& all, bool json)
{
  if (json) {
    auto rows = nlohmann::json::array();
    for (auto const& r : all.rows)
      rows.push_back({{"primitive", r.call},
                      {"ms", r.seconds * 1e3},
                      {"ms_of_one_rank", r.seconds_alone * 1e3},
                      {"equal", r.equal},
                      {"result", r.result}});
    print(std::cout, {{"ranks", all.ranks}, {"carrier", all.carrier}, {"items", all.items}, {"rows", rows}}, 2);
    return;
  }
  std::printf("%d ranks, %s, %zu u32\n", all.ranks, all.carrier.c_str(), all.items);
  std::printf("%-28s %12s %12s  %s\n", "primitive", "ms", "ms, one rank", "result");
  for (auto const& r : all.rows)
    std::printf("%-28s %12.3f %12.3f  %s\n", r.call.c_str(), r.seconds * 1e3, r.seconds_alone * 1e3, r.result.c_str());
  print_verdict(all.rows);
}

}  // namespace tools
