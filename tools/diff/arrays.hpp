// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runs.hpp"

#include <cstdint>

namespace tools::diff {

enum class layout { right, left };

/// An array as a file holds it.
struct array {
  std::string name, type;          ///< type: f64, f32, i64, ... as --type names them; empty where the file does not say
  std::vector<std::size_t> shape;  ///< empty where the file does not say
  layout as = layout::right;       ///< right: the last index is that of neighbours
  std::vector<std::uint8_t> bytes;
  int fill = -1;  ///< the byte that memory never written holds, of a dump
};

/// Reads a raw file, .npy, or, as FILE.h5:DATASET, HDF5 where the library is there. Throws usage_error.
array read_array(std::string const& file);
array read_array(input_file in);

struct array_difference {
  std::string type;
  std::vector<std::size_t> shape;
  std::size_t items = 0, differing = 0, nans_apart = 0;  ///< nans_apart: a NaN in one alone
  std::vector<std::size_t> first;                        ///< index of the first that differs
  struct example {
    std::vector<std::size_t> index;
    std::string a, b;
    std::uint64_t ulps;
  };
  std::vector<example> examples;
  double largest = 0, largest_relative = 0;
  std::uint64_t largest_ulps = 0;
  std::vector<std::size_t> histogram;  ///< by ULPs: 1, 2, 3-4, 5-8, ...
  int rows = 0, columns = 0;
  std::vector<double> picture;  ///< share of the items that differ, by cells of the array folded into two dimensions

  /// near: each item is off by at most this share of the larger of the two, and NaN in both or in neither.
  verdict within(double tolerance) const;
};

/// Where FILE ends in FILE:DATASET, both of which may have colons; npos where there is no such file.
std::size_t end_of_file_name(std::string const&);

/// Throws usage_error unless so many bytes of a type are the items of a shape.
void require_shape(std::string const& name, std::size_t bytes, std::string const& type,
                   std::vector<std::size_t> const& shape);

/// Both must have the type and the shape, or `type` and `shape` say them; throws usage_error.
array_difference difference_of(array const& a, array const& b, std::string const& type, std::vector<std::size_t> shape);

void print(array_difference const&, std::string const& name_a, std::string const& name_b);
nlohmann::json json_of(array_difference const&);

}  // namespace tools::diff
