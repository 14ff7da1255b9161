/// @file framed_file_test: what is written replaces a file as a whole, and nothing else.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <tenon/core/error.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/core/mapped_file.hpp>

namespace fs = std::filesystem;
using tenon::write_atomically;
using tenon::written_file;

namespace {
struct folder {
  fs::path path = fs::temp_directory_path() / ("tenon_framed_" + std::to_string(::getpid()));
  folder() { fs::create_directories(path); }
  ~folder() { fs::remove_all(path); }
  std::string operator/(const char* name) const { return (path / name).string(); }
  size_t files() const { return static_cast<size_t>(std::distance(fs::directory_iterator(path), {})); }
};
std::string content(const std::string& path) {
  std::ifstream f(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(f), {}};
}
std::string message(const std::string& path) {
  try {
    write_atomically(path, "new");
  } catch (const tenon::error& e) {
    CHECK(e.code() == "io.write");
    return e.message();
  }
  return "written";
}
}  // namespace

TEST_CASE("a file is replaced, keeps its permissions, and leaves nothing beside it") {
  const folder dir;
  write_atomically(dir / "a", "old");
  CHECK(content(dir / "a") == "old");
  REQUIRE(::chmod((dir / "a").c_str(), 0640) == 0);
  write_atomically(dir / "a", "new");
  CHECK(content(dir / "a") == "new");
  CHECK((fs::status(dir / "a").permissions() & fs::perms::mask) == fs::perms(0640));
  CHECK(dir.files() == 1);
}

TEST_CASE(
    "of several files that are written, none is there before all are kept, and those that are not kept are gone") {
  const folder dir;
  write_atomically(dir / "a", "old");
  {
    std::vector<written_file> files;
    for (const char* name : {"a", "b", "c"}) files.emplace_back(dir / name, std::vector<std::string_view>{"new"});
    CHECK(content(dir / "a") == "old");
    CHECK(!fs::exists(dir / "b"));
    files[0].keep();
    files[1].keep();
  }
  CHECK(content(dir / "a") == "new");
  CHECK(content(dir / "b") == "new");
  CHECK(dir.files() == 2);
}

TEST_CASE("a link stays a link, and what it points to is replaced") {
  const folder dir;
  write_atomically(dir / "real", "old");
  fs::create_symlink("real", dir / "link");
  write_atomically(dir / "link", "new");
  CHECK(fs::is_symlink(dir / "link"));
  CHECK(content(dir / "real") == "new");
  CHECK(dir.files() == 2);
}

TEST_CASE("a folder, and a path that leads nowhere, are errors that leave everything as it was") {
  const folder dir;
  fs::create_directories(dir / "inner");
  CHECK(message(dir / "inner") == "cannot write '" + (dir / "inner") + "': it is a folder");
  CHECK(message(dir / "no/such") == "cannot write '" + (dir / "no/such") + "': No such file or directory");
  CHECK(message("") == "cannot write '': No such file or directory");
  CHECK(dir.files() == 1);
}

TEST_CASE("a pipe and a device are written to, and stay what they are") {
  const folder dir;
  const std::string pipe = dir / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int keep = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK);  // so that the writer does not wait for a reader
  REQUIRE(keep >= 0);
  write_atomically(pipe, "through");
  char got[8] = {};
  CHECK(::read(keep, got, 7) == 7);
  CHECK(std::string(got) == "through");
  ::close(keep);
  CHECK(dir.files() == 1);
  REQUIRE(fs::is_fifo(pipe));  // else the next line would take a device away from this machine
  if (fs::is_character_file("/dev/full")) {
    CHECK(message("/dev/full") == "cannot write '/dev/full': No space left on device");
    CHECK(fs::is_character_file("/dev/full"));
  }
}

TEST_CASE("a frame is written as it would be in memory, and read back") {
  const folder dir;
  const std::string code(100, 'c'), none, more(64, 'm');
  tenon::frame_writer w("the table");
  for (const std::string* s : {&code, &none, &more}) w.section(s->data(), s->size());
  const std::string file = w.finish(tenon::program_file_kind);
  w.write(dir / "frame", tenon::program_file_kind);
  CHECK(content(dir / "frame") == file);
  CHECK(file.size() == 64 + 64 + 128 + 64);
  const tenon::framed f = tenon::open_frame(file, tenon::program_file_kind, "frame");
  CHECK(f.table == "the table");
  CHECK(f.body.substr(64, 100) == code);
  CHECK(f.body.substr(192, 64) == more);
}

namespace {
/// Parts of the same length, each of one letter; notes how many were asked for at once.
struct letters final : tenon::byte_source {
  letters(tenon::u64 parts, tenon::u64 bytes) : parts_(parts), bytes_(bytes) {}
  tenon::u64 parts() const override { return parts_; }
  tenon::u64 part_bytes() const override { return bytes_; }
  void write(void* to, tenon::u64 first, tenon::u64 count) const override {
    most = std::max(most, count);
    for (tenon::u64 i = 0; i < count; ++i)
      std::memset(static_cast<char*>(to) + i * bytes_, static_cast<int>('a' + (first + i) % 26), bytes_);
  }
  bool same(const byte_source&) const override { return false; }
  tenon::u64 hash() const override { return 0; }
  mutable tenon::u64 most = 0;

 private:
  tenon::u64 parts_, bytes_;
};
}  // namespace

TEST_CASE("sections that are computed while a file is written, a few parts at a time") {
  const folder dir;
  for (const auto& [parts, bytes] : {std::pair<tenon::u64, tenon::u64>{3, 5}, {40, 300'000}, {2, 9'000'000}}) {
    const std::string between(100, '-');
    const auto source = std::make_shared<const letters>(parts, bytes);
    tenon::frame_writer w("the table");
    w.section(source), w.section(between.data(), between.size()), w.section(source);
    w.write(dir / "frame", tenon::program_file_kind);
    CHECK(source->most <= std::max<tenon::u64>((4 << 20) / bytes, 1));
    const std::string file = w.finish(tenon::program_file_kind);
    CHECK(content(dir / "frame") == file);
    const tenon::framed f = tenon::open_frame(file, tenon::program_file_kind, "frame");
    CHECK(f.body[64 + bytes] == 'b');
    CHECK(f.body.find(between) != std::string_view::npos);
  }
  // What cannot be written again where its checksum stands is computed twice.
  const std::string pipe = dir / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int keep = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  tenon::frame_writer w("the table");
  w.section(std::make_shared<const letters>(3, 5));
  w.write(pipe, tenon::program_file_kind);
  std::string got(1000, 0);
  got.resize(static_cast<size_t>(std::max<ssize_t>(::read(keep, got.data(), got.size()), 0)));
  ::close(keep);
  CHECK(got == w.finish(tenon::program_file_kind));
}

TEST_CASE("a model where a program is expected is called one, and what to do is said") {
  std::string onnx("\x08\x07\x12\x07", 4);
  onnx += "pytorch and more";
  try {
    tenon::open_frame(onnx, tenon::program_file_kind, "model.onnx");
    FAIL("it was read");
  } catch (const tenon::error& e) {
    CHECK(std::string(e.what()) ==
          "model.onnx: this is an ONNX model, not a program file; compile it: tenon build FILE -o PROGRAM [file.kind]");
  }
}

TEST_CASE("a frame that is large is written and checked block by block, as one that is small is") {
  const folder dir;
  std::string section(17 << 20, 's');
  for (size_t i = 0; i < section.size(); i += 4093) section[i] = static_cast<char>(i >> 8);
  tenon::frame_writer w("the table");
  w.section(section.data(), section.size());
  w.write(dir / "frame", tenon::program_file_kind);
  std::string file = content(dir / "frame");
  CHECK(file == w.finish(tenon::program_file_kind));
  tenon::seal_frame(file);
  const tenon::mapped_file mapped(dir / "frame");
  CHECK(mapped.bytes() == file);
  CHECK(tenon::open_frame(mapped.bytes(), tenon::program_file_kind, "frame").body.substr(64) == section);
  file[file.size() / 2] ^= 1;
  CHECK_THROWS_AS(tenon::open_frame(file, tenon::program_file_kind, "frame"), tenon::error);
}
