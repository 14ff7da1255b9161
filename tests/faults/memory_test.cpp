// Memory runs out at the n-th allocation, for every n until there is enough: what reads, writes, judges and runs throws
// tenon::error or std::bad_alloc, and works afterwards. Under the address sanitizer, nothing leaks either.
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>

#include <unistd.h>

#include <tenon/compile/session.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/proto.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/judge/order.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/runtime/image_file.hpp>
#include <tenon/runtime/npy.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/runtime/strings.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/targets/spec.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "importers/onnx_builder.hpp"
#include "support/allocations.hpp"

using namespace tenon;
using testing::allocation_limit;

namespace {

/// Runs `f` with ever more memory until it is enough, and `after` each time; says what was thrown that should not be.
template <class F, class After>
std::string survives(F&& f, After&& after) {
  for (bool once : {false, true})
    for (u64 n = 0;; n += 1 + n / 40) {
      bool refused = false;
      std::string wrong;
      try {
        const allocation_limit limit({.calls = n, .once = once});
        try {
          f();
        } catch (...) {
          refused = limit.refused() != 0;
          throw;
        }
        refused = limit.refused() != 0;
      } catch (const error& e) {
        if (!refused) wrong = e.what();
      } catch (const std::bad_alloc&) {
        if (!refused) wrong = "std::bad_alloc for no reason";
      } catch (const std::exception& e) { wrong = std::string("an exception that is neither: ") + e.what(); }
      if (wrong.empty()) wrong = after();
      if (!wrong.empty()) return "allocation " + std::to_string(n) + (once ? ", once: " : ": ") + wrong;
      if (!refused) break;
      if (n > 200'000) return "it takes more than 200,000 allocations";
    }
  return "";
}
template <class F>
std::string survives(F&& f) {
  return survives(f, [] { return std::string(); });
}

const char* const graph_text = R"(tenon.module phase=optimization {producer = "me"}
constant #0 "w" : tensor<2x3xf32> = [1, 2.5, -0, 4, 5, 6]
constant #1 : tensor<2xstring> = ["fault one", "fault two"]
func entry @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>) inputs("x") outputs("y") {
  %w = constant() {value = #0} : tensor<2x3xf32>
  %a = add(%x, %w) : tensor<2x3xf32> loc("node")
  %y = call(%a) {callee = @f} : tensor<2x3xf32>
  return(%y)
}
func @f(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  %y = tanh(%x) : tensor<2x3xf32>
  return(%y)
}
)";

std::string model_bytes() {
  using namespace onnx_builder;
  return model{.nodes = {node("Conv", {"x", "w"}, {"c"}, {attribute("pads", {1, 1, 1, 1})}), node("Relu", {"c"}, {"r"}),
                         node("Shape", {"r"}, {"s"}), node("Reshape", {"r", "s"}, {"y"})},
               .inputs = {onnx_builder::value("x", {1, 2, 4, 4})},
               .outputs = {onnx_builder::value("y", {1, 2, 4, 4})},
               .initializers = {importers::onnx::encode_tensor(tensor(dtype::f32, {2, 2, 3, 3}), "w")}}
      .text();
}

program::parts some_parts() {
  program::parts p;
  p.inputs = {{"x", dtype::f32, {-2, 4}}}, p.outputs = {{"y", dtype::f32, {-2, 4}}};
  p.sizes.symbols = {"n"}, p.sizes.conditions = {*extent_condition::parse("n-1>=0")},
  p.sizes.buffers = {{0, 1, "16*n"}};
  p.constants = {tensor(dtype::f32, {4})};
  p.target = "cpu";
  return p;
}

/// A file in a folder of its own: it must be as it was or as it should be, and alone.
struct written {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / ("tenon_faults_" + std::to_string(getpid()));
  std::string path = (folder / "file").string(), before = "what was there before";
  written() {
    std::filesystem::create_directories(folder);
    put();
  }
  ~written() { std::filesystem::remove_all(folder); }
  void put() const { write_file(path, before); }
  std::string content() const { return std::string(mapped_file(path).bytes()); }
  /// What is wrong after an attempt to write `whole`.
  std::string check(std::string_view whole) const {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files += entry.exists() ? 1 : 0;
    if (files != 1) return std::to_string(files) + " files are left";
    const std::string now = content();
    if (now != before && now != whole) return "a file of " + std::to_string(now.size()) + " bytes is left";
    put();
    return "";
  }
};

struct lost : std::exception {
  const char* what() const noexcept override { return "lost"; }
};

void nothing(void* const*, void* const*, void*, const void*, const tenon_runtime*) {}

}  // namespace

TEST_CASE("modules are read, verified, written and run") {
  const ir::module m = parse(graph_text);
  const std::string text = print(m), bytes = serialize(m, "optimization");
  CHECK(survives([&] { parse(graph_text); }) == "");
  CHECK(survives([&] { print(m); }) == "");
  CHECK(survives([&] { ir::verify<phases::optimization>(m); }) == "");
  CHECK(survives([&] { serialize(m, "optimization"); }) == "");
  CHECK(survives([&] { deserialize(bytes); }) == "");
  CHECK(survives([&] { ir::module copy(m); }) == "");
  ir::module into;
  CHECK(survives([&] { into = m; }) == "");
  CHECK(print(into) == text);
  const std::vector<tensor> x{tensor(dtype::f32, {2, 3})}, want = interpret(m, "main", x);
  CHECK(survives([&] { interpret(m, "main", x); },
                 [&] { return same_bits(interpret(m, "main", x).at(0), want.at(0)) ? "" : "another value"; }) == "");
}

TEST_CASE("models are imported") {
  const std::string file = model_bytes();
  namespace onnx = importers::onnx;
  CHECK(survives([&] { onnx::import_model(onnx::decode_model(file, nullptr, "m")); }) == "");
  const std::string pb = onnx::encode_sequence({tensor(dtype::f32, {2}), string_tensor({1}, {"s"})}, "s");
  CHECK(survives([&] { onnx::decode_sequence(pb, nullptr, "s"); }) == "");
}

TEST_CASE("strings of tensors are numbered") {
  int n = 0;
  CHECK(survives([&] { string_tensor({2}, {"a fresh string that is long enough " + std::to_string(n++), "short"}); },
                 [&] { return string_at(string_tensor({1}, {"short"}), 0) == "short" ? "" : "another string"; }) == "");
}

TEST_CASE("files are written whole or not at all") {
  const written file;
  const ir::module m = parse(graph_text);
  const std::string bytes = serialize(m, "optimization");
  CHECK(survives([&] { save_module(file.path, m, "optimization"); }, [&] { return file.check(bytes); }) == "");
  const tensor t = tensor::from<float>({3}, {1, 2, 3});
  write_npy(file.path, t);
  const std::string npy = file.content();
  file.put();
  CHECK(survives([&] { write_npy(file.path, t); }, [&] { return file.check(npy); }) == "");
  const std::string pb = importers::onnx::encode_tensor(t, "t");
  CHECK(survives([&] { importers::onnx::write_tensor_pb(file.path, t, "t"); }, [&] { return file.check(pb); }) == "");
  const std::string program_file = program_bytes(some_parts(), std::string("no code"), "main");
  CHECK(survives([&] { save_program(file.path, some_parts(), std::string("no code"), "main"); },
                 [&] { return file.check(program_file); }) == "");
}

TEST_CASE("files are read") {
  const written file;
  save_program(file.path, some_parts(), std::string("no code"), "main");
  CHECK(survives([&] { read_program(file.path); }) == "");
  write_npy(file.path, tensor(dtype::f32, {3, 2}));
  CHECK(survives([&] { read_npy(file.path); }) == "");
  ir::module m = parse(graph_text);
  const auto code = [](const ir::module&, function_id, const void*) {
    return region_file{program_bytes(some_parts(), std::string("no code"), "main"), {}};
  };
  const std::string bundle_bytes = serialize(host_bundle(std::move(m), "cpu", code, nullptr));
  CHECK(survives([&] { read_bundle(bundle_bytes, nullptr, "b"); }) == "");
  // Not target_from_json: what nlohmann::json throws away, it first puts into a list, in a destructor that may not
  // throw.
  CHECK(survives([&] { parse_target("composite(cpu:threads=2,n@o:x=\"a,b\")"); }) == "");
  const std::string image = "P6 2 1 255\n123456";
  CHECK(survives([&] { decode_image({reinterpret_cast<const u8*>(image.data()), image.size()}); }) == "");
}

TEST_CASE("programs are run") {
  program::parts parts = some_parts();
  parts.entry = &nothing;
  CHECK(survives([&] { program p(parts); }) == "");
  const program p(parts);
  i64 n = 1;
  CHECK(survives([&] { p.run({tensor(dtype::f32, {++n, 4})}, 1); },
                 [&] {
                   return p.run({tensor(dtype::f32, {n, 4})}, 1).at(0).shape() == std::vector<i64>{n, 4}
                              ? ""
                              : "another shape";
                 }) == "");
}

TEST_CASE("orders are judged") {
  using list = pass_list<passes::lift_lambdas, passes::inline_calls, passes::infer_shapes, passes::fold_constants,
                         passes::eliminate_dead>;
  CHECK(survives([&] {
          order::parse("lift_lambdas, infer_shapes, fold_constants, eliminate_dead", registry_of<list>);
        }) == "");
  CHECK(survives([&] {
          try {
            order::parse("infer_shapes, lift_lambdas, fold_constant", registry_of<list>);
          } catch (const error&) {}
        }) == "");
}

TEST_CASE("a session that could not compile or run does so when there is memory") {
  const std::string bytes = model_bytes();  // the model's constants are views of it
  const importers::onnx::model m = importers::onnx::decode_model(bytes, nullptr, "m");
  const std::vector<tensor> x{tensor(dtype::f32, {1, 2, 4, 4})};
  const session_options options{.target = "interpreter"};
  session whole(m, options);
  const std::vector<tensor> want = whole.run(x);
  CHECK(survives([&] { session(m, options).run(x); }) == "");
  CHECK(survives([&] { whole.run(x); },
                 [&] { return same_bits(whole.run(x).at(0), want.at(0)) ? "" : "another value"; }) == "");
  std::unique_ptr<session> s = std::make_unique<session>(m, options);
  CHECK(survives([&] { s->run(x); },
                 [&] {
                   const bool same = same_bits(s->run(x).at(0), want.at(0));
                   s = std::make_unique<session>(m, options);
                   return same ? "" : "another value";
                 }) == "");
}

TEST_CASE("no memory is taken for what a file only announces") {
  const auto refuses = [](std::string_view code, auto&& f) {
    const allocation_limit limit({.bytes = 1 << 16});
    std::string got = "none";
    try {
      f();
    } catch (const error& e) { got = e.code(); } catch (const std::bad_alloc&) {
      got = "bad_alloc";
    }
    return got == code && limit.refused() == 0 ? std::string() : got;
  };
  std::string bmp = "BM" + std::string(52, '\0');
  bmp[10] = 54, bmp[14] = 40, bmp[19] = 0x40, bmp[23] = 0x40, bmp[28] = 24;  // 16384 by 16384
  CHECK(refuses("image.malformed", [&] { decode_image({reinterpret_cast<const u8*>(bmp.data()), bmp.size()}); }) == "");
  for (const char* pnm : {"P6 16384 16384 255\n123", "P4 16384 16384\n123", "P2 16384 16384 255\n1 2 3"})
    CHECK(refuses("image.malformed",
                  [&] { decode_image({reinterpret_cast<const u8*>(pnm), std::string_view(pnm).size()}); }) == "");
}

TEST_CASE("the control: what does not survive is seen") {
  CHECK(survives([] {
          try {
            delete new std::string(100, 'x');
          } catch (const std::bad_alloc&) { throw lost(); }
        }) == "allocation 0: an exception that is neither: lost");
  const written file;
  CHECK(survives([&] { write_file(file.path, std::string(100, 'x').substr(0, 50)); }, [&] { return file.check("y"); })
            .find("a file of 50 bytes is left") != std::string::npos);
}
