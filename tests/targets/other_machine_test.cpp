// needs: llvm
// Code for machines that this one is not: made, linked and described here; run by an emulator, where there is one.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include <elf.h>

#include <tenon/artifacts/elf.hpp>
#include <tenon/artifacts/object_file.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/core/machine.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/host_cpu.hpp>
#include <tenon/targets/model_library.hpp>
#include <tenon/targets/spec.hpp>
#include <tenon/text/parse.hpp>

#include "support/caught.hpp"
#include "support/random_module.hpp"
#include "support/skip.hpp"

using namespace tenon;

namespace {

/// A machine, with what compiles and runs C for it. (Debian: gcc-aarch64-linux-gnu, gcc-riscv64-linux-gnu, qemu-user.)
struct other_machine {
  const char *target, *compiler, *emulator;
  u16 elf;
  bool is_here() const {
    const auto has = [](std::string command) {
      command = command.substr(0, command.find(' '));
      return std::system(("command -v " + command + " > /dev/null").c_str()) == 0;
    };
    return has(compiler) && has(emulator);
  }
};
constexpr other_machine machines_to_try[] = {
    {"cpu:triple=aarch64-linux-gnu", "aarch64-linux-gnu-gcc", "qemu-aarch64", EM_AARCH64},
    {"cpu:triple=aarch64-linux-gnu,arch=neoverse-n2", "aarch64-linux-gnu-gcc", "qemu-aarch64 -cpu max", EM_AARCH64},
    {"cpu:triple=riscv64-linux-gnu", "riscv64-linux-gnu-gcc", "qemu-riscv64", EM_RISCV},
    {"cpu:triple=riscv64-linux-gnu,features=+v", "riscv64-linux-gnu-gcc", "qemu-riscv64 -cpu rv64,v=true,vlen=128",
     EM_RISCV},
};

ir::module built(ir::module m, const std::string& target) {
  context cx;
  target_from<targets::cpu>(parse_target(target)).configure(cx);
  cx.target = parse_target(target);
  return std::move(build<targets::cpu>(ir_module<phases::ingestion>::adopt(std::move(m)), cx).body());
}

constexpr const char* small = R"(tenon.module phase=optimization
constant #0 "w" : tensor<3x4xf32> = [0.5, -1, 2, 0.25, 1, 0, -0.5, 3, -2, 1.5, 0.75, 1]
constant #1 "k" : tensor<2x1x3x3xf32> = [1, 2, 1, 0, 0, 0, -1, -2, -1, 1, 0, -1, 2, 0, -2, 1, 0, -1]
func entry @main(%x: tensor<2x3xf32>, %i: tensor<1x1x9x9xf32>) -> (tensor<2x4xf32>, tensor<1x2x7x7xf32>) inputs("x", "i") outputs("y", "edges") {
  %w = constant() {value = #0} : tensor<3x4xf32>
  %k = constant() {value = #1} : tensor<2x1x3x3xf32>
  %m = matmul(%x, %w) : tensor<2x4xf32>
  %s = softmax(%m) {axis = 1} : tensor<2x4xf32>
  %t = tanh(%s) : tensor<2x4xf32>
  %c = conv(%i, %k) {strides = [1, 1], pads = [0, 0, 0, 0], dilations = [1, 1], group = 1} : tensor<1x2x7x7xf32>
  return(%t, %c)
})";

std::string elementwise(const std::string& type, const std::string& op) {
  return "tenon.module phase=ingestion\nfunc entry @main(%x: " + type + ", %y: " + type + ") -> (" + type +
         ") inputs(\"x\", \"y\") outputs(\"z\") {\n  %z = " + op + "(%x, %y) : " + type + "\n  return(%z)\n}";
}
tensor filled(dtype t, std::vector<i64> shape, double first, double step) {
  tensor x(t, std::move(shape));
  for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, first + step * static_cast<double>(i % 13));
  return x;
}

/// What a program in C prints that is linked with the library and run by the emulator: the outputs' elements. It fails
/// where the run changes how the processor computes.
std::vector<tensor> run_there(const other_machine& machine, const ir::module& m, std::span<const tensor> inputs,
                              std::span<const tensor> like) {
  const model_library lib = library_of(m, {"drawn", {}});
  char name[] = "/tmp/tenonXXXXXX";
  const std::string folder = ::mkdtemp(name);
  const auto sizes = [](std::span<const tensor> list) {
    std::string s;
    for (const tensor& t : list) s += std::to_string(t.bytes()) + ", ";
    return s + "0";
  };
  std::string given;
  for (const tensor& t : inputs) given.append(static_cast<const char*>(t.data()), static_cast<size_t>(t.bytes()));
  write_atomically(folder + "/in", given);
  write_atomically(folder + "/drawn.h", lib.c_header), write_atomically(folder + "/libdrawn.a", lib.archive());
  write_atomically(folder + "/main.c", R"(#include "drawn.h"
#include <stdio.h>
#include <stdlib.h>
static unsigned long mode(void) {
  unsigned long m = 0;
#if defined(__aarch64__)
  __asm__ volatile("mrs %0, fpcr" : "=r"(m));
#elif defined(__riscv)
  __asm__ volatile("frrm %0" : "=r"(m));
#endif
  return m;
}
 int main(int argc, char **argv) {
  static const size_t given[] = {)" + sizes(inputs) +
                                           "}, made[] = {" + sizes(like) + R"(};
  enum { inputs = sizeof given / sizeof *given - 1, outputs = sizeof made / sizeof *made - 1 };
  void *in[inputs + 1], *out[outputs + 1];
  const unsigned long before = mode();
  tenon_model_runtime runtime = {0};
  FILE *from = fopen(argv[1], "rb"), *to = fopen(argv[2], "wb");
  size_t i;
  if (argc != 3 || !from || !to) return 2;
  for (i = 0; i < inputs; ++i) {
    in[i] = aligned_alloc(64, (given[i] / 64 + 1) * 64);
    if (fread(in[i], 1, given[i], from) != given[i]) return 3;
  }
  for (i = 0; i < outputs; ++i) out[i] = aligned_alloc(64, (made[i] / 64 + 1) * 64);
  runtime.version = 1;
  runtime.parallel_for = tenon_model_serial;
  drawn_entry(in, out, drawn_workspace, drawn_constants, &runtime);
  for (i = 0; i < outputs; ++i)
    if (fwrite(out[i], 1, made[i], to) != made[i]) return 4;
  return fclose(to) || mode() != before;
}
)");
  const std::string compile = std::string(machine.compiler) + " -std=c11 -Wall -Wextra -Werror -O1 -static " + folder +
                              "/main.c -o " + folder + "/program -L" + folder + " -ldrawn -lm";
  REQUIRE(std::system(compile.c_str()) == 0);
  REQUIRE(std::system((machine.emulator + (" " + folder) + "/program " + folder + "/in " + folder + "/out").c_str()) ==
          0);
  std::ifstream in(folder + "/out", std::ios::binary);
  std::vector<tensor> got;
  for (const tensor& t : like) {
    got.emplace_back(t.type(), t.shape());
    in.read(static_cast<char*>(got.back().data()), static_cast<std::streamsize>(t.bytes()));
    REQUIRE(in.gcount() == static_cast<std::streamsize>(t.bytes()));
  }
  CHECK(std::system(("rm -r " + folder).c_str()) == 0);
  return got;
}
void check_there(const other_machine& machine, const ir::module& m, std::span<const tensor> inputs) {
  const std::vector<tensor> want = interpret(m, "main", inputs);
  const std::vector<tensor> got = run_there(machine, built(ir::module(m), machine.target), inputs, want);
  for (size_t i = 0; i < want.size(); ++i) {
    const comparison c = compare(got[i], want[i], {2e-5, 2e-5, 2e-5, false});
    CHECK_MESSAGE(c.ok, machine.target << ": " << c.message);
  }
}
template <class F>
void on_each(F&& f) {
  for (const other_machine& machine : machines_to_try)
    if (machine.is_here()) f(machine);
    else
      testing::skip(std::string(machine.target) + ": " + machine.compiler + " or " + machine.emulator + " is missing");
}

}  // namespace

TEST_CASE("a library for another machine computes there what the interpreter computes") {
  on_each([](const other_machine& machine) {
    const tensor inputs[] = {filled(dtype::f32, {2, 3}, -0.5, 0.3), filled(dtype::f32, {1, 1, 9, 9}, -1, 0.25)};
    check_there(machine, parse(small), inputs);
  });
}

TEST_CASE("random modules compute there what the interpreter computes") {
  on_each([](const other_machine& machine) {
    for (u64 seed = 1; seed <= 8; ++seed) {
      CAPTURE(seed);
      const ir::module m = testing::random_module(seed);
      std::vector<tensor> inputs;
      const ir::function& f = m[m.find_function("main")];
      for (value_id v : m[f.body].arguments) {
        std::vector<i64> shape;
        for (ir::dim d : m.type_of(v).shape) shape.push_back(d.extent());
        inputs.push_back(filled(m.type_of(v).elem, shape, 0, 0.25));
      }
      check_there(machine, m, inputs);
    }
  });
}

TEST_CASE("16-bit floats are converted as the interpreter does, where the processor has no instruction for it, too") {
  on_each([](const other_machine& machine) {
    const tensor values =
        tensor::from<float>({16}, {0.0f, -0.0f, 1, -1.5f, 65504, 65520, 1e-7f, 6.1e-5f, 5.96e-8f, 2.98e-8f, 1.0009766f,
                                   1.0004883f, 0.333f, INFINITY, -INFINITY, 2049});
    constexpr const char* text = R"(tenon.module phase=ingestion
func entry @main(%x: tensor<16xf32>) -> (tensor<16xf16>, tensor<16xf32>) inputs("x") outputs("h", "y") {
  %h = cast(%x) {to = f16} : tensor<16xf16>
  %w = cast(%h) {to = f32} : tensor<16xf32>
  %s = add(%w, %w) : tensor<16xf32>
  %a = cast(%s) {to = f16} : tensor<16xf16>
  %y = cast(%a) {to = f32} : tensor<16xf32>
  return(%h, %y)
})";
    const ir::module m = parse(text);
    const std::vector<tensor> want = interpret(m, "main", {&values, 1});
    const std::vector<tensor> got = run_there(machine, built(ir::module(m), machine.target), {&values, 1}, want);
    for (size_t i = 0; i < want.size(); ++i) CHECK_MESSAGE(same_bits(got[i], want[i]), machine.target);
  });
}

TEST_CASE("floats below the least normal one are zeros where the machine has such a mode, and kept where it is asked") {
  on_each([](const other_machine& machine) {
    const ir::module m = parse(elementwise("tensor<37xf32>", "mul"));
    const tensor inputs[] = {filled(dtype::f32, {37}, 1e-20, 0), filled(dtype::f32, {37}, 1e-20, 0)};
    const std::vector<tensor> want = interpret(m, "main", inputs);
    REQUIRE(want[0].at_f64(0) != 0);
    const bool flushes = machine.elf != EM_RISCV;
    const tensor usual = run_there(machine, built(ir::module(m), machine.target), inputs, want)[0];
    CHECK((usual.at_f64(36) == 0) == flushes);
    const tensor kept =
        run_there(machine, built(ir::module(m), machine.target + std::string(",denormals=keep")), inputs, want)[0];
    CHECK(same_bits(kept, want[0]));
  });
}

TEST_CASE("products of bytes are exact, by the instruction that a processor has for them, too") {
  std::string weights;
  for (int i = 0; i < 24 * 9; ++i) weights += (i == 0 ? "" : ", ") + std::to_string(i * 89 % 256 - 128);
  const ir::module m = parse("tenon.module phase=optimization\nconstant #0 : tensor<24x9xi8> = [" + weights + R"(]
func entry @main(%x: tensor<5x24xu8>) -> (tensor<5x9xi32>) inputs("x") outputs("y") {
  %w = constant() {value = #0} : tensor<24x9xi8>
  %a = cast(%x) {to = i32} : tensor<5x24xi32>
  %b = cast(%w) {to = i32} : tensor<24x9xi32>
  %y = matmul(%a, %b) : tensor<5x9xi32>
  return(%y)
})");
  tensor x(dtype::u8, {5, 24});
  for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, static_cast<double>(i * 57 % 256));
  const std::vector<tensor> want = interpret(m, "main", {&x, 1});
  const auto assembly = [&](const char* target) {
    context cx;
    target_from<targets::cpu>(parse_target(target)).configure(cx);
    codegen::options o = cx.get<codegen::options>();
    o.keep_text = true;
    const auto lowered =
        compile_to<phases::build, targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx);
    return codegen::emit_object(lowered.body(), o).assembly;
  };
  CHECK(assembly("cpu:triple=aarch64-linux-gnu,features=+i8mm").find("usdot") != std::string::npos);
  CHECK(assembly("cpu:triple=aarch64-linux-gnu").find("usdot") == std::string::npos);
  on_each([&](const other_machine& machine) {
    const tensor got = run_there(machine, built(ir::module(m), machine.target), {&x, 1}, want)[0];
    CHECK_MESSAGE(same_bits(got, want[0]), machine.target);
  });
}

TEST_CASE("code that is made in parts is joined for the other machine") {
  ir::module m;
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {4, 16}))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true, m[f].argument_names = {"x"}, m[f].result_names = {"y"};
  ir::builder<> b(m, m[f].body);
  value_id y = m[m[f].body].arguments[0];
  for (i64 i = 0; i < 12; ++i) {  // by weights of other widths each: kernels that no other one is like
    const tensor w = filled(dtype::f32, {16 + 3 * i, 19 + 3 * i}, -0.05, 0.01);
    y = b.make(op::tanh{}, {b.make(op::matmul{}, {y, b.make(op::constant{m.add_constant(w)}, {})})});
  }
  b.make_op(op::return_{}, std::vector<value_id>{y}, {});
  m[f].result_types = {m[y].type};
  on_each([&](const other_machine& machine) {
    const tensor x = filled(dtype::f32, {4, 16}, -1, 0.2);
    check_there(machine, m, {&x, 1});
  });
}

TEST_CASE("objects, constants and headers are for the machine that the triple names") {
  for (const other_machine& machine : machines_to_try) {
    const ir::module m = built(parse(small), machine.target);
    CHECK(machine_of_triple(triple_of(m.artifacts()[0].target))->elf_machine == machine.elf);
    const model_library lib = library_of(m, {"small", {}});
    REQUIRE(lib.objects.size() == 2);
    Elf64_Ehdr code, data;
    std::memcpy(&code, lib.objects[0].second.data(), sizeof code);
    std::memcpy(&data, lib.objects[1].second.data(), sizeof data);
    CHECK(code.e_machine == machine.elf);
    CHECK(data.e_machine == machine.elf);
    CHECK(data.e_flags == code.e_flags);  // RISC-V: floats in registers of 64 bits, else linkers refuse
    CHECK(lib.c_header.find(std::string("#if !defined(") + std::string(machine_of_elf(machine.elf)->macro) + ")") !=
          std::string::npos);
  }
}

TEST_CASE("the same text makes the same code again") {
  for (const other_machine& machine : machines_to_try) {
    const ir::module first = built(parse(small), machine.target);
    const ir::module again = built(parse(small), first.artifacts()[0].target);
    CHECK(again.artifacts()[0].bytes == first.artifacts()[0].bytes);
    CHECK(again.artifacts()[0].target == first.artifacts()[0].target);
  }
}

TEST_CASE("code for another machine is kept in files, and refused where it is loaded") {
  for (const other_machine& machine : machines_to_try) {
    const ir::module m = built(parse(small), machine.target);
    const error e = testing::caught([&] { load(m); });
    CHECK(e.code() == "program.machine");
    CHECK(e.message().find(triple_of(m.artifacts()[0].target)) != std::string::npos);
    const std::string file = program_file(m);
    CHECK(testing::code_of([&] { open_program(read_program(file, nullptr, "a.tenon")); }) == "program.machine");
    // Its own description is believed where the text says nothing.
    program_contents silent = read_program(file, nullptr, "a.tenon");
    silent.parts.target = "cpu";
    CHECK(testing::code_of([&] { open_program(std::move(silent)); }) == "program.machine");
  }
}

TEST_CASE("a triple of this machine is for every processor of it") {
  const machine_info* here = this_machine();
  if (here == nullptr) return testing::skip("there is no code for this machine");
  const ir::module m = built(parse(small), "cpu:triple=" + std::string(here->architecture) + "-linux-gnu");
  const tensor inputs[] = {filled(dtype::f32, {2, 3}, -0.5, 0.3), filled(dtype::f32, {1, 1, 9, 9}, -1, 0.25)};
  const std::vector<tensor> want = interpret(parse(small), "main", inputs);
  const std::vector<tensor> got = load(m).run({inputs[0], inputs[1]}, 1);
  for (size_t i = 0; i < want.size(); ++i) CHECK(compare(got[i], want[i], {2e-5, 2e-5, 2e-5, false}).ok);
  if (here->elf_machine == EM_X86_64)
    CHECK(option_in_target(m.artifacts()[0].target, "arch") == std::string_view("x86-64"));
}

TEST_CASE("what there is no code for is named, with what there is") {
  const auto refused = [](const std::string& target) {
    return testing::caught([&] {
      context cx;
      target_from<targets::cpu>(parse_target(target)).configure(cx);
    });
  };
  const auto says = [&](const std::string& target, const char* code, const char* words) {
    const error e = refused(target);
    CHECK_MESSAGE(e.code() == code, target << ": " << e.what());
    CHECK_MESSAGE(std::string(e.what()).find(words) != std::string::npos, target << ": " << e.what());
  };
  says("cpu:triple=vax-dec-ultrix", "target.triple", "none of x86_64, aarch64, riscv64");
  says("cpu:triple=armv7-linux-gnueabihf", "target.triple", "none of");
  says("cpu:triple=aarch64-linx-gnu", "target.triple", "names no system");
  says("cpu:triple=x86_64-pc-windows-msvc", "target.triple", "no ELF files");
  says("cpu:triple=arm64-apple-macosx", "target.triple", "no ELF files");
  says("cpu:triple=x86_64-linux-gnux32", "target.triple", "32 bits");
  says("cpu:arch=cortex-a72", "target.value", "it is one of aarch64: say the triple too");
  says("cpu:triple=aarch64-linux-gnu,arch=haswell", "target.value", "it is one of x86_64");
  says("cpu:triple=aarch64-linux-gnu,arch=cortex-a27", "target.value", "did you mean");
  says("cpu:triple=aarch64-linux-gnu,features=-neon", "target.value", "it needs floats and NEON");
  says("cpu:triple=riscv64-linux-gnu,arch=generic-rv64", "target.value", "floats in registers");
  says("cpu:triple=riscv64-linux-gnu,arch=generic-rv32", "target.value", "64 bits");
  CHECK(refused("cpu:triple=aarch64-none-elf").code() == "none");  // a system is not needed
}

TEST_CASE("where code runs is read from its triple") {
  const std::string here = this_machine() != nullptr ? std::string(this_machine()->architecture) : "none";
  CHECK(runs_here(""));
  CHECK(runs_here(here + "-linux-gnu"));
  CHECK(runs_here(here + "-unknown-linux-musl"));
  CHECK(!runs_here(here + "-unknown-freebsd"));
  CHECK(!runs_here(here + "-none-elf"));
  CHECK(!runs_here(here == "aarch64" ? "x86_64-linux-gnu" : "arm64-linux-gnu"));
  CHECK(!runs_here("vax-dec-ultrix"));
  CHECK(triple_of("cpu:triple=riscv64-linux-gnu,arch=x") == "riscv64-linux-gnu");
  CHECK(triple_of("cpu:arch=triple").empty());
}
