// SPDX-License-Identifier: Apache-2.0
#include "held_parts.hpp"
#include "machines.hpp"
#include "options.hpp"
#include "packing.hpp"
#include "pipeline.hpp"
#include "print.hpp"
#include "progress.hpp"
#include "safetensors.hpp"

#include <onepass/packed/frame.hpp>

#include <nlohmann/json.hpp>

#include <functional>
#include <iostream>
#include <memory>
#include <utility>

namespace tools {

namespace packed = onepass::packed;
using packed::format_error;

namespace {

/// Bytes of a tensor or file that go into one frame: enough to keep a GPU busy, and little enough for any memory.
constexpr std::uint64_t frame_bytes = std::uint64_t(64) << 20;

/// Parts of n frames: one frame, or as many small ones as have frame_bytes, headers included.
template <class BytesOf>
std::vector<part> parts_of(std::size_t n, BytesOf const& bytes_of)
{
  std::vector<part> all;
  std::uint64_t bytes = 0;
  for (std::size_t f = 0; f < n; ++f) {
    auto const more = packed::frame_header::bytes_on_file + bytes_of(f);
    if (all.empty() || bytes + more > frame_bytes) all.push_back({f, f}), bytes = 0;
    all.back().end = f + 1;
    bytes += more;
  }
  return all;
}

/// What codes frames at a space that is chosen when the program runs.
struct coder {
  std::function<packed::encoded_payload(packed::frame_kind, packed::byte_view, std::span<std::uint8_t>)> encode;
  std::function<void(packed::frame_header const&, packed::byte_view, std::span<std::uint8_t>)> decode;

  explicit coder(std::string space)
      : space_(std::move(space))
  {}

  /// Gives `to` the frames of a part, each with memory for bytes_of(frame) bytes to code it to. The first part starts
  /// Kokkos.
  template <class BytesOf>
  void begin(held_frames& from, held_frames& to, BytesOf const& bytes_of)
  {
    if (!encode) start();
    to.frames = from.frames;
    to.make_room([&](std::size_t k) { return bytes_of(from.frames[k]); });
    if (copies_) from.pin(), to.pin();
  }

private:
  void start()
  {
    with_place(space_, [&]<class Place>(Place const& place) {
      auto const codec = std::make_shared<packed::frame_codec<Place>>(place);
      encode           = [codec](auto kind, auto data, auto to) { return codec->encode_payload(kind, data, to); };
      decode  = [codec](auto const& header, auto payload, auto to) { codec->decode_payload(header, payload, to); };
      copies_ = !onepass::on_host<onepass::space_of<Place>>;
    });
  }

  std::string space_;
  bool copies_ = false;  ///< to memory of its own and back
};

/// Says what was done; on standard error where standard output has the result.
void report(packing const& asked, bool aside, char const* verb, std::uint64_t from, std::uint64_t to, double seconds)
{
  if (asked.quiet) return;
  auto const original = std::max(from, to), smaller = std::min(from, to);
  if (asked.json)
    print(aside ? std::cerr : std::cout,
          {{"command", verb},
           {"file", asked.file.string()},
           {"bytes_read", from},
           {"bytes_written", to},
           {"seconds", seconds},
           {"ratio", original ? double(smaller) / double(original) : 1.0}},
          1);
  else
    std::fprintf(aside ? stderr : stdout, "%s: %s %llu -> %llu bytes (%.2f %%) in %.2f s, %.2f GB/s\n",
                 shown(asked.file.string()).c_str(), verb, static_cast<unsigned long long>(from),
                 static_cast<unsigned long long>(to), from ? 100.0 * double(to) / double(from) : 100.0, seconds,
                 double(original) / seconds * 1e-9);
}

/// How the result of pack and unpack is written: as gzip does, with the mode and the times of the file it is made of.
writing as_file_of(packing const& asked)
{
  return {.force      = asked.force,
          .like       = is_standard(asked.file) ? path() : asked.file,
          .same_times = true,
          .durable    = asked.remove};
}

/// The checksum of bytes of a file, none of which are kept: until it is right, their number is what anybody may say.
std::uint64_t checksum_in(input_file& file, std::uint64_t at, std::uint64_t bytes)
{
  packed::running_checksum sum;
  buffer piece(piece_bytes);
  for (std::uint64_t done = 0; done < bytes; done += piece_bytes) {
    auto const next = std::span(piece).first(std::min<std::uint64_t>(piece_bytes, bytes - done));
    file.read(at + done, next);
    sum.add(next);
  }
  return sum.value();
}

/// A packed file whose header and end have been read and found right.
struct packed_file {
  explicit packed_file(path const& name)
      : file(name)
  {
    packed::file_header::check(file.read(0, std::min<std::uint64_t>(file.size(), packed::file_header::bytes_on_file)));
    auto const end = std::min<std::uint64_t>(file.size(), packed::trailer::bytes_on_file);
    last           = packed::trailer::read(file.read(file.size() - end, end), file.size());
    packed::expect(checksum_in(file, last.table_at, last.table_bytes) == last.table_sum,
                   "the table does not have its checksum");
    table = packed::table::read(file.read(last.table_at, last.table_bytes), last.table_at);
    packed::expect(table.decoded_bytes() == last.decoded_bytes, "the frames hold ", table.decoded_bytes(),
                   " bytes and the file's end says ", last.decoded_bytes);
  }

  packed::frame_header header(std::size_t f)
  {
    auto const& place = table.frames[f];
    return named(f, [&] { return place.read(file.read(place.at, packed::frame_header::bytes_on_file)); });
  }

  /// Adds the frame's name and position to any error in it.
  template <class F>
  auto named(std::size_t f, F const& do_it) const -> decltype(do_it())
  {
    try {
      return do_it();
    } catch (format_error const& e) {
      throw format_error("frame " + std::to_string(f) + " at byte " + std::to_string(table.frames[f].at) + ": "
                         + e.what());
    }
  }

  input_file file;
  packed::trailer last;
  packed::table table;
};

/// Calls use(bytes), unless it is empty, for the decoded bytes of each frame, in order, once those of its part are
/// known to be right. A part is read while the one before is decoded, the one before that checked, and a fourth used.
void each_decoded(packed_file& source, packing const& asked, std::function<void(packed::byte_view)> const& use)
{
  auto const& places = source.table.frames;
  auto const parts =
      parts_of(places.size(), [&](std::size_t f) { return std::max(places[f].bytes, places[f].decoded_bytes); });
  held_parts payloads(parts, 1, [&](std::size_t f) { return places[f].bytes; });
  held_parts contents(parts, use ? 2 : 1, [&](std::size_t f) { return places[f].decoded_bytes; });
  auto const read = [&](std::size_t p) {
    auto& to         = payloads[p];
    auto const first = parts[p].first;
    to.frames.clear();
    for (auto f = first; f < parts[p].end; ++f) to.frames.push_back({source.header(f), {}});
    to.make_room([&](std::size_t k) { return to.frames[k].header.payload_bytes(); });
    for (std::size_t k = 0; k < to.frames.size(); ++k) {
      auto const& frame = to.frames[k];
      packed::running_checksum sum;
      source.file.read(places[first + k].at + packed::frame_header::bytes_on_file, frame.bytes,
                       [&](packed::byte_view piece) { sum.add(piece); });
      source.named(first + k, [&] { frame.header.check_payload_sum(sum.value()); });
    }
  };

  coder space(asked.space);
  auto const decode = [&](std::size_t p) {
    auto& from = payloads[p];
    auto& to   = contents[p];
    space.begin(from, to, [](held_frame const& frame) { return frame.header.decoded_bytes(); });
    for (std::size_t k = 0; k < to.frames.size(); ++k)
      source.named(parts[p].first + k,
                   [&] { space.decode(from.frames[k].header, from.frames[k].bytes, to.frames[k].bytes); });
  };

  progress line(source.last.decoded_bytes, asked.quiet);
  packed::running_checksum whole;
  std::uint64_t done = 0;
  auto const check   = [&](std::size_t p) {
    auto const& from = contents[p].frames;
    for (std::size_t k = 0; k < from.size(); ++k) {
      packed::running_checksum sum;
      by_pieces(from[k].bytes, [&](packed::byte_view piece) { sum.add(piece), whole.add(piece); });
      source.named(parts[p].first + k, [&] { from[k].header.check_decoded_sum(sum.value()); });
      line.reached(done += from[k].bytes.size());
    }
  };
  std::vector<std::function<void(std::size_t)>> steps{read, decode, check};
  if (use)
    steps.push_back([&](std::size_t p) {
      for (auto const& frame : contents[p].frames) use(frame.bytes);
    });
  run_pipeline(parts.size(), steps, 1);
  packed::expect(whole.value() == source.last.decoded_sum, "the frames together do not have the original's checksum");
}

/// The options of a command that writes a file for each that it reads.
void add_output(CLI::App& command, packing& asked, char const* what)
{
  command.add_option("-o,--output", asked.out, what)->check(name_of_file);
  auto* const removes = command.add_flag("--rm", asked.remove, "Remove FILE when the result is on the disk");
  command.add_flag("-k,--keep")->description("Keep FILE, as is the default")->excludes(removes);
  add_force(command, asked.force);
}

void add_quiet(CLI::App& command, packing& asked) { command.add_flag("-q,--quiet", asked.quiet, "Print errors only"); }

}  // namespace

int pack(packing const& asked)
{
  input_file in(asked.file);
  auto const all = stretches_of(in, asked.as == "bytes");
  auto name      = asked.out;
  if (name.empty()) name = is_standard(asked.file) ? "-" : asked.file.string() + ".1p";
  output_file out(name, as_file_of(asked));
  packed::table table;
  struct contents_of_frame {
    packed::frame_kind kind;
    std::uint64_t begin, bytes;
  };
  std::vector<contents_of_frame> planned;
  for (auto const& s : all) {
    auto const first = planned.size();
    auto const kind  = s.bytes % packed::item_bytes(s.kind) == 0 ? s.kind : packed::frame_kind::bytes;
    for (std::uint64_t at = 0; at < s.bytes; at += frame_bytes)
      planned.push_back({kind, s.begin + at, std::min(frame_bytes, s.bytes - at)});
    table.segments.push_back({s.name, s.type, first, planned.size() - first});
  }
  auto const parts = parts_of(planned.size(), [&](std::size_t f) { return planned[f].bytes; });

  auto const bytes_of = [&](std::size_t f) { return planned[f].bytes; };
  held_parts contents(parts, 1, bytes_of), coded(parts, 2, bytes_of);
  packed::running_checksum whole;
  auto const read = [&](std::size_t p) {
    auto& to        = contents[p];
    auto const plan = std::span(planned).subspan(parts[p].first, parts[p].end - parts[p].first);
    to.frames.assign(plan.size(), {});
    to.make_room([&](std::size_t k) { return plan[k].bytes; });
    for (std::size_t k = 0; k < plan.size(); ++k) {
      packed::running_checksum sum;
      in.read(plan[k].begin, to.frames[k].bytes, [&](packed::byte_view piece) { sum.add(piece), whole.add(piece); });
      to.frames[k].header.decoded_sum = sum.value();
    }
  };

  progress line(in.size(), asked.quiet);
  out.reserve(in.size() / 2, output_file::size_is::guessed);
  // Nothing goes to a pipe before Kokkos has started.
  auto const begin = [&] {
    if (out.written() == 0) out.write(packed::file_header::written());
  };
  auto const seal = [&](std::size_t p) {
    for (auto& [header, _, front, rest] : coded[p].frames) {
      packed::running_checksum sum;
      sum.add(front), sum.add(rest);
      header.payload_sum = sum.value();
    }
  };
  auto const write = [&](std::size_t p) {
    begin();
    for (auto const& [header, _, front, rest] : coded[p].frames) {
      buffer head;
      header.write(head);
      table.frames.push_back(packed::frame_place::of(out.written(), header));
      for (packed::byte_view const piece : {packed::byte_view(head), front, rest}) out.write(piece);
    }
    auto const done = planned[parts[p].end - 1].begin + planned[parts[p].end - 1].bytes;
    line.reached(done);
    auto const rest_alike = double(in.size()) * double(out.written()) / double(done);
    out.reserve(std::uint64_t(rest_alike), output_file::size_is::guessed);
  };

  coder space(asked.space);
  auto const encode = [&](std::size_t p) {
    auto& from = contents[p];
    auto& to   = coded[p];
    space.begin(from, to, [](held_frame const& frame) { return frame.bytes.size(); });
    for (std::size_t k = 0; k < to.frames.size(); ++k) {
      auto& [header, room, front, rest] = to.frames[k];
      auto const sum                    = header.decoded_sum;
      auto const kind                   = planned[parts[p].first + k].kind;
      auto const made                   = space.encode(kind, from.frames[k].bytes, room);
      header = made.header, front = made.front, rest = made.rest;
      header.decoded_sum = sum;
    }
  };
  run_pipeline(parts.size(), {read, encode, seal, write}, 1);
  begin();  // of a file without parts
  auto const written = table.written();
  packed::trailer const last{out.written(), written.size(), in.size(), whole.value(), packed::checksum(written)};
  out.write(written);
  out.write(last.written());
  out.keep();
  line.clear();
  if (asked.remove) in.remove();
  report(asked, out.is_standard_output(), "packed", in.size(), out.written(), line.seconds());
  return 0;
}

int unpack(packing const& asked)
{
  auto name = asked.out;
  if (name.empty() && is_standard(asked.file)) name = "-";
  if (name.empty()) {
    if (asked.file.extension() != ".1p")
      throw naming<usage_error>(asked.file.string() + " does not end in .1p; give a name with --output");
    name = path(asked.file).replace_extension();
  }
  packed_file source(asked.file);
  progress line(0);
  output_file out(name, as_file_of(asked));
  out.expect_room_for(source.last.decoded_bytes);
  out.reserve(source.last.decoded_bytes);
  each_decoded(source, asked, [&](packed::byte_view b) { out.write(b); });
  out.keep();
  if (asked.remove) source.file.remove();
  report(asked, out.is_standard_output(), "unpacked", source.file.size(), out.written(), line.seconds());
  return 0;
}

int verify(packing const& asked)
{
  packed_file source(asked.file);
  progress line(0);
  each_decoded(source, asked, {});
  report(asked, false, "verified", source.file.size(), source.last.decoded_bytes, line.seconds());
  return 0;
}

int inspect(packing const& asked)
{
  packed_file source(asked.file);
  auto rows = nlohmann::json::array();
  for (auto const& s : source.table.segments) {
    std::uint64_t stored = 0, holds = 0;
    std::vector<std::string> kinds;
    for (auto f = s.first_frame; f < s.first_frame + s.frames; ++f) {
      auto const h = source.header(f);
      stored += packed::frame_header::bytes_on_file + h.payload_bytes();
      holds += h.decoded_bytes();
      if (std::find(kinds.begin(), kinds.end(), packed::name_of(h.kind)) == kinds.end())
        kinds.push_back(packed::name_of(h.kind));
    }
    rows.push_back({{"name", s.name},
                    {"type", s.type},
                    {"coded_as", kinds},
                    {"frames", s.frames},
                    {"bytes", holds},
                    {"stored", stored}});
  }
  if (asked.json) {
    print(std::cout,
          {{"file", asked.file.string()},
           {"version", packed::file_header::version},
           {"bytes", source.last.decoded_bytes},
           {"stored", source.file.size()},
           {"segments", rows}},
          1);
    return 0;
  }
  for (auto const& r : rows) {
    auto const bytes = r["bytes"].get<double>(), stored = r["stored"].get<double>();
    std::string kinds;
    for (auto const& k : r["coded_as"]) kinds += (kinds.empty() ? "" : ", ") + k.get<std::string>();
    std::printf("%14.0f %14.0f  %6.2f %%  %-8s %-12s %s\n", bytes, stored, bytes > 0 ? 100 * stored / bytes : 100,
                shown(r["type"].get<std::string>()).c_str(), kinds.c_str(),
                shown(r["name"].get<std::string>()).c_str());
  }
  std::printf("%14llu %14llu  %6.2f %%  the whole of %s\n", static_cast<unsigned long long>(source.last.decoded_bytes),
              static_cast<unsigned long long>(source.file.size()),
              source.last.decoded_bytes ? 100.0 * double(source.file.size()) / double(source.last.decoded_bytes)
                                        : 100.0,
              shown(asked.file.string()).c_str());
  return 0;
}

void add_files(CLI::App& command, packing& asked, char const* what)
{
  command.add_option("FILE", asked.files, what)->required();
  command.add_flag("--json", asked.json, "Print JSON, an object for each file");
}

CLI::App const* add_pack(CLI::App& app, packing& asked)
{
  auto& command =
      *app.add_subcommand("pack", "Compress model weights (.safetensors, tensor by tensor) or any file, without loss");
  add_files(command, asked, "The file to pack");
  add_space(command, asked.space);
  add_output(command, asked, "The packed file; default: FILE.1p");
  add_quiet(command, asked);
  command.add_option("--as", asked.as, "auto: by the file's name; bytes: whatever it is")
      ->check(CLI::IsMember({"auto", "bytes"}));
  return &command;
}

CLI::App const* add_unpack(CLI::App& app, packing& asked)
{
  auto& command = *app.add_subcommand("unpack", "Restore what was packed, bit for bit");
  add_files(command, asked, "The packed file");
  add_space(command, asked.space);
  add_output(command, asked, "The restored file; default: FILE without .1p");
  add_quiet(command, asked);
  return &command;
}

CLI::App const* add_verify(CLI::App& app, packing& asked)
{
  auto& command =
      *app.add_subcommand("verify", "Decode a packed file, write nothing, and say whether every checksum is right");
  add_files(command, asked, "The packed file");
  add_space(command, asked.space);
  add_quiet(command, asked);
  return &command;
}

CLI::App const* add_inspect(CLI::App& app, packing& asked)
{
  auto& command = *app.add_subcommand("inspect", "List what a packed file holds");
  add_files(command, asked, "The packed file");
  return &command;
}

}  // namespace tools
