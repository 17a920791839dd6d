// SPDX-License-Identifier: Apache-2.0
// The ends of a packed file: what stands there is read back, and nothing else is believed.
#include "refusal.hpp"
#include "seed.hpp"

#include <onepass/packed/container.hpp>

#include <gtest/gtest.h>

using namespace onepass::packed;

namespace {

using file = std::vector<std::uint8_t>;

void tells(std::string const& text, char const* sentence) { EXPECT_NE(text.find(sentence), std::string::npos) << text; }

table some_table()
{
  return {{{32, 368, 100, 1}, {400, 600, 0, 2}, {1000, 1000, 7, 3}},
          {{"", "header", 0, 1}, {"layers.0.weight", "BF16", 1, 2}, {"none", "F32", 3, 0}}};
}

TEST(container, a_table_is_read_as_it_was_written)
{
  auto const t = table::read(some_table().written(), 2000);
  ASSERT_EQ(t.frames.size(), 3u);
  EXPECT_EQ(t.frames[2].at, 1000u);
  EXPECT_EQ(t.decoded_bytes(), 107u);
  ASSERT_EQ(t.segments.size(), 3u);
  EXPECT_EQ(t.segments[1].name, "layers.0.weight");
  EXPECT_EQ(t.segments[1].type, "BF16");
  EXPECT_EQ(t.segments[1].first_frame, 1u);
  EXPECT_EQ(t.segments[1].frames, 2u);
}

TEST(container, no_table_makes_the_reader_stumble)
{
  auto const good = some_table().written();
  for (std::size_t n = 0; n < good.size(); ++n)
    EXPECT_NE(test::refusal<format_error>([&] { table::read(byte_view(good).first(n), 2000); }), "") << n;
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    auto wrong = good;
    wrong[bit / 8] ^= std::uint8_t(1u << bit % 8);
    test::refusal<format_error>(
        [&] { table::read(wrong, 2000); });  // refused or another table; under the sanitizers nothing else happens
  }
  test::random_words engine(test::seed());
  for (int trial = 0; trial < 2000; ++trial) {
    file noise(engine() % 200);
    for (auto& b : noise) b = std::uint8_t(engine() % 3 ? 0 : engine());
    test::refusal<format_error>([&] { table::read(noise, 2000); });
  }
}

TEST(container, no_frame_exceeds_the_most_bytes_for_what_it_holds)
{
  frame_header h;
  for (int kind = 0; kind < frame_kinds; ++kind)
    for (std::size_t const bytes : {0, 4, 1000, 4096, 40000, 1 << 20, 1 << 30})
      for (int const per_lane : {32, 64, 128, 256}) {
        h.kind     = frame_kind(kind);
        h.items    = bytes / item_bytes(h.kind);
        h.per_lane = h.kind == frame_kind::raw ? 0 : per_lane;
        h.units    = h.per_lane ? std::uint32_t(h.layout().tiles()) * h.layout().most_tile_words() / 4 : 0;
        EXPECT_LE(frame_header::bytes_on_file + h.payload_bytes(), frame_header::most_bytes(h.decoded_bytes()));
      }
  auto wrong            = some_table();
  wrong.frames[1].bytes = std::uint64_t(1) << 40;
  tells(test::refusal<format_error>([&] { table::read(wrong.written(), std::uint64_t(1) << 41); }),
        "frame 1 is said to have 1099511627776 bytes for");
}

TEST(container, tables_that_cannot_be_are_refused_by_name)
{
  auto const said = [](auto const& change) {
    auto t = some_table();
    change(t);
    return test::refusal<format_error>([&] { table::read(t.written(), 2000); });
  };
  EXPECT_EQ(said([](table&) {}), "");
  tells(said([](table& t) { t.frames[0].bytes = 191; }), "frame 0 is said to have 191 bytes at byte 32");
  tells(said([](table& t) { t.frames[1].bytes = 1601; }), "frame 1 is said to have 1601 bytes at byte 400");
  tells(said([](table& t) { t.frames[1].bytes = 1600; }), "frame 2 is said to have 1000 bytes at byte 2000");
  tells(said([](table& t) { t.frames[1].bytes = ~std::uint64_t(0); }), "frame 1 is said to have");
  tells(said([](table& t) { t.frames[2].bytes = 999; }), "the frames end at byte 1999 and the table begins at 2000");
  tells(said([](table& t) { t.frames.clear(), t.segments.clear(); }), "the frames end at byte 32");
  tells(said([](table& t) { t.frames[2].decoded_bytes = std::uint64_t(1) << 31; }), "at most 2^30");
  tells(said([](table& t) { t.segments[1].frames = 1; }), "belong to another");
  tells(said([](table& t) { t.segments.pop_back(), t.segments.pop_back(); }), "its segments 1");
  tells(test::refusal<format_error>([] {
          auto longer = some_table().written();
          longer.push_back(0);
          table::read(longer, 2000);
        }),
        "1 bytes too many");
  auto const good = some_table().written();
  for (std::uint64_t const frames : {std::uint64_t(good.size() - 8) / 24 + 1, ~std::uint64_t(0)}) {
    auto crowded = good;
    std::memcpy(crowded.data(), &frames, 8);
    tells(test::refusal<format_error>([&] { table::read(crowded, 2000); }), "frames and has no room for them");
  }
}

TEST(container, a_place_takes_its_own_frame_alone)
{
  auto const head = [](std::uint64_t sum) {
    file to;
    frame_header{.items = 5, .payload_sum = 7, .decoded_sum = sum}.write(to);
    return to;
  };
  auto const place = frame_place::of(32, frame_header::read(head(8)));
  EXPECT_EQ(place.bytes, 197u);
  EXPECT_EQ(place.decoded_bytes, 5u);
  EXPECT_EQ(place.read(head(8)).decoded_sum, 8u);
  EXPECT_NE(test::refusal<format_error>([&] { place.read(head(9)); }).find("another than the table names"),
            std::string::npos);
  auto longer = place;
  ++longer.bytes;
  EXPECT_NE(test::refusal<format_error>([&] { longer.read(head(8)); }).find("and there are 6"), std::string::npos);
}

TEST(container, files_of_other_versions_are_refused)
{
  for (std::uint32_t const version : {file_header::version - 1, file_header::version + 1}) {
    auto head = file_header::written();
    std::memcpy(head.data() + 8, &version, 4);
    head.resize(24);
    put(head, checksum(head));
    EXPECT_NE(test::refusal<format_error>([&] { file_header::check(head); }).find("of the format"), std::string::npos);
  }
}

TEST(container, reserved_bytes_are_zero)
{
  auto head = file_header::written();
  head[14]  = 1;
  head.resize(24);
  put(head, checksum(head));
  EXPECT_NE(test::refusal<format_error>([&] { file_header::check(head); }).find("reserved"), std::string::npos);
}

TEST(container, headers_of_frames_have_checksums_and_known_kinds)
{
  frame_header h;
  h.kind  = frame_kind::raw;
  h.items = 100;
  file head;
  h.write(head);
  auto const said = [](file const& bytes) { return test::refusal<format_error>([&] { frame_header::read(bytes); }); };
  ASSERT_EQ(said(head), "");
  for (std::size_t bit = 0; bit < head.size() * 8; ++bit) {
    auto wrong = head;
    wrong[bit / 8] ^= std::uint8_t(1u << bit % 8);
    EXPECT_NE(said(wrong).find("checksum"), std::string::npos) << bit;
  }
  auto unknown = head;
  unknown[4]   = std::uint8_t(frame_kinds);  // the first kind that there is not, with a checksum that is right
  unknown.resize(head.size() - 8);
  put(unknown, checksum(unknown));
  EXPECT_NE(said(unknown).find("which this version does not know"), std::string::npos) << said(unknown);
}

/// The header of a frame of two tiles.
frame_header of_two_tiles()
{
  frame_header h{.kind = frame_kind::bf16, .items = 1500, .per_lane = 32, .units = 25, .longest_tile = 25};
  h.lengths[7] = h.lengths[9] = 1;
  return h;
}

TEST(container, headers_of_frames_that_cannot_be_are_refused_by_name)
{
  auto const good = of_two_tiles();
  auto const most = good.layout().most_tile_words() / 4;
  auto const read = [&](auto const& change, auto const& damage) {
    auto h = good;
    change(h);
    file bytes;
    h.write(bytes);
    damage(bytes);
    bytes.resize(bytes.size() - 8);
    put(bytes, checksum(bytes));
    return test::refusal<format_error>([&] { frame_header::read(bytes); });
  };
  auto const said    = [&](auto const& change) { return read(change, [](file&) {}); };
  auto const damaged = [&](std::size_t at) { return read([](frame_header&) {}, [at](file& b) { b[at] ^= 1; }); };
  EXPECT_EQ(said([](frame_header&) {}), "");
  EXPECT_EQ(said([](frame_header& h) { h.items = std::uint64_t(1) << 29; }), "");
  tells(said([](frame_header& h) { h.items = (std::uint64_t(1) << 29) + 1; }), "at most 2^30 bytes");
  for (int const per_lane : {64, 128, 256})
    EXPECT_EQ(said([&](frame_header& h) { h.per_lane = per_lane; }), "") << per_lane;
  tells(said([](frame_header& h) { h.per_lane = 16; }), "the frame has 2^4 symbols a lane");
  tells(said([](frame_header& h) { h.per_lane = 512; }), "the frame has 2^9 symbols a lane");
  EXPECT_EQ(said([&](frame_header& h) { h.longest_tile = most, h.units = 2 * most; }), "");
  tells(said([&](frame_header& h) { h.longest_tile = most + 1; }), "the frame's longest tile");
  tells(said([](frame_header& h) { h.units = 51; }), "more than if each were the longest");
  tells(said([](frame_header& h) { h.lengths[7] = 2; }), "code lengths are wrong");
  tells(said([](frame_header& h) { h.kind = frame_kind::raw; }), "a raw frame has codes");
  tells(damaged(6), "reserved bytes");
  tells(damaged(16), "the frame's payload has");  // its lowest byte
}

TEST(container, an_index_that_cannot_be_is_refused_by_name)
{
  auto h          = of_two_tiles();
  h.units         = 40;
  auto const said = [&](std::array<std::uint32_t, 3> const& ends) {
    file payload(h.payload_bytes());
    std::memcpy(payload.data(), ends.data(), sizeof ends);
    return test::refusal<format_error>([&] { h.check_index(payload); });
  };
  EXPECT_EQ(said({0, 20, 40}), "");
  EXPECT_EQ(said({0, 15, 40}), "");
  EXPECT_EQ(said({0, 25, 40}), "");
  tells(said({1, 20, 40}), "first tile begins at unit 1");
  tells(said({0, 26, 40}), "tile 0 of the frame ends at unit 26");
  tells(said({0, 14, 40}), "tile 1 of the frame ends at unit 40");
  tells(said({0, 20, 19}), "tile 1 of the frame ends at unit 19");
  tells(said({0, 20, 41}), "tile 1 of the frame ends at unit 41");
  tells(said({0, 20, 39}), "last tile ends at unit 39 of 40");
}

TEST(container, a_running_checksum_is_that_of_all_bytes)
{
  file all(1000);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::uint8_t(i * i);
  for (std::size_t const cut : {0, 1, 240, 999, 1000}) {
    running_checksum sum;
    sum.add(byte_view(all).first(cut));
    sum.add(byte_view(all).subspan(cut));
    EXPECT_EQ(sum.value(), checksum(all)) << cut;
  }
}

TEST(container, both_ends_have_checksums)
{
  auto const head = file_header::written();
  EXPECT_EQ(head.size(), file_header::bytes_on_file);
  EXPECT_EQ(std::string(head.begin(), head.begin() + 8), "1passpak");
  EXPECT_EQ(test::refusal<format_error>([&] { file_header::check(head); }), "");
  auto const tail = trailer{100, 952, 7, 9, 8}.written();
  EXPECT_EQ(tail.size(), trailer::bytes_on_file);
  EXPECT_EQ(trailer::read(tail, 1108).decoded_bytes, 7u);
  EXPECT_NE(test::refusal<format_error>([&] { trailer::read(tail, 1109); }).find("cannot be"), std::string::npos);
  for (std::size_t bit = 0; bit < head.size() * 8; ++bit) {
    auto wrong = head;
    wrong[bit / 8] ^= std::uint8_t(1u << bit % 8);
    EXPECT_NE(test::refusal<format_error>([&] { file_header::check(wrong); }), "");
  }
  auto const beyond = trailer{100, ~std::uint64_t(0) - 35, 7, 9, 8}.written();  // 120 bytes less 56 less 100 wrap
  EXPECT_NE(test::refusal<format_error>([&] { trailer::read(beyond, 120); }).find("cannot be"), std::string::npos);
  for (std::size_t bit = 0; bit < tail.size() * 8; ++bit) {
    auto wrong = tail;
    wrong[bit / 8] ^= std::uint8_t(1u << bit % 8);
    EXPECT_NE(test::refusal<format_error>([&] { trailer::read(wrong, 1108); }), "");
  }
  for (std::size_t n = 0; n < head.size(); ++n)
    EXPECT_NE(test::refusal<format_error>([&] { file_header::check(byte_view(head).first(n)); }), "");
  for (std::size_t n = 0; n < tail.size(); ++n)
    EXPECT_NE(test::refusal<format_error>([&] { trailer::read(byte_view(tail).first(n), 1108); }), "");
}

}  // namespace
