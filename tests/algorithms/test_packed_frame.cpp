// SPDX-License-Identifier: Apache-2.0
// Frames of the container: every backend writes the bytes that the reference writes, and reads what is whole alone.
#include "coded_items.hpp"
#include "kernel_log.hpp"
#include "refusal.hpp"
#include "row.hpp"

#include <onepass/packed/frame.hpp>

#include <gtest/gtest.h>

using namespace test;
namespace packed = onepass::packed;
using packed::frame_kind;

namespace {

using file = std::vector<std::uint8_t>;

template <class Items>
file bytes_of(Items const& items)
{
  file bytes(items.size() * sizeof(items[0]));
  if (!bytes.empty()) std::memcpy(bytes.data(), items.data(), bytes.size());
  return bytes;
}

file some_data(frame_kind kind, extent n, value_mix how)
{
  return packed::with_split(kind, [&](auto s) { return bytes_of(spread_items<decltype(s)>(n, how)); });
}

template <class Codec>
file encoded(Codec& codec, frame_kind kind, file const& data)
{
  file to;
  codec.encode(kind, data, to);
  return to;
}

template <class Codec>
file decoded(Codec& codec, file const& frame)
{
  auto const h    = packed::frame_header::read(frame);
  auto const rest = packed::byte_view(frame).subspan(packed::frame_header::bytes_on_file);
  file const payload(rest.begin(), rest.end());
  file out(h.decoded_bytes());
  codec.decode(h, payload, out);
  return out;
}

TEST(frame, every_backend_writes_the_same_bytes_and_reads_them)
{
  packed::frame_codec codec(row());
  packed::frame_codec reference(onepass::serially());
  for (auto const kind :
       {frame_kind::bytes, frame_kind::bf16, frame_kind::f16, frame_kind::f32, frame_kind::e4m3, frame_kind::raw})
    for (auto const how : {value_mix::normal, value_mix::uniform, value_mix::one_value})
      for (extent const n : {0, 1, 100, 4099, 40000}) {
        SCOPED_TRACE(std::string(packed::name_of(kind)) + ", " + name_of(how) + ", n = " + std::to_string(n));
        auto const data  = some_data(kind, n, how);
        auto const frame = encoded(codec, kind, data);
        ASSERT_TRUE(frame == encoded(reference, kind, data));
        ASSERT_LE(frame.size(), data.size() + 192);
        if (kind != frame_kind::raw && how == value_mix::one_value && n == 40000) {
          EXPECT_LT(frame.size(), data.size() * 9 / 10);
        }
        ASSERT_TRUE(decoded(codec, frame) == data);
        ASSERT_TRUE(decoded(reference, frame) == data);
      }
}

TEST(frame, a_payload_alone_is_that_of_the_frame_whatever_was_in_its_memory)
{
  packed::frame_codec codec(row());
  for (auto const kind : {frame_kind::bytes, frame_kind::bf16, frame_kind::f32, frame_kind::e4m3, frame_kind::raw})
    for (auto const how : {value_mix::uniform, value_mix::one_value})
      for (extent const n : {0, 1, 33, 4099, 40001}) {
        SCOPED_TRACE(std::string(packed::name_of(kind)) + ", " + name_of(how) + ", n = " + std::to_string(n));
        auto const data  = some_data(kind, n, how);
        auto const frame = encoded(codec, kind, data);
        file room(data.size() + 100, 0xa5);
        auto [header, front, rest] = codec.encode_payload(kind, data, room);
        file payload(front.begin(), front.end());
        payload.insert(payload.end(), rest.begin(), rest.end());
        ASSERT_TRUE(std::equal(payload.begin(), payload.end(), frame.begin() + 192, frame.end()));
        ASSERT_EQ(room[data.size()], 0xa5);
        file out(data.size(), 0xa5);
        codec.decode_payload(header, payload, out);
        ASSERT_TRUE(out == data);
      }
  file const data(100), too_small(99);
  EXPECT_NE(refusal<onepass::precondition_error>([&] {
              auto room = too_small;
              codec.encode_payload(frame_kind::bytes, data, room);
            }).find("99 bytes for the payload of 100"),
            std::string::npos);
}

TEST(frame, is_decoded_to_what_has_its_size)
{
  packed::frame_codec codec(row());
  for (auto const kind : {frame_kind::raw, frame_kind::bf16}) {
    auto const data  = some_data(kind, 4096, value_mix::normal);
    auto const frame = encoded(codec, kind, data);
    auto const h     = packed::frame_header::read(frame);
    file const payload(frame.begin() + packed::frame_header::bytes_on_file, frame.end());
    for (auto const size : {data.size() - 1, data.size() + 1}) {
      file room(data.size() + 1, 0xa5);
      auto const said = refusal([&] { codec.decode(h, payload, std::span(room).first(size)); });
      EXPECT_NE(said.find(std::to_string(size) + " bytes for a frame that holds " + std::to_string(data.size())),
                std::string::npos)
          << said;
      EXPECT_EQ(room, file(room.size(), 0xa5));
    }
  }
}

TEST(frame, small_ones_stay_on_the_calling_thread)
{
  packed::frame_codec codec(onepass::on(Kokkos::DefaultHostExecutionSpace{}).through<onepass::host_backend>());
  for (auto const kind : {frame_kind::bytes, frame_kind::bf16, frame_kind::f32, frame_kind::e4m3}) {
    auto const data = some_data(kind, 1000, value_mix::one_value);
    ASSERT_TRUE(decoded(codec, encoded(codec, kind, data)) == data);  // makes memory for frames of this size
    kernel_log const log;
    auto const frame = encoded(codec, kind, data);
    EXPECT_NE(packed::frame_header::read(frame).kind, frame_kind::raw);
    ASSERT_TRUE(decoded(codec, frame) == data);
    for (auto const& k : log.kernels) ADD_FAILURE() << packed::name_of(kind) << ": " << k.label;
  }
}

TEST(frame, what_does_not_get_smaller_is_raw)
{
  packed::frame_codec codec(row());
  random_words engine(seed());
  file data(10000);
  for (auto& b : data) b = std::uint8_t(engine());
  auto const frame = encoded(codec, frame_kind::bytes, data);
  EXPECT_EQ(packed::frame_header::read(frame).kind, frame_kind::raw);
  EXPECT_EQ(frame.size(), data.size() + 192);
  EXPECT_TRUE(decoded(codec, frame) == data);
}

TEST(frame, fp8_takes_the_joint_code_where_that_is_much_smaller)
{
  packed::frame_codec codec(row());
  file few(20000);
  random_words engine(seed());
  for (auto& x : few) x = std::uint8_t(engine() % 3 == 0 ? 0x81 : 0x01);  // one exponent, two of its sixteen companions
  auto const many = some_data(frame_kind::e4m3, 20000, value_mix::rare_tail);
  EXPECT_EQ(packed::frame_header::read(encoded(codec, frame_kind::e4m3, few)).kind, frame_kind::bytes);
  EXPECT_EQ(packed::frame_header::read(encoded(codec, frame_kind::e4m3, many)).kind, frame_kind::e4m3);
}

TEST(frame, every_flipped_bit_is_found)
{
  packed::frame_codec codec(row());
  for (auto const kind : {frame_kind::bf16, frame_kind::raw}) {
    auto frame = encoded(codec, kind, some_data(frame_kind::bf16, 150, value_mix::one_value));
    ASSERT_EQ(packed::frame_header::read(frame).kind, kind);
    for (std::size_t bit = 0; bit < frame.size() * 8; ++bit) {
      frame[bit / 8] ^= std::uint8_t(1u << bit % 8);
      auto const said = refusal<packed::format_error>([&] { decoded(codec, frame); });
      ASSERT_NE(said.find(bit < 192 * 8 ? "header does not have its checksum" : "payload does not have its checksum"),
                std::string::npos)
          << bit << said;
      frame[bit / 8] ^= std::uint8_t(1u << bit % 8);
    }
  }
}

TEST(frame, every_cut_is_found)
{
  packed::frame_codec codec(row());
  auto const frame = encoded(codec, frame_kind::bf16, some_data(frame_kind::bf16, 150, value_mix::one_value));
  for (std::size_t n = 0; n < frame.size(); ++n) {
    auto const said =
        refusal<packed::format_error>([&] { decoded(codec, file(frame.begin(), frame.begin() + std::ptrdiff_t(n))); });
    ASSERT_NE(said.find(n < 192 ? "ends too soon" : "are needed"), std::string::npos) << n << said;
  }
}

/// A frame whose checksums are right and whose content is not.
template <class Change>
std::string said_of(Change const& change)
{
  packed::frame_codec codec(row());
  auto const frame = encoded(codec, frame_kind::bf16, some_data(frame_kind::bf16, 1500, value_mix::one_value));
  auto h           = packed::frame_header::read(frame);
  file payload(frame.begin() + 192, frame.end());
  change(h, payload);
  h.payload_sum = packed::checksum(payload);
  file forged;
  h.write(forged);
  forged.insert(forged.end(), payload.begin(), payload.end());
  return refusal<packed::format_error>([&] { decoded(codec, forged); });
}

TEST(frame, forged_content_is_refused_by_name)
{
  using header      = packed::frame_header;
  auto const expect = [](std::string const& said, char const* sentence) {
    EXPECT_NE(said.find(sentence), std::string::npos) << said;
  };
  expect(said_of([](header&, file&) {}), "");
  expect(said_of([](header& h, file&) { h.items = std::uint64_t(1) << 40; }), "at most 2^30 bytes");
  expect(said_of([](header& h, file&) { h.items += 1; }),
         "does not have its checksum");  // an item more fits the same tiles
  expect(said_of([](header& h, file&) { h.items += 20000; }), "payload has");
  expect(said_of([](header& h, file&) { h.per_lane = 512; }), "symbols a lane");
  expect(said_of([](header& h, file&) { h.units += 1000; }), "more than if each were the longest");
  expect(said_of([](header& h, file&) { h.longest_tile = 100000; }), "longest tile");
  expect(said_of([](header& h, file&) { h.lengths[5] = 3; }), "code lengths are wrong");
  expect(said_of([](header&, file& p) { p[0] = 1; }), "first tile begins at unit 1");
  expect(said_of([](header&, file& p) { p[4] = 200; }), "tile 0 of the frame ends at unit 200");
  expect(said_of([](header& h, file& p) { p[h.tiles_at() + 40] ^= 255; }),
         "what the frame holds does not have its checksum");
}

}  // namespace
