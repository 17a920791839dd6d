// SPDX-License-Identifier: Apache-2.0
// Fuzzes the reader of .npy files: an array that it takes differs nowhere from itself. scripts/fuzz builds and runs it.
#include "input.hpp"

#include "diff/arrays.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
  constexpr std::uint8_t magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
  std::vector<std::uint8_t> bytes(std::begin(magic), std::end(magic));
  bytes.insert(bytes.end(), data, data + size);
  fuzzed_file const file(bytes);
  attempt([&] {
    auto const a = tools::diff::read_array(file.name());
    if (tools::diff::difference_of(a, a, "", {}).differing != 0) std::abort();
  });
  return 0;
}
