// needs: llvm
// Sessions, their code for several shapes, and programs of files that have the same weights hold them once.
#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <tenon/compile/session.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/program_maker.hpp>
#include <tenon/targets/registry.hpp>

#include "importers/onnx_builder.hpp"

using namespace tenon;

namespace {

constexpr i64 width = 768;
constexpr i64 weight_bytes = 4 * width * width;  // of each product
constexpr int products = 6;

struct folder {
  std::string path = (std::filesystem::temp_directory_path() / "tenonXXXXXX").string();
  folder() { REQUIRE(::mkdtemp(path.data()) != nullptr); }
  ~folder() { std::filesystem::remove_all(path); }
  std::string file(const char* name) const { return path + "/" + name; }
};

/// y = x * w0 * w1 …; weights are packed for native code, so that what it has is not the file's.
void write_model(const std::string& path) {
  using namespace onnx_builder;
  model m{.inputs = {onnx_builder::value("x", {-1, width})}, .outputs = {onnx_builder::value("y", {-1, width})}};
  u32 state = 7;
  for (int i = 0; i < products; ++i) {
    const std::string n = std::to_string(i);
    tensor w(dtype::f32, {width, width});
    for (float& f : w.data<float>()) f = static_cast<float>((state = state * 1664525 + 1013904223) >> 8) * 1e-9f;
    m.initializers.push_back(importers::onnx::encode_tensor(w, "w" + n));
    m.nodes.push_back(
        node("MatMul", {i == 0 ? "x" : "t" + n, "w" + n}, {i + 1 == products ? "y" : "t" + std::to_string(i + 1)}));
  }
  write_file(path, m.text());
}

tensor ones(i64 rows) {
  tensor x(dtype::f32, {rows, width});
  for (float& f : x.data<float>()) f = 1;
  return x;
}

/// Where large constants are, and how many there are.
struct places {
  std::set<const void*> different;
  size_t all = 0;
  void add(const executable& e) {
    REQUIRE(e.native() != nullptr);
    for (const tensor& c : e.native()->description().constants)
      if (c.bytes() >= weight_bytes) different.insert(c.data()), ++all;
  }
};

/// Bytes of this process that are its own, or of files that it maps, and in memory.
i64 resident_bytes() {
  i64 pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

}  // namespace

TEST_CASE("sessions of one model, and one's code for several shapes, have its weights once") {
  targets::register_cpu_target();
  const folder f;
  write_model(f.file("m.onnx"));
  for (const char* cache : {"", "cache"}) {
    CAPTURE(cache);
    session_options o{.target = "cpu", .specialize = true, .cache = *cache == 0 ? "" : f.file(cache)};
    std::vector<std::unique_ptr<session>> sessions;
    places seen;
    std::vector<float> first;
    i64 after_one = 0;
    const i64 before = resident_bytes();
    for (int i = 0; i < 4; ++i) {
      o.specialize = i != 3;  // the last has one code for all sizes
      session& s = *sessions.emplace_back(std::make_unique<session>(importers::onnx::open(f.file("m.onnx")), o));
      for (const i64 rows : {5, 6, 7}) {
        const std::vector<tensor> x{ones(rows)};
        seen.add(s.prepare(x));
        const tensor y = s.run(x).at(0);
        if (first.empty()) first.assign(y.data<float>().begin(), y.data<float>().begin() + width);
        CHECK(std::equal(first.begin(), first.end(), y.data<float>().begin(),
                         [](float a, float b) { return a - b < 1e-4f * a && b - a < 1e-4f * a; }));
      }
      if (i == 0) after_one = resident_bytes();
      if (i < 3) CHECK(seen.different.size() == products);  // packed for few rows
    }
    const i64 after_all = resident_bytes();
    const auto kb = [](i64 bytes) { return std::to_string(bytes / 1024) + " KB"; };
    MESSAGE(kb(products * weight_bytes), " of weights; a session of three shapes takes ", kb(after_one - before),
            ", three more ", kb(after_all - after_one));
    CHECK(seen.all == 4 * 3 * products);
    CHECK(seen.different.size() <= 2 * products);                // code for all sizes packs them in its own way
    CHECK(after_all - after_one < 2 * products * weight_bytes);  // with weights of their own, nine times as much
  }
}

TEST_CASE("programs that are opened from one file, and from files with the same weights, have them once") {
  targets::register_cpu_target();
  const folder f;
  write_model(f.file("m.onnx"));
  const auto build = [&](const char* name, i64 rows) {
    const importers::onnx::import_options shapes{.shapes = {{"x", {rows, width}}}};
    write_file(f.file(name), make_program(importers::onnx::load(f.file("m.onnx"), shapes), parse_target("cpu")));
  };
  build("six.tenon", 6), build("four.tenon", 4);
  std::vector<program> opened;
  places seen;
  for (const char* name : {"six.tenon", "four.tenon", "six.tenon", "four.tenon", "six.tenon"}) {
    opened.push_back(program::open(f.file(name)));
    seen.add(*executable_of(opened.back()));
  }
  CHECK(seen.all == 5 * products);
  CHECK(seen.different.size() == products);
  const tensor y = opened.at(3).run({ones(4)}).at(0);
  opened.erase(opened.begin());  // whose constants the others have
  CHECK(same_bits(opened.at(2).run({ones(4)}).at(0), y));
}

TEST_CASE("evaluated graphs have their weights once, too") {
  const folder f;
  write_model(f.file("m.onnx"));
  std::vector<std::unique_ptr<session>> sessions;
  i64 after_one = 0;
  for (int i = 0; i < 6; ++i) {
    sessions.push_back(
        std::make_unique<session>(importers::onnx::open(f.file("m.onnx")), session_options{.target = "interpreter"}));
    CHECK(sessions.back()->run(std::vector<tensor>{ones(1)}).at(0).shape() == std::vector<i64>{1, width});
    if (i == 0) after_one = resident_bytes();
  }
  CHECK(resident_bytes() - after_one < 2 * products * weight_bytes);  // five times as much, without
}
