// The cache of program files: found by all that the code follows from, bounded, shared by processes.
#include <doctest/doctest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include <tenon/targets/program_cache.hpp>

using namespace tenon;

namespace {

struct folder {
  std::string path = "/tmp/tenonXXXXXX";
  folder() { REQUIRE(::mkdtemp(path.data()) != nullptr); }
  ~folder() { static_cast<void>(std::system(("rm -r " + path).c_str())); }
};
cache_key key_of(std::string_view what) {
  cache_key k;
  k.text("what", what);
  return k;
}

}  // namespace

TEST_CASE("what was kept is found by the same key, and by no other") {
  const folder f;
  const program_cache cache({.folder = f.path + "/new/cache/"});
  CHECK(cache.find(key_of("a")) == nullptr);
  CHECK(cache.keep(key_of("a"), "code of a"));
  CHECK(cache.keep(key_of("b"), "code of b"));
  REQUIRE(cache.find(key_of("a")) != nullptr);
  CHECK(cache.find(key_of("a"))->bytes() == "code of a");
  CHECK(cache.find(key_of("c")) == nullptr);
  CHECK(cache.contents().files == 2);
  const auto held = cache.find(key_of("b"));
  cache.forget(key_of("b"));
  CHECK(cache.find(key_of("b")) == nullptr);
  CHECK(held->bytes() == "code of b");  // it was mapped
  CHECK(cache.clear().files == 1);
  CHECK(cache.contents().files == 0);
}

TEST_CASE("names and values of a key do not run into each other") {
  cache_key a, b;
  a.text("x", "1y"), b.text("x1", "y");
  CHECK(a.digest() != b.digest());
  CHECK(a.digest()->size() == 32);
}

TEST_CASE("of a model of several pieces, every byte is in its key, and a name where pieces meet is seen") {
  const folder f;
  const std::string path = f.path + "/large.onnx", weights = f.path + "/weights.bin";
  const auto digest = [&](const std::string& content) {
    write_file(path, content);
    cache_key k;
    k.model(path);
    return k.digest();
  };
  const size_t size = (size_t{9} << 20) + 5, piece = size_t{4} << 20;
  const std::string content(size, 'l');
  const auto plain = digest(content);
  CHECK(digest(content) == plain);
  for (size_t at : {size_t{0}, piece - 1, piece, 2 * piece + 17, size - 1}) {
    std::string other = content;
    other[at] = 'x';
    CHECK(digest(other) != plain);
  }
  std::string swapped = content;  // pieces in another order
  swapped[1] = 'x';
  std::string back = content;
  back[piece + 1] = 'x';
  CHECK(digest(swapped) != digest(back));
  for (size_t at : {size_t{0}, piece - 3, (size_t{128} << 10) - 1, size - 8}) {
    std::string named = content;
    named.replace(at, 8, "location");
    write_file(weights, "1");
    const auto one = digest(named);
    write_file(weights, "22");
    CHECK(digest(named) != one);
  }
  CHECK(digest(content) == plain);  // which names nothing beside it
}

TEST_CASE("a key follows a model's content, and the files beside one with external data") {
  const folder f;
  const std::string plain = f.path + "/plain.onnx", other = f.path + "/other.onnx", weights = f.path + "/weights.bin";
  const auto digest = [](const std::string& path) {
    cache_key k;
    k.model(path);
    return k.digest();
  };
  write_file(plain, "a model"), write_file(other, "a model");
  CHECK(digest(plain) == digest(other));
  write_file(other, "A model");
  CHECK(digest(plain) != digest(other));
  const auto before = digest(plain);
  write_file(weights, "123");
  CHECK(digest(plain) == before);
  write_file(plain, "a model with location weights.bin");
  const auto with = digest(plain);
  write_file(weights, "1234");
  CHECK(digest(plain) != with);
  CHECK(!digest("/dev/null"));
  CHECK(!digest(f.path + "/none"));
}

TEST_CASE("the cache stays below its limit: what was used longest ago goes first") {
  const folder f;
  const program_cache cache({.folder = f.path, .most_bytes = 300});
  const std::string hundred(100, 'x');
  for (const char* name : {"1", "2", "3"}) {
    CHECK(cache.keep(key_of(name), hundred));
    ::usleep(2000);
  }
  CHECK(cache.find(key_of("1")) != nullptr);  // used now
  CHECK(cache.keep(key_of("4"), hundred));
  CHECK(cache.contents().bytes == 300);
  CHECK(cache.find(key_of("2")) == nullptr);
  CHECK(cache.find(key_of("1")) != nullptr);
  CHECK(!cache.keep(key_of("5"), std::string(301, 'x')));
  CHECK(cache.contents().files == 3);
}

TEST_CASE("a file is written in its place, and given even where it is too large to be kept") {
  const folder f;
  const program_cache cache({.folder = f.path + "/made", .most_bytes = 300});
  const auto kept = cache.keep_file(key_of("a"), [](const std::string& path) {
    write_file(path, "code");
    return true;
  });
  REQUIRE(kept);
  CHECK(kept.file->bytes() == "code");
  REQUIRE(cache.find(key_of("a")) != nullptr);
  CHECK(cache.find(key_of("a"))->bytes() == "code");
  const auto large = cache.keep_file(key_of("b"), [](const std::string& path) {
    write_file(path, std::string(301, 'x'));
    return true;
  });
  REQUIRE(large);
  CHECK(large.file->bytes() == std::string(301, 'x'));
  CHECK(cache.find(key_of("b")) == nullptr);
  CHECK(cache.contents().bytes <= 300);
  CHECK(!cache.keep_file(key_of("c"), [](const std::string&) { return false; }));
  const auto never = [](const std::string&) -> bool { throw std::string("nowhere to write to"); };
  CHECK(!program_cache({}).keep_file(key_of("a"), never));
  CHECK(!program_cache({.folder = "/proc/there/is/none"}).keep_file(key_of("a"), never));
}

TEST_CASE("no cache is no error: off, read-only, or somebody else's to write to") {
  const folder f;
  const program_cache off({});
  CHECK(!off.on());
  CHECK(!off.keep(key_of("a"), "x"));
  CHECK(off.find(key_of("a")) == nullptr);
  const program_cache nowhere({.folder = "/proc/there/is/none"});
  CHECK(!nowhere.keep(key_of("a"), "x"));
  CHECK(nowhere.find(key_of("a")) == nullptr);
  const program_cache open_to_all({.folder = f.path});
  CHECK(open_to_all.keep(key_of("a"), "x"));
  ::chmod(f.path.c_str(), 0777);
  CHECK(open_to_all.find(key_of("a")) == nullptr);
  CHECK(!open_to_all.keep(key_of("b"), "x"));
}

TEST_CASE("many processes write and read one cache at once") {
  const folder f;
  const program_cache cache({.folder = f.path, .most_bytes = 40000});
  std::vector<pid_t> children;
  for (int c = 0; c < 4; ++c) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int i = 0; i < 60; ++i) {
        const std::string name = std::to_string((i * 7 + c) % 9),
                          content(5000 + 100 * static_cast<size_t>(name[0]), name[0]);
        if (const auto file = cache.find(key_of(name)); file && file->bytes() != content) ::_exit(1);
        cache.keep(key_of(name), content);
        if (i == 40 && c == 0) cache.clear();
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WEXITSTATUS(status) == 0);
  }
  CHECK(cache.contents().files > 0);
  CHECK(cache.contents().bytes <= 40000 + 4 * 11000);  // each writer makes room for its own file
}

TEST_CASE("processes that are killed while they write leave what is whole, and nothing that is taken for it") {
  const folder f;
  const program_cache cache({.folder = f.path + "/cache"});
  const auto content = [](int k) { return std::string((size_t{1} << 20) + static_cast<size_t>(k), char('a' + k)); };
  std::vector<pid_t> children;
  for (int c = 0; c < 8; ++c) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int i = 0; c < 4 || i < 40; ++i) {  // half of them write until they are killed
        const std::string name = std::to_string(i % 5), wanted = content(i % 5);
        if (const auto file = cache.find(key_of(name)); file && file->bytes() != wanted) ::_exit(1);
        cache.keep(key_of(name), wanted);
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (int c = 0; c < 4; ++c) {
    ::usleep(20000);
    ::kill(children[static_cast<size_t>(c)], SIGKILL);
  }
  for (size_t c = 0; c < children.size(); ++c) {
    int status = 0;
    REQUIRE(::waitpid(children[c], &status, 0) == children[c]);
    if (c < 4 && WIFSIGNALED(status)) CHECK(WTERMSIG(status) == SIGKILL);
    else CHECK(WEXITSTATUS(status) == 0);
  }
  CHECK(cache.contents().files == 5);
  for (int k = 0; k < 5; ++k) {
    const auto file = cache.find(key_of(std::to_string(k)));
    REQUIRE(file != nullptr);
    CHECK((file->bytes() == content(k)));
  }
  cache.clear();
  CHECK(std::filesystem::is_empty(f.path + "/cache"));  // what was begun is gone, too
}

TEST_CASE("where the cache is follows from the environment") {
  ::setenv("TENON_CACHE", "/a/folder", 1);
  CHECK(program_cache::usual_folder() == "/a/folder");
  ::setenv("TENON_CACHE", "off", 1);
  CHECK(program_cache::usual_folder().empty());
  ::unsetenv("TENON_CACHE");
  ::setenv("XDG_CACHE_HOME", "/caches", 1);
  CHECK(program_cache::usual_folder() == "/caches/tenon");
  ::unsetenv("XDG_CACHE_HOME");
  ::setenv("HOME", "/home/me", 1);
  CHECK(program_cache::usual_folder() == "/home/me/.cache/tenon");
}

TEST_CASE("a file that stays as it is is read once; one that was just written, or is another now, is read again") {
  const folder f;
  const program_cache cache({.folder = f.path + "/cache"});
  const std::string written = f.path + "/m.onnx", settled = "/proc/self/exe";
  const auto digest = [](const std::string& path, const program_cache* notes) {
    cache_key k;
    k.model(path, notes);
    return k.digest();
  };
  const auto notes = [&] {
    std::vector<std::string> r;
    for (const auto& e : std::filesystem::directory_iterator(cache.settings().folder)) r.push_back(e.path().string());
    return r;
  };
  const auto start = std::chrono::steady_clock::now();
  write_file(written, "one");
  const auto one = digest(written, &cache);
  CHECK(one == digest(written, nullptr));
  if (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(15))
    CHECK(notes().empty());  // it may be written to once more within the same tick of a clock
  write_file(written, "two");
  CHECK(digest(written, &cache) != one);

  struct ::stat s{};
  REQUIRE(::stat(settled.c_str(), &s) == 0);
  if (std::time(nullptr) < s.st_ctim.tv_sec + 4) ::sleep(4);  // this test was just built
  cache.clear();                                              // of what a slow machine had time to note
  const auto read = digest(settled, &cache);
  CHECK(read == digest(settled, nullptr));
  REQUIRE(notes().size() == 1);
  CHECK(digest(settled, &cache) == read);
  const std::string note = notes()[0];
  write_file(note, std::string(32, '0') + " alone");
  CHECK(digest(settled, &cache) != read);  // the note says it
  for (const char* damaged : {"", "0", "0123456789abcdef0123456789abcdef", "0123456789abcdef alone"}) {
    write_file(note, damaged);
    CHECK(digest(settled, &cache) == read);
  }
  CHECK(cache.contents().files == 0);
  CHECK(cache.clear().files == 0);
  CHECK(notes().empty());
}
