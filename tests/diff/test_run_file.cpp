// SPDX-License-Identifier: Apache-2.0
// Run files that nobody but a writer with a defect, or with a purpose, makes: every checksum is right.
#include <onepass/trace/run_file.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace onepass::trace;

namespace {

/// What is read of a file with one event of this kind and name.
run with_event(happened kind, std::string const& name)
{
  auto const file = std::filesystem::temp_directory_path() / ("onepass_run_file." + std::to_string(getpid()));
  {
    run_writer out(file.string());
    out.start("{}");
    out.happen({kind, true, true, out.name(name), 0, {}});
    out.end();
  }
  std::ifstream in(file, std::ios::binary);
  std::string const bytes{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(file);
  return read_run({reinterpret_cast<unsigned char const*>(bytes.data()), bytes.size()});
}

TEST(RunFile, HostCodeHasTheNameOfTheKernelBehindIt)
{
  EXPECT_EQ(with_event(happened::host, "host code before smooth").events.size(), 1u);
  EXPECT_EQ(with_event(happened::host, std::string(host_code)).events.size(), 1u);
  EXPECT_EQ(with_event(happened::for_each, "smooth").events.size(), 1u);
  for (auto const* name : {"", "smooth", "host code before"})
    EXPECT_THROW(with_event(happened::host, name), run_error) << name;
}

}  // namespace
