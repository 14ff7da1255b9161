/// @file mapped_file_test: what is written is read back; what cannot be read is named.
#include <filesystem>
#include <string>

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
