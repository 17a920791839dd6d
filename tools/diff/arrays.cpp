// SPDX-License-Identifier: Apache-2.0
#include "arrays.hpp"

#include "../files.hpp"
#include "../print.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstring>
#include <limits>

#ifdef ONEPASS_HAS_HDF5
#include <hdf5.h>
#endif

namespace tools::diff {

namespace {

/// Calls f(T{}) for the type of this name; false if there is none.
template <class F>
bool with_type(std::string const& name, F const& f)
{
  if (name == "f64") f(double{});
  else if (name == "f32") f(float{});
  else if (name == "i64") f(std::int64_t{});
  else if (name == "u64") f(std::uint64_t{});
  else if (name == "i32") f(std::int32_t{});
  else if (name == "u32") f(std::uint32_t{});
  else if (name == "i16") f(std::int16_t{});
  else if (name == "u16") f(std::uint16_t{});
  else if (name == "i8") f(std::int8_t{});
  else if (name == "u8") f(std::uint8_t{});
  else return false;
  return true;
}

std::size_t size_of(std::string const& type)
{
  std::size_t n = 0;
  with_type(type, [&](auto x) { n = sizeof x; });
  return n;
}

constexpr auto most_items = std::numeric_limits<std::size_t>::max() / 8;  // no memory has as many

/// The items of a shape, or most_items where it says more.
std::size_t product(std::vector<std::size_t> const& shape)
{
  std::size_t n = 1;
  for (auto const e : shape) {
    if (e != 0 && n > most_items / e) return most_items;
    n *= e;
  }
  return n;
}

std::string text_of_shape(std::vector<std::size_t> const& shape)
{
  std::string s;
  for (auto const e : shape) s += (s.empty() ? "" : " x ") + std::to_string(e);
  return s;
}

/// The header of a .npy file, a Python dictionary of three entries.
void read_npy(array& a)
{
  auto const& b     = a.bytes;
  auto const refuse = [&](std::string const& what) {
    throw onepass::packed::format_error(a.name + ": as .npy, " + what);
  };
  if (b.size() < 12) refuse("it ends inside its header");
  bool const wide      = b[6] >= 2;
  std::size_t const at = wide ? 12 : 10;
  std::size_t length   = b[8] | std::size_t(b[9]) << 8;
  if (wide) length |= std::size_t(b[10]) << 16 | std::size_t(b[11]) << 24;
  if (length > b.size() - at) refuse("it ends inside its header");
  std::string const text(b.begin() + std::ptrdiff_t(at), b.begin() + std::ptrdiff_t(at + length));
  auto const behind = [&](std::string const& key) {
    auto const k = text.find("'" + key + "':");
    if (k == std::string::npos) refuse("its header has no " + key);
    return text.substr(k + key.size() + 3);
  };
  auto const type  = behind("descr");
  auto const quote = type.find('\'');
  auto const descr = quote == std::string::npos ? "" : type.substr(quote + 1, type.find('\'', quote + 1) - quote - 1);
  if (descr.size() < 3 || descr[0] == '>') refuse("its type " + descr + " is not one of little-endian numbers");
  static constexpr std::pair<char const*, char const*> types[] = {
      {"f8", "f64"}, {"f4", "f32"}, {"i8", "i64"}, {"u8", "u64"}, {"i4", "i32"}, {"u4", "u32"},
      {"i2", "i16"}, {"u2", "u16"}, {"i1", "i8"},  {"u1", "u8"},  {"b1", "u8"}};
  for (auto const& [theirs, ours] : types)
    if (descr.substr(1) == theirs) a.type = ours;
  if (a.type.empty()) refuse("its type " + descr + " is not known here");
  auto const order = behind("fortran_order");
  a.as             = order.find("True") < order.find(',') ? layout::left : layout::right;
  auto const shape = behind("shape");
  auto const open = shape.find('('), close = shape.find(')');
  if (open == std::string::npos || close == std::string::npos || close < open) refuse("its shape is no tuple");
  for (auto i = open + 1; i < close;) {
    if (!std::isdigit(static_cast<unsigned char>(shape[i]))) {
      ++i;
      continue;
    }
    std::size_t n = 0;
    for (; i < close && std::isdigit(static_cast<unsigned char>(shape[i])); ++i) {
      if (n > std::numeric_limits<std::size_t>::max() / 20) refuse("its shape is larger than memory");
      n = n * 10 + std::size_t(shape[i] - '0');
    }
    a.shape.push_back(n);
  }
  if (a.shape.empty()) a.shape = {1};
  a.bytes.erase(a.bytes.begin(), a.bytes.begin() + std::ptrdiff_t(at + length));
  if (product(a.shape) != a.bytes.size() / size_of(a.type) || a.bytes.size() % size_of(a.type) != 0)
    refuse("its header says " + text_of_shape(a.shape) + " items of " + a.type + ", and "
           + std::to_string(a.bytes.size()) + " bytes follow it");
}

#ifdef ONEPASS_HAS_HDF5
array read_hdf5(std::string const& file, std::string const& dataset)
{
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  array a;
  a.name            = file + ":" + dataset;
  auto const refuse = [&](std::string const& what) -> void {
    throw onepass::packed::format_error(a.name + ": " + what);
  };
  hid_t const f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (f < 0) refuse("no HDF5 file that can be read");
  hid_t const d = H5Dopen2(f, dataset.c_str(), H5P_DEFAULT);
  if (d < 0) H5Fclose(f), refuse("the file has no such data set");
  hid_t const t = H5Dget_type(d), s = H5Dget_space(d);
  std::vector<hsize_t> extents(std::size_t(std::max(H5Sget_simple_extent_ndims(s), 0)));
  H5Sget_simple_extent_dims(s, extents.data(), nullptr);
  a.shape.assign(extents.begin(), extents.end());
  if (a.shape.empty()) a.shape = {1};
  auto const bits = std::to_string(H5Tget_size(t) * 8);
  auto const kind = H5Tget_class(t);
  if (kind == H5T_FLOAT) a.type = "f" + bits;
  else if (kind == H5T_INTEGER) a.type = (H5Tget_sign(t) == H5T_SGN_NONE ? "u" : "i") + bits;
  hid_t const native = H5Tget_native_type(t, H5T_DIR_ASCEND);
  auto const items   = product(a.shape);
  bool fine          = size_of(a.type) > 0 && items < most_items;
  if (fine) {
    a.bytes.resize(items * size_of(a.type));
    fine = H5Dread(d, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, a.bytes.data()) >= 0;
  }
  H5Tclose(native), H5Sclose(s), H5Tclose(t), H5Dclose(d), H5Fclose(f);
  if (!fine) refuse("its type is not known here, it has more items than any memory, or it can not be read");
  return a;
}
#endif

/// Where an item of this index lies.
std::size_t place_of(std::vector<std::size_t> const& index, std::vector<std::size_t> const& shape, layout as)
{
  std::size_t at = 0;
  if (as == layout::right)
    for (std::size_t d = 0; d < shape.size(); ++d) at = at * shape[d] + index[d];
  else
    for (std::size_t d = shape.size(); d-- > 0;) at = at * shape[d] + index[d];
  return at;
}

std::vector<std::size_t> index_of(std::size_t i, std::vector<std::size_t> const& shape)
{
  std::vector<std::size_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = i % shape[d];
    i /= shape[d];
  }
  return index;
}

template <class T>
std::string text_of_number(T x)
{
  if constexpr (std::is_floating_point_v<T>) return text_of(x);
  else return std::to_string(x);
}

template <class T>
std::uint64_t apart(T a, T b)
{
  if constexpr (std::is_floating_point_v<T>) return ulps(a, b);
  else return a < b ? std::uint64_t(b) - std::uint64_t(a) : std::uint64_t(a) - std::uint64_t(b);
}

/// How far apart two numbers are, and which share that is of the larger one.
struct distance_of_numbers {
  double absolute, relative;
};
template <class T>
distance_of_numbers far_apart(T a, T b)
{
  double const larger = std::max(std::fabs(double(a)), std::fabs(double(b)));
  double off;
  if constexpr (std::is_integral_v<T>) off = double(apart(a, b));  // which doubles have rounded
  else off = std::isinf(larger) ? larger : std::fabs(double(b) - double(a));
  return {off, off > 0 && !std::isinf(off) ? off / larger : off};
}

template <class T>
void compare(array_difference& d, array const& a, array const& b)
{
  constexpr std::size_t most_examples = 8;
  d.items                             = product(d.shape);
  // Two dimensions for the picture: the last one, and all others; a long line is folded.
  auto const line = d.shape.back(), lines = line ? d.items / line : 0;
  std::size_t const wide =
      lines > 1 ? line : std::max<std::size_t>(1, std::size_t(std::ceil(std::sqrt(double(d.items)))));
  std::size_t const high = wide ? (d.items + wide - 1) / wide : 0;
  d.columns              = int(std::min<std::size_t>(wide, 64));
  d.rows                 = int(std::min<std::size_t>(high, 24));
  d.picture.assign(std::size_t(d.rows) * std::size_t(d.columns), 0);
  std::vector<std::size_t> of_cell(d.picture.size());
  bool const straight = a.as == layout::right && b.as == layout::right;
  for (std::size_t i = 0; i < d.items; ++i) {
    auto const index = straight ? std::vector<std::size_t>() : index_of(i, d.shape);
    auto const at_a  = straight ? i : place_of(index, d.shape, a.as),
               at_b  = straight ? i : place_of(index, d.shape, b.as);
    auto const cell =
        (i / wide) * std::size_t(d.rows) / high * std::size_t(d.columns) + (i % wide) * std::size_t(d.columns) / wide;
    ++of_cell[cell];
    T x, y;
    std::memcpy(&x, a.bytes.data() + at_a * sizeof(T), sizeof(T));
    std::memcpy(&y, b.bytes.data() + at_b * sizeof(T), sizeof(T));
    if (std::memcmp(&x, &y, sizeof(T)) == 0) continue;
    auto const filled = [](array const& from, std::size_t at) {
      auto const* const p = from.bytes.data() + at * sizeof(T);
      return from.fill >= 0 && std::all_of(p, p + sizeof(T), [&](auto byte) { return byte == from.fill; });
    };
    if (filled(a, at_a) && filled(b, at_b)) continue;  // never written in both
    if (d.differing++ == 0) d.first = index_of(i, d.shape);
    d.picture[cell] += 1;
    auto const far = apart(x, y);
    if (d.examples.size() < most_examples)
      d.examples.push_back({index_of(i, d.shape), text_of_number(x), text_of_number(y), far});
    if (bool const p = std::isnan(double(x)), q = std::isnan(double(y)); p || q) {
      d.nans_apart += p != q;
      continue;
    }
    auto const bucket = std::size_t(far <= 1 ? 0 : 64 - std::countl_zero(far - 1));
    if (d.histogram.size() <= bucket) d.histogram.resize(bucket + 1);
    ++d.histogram[bucket];
    d.largest_ulps     = std::max(d.largest_ulps, far);
    auto const off     = far_apart(x, y);
    d.largest          = std::max(d.largest, off.absolute);
    d.largest_relative = std::max(d.largest_relative, off.relative);
  }
  for (std::size_t c = 0; c < d.picture.size(); ++c)
    if (of_cell[c] > 0) d.picture[c] /= double(of_cell[c]);
}

std::string text_of_index(std::vector<std::size_t> const& index)
{
  std::string s;
  for (auto const i : index) s += (s.empty() ? "" : ", ") + std::to_string(i);
  return "(" + s + ")";
}

}  // namespace

verdict array_difference::within(double tolerance) const
{
  if (differing == 0) return verdict::equal;
  return tolerance > 0 && nans_apart == 0 && largest_relative <= tolerance ? verdict::near : verdict::different;
}

std::size_t end_of_file_name(std::string const& name)
{
  for (auto at = name.size(); at-- > 0;)
    if (name[at] == ':' && std::filesystem::exists(name.substr(0, at))) return at;
  return name.npos;
}

array read_array(std::string const& file)
{
  if (std::filesystem::exists(file) || is_standard(file)) return read_array(input_file(file));
  if (auto const colon = end_of_file_name(file); colon != file.npos) {
#ifdef ONEPASS_HAS_HDF5
    return read_hdf5(file.substr(0, colon), file.substr(colon + 1));
#else
    throw usage_error(file + ": this program was built without HDF5; install libhdf5-dev and build it again");
#endif
  }
  return read_array(input_file(file));  // which says why there is none
}

array read_array(input_file in)
{
  array a;
  a.name            = in.name();
  a.bytes           = in.read(0, in.size());
  auto const begins = [&](std::string_view with) {
    return a.bytes.size() >= with.size() && std::memcmp(a.bytes.data(), with.data(), with.size()) == 0;
  };
  if (begins("\x89HDF\r\n\x1a\n")) throw usage_error(a.name + " is HDF5; name a data set of it, as " + a.name + ":/x");
  if (begins("\x93NUMPY")) read_npy(a);
  return a;
}

void require_shape(std::string const& name, std::size_t bytes, std::string const& type,
                   std::vector<std::size_t> const& shape)
{
  auto const items = bytes / size_of(type);
  if (product(shape) != items)
    throw usage_error(name + " has " + std::to_string(items) + " items, and the shape " + text_of_shape(shape)
                      + " needs " + std::to_string(product(shape)));
}

array_difference difference_of(array const& a, array const& b, std::string const& type, std::vector<std::size_t> shape)
{
  array_difference d;
  auto const pick = [&](std::string const& x) {
    if (x.empty() || d.type == x) return;
    if (size_of(x) == 0)
      throw usage_error("\"" + x + "\" is no type of arrays; f64, f32, i64, u64, i32, u32, i16, u16, i8 and u8 are");
    if (&x == &type && !d.type.empty()) throw usage_error("the arrays are of " + d.type + ", and --type says " + x);
    if (!d.type.empty()) throw usage_error("one of the arrays is of " + d.type + ", the other of " + x);
    d.type = x;
  };
  pick(a.type), pick(b.type), pick(type);
  if (d.type.empty()) throw usage_error("what are the items? --type names it: f64, f32, i64, ...");
  auto const size = size_of(d.type);
  for (auto const* x : {&a, &b}) {
    if (x->bytes.size() % size != 0)
      throw usage_error(x->name + " has " + std::to_string(x->bytes.size()) + " bytes, no multiple of the "
                        + std::to_string(size) + " of an item of " + d.type);
    if (shape.empty()) shape = x->shape;
    if (!x->shape.empty() && x->shape != shape)
      throw usage_error(x->name + " has the shape " + text_of_shape(x->shape) + ", not " + text_of_shape(shape));
  }
  if (shape.empty()) shape = {a.bytes.size() / size};
  for (auto const* x : {&a, &b}) require_shape(x->name, x->bytes.size(), d.type, shape);
  d.shape = shape;
  with_type(d.type, [&](auto x) { compare<decltype(x)>(d, a, b); });
  return d;
}

void print(array_difference const& d, std::string const& name_a, std::string const& name_b)
{
  std::printf("%s of %s in %s and %s: ", text_of_shape(d.shape).c_str(), d.type.c_str(), shown(name_a).c_str(),
              shown(name_b).c_str());
  if (d.differing == 0) {
    std::puts("every bit is equal");
    return;
  }
  std::printf("%zu of %zu items differ (%.3g %%)\n", d.differing, d.items,
              100. * double(d.differing) / double(d.items));
  std::printf("first at %s; largest difference %.4g, relative %.3g, %" PRIu64 " ULPs; %zu NaNs in one alone\n\n",
              text_of_index(d.first).c_str(), d.largest, d.largest_relative, d.largest_ulps, d.nans_apart);
  std::printf("%-16s %-24s %-24s %s\n", "index", "first", "second", "ULPs");
  for (auto const& e : d.examples)
    std::printf("%-16s %-24s %-24s %" PRIu64 "\n", text_of_index(e.index).c_str(), e.a.c_str(), e.b.c_str(), e.ulps);
  std::puts("\nULPs             items");
  std::size_t most = 1;
  for (auto const n : d.histogram) most = std::max(most, n);
  for (std::size_t k = 0; k < d.histogram.size(); ++k) {
    if (d.histogram[k] == 0) continue;
    auto const name = k == 0 ? std::string("1") : "up to 2^" + std::to_string(k);
    std::printf("%-12s %9zu  %s\n", name.c_str(), d.histogram[k],
                std::string(1 + 40 * d.histogram[k] / most, '#').c_str());
  }
  std::puts("\nwhere (blank: nothing differs; # all)");
  static constexpr char shades[] = " .:-=+*%#";
  for (int r = 0; r < d.rows; ++r) {
    std::string line;
    for (int c = 0; c < d.columns; ++c) {
      auto const share = d.picture[std::size_t(r) * std::size_t(d.columns) + std::size_t(c)];
      line += share <= 0 ? ' ' : share >= 1 ? '#' : shades[1 + int(share * 7)];
    }
    std::printf("|%s|\n", line.c_str());
  }
}

nlohmann::json json_of(array_difference const& d)
{
  nlohmann::json j{{"type", d.type},
                   {"shape", d.shape},
                   {"items", d.items},
                   {"differing", d.differing},
                   {"nans_in_one_alone", d.nans_apart},
                   {"first", d.first},
                   {"largest", d.largest},
                   {"largest_relative", d.largest_relative},
                   {"largest_ulps", d.largest_ulps},
                   {"ulps", d.histogram},
                   {"examples", nlohmann::json::array()},
                   {"picture", {{"rows", d.rows}, {"columns", d.columns}, {"shares", d.picture}}}};
  for (auto const& e : d.examples)
    j["examples"].push_back({{"index", e.index}, {"a", e.a}, {"b", e.b}, {"ulps", e.ulps}});
  return j;
}

}  // namespace tools::diff
