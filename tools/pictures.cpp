// SPDX-License-Identifier: Apache-2.0
#include "pictures.hpp"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <string_view>
#include <unistd.h>

#ifdef ONEPASS_HAS_PNG
#include <png.h>
#endif
#ifdef ONEPASS_HAS_JPEG
#include <jpeglib.h>  // needs <cstdio> before it
#endif

namespace tools {

using onepass::packed::format_error;

namespace {

[[noreturn]] [[maybe_unused]] void built_without(char const* library, char const* package)
{
  throw usage_error(std::string("this onepass was built without ") + library + "; install " + package
                    + " (scripts/setup does) and build it again");
}

void require_memory(std::string const& name, std::size_t width, std::size_t height, std::size_t bytes_a_pixel)
{
  auto const have = std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE));
  if (height == 0 || width == 0) throw naming<format_error>(name + " has no pixels");
  if (width > have / bytes_a_pixel / height)
    throw naming<machine_error>(name + " has " + std::to_string(width) + " x " + std::to_string(height)
                                + " pixels, more than the " + std::to_string(have >> 20)
                                + " MiB of this machine can hold");
}

[[noreturn]] [[maybe_unused]] void cannot_write(std::filesystem::path const& file, std::string const& why)
{
  throw file_error("cannot write " + file.string() + ": " + why);
}

[[noreturn]] void damaged(std::string const& name, std::string const& why)
{
  throw naming<format_error>(name + " is truncated or damaged: " + why);
}

/// The orientation (1 to 8) that an EXIF block has in its first directory; 1 where there is none.
int orientation_of(onepass::packed::byte_view exif)
{
  if (exif.size() < 8) return 1;
  bool const big    = exif[0] == 'M';
  auto const number = [&](std::size_t at, std::size_t bytes) {
    std::size_t x = 0;
    for (std::size_t k = 0; k < bytes; ++k) x = x << 8 | exif[at + (big ? k : bytes - 1 - k)];
    return x;
  };
  auto const directory = number(4, 4);
  if (directory > exif.size() - 2) return 1;
  auto const entries = std::min(number(directory, 2), (exif.size() - 2 - directory) / 12);
  for (auto at = directory + 2; at < directory + 2 + 12 * entries; at += 12)
    if (number(at, 2) == 0x112)
      if (auto const o = number(at + 8, 2); 1 <= o && o <= 8) return int(o);
  return 1;
}

/// The picture as it is to be shown.
picture turned(picture p, int orientation)
{
  if (orientation == 1) return p;
  auto const one_of = [&](std::initializer_list<int> all) {
    return std::count(all.begin(), all.end(), orientation) > 0;
  };
  bool const across = orientation >= 5, from_right = one_of({2, 3, 7, 8}), from_below = one_of({3, 4, 6, 7});
  picture to{across ? p.height : p.width, across ? p.width : p.height, p.channels, buffer(p.numbers.size())};
  auto at = to.numbers.begin();
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x) {
      int const u = across ? y : x, v = across ? x : y;
      auto const from = std::size_t(from_below ? p.height - 1 - v : v) * std::size_t(p.width)
                        + std::size_t(from_right ? p.width - 1 - u : u);
      at = std::copy_n(p.numbers.begin() + long(from) * p.channels, p.channels, at);
    }
  return to;
}

#ifdef ONEPASS_HAS_PNG

/// Calls use(name, contents) for each chunk of a PNG, and gives the PNG of those for which it says true. What follows a
/// chunk that ends too late stays as it is, for libpng to refuse.
template <class Use>
buffer chunks_kept(buffer const& file, Use const& use)
{
  std::size_t at = 8;
  buffer to(file.begin(), file.begin() + long(std::min(at, file.size())));
  for (std::size_t bytes; file.size() >= at + 12; at += bytes + 12) {
    bytes =
        std::size_t(file[at]) << 24 | std::size_t(file[at + 1]) << 16 | std::size_t(file[at + 2]) << 8 | file[at + 3];
    if (bytes > file.size() - at - 12) break;
    auto const* const begin = file.data() + at;
    if (use(std::string(begin + 4, begin + 8), onepass::packed::byte_view(begin + 8, bytes)))
      to.insert(to.end(), begin, begin + bytes + 12);
  }
  to.insert(to.end(), file.begin() + long(std::min(at, file.size())), file.end());
  return to;
}

picture read_png(std::string const& name, buffer const& whole, pixels_are what, std::size_t bytes_a_pixel)
{
  int orientation = 1;
  auto const file = chunks_kept(whole, [&](std::string const& chunk, onepass::packed::byte_view bytes) {
    if (chunk == "eXIf") orientation = orientation_of(bytes);
    bool const shows = chunk == "gAMA" || chunk == "cHRM" || chunk == "sRGB" || chunk == "iCCP";
    return what == pixels_are::colours || !shows;
  });
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, file.data(), file.size())) damaged(name, image.message);
  bool const colours = image.format & PNG_FORMAT_FLAG_COLOR;
  try {
    require_memory(name, image.width, image.height, bytes_a_pixel);
    if (std::uint64_t(image.width) * image.height * (colours ? 3 : 1) > UINT32_MAX)
      throw naming<machine_error>(name + " has " + std::to_string(image.width) + " x " + std::to_string(image.height)
                                  + " pixels, more than libpng reads at once; cut it into parts");
  } catch (...) {
    png_image_free(&image);
    throw;
  }
  image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // 16 bits are no linear light, unless a chunk says so
  image.format = colours ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  picture p{int(image.width), int(image.height), colours ? 3 : 1, {}};
  p.numbers.resize(PNG_IMAGE_SIZE(image));
  png_color const black{0, 0, 0};
  if (!png_image_finish_read(&image, &black, p.numbers.data(), 0, nullptr)) damaged(name, image.message);
  return turned(std::move(p), orientation);
}

buffer png_of(std::filesystem::path const& name, picture const& p)
{
  png_image image{};
  image.version          = PNG_IMAGE_VERSION;
  image.width            = png_uint_32(p.width);
  image.height           = png_uint_32(p.height);
  image.format           = p.channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  buffer file(bytes);
  if (!png_image_write_to_memory(&image, file.data(), &bytes, 0, p.numbers.data(), 0, nullptr))
    cannot_write(name, std::string("libpng: ") + image.message);
  file.resize(bytes);
  return file;
}

#else

picture read_png(std::string const&, buffer const&, pixels_are, std::size_t) { built_without("libpng", "libpng-dev"); }
buffer png_of(std::filesystem::path const&, picture const&) { built_without("libpng", "libpng-dev"); }

#endif

#ifdef ONEPASS_HAS_JPEG

/// libjpeg reports errors by longjmp; here warnings too, so that a truncated picture is refused.
struct jpeg_errors {
  jpeg_error_mgr manager;
  std::jmp_buf back;
  char text[JMSG_LENGTH_MAX] = {};

  jpeg_errors()
  {
    jpeg_std_error(&manager);
    manager.error_exit   = [](j_common_ptr c) { leave(c); };
    manager.emit_message = [](j_common_ptr c, int level) {
      if (level < 0) leave(c);
    };
  }
  [[noreturn]] static void leave(j_common_ptr c)
  {
    auto* const self = reinterpret_cast<jpeg_errors*>(c->err);
    self->manager.format_message(c, self->text);
    std::longjmp(self->back, 1);
  }
};

/// Between setjmp and longjmp nothing is made that would need a destructor.
bool read_jpeg_header(jpeg_decompress_struct& jpeg, jpeg_errors& errors, buffer const& file)
{
  if (setjmp(errors.back)) return false;
  jpeg_mem_src(&jpeg, file.data(), file.size());
  jpeg_save_markers(&jpeg, JPEG_APP0 + 1, 0xffff);  // EXIF
  jpeg_read_header(&jpeg, TRUE);
  jpeg.out_color_space = jpeg.num_components == 1 ? JCS_GRAYSCALE : jpeg.num_components == 4 ? JCS_CMYK : JCS_RGB;
  return true;
}
bool begin_jpeg(jpeg_decompress_struct& jpeg, jpeg_errors& errors)
{
  if (setjmp(errors.back)) return false;
  jpeg_start_decompress(&jpeg);
  return true;
}
bool read_jpeg_rows(jpeg_decompress_struct& jpeg, jpeg_errors& errors, std::uint8_t* to)
{
  if (setjmp(errors.back)) return false;
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = to + std::size_t(jpeg.output_scanline) * jpeg.output_width * unsigned(jpeg.output_components);
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  return true;
}

/// What the EXIF block of a JPEG says of its orientation.
int orientation_of(jpeg_decompress_struct const& jpeg)
{
  constexpr std::string_view exif("Exif\0\0", 6);
  for (auto const* m = jpeg.marker_list; m; m = m->next)
    if (m->data_length > exif.size() && std::equal(exif.begin(), exif.end(), m->data))
      return orientation_of(onepass::packed::byte_view(m->data, m->data_length).subspan(exif.size()));
  return 1;
}

/// Four inks as red, green and blue. Files of Adobe's programs have them inverted.
picture without_inks(picture const& p, bool inverted)
{
  picture to{p.width, p.height, 3, buffer(p.pixels() * 3)};
  for (std::size_t i = 0; i < p.pixels(); ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      int const ink = p.numbers[4 * i + c], black = p.numbers[4 * i + 3];
      to.numbers[3 * i + c] = std::uint8_t((inverted ? ink * black : (255 - ink) * (255 - black)) / 255);
    }
  return to;
}

picture read_jpeg(std::string const& name, buffer const& file, std::size_t bytes_a_pixel)
{
  jpeg_errors errors;
  struct decoder : jpeg_decompress_struct {
    decoder()
        : jpeg_decompress_struct{}
    {}
    ~decoder() { jpeg_destroy_decompress(this); }
  } jpeg;
  jpeg.err = &errors.manager;
  jpeg_create_decompress(&jpeg);
  if (!read_jpeg_header(jpeg, errors, file)) damaged(name, errors.text);
  // Of several scans, as progressive files have, libjpeg keeps every coefficient, from the next call on.
  auto const kept = jpeg_has_multiple_scans(&jpeg) ? std::size_t(jpeg.num_components) * sizeof(JCOEF) : 0;
  require_memory(name, jpeg.image_width, jpeg.image_height, bytes_a_pixel + kept);
  auto const orientation = orientation_of(jpeg);  // markers go when the picture has been read
  if (!begin_jpeg(jpeg, errors)) damaged(name, errors.text);
  picture p{int(jpeg.output_width), int(jpeg.output_height), jpeg.output_components, {}};
  p.numbers.resize(p.pixels() * std::size_t(p.channels));
  if (!read_jpeg_rows(jpeg, errors, p.numbers.data())) damaged(name, errors.text);
  if (p.channels == 4) p = without_inks(p, jpeg.saw_Adobe_marker);
  return turned(std::move(p), orientation);
}

bool write_jpeg(jpeg_compress_struct& jpeg, jpeg_errors& errors, picture const& p, unsigned char** file,
                unsigned long* bytes)
{
  if (setjmp(errors.back)) return false;
  jpeg_mem_dest(&jpeg, file, bytes);
  jpeg.image_width      = JDIMENSION(p.width);
  jpeg.image_height     = JDIMENSION(p.height);
  jpeg.input_components = p.channels;
  jpeg.in_color_space   = p.channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 95, TRUE);
  jpeg_start_compress(&jpeg, TRUE);
  while (jpeg.next_scanline < jpeg.image_height) {
    JSAMPROW row = const_cast<std::uint8_t*>(p.numbers.data())
                   + std::size_t(jpeg.next_scanline) * jpeg.image_width * unsigned(p.channels);
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  return true;
}

buffer jpeg_of(std::filesystem::path const& name, picture const& p)
{
  jpeg_errors errors;
  jpeg_compress_struct jpeg{};
  unsigned char* made = nullptr;
  unsigned long bytes = 0;
  jpeg.err            = &errors.manager;
  jpeg_create_compress(&jpeg);
  bool const fine   = write_jpeg(jpeg, errors, p, &made, &bytes);
  buffer const file = fine ? buffer(made, made + bytes) : buffer();
  jpeg_destroy_compress(&jpeg);
  std::free(made);
  if (!fine) cannot_write(name, std::string("libjpeg: ") + errors.text);
  return file;
}

#else

picture read_jpeg(std::string const&, buffer const&, std::size_t) { built_without("libjpeg-turbo", "libjpeg-dev"); }
buffer jpeg_of(std::filesystem::path const&, picture const&) { built_without("libjpeg-turbo", "libjpeg-dev"); }

#endif

bool is_jpeg_name(std::filesystem::path const& file)
{
  if (is_standard(file)) return false;
  auto end = file.extension().string();
  std::transform(end.begin(), end.end(), end.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (end == ".jpg" || end == ".jpeg") return true;
  if (end == ".png") return false;
  throw naming<usage_error>("cannot write " + file.string() + ": a picture's name ends in .png, .jpg or .jpeg");
}

}  // namespace

picture read_picture(std::filesystem::path const& file, pixels_are what, std::size_t bytes_a_pixel)
{
  input_file in(file);
  auto const head   = in.read(0, std::min<std::uint64_t>(in.size(), 8));  // what is no picture may have any size
  auto const begins = [&](std::initializer_list<std::uint8_t> with) {
    return head.size() >= with.size() && std::equal(with.begin(), with.end(), head.begin());
  };
  if (begins({0x89, 'P', 'N', 'G'})) return read_png(in.name(), in.read(0, in.size()), what, bytes_a_pixel);
  if (begins({0xff, 0xd8})) return read_jpeg(in.name(), in.read(0, in.size()), bytes_a_pixel);
  throw naming<format_error>("cannot read " + in.name() + ": it is neither a PNG nor a JPEG");
}

void require_picture_name(std::filesystem::path const& file)
{
  [[maybe_unused]] const bool jpeg = is_jpeg_name(file);
#ifndef ONEPASS_HAS_JPEG
  if (jpeg) built_without("libjpeg-turbo", "libjpeg-dev");
#endif
#ifndef ONEPASS_HAS_PNG
  if (!jpeg) built_without("libpng", "libpng-dev");
#endif
}

buffer written(std::filesystem::path const& name, picture const& p)
{
  return is_jpeg_name(name) ? jpeg_of(name, p) : png_of(name, p);
}

}  // namespace tools
