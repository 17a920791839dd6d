// SPDX-License-Identifier: Apache-2.0
//
// Fuzzes the reader of run files: bytes as they come, and bytes as records whose heads are made right. scripts/fuzz
// builds and runs it.
#include <onepass/trace/checksum.hpp>
#include <onepass/trace/run_file.hpp>

#include <cstring>

using namespace onepass::trace;

namespace {

void attempt(std::span<unsigned char const> bytes)
{
  try {
    auto const r = read_run(bytes);
    for (auto const& e : r.events)
      for (auto const& seen : e.changed) (void)exact_sum::difference(seen.now.f64, seen.now.f32).rounded();
  } catch (run_error const&) {}
}

/// The input cut into records: a byte of kind, two of length, and as much payload as there is.
std::vector<unsigned char> with_right_heads(std::span<unsigned char const> in)
{
  std::vector<unsigned char> out(run_magic.begin(), run_magic.end());
  auto const put = [&](auto x) {
    auto const* const p = reinterpret_cast<unsigned char const*>(&x);
    out.insert(out.end(), p, p + sizeof x);
  };
  auto const add = [&](u32 kind, std::span<unsigned char const> payload) {
    auto const n = u32(payload.size());
    put(n), put(checked_kind(n, kind)), put(checksum(payload.data(), n, kind));
    out.insert(out.end(), payload.begin(), payload.end());
  };
  add(u32(record::start), {});
  while (in.size() >= 3) {
    auto const n = std::min<std::size_t>(in[1] | std::size_t(in[2]) << 8, in.size() - 3);
    add(in[0] % 9, in.subspan(3, n));
    in = in.subspan(3 + n);
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size)
{
  std::span<unsigned char const> const in(data, size);
  attempt(in);
  attempt(with_right_heads(in));
  return 0;
}
