// SPDX-License-Identifier: Apache-2.0
// Damaged Huffman streams, decoded in batches: bits flipped, noise, false headers of tiles, false indices, cut ends,
// false longest tiles. Nothing may be written beyond an output, and every 16th stream has to become the items that a
// reader bit by bit finds.
// usage: onepass_damaged_streams [--streams N] [--seconds S] [--seed S] [--ledger FILE]
//   --streams    in all, those of the ledger included
//   --ledger     a CSV of blocks of 1000 streams without one that went wrong, which counts on
#include "coded_items.hpp"
#include "hunt/dice.hpp"

#include <onepass/huffman/batch.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <unistd.h>

namespace trust {

using namespace test;
using perf::hunt::dice;
using space  = Kokkos::DefaultExecutionSpace;
using memory = space::memory_space;
using bytes  = std::vector<std::uint8_t>;

constexpr int block_of_streams = 1000, every = 16;
constexpr std::uint8_t poison = 0xa5;

/// A stream before it is damaged.
template <class Split>
struct sound {
  sound(extent n, value_mix how, int per_lane_)
      : per_lane(per_lane_)
  {
    auto const items = spread_items<Split>(n, how);
    std::vector<int> symbols;
    huffman::counts c{};
    for (auto const x : items) symbols.push_back(symbol_of(Split{}, x)), ++c[std::size_t(symbols.back())];
    lengths = huffman::limited_lengths(c);
    coded   = write_reference(symbols, huffman::canonical(lengths), per_lane, Split::unit);
    rest    = rest_of(Split{}, items);
    count   = n;
  }
  int per_lane;
  extent count = 0;
  huffman::code_lengths lengths{};
  reference coded;
  bytes rest;
};

template <class Split>
std::vector<sound<Split>> const& sound_streams()
{
  static auto const made = [] {
    std::vector<sound<Split>> all;
    int k = 0;
    for (extent const n : {1, 70, 1000, 1023, 1024, 1025, 2048, 3000, 5000}) {
      all.emplace_back(n, value_mix(k % 5), k % 3 == 2 ? 64 : 32);
      ++k;
    }
    return all;
  }();
  return made;
}

/// Memory of the space, kept from batch to batch.
class room {
public:
  std::uint8_t* take(bytes const& from)
  {
    if (there_.size() < from.size())
      there_ = Kokkos::View<std::uint8_t*, memory>(Kokkos::view_alloc("damaged streams", Kokkos::WithoutInitializing),
                                                   from.size());
    Kokkos::deep_copy(part(from.size()),
                      Kokkos::View<std::uint8_t const*, Kokkos::HostSpace>(from.data(), from.size()));
    return there_.data();
  }
  void give(bytes& to) const
  {
    Kokkos::deep_copy(Kokkos::View<std::uint8_t*, Kokkos::HostSpace>(to.data(), to.size()), part(to.size()));
  }

private:
  Kokkos::View<std::uint8_t*, memory> part(std::size_t size) const
  {
    return Kokkos::subview(there_, std::pair<std::size_t, std::size_t>(0, size));
  }
  Kokkos::View<std::uint8_t*, memory> there_;
};

struct rooms {
  room index, words, rest, out;
};

/// Damage of a drawn kind. `longest` is 0, or a false longest tile, of which the reader bit by bit knows nothing.
void damage(dice const& d, reference& coded, std::uint32_t& longest, std::uint32_t most)
{
  auto const at = [&](char const* name, std::size_t size) { return std::size_t(d.below(name, std::int64_t(size))); };
  std::mt19937_64 engine(d.bits("noise"));
  auto& b = coded.bytes;
  switch (d.below("kind", 7)) {
  case 0:
    for (auto flips = 1 + d.below("flips", 8); flips > 0; --flips)
      b[engine() % b.size()] ^= std::uint8_t(1u << engine() % 8);
    break;
  case 1: {
    std::size_t const begin = at("begin", b.size()), end = begin + 1 + at("end", b.size() - begin);
    for (auto k = begin; k < end; ++k) b[k] = std::uint8_t(engine());
    break;
  }
  case 2: {  // the header of a tile: least length, granule, lanes
    std::size_t const begin = std::size_t(coded.index[at("tile", coded.index.size() - 1)]) * 16;
    for (auto k = begin; k < std::min(begin + 36, b.size()); ++k) b[k] = engine() % 2 ? 255 : std::uint8_t(engine());
    break;
  }
  case 3:
    b.resize(at("cut", b.size() / 16 + 1) * 16);
    break;
  case 4:
    coded.index[at("entry", coded.index.size())] = std::uint32_t(engine() >> engine() % 64);
    break;
  case 5:
    for (auto& i : coded.index) i = std::uint32_t(engine() % (b.size() / 8 + 1));
    break;
  default:
    longest = 4 * std::uint32_t(1 + at("longest", most / 4));
  }
}

/// A block of streams, decoded as a batch. Returns what went wrong, or nothing.
template <class Split>
std::string block(std::uint64_t seed, std::uint64_t first, rooms& kept)
{
  using item      = typename Split::item;
  auto const& all = sound_streams<Split>();
  space const exec;
  static std::vector<huffman::tables<space>> books;
  if (books.empty()) {
    for (auto const& s : all) books.emplace_back(exec, s.lengths);
    Kokkos::push_finalize_hook([] { books.clear(); });
  }

  struct one {
    std::size_t from, index, words, rest, out;
    reference coded;
    std::uint32_t longest = 0;
  };
  bytes index, words, rest, out;
  auto const append = [](bytes& to, void const* from, std::size_t size) {
    auto const at = to.size();
    to.resize((at + size + 15) / 16 * 16, poison);
    if (size > 0) std::memcpy(to.data() + at, from, size);
    return at;
  };
  std::vector<one> streams;
  for (int k = 0; k < block_of_streams; ++k) {
    dice const d(seed, first + std::uint64_t(k));
    one s{};
    s.from        = std::size_t(d.below("stream", std::int64_t(all.size())));
    auto const& o = all[s.from];
    s.coded       = o.coded;
    damage(d, s.coded, s.longest, std::uint32_t(huffman::layout_of<Split>(o.count, o.per_lane).most_tile_words()));
    s.index = append(index, s.coded.index.data(), s.coded.index.size() * 4);
    s.words = append(words, s.coded.bytes.data(), s.coded.bytes.size());
    s.rest  = append(rest, o.rest.data(), o.rest.size());
    out.resize(out.size() + 64 + std::size_t(d.below("shift", 2) ? d.below("by", 16) : 0) * sizeof(item), poison);
    s.out = out.size();
    out.resize((s.out + std::size_t(o.count) * sizeof(item) + 64 + 15) / 16 * 16, poison);
    streams.push_back(std::move(s));
  }

  auto* const i = kept.index.take(index);
  auto *const w = kept.words.take(words), *const r = kept.rest.take(rest), *const o = kept.out.take(out);
  std::vector<typename huffman::batch<Split, space>::stream> batch;
  for (auto const& s : streams) {
    auto const& from = all[s.from];
    using view_32    = Kokkos::View<std::uint32_t*, memory>;
    huffman::coded<space> in{.items = from.count, .per_lane = from.per_lane};
    in.index        = view_32(reinterpret_cast<std::uint32_t*>(i + s.index), s.coded.index.size());
    in.words        = view_32(reinterpret_cast<std::uint32_t*>(w + s.words), s.coded.bytes.size() / 4);
    in.rest         = Kokkos::View<std::uint8_t*, memory>(r + s.rest, from.rest.size());
    in.longest_tile = s.longest;
    batch.push_back(
        {books[s.from], in, Kokkos::View<item*, memory>(reinterpret_cast<item*>(o + s.out), std::size_t(from.count))});
  }
  huffman::batch<Split, space> const decoded(exec, batch);
  huffman::decode(exec, decoded);
  exec.fence("damaged streams");
  kept.out.give(out);

  std::size_t guard = 0;
  for (std::size_t k = 0; k < streams.size(); ++k) {
    auto const& s    = streams[k];
    auto const& from = all[s.from];
    auto const name  = "stream " + std::to_string(first + k);
    for (; guard < s.out; ++guard)
      if (out[guard] != poison) return name + ": something was written before its output";
    guard = s.out + std::size_t(from.count) * sizeof(item);
    if (k % every != 0 || s.longest != 0) continue;
    auto const read = read_reference(s.coded, from.count, huffman::canonical(from.lengths), from.per_lane, Split::unit);
    for (std::size_t n = 0; n < read.size(); ++n) {
      item x;
      std::memcpy(&x, out.data() + s.out + n * sizeof(item), sizeof x);
      if (symbol_of(Split{}, x) != read[n])
        return name + ": item " + std::to_string(n) + " is not what a reader bit by bit finds";
    }
  }
  for (; guard < out.size(); ++guard)
    if (out[guard] != poison) return "something was written behind the last output";
  return "";
}

/// For signals.
char present[100];

void say_and_die(int signal)
{
  (void)!write(2, present, std::strlen(present));
  std::signal(signal, SIG_DFL);
  std::raise(signal == SIGALRM ? SIGKILL : signal);
}

int go(std::vector<std::string> const& arguments)
{
  std::uint64_t streams = 10000, seed = 1;
  double seconds = 1e9;
  std::string ledger;
  for (std::size_t k = 0; k + 1 < arguments.size(); k += 2) {
    auto const &name = arguments[k], &value = arguments[k + 1];
    if (name == "--streams") streams = std::stoull(value);
    else if (name == "--seconds") seconds = std::stod(value);
    else if (name == "--seed") seed = std::stoull(value);
    else if (name == "--ledger") ledger = value;
    else return std::fprintf(stderr, "damaged streams: %s is none of its arguments\n", name.c_str()), 2;
  }
  std::set<std::uint64_t> done;
  std::ifstream file(ledger);
  for (std::string line; std::getline(file, line);) {
    char where[64]              = {};
    unsigned long long its_seed = 0, first = 0;
    if (std::sscanf(line.c_str(), "%63[^,],%llu,%llu", where, &its_seed, &first) == 3 && its_seed == seed
        && where == std::string(space::name()))
      done.insert(first);
  }
  using clock      = std::chrono::steady_clock;
  auto const begin = clock::now();
  auto const took  = [&] { return std::chrono::duration<double>(clock::now() - begin).count(); };
  auto* const kept = new rooms;
  Kokkos::push_finalize_hook([kept] { delete kept; });
  std::uint64_t right = 0;
  for (std::uint64_t first = 0; first < streams && took() < seconds; first += block_of_streams) {
    if (!done.contains(first)) {
      std::snprintf(present, sizeof present, "damaged streams: crashed, or no end after 120 s: seed %llu, block %llu\n",
                    static_cast<unsigned long long>(seed), static_cast<unsigned long long>(first));
      alarm(120);
      std::string wrong;
      switch (first / block_of_streams % 4) {
      case 0:
        wrong = block<split::bf16>(seed, first, *kept);
        break;
      case 1:
        wrong = block<split::bytes>(seed, first, *kept);
        break;
      case 2:
        wrong = block<split::f32>(seed, first, *kept);
        break;
      default:
        wrong = block<split::e4m3>(seed, first, *kept);
      }
      alarm(0);
      if (!wrong.empty())
        return std::printf("damaged streams: WRONG, seed %llu: %s\n", static_cast<unsigned long long>(seed),
                           wrong.c_str()),
               1;
      if (!ledger.empty()) {
        bool const fresh = !std::ifstream(ledger).good();
        std::ofstream more(ledger, std::ios::app);
        if (fresh) more << "space,seed,first,streams\n";
        more << space::name() << ',' << seed << ',' << first << ',' << block_of_streams << '\n';
      }
    }
    right += block_of_streams;
  }
  std::printf("damaged streams: %llu on %s in %.1f s, nothing written beyond an output\n",
              static_cast<unsigned long long>(right), space::name(), took());
  return 0;
}

}  // namespace trust

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  for (int const s : {SIGSEGV, SIGABRT, SIGBUS, SIGALRM}) std::signal(s, trust::say_and_die);
  return trust::go({argv + 1, argv + argc});
}
