// Damaged files: text, ONNX and program files with changed, missing and repeated bytes give a tenon::error or a valid
// result; nothing crashes and nothing hangs. Each batch runs in a process of its own.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <random>

#include <tenon/core/framed_file.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/runtime/npy.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "fuzzers/onnx_seeds.hpp"
#include "importers/onnx_builder.hpp"
#include "support/kernel_text.hpp"
#include "support/protobuf_edits.hpp"
#include "support/random_module.hpp"
#include "support/survives.hpp"

using namespace tenon;
using testing::survives;

namespace {

std::string damaged(std::string s, std::mt19937_64& random, bool text) {
  static const char* const words[] = {
      "-1", "999999999999999999999", "x", "<", ">", "{", "}", "(", ")", "tensor<", "f32", "@", "%", "\"", "=", "["};
  for (int n = 1 + static_cast<int>(random() % 4); n > 0 && !s.empty(); --n) {
    const size_t at = random() % s.size(), length = std::min<size_t>(s.size() - at, 1 + random() % 16);
    switch (random() % 6) {
      case 0: s[at] = static_cast<char>(random()); break;
      case 1: s.erase(at, length); break;
      case 2: s.insert(at, s.substr(random() % s.size(), length)); break;
      case 3: s.resize(at); break;
      case 4:
        if (text) s.insert(at, words[random() % std::size(words)]);
        else s[at] = static_cast<char>(s[at] ^ (1 << random() % 8));
        break;
      default: s[at] = static_cast<char>(random() % 2 ? 0xff : 0);
    }
  }
  return s;
}

}  // namespace

TEST_CASE("damaged text") {
  CHECK(survives(2000, [](int i) {
          std::mt19937_64 random(static_cast<u64>(i));
          const std::string text = damaged(print(testing::random_module(static_cast<u64>(i % 40))), random, true);
          const ir::module m = parse(text);
          ir::verify(m);
        }) == "");
}

TEST_CASE("damaged ONNX files") {
  using namespace onnx_builder;
  namespace onnx = importers::onnx;
  const std::vector<std::string> files = {
      model{.nodes = {node("Add", {"x", "w"}, {"s"}, {}, "first"), node("Relu", {"s"}, {"y"})},
            .inputs = {onnx_builder::value("x", {4})},
            .outputs = {onnx_builder::value("y", {4})},
            .initializers = {initializer<float>("w", {4}, {1, 2, 3, 4})}}
          .text(),
      model{.nodes = {node("Conv", {"x", "w"}, {"c"}, {attribute("pads", {1, 1, 1, 1}), attribute("strides", {2, 2})}),
                      node("MaxPool", {"c"}, {"p"}, {attribute("kernel_shape", {2, 2})}), node("Shape", {"p"}, {"s"}),
                      node("Reshape", {"p", "s"}, {"y"})},
            .inputs = {onnx_builder::value("x", {1, 2, 8, 8})},
            .outputs = {open_value("y")},
            .initializers = {tenon::importers::onnx::encode_tensor(tensor(dtype::f32, {2, 2, 3, 3}), "w")}}
          .text(),
      model{.nodes = {node("Concat", {"x", "x"}, {"c"}, {attribute("axis", i64{0})}),
                      node("Slice", {"c", "a", "b"}, {"d"}), node("Gather", {"d", "a"}, {"e"}),
                      node("Softmax", {"e"}, {"y"})},
            .inputs = {onnx_builder::value("x", {-1, 3})},
            .outputs = {onnx_builder::value("y", {1, 3})},
            .initializers = {initializer<i64>("a", {1}, {0}), initializer<i64>("b", {1}, {5})}}
          .text()};
  for (const std::string& f : files)
    CHECK_NOTHROW(onnx::import_model(onnx::decode_model(f, nullptr, "whole.onnx"), {}));
  CHECK(survives(2000, [&](int i) {
          std::mt19937_64 random(static_cast<u64>(i));
          const std::string bytes = damaged(files[static_cast<size_t>(i) % files.size()], random, false);
          ir::verify(onnx::import_model(onnx::decode_model(bytes, nullptr, "damaged.onnx"), {}).body());
        }) == "");
}

TEST_CASE("ONNX files whose fields hold other numbers, or stand elsewhere") {
  std::vector<std::string> files;
  for (const auto& [name, file] : fuzzing::onnx_seeds()) files.push_back(file);
  CHECK(files.size() > 150);
  namespace onnx = importers::onnx;
  CHECK(survives(4000, [&](int i) {
          const std::string& whole = files[static_cast<size_t>(i) % files.size()];
          testing::protobuf_editor editor(static_cast<u64>(i));
          const std::string bytes = i % 8 == 0 ? editor.joined(whole, files[static_cast<size_t>(i) * 7 % files.size()])
                                               : editor.edited(whole);
          const ir::module m = onnx::import_model(onnx::decode_model(bytes, nullptr, "damaged.onnx"), {}).body();
          ir::verify<phases::ingestion>(m);
        }) == "");
}

TEST_CASE("damaged program files, with the checksum they had and with a right one") {
  program::parts parts;
  parts.arena_bytes = 256, parts.target = "cpu";
  parts.inputs = {{"x", dtype::f32, {2, 3}}}, parts.outputs = {{"y", dtype::f32, {2, 3}}};
  parts.constants = {tensor(dtype::f32, {2, 3}), tensor(dtype::i8, {5})};
  const std::string path = "tenon_damaged_" + std::to_string(getpid()) + ".tenon";
  save_program(path, parts, std::string("no code at all"), "tenon_main");
  std::string whole;
  {
    std::FILE* f = std::fopen(path.c_str(), "rb");
    REQUIRE(f != nullptr);
    char buffer[4096];
    for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, f)) > 0;) whole.append(buffer, n);
    std::fclose(f);
  }
  CHECK(survives(2000, [&](int i) {
          std::mt19937_64 random(static_cast<u64>(i));
          std::string bytes = damaged(whole, random, false);
          if (i % 2 == 1) seal_frame(bytes);
          std::FILE* f = std::fopen(path.c_str(), "wb");
          std::fwrite(bytes.data(), 1, bytes.size(), f);
          std::fclose(f);
          read_program(path);
          if (i % 2 == 0 && bytes != whole) std::abort();  // a changed file was taken
        }) == "");
  std::remove(path.c_str());
}

TEST_CASE("damaged program files of several parts, with the checksums they had and with right ones") {
  ir::module m = parse(R"(tenon.module phase=optimization
constant #0 "w" : tensor<4xf32> = [1, 2.5, -0, 4]
func @main.0(%x: tensor<?x4xf32>, %n: tensor<2x?xi64>) -> (tensor<?x4xf32>) target("cpu") {
  %w = constant() {value = #0} : tensor<4xf32>
  %y = add(%x, %w) : tensor<?x4xf32>
  return(%y)
}
func entry @main(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>) inputs("x") outputs("y") {
  %n = non_zero(%x) : tensor<2x?xi64>
  %y = call(%x, %n) {callee = @main.0} : tensor<?x4xf32>
  return(%y)
}
)");
  const auto code = [](const ir::module&, function_id, const void*) {
    program::parts parts;
    parts.inputs = {{"x", dtype::f32, {-2, 4}}}, parts.outputs = {{"y", dtype::f32, {-2, 4}}};
    parts.sizes.symbols = {"n"}, parts.sizes.conditions = {*extent_condition::parse("n-1>=0")};
    parts.constants = {tensor(dtype::f32, {4})};
    return region_file{program_bytes(parts, std::string("no code at all"), "tenon_main"), {}};
  };
  const std::string whole = serialize(host_bundle(std::move(m), "cpu", code, nullptr));
  CHECK_NOTHROW(program_of(read_bundle(whole, nullptr, "whole").parts.at(0)));
  // The right checksums of the files within are tried by turns: the outer one, then the one of the module or the
  // program.
  const size_t inner[] = {whole.find(module_file_kind.magic), whole.find(program_file_kind.magic)};
  REQUIRE(inner[1] != whole.npos);
  CHECK(survives(3000, [&](int i) {
          std::mt19937_64 random(static_cast<u64>(i));
          std::string bytes = damaged(whole, random, false);
          if (i % 3 == 1) seal_frame(bytes);
          if (i % 3 == 2) {
            const bool last = i % 2 == 0;
            const size_t end = last ? whole.size() : inner[1];
            std::string part = damaged(whole.substr(inner[last], end - inner[last]), random, false);
            part.resize(end - inner[last]);
            seal_frame(part);
            bytes = whole.substr(0, inner[last]) + part + whole.substr(end);
            seal_frame(bytes);
          }
          const bundle b = read_bundle(bytes, nullptr, "damaged");
          if (i % 3 == 0 && bytes != whole) std::abort();  // a changed file was taken
          print(b.module);
          for (const bundle::part& p : b.parts)
            if (p.form == "program") program_of(p);
        }) == "");
}

TEST_CASE("damaged module files, with the checksum they had and with a right one") {
  std::vector<std::string> files;
  for (u64 seed = 0; seed < 40; ++seed) files.push_back(serialize(testing::random_module(seed), "ingestion"));
  ir::module kernels = parse(testing::kernel_text);
  kernels.add_artifact({"elf_object", "cpu", "main", std::vector<char>(100, 'x'), "generate_code"});
  files.push_back(serialize(kernels, "lowering"));
  for (const std::string& f : files) CHECK_NOTHROW(deserialize(f));
  CHECK(survives(4000, [&](int i) {
          std::mt19937_64 random(static_cast<u64>(i));
          const std::string& whole = files[static_cast<size_t>(i / 2) % files.size()];
          std::string bytes = damaged(whole, random, false);
          if (i % 2 == 1) seal_frame(bytes);
          const ir::module m = deserialize(bytes);
          if (i % 2 == 0 && bytes != whole) std::abort();  // a changed file was taken
          print(m), serialize(m, "ingestion");
        }) == "");
}

TEST_CASE("damaged tensor files") {
  const auto npy_of = [](const tensor& t) {
    const std::string path = "tenon_damaged_" + std::to_string(getpid()) + ".npy";
    write_npy(path, t);
    const mapped_file file(path);
    std::remove(path.c_str());
    return std::string(file.bytes());
  };
  const tensor kinds[] = {tensor(dtype::f32, {2, 3}), tensor(dtype::boolean, {7}), tensor(dtype::i64, {}),
                          tensor(dtype::f16, {0, 4})};
  std::vector<std::string> npy, pb;
  for (const tensor& t : kinds) npy.push_back(npy_of(t)), pb.push_back(importers::onnx::encode_tensor(t, "t"));
  for (const std::string& f : npy) CHECK_NOTHROW(decode_npy(f, nullptr, "whole.npy"));
  CHECK(survives(2000, [&](int i) {
          std::mt19937_64 random(static_cast<u64>(i));
          decode_npy(damaged(npy[static_cast<size_t>(i) % npy.size()], random, i % 2 == 0), nullptr, "damaged.npy");
        }) == "");
  const std::string path = "tenon_damaged_" + std::to_string(getpid()) + ".pb";
  CHECK(survives(2000, [&](int i) {
          std::mt19937_64 random(static_cast<u64>(i));
          write_file(path, damaged(pb[static_cast<size_t>(i) % pb.size()], random, false));
          importers::onnx::read_tensor_pb(path);
        }) == "");
  std::remove(path.c_str());
}

TEST_CASE("what survives is what it says: the control") {
  CHECK(survives(10, [](int i) {
          if (i == 7) std::abort();
        }) == "number 7: signal 6");
  CHECK(survives(10, [](int i) {
          if (i == 3) throw 1;
        }) == "number 3: an exception that is no tenon::error");
}
