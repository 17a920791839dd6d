// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/board.hpp>
#include <onepass/backends/host/buffer.hpp>
#include <onepass/backends/host/threads.hpp>
#include <onepass/backends/host/vector.hpp>
#include <onepass/engine/grids.hpp>
#include <onepass/engine/stream.hpp>
#include <onepass/execution/place.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI::backends::host {

template <class Leaf, class Leaves>
constexpr bool is_one_of = false;
template <class Leaf, class... Leaves>
constexpr bool is_one_of<Leaf, std::tuple<Leaves...>> = (std::is_same_v<Leaf, Leaves> || ...);

/// The loop in vector registers (vector.cpp) for pixels of one number and their sums. Integers as wide as their sums
/// are added as these are, whichever signs they have.
template <class Program>
struct grid_leaf {
  using item = typename Program::item_type;
  using sum  = typename Program::value_type;

  using sum_lane = typename lane_for<sum>::type;
  using item_lane =
      std::conditional_t<std::is_integral_v<item> && sizeof(item) == sizeof(sum) && std::is_integral_v<sum>, sum_lane,
                         typename lane_for<item>::type>;
  using type = vector_grid_leaf<item_lane, sum_lane>;

  static auto const& here() { return std::get<type>(grid_leaves_of_this_machine()); }
  static item_lane const* lanes(item const* in) { return reinterpret_cast<item_lane const*>(in); }
  static sum_lane* lanes(sum* sums) { return reinterpret_cast<sum_lane*>(sums); }

  static void add(item const* in, extent pitch, int rows, sum* sums, extent n)
  {
    here().add(lanes(in), pitch, rows, lanes(sums), std::size_t(n));
  }
  static void scan(item const* in, sum* running, sum* out, extent n, sum& before, item const* ahead, bool stream)
  {
    sum_lane all = before;
    here().scan(lanes(in), lanes(running), lanes(out), std::size_t(n), all, lanes(ahead), stream);
    before = all;
  }
};

/// Programs that sum pixels as they are, of types for which there is such a loop.
template <class Program>
#ifdef ONEPASS_HIGHWAY
concept grid_in_vectors = Program::plain && has_lane<typename Program::item_type> && has_lane<
    typename Program::value_type> && is_one_of<typename grid_leaf<Program>::type, vector_grid_leaves>;
#else
concept grid_in_vectors = false;
#endif

/// Whether the rows of a program are summed by that loop.
template <class Program>
bool has_vector_rows([[maybe_unused]] Program const& program)
{
  if constexpr (grid_in_vectors<Program>) return program.input().dense() && program.output().dense();
  else return false;
}

/// Writes `wide` pixels, from x on, of `high` rows: the sum of a row so far, plus the output above, which is in the
/// cache. Above the first row are the sums of its columns, if any; `left` has the sum of each row to the left, if any.
/// There the first row's is with what is above it.
template <class Program>
[[gnu::noinline]] void sum_rows(Program const& given, extent plane, extent y, extent high, extent x, extent wide,
                                typename Program::value_type const* above, typename Program::value_type* left)
{
  using value           = typename Program::value_type;
  Program const program = given;  // copies, which no store to the output can change
  auto in               = program.input();
  auto out              = program.output();
  for (extent r = 0; r < high; ++r) {
    value row      = left ? left[r] : value{};
    auto const add = [&](extent i) __attribute__((always_inline))
    {
      row = row + program.value(in(plane, y + r, x + i));
      if (r > 0) return out.set(plane, y + r, x + i, out(plane, y + r - 1, x + i) + row);
      if (above) row = row + above[i];
      out.set(plane, y, x + i, row);
    };
    extent i = 0;  // by two: a loop over single pixels takes one cycle or two each, depending on its alignment
    for (; i + 2 <= wide; i += 2) add(i), add(i + 1);
    if (i < wide) add(i);
    if (left) left[r] = row;
  }
}

/// A plane on the calling thread.
template <class Program>
void sum_plane(Program const& program, extent plane)
{
  sum_rows(program, plane, 0, program.input().rows, 0, program.input().columns, nullptr, nullptr);
}

/// All of an image on the calling thread.
template <class Program>
void sum_by_rows(Program const& program)
{
  for (extent p = 0; p < program.input().planes; ++p) sum_plane(program, p);
}

/// The same in vectors, with the sums of the columns in memory of the thread.
template <grid_in_vectors Program>
[[gnu::noinline]] void sum_by_rows_in_vectors(Program const& program, bool stream)
{
  using value             = typename Program::value_type;
  constexpr extent a_line = 64 / sizeof(value);
  struct alignas(64) line_of_sums {
    value of[a_line];
  };
  auto const& in   = program.input();
  auto const& out  = program.output();
  auto* const sums = thread_buffer<line_of_sums>(div_up(in.columns, a_line))->of;
  for (extent p = 0; p < in.planes; ++p) {
    std::fill_n(sums, in.columns, value{});
    for (extent y = 0; y < in.rows; ++y) {
      value before{};
      grid_leaf<Program>::scan(in.at(p, y, 0), sums, out.at(p, y, 0), in.columns, before,
                               in.at(p, std::min(y + 1, in.rows - 1), 0), stream);
    }
  }
  if (stream) release_streams();
}

/// Either.
template <class Program>
void sum_alone(Program const& program, [[maybe_unused]] bool stream)
{
  if constexpr (grid_in_vectors<Program>)
    if (has_vector_rows(program)) return sum_by_rows_in_vectors(program, stream);
  sum_by_rows(program);
}

/// A thread takes a band of rows and goes through it block by block from left to right, so that it keeps the sums of
/// the rows itself. Sums of columns go from band to band through one row of memory for each plane: a band adds its
/// block's sums to them as soon as the band above has done so, and before it writes the block. While it writes, it
/// reads the block's pixels a second time, from the cache. The last band's sums nobody asks for.
template <class Program, class Tuning>
class grid_bands {
  using value = typename Program::value_type;

public:
  static constexpr grid_tuning numbers = grid_tuning_for<Tuning>(sizeof(value));
  static constexpr extent columns      = numbers.columns;

  grid_bands(Program const& program, value* above, bool stream, extent threads)
      : program_(program)
      , above_(above)
      , stream_(stream)
      , planes_(program.input().planes)
      , rows_(std::clamp<extent>(div_up(planes_ * program.input().rows, 2 * threads), numbers.least_rows,
                                 most_rows(program.input().columns)))
      , bands_(div_up(program.input().rows, rows_))
      , blocks_(div_up(program.input().columns, columns))
  {}

  extent bands() const { return planes_ * bands_; }
  extent slots() const { return planes_ * blocks_; }

  /// Draws bands until none is left. Each block has a word with the number of bands that have been added to its sums. A
  /// thread that has drawn a band waits for earlier bands only, and these have been drawn by running threads.
  template <class Draw>
  void work(shared_board const& board, Draw const& draw) const
  {
    struct alignas(64) sums_of_block {  // whole lines: a vector that lies in two lines costs as much as two
      value own[columns], running[columns];
    };
    auto& sums       = *thread_buffer<sums_of_block>(1);
    value *const own = sums.own, *const running = sums.running;
    extent const all = bands();
    for (auto mine = draw(); all > mine.index;) {
      extent const plane = mine.index / bands_, band = mine.index % bands_, y = band * rows_;
      int const high = int(std::min(rows_, program_.input().rows - y));
      value before[numbers.most_rows];  // the sum of every row to the left of the block
      std::fill_n(before, high, value{});
      auto next = mine;
      for (extent block = 0; block < blocks_; ++block) {
        extent const x = block * columns, wide = std::min(columns, program_.input().columns - x),
                     slot = plane * blocks_ + block;
        bool const last   = band == bands_ - 1;
        if (!last) add_rows(plane, y, high, x, wide, own);
        if (band > 0) wait(board, slot, mine.epoch, std::uint32_t(band));
        hand_down(above_ + plane * program_.input().columns + x, wide, band > 0, last ? nullptr : own, running);
        if (!last) board.publish({slot, mine.epoch}, tile_status::aggregate, std::uint32_t(band + 1));

        if (block == blocks_ - 1) next = draw();
        write_block(plane, y, high, x, wide, running, before, all > next.index ? &next.index : nullptr);
      }
      mine = next;
    }
    release_streams();
  }

private:
  /// Of a band: threads hand each other bands, which takes as long as some thousand pixels.
  static extent most_rows(extent wide)
  {
    return std::clamp<extent>(numbers.pixels / wide, numbers.rows, numbers.most_rows);
  }

  static void wait(shared_board const& board, extent slot, std::uint32_t epoch, std::uint32_t bands)
  {
    for (int turn = 0;; ++turn) {
      auto const seen = board.template read<std::uint32_t>(slot);
      if (seen.status(epoch) != tile_status::invalid && seen.value() >= bands) return;
      shared_words::pause(turn);
    }
  }

  /// own[i] = the sum of column x + i in the band.
  [[gnu::noinline]] void add_rows(extent plane, extent y, int high, extent x, extent wide, value* own) const
  {
    auto const& in = program_.input();
    if constexpr (grid_in_vectors<Program>)
      if (in.dense()) return grid_leaf<Program>::add(in.at(plane, y, x), in.row_stride, high, own, wide);
    std::fill_n(own, wide, value{});
    for (int r = 0; r < high; ++r) add_row(plane, y + r, x, wide, own);
  }

  void add_row(extent plane, extent y, extent x, extent wide, value* sums) const
  {
    Program const program = program_;  // copies, which no store can change
    auto in               = program.input();
    for (extent i = 0; i < wide; ++i) sums[i] = sums[i] + program.value(in(plane, y, x + i));
  }

  /// running = above, to which the band above has added its sums; then above += own, if there are any.
  [[gnu::noinline]] static void hand_down(value* above, extent wide, bool any, value const* own, value* running)
  {
    for (extent i = 0; i < wide; ++i) {
      value const older = any ? above[i] : value{};
      running[i]        = older;
      if (own) above[i] = older + own[i];
    }
  }

  /// Writes the rows of a block. `before` has what is to the left of each; behind the last block, the band `next` is
  /// what this thread reads next, if any.
  void write_block(extent plane, extent y, int high, extent x, extent wide, value* running, value* before,
                   [[maybe_unused]] extent const* next) const
  {
    if constexpr (grid_in_vectors<Program>)
      if (has_vector_rows(program_)) {
        auto const& in  = program_.input();
        auto const& out = program_.output();
        for (int r = 0; r < high; ++r) {
          auto ahead = in.at(plane, y + r, x);
          if (x + wide < in.columns) ahead = in.at(plane, y + r, x + wide);
          else if (next) ahead = in.at(*next / bands_, std::min(*next % bands_ * rows_ + r, in.rows - 1), 0);
          grid_leaf<Program>::scan(in.at(plane, y + r, x), running, out.at(plane, y + r, x), wide, before[r], ahead,
                                   stream_);
        }
        return;
      }
    sum_rows(program_, plane, y, high, x, wide, running, before);
  }

  Program program_;
  value* above_;
  bool stream_;
  extent planes_, rows_, bands_, blocks_;
};

/// Whether there are planes whose lines of memory no other has a part of: not channels side by side.
template <grid_program Program>
bool has_planes_apart(Program const& program)
{
  auto const& out = program.output();
  return out.planes > 1 && out.plane_stride > std::max(out.row_stride, out.column_stride);
}

/// Bands have a cost of their own: small images, and a single one of narrow rows, are the calling thread's.
template <place_like Where, grid_program Program>
bool finished_at_once(backend, Where const&, Program const& program)
{
  using value                   = typename Program::value_type;
  constexpr grid_tuning numbers = grid_tuning_for<tuning_of<Where>>(sizeof(value));
  auto const& in                = program.input();
  if (in.columns == 1 && in.rows > 1) return sum_by_rows(program.transposed()), true;  // sums stay in a register
  extent const pixels = in.planes * in.rows * in.columns;
  extent const bytes  = pixels * extent(sizeof(typename Program::item_type) + sizeof(value));
  if (bytes >= numbers.alone_from && (in.columns >= numbers.narrow || has_planes_apart(program))) return false;
  if (in.rows == 1 && std::is_integral_v<value>) return sum_by_rows(program), true;  // vectors take no less
  if (in.columns < numbers.narrow) sum_by_rows(program);
  else sum_alone(program, false);
  return true;
}

template <class Exec, grid_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program, workspace<Exec>& scratch)
{
  using bands         = grid_bands<Program, Tuning>;
  using value         = typename Program::value_type;
  auto const& in      = program.input();
  extent const pixels = in.planes * in.rows * in.columns;
  auto const bytes    = std::size_t(pixels) * (sizeof(typename Program::item_type) + sizeof(value));
  // Of narrow rows most lines would be streamed in two parts, which costs far more than their bytes.
  extent const row     = in.columns * extent(sizeof(value));
  bool const stream    = row >= 1024 && worth_streaming(bytes);
  extent const threads = threads_for(where.space, extent(bytes), bands::numbers.alone_from);
  if (in.columns < bands::numbers.narrow)
    return each(where.label, where.space, threads, in.planes, [=](extent p) { sum_plane(program, p); });
  if (threads == 1 && row <= bands::numbers.long_row) return sum_alone(program, stream);

  auto* const above = scratch.template plain_of<value>(in.planes * in.columns);
  bands const work(program, above, stream, threads);
  constexpr int words = descriptor<std::uint32_t>::words;
  auto const board    = scratch.template make_board<shared_words>(work.slots() * words);
  auto const worker   = [=](int) {
    work.work(board, [&] { return board.draw(work.bands() + threads, work.slots() * words); });
  };
  on_threads(where.label, where.space, threads, worker);
}

}  // namespace onepass::ONEPASS_ABI::backends::host
