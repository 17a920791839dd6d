// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "families.hpp"
#include "files.hpp"
#include "machines.hpp"
#include "options.hpp"
#include "print.hpp"

#include <exception>
#include <iostream>

namespace tools {

namespace {

/// Bytes that are read of what has no size: enough for every row, and to see that there is more.
std::size_t most_bytes(request const& asked)
{
  constexpr std::size_t widest = 8;  // bytes of an item
  return asked.items > 0 && asked.items < SIZE_MAX / widest ? (asked.items + 1) * widest : SIZE_MAX;
}

std::string size_of(request const& asked, std::size_t size)
{
  return asked.file.string() + (size == most_bytes(asked) ? " has at least " : " has ") + std::to_string(size)
         + " bytes";
}

template <class T>
void require_whole(request const& asked, std::size_t size)
{
  if (!holds(asked.types, type_name<T>)) return;
  auto const name = size_of(asked, size);
  auto const rest = size % sizeof(T);
  if (size < sizeof(T)) throw naming<usage_error>(name + ", less than one " + type_name<T> + "; take --type u8");
  if (rest != 0 && asked.types_given)
    throw naming<usage_error>(name + ", no multiple of the " + std::to_string(sizeof(T)) + " of a "
                              + type_name<T> + "; take --type u8 or another file");
  if (asked.items > 0 && size / sizeof(T) > asked.items)
    std::cerr << "note: " << shown(name) << "; of " << type_name<T> << " the first " << asked.items
              << " items are taken, with --items 0 all\n";
  else if (rest != 0)
    std::cerr << "note: " << shown(name) << "; as " << type_name<T> << " the last " << rest << " are left out\n";
}

template <class... T>
void require_whole(request const& asked, std::size_t size, type_list<T...>)
{
  (require_whole<T>(asked, size), ...);
}

/// The types for which an operator has rows, in the order of --type: "u32", "u8, u32 or u64".
std::string types_of(std::string const& op)
{
  std::vector<std::string> types;
  for (auto const& name : names_of(item_types{})) {
    auto const runs = [&](family const& f) { return f.type == name && holds(f.operators, op); };
    if (std::any_of(families().begin(), families().end(), runs)) types.push_back(name);
  }
  std::string text;
  for (auto const& name : types) text += (text.empty() ? "" : &name == &types.back() ? " or " : ", ") + name;
  return text;
}

void run_families(session& s)
{
  for (auto const& f : families()) {
    auto const wanted = [&](std::string const& op) { return s.wants_operator(op); };
    if (s.wants_type(f.type) && std::any_of(f.operators.begin(), f.operators.end(), wanted)) f.run(s);
  }
}

/// Why nothing was checked: each operator that was asked for, with its types.
std::string nothing_ran(request const& asked)
{
  std::string text = "none of the operators runs on these types; ";
  for (auto const& op : asked.operators)
    text += (&op == &asked.operators.front() ? op + " takes --type " : ", " + op + " ") + types_of(op);
  return text;
}

/// Items are the file's words of 4 bytes; rank 0 prints.
int compare_ranks(request const& asked, input_file& in)
{
  auto const n    = in.size() / sizeof(u32);
  auto const most = asked.items > 0 ? std::min<std::uint64_t>(n, asked.items) : n;
  if (most > UINT32_MAX)  // positions are u32, too
    throw naming<usage_error>(asked.file.string() + " has " + std::to_string(most)
                              + " items; --ranks takes 2^32 - 1 at most, so give --items");
  auto const said = [&] {
    return guarded(asked.file, []() -> int { std::rethrow_exception(std::current_exception()); });
  };
  auto const all = check_over_ranks(items_of<u32>(in.read(0, most * sizeof(u32)), SIZE_MAX), said);
  if (all.rank == 0) print_ranks(all, asked.json);
  auto const equal = [](rank_row const& r) { return r.equal; };
  return std::all_of(all.rows.begin(), all.rows.end(), equal) ? exit_code::fine : exit_code::differs;
}

}  // namespace

std::vector<std::string> operator_names()
{
  std::vector<std::string> names;
  for (auto const& f : families())
    for (auto const& op : f.operators)
      if (!holds(names, op)) names.push_back(op);
  return names;
}

int check(request const& asked)
{
  auto const most = most_bytes(asked);
  if (asked.ranks && is_standard(asked.file))
    throw naming<usage_error>("--ranks: every rank reads the file, and standard input is one rank's; name a file");
  input_file in(asked.file, most);
  if (in.size() == 0) throw naming<usage_error>(in.name() + " is empty; name a file with something in it");
  if (asked.ranks && in.size() < sizeof(u32))
    throw naming<usage_error>(size_of(asked, in.size()) + ", less than one u32");
  start_kokkos();
  if (asked.ranks) return compare_ranks(asked, in);
  require_whole(asked, in.size(), item_types{});

  session s(asked, in.read(0, std::min<std::uint64_t>(in.size(), most)));
  run_families(s);
  s.doing("");
  if (s.rows().empty()) throw usage_error(nothing_ran(asked));
  if (asked.json) print_json(s);
  else print_table(s);
  return s.all_equal() ? exit_code::fine : exit_code::differs;
}

CLI::App const* add_check(CLI::App& app, request& asked)
{
  auto& command = *app.add_subcommand(
      "check", "Run every primitive on every space and schedule, on items made of a file, and compare");
  asked.operators = operator_names();
  command.add_option("FILE", asked.file, "Any file: its bytes are the items")->required();
  add_list(command, "--type", asked.types, "Item types; the default leaves out a remainder that fills no item")
      ->delimiter(',')
      ->check(CLI::IsMember(names_of(item_types{})))
      ->each([&asked](std::string const&) { asked.types_given = true; })
      ->capture_default_str();
  add_list(command, "--op", asked.operators,
           "Operators; affine composes pairs of u32 and does not commute; none: what takes no operator")
      ->delimiter(',')
      ->check(CLI::IsMember(operator_names()))
      ->capture_default_str();
  add_list(command, "--space", asked.spaces,
           "Execution spaces; default: all of this build. The serial reference runs always")
      ->delimiter(',')
      ->check(CLI::IsMember(space_names()));
  add_number(command, "--items", asked.items, "Items that a row takes at most, from the file's beginning; 0: all");
  command
      .add_flag("--ranks", asked.ranks,
                "Started by mpirun: every call over these ranks against one rank, on u32; each rank reads the file")
      ->excludes("--type")
      ->excludes("--op")
      ->excludes("--space");
  command.add_flag("--json", asked.json, "Print JSON");
  return &command;
}

}  // namespace tools
