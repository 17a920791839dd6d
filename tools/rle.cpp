// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "packing.hpp"
#include "print.hpp"
#include "progress.hpp"

#include <onepass/packed/bytes.hpp>
#include <onepass/run_length.hpp>

#include <nlohmann/json.hpp>

#include <iostream>
#include <optional>

namespace tools {

namespace packed = onepass::packed;
using packed::expect;
using packed::put;

namespace {

/// Bytes of a file that are coded together; runs end with them, so that a length fits 32 bits.
constexpr std::size_t most_bytes = std::size_t(32) << 20;
constexpr std::uint32_t magic    = 0x6c727031;  // "1prl"
constexpr std::uint16_t version  = 2;           // of the format

/// Memory of a space and of the program for frames of items and their runs, and the calls that code them. What they
/// return holds until the next call of the same name: memory of its own for each frame would take longer than its runs.
template <class T, class Place>
class run_codec {
  using exec = typename Place::execution_space;

public:
  run_codec(Place const& place, std::size_t most)
      : scratch_(place.space)
      , place_(place.with(scratch_))
      , items_("items", most)
      , symbols_("symbols", most)
      , lengths_("lengths", most)
      , count_("count")
  {}

  double encoding = 0, decoding = 0;  ///< seconds so far

  /// The runs of the items; there are at most `most` items.
  std::pair<std::vector<T> const&, std::vector<u32> const&> encode(std::vector<T> const& from)
  {
    auto const in = front(items_, from.size());
    Kokkos::deep_copy(in, view_of(from));
    encoding += seconds_of(place_.space, [&] { onepass::run_length_encode(place_, in, symbols_, lengths_, count_); });
    auto const runs = counted();
    found_symbols_.resize(runs);
    found_lengths_.resize(runs);
    Kokkos::deep_copy(view_of(found_symbols_), front(symbols_, runs));
    Kokkos::deep_copy(view_of(found_lengths_), front(lengths_, runs));
    return {found_symbols_, found_lengths_};
  }

  /// Decodes runs to `items` items; throws format_error unless the runs have exactly as many.
  std::vector<T> const& decode(std::vector<T> const& symbols, std::vector<u32> const& lengths, std::size_t items)
  {
    auto const from = front(symbols_, symbols.size());
    auto const each = front(lengths_, lengths.size());
    auto const out  = front(items_, items);
    Kokkos::deep_copy(from, view_of(symbols));
    Kokkos::deep_copy(each, view_of(lengths));
    decoding += seconds_of(place_.space, [&] { onepass::run_length_decode(place_, from, each, out, count_); });
    auto const all = counted();
    expect(all == items, "its runs have ", all, " items and it says ", items);
    made_.resize(items);
    Kokkos::deep_copy(view_of(made_), out);
    return made_;
  }

private:
  template <class View>
  static View front(View const& view, std::size_t n)
  {
    return Kokkos::subview(view, std::pair<std::size_t, std::size_t>(0, n));
  }

  std::size_t counted() const
  {
    onepass::extent n = 0;
    Kokkos::deep_copy(n, count_);
    return std::size_t(n);
  }

  onepass::workspace<exec> scratch_;
  Place place_;
  Kokkos::View<T*, exec> items_, symbols_;
  Kokkos::View<u32*, exec> lengths_;
  Kokkos::View<onepass::extent, exec> count_;
  std::vector<T> found_symbols_, made_;
  std::vector<u32> found_lengths_;
};

/// The bytes of items, and the items of bytes.
template <class T>
packed::byte_view bytes_of(std::vector<T> const& items)
{
  return {reinterpret_cast<std::uint8_t const*>(items.data()), items.size() * sizeof(T)};
}
template <class T>
std::vector<T> read_items(input_file& in, std::uint64_t at, std::uint64_t n)
{
  expect(at <= in.size() && n <= (in.size() - at) / sizeof(T), "it ends too soon: ", n, " items of ", sizeof(T),
         " bytes are missing at byte ", at);
  std::vector<T> items(n);
  in.read(at, {reinterpret_cast<std::uint8_t*>(items.data()), n * sizeof(T)});
  return items;
}

/// Calls f(T{}, place) for the type of this name and the space asked for.
template <class F>
void with_type(std::string const& name, std::string const& space, F const& f)
{
  with_place(space, [&](auto const& place) {
    if (name == "u16") f(u16{}, place);
    else if (name == "u32") f(u32{}, place);
    else if (name == "u64") f(u64{}, place);
    else f(u8{}, place);
  });
}

/// The checksums at the end of the file: of the original, and of what says how it is made of frames: the file's
/// beginning and the frames' beginnings.
struct end_sums {
  packed::running_checksum original, parts;

  buffer written() const
  {
    buffer to;
    put(to, original.value()), put(to, parts.value());
    return to;
  }
};

writing as_file_of(rle_request const& asked)
{
  return {.force = asked.force, .like = is_standard(asked.file) ? path() : asked.file, .same_times = true};
}

int encode(rle_request const& asked)
{
  input_file in(asked.file);
  std::optional<output_file> out;
  if (!asked.out.empty()) out.emplace(asked.out, as_file_of(asked));
  progress line(in.size(), asked.quiet);
  std::uint64_t items = 0, runs = 0, stored = 0;
  double encoding = 0, decoding = 0;
  bool equal       = true;
  auto const write = [&](packed::byte_view bytes) {
    stored += bytes.size();
    if (out) out->write(bytes);
  };

  with_type(asked.type, asked.space, [&]<class T>(T, auto const& place) {
    end_sums sums;
    buffer head;
    put(head, magic), put(head, version), put(head, u16(sizeof(T))), put(head, in.size());
    sums.parts.add(head);
    write(head);
    items           = in.size() / sizeof(T);
    auto const most = std::min<std::uint64_t>(items, most_bytes / sizeof(T));
    run_codec<T, std::decay_t<decltype(place)>> codec(place, most);
    for (std::uint64_t at = 0; at < items && equal; at += most) {
      auto const data               = read_items<T>(in, at * sizeof(T), std::min(most, items - at));
      auto const [symbols, lengths] = codec.encode(data);
      equal                         = codec.decode(symbols, lengths, data.size()) == data;
      buffer frame;
      put(frame, u32(data.size())), put(frame, u32(symbols.size())), put(frame, packed::checksum(bytes_of(data)));
      sums.parts.add(frame);
      sums.original.add(bytes_of(data));
      write(frame);
      write(bytes_of(symbols));
      write(bytes_of(lengths));
      runs += symbols.size();
      line.reached((at + data.size()) * sizeof(T));
    }
    auto const rest = in.read(items * sizeof(T), in.size() % sizeof(T));
    sums.original.add(rest);
    write(rest);
    write(sums.written());
    encoding = codec.encoding, decoding = codec.decoding;
  });
  if (out && equal) out->keep();
  line.clear();

  auto const bytes   = in.size();
  double const ratio = bytes ? double(stored) / double(bytes) : 1, mean = runs ? double(items) / double(runs) : 0;
  auto const speed = [&](double seconds) { return seconds > 0 ? double(bytes) / seconds * 1e-9 : 0; };
  bool const aside = out && out->is_standard_output();
  if (asked.quiet) return equal ? exit_code::fine : exit_code::differs;
  if (asked.json)
    print(aside ? std::cerr : std::cout,
          {{"command", "rle"},
           {"type", asked.type},
           {"bytes", bytes},
           {"items", items},
           {"runs", runs},
           {"mean_run", mean},
           {"stored", stored},
           {"ratio", ratio},
           {"encoded_gigabytes_per_second", speed(encoding)},
           {"decoded_gigabytes_per_second", speed(decoding)},
           {"equal", equal}},
          1);
  else
    std::fprintf(
        aside ? stderr : stdout,
        "%llu bytes as %llu runs of %s, %.2f items each -> %llu bytes (%.2f %%); encoded at %.2f GB/s, decoded "
        "at %.2f GB/s, %s\n",
        static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(runs), asked.type.c_str(), mean,
        static_cast<unsigned long long>(stored), 100 * ratio, speed(encoding), speed(decoding),
        equal ? "equal" : "different");
  return equal ? exit_code::fine : exit_code::differs;
}

int decode(rle_request const& asked)
{
  if (asked.out.empty()) throw usage_error("--decode writes a file; give its name with --output");
  input_file in(asked.file);
  expect(in.size() >= 32, "this is no file of runs: it has ", in.size(), " bytes");
  auto const head = in.read(0, 16);
  packed::reader r{head, "the file's beginning"};
  expect(r.get<u32>() == magic, "this is no file of runs that onepass rle wrote");
  auto const said = r.get<u16>(), width = r.get<u16>();
  expect(said == version, "it has version ", said, " of the format; this onepass reads version ", version);
  auto const bytes = r.get<u64>();
  auto const name  = width == 1 ? "u8" : width == 2 ? "u16" : width == 4 ? "u32" : "u64";
  expect(width == 1 || width == 2 || width == 4 || width == 8, "it says that an item has ", width,
         " bytes; 1, 2, 4 and 8 are possible");

  output_file out(asked.out, as_file_of(asked));
  progress line(bytes, asked.quiet);
  double decoding = 0;
  with_type(name, asked.space, [&]<class T>(T, auto const& place) {
    auto const most  = std::min<std::uint64_t>(bytes / sizeof(T), most_bytes / sizeof(T));
    std::uint64_t at = head.size();
    end_sums sums;
    sums.parts.add(head);
    run_codec<T, std::decay_t<decltype(place)>> codec(place, most);
    for (std::uint64_t left = bytes / sizeof(T); left > 0;) {
      auto const frame = in.read(at, 16);
      packed::reader f{frame, "a frame"};
      sums.parts.add(frame);
      auto const items = f.get<u32>(), runs = f.get<u32>();
      try {
        expect(0 < items && items <= std::min(left, most) && 0 < runs && runs <= items, "it says ", runs, " runs of ",
               items, " items; ", left, " items are to come");
        auto const symbols = read_items<T>(in, at + frame.size(), runs);
        auto const lengths = read_items<u32>(in, at + frame.size() + runs * sizeof(T), runs);
        auto const& data   = codec.decode(symbols, lengths, items);
        expect(packed::checksum(bytes_of(data)) == f.get<u64>(), "its items do not have their checksum");
        sums.original.add(bytes_of(data));
        out.write(bytes_of(data));
      } catch (packed::format_error const& e) {
        throw packed::format_error("frame at byte " + std::to_string(at) + ": " + e.what());
      }
      at += frame.size() + runs * (sizeof(T) + sizeof(u32));
      left -= items;
      line.reached(out.written());
    }
    auto const rest = in.read(at, bytes % sizeof(T));
    sums.original.add(rest);
    auto const end = in.read(at + rest.size(), 16);
    expect(end == sums.written(), "the checksums at the file's end are not those of its frames");
    at += rest.size();
    expect(at + end.size() == in.size(), "it goes on behind its end, byte ", at + end.size());
    out.write(rest);
    decoding = codec.decoding;
  });
  out.keep();
  line.clear();
  bool const aside = out.is_standard_output();
  if (asked.quiet) return exit_code::fine;
  if (asked.json)
    print(aside ? std::cerr : std::cout,
          {{"command", "rle --decode"}, {"bytes_read", in.size()}, {"bytes_written", bytes}}, 1);
  else
    std::fprintf(aside ? stderr : stdout, "%llu -> %llu bytes, decoded at %.2f GB/s\n",
                 static_cast<unsigned long long>(in.size()), static_cast<unsigned long long>(bytes),
                 decoding > 0 ? double(bytes) / decoding * 1e-9 : 0.0);
  return exit_code::fine;
}

}  // namespace

int rle(rle_request const& asked) { return asked.decode ? decode(asked) : encode(asked); }

CLI::App const* add_rle(CLI::App& app, rle_request& asked)
{
  auto& command =
      *app.add_subcommand("rle", "Encode any file as runs of equal items, decode them, compare, and print the ratio");
  command.add_option("FILE", asked.file, "Any file, or with --decode one that rle wrote")->required();
  command
      .add_option("-o,--output", asked.out,
                  "Write the runs there, or with --decode what they stand for; default: nothing is written")
      ->check(name_of_file);
  command.add_option("--type", asked.type, "What the items are")
      ->check(CLI::IsMember({"u8", "u16", "u32", "u64"}))
      ->capture_default_str();
  command.add_flag("--decode", asked.decode, "Restore the file whose runs FILE holds, which says what they are of")
      ->excludes("--type");
  command.add_flag("--json", asked.json, "Print JSON");
  command.add_flag("-q,--quiet", asked.quiet, "Print errors only");
  add_force(command, asked.force);
  add_space(command, asked.space);
  return &command;
}

}  // namespace tools
