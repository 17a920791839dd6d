// SPDX-License-Identifier: Apache-2.0
#include "pictures.hpp"

#include <algorithm>
#include <csetjmp>
#include <unistd.h>

#ifdef ONEPASS_HAS_PNG
#include <png.h>
#endif
#ifdef ONEPASS_HAS_JPEG
#include <jpeglib.h>  // needs <cstdio> before it
#endif

namespace tools {

namespace {

[[noreturn]] [[maybe_unused]] void built_without(char const* library, char const* package)
{
  throw usage_error(std::string("this onepass was built without ") + library + "; install " + package
                    + " (scripts/setup does) and build it again");
}

void require_memory(std::string const& name, std::size_t width, std::size_t height, std::size_t bytes_a_pixel)
{
  auto const have = std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE));
  if (height == 0 || width == 0) throw usage_error(name + " has no pixels");
  if (width > have / bytes_a_pixel / height)
    throw usage_error(name + " has " + std::to_string(width) + " x " + std::to_string(height)
                      + " pixels, more than the " + std::to_string(have >> 20) + " MiB of this machine can hold");
}

[[noreturn]] void damaged(std::string const& name, std::string const& why)
{
  throw usage_error(name + " is truncated or damaged: " + why);
}

#ifdef ONEPASS_HAS_PNG

picture read_png(std::string const& name, buffer const& file, std::size_t bytes_a_pixel)
{
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, file.data(), file.size())) damaged(name, image.message);
  try {
    require_memory(name, image.width, image.height, bytes_a_pixel);
  } catch (...) {
    png_image_free(&image);
    throw;
  }
  bool const colours = image.format & PNG_FORMAT_FLAG_COLOR;
  image.format       = colours ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  picture p{int(image.width), int(image.height), colours ? 3 : 1, {}};
  p.numbers.resize(PNG_IMAGE_SIZE(image));
  png_color const black{0, 0, 0};
  if (!png_image_finish_read(&image, &black, p.numbers.data(), 0, nullptr)) damaged(name, image.message);
  return p;
}

buffer png_of(picture const& p)
{
  png_image image{};
  image.version          = PNG_IMAGE_VERSION;
  image.width            = png_uint_32(p.width);
  image.height           = png_uint_32(p.height);
  image.format           = p.channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  buffer file(bytes);
  if (!png_image_write_to_memory(&image, file.data(), &bytes, 0, p.numbers.data(), 0, nullptr))
    throw std::runtime_error(std::string("libpng: ") + image.message);
  file.resize(bytes);
  return file;
}

#else

picture read_png(std::string const&, buffer const&, std::size_t) { built_without("libpng", "libpng-dev"); }
buffer png_of(picture const&) { built_without("libpng", "libpng-dev"); }

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
  jpeg_read_header(&jpeg, TRUE);
  jpeg.out_color_space = jpeg.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
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
  require_memory(name, jpeg.output_width, jpeg.output_height, bytes_a_pixel);
  picture p{int(jpeg.output_width), int(jpeg.output_height), jpeg.output_components, {}};
  p.numbers.resize(p.pixels() * std::size_t(p.channels));
  if (!read_jpeg_rows(jpeg, errors, p.numbers.data())) damaged(name, errors.text);
  return p;
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

buffer jpeg_of(picture const& p)
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
  if (!fine) throw std::runtime_error(std::string("libjpeg: ") + errors.text);
  return file;
}

#else

picture read_jpeg(std::string const&, buffer const&, std::size_t)
{
  built_without("libjpeg-turbo", "libjpeg62-turbo-dev");
}
buffer jpeg_of(picture const&) { built_without("libjpeg-turbo", "libjpeg62-turbo-dev"); }

#endif

bool is_jpeg_name(std::filesystem::path const& file)
{
  auto end = file.extension().string();
  std::transform(end.begin(), end.end(), end.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (end == ".jpg" || end == ".jpeg") return true;
  if (end == ".png") return false;
  throw usage_error("cannot write " + file.string() + ": a picture's name ends in .png, .jpg or .jpeg");
}

}  // namespace

picture read_picture(std::filesystem::path const& file, std::size_t bytes_a_pixel)
{
  input_file in(file);
  auto const bytes  = in.read(0, in.size());
  auto const begins = [&](std::initializer_list<std::uint8_t> with) {
    return bytes.size() >= with.size() && std::equal(with.begin(), with.end(), bytes.begin());
  };
  if (begins({0x89, 'P', 'N', 'G'})) return read_png(in.name(), bytes, bytes_a_pixel);
  if (begins({0xff, 0xd8})) return read_jpeg(in.name(), bytes, bytes_a_pixel);
  throw usage_error("cannot read " + in.name() + ": it is neither a PNG nor a JPEG");
}

void require_picture_name(std::filesystem::path const& file)
{
  [[maybe_unused]] const bool jpeg = is_jpeg_name(file);
#ifndef ONEPASS_HAS_JPEG
  if (jpeg) built_without("libjpeg-turbo", "libjpeg62-turbo-dev");
#endif
#ifndef ONEPASS_HAS_PNG
  if (!jpeg) built_without("libpng", "libpng-dev");
#endif
}

void write_picture(std::filesystem::path const& file, picture const& p)
{
  auto const bytes = is_jpeg_name(file) ? jpeg_of(p) : png_of(p);
  output_file out(file);
  out.write(bytes);
  out.keep();
}

}  // namespace tools
