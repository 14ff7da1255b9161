// The binary form: every module in every phase comes back bit for bit; nothing else is taken for one.
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include <unistd.h>

#include <tenon/core/framed_file.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/core/version.hpp>
#include <tenon/facts/shapes_known.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "support/random_module.hpp"
#include "text/same_module.hpp"

#include <support/caught.hpp>

using namespace tenon;
using testing::caught;

namespace {

struct temporary {
  std::string path = "tenon_module_" + std::to_string(getpid()) + ".tmod";
  ~temporary() { std::remove(path.c_str()); }
};

const char* const everything = R"(tenon.module phase=optimization fingerprint=abc123 {producer = "me", target = "cpu"}

constant #0 "w" : tensor<2x3xf32> = [1, 2.5, -0, 1e-45, 3, 0x7fc00001]
constant #1 : tensor<0x3xf64> = []
constant #2 : tensor<2xbool> = [true, false]

func entry @main(%0: tensor<2x3xf32>, %1: tensor<?xNx"max length"xf32>, %2: tensor<*xi64>) -> (tensor<2x3xf32>) inputs("x", "y", "z") outputs("r") target("cpu") {
  %3 = constant() {value = #0} : tensor<2x3xf32>
  %4 = add(%0, %3) : tensor<2x3xf32> loc("node \"7\"")
  %5 = call(%4) {callee = @"odd name"} : tensor<2x3xf32>
  return(%5)
}

func @"odd name"(%0: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  %1 = call_kernel(%0) {kernel = @copy} : tensor<2x3xf32>
  return(%1)
}

kernel @copy(%0: buffer<2x3xf32>, %1: buffer<2x3xf32, "shared">) phase(lowering) {
  %2 = loop.literal() {type = index} : index
  %3 = loop.literal() {type = index, integer = 2} : index
  loop.for(%2, %3) {kind = vector, lanes = 8, independent = true} ({ ^(%4: index):
    %5 = loop.load(%0[%4, 1]) : f32
    loop.store(%5, %1[%4, 0])
    loop.yield()
  })
  return()
}

artifact encoder : ptx target("sm_90") producer("generate_ptx") = dense_hex "00ff7f"

artifact "de coder" : c_source = dense_hex ""
)";

}  // namespace

TEST_CASE("a module with a graph, a kernel, a constraint and artifacts comes back as it is") {
  const auto m = parse<phases::optimization>(everything);
  CHECK(print(m) == everything);
  const std::string bytes = serialize(m);
  const auto again = deserialize<phases::optimization>(bytes);
  CHECK(testing::difference(m.body(), again.body()) == "");
  CHECK(print(again) == everything);
  CHECK(serialize(again) == bytes);
  // The same module by another way, with a type that nobody uses, gives the same bytes.
  ir::module other = m.body();
  other.intern(ir::type::tensor(dtype::u16, {77}));
  CHECK(serialize(other, "optimization") == bytes);
}

TEST_CASE("texts, sequences and control flow come back") {
  const char* const text = R"(tenon.module phase=optimization

constant #0 : tensor<3xstring> = ["a \"quoted\"", "", "ä\n"]
constant #1 : tensor<0xstring> = []

func entry @main(%0: tensor<bool>, %1: sequence<tensor<?xf32>>, %2: optional<tensor<*xstring>>) -> (tensor<3xstring>, sequence<tensor<?xf32>>) {
  %3 = if_else(%0) : tensor<3xstring> ({
    %4 = constant() {value = #0} : tensor<3xstring>
    yield(%4)
  }, {
    %5 = raise() {message = "no"} : tensor<3xstring>
    yield(%5)
  })
  return(%3, %1)
}
)";
  const auto m = parse<phases::optimization>(text);
  const std::string bytes = serialize(m);
  const auto again = deserialize<phases::optimization>(bytes);
  CHECK(testing::difference(m.body(), again.body()) == "");
  CHECK(print(again) == print(m));
  CHECK(print(again).find("ä") != std::string::npos);
  CHECK(serialize(again) == bytes);
}

TEST_CASE("random modules come back, and so do their bytes") {
  for (u64 seed = 0; seed < 300; ++seed) {
    const ir::module m = testing::random_module(seed);
    const std::string bytes = serialize(m, "ingestion");
    const ir::module again = deserialize(bytes);
    INFO(print(m));
    CHECK(testing::difference(m, again) == "");
    CHECK(serialize(again, "ingestion") == bytes);
    CHECK(serialize(parse(print(m)), "ingestion") == bytes);
  }
}

TEST_CASE("the header says what is inside, and facts are a note only") {
  auto m = establish<fact::shapes_known>(
      parse<phases::optimization>("tenon.module phase=optimization fingerprint=cafe {target = \"cpu\"}"));
  const module_header h = read_module_header(serialize(m));
  CHECK(h.phase == "optimization");
  CHECK(h.facts == std::vector<std::string>{"shapes_known"});
  CHECK(h.fingerprint == "cafe");
  CHECK(h.target == "cpu");
  CHECK(h.version ==
        std::to_string(version_major) + "." + std::to_string(version_minor) + "." + std::to_string(version_patch));
  static_assert(meta::same<decltype(load<phases::optimization>("")), ir_module<phases::optimization>>);
}

TEST_CASE("a loaded file serves its constants in place") {
  const temporary file;
  const auto m = parse<phases::optimization>(everything);
  save_module(file.path, m);
  CHECK(is_module_file(file.path));
  auto again = load<phases::optimization>(file.path);
  CHECK(testing::difference(m.body(), again.body()) == "");
  CHECK(again.body()[constant_id(size_t{0})].value.is_view());
  const std::string bytes = serialize(m);
  const auto copied = deserialize<phases::optimization>(bytes);
  const auto* at = static_cast<const char*>(copied.body()[constant_id(size_t{0})].value.data());
  CHECK_FALSE((at >= bytes.data() && at < bytes.data() + bytes.size()));
  save_module(file.path,
              parse<phases::optimization>("tenon.module phase=optimization"));  // replaced, while it is mapped
  CHECK(testing::difference(m.body(), again.body()) == "");
  CHECK(caught([&] { save_module("no/such/folder/m.tmod", m); }).code() == "io.write");
}

TEST_CASE("what is in the wrong phase, newer, cut short, changed or another thing is said") {
  const auto m = parse<phases::optimization>(everything);
  const std::string good = serialize(m);
  const auto code = [](const std::string& bytes) {
    return caught([&] { deserialize<phases::optimization>(bytes, "m.tmod"); }).code();
  };
  CHECK(code(good) == "none");
  const error phase = caught([&] { deserialize<phases::lowering>(good, "m.tmod"); });
  CHECK(phase.code() == "module.phase");
  CHECK(phase.message() == "the module is in phase 'optimization', not in 'lowering'");
  CHECK(phase.hint() == "read it with load<phases::optimization>");
  std::string newer = good;
  newer[8] = 9;
  const error version = caught([&] { deserialize(newer, "m.tmod"); });
  CHECK(version.code() == "file.version");
  CHECK(version.message() == "a module file of version 9, and this library reads versions " +
                                 std::to_string(module_file_kind.oldest) + " to " +
                                 std::to_string(module_file_kind.version));
  for (size_t n : {size_t{0}, size_t{5}, size_t{40}, size_t{64}, good.size() - 1})
    CHECK(code(good.substr(0, n)) == "file.cut");
  CHECK(code(good + "x") == "file.changed");
  CHECK(code("PK\x03\x04 something else") == "file.kind");
  CHECK(code("") == "file.cut");
  for (size_t i = 0; i < good.size(); ++i) {  // each byte, one bit
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ (1 << (i % 8)));
    if (code(changed) == "none") FAIL("byte " << i << " is not covered");
  }
  // An op that the phase does not have, under a right checksum.
  CHECK(caught([&] { deserialize<phases::build>(serialize(m.body(), "build")); }).code() == "module.op");
}

TEST_CASE("a module is no program, and a program is no module") {
  const temporary file;
  save_module(file.path, parse<phases::optimization>(everything));
  const error snapshot = caught([&] { program::open(file.path); });
  CHECK(snapshot.code() == "file.kind");
  CHECK(snapshot.message() == "this is a partly compiled module, not a program file");
  program::parts parts;
  parts.inputs = {{"x", dtype::f32, {2, 3}}};
  save_program(file.path, parts, std::string("code"), "main");
  CHECK(is_program_file(file.path));
  const error other = caught([&] { load_module(file.path); });
  CHECK(other.code() == "file.kind");
  CHECK(other.hint() == "run it: tenon run FILE; a program holds no module any more");
}
