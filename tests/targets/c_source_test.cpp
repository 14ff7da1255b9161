// C source: what the interpreter computes, by the system's compiler; a unit that stands alone; an artifact as any
// other.
#include <doctest/doctest.h>

#include <unistd.h>

#include <array>
#include <cstdlib>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/c_source_session.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "support/random_module.hpp"
#include "support/setting.hpp"
#include "support/skip.hpp"
#include "support/unlike.hpp"

using namespace tenon;

static_assert(target<targets::c_source> && is_complete<targets::c_source>);
static_assert(can_be<formats::c_source, can::save> && can_be<formats::c_source, can::link> &&
              !can_be<formats::c_source, can::load>);

// What has no use in C does not run for it; all else that runs for cpu does.
template <class Pass>
constexpr bool runs = meta::contains_v<Pass, targets::c_source::pipeline::passes>;
static_assert(!runs<passes::vectorize> && !runs<passes::parallelize> && !runs<passes::tile> &&
              !runs<passes::generate_code>);
static_assert(runs<passes::fuse> && runs<passes::plan_memory> && runs<passes::emit_c>);

namespace {

auto built_from(ir::module m) {
  context cx;
  targets::c_source{}.configure(cx);
  return build<targets::c_source>(ir_module<phases::ingestion>::adopt(std::move(m)), cx);
}

/// What differs, or nothing.
std::string difference(const ir::module& m, std::span<const tensor> inputs) {
  return testing::unlike(load_c_source(built_from(m)).run(inputs), interpret(m, "main", inputs),
                         testing::allowed_for(m));
}

}  // namespace

TEST_CASE("C code computes what the interpreter computes") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  const u64 seeds = testing::setting("TENON_C_SEEDS", 60);
  for (u64 seed = 0; seed < seeds; ++seed) {
    const ir::module m = testing::random_module(seed);
    std::string found;
    try {
      found = difference(m, testing::random_inputs(m, seed));
    } catch (const error& e) { found = e.what(); }
    CHECK_MESSAGE(found.empty(), "seed " << seed << ": " << found << "\n" << print(m));
  }
}

TEST_CASE("products of bytes that stand together, as bytes or as words") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  std::string weights;
  for (int i = 0; i < 12 * 21; ++i) weights += (i ? ", " : "") + std::to_string(i * 37 % 256 - 128);
  const ir::module m = parse("tenon.module phase=ingestion\nconstant #0 : tensor<12x21xi8> = [" + weights +
                             "]\nfunc entry @main(%0: tensor<11x12xu8>) -> (tensor<11x21xi32>) inputs(\"x\") "
                             "outputs(\"y\") {\n  %1 = constant() {value = #0} : tensor<12x21xi8>\n"
                             "  %2 = matmul(%0, %1) : tensor<11x21xi32>\n  return(%2)\n}\n");
  tensor x(dtype::u8, {11, 12});
  for (i64 i = 0; i < x.size(); ++i) x.set_i64(i, i % 3 == 0 ? 255 : i * 11 % 256);
  for (const int together : {4, 2}) {
    context cx;
    targets::c_source{}.configure(cx);
    passes::kernel_options k = cx.get<passes::kernel_options>();
    k.products_together = together;
    cx.set(k);
    const auto built = build<targets::c_source>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx);
    CHECK_MESSAGE(same_bits(load_c_source(built).run({&x, 1})[0], interpret(m, "main", {&x, 1})[0]), together);
  }
}

TEST_CASE("sums of products are those of the interpreter on the same loops, bit for bit") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  const ir::module m = parse(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<5x70xf32>, %w: tensor<70x41xf32>) -> (tensor<5x41xf32>) inputs("x", "w") outputs("y") {
  %y = matmul(%x, %w) : tensor<5x41xf32>
  return(%y)
})");
  std::vector<tensor> inputs =
      testing::random_inputs(m, 3);  // random ones are not all finite, and a NaN has many forms
  for (tensor& t : inputs)
    for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i * 37 % 101) / 64 - 0.7);
  context cx;
  targets::c_source{}.configure(cx);
  const auto loops =
      compile_to<phases::build, targets::c_source>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx);
  const auto built = built_from(m);
  CHECK(same_bits(load_c_source(built).run(inputs)[0], interpret(loops.body(), "main", inputs)[0]));
  // Without options of ours, too: clang would join a product and a sum wherever the processor can.
  if (std::system("command -v clang-22 > /dev/null") != 0) return;
  const std::string file = "tenon_sums_" + std::to_string(getpid()) + ".c";
  artifact_of<formats::c_source>(built).save(file);
  CHECK(std::system(("clang-22 -std=c11 -O3 -mfma -w -S -o - " + file + " | grep -q vfmadd").c_str()) != 0);
  unlink(file.c_str());
}

TEST_CASE("depthwise convolutions and sums over windows are those of the interpreter on the same loops, bit for bit") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  for (const i64 window : {2, 3, 5, 9}) {  // loops over the last are not written out
    const std::string w = std::to_string(window);
    const ir::module m = parse(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<1x37x20x18xf32>, %w: tensor<37x1x)" +
                               w + "x" + w + R"(xf32>) -> (tensor<?x?x?x?xf32>) inputs("x", "w") outputs("y") {
  %y = conv(%x, %w) {strides = [1, 1], pads = [1, 1, 1, 1], dilations = [1, 1], group = 37} : tensor<?x?x?x?xf32>
  return(%y)
})");
    std::vector<tensor> inputs = testing::random_inputs(m, 3);
    for (tensor& t : inputs)
      for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i * 37 % 101) / 64 - 0.7);
    context cx;
    targets::c_source{}.configure(cx);
    const auto loops =
        compile_to<phases::build, targets::c_source>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx);
    CHECK_MESSAGE(same_bits(load_c_source(built_from(m)).run(inputs)[0], interpret(loops.body(), "main", inputs)[0]),
                  "window " << window);
  }
}

TEST_CASE("code for any sizes computes what the interpreter computes at each") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  const auto numbers = [](i64 n) {
    std::string list;
    for (i64 i = 0; i < n; ++i) list += (i == 0 ? "" : ", ") + std::to_string((i * 5 + 1) % 7) + ".5";
    return "[" + list + "]\n";
  };
  const ir::module m = parse(
      "tenon.module phase=ingestion\nconstant #0 : tensor<5x3x3x3xf32> = " + numbers(135) +
      "constant #1 : tensor<5x7xf32> = " + numbers(35) +
      R"(func entry @main(%x: tensor<Nx3xHx9xf32>, %y: tensor<NxKxf32>, %z: tensor<KxMxf32>) -> (tensor<?x?x?x?xf32>, tensor<?x?xf32>, tensor<?x?x?xf32>) inputs("x", "y", "z") outputs("image", "product", "table") {
  %k = constant() {value = #0} : tensor<5x3x3x3xf32>
  %w = constant() {value = #1} : tensor<5x7xf32>
  %c = conv(%x, %k) {strides = [1, 1], pads = [1, 1, 1, 1], dilations = [1, 1], group = 1} : tensor<?x?x?x?xf32>
  %r = abs(%c) : tensor<?x?x?x?xf32>
  %p = matmul(%y, %z) : tensor<?x?xf32>
  %s = softmax(%p) {axis = 1} : tensor<?x?xf32>
  %m = reduce_sum(%r) {axes = [2], keep_dims = false} : tensor<?x?x?xf32>
  %t = transpose(%m) {permutation = [0, 2, 1]} : tensor<?x?x?xf32>
  %q = matmul(%t, %w) : tensor<?x?x?xf32>
  return(%r, %s, %q)
})");
  const program p = load_c_source(built_from(m));
  for (const auto& [n, h, k, columns] :
       std::vector<std::array<i64, 4>>{{1, 1, 1, 1}, {2, 5, 3, 17}, {9, 16, 40, 33}, {15, 3, 8, 70}, {3, 4, 2, 0}}) {
    std::vector<tensor> inputs{tensor(dtype::f32, {n, 3, h, 9}), tensor(dtype::f32, {n, k}),
                               tensor(dtype::f32, {k, columns})};
    for (tensor& t : inputs)
      for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>((i * 7 + 3) % 11) / 8 - 0.5);
    const std::vector<tensor> want = interpret(m, "main", inputs), got = p.run(inputs);
    REQUIRE(got.size() == want.size());
    for (size_t i = 0; i < want.size(); ++i) {
      const comparison c = compare(got[i], want[i], {1e-4, 1e-4, 1e-4, false});
      CHECK_MESSAGE(c.ok, "n " << n << ", h " << h << ", k " << k << ", m " << columns << ": " << c.message);
    }
  }
}

TEST_CASE("source for any sizes has no variable that nothing reads") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  const auto built = built_from(parse(R"(tenon.module phase=ingestion
constant #0 : tensor<2x1x2x2xf32> = [1, 2, 3, 4, 5, 6, 7, 8]
func entry @main(%x: tensor<1x1xHxWxf32>) -> (tensor<?x?x?x?xf32>) inputs("x") outputs("y") {
  %k = constant() {value = #0} : tensor<2x1x2x2xf32>
  %c = conv(%x, %k) {strides = [2, 2], pads = [1, 1, 1, 1], dilations = [1, 1], group = 1} : tensor<?x?x?x?xf32>
  %r = abs(%c) : tensor<?x?x?x?xf32>
  return(%r)
})"));
  const std::string file = "tenon_any_sizes_" + std::to_string(getpid()) + ".c";
  artifact_of<formats::c_source>(built).save(file);
  CHECK(std::system(("cc -std=c11 -Wall -Wextra -Werror -fsyntax-only " + file).c_str()) == 0);
  std::remove(file.c_str());
}

TEST_CASE("the source is one unit that says how it is called, and the same twice") {
  const std::string text = R"(tenon.module phase=ingestion
constant #0 : tensor<3xf32> = [1, 2.5, -0]
func entry @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>) inputs("image */") outputs("y") {
  %c = constant() {value = #0} : tensor<3xf32>
  %y = add(%x, %c) : tensor<2x3xf32>
  return(%y)
})";
  const auto built = built_from(parse(text));
  const artifact<formats::c_source> code = artifact_of<formats::c_source>(built);
  const std::string source(code.bytes().data(), code.bytes().size());
  CHECK(code.symbol() == "tenon_main");
  CHECK(code.producer() == "emit_c");
  CHECK(source.find("inputs[0]: image __ f32[2,3]") != source.npos);
  CHECK(source.find("void tenon_main(void* const* inputs, void* const* outputs, void* arena, const void* constants, "
                    "const void* runtime) {") != source.npos);
  const auto again = artifact_of<formats::c_source>(built_from(parse(text)));
  CHECK(source == std::string(again.bytes().data(), again.bytes().size()));
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  const std::vector<std::string> needed = symbols_of_elf(link(code).bytes()).needed;
  for (const std::string& s : needed)
    CHECK_MESSAGE((s[0] == '_' || s.rfind("mem", 0) == 0), s);  // what a compiler adds itself
  CHECK_THROWS_AS((void)link(artifact<formats::c_source>("main", "c11", {'n', 'o'})), error);
}

TEST_CASE("two models are linked to one program, each by a name of its own") {
  const auto refused = [](const char* name) {
    context cx;
    try {
      targets::c_source t;
      t.entry = name;
      t.configure(cx);
    } catch (const error& e) { return e.code(); }
    return std::string("nothing");
  };
  CHECK(refused("two_main2") == "nothing");
  CHECK(refused("2main") == "target.value");
  CHECK(refused("x; y") == "target.value");
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  const char* compiler = std::getenv("CC");
  const std::string folder = "tenon_two_models_" + std::to_string(getpid());
  REQUIRE(std::system(("mkdir " + folder).c_str()) == 0);
  std::string command = "cd " + folder + " && " + (compiler != nullptr ? compiler : "cc") + " -std=c11 -o both both.c";
  for (const char* name : {"one", "two"}) {
    context cx;
    targets::c_source t;
    t.entry = std::string(name) + "_main";
    t.configure(cx);
    const std::string op = name[0] == 'o' ? "add" : "mul";
    const auto built = build<targets::c_source>(parse<phases::ingestion>(R"(tenon.module phase=ingestion
constant #0 : tensor<2xf32> = [3, 4]
func entry @main(%x: tensor<2xf32>) -> (tensor<2xf32>) inputs("x") outputs("y") {
  %c = constant() {value = #0} : tensor<2xf32>
  %y = )" + op + R"((%x, %c) : tensor<2xf32>
  return(%y)
})"),
                                                cx);
    CHECK(artifact_of<formats::c_source>(built).symbol() == t.entry);
    artifact_of<formats::c_source>(built).save(folder + "/" + name + ".c");
    command += std::string(" ") + name + ".c";
    const program p = load_c_source(built);
    CHECK(p.run({tensor::from<float>({2}, {10, 20})})[0].at_f64(1) == (name[0] == 'o' ? 24 : 80));
  }
  write_atomically(folder + "/both.c", R"(
#include <stdint.h>
void one_main(void* const*, void* const*, void*, const void*, const void*);
void two_main(void* const*, void* const*, void*, const void*, const void*);
extern const int64_t one_main_arena_bytes, two_main_arena_bytes;
 int main(void) {
  float x[2] = {10, 20}, y[2], z[2];
  _Alignas(64) char arena[4096];
  void *inputs[] = {x}, *a[] = {y}, *b[] = {z};
  if (one_main_arena_bytes > 4096 || two_main_arena_bytes > 4096) return 1;
  one_main(inputs, a, arena, 0, 0), two_main(inputs, b, arena, 0, 0);
  return y[0] == 13 && y[1] == 24 && z[0] == 30 && z[1] == 80 ? 0 : 2;
}
)");
  CHECK(std::system((command + " -lm && ./both").c_str()) == 0);
  CHECK(std::system(("rm -r " + folder).c_str()) == 0);
}

TEST_CASE("every byte of a constant arrives, however many there are") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  for (i64 n : {0, 1, 5, 1023, 1024, 1025, 200000}) {
    ir::module m =
        parse("tenon.module phase=ingestion\nconstant #0 : tensor<" + std::to_string(n) + "xu8> = dense_hex \"" +
              [&] {
                std::string hex;
                for (i64 i = 0; i < n; ++i) hex += "0123456789abcdef"[i / 16 % 16], hex += "0123456789abcdef"[i % 16];
                return hex;
              }() +
              "\"\nfunc entry @main(%x: tensor<" + std::to_string(n) + "xu8>) -> (tensor<" + std::to_string(n) +
              "xu8>) inputs(\"x\") outputs(\"y\") {\n  %c = constant() {value = #0} : tensor<" + std::to_string(n) +
              "xu8>\n  %y = bit_xor(%x, %c) : tensor<" + std::to_string(n) + "xu8>\n  return(%y)\n}");
    const std::vector<tensor> x{tensor(dtype::u8, {n})};
    const auto built = built_from(m);
    const tensor want = interpret(m, "main", x)[0];
    const program p = load_c_source(built);
    CHECK(same_bits(p.run(x)[0], want));
    // As text, in the artifact.
    const loaded_code alone = load(link(artifact_of<formats::c_source>(built)));
    const void* const inputs[] = {x[0].data()};
    tensor y(dtype::u8, {n}), arena(dtype::u8, {1 << 20});
    void* const outputs[] = {y.data()};
    alone.call(const_cast<void* const*>(inputs), outputs, arena.data(), nullptr, nullptr);
    CHECK(same_bits(y, want));
    CHECK(p.description().code_bytes < 60000);  // constants are beside the code of a program, not in it
  }
}

TEST_CASE("it is a target by its text: options, errors, and code for one size after the other") {
  targets::register_c_source_target();
  const target_entry& entry = find_entry("c_source");
  CHECK(entry.format == "c_source");
  CHECK(entry.abi == "c_entry");
  CHECK(entry.runtime == "c_compiler");
  context cx;
  const auto refused = [&](const char* text) {
    try {
      entry.configure(parse_target(text), 0, cx);
    } catch (const error& e) { return e.code() + ": " + e.message(); }
    return std::string("nothing");
  };
  CHECK(refused("c_source:optimize=4") == "target.value: option 'optimize' of target 'c_source' is out of range");
  CHECK(refused("c_source:optimise=1") == "target.option: target 'c_source' has no option 'optimise'");
  CHECK(refused("c_source:optimize=1") == "nothing");
  if (!has_c_compiler()) return testing::skip("there is no C compiler");

  std::vector<program> all;  // stay loaded
  for (i64 n : {2, 3, 4}) {
    const std::string t = "tensor<" + std::to_string(n) + "xf32>";
    all.push_back(load_c_source(
        built_from(parse("tenon.module phase=ingestion\nfunc entry @main(%x: " + t + ") -> (" + t +
                         ") inputs(\"x\") outputs(\"y\") {\n  %y = add(%x, %x) : " + t + "\n  return(%y)\n}"))));
  }
  for (i64 n : {2, 3, 4}) {
    tensor x(dtype::f32, {n});
    x.set_f64(n - 1, 7);
    CHECK(all[static_cast<size_t>(n - 2)].run({x})[0].at_f64(n - 1) == 14);
  }
}
