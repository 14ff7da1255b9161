// seeds FOLDER: writes inputs for each fuzz target to begin with, FOLDER/TARGET/*, and dictionaries,
// FOLDER/TARGET.dict, with the library's own writers and lists: nothing of them stands in the repository.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include <tenon/ir/module_file.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/npy.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/json.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "fuzzers/onnx_seeds.hpp"
#include "fuzzers/orders.hpp"
#include "support/kernel_text.hpp"
#include "support/random_module.hpp"

using namespace tenon;

namespace {

std::filesystem::path folder;

void seed(const std::string& target, const std::string& name, std::string_view bytes) {
  std::filesystem::create_directories(folder / target);
  std::ofstream(folder / target / name, std::ios::binary) << bytes;
}
void dictionary(const std::string& target, const std::set<std::string>& words) {
  std::ofstream out(folder / (target + ".dict"));
  for (const std::string& w : words) {
    out << '"';
    for (char c : w) {
      char hex[8];
      std::snprintf(hex, sizeof hex, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      if (c < ' ' || c > '~' || c == '"' || c == '\\') out << hex;
      else out << c;
    }
    out << "\"\n";
  }
}

template <class... Ops>
void name_ops(std::set<std::string>& words, ops<Ops...>*) {
  const auto one = [&](const ir::op_info& info) {
    words.emplace(std::string(info.name) + "(");
    for (const ir::attribute& a : info.attributes()) {
      words.insert(std::string(a.name) + " = ");
      for (std::string_view s : a.values) words.emplace(s);
    }
  };
  (one(ir::info_of<Ops>), ...);
}

const char* const control = R"(tenon.module phase=optimization
constant #0 : tensor<i64> = [3]
constant #1 : tensor<2xstring> = ["a", "b c"]
func entry @main(%x: tensor<2xNxf32>, %c: tensor<bool>) -> (tensor<2xNxf32>, tensor<?x?xi64>) inputs("x", "c") outputs("y", "n") pure {
  %t = constant() {value = #0} : tensor<i64>
  %y = if_else(%c) : tensor<2xNxf32> ({
    %a = exp(%x) : tensor<2xNxf32>
    yield(%a)
  }, {
    yield(%x)
  })
  %z = repeat(%t, _, %y) : tensor<2xNxf32> ({ ^(%i: tensor<i64>, %d: tensor<bool>, %s: tensor<2xNxf32>):
    %b = add(%s, %x) : tensor<2xNxf32>
    yield(%d, %b)
  })
  %n = non_zero(%z) : tensor<2x?xi64>
  return(%z, %n)
}
)";

program::parts program_parts(bool sizes) {
  program::parts p;
  p.arena_bytes = 256, p.target = "cpu";
  p.inputs = {{"x", dtype::f32, {sizes ? -2 : 2, 4}}}, p.outputs = {{"y", dtype::f32, {sizes ? -3 : 2, 4}}};
  if (sizes) p.sizes.symbols = {"n", "2*n+floor(n,3)"}, p.sizes.buffers = {{0, 1, "4*n"}, {1, 2, "8"}};
  for (const char* c : {"n-1>=0", "max(n,2)-n*1>=0", "n%2==0"})
    if (const auto condition = extent_condition::parse(c); sizes && condition) p.sizes.conditions.push_back(*condition);
  p.constants = {tensor(dtype::f32, {4}), tensor(dtype::i8, {5})};
  return p;
}

void modules() {
  std::set<std::string> words{"tenon.module phase=optimization\n",
                              "func entry @main(",
                              "kernel @",
                              "constant #0 : ",
                              "tensor<",
                              "buffer<",
                              "sequence<",
                              "optional<",
                              "function<(",
                              "-> (",
                              "inputs(",
                              "outputs(",
                              "target(",
                              "loc(",
                              "phase(",
                              "impure {",
                              "forced_pure {",
                              "facts=",
                              "return(",
                              "yield(",
                              "loop.yield()",
                              "({ ^(",
                              "elided",
                              "dense_hex",
                              "artifact ",
                              "_",
                              "none",
                              "*x",
                              "?x",
                              "0x",
                              "-1",
                              "9223372036854775807",
                              "4294967296",
                              "2147483648",
                              "1e308",
                              "nan",
                              "inf"};
  for (int t = 0; t < dtype_count; ++t) words.insert(std::string(name_of(static_cast<dtype>(t))) + ">");
  name_ops(words,
           static_cast<meta::unique_t<meta::concat_t<graph_ops, host_ops, call_ops, loop_ops, buffer_ops>>*>(nullptr));
  dictionary("text", words);
  std::vector<std::pair<ir::module, std::string>> all;
  for (u64 s = 0; s < 60; ++s) all.emplace_back(testing::random_module(s), "ingestion");
  all.emplace_back(parse(testing::kernel_text), "lowering");
  all.emplace_back(parse(control), "optimization");
  ir::module with_code = parse(testing::kernel_text);
  with_code.add_artifact({"elf_object", "cpu", "main", std::vector<char>(40, 'x'), "generate_code"});
  all.emplace_back(std::move(with_code), "lowering");
  int n = 0;
  for (const auto& [m, phase] : all) {
    print_options style;
    style.phase = phase;
    seed("text", std::to_string(n), print(m, style)), seed("module", std::to_string(n), serialize(m, phase));
    ++n;
  }
}

void programs() {
  for (bool sizes : {false, true})
    seed("program", sizes ? "sizes" : "static",
         program_bytes(program_parts(sizes), std::string("no code"), "tenon_main"));
  const auto code = [](const ir::module&, function_id, const void*) {
    return region_file{program_bytes(program_parts(true), std::string("no code"), "tenon_main"), {}};
  };
  ir::module m = parse(R"(tenon.module phase=optimization
func @main.0(%x: tensor<?x4xf32>, %n: tensor<2x?xi64>) -> (tensor<?x4xf32>) target("cpu") {
  %y = add(%x, %x) : tensor<?x4xf32>
  return(%y)
}
func entry @main(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>) inputs("x") outputs("y") {
  %n = non_zero(%x) : tensor<2x?xi64>
  %y = call(%x, %n) {callee = @main.0} : tensor<?x4xf32>
  return(%y)
}
)");
  seed("bundle", "host", serialize(host_bundle(ir::module(m), "cpu", code, nullptr)));
  bundle whole;
  whole.kind = "module", whole.target = "interpreter", whole.phase = "optimization",
  whole.module = testing::random_module(1);
  seed("bundle", "module", serialize(whole));
  bundle nested = host_bundle(ir::module(m), "cpu", code, nullptr);
  const std::string inner = serialize(nested);
  nested.parts.push_back({"b", "bundle", "cpu", "", inner, nullptr});
  seed("bundle", "nested", serialize(nested));
  dictionary("program", {"TENONPRG", "max(n,2)", "floor(n,3)", "ceil(n,3)", "scale(n,1073741824)", "n%2", "==0", ">=0",
                         "9223372036854775807", "-1", "cpu", "tenon_main"});
  dictionary("bundle",
             {"TENONPRG", "TENONMOD", "TENONBND", "host", "linked", "module", "program", "bundle", "none", "cpu"});
  dictionary("module", {"TENONMOD", "optimization", "lowering", "ingestion", "build", "elf_object", "cpu", "main"});
}

void tensors() {
  const auto npy = std::filesystem::temp_directory_path() / ("tenon_seed_" + std::to_string(::getpid()) + ".npy");
  int n = 0;
  for (int t = 0; t < dtype_count; ++t) {
    const dtype type = static_cast<dtype>(t);
    if (type == dtype::index) continue;
    for (const std::vector<i64>& shape : {std::vector<i64>{2, 3}, std::vector<i64>{}, std::vector<i64>{0, 4}}) {
      seed("tensor_pb", std::to_string(n), importers::onnx::encode_tensor(tensor(type, shape), "t"));
      if (type != dtype::string) {
        write_npy(npy.string(), tensor(type, shape));
        std::ifstream in(npy, std::ios::binary);
        seed("npy", std::to_string(n), std::string(std::istreambuf_iterator<char>(in), {}));
      }
      ++n;
    }
  }
  std::filesystem::remove(npy);
  seed("tensor_pb", "sequence",
       importers::onnx::encode_sequence({tensor(dtype::f32, {2}), tensor(dtype::i64, {1})}, "s"));
  seed("npy", "fortran",
       std::string("\x93NUMPY\x01\x00\x46\x00", 10) +
           "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2), }             \n" + std::string(24, '\1'));
  dictionary("npy", {"'descr'", "'fortran_order'", "'shape'", "True", "False", "(1, 2)", "(", "),", "'<f4'", "'<V2'",
                     "'|b1'", "[('f8e4m3fn', '|u1')]", "4294967296", "288230376151711744", "L"});
}

void targets_and_orders() {
  std::set<std::string> words{"composite(",
                              "name",
                              "label",
                              "tag",
                              "options",
                              "members",
                              "{\"name\": \"",
                              "\"options\": {",
                              "\"members\": [",
                              "true",
                              "null",
                              "1e400",
                              "-1",
                              "\\u0000",
                              "threads=",
                              ",",
                              ":",
                              "@"};
  int n = 0;
  for (const char* text : {"cpu", "interpreter", "c_source:optimize=2", "xsimd:threads=2", "cpu:arch=znver4,threads=2",
                           "composite(cpu,npu@my_npu:lanes=8)", "zen4:threads=2", "cpu:arch=\"a,b\""}) {
    seed("target", "text" + std::to_string(n), text),
        seed("target", "json" + std::to_string(n), to_json(parse_target(text)));
    ++n;
  }
  for (const target_tag& t : target_tags()) words.emplace(t.name);
  for (const char* name : {"cpu", "interpreter", "c_source", "xsimd", "composite", "arch", "features", "threads",
                           "optimize", "precision", "triple"})
    words.insert(name);
  dictionary("target", words);
  std::set<std::string> names;
  std::string all;
  const registry& known = registry_of<fuzzing::passes_of_orders>;
  for (const registered_pass& p : known) names.insert(std::string(std::string_view(p.desc->name)) + ", ");
  dictionary("order", names);
  seed("order", "interpreter", "lift_lambdas, inline_calls, infer_shapes");
  const auto order_of = [&](const char* name, auto list) {
    std::string text;
    for (const pass_desc* p : list) text += std::string(std::string_view(p->name)) + ", ";
    seed("order", name, text);
  };
  order_of("c_source", passes_of<pipeline_of<targets::c_source>>());
  order_of("xsimd", passes_of<pipeline_of<targets::xsimd>>());
}

void images() {
  const auto bmp = [](int bits, int width, int height, size_t palette) {
    std::string s = "BM";
    const auto put = [&](u32 v, int n) {
      for (int i = 0; i < n; ++i) s += static_cast<char>(v >> (8 * i));
    };
    const auto stride = static_cast<u32>((width * bits + 31) / 32 * 4), start = static_cast<u32>(54 + palette * 4);
    put(start + stride * static_cast<u32>(height), 4), put(0, 4), put(start, 4), put(40, 4),
        put(static_cast<u32>(width), 4), put(static_cast<u32>(height), 4);
    put(1, 2), put(static_cast<u32>(bits), 2), put(0, 4), put(0, 4), put(0, 4), put(0, 4), put(0, 4), put(0, 4);
    s.append(palette * 4 + stride * static_cast<size_t>(height), '\x55');
    return s;
  };
  for (int bits : {1, 4, 8, 16, 24, 32})
    seed("image", "bmp" + std::to_string(bits), bmp(bits, 5, 3, bits <= 8 ? size_t{1} << bits : 0));
  for (int kind = 1; kind <= 6; ++kind)
    seed("image", "pnm" + std::to_string(kind),
         "P" + std::to_string(kind) + "\n# c\n3 2\n" + (kind % 3 == 1 ? "" : "255\n") +
             (kind <= 3 ? "1 0 1 0 1 1 0 1 0 1 0 1 1 0 1 0 1 0 1" : std::string(18, '\x81')));
  dictionary("image", {"BM", "P1\n", "P4\n", "P6\n", "65535\n", "268435456 ", std::string("\xff\xff\xff\x7f", 4),
                       std::string("\0\0\0\x80", 4)});
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::cerr << "usage: seeds FOLDER\n", 2;
  folder = arguments[1];
  modules(), programs(), tensors(), targets_and_orders(), images();
  const auto models = fuzzing::onnx_seeds();
  for (const auto& [name, file] : models) seed("onnx", name, file);
  std::cout << models.size() << " models\n";
}
