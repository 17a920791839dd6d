// SPDX-License-Identifier: Apache-2.0
#include "blurring.hpp"
#include "machines.hpp"
#include "options.hpp"
#include "pictures.hpp"
#include "print.hpp"

#include <onepass/box_filter.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <iostream>

namespace tools {

namespace {

constexpr int most_aperture = 1024;

/// In the map of errors, a pixel's lightness is its error times this.
constexpr int shown_times = 16;

/// The radius of each pixel: nothing at the focus, the aperture at the depth that is farthest from it. Without a depth
/// map the picture comes nearer from the top (0) to the bottom (1).
std::vector<std::uint16_t> radii_of(blurring const& asked, picture const& photo, picture const& depth)
{
  std::vector<std::uint16_t> radii(photo.pixels());
  double const farthest = std::max(asked.focus, 1 - asked.focus);
  for (int y = 0; y < photo.height; ++y)
    for (int x = 0; x < photo.width; ++x) {
      auto const i   = std::size_t(y) * std::size_t(photo.width) + std::size_t(x);
      double const d = !depth.numbers.empty() ? depth.numbers[i * std::size_t(depth.channels)] / 255.0
                       : photo.height > 1     ? double(y) / (photo.height - 1)
                                              : asked.focus;
      radii[i]       = std::uint16_t(std::lround(asked.aperture * std::abs(d - asked.focus) / farthest));
    }
  return radii;
}

template <class T>
using host_image = Kokkos::View<T***, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

/// What is measured while a picture is made.
struct outcome {
  double seconds = 0, worst = 0, wrong_share = 0;
};

struct work {
  picture const& photo;
  std::vector<std::uint16_t> const& radii;
  bool compare;

  /// Blurs into `to`. With --compare, `errors` becomes a map of the error of a single box filter from a table of
  /// float32.
  template <class Place>
  outcome on(Place const& place, picture& to, picture& errors) const
  {
    using exec         = typename Place::execution_space;
    using bytes        = Kokkos::View<std::uint8_t***, Kokkos::LayoutRight, exec>;
    auto const without = [](std::string const& name) { return Kokkos::view_alloc(name, Kokkos::WithoutInitializing); };
    auto const h = photo.height, w = photo.width, c = photo.channels;
    bytes const in(without("photo"), h, w, c), out(without("blurred"), h, w, c);
    Kokkos::View<std::uint32_t***, Kokkos::LayoutRight, exec> const table(without("table"), h, w, c);
    Kokkos::View<std::uint16_t**, Kokkos::LayoutRight, exec> const radius(without("radii"), h, w);
    Kokkos::deep_copy(in, host_image<std::uint8_t const>(photo.numbers.data(), h, w, c));
    Kokkos::deep_copy(
        radius, Kokkos::View<std::uint16_t const**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                    radii.data(), h, w));

    outcome found;
    auto const begin = std::chrono::steady_clock::now();
    onepass::near_gaussian(place, in, radius, table, out);
    place.space.fence("onepass blur");
    found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    to            = {w, h, c, std::vector<std::uint8_t>(photo.numbers.size())};
    Kokkos::deep_copy(host_image<std::uint8_t>(to.numbers.data(), h, w, c), out);
    if (!compare) return found;

    Kokkos::View<float***, Kokkos::LayoutRight, exec> const floats(without("table of floats"), h, w, c),
        mean(without("mean"), h, w, c);
    std::vector<float> right(photo.numbers.size()), got(photo.numbers.size());
    onepass::summed_area_table(place, in, table);
    onepass::variable_box_filter(place, table, radius, mean);
    Kokkos::deep_copy(host_image<float>(right.data(), h, w, c), mean);
    onepass::summed_area_table(place, in, floats);
    onepass::variable_box_filter(place, floats, radius, mean);
    Kokkos::deep_copy(host_image<float>(got.data(), h, w, c), mean);
    errors            = {w, h, c, std::vector<std::uint8_t>(photo.numbers.size())};
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      double const error = std::abs(double(got[i]) - double(right[i]));
      found.worst        = std::max(found.worst, error);
      wrong += error > 0.5;
      errors.numbers[i] = std::uint8_t(std::min(255.0, error * shown_times));
    }
    found.wrong_share = double(wrong) / double(right.size());
    return found;
  }
};

picture side_by_side(picture const& a, picture const& b)
{
  picture both{a.width + b.width, a.height, a.channels, {}};
  both.numbers.resize(both.pixels() * std::size_t(both.channels));
  auto const part = std::size_t(a.width) * std::size_t(a.channels);
  for (std::size_t y = 0; y < std::size_t(a.height); ++y) {
    std::copy_n(a.numbers.begin() + long(y * part), part, both.numbers.begin() + long(2 * y * part));
    std::copy_n(b.numbers.begin() + long(y * part), part, both.numbers.begin() + long((2 * y + 1) * part));
  }
  return both;
}

}  // namespace

int blur(blurring const& asked)
{
  require_picture_name(asked.out);
  if (!(asked.focus >= 0 && asked.focus <= 1)) throw usage_error("the focus is a depth between 0 and 1");
  if (asked.aperture < 0 || asked.aperture > most_aperture)
    throw usage_error("the aperture is a radius of 0 to " + std::to_string(most_aperture) + " pixels");
  constexpr std::size_t bytes_a_pixel = 3 * (1 + 1 + 4) + 2;  // three channels: the picture twice and its table; radii
  output_file out(asked.out, {.force = asked.force, .like = is_standard(asked.photo) ? path() : asked.photo});
  auto const photo =
      read_picture(asked.photo, pixels_are::colours, asked.compare ? bytes_a_pixel + 3 * 16 : bytes_a_pixel);
  picture depth;
  if (!asked.depth.empty()) {
    depth = read_picture(asked.depth, pixels_are::numbers, bytes_a_pixel);
    if (depth.width != photo.width || depth.height != photo.height)
      throw naming<usage_error>(asked.depth.string() + " has " + std::to_string(depth.width) + " x "
                                + std::to_string(depth.height) + " pixels and " + asked.photo.string() + " "
                                + std::to_string(photo.width) + " x " + std::to_string(photo.height)
                                + "; the depth map must be as large as the photo");
  }
  auto const radii = radii_of(asked, photo, depth);
  picture blurred, errors;
  outcome found;
  with_place(asked.space, [&](auto const& place) {
    found = work{photo, radii, asked.compare}.on(place, blurred, errors);
  });
  out.write(written(asked.out, asked.compare ? side_by_side(blurred, errors) : blurred));
  out.keep();
  if (asked.quiet) return exit_code::fine;
  bool const aside = out.is_standard_output();

  int const most = *std::max_element(radii.begin(), radii.end());
  if (asked.json) {
    nlohmann::json said{{"command", "blur"},          {"width", photo.width},   {"height", photo.height},
                        {"channels", photo.channels}, {"largest_radius", most}, {"seconds", found.seconds}};
    if (asked.compare) said.update({{"float32_worst_error", found.worst}, {"float32_wrong_share", found.wrong_share}});
    print(aside ? std::cerr : std::cout, said, 1);
    return exit_code::fine;
  }
  auto* const to = aside ? stderr : stdout;
  std::fprintf(to, "blur: %d x %d, %d channels, radius up to %d, three tables and filters in %.3f s\n", photo.width,
               photo.height, photo.channels, most, found.seconds);
  if (asked.compare)
    std::fprintf(to,
                 "a table of float32 is off by up to %.2f grey levels, and by more than half a level in %.1f %% of all "
                 "numbers (right half, errors times %d)\n",
                 found.worst, 100 * found.wrong_share, shown_times);
  return exit_code::fine;
}

CLI::App const* add_blur(CLI::App& app, blurring& asked)
{
  auto& command =
      *app.add_subcommand("blur", "Give a photo depth of field: sharp at one depth, blurred before and behind it");
  command.add_option("PHOTO", asked.photo, "A PNG or JPEG")->required();
  command.add_option("-o,--output", asked.out, "The picture to write: .png, .jpg or .jpeg")
      ->required()
      ->check(name_of_file);
  command
      .add_option("--depth", asked.depth,
                  "A PNG or JPEG as large as the photo, black 0 to white 1; default: 0 at the top to 1 at the bottom")
      ->check(name_of_file);
  command.add_option("--focus", asked.focus, "The depth that stays sharp, 0 to 1")->capture_default_str();
  command
      .add_option("--aperture", asked.aperture,
                  "Radius in pixels where the depth is farthest from the focus, 0 to 1024")
      ->capture_default_str();
  command.add_flag("--compare", asked.compare, "Write beside it how far off a table of float32 would be, 16 times");
  command.add_flag("--json", asked.json, "Print JSON");
  command.add_flag("-q,--quiet", asked.quiet, "Print errors only");
  add_force(command, asked.force);
  add_space(command, asked.space);
  return &command;
}

}  // namespace tools
