// SPDX-License-Identifier: Apache-2.0
#include "machines.hpp"
#include "packing.hpp"
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

void report(packing const& asked, char const* verb, std::uint64_t from, std::uint64_t to, double seconds)
{
  auto const original = std::max(from, to), smaller = std::min(from, to);
  if (asked.json)
    std::cout << nlohmann::json{{"command", verb},
                                {"bytes_read", from},
                                {"bytes_written", to},
                                {"seconds", seconds},
                                {"ratio", original ? double(smaller) / double(original) : 1.0}}
                     .dump(1)
              << '\n';
  else
    std::printf("%s: %llu -> %llu bytes (%.2f %%) in %.2f s, %.2f GB/s\n", verb, static_cast<unsigned long long>(from),
                static_cast<unsigned long long>(to), from ? 100.0 * double(to) / double(from) : 100.0, seconds,
                double(original) / seconds * 1e-9);
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
void each_decoded(packed_file& source, std::string const& space, Use const& use)
{
  progress line(source.last.decoded_bytes);
  packed::running_checksum sum;
  with_place(space, [&](auto const& place) {
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
  output_file out(asked.out.empty() ? path(asked.file.string() + ".1p") : asked.out);
  packed::table table;
  packed::running_checksum sum;
  progress line(in.size());
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
  report(asked, "packed", in.size(), out.written(), line.seconds());
  return 0;
}

int unpack(packing const& asked)
{
  packed_file source(asked.file);
  auto name = asked.out;
  if (name.empty()) {
    if (asked.file.extension() != ".1p")
      throw usage_error(asked.file.string() + " does not end in .1p; give a name with --output");
    name = path(asked.file).replace_extension();
  }
  progress line(0);
  output_file out(name);
  each_decoded(source, asked.space, [&](buffer const& b) { out.write(b); });
  out.keep();
  report(asked, "unpacked", source.file.size(), out.written(), line.seconds());
  return 0;
}

int verify(packing const& asked)
{
  packed_file source(asked.file);
  progress line(0);
  std::uint64_t bytes = 0;
  each_decoded(source, asked.space, [&](buffer const& b) { bytes += b.size(); });
  report(asked, "verified", source.file.size(), bytes, line.seconds());
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
    std::cout << nlohmann::json{{"version", packed::file_header::version},
                                {"bytes", source.last.decoded_bytes},
                                {"stored", source.file.size()},
                                {"segments", rows}}
                     .dump(1, ' ', false, nlohmann::json::error_handler_t::replace)
              << '\n';
    return 0;
  }
  for (auto const& r : rows) {
    auto const bytes = r["bytes"].get<double>(), stored = r["stored"].get<double>();
    std::string kinds;
    for (auto const& k : r["coded_as"]) kinds += (kinds.empty() ? "" : ", ") + k.get<std::string>();
    std::printf("%14.0f %14.0f  %6.2f %%  %-8s %-12s %s\n", bytes, stored, bytes > 0 ? 100 * stored / bytes : 100,
                r["type"].get<std::string>().c_str(), kinds.c_str(), r["name"].get<std::string>().c_str());
  }
  std::printf("%14llu %14llu  %6.2f %%  the whole file\n", static_cast<unsigned long long>(source.last.decoded_bytes),
              static_cast<unsigned long long>(source.file.size()),
              source.last.decoded_bytes ? 100.0 * double(source.file.size()) / double(source.last.decoded_bytes)
                                        : 100.0);
  return 0;
}

}  // namespace tools
