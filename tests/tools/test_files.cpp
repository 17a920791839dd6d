// SPDX-License-Identifier: Apache-2.0
// The files of the onepass program: what is written is read back, in pieces of any size, and nothing unfinished stays.
#include "files.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using tools::buffer, tools::path;

class files : public testing::Test {
protected:
  files()
      : folder_(std::filesystem::temp_directory_path() / ("onepass_files." + std::to_string(getpid())))
  {
    std::filesystem::create_directory(folder_);
  }
  ~files() override { std::filesystem::remove_all(folder_); }

  path at(char const* name) const { return folder_ / name; }
  auto entries() const { return std::distance(std::filesystem::directory_iterator(folder_), {}); }

  path folder_;
};

TEST_F(files, are_read_as_they_were_written_and_pieces_may_be_empty)
{
  buffer const some{1, 2, 3}, none;
  ASSERT_EQ(none.data(), nullptr);  // an address that fwrite() and fread() do not take, for no byte either
  {
    tools::output_file out(at("new"));
    for (auto const& piece : {none, some, none, some, none}) out.write(piece);
    EXPECT_EQ(out.written(), 6u);
    out.keep();
  }
  tools::input_file in(at("new"));
  ASSERT_EQ(in.size(), 6u);
  EXPECT_EQ(in.read(0, 6), (buffer{1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(in.read(2, 2), (buffer{3, 1}));
  EXPECT_EQ(in.read(6, 0), none);
  EXPECT_THROW(in.read(5, 2), onepass::packed::format_error);
  EXPECT_THROW(in.read(7, 0), onepass::packed::format_error);
  EXPECT_EQ(entries(), 1);
}

TEST_F(files, that_are_not_kept_leave_nothing)
{
  {
    tools::output_file out(at("new"));
    out.write(buffer{1});
  }
  EXPECT_EQ(entries(), 0);
}

}  // namespace
