// needs: llvm
// A session opens what another one compiled and kept; what it cannot keep, or finds damaged, it compiles.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <tenon/compile/session.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/program_cache.hpp>
#include <tenon/targets/registry.hpp>

#include "importers/onnx_builder.hpp"

using namespace tenon;

namespace refusing {
int asked = 0;

/// Finds something wrong with every module, late.
struct refuse {
  static constexpr fixed_string name = "refuse";
  using runs_in = phases::build;
  using needs = facts<>;
  using keeps = all_facts;
  void run(ir_module<runs_in>&, context&) const {
    ++asked;
    throw error("test.refused", "nothing is good enough");
  }
};
struct cpu : targets::cpu {
  static constexpr fixed_string name = "refusing_cpu";
  using pipeline = targets::cpu::pipeline::edit<insert_before<passes::generate_code, refuse>>;
};
}  // namespace refusing

namespace {

struct folder {
  std::string path = (std::filesystem::temp_directory_path() / "tenonXXXXXX").string();
  folder() { REQUIRE(::mkdtemp(path.data()) != nullptr); }
  ~folder() { std::filesystem::remove_all(path); }
};

/// y = relu(x * w) for any number of rows; without a name of its own for the weights' values, two of them differ there.
std::string model_bytes(float first) {
  using namespace onnx_builder;
  return model{.nodes = {node("MatMul", {"x", "w"}, {"c"}), node("Relu", {"c"}, {"y"})},
               .inputs = {onnx_builder::value("x", {-1, 2})},
               .outputs = {onnx_builder::value("y", {-1, 2})},
               .initializers = {initializer<float>("w", {2, 2}, {first, 2, 3, 4})}}
      .text();
}

/// The first number that a session gives for rows of ones, and how often it compiled.
std::pair<double, int> run(const std::string& bytes, const std::string& cache, session_options o = {}) {
  o.target = "cpu", o.threads = 1, o.cache = cache;
  session s(importers::onnx::decode_model(bytes, nullptr, "m"), o);
  double first = 0;
  for (const i64 rows : {1, 3}) {
    tensor x(dtype::f32, {rows, 2});
    for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, 1);
    first = s.run(std::vector<tensor>{x}).at(0).at_f64(0);
  }
  return {first, s.compilations()};
}
using got = std::pair<double, int>;

}  // namespace

TEST_CASE("the second session opens what the first one compiled; another model, or other options, compile") {
  targets::register_cpu_target();
  const folder f;
  const std::string a = model_bytes(1), b = model_bytes(10);
  CHECK(run(a, f.path) == got{4, 1});
  CHECK(run(a, f.path) == got{4, 0});
  CHECK(run(b, f.path) == got{13, 1});
  CHECK(run(b, f.path) == got{13, 0});
  CHECK(run(a, f.path) == got{4, 0});
  CHECK(run(a, f.path, {.specialize = true}) == got{4, 2});  // of each number of rows
  CHECK(run(a, f.path, {.specialize = true}) == got{4, 0});
  CHECK(run(a, f.path, {.verify_each = true}) == got{4, 1});  // asks for a compilation
  CHECK(run(a, "") == got{4, 1});
  CHECK(program_cache({.folder = f.path}).contents().files == 4);
}

TEST_CASE("a model in a file is found by the file, as long as that is what was opened") {
  targets::register_cpu_target();
  const folder f;
  const std::string path = f.path + "/m.onnx", cache = f.path + "/kept";
  const auto opened = [&](importers::onnx::import_options o = {}) {
    return session(importers::onnx::open(path, o), {.target = "cpu", .threads = 1, .cache = cache});
  };
  const auto runs = [](session& s, i64 rows) {
    tensor x(dtype::f32, {rows, 2});
    for (float& v : x.data<float>()) v = 1;
    return got{s.run(std::vector<tensor>{x}).at(0).at_f64(0), s.compilations()};
  };
  write_file(path, model_bytes(1));
  session first = opened(), second = opened();
  CHECK(runs(first, 1) == got{4, 1});
  CHECK(runs(second, 3) == got{4, 0});
  session fixed = opened({.shapes = {{"x", {1, 2}}}});  // options say something that the file does not
  CHECK(runs(fixed, 1) == got{4, 1});
  session late = opened();
  std::filesystem::remove(path);
  write_file(path, model_bytes(10));  // the file is another one, and what was opened is still there
  session other = opened();
  CHECK(runs(other, 1) == got{13, 1});
  CHECK(runs(late, 1).first == 4);
}

TEST_CASE("a file that is damaged is made anew, and a folder that cannot be written to is no cache") {
  targets::register_cpu_target();
  const folder f;
  const std::string a = model_bytes(1);
  CHECK(run(a, f.path) == got{4, 1});
  for (const auto& entry : std::filesystem::recursive_directory_iterator(f.path))
    if (entry.is_regular_file()) std::filesystem::resize_file(entry.path(), 100);
  CHECK(run(a, f.path) == got{4, 1});
  CHECK(run(a, f.path) == got{4, 0});
  CHECK(run(a, "/proc/none/here") == got{4, 1});
}

TEST_CASE("what was checked is not read again, until somebody writes to it") {
  targets::register_cpu_target();
  const folder f;
  static_cast<void>(run(model_bytes(1), f.path));
  std::string file;
  for (const auto& e : std::filesystem::directory_iterator(f.path))
    if (e.path().extension() == ".tenon") file = e.path();
  const auto said = [&] { return std::string(mapped_file(file + ".use").bytes()); };
  ::usleep(50000);  // beyond a tick of the file system's clock
  CHECK(run(model_bytes(1), f.path).second == 0);
  const std::string whole = said();
  CHECK(whole.size() > 20);
  CHECK(run(model_bytes(1), f.path).second == 0);
  CHECK(said() == whole);
  // One byte is another in a place that nothing but the checksum sees: that it was written to is seen.
  {
    std::fstream damage(file, std::ios::in | std::ios::out | std::ios::binary);
    damage.seekp(-1, std::ios::end);
    const int last = damage.peek();
    damage.put(static_cast<char>(last + 1));
  }
  CHECK(run(model_bytes(1), f.path).second == 1);
  CHECK(said() != whole);
}

TEST_CASE("sizes that code for all sizes refuses are told apart once") {
  targets::register_cpu_target();
  using namespace onnx_builder;
  // A sum with the two rows of a constant: of one row or two, by broadcasting.
  const std::string bytes = model{.nodes = {node("Add", {"x", "w"}, {"y"})},
                                  .inputs = {onnx_builder::value("x", {-1, 2})},
                                  .outputs = {onnx_builder::value("y", {-1, 2})},
                                  .initializers = {initializer<float>("w", {2, 2}, {1, 2, 3, 4})}}
                                .text();
  session s(importers::onnx::decode_model(bytes, nullptr, "m"), {.target = "cpu", .threads = 1});
  for (int round = 0; round < 3; ++round)
    for (const i64 rows : {2, 1}) {
      const tensor y = s.run(std::vector<tensor>{tensor(dtype::f32, {rows, 2})}).at(0);
      CHECK((y.shape() == std::vector<i64>{2, 2} && y.at_f64(3) == 4));
    }
  CHECK(s.compilations() <= 3);
}

TEST_CASE("what is wrong with a model is found, and said, once") {
  register_target<refusing::cpu>();
  const folder f;
  session s(importers::onnx::decode_model(model_bytes(1), nullptr, "m"),
            {.target = "refusing_cpu", .threads = 1, .specialize = true, .cache = f.path});
  std::string code;
  try {
    s.run(std::vector<tensor>{tensor(dtype::f32, {1, 2})});
  } catch (const error& e) { code = e.code(); }
  CHECK(code == "test.refused");
  CHECK(refusing::asked == 1);
}
