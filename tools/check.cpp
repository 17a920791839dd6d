// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "families.hpp"

#include <fstream>
#include <iostream>

namespace tools {

namespace {

file_bytes read(std::filesystem::path const& path)
{
  std::ifstream in(path, std::ios::binary);
  if (std::filesystem::is_directory(path) || !in) throw usage_error("cannot read " + path.string() + "; name a file that exists");
  file_bytes all{std::istreambuf_iterator<char>(in), {}};
  if (all.empty()) throw usage_error(path.string() + " is empty; name a file with something in it");
  return all;
}

template <class T>
void require_whole(request const& asked, std::size_t size)
{
  if (std::find(asked.types.begin(), asked.types.end(), type_name<T>) == asked.types.end()) return;
  const auto name = asked.file.string() + " has " + std::to_string(size) + " bytes";
  const auto rest = size % sizeof(T);
  if (size < sizeof(T)) throw usage_error(name + ", less than one " + type_name<T> + "; take --type u8");
  if (rest == 0) return;
  if (asked.types_given)
    throw usage_error(name + ", no multiple of the " + std::to_string(sizeof(T)) + " of a " + type_name<T> + "; take --type u8 or another file");
  std::cerr << "note: " << name << "; as " << type_name<T> << " the last " << rest << " are left out\n";
}

template <class... T>
void require_whole(request const& asked, std::size_t size, type_list<T...>) { (require_whole<T>(asked, size), ...); }

}  // namespace

int check(request const& asked)
{
  auto file = read(asked.file);
  require_whole(asked, file.size(), item_types{});

  session s(asked, std::move(file));
  for (auto family : {check_scan, check_select, check_partition, check_runs, check_sort, check_huffman, check_image}) family(s);

  s.doing("");
  if (s.rows().empty()) throw usage_error("none of the operators runs on these types; affine takes --type u32, none u8, u32 or u64");
  if (asked.json) print_json(s);
  else print_table(s);
  return s.all_equal() ? 0 : 1;
}

}  // namespace tools
