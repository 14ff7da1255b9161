/// @file mapped_file_test: what is written is read back; what cannot be read is named.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <tenon/core/error.hpp>
#include <tenon/core/mapped_file.hpp>

TEST_CASE("a mapped file holds the bytes of the file, wherever the object moves") {
  const auto path = (std::filesystem::temp_directory_path() / ("tenon_mapped_" + std::to_string(::getpid()))).string();
  for (const std::string& bytes : {std::string(), std::string("tenon\0file", 10), std::string(100'000, 'x')}) {
    tenon::write_file(path, bytes);
    tenon::mapped_file file(path);
    CHECK(file.bytes() == bytes);
    const char* const data = file.data();
    tenon::mapped_file moved(std::move(file));
    CHECK(moved.bytes() == bytes);
    CHECK(moved.data() == data);
    CHECK(file.size() == 0);
    tenon::mapped_file assigned(path);
    assigned = std::move(moved);
    CHECK(assigned.bytes() == bytes);
  }
  std::filesystem::remove(path);
}

TEST_CASE("objects of one file share its pages, until somebody writes to it or replaces it") {
  const auto path = (std::filesystem::temp_directory_path() / ("tenon_shared_" + std::to_string(::getpid()))).string();
  tenon::write_file(path, std::string(20'000, 'a'));
  auto first = std::make_unique<tenon::mapped_file>(path);
  const tenon::mapped_file second(path);
  CHECK(second.data() == first->data());
  first.reset();
  CHECK(second.bytes() == std::string(20'000, 'a'));  // it is mapped as long as one of them lives
  const auto later = std::filesystem::last_write_time(path) + std::chrono::seconds(1);
  std::filesystem::last_write_time(path, later);  // as after a write
  const tenon::mapped_file changed(path);
  CHECK(changed.data() != second.data());
  std::filesystem::remove(path);
  tenon::write_file(path, std::string(20'000, 'b'));
  const tenon::mapped_file other(path);
  CHECK(other.bytes() == std::string(20'000, 'b'));
  CHECK(second.bytes() == std::string(20'000, 'a'));
  std::filesystem::remove(path);
}

namespace {
/// How many pages that bytes lie in are in this process's memory; none where the system does not say.
size_t present(std::string_view bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(bytes.data()) / page;
  std::vector<std::uint64_t> entries(reinterpret_cast<std::uintptr_t>(bytes.data() + bytes.size() - 1) / page - first +
                                     1);
  const int map = ::open("/proc/self/pagemap", O_RDONLY);
  const auto wanted = static_cast<ssize_t>(entries.size() * 8);
  const bool told = ::pread(map, entries.data(), entries.size() * 8, static_cast<off_t>(first * 8)) == wanted;
  ::close(map);
  size_t n = 0;
  for (std::uint64_t e : entries) n += told ? e >> 63 : 0;
  return n;
}
}  // namespace

TEST_CASE("pages of a mapped file are given back, and come again with what they held; other memory is left alone") {
  const auto path = (std::filesystem::temp_directory_path() / ("tenon_pages_" + std::to_string(::getpid()))).string();
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  std::string bytes(64 * page, 'x');
  for (size_t i = 0; i < bytes.size(); i += 1000) bytes[i] = static_cast<char>(i);
  tenon::write_file(path, bytes);
  {
    const tenon::mapped_file file(path);
    REQUIRE(file.bytes() == bytes);
    CHECK(present(file.bytes()) == 64);
    tenon::release_pages(file.bytes().substr(1, 9 * page));  // the first page is wanted by who reads byte 0
    CHECK(present(file.bytes().substr(0, page)) == 1);
    CHECK(present(file.bytes().substr(page, 8 * page)) == 0);
    CHECK(present(file.bytes().substr(9 * page)) == 55);
    tenon::release_pages(file.bytes());
    CHECK(present(file.bytes()) == 0);
    CHECK(file.bytes() == bytes);
    const std::string before = bytes;
    tenon::release_pages(bytes);
    CHECK(bytes == before);
  }
  tenon::release_pages(std::string_view());
  std::filesystem::remove(path);
}

TEST_CASE("a file that cannot be read is an error with its path") {
  for (const std::string path : {"/no/such/file", "/"}) {
    try {
      tenon::mapped_file file(path);
      FAIL("opened " << path);
    } catch (const tenon::error& e) {
      CHECK(e.code() == "io.open");
      CHECK(e.where() == path);
    }
  }
  CHECK_THROWS_AS(tenon::write_file("/no/such/folder/file", "x"), tenon::error);
}

TEST_CASE("what cannot be mapped is read") { CHECK(tenon::mapped_file("/dev/null").size() == 0); }
