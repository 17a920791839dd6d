// SPDX-License-Identifier: Apache-2.0
#include "starting.hpp"

#include "commands.hpp"
#include "machines.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <string_view>
#include <unistd.h>

namespace tools {

namespace {

/// The most threads that a team of Kokkos' host spaces has room for.
constexpr int most_threads = 512;

/// The value of a variable of the environment, empty if there is none.
std::string value_of(char const* name)
{
  char const* const value = std::getenv(name);
  return value ? value : "";
}

[[noreturn]] void refuse(char const* name, std::string const& wanted)
{
  throw usage_error(std::string(name) + "=" + value_of(name) + " in the environment: " + wanted);
}

constexpr int no_bound = std::numeric_limits<int>::max();

void require_number(char const* name, int least, int most = no_bound)
{
  auto const text = value_of(name);
  int number      = least;
  auto const end  = text.data() + text.size();
  auto const read = std::from_chars(text.data(), end, number);
  if (!text.empty() && (read.ec != std::errc() || read.ptr != end || number < least || number > most))
    refuse(name, "Kokkos takes a whole number, at least " + std::to_string(least)
                     + (most == no_bound ? "" : ", here at most " + std::to_string(most)));
}

void require_one_of(char const* name, std::initializer_list<char const*> values, char const* wanted)
{
  auto text = value_of(name);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (!text.empty() && std::find(values.begin(), values.end(), text) == values.end()) refuse(name, wanted);
}

/// How Kokkos is initialised.
Kokkos::InitializationSettings kokkos_settings()
{
  require_number("KOKKOS_NUM_THREADS", 1);
  int const devices = Kokkos::num_devices();  // -1 in a build for hosts, which does not look at the variable
  require_number("KOKKOS_DEVICE_ID", 0, devices < 0 ? no_bound : devices - 1);
  for (auto const* name : {"KOKKOS_DISABLE_WARNINGS", "KOKKOS_PRINT_CONFIGURATION", "KOKKOS_TUNE_INTERNALS"})
    require_one_of(name, {"true", "yes", "1", "false", "no", "0"}, "Kokkos takes true or false");
  require_one_of("KOKKOS_MAP_DEVICE_ID_BY", {"random", "mpi_rank"}, "Kokkos takes random or mpi_rank");

  // The configuration belongs to `onepass info`, and would stand before the results of any other command.
  auto settings = Kokkos::InitializationSettings().set_disable_warnings(true).set_print_configuration(false);
#ifdef _OPENMP
  auto const given  = value_of("KOKKOS_NUM_THREADS");
  auto const wanted = given.empty() ? omp_get_max_threads() : std::atoi(given.c_str());
  // Kokkos starts a team of OpenMP's own size first.
  if (omp_get_max_threads() > most_threads) omp_set_num_threads(most_threads);
  if (wanted > most_threads) {
    std::fprintf(stderr, "note: %d threads are asked for; Kokkos takes %d\n", wanted, most_threads);
    settings.set_num_threads(most_threads);
  }
#endif
  return settings;
}

}  // namespace

void keep_standard_files()
{
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file)
    if (::fcntl(file, F_GETFD) == -1) [[maybe_unused]]
      int const same = ::open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void start_kokkos()
{
  if (Kokkos::is_initialized()) return;
  if (auto const missing = missing_device(); !missing.empty()) throw machine_error(missing);
  Kokkos::initialize(kokkos_settings());
}

kokkos_end::~kokkos_end()
{
  if (Kokkos::is_initialized()) Kokkos::finalize();
}

std::string whole_number(std::string& text)
{
  unsigned long long number = 0;
  auto const end            = text.data() + text.size();
  auto const [rest, error]  = std::from_chars(text.data(), end, number);
  constexpr std::string_view letters("kmgt");
  std::string_view unit(rest, std::size_t(end - rest));
  bool fits = error == std::errc();
  if (fits && !unit.empty()) {
    auto const power = letters.find(char(std::tolower(static_cast<unsigned char>(unit.front()))));
    unit.remove_prefix(1);
    if (power == letters.npos || !(unit.empty() || unit == "B" || unit == "iB"))
      return text + " is no whole number, with k, M, G or T behind it or nothing";
    for (std::size_t k = 0; k <= power; ++k) fits = fits && !__builtin_mul_overflow(number, 1024ull, &number);
  }
  if (error == std::errc::invalid_argument) return text + " is no whole number that is not negative";
  if (!fits) return text + " is more than 2^64 - 1";
  text = std::to_string(number);
  return {};
}

std::string name_of_file(std::string const& text) { return text.empty() ? "an empty name is no file's" : ""; }

}  // namespace tools
