/// @file npy: definitions: the header (a Python dict literal), element order, atomic writing.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tenon/core/mapped_file.hpp>
#include <tenon/runtime/npy.hpp>

namespace tenon {
namespace detail {

[[noreturn]] inline void throw_npy(const std::string& name, const std::string& what) {
  throw error("npy.format", what, name, "is it a whole .npy file?");
}

inline std::string npy_descr(dtype t) {
  if (t == dtype::boolean) return "|b1";
  if (t == dtype::bf16) return "<V2";
  if (t == dtype::string) throw error("npy.dtype", "a .npy file cannot hold strings", {}, "write a .pb file");
  if (is_narrow(t)) return std::string(1, is_signed_int(t) ? 'i' : 'u') + "1";  // in a record that names the type
  const char kind = is_float(t) ? 'f' : is_unsigned_int(t) ? 'u' : 'i';
  return std::string(size_of(t) == 1 ? "|" : "<") + kind + std::to_string(size_of(t));
}

inline dtype npy_dtype(std::string_view descr, const std::string& name) {
  const char order = descr.empty() ? '?' : descr[0];
  if (descr.size() == 3 && (order == '<' || order == '|' || order == '=' || order == '>')) {
    const std::string_view kind = descr.substr(1);
    if (order == '>' && kind[1] != '1')
      throw error("npy.dtype", "the elements are big-endian ('" + std::string(descr) + "')", name,
                  "save them with a.astype(a.dtype.newbyteorder('<'))");
    for (dtype t : {dtype::f64, dtype::f32, dtype::f16, dtype::bf16, dtype::i64, dtype::i32, dtype::i16, dtype::i8,
                    dtype::u64, dtype::u32, dtype::u16, dtype::u8, dtype::boolean})
      if (kind == std::string_view(npy_descr(t)).substr(1)) return t;
  }
  throw error("npy.dtype", "the element type '" + std::string(descr) + "' is not supported", name,
              "floats of 16 to 64 bits, integers of 8 to 64 bits and bools are");
}

/// The header's dict literal, {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }, in any order of keys.
class npy_header {
 public:
  npy_header(std::string_view text, const std::string& name) : text_(text), name_(name) {
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        type_ = peek() == '[' ? narrow_record() : npy_dtype(quoted(), name_);
      } else if (key == "fortran_order") {
        fortran_ = word() == "True";
      } else if (key == "shape") {
        shape_ = tuple();
      } else {
        throw_npy(name_, "the header has the unknown key '" + std::string(key) + "'");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (!type_ || !fortran_ || !shape_) throw_npy(name_, "the header lacks 'descr', 'fortran_order' or 'shape'");
  }
  dtype type() const { return *type_; }
  bool fortran() const { return *fortran_; }
  const std::vector<i64>& shape() const { return *shape_; }

 private:
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c || c == '\0') return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) throw_npy(name_, std::string("the header is broken: no '") + c + "' where one must be");
  }
  std::string_view quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') throw_npy(name_, "the header is broken: no string where one must be");
    const size_t begin = ++at_, end = text_.find(quote, begin);
    if (end == std::string_view::npos) throw_npy(name_, "the header is broken: a string does not end");
    at_ = end + 1;
    return text_.substr(begin, end - begin);
  }
  /// [('f8e4m3fn', '|u1')]: numpy has no narrow types, so they are records of one byte that is called so.
  dtype narrow_record() {
    expect('[');
    expect('(');
    const auto named = dtype_from_name(quoted());
    expect(',');
    const std::string_view descr = quoted();
    const bool one = accept(')') && (accept(','), accept(']'));
    if (one && named && is_narrow(*named) && descr == "|" + npy_descr(*named)) return *named;
    throw error("npy.dtype", "the elements are records", name_, "save each field as an array of its own");
  }
  std::string_view word() {
    peek();
    for (std::string_view w : {"True", "False"})
      if (text_.substr(at_, w.size()) == w) {
        at_ += w.size();
        return w;
      }
    throw_npy(name_, "the header is broken: 'fortran_order' is neither True nor False");
  }
  std::vector<i64> tuple() {
    std::vector<i64> v;
    expect('(');
    while (!accept(')')) {
      i64 n = 0;
      bool digits = false;
      for (peek(); at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_, digits = true) {
        if (n > (i64{1} << 58)) throw_npy(name_, "the header's shape is too large");
        n = n * 10 + (text_[at_] - '0');
      }
      if (!digits) throw_npy(name_, "the header is broken: the shape is not a tuple of numbers");
      v.push_back(n);
      accept('L');  // Python 2
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return v;
  }

  std::string_view text_;
  const std::string& name_;
  size_t at_ = 0;
  std::optional<dtype> type_;
  std::optional<bool> fortran_;
  std::optional<std::vector<i64>> shape_;
};

inline std::string npy_prefix(const tensor& t) {
  const std::string descr = npy_descr(t.type());
  std::string dict =
      "{'descr': " +
      (is_narrow(t.type()) ? "[('" + std::string(name_of(t.type())) + "', '|" + descr + "')]" : "'" + descr + "'") +
      ", 'fortran_order': False, 'shape': (";
  for (i64 d : t.shape()) dict += std::to_string(d) + ", ";
  if (t.rank() > 1) dict.resize(dict.size() - 2);
  if (t.rank() == 1) dict.pop_back();
  dict += "), }";
  // Magic, version and length take 10 bytes in version 1, 12 in version 2; the elements start at a multiple of 64.
  const bool v2 = dict.size() + 64 + 10 > 0xffff;
  const size_t before = v2 ? 12 : 10;
  dict.append((64 - (before + dict.size() + 1) % 64) % 64, ' ').push_back('\n');
  std::string s = "\x93NUMPY";
  s.push_back(v2 ? 2 : 1);
  s.push_back(0);
  for (size_t i = 0; i < before - 8; ++i) s.push_back(static_cast<char>(dict.size() >> (8 * i)));
  return s += dict;
}

[[noreturn]] inline void throw_npy_write(const char* what, const std::string& path, int number) {
  throw file_error("io.write", std::string(what) + ": " + std::strerror(number), path,
                   "check the path and its permissions");
}

/// A file being written.
struct npy_output {
  int fd;
  const std::string& path;  // what errors call it

  npy_output(const std::string& real_path, const std::string& shown)
      : fd(::open(real_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)), path(shown) {
    if (fd < 0) throw_npy_write("cannot create the file", path, errno);
  }
  npy_output(const npy_output&) = delete;
  npy_output& operator=(const npy_output&) = delete;
  ~npy_output() { ::close(fd); }

  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw_npy_write("cannot write the file", path, errno);
      bytes.remove_prefix(static_cast<size_t>(n));
    }
  }
};

}  // namespace detail

tensor decode_npy(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& name) {
  if (bytes.size() < 10 || bytes.substr(0, 6) != "\x93NUMPY")
    detail::throw_npy(name, "this is not a .npy file: it does not start with \\x93NUMPY and a version");
  const int version = static_cast<u8>(bytes[6]);
  if (version < 1 || version > 3) detail::throw_npy(name, "version " + std::to_string(version) + " of .npy is unknown");
  const size_t start = version == 1 ? 10 : 12;
  if (bytes.size() < start) detail::throw_npy(name, "the file ends within the header");
  size_t length = 0;
  for (size_t i = 8; i < start; ++i) length |= static_cast<size_t>(static_cast<u8>(bytes[i])) << (8 * (i - 8));
  if (bytes.size() - start < length)
    detail::throw_npy(name, "the file ends within the header, which should have " + std::to_string(length) + " bytes");
  const detail::npy_header header(bytes.substr(start, length), name);
  bytes.remove_prefix(start + length);

  i64 count = 0;
  try {
    count = element_count(header.shape());
  } catch (const error& e) { detail::throw_npy(name, e.message()); }
  const dtype type = header.type();
  const u64 need = static_cast<u64>(count) * static_cast<u64>(size_of(type));
  if (bytes.size() != need)
    detail::throw_npy(name, "the header announces " + std::string(name_of(type)) + shape_text(header.shape()) + ", " +
                                std::to_string(need) + " bytes, but " + std::to_string(bytes.size()) + " follow");
  tensor t = tensor::view(type, header.shape(), bytes.data(), std::move(owner));
  if (header.fortran() && t.rank() > 1) {
    std::vector<i64> strides(header.shape().size());
    i64 s = 1;
    for (size_t d = 0; d < strides.size(); ++d) {
      strides[d] = s;
      s *= header.shape()[d];
    }
    tensor copy(type, header.shape());
    gather_strided(copy.data(), bytes.data(), header.shape(), strides, size_of(type));
    t = std::move(copy);
  }
  if (!are_elements(type, std::as_const(t).data(), static_cast<size_t>(t.bytes())))
    detail::throw_npy(name, "a byte is no element of " + std::string(name_of(type)));
  if (type == dtype::boolean) {
    // Any other byte than 0 and 1 is no bool in C++.
    bool clean = true;
    for (char b : bytes) clean = clean && static_cast<u8>(b) <= 1;
    if (!clean) {
      u8* p = static_cast<u8*>(t.data());
      for (i64 i = 0; i < t.size(); ++i) p[i] = p[i] != 0;
    }
  }
  return t;
}

tensor read_npy(const std::string& path) {
  auto file = std::make_shared<const mapped_file>(path);
  const std::string_view bytes = file->bytes();
  return decode_npy(bytes, std::move(file), path);
}

void write_npy(const std::string& path, const tensor& t) {
  static std::atomic<unsigned> counter{0};
  const std::string prefix = detail::npy_prefix(t);
  const std::string_view elements(static_cast<const char*>(t.data()), static_cast<size_t>(t.bytes()));
  struct stat info{};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) detail::throw_npy_write("cannot write the file", path, EISDIR);
  const bool direct = exists && !S_ISREG(info.st_mode);
  std::string target = path;
  if (exists && !direct)
    if (char* real = ::realpath(path.c_str(), nullptr)) {  // a link stays a link
      target = real;
      std::free(real);
    }
  const std::string temporary =
      direct ? path : target + ".tmp." + std::to_string(::getpid()) + "." + std::to_string(counter++);
  try {
    const detail::npy_output file(temporary, path);
    file.write(prefix);
    file.write(elements);
    if (!direct && exists && ::fchmod(file.fd, info.st_mode & 07777) != 0)
      detail::throw_npy_write("cannot keep the file's permissions", path, errno);
    if (!direct && ::rename(temporary.c_str(), target.c_str()) != 0)
      detail::throw_npy_write("cannot replace the file", path, errno);
  } catch (...) {
    if (!direct) ::unlink(temporary.c_str());
    throw;
  }
}

}  // namespace tenon
