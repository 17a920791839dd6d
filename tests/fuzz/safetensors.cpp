// SPDX-License-Identifier: Apache-2.0
// Fuzzes the reader of safetensors files: what it takes for one is cut into stretches without gaps, to the file's end.
// scripts/fuzz builds and runs it.
#include "safetensors.hpp"
#include "input.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
  // The length of the header is made right, so that its text is reached.
  std::vector<std::uint8_t> bytes(data, data + size);
  if (size >= 8) {
    std::uint64_t const header = std::min<std::uint64_t>(bytes[0] | std::uint64_t(bytes[1]) << 8, size - 8);
    std::memcpy(bytes.data(), &header, sizeof header);
  }
  fuzzed_file const file(bytes);
  attempt([&] {
    tools::input_file in(file.name());
    std::uint64_t at = 0;
    for (auto const& s : tools::tensors_of(in)) {
      if (s.begin != at) std::abort();
      at += s.bytes;
    }
    if (at != size) std::abort();
  });
  return 0;
}
