// SPDX-License-Identifier: Apache-2.0
#include "results.hpp"
#include "bench.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace perf {

namespace {

/// The library's reporter names host and path of the program in its context; ours names the machine and the stamp.
class stamped_json : public benchmark::JSONReporter {
public:
  explicit stamped_json(std::string machine)
      : machine_(std::move(machine))
  {}

  bool ReportContext(Context const&) override
  {
    auto& out = GetOutputStream();
    out << "{\n  \"context\": {\n    \"machine\": \"" << machine_ << '"';
    for (auto const& [key, value] : stamp()) out << ",\n    \"" << key << "\": \"" << value << '"';
    out << "\n  },\n  \"benchmarks\": [\n";
    return true;
  }

private:
  std::string machine_;
};

std::string contender_of(benchmark::BenchmarkReporter::Run const& r)
{
  auto const& name = r.run_name.function_name;
  return name.substr(name.rfind('/') + 1);
}

/// The name as registered, without how it was run.
benchmark::BenchmarkName plain_name(benchmark::BenchmarkName const& full)
{
  benchmark::BenchmarkName name;
  name.function_name = full.function_name;
  return name;
}

}  // namespace

void results::ReportRuns(std::vector<Run> const& runs)
{
  std::vector<Run> repetitions;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(repetitions),
               [](Run const& r) { return r.run_type == Run::RT_Iteration; });
  if (repetitions.empty()) return;
  std::sort(repetitions.begin(), repetitions.end(),
            [](Run const& a, Run const& b) { return a.real_accumulated_time < b.real_accumulated_time; });
  auto const n                = repetitions.size();
  auto median                 = repetitions[n / 2];
  auto const time             = [&](std::size_t i) { return repetitions[i].real_accumulated_time; };
  median.run_name             = plain_name(median.run_name);
  median.repetition_index     = 0;
  median.cpu_accumulated_time = 0;  // would be that of the whole batch
  median.counters["spread"]   = (time(n - 1 - n / 4) - time(n / 4)) / median.real_accumulated_time;
  median.counters["fastest"]  = median.counters["bytes_per_second"].value * median.real_accumulated_time / time(0);
  kept_.push_back(median);
}

void results::end_race()
{
  std::sort(kept_.begin() + long(race_begin_), kept_.end(),
            [](Run const& a, Run const& b) { return a.family_index < b.family_index; });
  double copy = 0;
  for (auto i = race_begin_; i < kept_.size(); ++i)
    if (is_copy(contender_of(kept_[i]))) copy = std::max(copy, kept_[i].counters["bytes_per_second"].value);
  for (auto i = race_begin_; i < kept_.size(); ++i) {
    auto& r             = kept_[i];
    r.counters["share"] = r.counters["bytes_per_second"].value / copy;
    std::printf("%-48s %12.2f us %9.2f GB/s %8.2f Gitem/s  share %5.3f  spread %5.3f  x%ld\n",
                r.run_name.function_name.c_str(), r.GetAdjustedRealTime(), r.counters["bytes_per_second"].value * 1e-9,
                r.counters["items_per_second"].value * 1e-9, r.counters["share"].value, r.counters["spread"].value,
                long(r.repetitions));
  }
  std::fflush(stdout);
}

bool results::write(std::string const& path, std::string const& machine) const
{
  if (path.empty()) return true;
  std::ofstream out(path);
  stamped_json json(machine);
  json.SetOutputStream(&out);
  json.ReportContext(Context());
  json.ReportRuns(kept_);
  json.Finalize();
  if (!out) std::fprintf(stderr, "bench: cannot write %s\n", path.c_str());
  return bool(out);
}

}  // namespace perf
