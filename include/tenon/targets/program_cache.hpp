/// @file program_cache: program files that were compiled before, in a folder that processes share.
///
///     program_cache cache({.folder = program_cache::usual_folder()});
///     cache_key key;
///     key.text("target", to_text(target)), key.model("model.onnx");
///     if (auto found = cache.look_up(key)) p = open_program(cache.read(key, found));
///     else cache.keep(key, bytes);
/// A key says everything that the code follows from: the caller's texts, the contents of files, and, by itself, this
/// program, its version and its processor. Files come and go by atomic renames; one that was damaged, or is removed
/// while it is used, does no harm. What was used longest ago goes first. The folder is the user's alone: its files are
/// code (docs/security.md). A folder that cannot be written to is no cache, and no error.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <tenon/core/int.hpp>
#include <tenon/core/mapped_file.hpp>

namespace tenon {

class program_cache;
struct program_contents;

class cache_key {
 public:
  cache_key();
  void text(std::string_view name, std::string_view value);
  /// The content of memory, in pieces that lie apart; nothing is copied. Cost: reads every byte, on all threads.
  void bytes(std::string_view name, std::span<const std::string_view> pieces);
  /// A file that code follows from and that changes with its size or time, such as a library that is opened later.
  void file(const std::string& path);
  /// The file's content; of a model with external data, the sizes and times of the files in its folder as well. Cost:
  /// reads every byte; with a cache, once for each content: it notes the digest of a file that has not been changed for
  /// two seconds, by its place, size and times, of which the system sets one itself whenever a byte is written.
  void model(const std::string& path, const program_cache* notes = nullptr);
  /// 32 hexadecimal digits; nothing where a file cannot stand for what it was (a device, a folder of too many files).
  std::optional<std::string> digest() const;

 private:
  std::string said_;
  bool certain_ = true;
};

struct cache_settings {
  std::string folder;             ///< empty: there is no cache
  u64 most_bytes = u64{4} << 30;  ///< kept; beyond it, the files that were used longest ago are removed
};

/// A file of a cache, which stays mapped.
struct cached_file {
  std::shared_ptr<const mapped_file> file;  ///< null: there is none
  bool known_whole = false;                 ///< it was read and checked before, and not written to since
  std::string identity = {};                ///< which file it is, in which state
  explicit operator bool() const { return file != nullptr; }
};

struct cache_contents {
  u64 files = 0, bytes = 0;
};

class program_cache {
 public:
  explicit program_cache(cache_settings s);
  /// TENON_CACHE, where it is set: a folder, or "off"; else `tenon` in the user's folder for caches.
  static std::string usual_folder();

  bool on() const { return !settings_.folder.empty(); }
  /// Is there a folder, made now if need be, that is the user's alone?
  bool is_writable() const;
  const cache_settings& settings() const { return settings_; }
  /// The file, which stays mapped; null where there is none. It counts as used now.
  std::shared_ptr<const mapped_file> find(const cache_key& key) const { return look_up(key).file; }
  cached_file look_up(const cache_key& key) const;
  /// What a program file says; its checksum is asked once, and not again while nobody writes to it: of a file of 100 MB
  /// that would take most of the time in which code that was kept starts. Throws what `read_program` does.
  program_contents read(const cache_key& key, const cached_file& found) const;
  /// Has it kept? Not where the folder cannot be written to, or the file is larger than all that is kept.
  bool keep(const cache_key& key, std::string_view program) const;
  /// The file that `write(path)` writes there, as `look_up` gives it; none where it cannot be written, or `write` says
  /// false. A file that is larger than all that is kept is given all the same, and kept by nobody else.
  template <class Write>
  cached_file keep_file(const cache_key& key, Write&& write) const {
    const std::string path = writable_path_of(key);
    if (path.empty() || !write(path)) return {};
    cached_file kept = look_up(key);
    make_room(0);
    return kept;
  }
  /// What turned out to be damaged.
  void forget(const cache_key& key) const;
  /// A line that was noted under a name, and noting it; nothing, where there is none or it cannot be kept. A note that
  /// was not read for a month goes when something is kept.
  std::optional<std::string> noted(std::string_view name) const;
  void note(std::string_view name, std::string_view line) const;

  cache_contents contents() const;
  /// Returns what was removed.
  cache_contents clear() const;

 private:
  std::string path_of(const cache_key& key) const;
  std::string writable_path_of(const cache_key& key) const;  ///< empty: nothing can be kept
  std::string note_path_of(std::string_view name) const;
  void note_whole(const cache_key& key, const cached_file& found) const;
  void make_room(u64 bytes) const;
  cache_settings settings_;
};

}  // namespace tenon
