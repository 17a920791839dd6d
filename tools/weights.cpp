// SPDX-License-Identifier: Apache-2.0
#include "derive.hpp"
#include "files.hpp"
#include "options.hpp"
#include "packing.hpp"

#include <onepass/packed/bytes.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>

namespace tools {

namespace {

/// A standard normal number, from a seed and a position.
double normal(u64 seed, u64 i)
{
  double const u = (double(mixed(seed ^ (2 * i + 1)) >> 11) + 0.5) * 0x1p-53,
               v = double(mixed(seed ^ (2 * i + 2)) >> 11) * 0x1p-53;
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

/// A number of Student's t distribution with four degrees of freedom.
double student(u64 seed, u64 i)
{
  double squares = 0;
  for (u64 k = 1; k <= 4; ++k) squares += std::pow(normal(seed + k, i), 2);
  return normal(seed, i) / std::sqrt(squares / 4);
}

/// The nearest value with these numbers of exponent and mantissa bits, or the largest value.
u32 rounded(double x, int exponent_bits, int mantissa_bits, double largest)
{
  u32 const sign    = std::signbit(x) ? 1u << (exponent_bits + mantissa_bits) : 0;
  double const size = std::min(std::fabs(x), largest);
  int const bias    = (1 << (exponent_bits - 1)) - 1;
  if (size == 0) return sign;
  int e = 0;
  std::frexp(size, &e);
  e              = std::max(e - 1, 1 - bias);  // subnormal values have the exponent of the least normal one
  double const m = std::nearbyint(std::ldexp(size, mantissa_bits - e));  // 2^mantissa_bits is the leading one
  return sign | (u32(m) + (u32(e + bias - 1) << mantissa_bits));
}

struct weight_type {
  char const *name, *dtype;
  int bytes, exponent_bits, mantissa_bits;
  double largest, scale;  ///< FP8 weights are stored scaled
};
constexpr weight_type types[] = {{"bf16", "BF16", 2, 8, 7, 3.3e38, 1},
                                 {"f16", "F16", 2, 5, 10, 65504, 1},
                                 {"f32", "F32", 4, 8, 23, 3.4e38, 1},
                                 {"e4m3", "F8_E4M3", 1, 4, 3, 448, 4000},
                                 {"e5m2", "F8_E5M2", 1, 5, 2, 57344, 1}};

/// The standard deviations of the weights of different layers.
constexpr double mixture[] = {.004, .007, .011, .017, .024, .035, .06, .11};

}  // namespace

int make_weights(weights_request const& asked)
{
  auto const& type =
      *std::find_if(std::begin(types), std::end(types), [&](auto const& t) { return asked.type == t.name; });
  u64 const layers = 8, columns = 256, rows = std::max<u64>(1, asked.bytes / u64(type.bytes) / layers / columns);
  u64 const bytes = rows * columns * u64(type.bytes);
  auto header     = nlohmann::json{{"__metadata__", {{"format", "pt"}, {"recipe", asked.recipe}}}};
  for (u64 l = 0; l < layers; ++l)
    header["layers." + std::to_string(l) + ".weight"] = {
        {"dtype", type.dtype}, {"shape", {rows, columns}}, {"data_offsets", {l * bytes, (l + 1) * bytes}}};
  auto text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');

  output_file out(asked.out, {.force = asked.force});
  out.expect_room_for(layers * bytes);
  start_kokkos();
  buffer head;
  onepass::packed::put(head, u64(text.size()));
  head.insert(head.end(), text.begin(), text.end());
  out.write(head);
  constexpr u64 piece = 1 << 20;
  for (u64 l = 0; l < layers; ++l) {
    double const width = type.scale * (asked.recipe == "mixture" ? mixture[l] : .02);
    for (u64 first = 0; first < rows * columns; first += piece) {
      u64 const n = std::min(piece, rows * columns - first);
      buffer data(n * u64(type.bytes));
      Kokkos::parallel_for(
          "onepass make-weights", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, n), [&](std::size_t k) {
            u64 const i = l * rows * columns + first + k;
            u32 const bits =
                rounded(width * (asked.recipe == "student" ? student(asked.seed, i) : normal(asked.seed, i)),
                        type.exponent_bits, type.mantissa_bits, type.largest);
            std::memcpy(data.data() + k * u64(type.bytes), &bits, std::size_t(type.bytes));
          });
      Kokkos::DefaultHostExecutionSpace{}.fence("onepass make-weights");
      out.write(data);
    }
  }
  out.keep();
  return 0;
}

CLI::App const* add_make_weights(CLI::App& app, weights_request& asked)
{
  auto& command = *app.add_subcommand("make-weights", "Write a checkpoint with random weights spread as real ones are");
  command.add_option("FILE", asked.out, "The .safetensors file to write")->required();
  command.add_option("--type", asked.type, "Type of the weights")
      ->check(CLI::IsMember({"bf16", "f16", "f32", "e4m3", "e5m2"}))
      ->capture_default_str();
  command
      .add_option("--recipe", asked.recipe, "gaussian; mixture: eight layers of different width; student: heavy tails")
      ->check(CLI::IsMember({"gaussian", "mixture", "student"}))
      ->capture_default_str();
  add_number(command, "--bytes", asked.bytes, "Bytes of weights, about; k, M and G count");
  add_number(command, "--seed", asked.seed, "The same seed gives the same file");
  add_force(command, asked.force);
  return &command;
}

}  // namespace tools
