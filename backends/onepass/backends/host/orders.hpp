// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/pairs.hpp>
#include <onepass/backends/host/threads.hpp>
#include <onepass/backends/host/tuning.hpp>
#include <onepass/execution/place.hpp>

#include <atomic>
#include <bit>
#include <vector>

namespace onepass::ONEPASS_ABI::backends::host {

/// The threads that work on the same items: all of a space, or the calling one alone.
template <class Exec>
struct all_threads {
  Exec const& space;
  std::string const& label;
  int size;
  template <class Work>
  void operator()(char const* what, Work const& work) const
  {
    on_threads(label + what, space, size, work);
  }
};
struct this_thread {
  static constexpr int size = 1;
  template <class Work>
  void operator()(char const*, Work const& work) const
  {
    work(0);
  }
};

/// A sort on the threads of a host space. All threads together move the items once by their most significant digit;
/// then each thread takes buckets, which fit its cache, and sorts them by the lower digits, the least significant
/// first. So keys of 32 bits pass through memory twice. A bucket that does not fit, where keys are unevenly
/// distributed, is itself sorted in this way: by the thread that takes it, or by all threads if it would keep one busy
/// for too long.
template <class Exec, class Program, class Tuning>
class ordering {
  using target                          = decltype(target_of(std::declval<Program const&>()));
  using spare                           = decltype(spare_memory<Program>::at(nullptr, 0));
  static constexpr order_tuning numbers = order_tuning_for<Tuning>();
  static constexpr extent bucket =
      numbers.bucket(sizeof(item_of<Program>) + (carries_values<Program> ? sizeof(value_of<Program>) : 0));

  static constexpr extent most_inserted = is_tiny<Tuning> ? 5 : 32;
  static constexpr bool through_target  = serves_as_spare<Program, target>;

  enum class side {
    input,
    spare,
    home
  };  ///< where items are; home: the target, or more spare memory where the target cannot be read

public:
  static std::size_t bytes(extent n)
  {
    return n <= bucket ? 0 : (through_target ? 1 : 2) * spare_memory<Program>::bytes(n);
  }

  ordering(place<Exec, backend, Tuning> const& where, Program const& program, extent n, workspace<Exec>& scratch)
      : where_(&where)
      , program_(program)
      , to_(target_of(program))
      , n_(n)
  {
    in_lines_ = std::size_t(n) * bytes_per_item >= numbers.lines_from;
    if (n <= bucket) return;
    std::byte* const memory = scratch.plain(bytes(n));
    if (in_lines_) ask_for_large_pages(memory, bytes(n));
    spare_ = spare_memory<Program>::at(memory, n);
    if constexpr (through_target) home_ = to_;
    else home_ = spare_memory<Program>::at(memory + spare_memory<Program>::bytes(n), n);
  }

  /// What fits the cache is sorted there, by one thread, without a workspace.
  static bool fits(extent n) { return n <= bucket; }
  ordering(Program const& program, extent n)
      : program_(program)
      , to_(target_of(program))
      , n_(n)
      , in_lines_(std::size_t(n) * bytes_per_item >= numbers.lines_from)
  {}
  void run_alone() const
  {
    auto const from = source_of(program_);
    if (n_ <= most_inserted && program_.bits() <= 64) insert(from, n_);
    else if (one_digit < program_.bits() && program_.bits() <= 64 && in_order(from.items)) {
      if (!program_.in_place()) move_all(this_thread{}, from, 0, n_);
    } else sort_bucket(from, side::input, 0, n_, program_.bits());
  }

  void run()
  {
    auto const from      = source_of(program_);
    extent const threads = threads_for(where_->space, n_ * extent(bytes_per_item), numbers.bucket_bytes);
    all_threads<Exec> const crew{where_->space, where_->label, int(threads)};
    sort_from_top(crew, from, side::input, 0, n_, program_.bits());
  }

private:
  static constexpr std::size_t bytes_per_item =
      sizeof(item_of<Program>) + (carries_values<Program> ? sizeof(value_of<Program>) : 0);

  bool shares_target(side here) const
  {
    return here == side::input ? program_.in_place() : here == side::home && through_target;
  }

  /// Where the part of a thread begins.
  static extent part(extent first, extent n, int thread, int threads)
  {
    return first + n / threads * thread + n % threads * thread / threads;
  }

  /// The digit that cuts n items into buckets. Codes that are one digit long are not cut.
  digit_bits top_digit(int bits, extent n) const
  {
    if (program_.bits() <= one_digit) return {0, bits};
    int const wanted = int(std::bit_width(std::uint64_t(n / bucket))) + 1;
    int width        = std::min({bits, std::max(wanted, numbers.least_bits), numbers.most_bits});
    auto const left  = [&](int w) {
      return div_up(bits - w, numbers.most_bits);
    };  // digits that are left for the buckets
    for (int wider = width; wider <= std::min(bits, numbers.most_bits); ++wider)
      if (left(wider) < left(width)) width = wider;
    return {bits - width, width};
  }

  /// Sorts items [first, first + n) of `from` by their lowest `bits` bits, to the same positions of the target.
  template <class Crew, class From>
  void sort_from_top(Crew const& crew, From const& from, side here, extent first, extent n, int bits)
  {
    std::vector<bin_places> counts(static_cast<std::size_t>(crew.size));
    for (; bits > 0; bits -= top_digit(bits, n).width) {
      auto const d = top_digit(bits, n);
      crew(" (count)", [&, d](int t) {
        count_bins(program_, from.items, part(first, n, t, crew.size), part(first, n, t + 1, crew.size), d,
                   counts[std::size_t(t)].data());
      });
      std::vector<extent> begin(std::size_t(d.bins()) + 1, first);
      bool const uneven = add_up(d, counts, begin);
      if (program_.bits() == d.width) tell(begin);
      if (uneven || program_.bits() == d.width) return scatter_by_top(crew, from, here, first, n, d, counts, begin);
    }
    if (!shares_target(here)) move_all(crew, from, first, n);
  }

  /// Turns counts into positions; begin[b] becomes that of the first item of bin b. False if all items are in one bin.
  bool add_up(digit_bits d, std::vector<bin_places>& counts, std::vector<extent>& begin) const
  {
    extent place = begin[0];
    int used     = 0;
    for (std::size_t b = 0; b < std::size_t(d.bins()); ++b) {
      for (auto& of_thread : counts) {
        extent const items = of_thread[b];
        of_thread[b]       = place;
        place += items;
      }
      begin[b + 1] = place;
      used += begin[b + 1] > begin[b];
    }
    return used > 1;
  }

  void tell(std::vector<extent> const& begin) const
  {
    for (std::size_t b = 0; b + 1 < begin.size(); ++b) program_.counted(int(b), begin[b + 1] - begin[b]);
  }

  template <class Crew, class From>
  void scatter_by_top(Crew const& crew, From const& from, side here, extent first, extent n, digit_bits d,
                      std::vector<bin_places>& places, std::vector<extent> const& begin)
  {
    bool const away = shares_target(here) || (d.at > 0 && here != side::spare);
    bool const last = !away && d.at == 0;
    crew(" (scatter)", [&, d](int t) {
      extent const a = part(first, n, t, crew.size), z = part(first, n, t + 1, crew.size);
      if (last) scatter_some(from, a, z, to_, d, places[std::size_t(t)]);
      else scatter_some(from, a, z, away ? spare_ : home_, d, places[std::size_t(t)]);
    });
    if (!last) sort_buckets(crew, as_source(away ? spare_ : home_), away ? side::spare : side::home, n, d, begin);
  }

  template <class From, class To>
  void scatter_some(From const& from, extent first, extent last, To const& to, digit_bits d, bin_places& places) const
  {
    if (in_lines_) scatter_in_lines(program_, from, first, last, to, d, places);
    else scatter_directly(program_, from, first, last, to, d, places.data());
  }

  /// Sorts the items of each bin of digit d by the bits below it.
  template <class Crew, class From>
  void sort_buckets(Crew const& crew, From const& from, side here, extent n, digit_bits d,
                    std::vector<extent> const& begin)
  {
    auto const items_of = [&](int b) { return begin[std::size_t(b) + 1] - begin[std::size_t(b)]; };
    extent const most   = crew.size > 1 ? std::max(bucket, n / (4 * crew.size)) : n;  // the most that one thread takes

    std::atomic<int> next{0};
    crew(" (buckets)", [&](int) {
      for (int b; (b = next.fetch_add(1, std::memory_order_relaxed)) < d.bins();) {
        if (items_of(b) > most || items_of(b) == 0) continue;
        if (items_of(b) <= 8 * bucket) sort_bucket(from, here, begin[std::size_t(b)], items_of(b), d.at);
        else sort_from_top(this_thread{}, from, here, begin[std::size_t(b)], items_of(b), d.at);
      }
    });
    for (int b = 0; b < d.bins(); ++b)
      if (items_of(b) > most) sort_from_top(crew, from, here, begin[std::size_t(b)], items_of(b), d.at);
  }

  /// The same by one thread in its cache, the least significant digit first. The last pass ends in the cache too, and
  /// the sorted bucket is then copied out as a whole: a scatter to memory that is not cached would wait for each of its
  /// lines. Where few items are sorted, the target is cached.
  template <class From>
  void sort_bucket(From const& from, side here, extent first, extent n, int bits) const
  {
    digit_plan const plan{
        bits, bits <= one_digit ? one_digit : std::clamp(int(std::bit_width(std::uint64_t(n))) + 1, 4, widest_digit)};
    auto const source = window(from, first, n);
    auto const out    = window(to_, first, n);
    auto const copy   = [&](auto const& a, auto const& b) {
      for (extent i = 0; i < n; ++i) move_one(a, i, b, i);
    };
    std::uint32_t seen[2][most_bins];
    int number      = 0;
    auto const pass = [&](auto const& a, auto const& b, digit_bits d) {
      auto* const place = seen[number % 2];
      if (number % 2 == 0)
        count_in_cache(program_, a.items, n, d, number + 1 < plan.passes() ? plan[number + 1] : digit_bits{0, 0},
                       seen[0], seen[1]);
      ++number;
      std::uint32_t before = 0;
      for (int k = 0; k < d.bins(); ++k) {
        auto const items = place[k];
        if (program_.bits() == d.width) program_.counted(k, items);
        place[k] = before;
        before += items;
      }
      scatter_directly(program_, a, 0, n, b, d, place);
    };
    struct alignas(256) spare_line {
      std::byte bytes[256];
    };
    std::size_t const bytes = spare_memory<Program>::bytes(n);
    auto* const spares =
        reinterpret_cast<std::byte*>(thread_buffer<spare_line>(extent(2 * bytes / sizeof(spare_line))));
    if constexpr (through_target)
      if (!in_lines_) return by_digits<Program>(plan, source, out, shares_target(here), spares, n, copy, pass);
    auto const near = spare_memory<Program>::at(spares + bytes, n);
    by_digits<Program>(plan, source, near, false, spares, n, copy, pass);
    write_out(near.items, out.items, n);
    write_out(near.values, out.values, n);
    release_streams();
  }

  /// Whether all items are in order, which those that are not tell at once.
  template <class Items>
  bool in_order(Items const& items) const
  {
    auto const code_of = [&, bits = program_.bits()](extent i) { return code_bits(program_, items(i), 0, bits); };
    auto before        = code_of(0);
    for (extent i = 1; i < n_; ++i) {
      auto const code = code_of(i);
      if (code < before) return false;
      before = code;
    }
    return true;
  }

  /// Very few items, by insertion of their codes.
  template <class From>
  void insert(From const& from, extent n) const
  {
    std::uint64_t code[most_inserted];
    std::uint8_t place[most_inserted];
    int const bits = program_.bits();
    for (extent i = 0; i < n; ++i) {
      auto const c = code_bits(program_, from.items(i), 0, bits);
      extent j     = i;
      for (; j > 0 && code[j - 1] > c; --j) code[j] = code[j - 1], place[j] = place[j - 1];
      code[j] = c, place[j] = std::uint8_t(i);
    }
    if (program_.in_place()) {
      alignas(256) std::byte memory[spare_memory<Program>::bytes(most_inserted)];
      auto const copy = spare_memory<Program>::at(memory, n);
      for (extent i = 0; i < n; ++i) move_one(from, i, copy, i);
      for (extent k = 0; k < n; ++k) move_one(copy, place[k], to_, k);
    } else
      for (extent k = 0; k < n; ++k) move_one(from, place[k], to_, k);
    if (1 <= bits && bits <= one_digit)
      for (extent k = 0, b = 0; b < extent(1) << bits; ++b) {
        extent const first = k;
        while (k < n && code[k] == std::uint64_t(b)) ++k;
        program_.counted(int(b), k - first);
      }
  }

  template <class Crew, class From>
  void move_all(Crew const& crew, From const& from, extent first, extent n) const
  {
    crew(" (copy)", [&](int t) {
      auto const to     = to_;
      extent const last = part(first, n, t + 1, crew.size);
      for (extent i = part(first, n, t, crew.size); i < last; ++i) move_one(from, i, to, i);
    });
  }

  place<Exec, backend, Tuning> const* where_ = nullptr;
  Program const& program_;
  target to_;
  spare spare_{}, home_{};
  extent n_;
  bool in_lines_;
};

/// A program as it is sorted here: items with their values as pairs, where these have a fitting size.
template <order_program Program>
auto as_it_goes(Program const& program)
{
  if constexpr (goes_in_pairs<Program>) return program_of_pairs<Program>{program};
  else return program;
}

/// Bytes of the workspace's plain memory that a sort of n items takes.
template <class Exec, order_program Program, class Tuning>
std::size_t bytes_of_order(place<Exec, backend, Tuning> const&, Program const& program, extent n)
{
  return ordering<Exec, decltype(as_it_goes(program)), Tuning>::bytes(n);
}

template <place_like Where, order_program Program>
bool finished_at_once(backend, Where const&, Program const& program, item_count count)
{
  auto const goes = as_it_goes(program);
  using sort      = ordering<space_of<Where>, std::remove_const_t<decltype(goes)>, tuning_of<Where>>;
  extent const n  = count();
  if (!sort::fits(n)) return false;
  sort(goes, n).run_alone();
  return true;
}

template <class Exec, order_program Program, class Tuning>
void queue(place<Exec, backend, Tuning> const& where, Program const& program, item_count count,
           workspace<Exec>& scratch)
{
  auto const goes = as_it_goes(program);
  ordering<Exec, std::remove_const_t<decltype(goes)>, Tuning>(where, goes, count(), scratch).run();
}

}  // namespace onepass::ONEPASS_ABI::backends::host
