// SPDX-License-Identifier: Apache-2.0
#include <onepass/trace/tracer.hpp>

#include <nlohmann/json.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <unistd.h>

extern char** environ;

namespace onepass::trace {

namespace {

constexpr u64 kokkos_header = 128;  // before the items of a View: a pointer, and the label from byte 8 on

/// Views and kernels of Kokkos' own, which every backend has others of. What such a kernel does to a View belongs to
/// whatever comes first after it. A reduction without a label bears the name of a wrapper of its functor, where clang
/// compiled it with its namespace.
bool is_view_of_kokkos(std::string const& label) { return label.starts_with("Kokkos::"); }
bool is_kernel_of_kokkos(std::string_view name)
{
  constexpr std::string_view wrapper = "Kokkos::Impl::CombinedFunctorReducer<";
  if (name.starts_with(wrapper)) name.remove_prefix(wrapper.size());
  return name.starts_with("Kokkos::View::") || name.starts_with("Kokkos::Impl::");
}

/// What a second run needs to be the same: command, folder, and what the environment says to Kokkos and OpenMP.
std::string about(request const& asked)
{
  std::vector<std::string> command;
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(in, word, '\0');) command.push_back(word);
  std::error_code none;
  if (auto const program = std::filesystem::read_symlink("/proc/self/exe", none); !none && !command.empty())
    command[0] = program.string();
  auto environment = nlohmann::json::object();
  for (char** e = environ; *e; ++e) {
    std::string_view const entry(*e);
    auto const name = entry.substr(0, entry.find('='));
    if ((name.starts_with("OMP_") || name.starts_with("KOKKOS_")) && !name.starts_with("KOKKOS_TOOLS_"))
      environment[std::string(name)] = entry.substr(std::min(name.size() + 1, entry.size()));
  }
  nlohmann::json j{{"command", command},         {"folder", std::filesystem::current_path(none).string()},
                   {"environment", environment}, {"rank", asked.rank},
                   {"ranks", asked.ranks},       {"kernels", asked.kernels},
                   {"views", asked.views},       {"skip", asked.skipped}};
  if (asked.fill) j["fill"] = *asked.fill;
  auto const text = [&] { return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); };
  // What is no UTF-8 is replaced, so a run by these words would be another.
  if (nlohmann::json::parse(text()) != j) j["repeatable"] = false;
  return text();
}

}  // namespace

tracer::tracer(request asked)
    : asked_(std::move(asked))
    , out_(asked_.file)
    , host_(host_memory(asked_.threads))
{
  if (asked_.fill) fill_ = {*asked_.fill * 0x01010101u, true};
  out_.start(about(asked_));
}

u32 tracer::name_of(std::string const& text)
{
  auto const [at, fresh] = names_.try_emplace(text, 0);
  if (fresh) {
    at->second = out_.name(text);
    texts_.push_back(text);
  }
  return at->second;
}

memory* tracer::memory_of(std::string const& space)
{
  if (space.find("Host") != std::string::npos || space == "HBW") return host_.get();
  if (!space.starts_with("Cuda")) return nullptr;
  if (!cuda_ && !cuda_missing_) {
    cuda_         = cuda_memory();
    cuda_missing_ = !cuda_;
    if (cuda_missing_)
      std::fprintf(stderr,
                   "onepass trace: this libonepass_trace.so was built without CUDA, so Views in %s are not looked at\n",
                   space.c_str());
  }
  return cuda_.get();
}

void tracer::allocated(char const* space, char const* label, void* at, u64 bytes)
{
  std::lock_guard const lock(mutex_);
  live_view v{};
  v.label  = label;
  v.nth    = ++allocations_[v.label];
  v.bytes  = bytes;
  v.number = out_.view(name_of(v.label), name_of(space), bytes);
  v.where  = memory_of(space);
  if (is_view_of_kokkos(v.label) || matches(asked_.skipped, v.label, v.nth)
      || !(asked_.views.empty() || matches(asked_.views, v.label, v.nth)))
    v.where = nullptr;
  if (v.where) {
    // Kokkos tells the bytes of the items, and where the header before them begins.
    bool const is_pinned = std::strstr(space, "Host") && std::strcmp(space, "Host") != 0;  // not by malloc
    auto const room      = is_pinned ? 0 : v.where->room(at);
    bool const narrow    = room < bytes + kokkos_header;
    // Of a View of no items Kokkos tells the bytes of the header. That is written later.
    v.header_alone = room > 0 && narrow && bytes == kokkos_header;
    v.known        = room > 0 && narrow && !v.header_alone;
    if (fill_.exists)
      v.where->fill(at, static_cast<unsigned char>(*asked_.fill), narrow ? bytes : bytes + kokkos_header);
  }
  views_[at] = std::move(v);
}

void tracer::freed(void* at)
{
  std::lock_guard const lock(mutex_);
  auto const v = views_.find(at);
  if (v == views_.end()) return;
  out_.gone(v->second.number);
  views_.erase(v);
}

region tracer::items_of(void const* at, live_view& v)
{
  if (!v.known) {
    char head[kokkos_header] = {};
    v.where->copy(head, {at, sizeof head});
    auto const shown = std::min<std::size_t>(v.label.size(), sizeof head - 8 - 1);
    v.header         = std::memcmp(head + 8, v.label.data(), shown) == 0 ? kokkos_header : 0;
    if (v.header_alone && v.header > 0) v.bytes = 0;
    v.known = true;
  }
  return {static_cast<char const*>(at) + v.header, v.bytes};
}

/// A View that this kernel has always changed lately is read at once; of the others it is asked first whether they
/// have changed, which takes less.
void tracer::look(event& e, std::string const& name, bool host_alone)
{
  struct views_and_regions {
    std::vector<live_view*> views;
    std::vector<region> regions;
    void add(live_view* v, region items)
    {
      views.push_back(v);
      regions.push_back(items);
    }
  };
  constexpr unsigned in_turn = 2;
  auto const has_changed     = [&](live_view& v, u64 placed) {
    bool const changed = !v.seen || placed != v.placed;
    v.seen             = true;
    v.placed           = placed;
    if (changed) ++v.changed_by[name];
    else v.changed_by.erase(name);
    return changed;
  };
  for (auto* const where : {host_.get(), cuda_.get()}) {
    if (!where || (host_alone && where != host_.get())) continue;
    views_and_regions likely, others, changed;
    for (auto& [at, v] : views_) {
      if (v.where != where) continue;
      auto const items = items_of(at, v);
      if (items.bytes == 0) continue;
      auto const times = v.changed_by.find(name);
      (times != v.changed_by.end() && times->second >= in_turn ? likely : others).add(&v, items);
    }
    auto const placed = where->placed(others.regions, fill_);
    for (std::size_t i = 0; i < placed.size(); ++i)
      if (has_changed(*others.views[i], placed[i])) changed.add(others.views[i], others.regions[i]);
    std::size_t const known = changed.views.size();
    for (std::size_t i = 0; i < likely.views.size(); ++i) changed.add(likely.views[i], likely.regions[i]);
    auto now = where->read(changed.regions, fill_);
    for (std::size_t i = 0; i < now.size(); ++i)
      if (i < known || has_changed(*changed.views[i], now[i].placed()))
        e.changed.push_back({changed.views[i]->number, std::move(now[i])});
  }
}

void tracer::happen(happened kind, std::string const& name, u64 nth, u32 device, bool alone)
{
  event e{kind, alone, alone && (asked_.kernels.empty() || matches(asked_.kernels, name, nth)), 0, device, {}};
  if (e.looked) look(e, name, kind == happened::host);
  if (kind == happened::host && e.changed.empty()) return;
  e.name = name_of(name);
  out_.happen(e);
  if (alone && matches(asked_.dumped, name, nth)) dump(name, nth);
}

void tracer::look_before(std::string const& name)
{
  if (asked_.between && running_.empty() && copies_.empty())
    happen(happened::host, std::string(host_code) + name, calls_[name] + 1, 0, true);
}

u64 tracer::begin(happened kind, char const* name, u32 device)
{
  std::lock_guard const lock(mutex_);
  std::string const text(name);
  if (is_kernel_of_kokkos(text)) return 0;  // no number of a kernel that is followed
  look_before(text);
  running_[next_] = {kind, name_of(text), device};
  return next_++;
}

void tracer::end(u64 id)
{
  std::lock_guard const lock(mutex_);
  auto const found = running_.find(id);
  if (found == running_.end()) return;
  auto const k = found->second;
  running_.erase(found);
  if (copies_.empty())
    happen(k.kind, texts_[k.name], ++calls_[texts_[k.name]], k.device,
           running_.empty());  // a copy's own kernels are part of it
}

void tracer::begin_copy(char const* to, char const* from)
{
  std::lock_guard const lock(mutex_);
  auto text = "deep copy " + std::string(to) + " <- " + from;
  look_before(text);
  copies_.push_back(std::move(text));
}

void tracer::end_copy()
{
  std::lock_guard const lock(mutex_);
  if (copies_.empty()) return;
  auto const name = copies_.back();
  copies_.pop_back();
  if (copies_.empty()) happen(happened::copy, name, ++calls_[name], 0, running_.empty());
}

void tracer::dump(std::string const& name, u64 nth)
{
  for (auto& [at, v] : views_) {
    if (!v.where) continue;
    auto const items = items_of(at, v);
    auto const file  = asked_.file + "." + std::to_string(dumps_++) + ".bin";
    std::vector<char> bytes(items.bytes);
    v.where->copy(bytes.data(), items);
    std::ofstream to(file, std::ios::binary);
    to.write(bytes.data(), std::streamsize(bytes.size()));
    to.close();  // few bytes are written no sooner
    if (!to) {
      std::fprintf(stderr, "onepass trace: cannot write %s\n", file.c_str());
      continue;
    }
    out_.dump(v.number, std::filesystem::path(file).filename().string());
  }
  if (!asked_.stop) return;
  std::fprintf(stderr, "onepass trace: %s#%llu is dumped, and the program ends here as asked\n", name.c_str(),
               static_cast<unsigned long long>(nth));
  std::fflush(nullptr);
  std::_Exit(0);
}

void tracer::finish()
{
  std::lock_guard const lock(mutex_);
  out_.end();
}

}  // namespace onepass::trace
