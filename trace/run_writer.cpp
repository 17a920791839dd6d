// SPDX-License-Identifier: Apache-2.0
#include <onepass/trace/checksum.hpp>
#include <onepass/trace/run_file.hpp>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace onepass::trace {

class run_writer::payload {
public:
  template <class T>
  payload& put(T x)
  {
    bytes_.append(reinterpret_cast<char const*>(&x), sizeof x);
    return *this;
  }
  payload& put(std::string_view s)
  {
    bytes_.append(s);
    return *this;
  }
  payload& put(exact_sum const& sum)
  {
    put(std::uint8_t(sum.negative)), put(sum.low), put(std::uint16_t(sum.digits.size()));
    for (auto const d : sum.digits) put(d);
    return *this;
  }
  std::string const& bytes() const { return bytes_; }

private:
  std::string bytes_;
};

/// The file, empty and locked as long as it is open: a program that the traced one starts has its environment, and
/// would write over its trace. A file system may have no locks, and a device has no bytes to lose.
static int opened(std::string const& file)
{
  int const made  = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  bool const free = made >= 0 && (flock(made, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
  if (free && (ftruncate(made, 0) == 0 || errno == EINVAL)) return made;
  auto const why = made >= 0 && !free ? "a program that still runs is traced there" : std::strerror(errno);
  if (made >= 0) close(made);
  throw run_error("cannot write " + file + ": " + why);
}

run_writer::run_writer(std::string const& file)
    : file_(file)
    , descriptor_(opened(file))
{
  write(run_magic.data(), run_magic.size());
}

run_writer::~run_writer() { leave(); }

void run_writer::leave()
{
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
}

void run_writer::write(void const* data, std::size_t bytes)
{
  if (descriptor_ < 0) return;
  for (auto const* p = static_cast<char const*>(data); bytes > 0;) {
    auto const n = ::write(descriptor_, p, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      std::fprintf(stderr, "onepass trace: writing %s failed, so the trace ends here: %s\n", file_.c_str(),
                   std::strerror(errno));
      return leave();
    }
    p += n;
    bytes -= std::size_t(n);
  }
}

void run_writer::write(record kind, payload const& p)
{
  auto const n = u32(p.bytes().size());
  auto const k = checked_kind(n, u32(kind));
  auto const c = checksum(p.bytes().data(), n, u32(kind));
  std::string whole(reinterpret_cast<char const*>(&n), 4);
  whole.append(reinterpret_cast<char const*>(&k), 4).append(reinterpret_cast<char const*>(&c), 8).append(p.bytes());
  write(whole.data(), whole.size());
}

void run_writer::start(std::string const& about) { write(record::start, payload().put(std::string_view(about))); }

u32 run_writer::name(std::string_view s)
{
  write(record::name, payload().put(s));
  return names_++;
}

u32 run_writer::view(u32 label, u32 space, u64 bytes)
{
  write(record::view, payload().put(label).put(space).put(bytes));
  return views_++;
}

void run_writer::gone(u32 view) { write(record::gone, payload().put(view)); }

void run_writer::happen(event const& e)
{
  payload p;
  p.put(std::uint8_t(e.kind)).put(std::uint8_t(e.alone)).put(std::uint8_t(e.looked)).put(std::uint8_t(0));
  p.put(e.name).put(e.device).put(u32(e.changed.size()));
  for (auto const& [view, now] : e.changed) {
    p.put(view).put(now.found);
    p.put(now.f64).put(now.f32);
  }
  write(record::event, p);
}

void run_writer::dump(u32 view, std::string const& file)
{
  write(record::dump, payload().put(view).put(std::string_view(file)));
}

void run_writer::end() { write(record::end, payload()); }

}  // namespace onepass::trace
