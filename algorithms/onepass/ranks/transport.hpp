// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace onepass::ONEPASS_ABI {

/// Calls over the ranks of a parallel program: each has a block of one long sequence, in the order of ranks.
namespace ranks {

/// \defgroup ranks Ranks
/// Calls over all ranks of a parallel program, which give what one rank would give of all items, one block after
/// another: the same bits wherever the operator is associative as it stands, as of integers, commutative or not. Under
/// canonically(exec) reductions and scans of floats have the bits of one rank too; other sums of floats are refused.
/// Common to all of them:
///
/// - `all`: the ranks, which is the transport between them (ranks/mpi.hpp, ranks/threads.hpp). Every rank makes the
///   same calls in the same order, with the same types, operators and numbers; Views are each rank's own
/// - `where`, inputs, outputs, operators: as in the local call of the same name. Blocks have any size, none too.
///   Operators and equalities are called on the calling thread too, with what ranks tell each other
/// - results are values, the same for all ranks, or what is the rank's own: its `block` of the items that were written
///
/// A rank whose arguments are wrong, or which has no memory, throws, and then every rank throws precondition_error with
/// the same sentence, that of the first such rank: nobody waits for one that has left. What fails after the ranks have
/// told each other that nothing is wrong - memory of the last step alone - throws on that rank alone. Memory for the
/// words that ranks tell each other is taken to be there. Totals beyond 2^63 - 1 items are refused.
///
/// A call waits for the device before the ranks exchange words, and for the other ranks. What it queues after that it
/// does not wait for. Calls that exchange words once can be started, and waited for later: nonblocking().
/// \{

/// Bytes that go to one rank, or come from it.
template <class Byte>
struct piece {
  Byte* data;         ///< where they begin; anything where there are none
  std::size_t bytes;  ///< how many
};

/// Where the pieces of an exchange lie.
enum class residence {
  host,   ///< in memory of the host
  device  ///< in a device's memory
};

/// Words that are on their way between ranks.
class words_under_way {
public:
  words_under_way()                                  = default;
  words_under_way(words_under_way const&)            = delete;
  words_under_way& operator=(words_under_way const&) = delete;
  virtual ~words_under_way()                         = default;  ///< They need not be here yet.

  virtual bool test()   = 0;  ///< Whether those of all ranks are here.
  virtual void finish() = 0;  ///< Returns when they are here. Called once.
};

/// Copies that are on their way, one after another.
class copies_under_way {
public:
  copies_under_way()                                   = default;
  copies_under_way(copies_under_way const&)            = delete;
  copies_under_way& operator=(copies_under_way const&) = delete;
  virtual ~copies_under_way()                          = default;  ///< Returns when all are done.

  virtual void wait(std::size_t turn) = 0;  ///< Returns when those of a turn are done, and of all before.
};

/// Bytes to be copied from one place of a device, or of the host, to another one.
struct copy_of_bytes {
  std::byte const* from;  ///< also memory that another rank shares
  std::byte* to;          ///< a rank's own
  std::size_t bytes;      ///< how many
};

/// What is copied in each turn.
using turns_of_copies = std::vector<std::vector<copy_of_bytes>>;

/// Memory of all ranks that each of them reads.
struct shared_memory {
  std::vector<std::byte*> of_rank;  ///< where each rank's lies; nothing if there is no such memory
  std::size_t turn = 0;             ///< bytes of a turn of copies, so that turns before pay for one behind
};

/// Words of all ranks that each of them reads and writes.
struct common_words {
  std::vector<std::uint64_t*> of_rank;  ///< where each rank's lie; nothing if there are no such words
  std::uint32_t call = 0;               ///< from 1 to 2^30 - 1, another number than in all calls that wrote to them
};

/// What connects the ranks of a program, as far as the calls know: three verbs, and memory that all read where there is
/// such a thing. Every rank calls the same ones in the
/// same order; `size()` ranks are numbered from 0.
class transport {
public:
  transport()                            = default;
  transport(transport const&)            = delete;
  transport& operator=(transport const&) = delete;
  virtual ~transport()                   = default;

  virtual int rank() const = 0;  ///< the number of the calling rank
  virtual int size() const = 0;  ///< how many ranks there are

  /// Words: theirs = `mine` of rank 0, of rank 1, and so on; equally many of each rank. Both stay where they are until
  /// the exchange is finished. Exchanges are begun in the same order on all ranks, and finished in any.
  virtual std::unique_ptr<words_under_way> begin_words(std::span<std::uint64_t const> mine,
                                                       std::span<std::uint64_t> theirs) = 0;
  /// The same from begin to end: for all ranks, or for none.
  virtual void exchange_words(std::span<std::uint64_t const> mine, std::span<std::uint64_t> theirs)
  {
    begin_words(mine, theirs)->finish();
  }

  /// Payloads by counts: piece r of `to` goes to rank r, and piece r of `from` is filled by it. Both ranks of a pair
  /// give the same number of bytes. All pieces of all ranks lie in one kind of memory, a device's only if
  /// takes_device_memory(). Returns when this rank's pieces have left and arrived.
  virtual void exchange_payloads(std::span<piece<std::byte const> const> to, std::span<piece<std::byte> const> from,
                                 residence lie) = 0;

  /// Returns when all ranks have called it.
  virtual void meet() = 0;

  /// Memory of all ranks: rank r has its `bytes` at least. It has any content, begins at a multiple of 256 bytes, and
  /// is a rank's own to write to until the next call. When that returns nobody reads what was there before: all ranks
  /// have called it. Nothing where ranks do not read each other's memory of this kind, or where one of them asks for
  /// more than it keeps (keep_workspaces()).
  virtual shared_memory share(std::size_t, residence) { return {}; }
  /// Words of all ranks, for kernels of all of them at once that tell each other something: as many as all ranks ask
  /// for, which give the same number. They are zero, or what calls before wrote, and nothing else is ever written
  /// there. Who asks again has ended what wrote to them before, on all ranks. Nothing where ranks do not write each
  /// other's memory of this kind, or may not run at once, since they share a device.
  virtual common_words share_words(std::size_t, residence) { return {}; }
  /// Copies in turns, beside kernels. For ranks that have shared memory.
  virtual std::unique_ptr<copies_under_way> begin_copies(turns_of_copies const&) { return {}; }

  /// Whether payloads may lie in a device's memory. If not they go through pinned memory of the host.
  virtual bool takes_device_memory() const { return false; }

  /// What carries words and payloads, for people.
  virtual std::string name() const = 0;

  /// What calls leave for the next ones over this transport, and is freed with it: of Kokkos' memory, so that a
  /// transport over which a device's payloads went is destroyed before Kokkos is finalized.
  std::shared_ptr<void>& left() { return left_; }

private:
  std::shared_ptr<void> left_;
};

/// The items of one rank among those of all.
struct block {
  extent count = 0;  ///< how many this rank has
  extent first = 0;  ///< how many the ranks before it have: where its items begin
  extent total = 0;  ///< how many all ranks have
};

/// \}

}  // namespace ranks
}  // namespace onepass::ONEPASS_ABI
