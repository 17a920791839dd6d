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
  if (std::filesystem::is_directory(path) || !in)
    throw usage_error("cannot read " + path.string() + "; name a file that exists");
  file_bytes all{std::istreambuf_iterator<char>(in), {}};
  if (all.empty()) throw usage_error(path.string() + " is empty; name a file with something in it");
  return all;
}

template <class T>
void require_whole(request const& asked, std::size_t size)
{
  if (std::find(asked.types.begin(), asked.types.end(), type_name<T>) == asked.types.end()) return;
  auto const name = asked.file.string() + " has " + std::to_string(size) + " bytes";
  auto const rest = size % sizeof(T);
  if (size < sizeof(T)) throw usage_error(name + ", less than one " + type_name<T> + "; take --type u8");
  if (rest != 0 && asked.types_given)
    throw usage_error(name + ", no multiple of the " + std::to_string(sizeof(T)) + " of a "
                      + type_name<T> + "; take --type u8 or another file");
  if (asked.items > 0 && size / sizeof(T) > asked.items)
    std::cerr << "note: " << name << "; of " << type_name<T> << " the first " << asked.items
              << " items are taken, with --items 0 all\n";
  else if (rest != 0)
    std::cerr << "note: " << name << "; as " << type_name<T> << " the last " << rest << " are left out\n";
}

template <class... T>
void require_whole(request const& asked, std::size_t size, type_list<T...>)
{
  (require_whole<T>(asked, size), ...);
}

void run_families(session& s)
{
  bool const plus = s.wants_operator("plus"), none = s.wants_operator("none");
  type_list<u8, u32, u64> const three;
  type_list<u8, u32> const two;
  if (plus || s.wants_operator("max")) each_type(s, item_types{}, [&]<class T>(T) { scan_rows<T>(s); });
  if (s.wants_operator("affine") && s.wants_type("u32")) scan_rows<affine>(s);
  if (none) each_type(s, three, [&]<class T>(T) { select_rows<T>(s); });
  if (none) each_type(s, three, [&]<class T>(T) { partition_rows<T>(s); });
  if (none || plus) each_type(s, three, [&]<class T>(T) { runs_rows<T>(s); });
  if (none || plus) each_type(s, two, [&]<class T>(T) { columns_rows<T>(s); });
  if (none) each_type(s, two, [&]<class T>(T) { expand_rows<T>(s); });
  if (none || plus) each_type(s, two, [&]<class T>(T) { segments_rows<T>(s); });
  if (none) each_type(s, two, [&]<class T>(T) { in_situ_rows<T>(s); });
  if (none && s.wants_type("u32")) classics_rows<u32>(s);
  if (none) each_type(s, two, [&]<class T>(T) { sort_rows<T>(s); });
  if (none) each_type(s, type_list<u8, u16, u32>{}, [&]<class T>(T) { huffman_rows<T>(s); });
  if (none && s.wants_type("u8")) image_rows<u8>(s);
}

}  // namespace

int check(request const& asked)
{
  auto file = read(asked.file);
  require_whole(asked, file.size(), item_types{});

  session s(asked, std::move(file));
  run_families(s);
  s.doing("");
  if (s.rows().empty())
    throw usage_error("none of the operators runs on these types; affine takes --type u32, none u8, u32 or u64");
  if (asked.json) print_json(s);
  else print_table(s);
  return s.all_equal() ? 0 : 1;
}

}  // namespace tools
