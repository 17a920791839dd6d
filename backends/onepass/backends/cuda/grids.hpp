// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/board.hpp>
#include <onepass/backends/cuda/device.hpp>
#include <onepass/backends/cuda/grid_lane.hpp>
#include <onepass/backends/cuda/tuning.hpp>
#include <onepass/engine/grid.hpp>
#include <onepass/place.hpp>

#include <algorithm>

namespace onepass::backends::cuda {

/// A tile of one program: `warps` strips, each as wide as its warp's lanes have columns.
template <class Program, class Tuning, bool Large>
struct grid_shape {
  static constexpr grid_tuning numbers = grid_tuning_for<Tuning>(Large);

  using item  = typename Program::item_type;
  using value = typename Program::value_type;
  using lane  = grid_lane<Program>;

  static constexpr int strip       = 32 * lane::N;
  static constexpr int strip_bytes = strip * int(sizeof(item));
  static_assert(strip_bytes % 16 == 0);

  static constexpr int fitted_rows()
  {
    int r = numbers.rows;
    while (r > 32 && r * numbers.warps * strip_bytes > numbers.stage) r /= 2;
    return r;
  }
  static constexpr int rows = fitted_rows();
  static constexpr int fitted_warps()
  {
    int w = numbers.warps;
    while (w > 1 && w * rows * strip_bytes > numbers.stage) w /= 2;
    return w;
  }
  static constexpr int warps   = fitted_warps();
  static constexpr int ahead   = numbers.ahead;
  static constexpr int columns = warps * strip;
  static constexpr int threads = (2 * warps + 2) * 32;
  static constexpr int words   = descriptor<value>::words;

  struct memory {
    alignas(128) item stage[warps][rows][strip];
    value row_sums[warps][rows], left[warps][rows];  ///< of a strip's row; everything to its left
    value column_sums[columns], above[columns];      ///< the same upwards
    value above_strip[warps], left_of_tile, corner;
    std::uint64_t ticket;
  };

  /// As many as the memory allows, and the registers of several channels.
  static constexpr int blocks =
      std::clamp(int(most_shared / (sizeof(memory) + 1024)), 1, lane::N* words > 8 ? 2 : numbers.blocks);
};

/// One tile of a grid. Each strip has two warps: one reads it, sums its rows and writes; another sums its columns and
/// looks upwards. Two more look back from the start, since nothing that they look for depends on the tile: one to the
/// left, and one for the corner, which first asks the L2 for the pixels of a tile that begins later: a tile waits for
/// the slowest reading before it.
template <class Program, class Shape>
class grid_block {
  using item   = typename Shape::item;
  using value  = typename Shape::value;
  using lanes  = typename Shape::lane;
  using memory = typename Shape::memory;
  using sum    = sum_of<value>;

  static constexpr int N = lanes::N, rows = Shape::rows, strip = Shape::strip, warps = Shape::warps;
  static constexpr int summing = warps * 32, all_but_corner = 2 * summing + 32;  ///< threads of two barriers

public:
  __device__ grid_block(Program const& program, grid_tiles const& tiles, bool wide, bool late,
                        shared_board const& board, memory& m)
      : program_(program)
      , tiles_(tiles)
      , board_(board)
      , wide_(wide)
      , late_(late)
      , m_(m)
      , lane_(int(threadIdx.x % 32))
  {}

  __device__ void run()
  {
    if (threadIdx.x == 0) m_.ticket = board_.draw(tiles_.number(), tiles_.slots() * Shape::words).word();
    __syncthreads();
    auto const mine = shared_board::ticket::of(m_.ticket);
    int const warp  = int(threadIdx.x / 32);
    epoch_          = mine.epoch;
    tile_           = tiles_[mine.index];
    if (warp < warps) {
      load(warp);
      strip_is_read(warp);
      sum_rows(warp);
    } else if (warp < 2 * warps) {
      strip_is_read(warp - warps);
      sum_columns(warp - warps);
      look_up(warp - warps);
    } else if (warp == 2 * warps) look_left();
    else {
      ask_for_pixels(mine.index + Shape::ahead);
      look_at_corner();
    }
    __syncthreads();
    if (warp < warps) write(warp);
    else if (warp == 2 * warps + 1 && lane_ == 0 && tile_.band > 0)
      publish(tiles_.corner(tile_.index), tile_status::inclusive_prefix, m_.corner + m_.left_of_tile);
  }

private:
  __device__ extent first_row() const { return tile_.band * rows; }
  __device__ extent first_column(int warp) const { return tile_.strip * Shape::columns + warp * strip - tiles_.lead; }

  __device__ void publish(extent slot, tile_status status, value const& v) const
  {
    board_.publish({slot, epoch_}, status, v);
  }

  /// A strip's pixels into shared memory; zeros where there are none. Each warp for itself.
  __device__ __forceinline__ void load(int warp) const
  {
    auto const& in  = program_.input();
    extent const y0 = first_row(), x0 = first_column(warp);
    extent const high = in.rows - y0;
    item* const stage = &m_.stage[warp][0][0];
    if (wide_) {
      constexpr int pieces = Shape::strip_bytes / 16;
      int const width      = int(in.columns - x0 < 0       ? 0
                                 : in.columns - x0 < strip ? in.columns - x0
                                                           : strip)
                        * int(sizeof(item));
      auto const* from   = reinterpret_cast<char const*>(in.at(tile_.plane, y0, 0)) + x0 * extent(sizeof(item));
      extent const pitch = in.row_stride * extent(sizeof(*in.data));
      auto const to      = shared_address(stage);
      if constexpr (32 % pieces == 0)
        if (high >= rows && x0 >= 0 && width == Shape::strip_bytes) {  // whole: a lane goes down by so many rows
          from += (lane_ / pieces) * pitch + lane_ % pieces * 16;
#pragma unroll 8
          for (int i = 0; i < rows * pieces / 32; ++i, from += 32 / pieces * pitch)
            copy_16(to + std::uint32_t(i * 32 + lane_) * 16, from, 16);
          copies_arrive();
          __syncwarp();
          return;
        }
#pragma unroll 4
      for (int i = 0; i < rows * pieces / 32; ++i) {
        int const p = i * 32 + lane_, r = p / pieces, b = p % pieces * 16;
        int bytes = width - b < 0 ? 0 : width - b < 16 ? width - b : 16;
        if (r >= high || x0 * extent(sizeof(item)) + b < 0) bytes = 0;
        copy_16(to + std::uint32_t(p) * 16, bytes ? from + r * pitch + b : reinterpret_cast<char const*>(in.data),
                bytes);
      }
      copies_arrive();
    } else {
#pragma unroll 4
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int j = 0; j < N; ++j) {
          int const x          = j * 32 + lane_;
          bool const inside    = r < high && x0 + x < in.columns;
          stage[r * strip + x] = inside ? in(tile_.plane, y0 + r, x0 + x) : item{};
        }
    }
    __syncwarp();
  }

  __device__ __forceinline__ void ask_for_pixels(extent index) const
  {
    if (!wide_ || index >= tiles_.number()) return;
    auto const later  = tiles_[index];
    auto const& in    = program_.input();
    extent const left = later.strip * Shape::columns - tiles_.lead, right = left + Shape::columns;
    extent const begin = left < 0 ? 0 : left, end = right < in.columns ? right : in.columns;
    int const bytes = int((end - begin) * extent(sizeof(item)) / 16 * 16);
    if (bytes <= 0) return;
    extent const top = later.band * rows, bottom = top + rows < in.rows ? top + rows : in.rows;
    for (extent y = top + lane_; y < bottom; y += 32) ask_l2_for(in.at(later.plane, y, begin), bytes);
  }

  __device__ __forceinline__ auto pack(int warp, int row, int at) const
  {
    return reinterpret_cast<typename lanes::items const*>(m_.stage[warp][row])[at];
  }

  /// The strip's two warps wait for each other.
  __device__ __forceinline__ void strip_is_read(int warp) const { squad_barrier<64>(3 + warp); }

  /// Each sum is told as soon as it is known.
  __device__ __forceinline__ void sum_rows(int warp) const
  {
#pragma unroll
    for (int h = 0; h < rows; h += 32) {  // a lane a row; each begins elsewhere, which keeps the banks apart
      using piece          = typename lanes::piece;
      constexpr int pieces = Shape::strip_bytes / int(sizeof(piece));
      auto const* row      = reinterpret_cast<piece const*>(m_.stage[warp][h + lane_]);
      value across{};
#pragma unroll 8
      for (int i = 0; i < pieces; ++i) across = across + lanes::total(program_, row[(i + lane_) % pieces]);
      m_.row_sums[warp][h + lane_] = across;
    }
    squad_barrier<summing>(1);
    for (int r = int(threadIdx.x); r < rows; r += summing) {
      value across = m_.row_sums[0][r];
#pragma unroll
      for (int w = 1; w < warps; ++w) across = across + m_.row_sums[w][r];
      publish(tiles_.row(tile_.index, r), tile_status::aggregate, across);
    }
    squad_barrier<summing>(1);        // checkers see no order of what an arrival alone tells
    squad_arrive<all_but_corner>(2);  // only now may prefixes be published in the same slots
  }

  __device__ __forceinline__ void sum_columns(int warp) const
  {
    typename lanes::column_sums down;
#pragma unroll 8
    for (int r = 0; r < rows; ++r) down.add(program_, pack(warp, r, lane_));
#pragma unroll
    for (int j = 0; j < N; ++j) m_.column_sums[warp * strip + lane_ * N + j] = down[j];
    __syncwarp();
#pragma unroll
    for (int j = 0; j < N; ++j) {
      int const x = warp * strip + j * 32 + lane_;
      publish(tiles_.column(tile_.index, x), tile_status::aggregate, m_.column_sums[x]);
    }
  }

  /// Slots asked for at a time: few, since what is read beyond the first prefix is read for nothing (decision 12).
  template <int Chains>
  static constexpr int window = std::max(1, 4 / (Chains * Shape::words));

  __device__ __forceinline__ void look_up(int warp) const
  {
    int const x       = warp * strip + lane_;
    extent const slot = tiles_.column(tile_.index, x);
    value v[N], all{};
    if (late_) squad_barrier<all_but_corner>(2);
    else squad_arrive<all_but_corner>(2);
    sum_back<window<N>>(board_, epoch_, slot, 32, tiles_.step_of_columns(), tile_.band, v);
#pragma unroll
    for (int j = 0; j < N; ++j) {
      m_.above[x + j * 32] = v[j];
      all                  = all + v[j];
      if (tile_.band > 0) publish(slot + j * 32, tile_status::inclusive_prefix, v[j] + m_.column_sums[x + j * 32]);
    }
    all = warp_reduce(sum{}, all, lane_);
    if (lane_ == 0) m_.above_strip[warp] = all;
  }

  __device__ __forceinline__ void look_left() const
  {
    constexpr int K   = rows / 32;
    extent const slot = tiles_.row(tile_.index, lane_);
    value v[K], all{};
    sum_back<window<K>>(board_, epoch_, slot, 32, tiles_.step_of_rows(), tile_.strip, v);
#pragma unroll
    for (int k = 0; k < K; ++k) all = all + v[k];
    all = warp_reduce(sum{}, all, lane_);
    if (lane_ == 0) {
      m_.left_of_tile = all;
      publish(tiles_.corner(tile_.index), tile_status::aggregate, all);
    }
    squad_barrier<all_but_corner>(2);
#pragma unroll
    for (int k = 0; k < K; ++k) {
      int const r = k * 32 + lane_;
#pragma unroll
      for (int w = 0; w < warps; ++w) {
        m_.left[w][r] = v[k];
        v[k]          = v[k] + m_.row_sums[w][r];
      }
      if (tile_.strip > 0) publish(slot + k * 32, tile_status::inclusive_prefix, v[k]);
    }
  }

  /// 32 bands at a time, a lane each, back to the first that holds a prefix.
  __device__ __forceinline__ void look_at_corner() const
  {
    value corner{};
    for (extent bands = tile_.band; bands > 0; bands -= 32) {
      value x{};
      bool last = lane_ >= bands;
      if (!last) {
        auto const seen = board_.template wait<value>(
            tiles_.corner(tile_.index) - (tile_.band - bands + 1 + lane_) * tiles_.step_of_corners(), epoch_);
        x    = seen.value();
        last = seen.status(epoch_) == tile_status::inclusive_prefix;
      }
      unsigned const lasts = __ballot_sync(all_lanes, last);
      if (lasts && lane_ >= __ffs(int(lasts))) x = value{};
      corner = corner + warp_reduce(sum{}, x, lane_);
      if (lasts) break;
    }
    if (lane_ == 0) m_.corner = corner;
  }

  __device__ __forceinline__ void write(int warp) const
  {
    auto const& out = program_.output();
    extent const y0 = first_row(), x = first_column(warp) + lane_ * N;
    int const high = int(out.rows - y0 < rows ? out.rows - y0 : rows);
    value down[N];  // of every column and all to its left: above the row, then with it
    {
      value through{};
#pragma unroll
      for (int j = 0; j < N; ++j) down[j] = through = through + m_.above[warp * strip + lane_ * N + j];
      value before = m_.corner;
      for (int w = 0; w < warp; ++w) before = before + m_.above_strip[w];
      before = before + warp_exclusive_sum(through, lane_);
#pragma unroll
      for (int j = 0; j < N; ++j) down[j] = down[j] + before;
    }
    bool const whole = wide_ && x >= 0 && x + N <= out.columns, none = x + N <= 0 || x >= out.columns;
    if (__all_sync(all_lanes, whole || none))
      write_rows(warp, high, down,
                 [whole, to = out.at(tile_.plane, y0, x),
                  pitch = out.row_stride](int, grid_result<value, N> const& result) mutable {
                   if (whole) store_past(to, result);
                   to += pitch;
                 });
    else
      write_rows(warp, high, down, [&](int r, grid_result<value, N> const& result) {
#pragma unroll
        for (int j = 0; j < N; ++j)
          if (x + j >= 0 && x + j < out.columns) out.set(tile_.plane, y0 + r, x + j, result.of[j]);
      });
  }

  /// `put` gets one row after another. What several rows need is read and shuffled together before the first of them is
  /// written, since nothing passes a store.
  template <class Put>
  __device__ __forceinline__ void write_rows(int warp, int high, value (&down)[N], Put put) const
  {
    value across{};  // everything to the left of the lane, in the tile's rows so far
    auto const some = [&]<int Rows>(std::integral_constant<int, Rows>, int first) {
      typename lanes::items x[Rows];
      value before[Rows];
#pragma unroll
      for (int k = 0; k < Rows; ++k) x[k] = pack(warp, first + k, lane_);
      if constexpr (Rows == 1) before[0] = warp_exclusive_sum(lanes::total(program_, x[0]), lane_);
#pragma unroll
      for (int k = 0; k + 2 <= Rows; k += 2)
        lanes::before_lane(program_, x[k], x[k + 1], lane_, before[k], before[k + 1]);
#pragma unroll
      for (int k = 0; k < Rows; ++k) before[k] = before[k] + m_.left[warp][first + k];
#pragma unroll
      for (int k = 0; k < Rows; ++k) {
        across = across + before[k];
        lanes::add_through(program_, x[k], down);
        grid_result<value, N> result;
#pragma unroll
        for (int j = 0; j < N; ++j) result.of[j] = down[j] + across;
        put(first + k, result);
      }
    };
    constexpr int together = Shape::words == 1 ? 4 : 2;
    int r                  = 0;
    for (; r + together <= high; r += together) some(std::integral_constant<int, together>{}, r);
    for (; r < high; ++r) some(std::integral_constant<int, 1>{}, r);
  }

  Program const& program_;
  grid_tiles const& tiles_;
  shared_board const& board_;
  bool wide_, late_;
  memory& m_;
  int lane_;
  std::uint32_t epoch_;
  grid_tiles::place tile_;
};

/// `wide`: the rows of input and output begin where 16-byte words may, and their pixels lie side by side. `late`:
/// columns are looked up once the rows are told, since what is above began earlier, and is told by then.
template <class Program, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    onepass_grid(const __grid_constant__ Program program, const __grid_constant__ grid_tiles tiles, bool wide,
                 bool late, const __grid_constant__ shared_board board)
{
  extern __shared__ __align__(128) char memory[];
  begin_kernel();
  grid_block<Program, Shape>(program, tiles, wide, late, board, *reinterpret_cast<typename Shape::memory*>(memory))
      .run();
}

template <class Raster>
bool in_wide_words(Raster const& r)
{
  auto const whole = [](extent numbers) { return numbers * extent(sizeof(*Raster::data)) % 16 == 0; };
  return r.dense() && reinterpret_cast<std::uintptr_t>(r.data) % 16 == 0 && whole(r.row_stride)
         && whole(r.plane_stride);
}

/// Columns by which tiles begin earlier than the image, so that warps write whole 256 bytes: memory is a tenth slower
/// where two of them share such a piece, and Kokkos allocates at odd multiples of 128.
template <class Program>
int lead_of(Program const& program)
{
  extent const pixel = sizeof(typename Program::value_type);
  auto const past    = extent(reinterpret_cast<std::uintptr_t>(program.output().data) % 256);
  if (program.output().row_stride * extent(sizeof(*program.output().data)) % 256 != 0)
    return 0;  // each row lies differently
  for (int lead = 0; lead < 64; ++lead)
    if ((past - lead * pixel) % 256 == 0 && lead * sizeof(typename Program::item_type) % 16 == 0) return lead;
  return 0;
}

template <class Shape, class Program, class Tuning>
void queue_grid(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, bool wide, int lead,
                bool late, workspace<Kokkos::Cuda>& scratch)
{
  auto const tiles = grid_tiles::of(program.input(), Shape::rows, Shape::columns, lead);
  require_one_launch(where.label, tiles.number(), program.input().rows * program.input().columns, "pixels");
  auto board   = scratch.make_board<shared_words>(tiles.slots() * Shape::words);
  board.anchor = where.anchor;
  launch(where.space, where.label, onepass_grid<Program, Shape>, int(tiles.number()), Shape::threads,
         sizeof(typename Shape::memory), program, tiles, wide, late, board);
}

template <grid_program Program, class Tuning>
void queue(place<Kokkos::Cuda, backend, Tuning> const& where, Program const& program, workspace<Kokkos::Cuda>& scratch)
{
  using small      = grid_shape<Program, Tuning, false>;
  bool const wide  = in_wide_words(program.input()) && in_wide_words(program.output());
  int const lead   = wide ? lead_of(program) : 0;
  auto const queue = [&]<class Shape>(std::type_identity<Shape>, bool late) {
    queue_grid<Shape>(where, program, wide, late ? lead : 0, late, scratch);
  };
  if constexpr (!grids_are_small<Tuning>) {
    using large                  = grid_shape<Program, Tuning, true>;
    extent const tiles           = grid_tiles::of(program.input(), large::rows, large::columns).number();
    extent const multiprocessors = where.space.cuda_device_prop().multiProcessorCount;
    // Where all tiles run at once, a strip more costs more than it gains.
    if (tiles >= multiprocessors)
      return queue(std::type_identity<large>{}, large::numbers.late && tiles > multiprocessors * large::blocks);
  }
  queue(std::type_identity<small>{}, small::numbers.late);
}

}  // namespace onepass::backends::cuda
