/// @file framed_file: the frame of the files that tenon makes: a header that says what, of which version, how long, and
/// with which checksum; behind it a table, and sections that a mapped file serves in place.
///
/// No byte of a file can be changed without being noticed: the checksum (XXH3, 64 bits) covers the header too.
/// Errors: "file.kind", "file.version", "file.cut", "file.changed".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/byte_source.hpp>
#include <tenon/core/int.hpp>

namespace tenon {

/// A kind of file. `hint` says what to do about one that cannot be read.
struct file_kind {
  char magic[9];  ///< eight characters
  u32 version;
  const char* what;  ///< "a program file"
  const char* hint;
  u32 oldest = version;  ///< the oldest version that can still be read
};
inline constexpr file_kind program_file_kind{"TENONPRG", 5, "a program file", "build the program again"};
inline constexpr file_kind module_file_kind{"TENONMOD", 5, "a module file", "write the module again", 2};

inline constexpr u64 file_header_bytes = 64, file_alignment = 64;

/// What a frame holds: the table, and everything behind the header (the table again, then the sections).
struct framed {
  std::string_view table, body;
  u32 version = 0;  ///< that it was written in
};

/// What a file is to hold.
class file_content {
 public:
  /// Writes it from the beginning to the end; then places that are not behind the end may be written again, if it is a
  /// `regular` file. Returns 0, or the system's number of an error.
  virtual int write_to(int file, bool regular) const = 0;

 protected:
  ~file_content() = default;
};

/// A table, and sections behind it, each at a multiple of `file_alignment` of the body. The bytes of sections are not
/// copied: they stay where they are until the file is made.
class frame_writer {
 public:
  /// Takes the finished table.
  explicit frame_writer(std::string table) : table_(std::move(table)) {}
  void section(const void* data, u64 size) { sections_.push_back({{static_cast<const char*>(data), size}, nullptr}); }
  /// Bytes that are computed while the file is made: a few parts of them at a time.
  void section(std::shared_ptr<const byte_source> source) { sections_.push_back({{}, std::move(source)}); }
  /// The elements of a tensor.
  template <class Tensor>
    requires requires(const Tensor& t) { t.source(); }
  void section(const Tensor& t) {
    if (auto source = t.source()) section(std::move(source));
    else section(t.data(), static_cast<u64>(t.bytes()));
  }
  /// The whole file.
  std::string finish(const file_kind& kind) const;
  /// The same bytes as a file; they are never in memory together.
  void write(const std::string& path, const file_kind& kind) const;

 private:
  struct piece {
    std::string_view bytes;
    std::shared_ptr<const byte_source> source;  ///< null: they are there
    u64 size() const { return source ? source->bytes() : bytes.size(); }
  };
  class content;
  /// All that stands behind the header: table and sections, and what is between them.
  std::vector<piece> body() const;
  std::string header(const file_kind& kind, const std::vector<piece>& body) const;
  std::string table_;
  std::vector<piece> sections_;
};

/// What of a frame is checked: all that the header says, and the checksum, which reads every byte once; or no checksum,
/// of a file that is known to be as it was when it was checked.
enum class frame_check : u8 { all, header };
/// `where` names the file in errors.
framed open_frame(std::string_view file, const file_kind& kind, const std::string& where,
                  frame_check check = frame_check::all);
/// Whether bytes begin as a file of that kind does.
inline bool has_magic(std::string_view bytes, const file_kind& kind) {
  return bytes.starts_with(std::string_view(kind.magic, 8));
}
/// Whether a file can be opened and begins so.
bool is_file_of(const std::string& path, const file_kind& kind);
/// The checksum alone, of any bytes.
u64 checksum_of(std::string_view bytes);
/// Puts the right length and checksum into a header: what a test needs to try the reader behind the checksum.
void seal_frame(std::string& file);

/// Replaces the file at `path` by `bytes`, or leaves it as it was. A link stays a link; a device or a pipe is written
/// to, and never replaced. Throws "io.write".
void write_atomically(const std::string& path, std::string_view bytes);
/// The same of bytes that lie apart.
void write_atomically(const std::string& path, const std::vector<std::string_view>& pieces);
void write_atomically(const std::string& path, const file_content& content);

/// A file that is written beside the one at `path`, and replaces it when it is kept: several are all written before
/// the first is kept. One that is not kept is removed. Throws "io.write".
class written_file {
 public:
  written_file(const std::string& path, const std::vector<std::string_view>& pieces);
  written_file(const std::string& path, const file_content& content);
  written_file(written_file&& other) noexcept;
  written_file(const written_file&) = delete;
  written_file& operator=(const written_file&) = delete;
  ~written_file();
  void keep();
  const std::string& path() const { return given_; }

 private:
  [[noreturn]] void fail(int why) const;
  std::string given_, path_,
      part_;       ///< as it was named; what that stands for; what is written (empty: nothing to keep)
  int mode_ = -1;  ///< of the file that it replaces
};

}  // namespace tenon
