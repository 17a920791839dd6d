// SPDX-License-Identifier: Apache-2.0
#include "safetensors.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace tools {

using onepass::packed::format_error;
using onepass::packed::frame_kind;

namespace {

constexpr std::uint64_t longest_header = 100'000'000;

/// The bits of an item of each type that safetensors names.
std::map<std::string, std::uint64_t> const& type_bits()
{
  static std::map<std::string, std::uint64_t> const bits{
      {"BOOL", 8}, {"U8", 8},   {"I8", 8},    {"F8_E4M3", 8}, {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"U16", 16},
      {"I16", 16}, {"F16", 16}, {"BF16", 16}, {"U32", 32},    {"I32", 32},    {"F32", 32},    {"U64", 64},
      {"I64", 64}, {"F64", 64}, {"C64", 64},  {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6}};
  return bits;
}

std::uint64_t number(nlohmann::json const& j, std::string const& what)
{
  if (!j.is_number_unsigned()) throw format_error(what + " is no whole number");
  return j.get<std::uint64_t>();
}

/// Throws format_error where a header is nested deeper than any that describes tensors, since each level takes memory.
void require_shallow(buffer const& text)
{
  constexpr int deepest = 8;  // four levels are meant
  int depth             = 0;
  bool in_string        = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto const c = text[i];
    if (in_string && c == '\\') ++i;
    else if (c == '"') in_string = !in_string;
    else if (!in_string) depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (depth > deepest) throw format_error("its header is nested deeper than any that describes tensors");
  }
}

/// Reads one tensor of the header; its offsets are relative to `data`, where the data begin.
stretch tensor(std::string const& name, nlohmann::json const& j, std::uint64_t data, std::uint64_t file_bytes)
{
  auto const what = "tensor \"" + name + "\"";
  if (!j.is_object() || !j.contains("dtype") || !j.contains("shape") || !j.contains("data_offsets"))
    throw format_error(what + " lacks dtype, shape or data_offsets");
  auto const &dtype = j["dtype"], &shape = j["shape"], &offsets = j["data_offsets"];
  if (!dtype.is_string() || !shape.is_array() || !offsets.is_array() || offsets.size() != 2)
    throw format_error(what + " has a dtype, shape or data_offsets of a wrong kind");
  auto const begin = number(offsets[0], what + ": data_offsets"), end = number(offsets[1], what + ": data_offsets");
  if (begin > end || end > file_bytes - data)
    throw format_error(what + " is said to be at " + std::to_string(begin) + " to " + std::to_string(end) + " of "
                       + std::to_string(file_bytes - data) + " bytes of data");
  auto const type = dtype.get<std::string>();
  if (auto const known = type_bits().find(type); known != type_bits().end()) {
    std::uint64_t items = 1;
    for (auto const& d : shape)
      if (__builtin_mul_overflow(items, number(d, what + ": shape"), &items))
        throw format_error(what + " has a shape of more than 2^64 items");
    std::uint64_t bits;
    if (__builtin_mul_overflow(items, known->second, &bits) || bits % 8 != 0 || bits / 8 != end - begin)
      throw format_error(what + " has " + std::to_string(items) + " items of " + type + " in "
                         + std::to_string(end - begin) + " bytes");
  }
  return {name, type, kind_of(type), data + begin, end - begin};
}

}  // namespace

frame_kind kind_of(std::string const& dtype)
{
  static std::map<std::string, frame_kind> const kinds{
      {"BF16", frame_kind::bf16}, {"F16", frame_kind::f16}, {"F32", frame_kind::f32}, {"F8_E4M3", frame_kind::e4m3}};
  auto const found = kinds.find(dtype);
  return found == kinds.end() ? frame_kind::bytes : found->second;
}

bool is_checkpoint(path const& name)
{
  auto end = name.extension().string();
  std::transform(end.begin(), end.end(), end.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return end == ".safetensors";
}

std::vector<stretch> stretches_of(input_file& file, bool as_bytes)
{
  if (as_bytes || !is_checkpoint(file.name())) return {{"", "", frame_kind::bytes, 0, file.size()}};
  return tensors_of(file);
}

std::vector<stretch> tensors_of(input_file& file)
{
  auto const fail = [&](std::string const& what) {
    return format_error("this is no safetensors file that can be read: " + what + "; --as bytes packs it as it is");
  };
  try {
    if (file.size() < 8) throw format_error("it has " + std::to_string(file.size()) + " bytes");
    std::uint64_t header;
    std::memcpy(&header, file.read(0, 8).data(), 8);
    if (header > longest_header || header > file.size() - 8)
      throw format_error("its header is said to have " + std::to_string(header) + " bytes");
    auto const text = file.read(8, header);
    require_shallow(text);
    auto const json = nlohmann::json::parse(text.begin(), text.end());
    if (!json.is_object()) throw format_error("its header is no JSON object");
    std::vector<stretch> tensors;
    for (auto const& [name, value] : json.items())
      if (name != "__metadata__") tensors.push_back(tensor(name, value, 8 + header, file.size()));
    std::sort(tensors.begin(), tensors.end(),
              [](auto const& a, auto const& b) { return std::pair(a.begin, a.bytes) < std::pair(b.begin, b.bytes); });

    std::vector<stretch> all{{"", "header", frame_kind::bytes, 0, 8 + header}};
    std::uint64_t at = 8 + header;
    auto const gap   = [&](std::uint64_t to) {
      if (to > at) all.push_back({"", "gap", frame_kind::bytes, at, to - at});
    };
    for (auto& t : tensors) {
      if (t.begin < at) throw format_error("tensor \"" + t.name + "\" overlaps another");
      gap(t.begin);
      at = t.begin + t.bytes;
      all.push_back(std::move(t));
    }
    gap(file.size());
    return all;
  } catch (format_error const& e) {
    throw fail(e.what());
  } catch (nlohmann::json::exception const& e) {
    throw fail(std::string("its header is no JSON: ") + e.what());
  }
}

}  // namespace tools
