// needs: llvm
// Code that is made in parts: one object of it, the same bytes on every number of threads, and the first error.
#include <doctest/doctest.h>

#include <atomic>
#include <cstring>

#include <tenon/artifacts/elf.hpp>
#include <tenon/artifacts/object_file.hpp>
#include <tenon/compile/codegen/apart.hpp>
#include <tenon/compile/codegen/progress.hpp>
#include <tenon/core/error.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/text/parse.hpp>

#include "../src/codegen/parts.hpp"
#include "support/caught.hpp"
#include "support/elf_sections.hpp"
#include "support/lowered.hpp"

using namespace tenon;
using testing::code_of;

namespace {

/// x times weights, so often, each time by weights of another width: kernels that no other one is like.
ir_module<phases::ingestion> products(int count) {
  ir::module m;
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {4, 16}))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true, m[f].argument_names = {"x"}, m[f].result_names = {"y"};
  ir::builder<> b(m, m[f].body);
  value_id y = m[m[f].body].arguments[0];
  for (int i = 0; i < count; ++i) {
    tensor w(dtype::f32, {16 + 3 * i, 19 + 3 * i});
    for (i64 k = 0; k < w.size(); ++k) w.set_f64(k, static_cast<double>(k % 7 - 3) / 64);
    y = b.make(op::tanh{}, {b.make(op::matmul{}, {y, b.make(op::constant{m.add_constant(w)}, {})})});
  }
  b.make_op(op::return_{}, std::vector<value_id>{y}, {});
  m[f].result_types = {m[y].type};
  return ir_module<phases::ingestion>::adopt(std::move(m));
}
ir_module<phases::built> built(int count, int threads) {
  const thread_scope scope(threads);
  context cx;
  targets::cpu target;
  target.threads = 1;
  target.configure(cx);
  return build<targets::cpu>(products(count), cx);
}
std::span<const char> object_of(const ir_module<phases::built>& m) {
  return artifact_of<formats::elf_object>(m).bytes();
}

/// How many sections of code an object has.
size_t sections_of(std::span<const char> object) {
  size_t n = 0;
  testing::for_each_section(object,
                            [&](const Elf64_Shdr& s) { n += (s.sh_flags & SHF_EXECINSTR) != 0 && s.sh_size > 0; });
  return n;
}

}  // namespace

TEST_CASE("who waits for code is told how much of it is made, and what takes long, wherever it is made") {
  for (const bool apart : {false, true}) {
    codegen::make_code_apart(apart);
    std::vector<codegen::progress> told;
    const thread_scope scope(3);
    context cx;
    targets::cpu target;
    target.threads = 1;
    target.configure(cx);
    cx.set(codegen::progress_reader{&told, [](void* all, const codegen::progress& p) {
                                      static_cast<std::vector<codegen::progress>*>(all)->push_back(p);
                                    }});
    const auto m = build<targets::cpu>(products(24), cx);
    codegen::make_code_apart(false);
    REQUIRE(told.size() >= 4);  // of each of two parts at least, that it begins and ends
    CHECK(told.front().done == 0);
    CHECK(told.back().done == told.back().all);
    CHECK(told.back().kernel.empty());
    for (size_t i = 0; i + 1 < told.size(); ++i) {
      CHECK(told[i].done <= told[i + 1].done);
      CHECK(told[i].all == told[i + 1].all);
      if (!told[i].kernel.empty()) CHECK(m.body().find_function(told[i].kernel));
    }
    CHECK(!told.front().kernel.empty());
  }
}

TEST_CASE("code of many kernels is made in parts, with the same bytes on every number of threads") {
  const auto one = built(24, 1), two = built(24, 2), many = built(24, 7);
  const std::span<const char> bytes = object_of(one);
  CHECK(sections_of(bytes) > 2);
  CHECK(std::ranges::equal(bytes, object_of(two)));
  CHECK(std::ranges::equal(bytes, object_of(many)));
  CHECK(sections_of(object_of(built(1, 2))) == 1);
  const elf_symbols symbols = symbols_of_elf(bytes);
  CHECK(symbols.defined == std::vector<std::string>{"tenon_main"});
  for (const std::string& s : symbols.needed) CHECK(!s.starts_with("k_"));
}

TEST_CASE("who calls whom stands in one table, of however many parts, for debuggers and profilers") {
  constexpr u32 unwinding = SHT_LOPROC + 1;  // of x86-64
  for (const size_t kernels : {size_t{1}, size_t{24}}) {
    const auto m = built(static_cast<int>(kernels), 2);
    const std::span<const char> bytes = object_of(m);
    size_t tables = 0, records = 0;
    testing::for_each_section(bytes, [&](const Elf64_Shdr& s) {
      if (s.sh_type != unwinding) return;
      ++tables;
      u64 at = 0;
      for (; at + sizeof(u32) <= s.sh_size; ++records) {
        u32 length = 0;
        std::memcpy(&length, bytes.data() + s.sh_offset + at, sizeof length);
        REQUIRE(length != 0);  // else the table would end here
        at += sizeof length + length;
      }
      CHECK(at == s.sh_size);
    });
    CHECK(tables == 1);
    CHECK(records > kernels);
  }
}

TEST_CASE("parts call each other: in memory, and linked to a shared object") {
  const auto m = built(24, 2);
  const std::vector<tensor> x{testing::random_tensor(dtype::f32, {4, 16}, 1)};
  const tensor want = interpret(products(24).body(), "main", x)[0];
  CHECK(testing::distance(load(m.body()).run(x)[0], want) < 1e-5);
  const loaded_code code = load(link(artifact_of<formats::elf_object>(m)));
  CHECK(static_cast<bool>(code.entry() != nullptr));
}

TEST_CASE("of several errors the first part's is said, on every number of threads") {
  const std::vector<codegen::code_part> parts{{{}, 1}, {{}, 5}, {{}, 3}, {{}, 5}};
  for (int threads : {1, 2, 8}) {
    const thread_scope scope(threads);
    std::atomic<int> done = 0;
    const auto make = [&](size_t i) {
      ++done;
      if (i >= 1) throw error("part." + std::to_string(i), "it cannot be made");
    };
    CHECK(code_of([&] { codegen::for_each_part(parts, make); }) == "part.1");
    CHECK(done == 4);
  }
}

TEST_CASE("the parts of a module are its kernels, each once and in order") {
  const auto m = built(24, 1);
  std::vector<function_id> kernels, joined;
  for (function_id f : m.body().functions())
    if (m.body()[f].kind == ir::function_kind::kernel) kernels.push_back(f);
  const auto parts = codegen::parts_of(m.body());
  CHECK(parts.size() > 2);
  CHECK(parts.size() <= codegen::most_parts);
  for (const codegen::code_part& p : parts) joined.insert(joined.end(), p.kernels.begin(), p.kernels.end());
  CHECK(joined == kernels);
  CHECK(codegen::parts_of(m.body(), 1).size() == 1);
}

TEST_CASE("kernels that become alike code are in one part, and there is less to do") {
  const auto kernel = [](const std::string& name, i64 rows, bool vector) {
    std::string s =
        "kernel @" + name +
        "(%x: buffer<64x64xf32>, %y: buffer<64x64xf32>) target(\"cpu\") {\n"
        "  %zero = loop.literal() {type = index} : index\n  %rows = loop.literal() {type = index, integer = " +
        std::to_string(rows) +
        "} : index\n  loop.for(%zero, %rows) {kind = parallel, independent = true} "
        "({ ^(%i: index):\n    loop.for(%zero, %rows) {independent = true" +
        (vector ? ", kind = vector" : "") + "} ({ ^(%j: index):\n      %v = loop.load(%x[%i, %j]) : f32\n";
    for (int k = 0; k < 200; ++k) {
      const std::string before = k == 0 ? "%v" : "%v" + std::to_string(k - 1);
      s += "      %v" + std::to_string(k) + " = loop.scalar(" + before + ", " + before + ") {fn = add} : f32\n";
    }
    return s +
           "      loop.store(%v199, %y[%i, %j])\n      loop.yield()\n    })\n    loop.yield()\n  })\n  return()\n}\n";
  };
  std::string text =
                  "tenon.module phase=build\nfunc entry @main(%x: buffer<64x64xf32>, %y: buffer<64x64xf32>) -> "
                  "(buffer<64x64xf32>) target(\"cpu\") {\n",
              kernels;
  for (int k = 0; k < 8; ++k) {
    const std::string name = "k" + std::to_string(k);
    text += "  call_native(%x, %y) {kernel = @" + name + "}\n";
    kernels += kernel(name, 8 + k, k % 2 == 0);
  }
  const auto m = parse<phases::build>(text + "  return()\n}\n" + kernels);
  const auto parts = codegen::parts_of(m.body());
  REQUIRE(parts.size() == 2);
  for (const codegen::code_part& p : parts) {
    REQUIRE(p.kernels.size() == 4);
    CHECK(p.work < 400);
    for (function_id f : p.kernels)
      CHECK((m.body()[f].name[1] - '0') % 2 == (m.body()[p.kernels[0]].name[1] - '0') % 2);
  }
}

TEST_CASE("objects that cannot be joined are named") {
  const tensor one = tensor::from<float>({2}, {1, 2});
  const auto m = built(1, 1);
  const std::span<const char> beside = artifact_of<formats::elf_object>(m).bytes();  // says for which machine
  const std::string a = constant_object({"a", std::span(&one, 1), {}}, beside),
                    b = constant_object({"b", {}, {{"room", 64}}}, beside);
  const std::vector<std::span<const char>> both{a, b}, twice{a, a}, broken{a, std::span<const char>(a).first(90)};
  const std::vector<std::string> all{"a", "b", "room"}, first{"a"}, none;
  CHECK(symbols_of_elf(joined_objects(both, all)).defined == all);
  CHECK(symbols_of_elf(joined_objects(both, first)).defined == first);
  CHECK(symbols_of_elf(joined_objects(both, none)).defined.empty());
  CHECK(testing::caught([&] { joined_objects(twice, all); }).what() == doctest::Contains("another one defines 'a'"));
  CHECK(code_of([&] { joined_objects(broken, all); }) == "artifact.elf");
  CHECK(code_of([&] { joined_objects({}, all); }) == "artifact.elf");
}
