#include <cstdio>
#include <cstdlib>
#include <string>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <tenon/core/mapped_file.hpp>
#include <tenon/runtime/npy.hpp>

using namespace tenon;

namespace {

/// A folder that is gone at the end of the test.
struct scratch {
  std::string path;
  scratch() {
    char name[] = "/tmp/tenon_npy_XXXXXX";
    path = ::mkdtemp(name);
  }
  ~scratch() {
    for (const std::string& f : files()) ::unlink((path + "/" + f).c_str());
    ::rmdir(path.c_str());
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    DIR* d = ::opendir(path.c_str());
    while (const dirent* e = ::readdir(d))
      if (e->d_name[0] != '.') names.push_back(e->d_name);
    ::closedir(d);
    return names;
  }
  std::string operator/(const char* name) const { return path + "/" + name; }
};

std::string npy_file(const std::string& dict, const std::string& elements, char version = 1) {
  std::string s = std::string("\x93NUMPY") + version + '\0';
  const size_t n = dict.size();
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) s.push_back(static_cast<char>(n >> (8 * i)));
  return s + dict + elements;
}

tensor decode(const std::string& bytes) {
  auto owner = std::make_shared<const std::string>(bytes);
  return decode_npy(*owner, owner, "x.npy");
}

/// "code: message" of the error, which must name the file.
std::string failure(const std::string& bytes) {
  try {
    (void)decode(bytes);
  } catch (const error& e) {
    CHECK(e.where() == "x.npy");
    return e.code() + ": " + e.message();
  }
  return "no error";
}

bool starts(const std::string& s, const std::string& with) {
  INFO(s);
  return s.compare(0, with.size(), with) == 0;
}

}  // namespace

TEST_CASE("npy: every element type comes back as it went") {
  const scratch dir;
  for (int k = 0; k < dtype_count - 1; ++k) {
    const dtype d = static_cast<dtype>(k);
    for (const std::vector<i64>& shape : {std::vector<i64>{}, {5}, {2, 3}, {2, 0, 3}}) {
      tensor t(d, shape);
      for (i64 i = 0; i < t.size(); ++i) t.set_i64(i, d == dtype::boolean ? i % 2 : i + 1);  // narrow ones wrap
      write_npy(dir / "t.npy", t);
      const tensor back = read_npy(dir / "t.npy");
      CHECK(same_bits(back, d == dtype::index ? t.cast(dtype::i64) : t));
    }
  }
  CHECK(dir.files().size() == 1);  // no temporary file stays
}

TEST_CASE("npy: the bytes are NumPy's own") {
  const scratch dir;
  write_npy(dir / "t.npy", tensor::from<float>({2}, {1, 2}));
  const mapped_file file(dir / "t.npy");
  CHECK(file.size() == 128 + 8);
  CHECK(file.bytes().substr(0, 10) == std::string_view("\x93NUMPY\x01\x00\x76\x00", 10));
  CHECK(file.bytes().substr(10, 59) == "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }  ");
  CHECK(file.bytes()[127] == '\n');
}

TEST_CASE("npy: a file that is read is mapped, and survives its replacement") {
  const scratch dir;
  write_npy(dir / "t.npy", tensor::from<i32>({3}, {1, 2, 3}));
  const tensor old = read_npy(dir / "t.npy");
  CHECK(old.is_view());
  write_npy(dir / "t.npy", tensor::from<i32>({1}, {7}));
  CHECK(old.at_i64(2) == 3);
  CHECK(read_npy(dir / "t.npy").at_i64(0) == 7);
}

TEST_CASE("npy: Fortran order, version 2, other spellings") {
  const std::string six("\1\2\3\4\5\6", 6);
  const tensor f = decode(npy_file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n", six));
  CHECK(same_bits(f, tensor::from<u8>({2, 3}, {1, 3, 5, 2, 4, 6})));
  const tensor g = decode(npy_file("{\"shape\":(3,2L),\"fortran_order\":False,\"descr\":\"|i1\"}", six, 2));
  CHECK(same_bits(g, tensor::from<i8>({3, 2}, {1, 2, 3, 4, 5, 6})));
  const std::string three("\0\1\5", 3);
  const tensor b = decode(npy_file("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", three));
  CHECK(b.data<bool>()[2]);
  CHECK(same_bits(b, tensor::from<bool>({3}, {false, true, true})));
  CHECK(decode(npy_file("{'descr': '|V2', 'fortran_order': False, 'shape': (), }", "\x80\x3f")).at_f64(0) == 1.0);
}

TEST_CASE("npy: broken and foreign files say what is wrong") {
  const auto dict = [](const char* descr, const char* shape) {
    return std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  };
  CHECK(starts(failure(npy_file(dict(">f4", "(1,)"), "1234")), "npy.dtype: the elements are big-endian"));
  CHECK(starts(failure(npy_file(dict("<c8", "(1,)"), "12345678")), "npy.dtype: the element type '<c8'"));
  CHECK(starts(failure(npy_file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "1234")),
               "npy.dtype: the elements are records"));
  CHECK(starts(failure("hello, world"), "npy.format: this is not a .npy file"));
  CHECK(starts(failure(""), "npy.format: this is not a .npy file"));
  CHECK(starts(failure(npy_file(dict("<f4", "(2,)"), "1234")), "npy.format: the header announces f32[2], 8 bytes"));
  CHECK(starts(failure(npy_file(dict("<f4", "(1,)"), "12345")), "npy.format: the header announces f32[1], 4 bytes"));
  CHECK(starts(failure(npy_file(dict("<f4", "(1,)"), "1234").substr(0, 40)), "npy.format: the file ends within"));
  CHECK(starts(failure(npy_file(dict("<f4", "(-1,)"), "")), "npy.format: the header is broken"));
  CHECK(starts(failure(npy_file(dict("<f4", "(99999999999999999999,)"), "")), "npy.format: the header's shape"));
  CHECK(starts(failure(npy_file(dict("<f4", "(999999999, 999999999, 9)"), "")), "npy.format: the shape"));
  CHECK(starts(failure(npy_file("{'descr': '<f4', 'shape': (1,), }", "1234")), "npy.format: the header lacks"));
  CHECK(starts(failure(npy_file("{'descr': '<f4", "")), "npy.format: the header is broken"));
  CHECK(starts(failure(npy_file(dict("<f4", "(1,)"), "1234", 9)), "npy.format: version 9"));
}

TEST_CASE("npy: no prefix of a file and no changed byte of its header brings the reader down") {
  const std::string elements(16, 'x');
  const std::string good = npy_file("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }\n", elements);
  CHECK(decode(good).size() == 4);
  for (size_t n = 0; n < good.size(); ++n) CHECK(failure(good.substr(0, n)) != "no error");
  for (size_t i = 0; i < good.size() - 16; ++i)
    for (char c : {'\0', '\1', '\'', '(', '9', '}', '\xff'}) {
      std::string bad = good;
      bad[i] = c;
      (void)failure(bad);
    }
}

TEST_CASE("npy: what the system refuses names the file") {
  const scratch dir;
  const auto where = [](auto&& f) {
    try {
      f();
    } catch (const error& e) { return e.code() + " " + e.where(); }
    return std::string("no error");
  };
  CHECK(where([&] { (void)read_npy(dir / "none.npy"); }) == "io.open " + (dir / "none.npy"));
  CHECK(where([&] { write_npy(dir / "no/t.npy", tensor()); }) == "io.write " + (dir / "no/t.npy"));
  CHECK(where([&] { write_npy(dir.path, tensor()); }) == "io.write " + dir.path);
  CHECK(dir.files().empty());
}

TEST_CASE("npy: a link stays a link, and the mode of a file stays") {
  const scratch dir;
  write_npy(dir / "t.npy", tensor::scalar(1.0f));
  REQUIRE(::chmod((dir / "t.npy").c_str(), 0600) == 0);
  REQUIRE(::symlink((dir / "t.npy").c_str(), (dir / "link.npy").c_str()) == 0);
  write_npy(dir / "link.npy", tensor::scalar(2.0f));
  CHECK(read_npy(dir / "t.npy").at_f64(0) == 2.0);
  struct stat info{};
  REQUIRE(::lstat((dir / "link.npy").c_str(), &info) == 0);
  CHECK(S_ISLNK(info.st_mode));
  REQUIRE(::stat((dir / "t.npy").c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
}
