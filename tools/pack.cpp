// SPDX-License-Identifier: Apache-2.0
#include "machines.hpp"
#include "packing.hpp"
#include "print.hpp"
#include "progress.hpp"
#include "safetensors.hpp"

#include <onepass/packed/frame.hpp>

#include <nlohmann/json.hpp>

#include <iostream>

namespace tools {

namespace packed = onepass::packed;
using packed::format_error;

namespace {

/// Bytes of a tensor or file that go into one frame: enough to keep a GPU busy, and little enough for any memory.
constexpr std::uint64_t frame_bytes = std::uint64_t(64) << 20;

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

/// A packed file whose header and end have been read and found right.
struct packed_file {
  explicit packed_file(path const& name)
      : file(name)
  {
    packed::file_header::check(file.read(0, std::min<std::uint64_t>(file.size(), packed::file_header::bytes_on_file)));
    auto const end   = std::min<std::uint64_t>(file.size(), packed::trailer::bytes_on_file);
    last             = packed::trailer::read(file.read(file.size() - end, end), file.size());
    auto const bytes = file.read(last.table_at, last.table_bytes);
    packed::expect(packed::checksum(bytes) == last.table_sum, "the table does not have its checksum");
    table = packed::table::read(bytes, last.table_at);
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

/// Calls use(bytes) for the decoded bytes of each frame, in order.
template <class Use>
void each_decoded(packed_file& source, packing const& asked, Use const& use)
{
  progress line(source.last.decoded_bytes, asked.quiet);
  packed::running_checksum sum;
  with_place(asked.space, [&](auto const& place) {
    packed::frame_codec codec(place);
    std::uint64_t done = 0;
    for (std::size_t f = 0; f < source.table.frames.size(); ++f) {
      auto const h = source.header(f);
      buffer payload(h.payload_bytes()), out(h.decoded_bytes());
      source.file.read(source.table.frames[f].at + packed::frame_header::bytes_on_file, payload);
      source.named(f, [&] { codec.decode(h, payload, out); });
      sum.add(out);
      use(out);
      line.reached(done += out.size());
    }
  });
  packed::expect(sum.value() == source.last.decoded_sum, "the frames together do not have the original's checksum");
}

}  // namespace

int pack(packing const& asked)
{
  input_file in(asked.file);
  auto const all = stretches_of(in, asked.as == "bytes");
  auto name      = asked.out;
  if (name.empty()) name = is_standard(asked.file) ? "-" : asked.file.string() + ".1p";
  output_file out(name, as_file_of(asked));
  packed::table table;
  packed::running_checksum sum;
  progress line(in.size(), asked.quiet);
  out.write(packed::file_header::written());
  with_place(asked.space, [&](auto const& place) {
    packed::frame_codec codec(place);
    buffer data, frame;
    for (auto const& s : all) {
      table.segments.push_back({s.name, s.type, table.frames.size(), 0});
      auto const item = packed::item_bytes(s.kind);
      auto const kind = s.bytes % item == 0 ? s.kind : packed::frame_kind::bytes;
      for (std::uint64_t at = 0; at < s.bytes; at += frame_bytes) {
        data.resize(std::min(frame_bytes, s.bytes - at));
        in.read(s.begin + at, data);
        sum.add(data);
        frame.clear();
        auto const header = codec.encode(kind, data, frame);
        table.frames.push_back(packed::frame_place::of(out.written(), header));
        ++table.segments.back().frames;
        out.write(frame);
        line.reached(s.begin + at + data.size());
      }
    }
  });
  auto const written = table.written();
  packed::trailer const last{out.written(), written.size(), in.size(), sum.value(), packed::checksum(written)};
  out.write(written);
  out.write(last.written());
  out.keep();
  line.clear();
  if (asked.remove) remove_input(asked.file);
  report(asked, out.is_standard_output(), "packed", in.size(), out.written(), line.seconds());
  return 0;
}

int unpack(packing const& asked)
{
  auto name = asked.out;
  if (name.empty() && is_standard(asked.file)) name = "-";
  if (name.empty()) {
    if (asked.file.extension() != ".1p")
      throw usage_error(asked.file.string() + " does not end in .1p; give a name with --output");
    name = path(asked.file).replace_extension();
  }
  packed_file source(asked.file);
  progress line(0);
  output_file out(name, as_file_of(asked));
  out.expect_room_for(source.last.decoded_bytes);
  each_decoded(source, asked, [&](buffer const& b) { out.write(b); });
  out.keep();
  if (asked.remove) remove_input(asked.file);
  report(asked, out.is_standard_output(), "unpacked", source.file.size(), out.written(), line.seconds());
  return 0;
}

int verify(packing const& asked)
{
  packed_file source(asked.file);
  progress line(0);
  std::uint64_t bytes = 0;
  each_decoded(source, asked, [&](buffer const& b) { bytes += b.size(); });
  report(asked, false, "verified", source.file.size(), bytes, line.seconds());
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

}  // namespace tools
