// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/ranks/nccl.hpp>
#include <onepass/ranks/peers.hpp>
#include <onepass/require.hpp>

#include <algorithm>
#include <limits>
#include <mpi.h>
#include <stdexcept>
#include <vector>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace onepass::ONEPASS_ABI::ranks {

/// How payloads of devices travel.
enum class payloads {
  automatic,  ///< the first of `peers`, `on_device` where MPI says that it takes them, and `pinned` that the ranks have
  peers,      ///< from device to device of one host (ranks/peers.hpp)
  nccl,       ///< by NCCL (ranks/nccl.hpp), in a build that has it; never chosen by itself
  on_device,  ///< from a device's memory, by MPI
  pinned      ///< by MPI, from pinned memory of the host
};

/// The name of a way in which payloads travel.
inline char const* name_of(payloads lie)
{
  constexpr char const* names[] = {"automatic", "peers", "nccl", "on_device", "pinned"};
  return names[int(lie)];
}

/// The ranks of an MPI communicator. Made once, by all its ranks: it duplicates the communicator, and uses that alone,
/// so that its messages meet no others. Errors go to the communicator's handler; if that returns, they are thrown as
/// std::runtime_error. Destroyed before MPI_Finalize, by all ranks. Devices are seen if Kokkos is there when it is
/// made.
/// \ingroup ranks
class mpi final : public transport {
public:
  /// Duplicates the communicator: all its ranks call this, with the same `lie`. Throws precondition_error on all of
  /// them where the ranks do not have the way that is asked for.
  explicit mpi(MPI_Comm communicator, payloads lie = payloads::automatic)
      : communicator_(communicator)
  {
    checked(MPI_Comm_rank(communicator_.is, &rank_));
    checked(MPI_Comm_size(communicator_.is, &size_));
    if (lie == payloads::peers) beside_ = std::make_unique<peers>(*this);
    if (lie == payloads::nccl) beside_ = std::make_unique<nccl>(*this);
    if (lie == payloads::automatic && peers::are_known) try {
        beside_ = std::make_unique<peers>(*this);
      } catch (precondition_error const&) {  // on all ranks
      }
    device_ = beside_ || lie == payloads::on_device || (lie == payloads::automatic && is_aware());
  }

  /// Whether this MPI says that it takes pointers to a device's memory.
  static bool is_aware()
  {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
  }

  /// Name and version of this MPI. May be called before MPI_Init.
  static std::string library()
  {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(text, &length);
    std::string const whole(text, std::size_t(length));
    return whole.substr(0, whole.find_first_of(",\n"));
  }

  /// This MPI, and how payloads of devices would travel where it is left to choose. May be called before MPI_Init.
  static std::string described()
  {
    return library() + ", payloads of devices " + by_itself(is_aware())
           + (peers::are_known ? ", on one host from device to device" : "");
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  bool takes_device_memory() const override { return device_; }
  std::string name() const override
  {
    return library() + ", payloads of devices " + (beside_ ? beside_->how() : by_itself(device_));
  }

  std::unique_ptr<words_under_way> begin_words(std::span<std::uint64_t const> mine,
                                               std::span<std::uint64_t> theirs) override
  {
    auto begun      = std::make_unique<gathering>();
    int const words = counted(mine.size());
    checked(MPI_Iallgather(mine.data(), words, MPI_UINT64_T, theirs.data(), words, MPI_UINT64_T, communicator_.is,
                           &begun->request));
    return begun;
  }

  /// In one, since MPIs choose among more ways of doing that.
  void exchange_words(std::span<std::uint64_t const> mine, std::span<std::uint64_t> theirs) override
  {
    int const words = counted(mine.size());
    checked(MPI_Allgather(mine.data(), words, MPI_UINT64_T, theirs.data(), words, MPI_UINT64_T, communicator_.is));
  }

  void exchange_payloads(std::span<piece<std::byte const> const> to, std::span<piece<std::byte> const> from,
                         residence lie) override
  {
    if (beside_ && lie == residence::device) return beside_->exchange_payloads(to, from, lie);
    // Rank after rank from the own one on, so that not all send to the same; in messages that an int can count.
    constexpr std::size_t most = std::size_t(1) << 30;
    std::vector<MPI_Request> open;
    auto const each = [&](auto const& pieces, int step, auto const& begin) {
      int const other   = (rank_ + step) % size_;
      auto const& piece = pieces[std::size_t(other)];
      for (std::size_t at = 0; at < piece.bytes; at += most)
        begin(piece.data + at, int(std::min(most, piece.bytes - at)), other, &open.emplace_back());
    };
    for (int step = 0; step < size_; ++step)
      each(from, size_ - step, [&](std::byte* data, int bytes, int other, MPI_Request* request) {
        checked(MPI_Irecv(data, bytes, MPI_BYTE, other, 0, communicator_.is, request));
      });
    for (int step = 0; step < size_; ++step)
      each(to, step, [&](std::byte const* data, int bytes, int other, MPI_Request* request) {
        checked(MPI_Isend(data, bytes, MPI_BYTE, other, 0, communicator_.is, request));
      });
    checked(MPI_Waitall(int(open.size()), open.data(), MPI_STATUSES_IGNORE));
  }

  void meet() override { checked(MPI_Barrier(communicator_.is)); }

  shared_memory share(std::size_t bytes, residence lie) override
  {
    return beside_ ? beside_->share(bytes, lie) : transport::share(bytes, lie);
  }
  common_words share_words(std::size_t words, residence lie) override
  {
    return beside_ ? beside_->share_words(words, lie) : transport::share_words(words, lie);
  }
  std::unique_ptr<copies_under_way> begin_copies(turns_of_copies const& turns) override
  {
    return beside_ ? beside_->begin_copies(turns) : transport::begin_copies(turns);
  }

private:
  /// Words on their way, which have arrived before this ends.
  struct gathering final : words_under_way {
    ~gathering() override { MPI_Wait(&request, MPI_STATUS_IGNORE); }
    bool test() override
    {
      int done = 0;
      checked(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
      return done;
    }
    void finish() override { checked(MPI_Wait(&request, MPI_STATUS_IGNORE)); }
    MPI_Request request = MPI_REQUEST_NULL;
  };

  /// Words as MPI counts them.
  static int counted(std::size_t words)
  {
    constexpr int most = std::numeric_limits<int>::max();
    require(words <= std::size_t(most), "ranks::mpi: each rank tells ", words, " words at once, and MPI counts up to ",
            most, "; start no histogram of so many bins, or deal items in longer runs");
    return int(words);
  }

  static void checked(int code)
  {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw std::runtime_error("onepass::ranks::mpi: " + std::string(text, std::size_t(length)));
  }

  static char const* by_itself(bool on_device)
  {
    return on_device ? "from their memory" : "through pinned host memory";
  }

  /// The duplicate.
  struct own_communicator {
    explicit own_communicator(MPI_Comm communicator) { checked(MPI_Comm_dup(communicator, &is)); }
    own_communicator(own_communicator const&)            = delete;
    own_communicator& operator=(own_communicator const&) = delete;
    ~own_communicator() { MPI_Comm_free(&is); }
    MPI_Comm is = MPI_COMM_NULL;
  };

  own_communicator communicator_;
  int rank_ = 0, size_ = 1;
  bool device_ = false;
  std::unique_ptr<detail::over_transport> beside_;  // carries payloads of devices, and its words through this
};

}  // namespace onepass::ONEPASS_ABI::ranks
