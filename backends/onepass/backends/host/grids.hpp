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

/// Programs that sum pixels as they are, of types for which there is a loop in vector registers (vector.cpp).
template <class Program>
#ifdef ONEPASS_HIGHWAY
constexpr bool grid_in_vectors =
    is_one_of<vector_grid_leaf<typename Program::item_type, typename Program::value_type>, vector_grid_leaves>&&
        Program::plain;
#else
constexpr bool grid_in_vectors = false;
#endif

/// Their loops.
template <class Program>
auto const& leaf_of()
{
  return std::get<vector_grid_leaf<typename Program::item_type, typename Program::value_type>>(
      grid_leaves_of_this_machine());
}

/// A thread takes a band of rows and goes through it block by block from left to right, so that it keeps the sums of
/// the rows itself. Sums of columns go from band to band through one row of memory for each plane: a band adds its
/// block's sums to them as soon as the band above has done so, and before it writes the block. While it writes, it
/// reads the block's pixels a second time, from the cache.
template <class Program, class Tuning>
class grid_bands {
  using value = typename Program::value_type;

  using source = decltype(std::declval<Program const&>().input().at(0, 0, 0));

public:
  static constexpr grid_tuning numbers = grid_tuning_for<Tuning>(sizeof(value));
  static constexpr int rows            = numbers.rows;
  static constexpr extent columns      = numbers.columns;

  grid_bands(Program const& program, value* above, bool stream)
      : program_(program)
      , above_(above)
      , stream_(stream)
      , planes_(program.input().planes)
      , bands_(div_up(program.input().rows, rows))
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
      extent const plane = mine.index / bands_, band = mine.index % bands_, y = band * rows;
      int const high     = int(std::min<extent>(rows, program_.input().rows - y));
      value before[rows] = {};  // the sum of every row to the left of the block
      auto next          = mine;
      for (extent block = 0; block < blocks_; ++block) {
        extent const x = block * columns, wide = std::min(columns, program_.input().columns - x),
                     slot = plane * blocks_ + block;
        add_rows(plane, y, high, x, wide, own);
        if (band > 0) wait(board, slot, mine.epoch, std::uint32_t(band));
        hand_down(above_ + plane * program_.input().columns + x, wide, band > 0, own, running);
        board.publish({slot, mine.epoch}, tile_status::aggregate, std::uint32_t(band + 1));

        if (block == blocks_ - 1) next = draw();
        for (int r = 0; r < high; ++r) {
          auto const& in = program_.input();
          source ahead   = in.at(plane, y + r, x);  // what this thread reads next
          if (block < blocks_ - 1) ahead = in.at(plane, y + r, x + columns);
          else if (all > next.index)
            ahead = in.at(next.index / bands_, std::min(next.index % bands_ * rows + r, in.rows - 1), 0);
          write_row(plane, y + r, x, wide, running, before[r], ahead);
        }
      }
      mine = next;
    }
    release_streams();
  }

private:
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
      if (in.dense()) return leaf_of<Program>().add(in.at(plane, y, x), in.row_stride, high, own, std::size_t(wide));
    std::fill_n(own, wide, value{});
    for (int r = 0; r < high; ++r) add_row(plane, y + r, x, wide, own);
  }

  void add_row(extent plane, extent y, extent x, extent wide, value* sums) const
  {
    Program const program = program_;  // copies, which no store can change
    auto in               = program.input();
    for (extent i = 0; i < wide; ++i) sums[i] = sums[i] + program.value(in(plane, y, x + i));
  }

  /// running = above, to which the band above has added its sums; then above += own.
  [[gnu::noinline]] static void hand_down(value* above, extent wide, bool any, value const* own, value* running)
  {
    for (extent i = 0; i < wide; ++i) {
      value const older = any ? above[i] : value{};
      running[i]        = older;
      above[i]          = older + own[i];
    }
  }

  /// Writes a row of a block: its pixels are added to the sums of the columns, which are then added up from left to
  /// right.
  [[gnu::noinline]] void write_row(extent plane, extent y, extent x, extent wide, value* running, value& before,
                                   [[maybe_unused]] source ahead) const
  {
    auto const& in  = program_.input();
    auto const& out = program_.output();
    if constexpr (grid_in_vectors<Program>)
      if (in.dense() && out.dense())
        return leaf_of<Program>().scan(in.at(plane, y, x), running, out.at(plane, y, x), std::size_t(wide), before,
                                       ahead, stream_);
    add_row(plane, y, x, wide, running);
    constexpr extent piece = 256;
    value all              = before;
    for (extent first = 0; first < wide; first += piece) {
      extent const some = std::min(piece, wide - first);
      value sums[piece];
      for (extent i = 0; i < some; ++i) sums[i] = all = all + running[first + i];
      if (stream_ && out.dense()) stream_out(out.at(plane, y, x + first), sums, std::size_t(some) * sizeof(value));
      else
        for (extent i = 0; i < some; ++i) out.set(plane, y, x + first + i, sums[i]);
    }
    before = all;
  }

  Program program_;
  value* above_;
  bool stream_;
  extent planes_, bands_, blocks_;
};

/// Row by row on the calling thread: the sum of a row so far, plus the output above, which is in the cache.
template <class Program>
[[gnu::noinline]] void sum_by_rows(Program const& given)
{
  Program const program = given;  // copies, which no store to the output can change
  auto in               = program.input();
  auto out              = program.output();
  using value           = typename Program::value_type;
  for (extent p = 0; p < in.planes; ++p)
    for (extent y = 0; y < in.rows; ++y) {
      value row{};
      auto const add = [&](extent x) __attribute__((always_inline))
      {
        row = row + program.value(in(p, y, x));
        if (y == 0) out.set(p, y, x, row);
        else out.set(p, y, x, out(p, y - 1, x) + row);
      };
      extent x = 0;  // by two: a loop over single pixels takes one cycle or two each, depending on its alignment
      for (; x + 2 <= in.columns; x += 2) add(x), add(x + 1);
      if (x < in.columns) add(x);
    }
}

/// The same in vectors, with the sums of the columns in memory of the thread.
template <class Program>
[[gnu::noinline]] void sum_by_rows_in_vectors(Program const& program)
{
  using value             = typename Program::value_type;
  constexpr extent a_line = 64 / sizeof(value);
  struct alignas(64) line_of_sums {
    value of[a_line];
  };
  auto const& in   = program.input();
  auto const& out  = program.output();
  auto const& leaf = leaf_of<Program>();
  auto* const sums = thread_buffer<line_of_sums>(div_up(in.columns, a_line))->of;
  for (extent p = 0; p < in.planes; ++p) {
    std::fill_n(sums, in.columns, value{});
    for (extent y = 0; y < in.rows; ++y) {
      value before{};
      auto const row = in.at(p, y, 0);
      leaf.scan(row, sums, out.at(p, y, 0), std::size_t(in.columns), before, row, false);
    }
  }
}

/// Bands have a cost of their own: small images, and those of narrow rows, are the calling thread's.
template <place_like Where, grid_program Program>
bool finished_at_once(backend, Where const&, Program const& program)
{
  using value                   = typename Program::value_type;
  constexpr grid_tuning numbers = grid_tuning_for<tuning_of<Where>>(sizeof(value));
  auto const& in                = program.input();
  if (in.columns == 1 && in.rows > 1) return sum_by_rows(program.transposed()), true;  // sums stay in a register
  extent const pixels = in.planes * in.rows * in.columns;
  extent const bytes  = pixels * extent(sizeof(typename Program::item_type) + sizeof(value));
  if (bytes >= numbers.alone_from && in.columns >= numbers.narrow) return false;
  if constexpr (grid_in_vectors<Program>)
    if (in.columns >= numbers.narrow && in.dense() && program.output().dense())
      return sum_by_rows_in_vectors(program), true;
  sum_by_rows(program);
  return true;
}

template <class Exec, grid_program Program, class Tuning>
void queue(place<Exec, backend, Tuning> const& where, Program const& program, workspace<Exec>& scratch)
{
  using bands         = grid_bands<Program, Tuning>;
  using value         = typename Program::value_type;
  auto const& in      = program.input();
  extent const pixels = in.planes * in.rows * in.columns;
  auto const bytes    = std::size_t(pixels) * (sizeof(typename Program::item_type) + sizeof(value));
  auto* const above   = reinterpret_cast<value*>(scratch.plain(std::size_t(in.planes * in.columns) * sizeof(value)));
  // Of narrow rows most lines would be streamed in two parts, which costs far more than their bytes.
  bool const wide = in.columns * extent(sizeof(value)) >= 1024;
  bands const work(program, above, wide && worth_streaming(bytes));

  constexpr int words  = descriptor<std::uint32_t>::words;
  extent const threads = threads_for(where.space, extent(bytes), bands::numbers.alone_from);
  auto const board     = scratch.template make_board<shared_words>(work.slots() * words);
  auto const worker    = [=](int) {
    work.work(board, [&] { return board.draw(work.bands() + threads, work.slots() * words); });
  };
  on_threads(where.label, where.space, threads, worker);
}

}  // namespace onepass::ONEPASS_ABI::backends::host
