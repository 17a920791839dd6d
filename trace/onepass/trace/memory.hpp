// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fingerprint.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace onepass::trace {

/// The bytes of a View, where they lie.
struct region {
  void const* data;
  std::size_t bytes;
  std::size_t words() const { return bytes / 8; }  ///< whole words of 8 bytes
};

/// A kind of memory and those who read it: threads of the host, or a device. All calls wait until they are done. Many
/// Views are read by one call, since most programs have many small ones and a call to a device costs more than they do.
class memory {
public:
  virtual ~memory() = default;
  /// added::placed alone, as fast as memory is read: it says whether anything has changed.
  virtual std::vector<u64> placed(std::span<region const>, filling const&)       = 0;
  virtual std::vector<fingerprint> read(std::span<region const>, filling const&) = 0;
  virtual void fill(void* to, unsigned char byte, std::size_t bytes)             = 0;
  virtual void copy(void* to_host, region from)                                  = 0;
  /// The bytes from `at` to the end of the allocation that begins there; 0 where that can not be told.
  virtual std::size_t room(void const* at) const = 0;
};

std::unique_ptr<memory> host_memory(unsigned threads);
/// Null where this was built without CUDA, or runs without a device.
std::unique_ptr<memory> cuda_memory();

}  // namespace onepass::trace
