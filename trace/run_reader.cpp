// SPDX-License-Identifier: Apache-2.0
#include <onepass/trace/checksum.hpp>
#include <onepass/trace/run_file.hpp>

#include <cstring>
#include <map>

namespace onepass::trace {

namespace {

/// Bytes of a record and where they stand in the file, to say where one is wrong.
class cursor {
public:
  cursor(std::span<unsigned char const> bytes, std::size_t at)
      : bytes_(bytes)
      , at_(at)
  {}
  std::size_t at() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }

  void expect(bool fine, std::string const& what) const
  {
    if (!fine) throw run_error(what + " at byte " + std::to_string(at_));
  }
  template <class T>
  T get()
  {
    expect(left() >= sizeof(T), "a record ends too soon");
    T x;
    std::memcpy(&x, bytes_.data() + at_, sizeof x);
    at_ += sizeof x;
    return x;
  }
  std::string rest()
  {
    std::string s(reinterpret_cast<char const*>(bytes_.data()) + at_, left());
    at_ = bytes_.size();
    return s;
  }

private:
  std::span<unsigned char const> bytes_;
  std::size_t at_;
};

u32 number_below(cursor& in, std::size_t end, char const* what)
{
  auto const n = in.get<u32>();
  in.expect(n < end, std::string("a record names ") + what + " " + std::to_string(n) + " of " + std::to_string(end));
  return n;
}

exact_sum read_sum(cursor& in)
{
  exact_sum sum;
  auto const negative = in.get<std::uint8_t>();
  sum.low             = in.get<std::uint8_t>();
  auto const n        = in.get<std::uint16_t>();
  in.expect(negative <= 1 && sum.low + n <= sum_digits, "a sum has " + std::to_string(n) + " digits");
  sum.negative = negative != 0;
  for (int d = 0; d < n; ++d) sum.digits.push_back(in.get<u32>());
  in.expect(n == 0 ? sum.low == 0 && !sum.negative : sum.digits.front() != 0 && sum.digits.back() != 0,
            "a sum has digits that say nothing");
  return sum;
}

class run_reader {
public:
  void read(record kind, cursor& in)
  {
    in.expect(!all_.complete, "a record follows the last one");
    in.expect((kind == record::start) == first_,
              first_ ? "the first record says nothing of the run" : "a second start of the run");
    first_ = false;
    switch (kind) {
    case record::start:
      all_.about = in.rest();
      break;
    case record::name:
      all_.names.push_back(in.rest());
      break;
    case record::view:
      read_view(in);
      break;
    case record::gone: {
      auto& view      = all_.views[live(in)];
      view.last_event = all_.events.size();
      break;
    }
    case record::event:
      read_event(in);
      break;
    case record::dump: {
      auto const view = live(in);
      all_.dumps.push_back({view, all_.events.size(), in.rest()});
      break;
    }
    case record::end:
      all_.complete = true;
      break;
    default:
      in.expect(false, "a record of unknown kind " + std::to_string(u32(kind)));
    }
    in.expect(in.left() == 0, "a record has " + std::to_string(in.left()) + " bytes too many");
  }
  run take() { return std::move(all_); }

private:
  u32 live(cursor& in)
  {
    auto const view = number_below(in, all_.views.size(), "View");
    in.expect(all_.views[view].last_event == std::numeric_limits<std::size_t>::max(), "a View is used after its end");
    return view;
  }
  void read_view(cursor& in)
  {
    traced_view view{};
    view.label       = number_below(in, all_.names.size(), "name");
    view.space       = number_below(in, all_.names.size(), "name");
    view.bytes       = in.get<u64>();
    view.number      = with_label_[view.label]++;
    view.first_event = all_.events.size();
    all_.views.push_back(view);
  }
  void read_event(cursor& in)
  {
    event e{};
    auto const kind  = in.get<std::uint8_t>();
    auto const alone = in.get<std::uint8_t>(), looked = in.get<std::uint8_t>(), zero = in.get<std::uint8_t>();
    in.expect(kind <= std::uint8_t(happened::host) && alone <= 1 && looked <= 1 && zero == 0,
              "an event of unknown kind");
    e.kind   = happened(kind);
    e.alone  = alone != 0;
    e.looked = looked != 0;
    e.name   = number_below(in, all_.names.size(), "name");
    in.expect(e.kind != happened::host || all_.names[e.name].starts_with(host_code),
              "host code has the name \"" + all_.names[e.name] + "\"");
    e.device     = in.get<u32>();
    auto const n = in.get<u32>();
    in.expect(n <= in.left() / sizeof(tally), "an event has " + std::to_string(n) + " Views, and ends too soon");
    for (u32 v = 0; v < n; ++v) {
      seen_view seen{live(in), {}};
      seen.now.found = in.get<tally>();
      seen.now.f64   = read_sum(in);
      seen.now.f32   = read_sum(in);
      e.changed.push_back(std::move(seen));
    }
    all_.events.push_back(std::move(e));
  }

  run all_;
  bool first_ = true;
  std::map<u32, u32> with_label_;
};

}  // namespace

bool is_run(std::span<unsigned char const> bytes)
{
  return bytes.size() >= run_magic.size() && std::memcmp(bytes.data(), run_magic.data(), run_magic.size()) == 0;
}

run read_run(std::span<unsigned char const> bytes)
{
  constexpr std::size_t family = 5;  // of the name; what follows is the version
  if (bytes.size() < run_magic.size() || std::memcmp(bytes.data(), run_magic.data(), family) != 0)
    throw run_error("it does not begin as a run file does; onepass trace writes them");
  if (!is_run(bytes))
    throw run_error("it is a run file of version " + std::to_string(bytes[7]) + ", and this program reads version "
                    + std::to_string(run_magic[7]));
  run_reader reader;
  std::size_t end = run_magic.size();
  for (cursor head(bytes, run_magic.size()); head.left() >= head_bytes;) {
    auto const begin = head.at();
    auto const n     = head.get<u32>();
    auto const word  = head.get<u32>();
    auto const kind  = word & 0xff;
    if (word != checked_kind(n, kind))
      throw run_error("the head of the record at byte " + std::to_string(begin) + " is damaged");
    auto const sum = head.get<u64>();
    if (n > head.left()) break;  // the program was killed while it wrote this
    if (checksum(bytes.data() + head.at(), n, kind) != sum)
      throw run_error("the checksum of the record at byte " + std::to_string(begin) + " is wrong");
    cursor in(bytes.first(head.at() + n), head.at());
    reader.read(record(kind), in);
    end += head_bytes + n;
    head = cursor(bytes, end);
  }
  auto all = reader.take();
  if (all.complete && end < bytes.size())
    throw run_error("bytes follow the last record at byte " + std::to_string(end));
  return all;
}

}  // namespace onepass::trace
