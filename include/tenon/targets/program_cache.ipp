/// @file program_cache.ipp: definitions of targets/program_cache.hpp.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef XXH_INLINE_ALL
#  include <xxhash.h>
#else
#  define XXH_INLINE_ALL
#  include <xxhash.h>
#  undef XXH_INLINE_ALL
#endif

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <vector>

#include <tenon/core/byte_stream.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/core/version.hpp>
#include <tenon/runtime/processor.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/program_cache.hpp>

namespace tenon {
namespace detail {

inline constexpr std::string_view cached_suffix = ".tenon";
inline constexpr std::string_view note_suffix = ".tenon.note";
inline constexpr std::string_view use_suffix = ".use";  ///< behind a file's name: when it was used, and was it whole
inline constexpr time_t unfinished_seconds = 3600;      ///< a file that nobody finished by then stays unfinished
inline constexpr time_t note_seconds = 30 * 24 * 3600;  ///< a note that nobody reads for so long goes

/// Is a file's last change so long ago that another one would have another time? One that was written a moment ago
/// could be written to again without. File systems have the times of the kernel's ticks, or of two seconds.
inline bool has_settled(const struct ::stat& s) {
  constexpr i64 tick_ms = 20, coarse_ms = 2000;
  ::timespec now{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);  // as file systems take it
  const i64 age_ms = (i64{now.tv_sec} - s.st_ctim.tv_sec) * 1000 + (now.tv_nsec - s.st_ctim.tv_nsec) / 1000000;
  return age_ms > (s.st_ctim.tv_nsec % 1000000 != 0 ? tick_ms : coarse_ms);
}

inline std::string digits_of(XXH128_hash_t h) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(h.high64),
                static_cast<unsigned long long>(h.low64));
  return text;
}
inline std::string digits_of(std::string_view bytes) { return digits_of(XXH3_128bits(bytes.data(), bytes.size())); }

/// A first letter is searched for much faster than a word is, and most of a model are weights.
inline bool contains(std::string_view bytes, std::string_view word) {
  while (bytes.size() >= word.size()) {
    const void* const at = std::memchr(bytes.data(), word[0], bytes.size() - word.size() + 1);
    if (at == nullptr) return false;
    bytes.remove_prefix(static_cast<size_t>(static_cast<const char*>(at) - bytes.data()));
    if (bytes.starts_with(word)) return true;
    bytes.remove_prefix(1);
  }
  return false;
}
/// A digest of bytes that lie apart, read by all threads of the process. `also(rest, block)` sees a piece from a block
/// of so many bytes on, which is in caches then.
template <class F>
std::string digest_of_pieces(std::span<const std::string_view> all, F&& also) {
  constexpr size_t most = size_t{4} << 20, block = size_t{128} << 10;
  struct range {
    std::string_view of;
    size_t begin, end;
    XXH128_hash_t digest;
  };
  std::vector<range> ranges;
  std::string sizes;
  for (std::string_view one : all) {
    sizes += std::to_string(one.size()) + " ";
    for (size_t at = 0; at < one.size(); at += most) ranges.push_back({one, at, std::min(one.size(), at + most), {}});
  }
  parallel_for(static_cast<i64>(ranges.size()), 1, [&](i64 begin, i64 end) {
    for (i64 i = begin; i < end; ++i) {
      range& r = ranges[static_cast<size_t>(i)];
      XXH3_state_t state;
      XXH3_INITSTATE(&state);
      XXH3_128bits_reset(&state);
      for (size_t at = r.begin; at < r.end; at += block) {
        XXH3_128bits_update(&state, r.of.data() + at, std::min(block, r.end - at));
        also(r.of.substr(at), block);
      }
      r.digest = XXH3_128bits_digest(&state);
    }
  });
  for (const range& r : ranges) sizes += digits_of(r.digest);
  return digits_of(sizes);
}
/// A digest of a file's bytes, and whether a word is among them: read once for both.
struct scanned_file {
  std::string digest;
  bool has_word = false;

  /// As a note says it.
  std::string line() const { return digest + (has_word ? " names files" : " alone"); }
  explicit scanned_file(std::string_view line) : digest(line.substr(0, 32)), has_word(line.ends_with(" names files")) {}
  scanned_file(std::string_view bytes, std::string_view word) {
    std::atomic<bool> found = false;
    digest = digest_of_pieces({&bytes, 1}, [&](std::string_view rest, size_t block) {
      if (!found && contains(rest.substr(0, block + word.size() - 1), word)) found = true;
    });
    has_word = found;
  }
};

/// Calls `f(name, status)` for the regular files of a folder; no folder has none.
template <class F>
void for_each_file(const std::string& folder, F&& f) {
  ::DIR* const d = ::opendir(folder.c_str());
  if (d == nullptr) return;
  while (const ::dirent* e = ::readdir(d)) {
    struct ::stat s{};
    if (::stat((folder + "/" + e->d_name).c_str(), &s) == 0 && S_ISREG(s.st_mode)) f(std::string(e->d_name), s);
  }
  ::closedir(d);
}
inline std::string status_text(const struct ::stat& s) {
  return std::to_string(s.st_size) + " " + std::to_string(s.st_mtim.tv_sec) + "." + std::to_string(s.st_mtim.tv_nsec);
}
/// Which file it is, and in which state: what was written since has another time of its last change.
inline std::string identity_text(const struct ::stat& s) {
  return std::to_string(s.st_dev) + " " + std::to_string(s.st_ino) + " " + status_text(s) + " " +
         std::to_string(s.st_ctim.tv_sec) + "." + std::to_string(s.st_ctim.tv_nsec);
}
/// A model's file, of which there may be a note.
inline scanned_file scan_model(const std::string& path, const struct ::stat& s, const program_cache* notes) {
  const std::string identity = identity_text(s);
  if (notes != nullptr)
    if (const auto line = notes->noted(identity)) {
      const scanned_file known(*line);
      if (known.line() == *line && known.digest.size() == 32) return known;
    }
  const bool settled = has_settled(s);
  const mapped_file file(path);
  scanned_file scanned(file.bytes(), "location");  // so ONNX calls the name of a file with external data
  struct ::stat now{};
  if (notes != nullptr && settled && ::stat(path.c_str(), &now) == 0 && identity_text(now) == identity)
    notes->note(identity, scanned.line());
  return scanned;
}
/// Of each shared library of this process: its file's size and time.
inline std::vector<std::string> loaded_libraries() {
  std::vector<std::string> said;
  ::dl_iterate_phdr(
      [](dl_phdr_info* i, size_t, void* to) {
        struct ::stat s{};
        if (i->dlpi_name != nullptr && *i->dlpi_name == '/' && ::stat(i->dlpi_name, &s) == 0)
          static_cast<std::vector<std::string>*>(to)->push_back(status_text(s));
        return 0;
      },
      &said);
  return said;
}
/// Where there is no space it is checked again next time.
inline void note_use(const std::string& path, std::string_view line) {
  try {
    write_atomically(path, line);
  } catch (const error&) {}
}
/// Makes a folder for this user alone, and those above it. Is it there, and nobody else's to write to?
inline bool make_private_folder(const std::string& path) {
  for (size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
    ::mkdir(path.substr(0, at).c_str(), 0700);
  ::mkdir(path.c_str(), 0700);
  struct ::stat s{};
  return ::stat(path.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == ::geteuid() &&
         (s.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace detail

cache_key::cache_key() {
  text("version",
       std::to_string(version_major) + "." + std::to_string(version_minor) + "." + std::to_string(version_patch));
  // Another build of the same version is another compiler; its passes, and a user's own, may be in shared libraries.
  struct ::stat s{};
  if (::stat("/proc/self/exe", &s) == 0) text("compiler", detail::status_text(s));
  std::vector<std::string> libraries = detail::loaded_libraries();
  std::sort(libraries.begin(), libraries.end());
  for (const std::string& l : libraries) text("library", l);
  std::string has = std::string(processor_model()) + " " + std::string(processor_level());
  for (std::string_view f : processor_features())
    if (processor_has(f)) has.append(" ").append(f);
  text("processor", has);
}

void cache_key::file(const std::string& path) {
  struct ::stat s{};
  text("file", path + " " + (::stat(path.c_str(), &s) == 0 ? detail::status_text(s) : std::string("none")));
}

void cache_key::text(std::string_view name, std::string_view value) {
  byte_writer w;
  w.text(std::string(name)), w.text(std::string(value));
  said_ += w.bytes;
}

void cache_key::bytes(std::string_view name, std::span<const std::string_view> pieces) {
  text(name, detail::digest_of_pieces(pieces, [](std::string_view, size_t) {}));
}

void cache_key::model(const std::string& path, const program_cache* notes) {
  struct ::stat s{};
  if (::stat(path.c_str(), &s) != 0 || !S_ISREG(s.st_mode)) return void(certain_ = false);
  const detail::scanned_file scanned = detail::scan_model(path, s, notes);
  text("bytes", std::to_string(s.st_size) + " " + scanned.digest);
  if (!scanned.has_word) return;
  const size_t slash = path.rfind('/');
  std::vector<std::string> beside;
  detail::for_each_file(slash == std::string::npos ? "." : path.substr(0, slash + 1),
                        [&](const std::string& name, const struct ::stat& there) {
                          beside.push_back(name + " " + detail::status_text(there));
                        });
  if (beside.size() > 1000) certain_ = false;
  std::sort(beside.begin(), beside.end());
  for (const std::string& one : beside) text("beside", one);
}

std::optional<std::string> cache_key::digest() const {
  if (!certain_) return std::nullopt;
  return detail::digits_of(said_);
}

program_cache::program_cache(cache_settings s) : settings_(std::move(s)) {
  while (settings_.folder.size() > 1 && settings_.folder.back() == '/') settings_.folder.pop_back();
}

std::string program_cache::usual_folder() {
  const auto named = [](const char* variable) {
    const char* s = std::getenv(variable);
    return std::string(s == nullptr ? "" : s);
  };
  if (const char* set = std::getenv("TENON_CACHE")) return set == std::string_view("off") ? "" : set;
  if (const std::string x = named("XDG_CACHE_HOME"); !x.empty() && x[0] == '/') return x + "/tenon";
  if (const std::string home = named("HOME"); !home.empty() && home[0] == '/') return home + "/.cache/tenon";
  return {};
}

bool program_cache::is_writable() const {
  return on() && detail::make_private_folder(settings_.folder) && ::access(settings_.folder.c_str(), W_OK) == 0;
}

std::string program_cache::path_of(const cache_key& key) const {
  const auto digest = on() ? key.digest() : std::nullopt;
  return digest ? settings_.folder + "/" + *digest + std::string(detail::cached_suffix) : std::string();
}

cached_file program_cache::look_up(const cache_key& key) const {
  const std::string path = path_of(key);
  struct ::stat before{}, behind{};
  if (path.empty() || !detail::make_private_folder(settings_.folder)) return {};
  if (::access(path.c_str(), R_OK) != 0 || ::stat(path.c_str(), &before) != 0) return {};
  try {
    cached_file found{std::make_shared<const mapped_file>(path)};
    const std::string use = path + std::string(detail::use_suffix);
    // It is used now: said beside the file, whose own times say when it was written to.
    const bool used_before = ::utimensat(AT_FDCWD, use.c_str(), nullptr, 0) == 0;
    if (!used_before) detail::note_use(use, "");
    // Is it the same file before and behind that it was mapped?
    const std::string identity = detail::identity_text(before);
    if (::stat(path.c_str(), &behind) != 0 || detail::identity_text(behind) != identity) return found;
    found.identity = identity, found.known_whole = used_before && mapped_file(use).bytes() == identity;
    return found;
  } catch (const error&) { return {}; }  // another process removed it
}

program_contents program_cache::read(const cache_key& key, const cached_file& found) const {
  program_contents read = read_program(found.file->bytes(), found.file, "the cache",
                                       found.known_whole ? frame_check::header : frame_check::all);
  if (!found.known_whole) note_whole(key, found);
  return read;
}

void program_cache::note_whole(const cache_key& key, const cached_file& found) const {
  const std::string path = path_of(key);
  struct ::stat s{};
  if (found.identity.empty() || ::stat(path.c_str(), &s) != 0 || detail::identity_text(s) != found.identity ||
      !detail::has_settled(s))
    return;
  detail::note_use(path + std::string(detail::use_suffix), found.identity);
}

std::string program_cache::writable_path_of(const cache_key& key) const {
  const std::string path = path_of(key);
  return !path.empty() && detail::make_private_folder(settings_.folder) ? path : std::string();
}

bool program_cache::keep(const cache_key& key, std::string_view program) const {
  const std::string path = writable_path_of(key);
  if (path.empty() || program.size() > settings_.most_bytes) return false;
  make_room(program.size());
  try {
    write_atomically(path, program);
    return true;
  } catch (const error&) { return false; }
}

void program_cache::forget(const cache_key& key) const {
  const std::string path = path_of(key);
  if (!path.empty()) ::unlink(path.c_str()), ::unlink((path + std::string(detail::use_suffix)).c_str());
}

std::string program_cache::note_path_of(std::string_view name) const {
  if (!on() || !detail::make_private_folder(settings_.folder)) return {};
  return settings_.folder + "/" + detail::digits_of(name) + std::string(detail::note_suffix);
}

std::optional<std::string> program_cache::noted(std::string_view name) const {
  const std::string path = note_path_of(name);
  if (path.empty() || ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0) != 0) return std::nullopt;
  try {
    return std::string(mapped_file(path).bytes());
  } catch (const error&) { return std::nullopt; }  // another process removed it
}

void program_cache::note(std::string_view name, std::string_view line) const {
  try {
    if (const std::string path = note_path_of(name); !path.empty()) write_atomically(path, line);
  } catch (const error&) {}  // no space: it is read again next time
}

void program_cache::make_room(u64 bytes) const {
  struct entry {
    std::string name;
    struct ::stat status;
  };
  std::vector<entry> all;
  std::map<std::string, ::timespec> used;
  u64 total = bytes;
  const time_t now = std::time(nullptr);
  detail::for_each_file(settings_.folder, [&](const std::string& name, const struct ::stat& s) {
    const bool unfinished = name.find(".tenon") != std::string::npos && name.find(".part") != std::string::npos;
    if ((unfinished && s.st_mtim.tv_sec < now - detail::unfinished_seconds) ||
        (name.ends_with(detail::note_suffix) && s.st_mtim.tv_sec < now - detail::note_seconds))
      ::unlink((settings_.folder + "/" + name).c_str());
    if (name.ends_with(detail::use_suffix)) {
      const std::string of = name.substr(0, name.size() - detail::use_suffix.size());
      if (::access((settings_.folder + "/" + of).c_str(), F_OK) == 0) used.emplace(of, s.st_mtim);
      else ::unlink((settings_.folder + "/" + name).c_str());
    }
    if (!name.ends_with(detail::cached_suffix)) return;
    total += static_cast<u64>(s.st_size);
    all.push_back({name, s});
  });
  if (total <= settings_.most_bytes) return;
  for (entry& e : all)
    if (const auto u = used.find(e.name); u != used.end()) e.status.st_mtim = u->second;
  std::sort(all.begin(), all.end(), [](const entry& a, const entry& b) {
    const auto x = a.status.st_mtim, y = b.status.st_mtim;
    return x.tv_sec != y.tv_sec     ? x.tv_sec < y.tv_sec
           : x.tv_nsec != y.tv_nsec ? x.tv_nsec < y.tv_nsec
                                    : a.name < b.name;
  });
  for (const entry& e : all) {
    if (total <= settings_.most_bytes) return;
    const std::string path = settings_.folder + "/" + e.name;
    if (::unlink(path.c_str()) == 0) total -= static_cast<u64>(e.status.st_size);
    ::unlink((path + std::string(detail::use_suffix)).c_str());
  }
}

cache_contents program_cache::contents() const {
  cache_contents c;
  if (on())
    detail::for_each_file(settings_.folder, [&](const std::string& name, const struct ::stat& s) {
      if (name.ends_with(detail::cached_suffix)) ++c.files, c.bytes += static_cast<u64>(s.st_size);
    });
  return c;
}

cache_contents program_cache::clear() const {
  cache_contents c;
  if (on())
    detail::for_each_file(settings_.folder, [&](const std::string& name, const struct ::stat& s) {
      if (name.find(detail::cached_suffix) == std::string::npos) return;  // somebody else's
      const bool note = name.ends_with(detail::note_suffix) || name.ends_with(detail::use_suffix);
      if (::unlink((settings_.folder + "/" + name).c_str()) == 0 && !note)
        ++c.files, c.bytes += static_cast<u64>(s.st_size);
    });
  return c;
}

}  // namespace tenon
