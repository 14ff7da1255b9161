// needs: llvm xsimd
// Program files serve the sizes that the interpreter serves: where a type rule takes two symbols as equal, or a slice
// as staying inside, the file holds a variant that does not.
#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <tenon/artifacts/c_source.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/c_source_session.hpp>
#include <tenon/targets/general_variant.hpp>
#include <tenon/targets/program_maker.hpp>
#include <tenon/targets/xsimd_session.hpp>

#include "support/all_sizes.hpp"
#include "support/lowered.hpp"
#include "support/skip.hpp"

using namespace tenon;
using namespace tenon::testing::all_sizes;

namespace {

using binding = std::map<std::string, i64>;

/// A program file of one graph, opened.
struct filed {
  explicit filed(const std::string& text, const char* target = "cpu") : source(module_of(text)) {
    path = std::filesystem::temp_directory_path() / ("tenon_sizes_" + std::to_string(::getpid()) + ".tenon");
    std::ofstream(path, std::ios::binary)
        << make_program(ir_module<phases::ingestion>::adopt(ir::module(source)), parse_target(target));
    code = open_executable(path);
  }
  ~filed() { std::filesystem::remove(path); }

  /// What differs from the interpreter for these sizes: results, or whether there are any.
  std::string difference(const binding& sizes, int threads) const {
    const std::vector<tensor> inputs = inputs_for(source, sizes, 3);
    const std::vector<value> values(inputs.begin(), inputs.end());
    std::string with;
    for (const auto& [name, size] : sizes) with += " " + name + "=" + std::to_string(size);
    std::vector<tensor> want;
    try {
      want = interpret(source, "main", inputs);
    } catch (const error& e) {
      const auto why = code->refusal(values);
      return why && why->code() == "program.condition" ? "" : "it serves" + with + ", which are wrong: " + e.what();
    }
    if (const auto why = code->refusal(values)) return "it refuses" + with + ": " + why->what();
    const std::vector<tensor> got = code->run(inputs, threads);
    for (size_t i = 0; i < want.size(); ++i)
      if (!(testing::distance(got[i], want[i]) <= 1e-5))
        return "result " + std::to_string(i) + " is " + got[i].describe() + ", wanted " + want[i].describe() + " with" +
               with;
    return "";
  }
  /// The same for all sizes of some names.
  std::string difference(const std::vector<std::string>& names, const std::vector<i64>& sizes) const {
    std::vector<size_t> at(names.size());
    for (;;) {
      binding b;
      for (size_t i = 0; i < names.size(); ++i) b[names[i]] = sizes[at[i]];
      for (int threads : {1, 2})
        if (const std::string d = difference(b, threads); !d.empty()) return d;
      size_t i = 0;
      while (i < at.size() && ++at[i] == sizes.size()) at[i++] = 0;
      if (i == at.size()) return "";
    }
  }

  ir::module source;
  std::string path;
  std::unique_ptr<executable> code;
};

const std::vector<i64> few{0, 1, 2, 3, 17};

/// Every other op, from the first or the second one, is for the member `other`.
std::string striped(const std::string& text, size_t first) {
  std::string made;
  std::istringstream lines(text);
  size_t op = 0;
  for (std::string line; std::getline(lines, line); made += line + "\n")
    if (line.starts_with("%") && op++ % 2 == first) line += " target(\"other\")";
  return made;
}

}  // namespace

TEST_CASE("symbols that meet are equal, or one of them is 1") {
  CHECK(filed(entry("%a: tensor<bxnxf32>, %c: tensor<kxf32>", "tensor<bx?xf32>", "%y = add(%a, %c) : tensor<bx?xf32>"))
            .difference({"b", "n", "k"}, few) == "");
  CHECK(filed(entry("%a: tensor<bxnxf32>, %c: tensor<kxmxf32>", "tensor<?x?xf32>",
                    "%s = mul(%a, %c) : tensor<?x?xf32>\n%t = add(%s, %a) : tensor<?x?xf32>\n"
                    "%u = maximum(%t, %c) : tensor<?x?xf32>\n%y = neg(%u) : tensor<?x?xf32>"))
            .difference({"b", "n", "k", "m"}, {0, 1, 2, 17}) == "");
  CHECK(filed(entry("%a: tensor<axf32>, %b: tensor<bxf32>, %c: tensor<cxf32>", "tensor<?xf32>",
                    "%s = add(%a, %b) : tensor<?xf32>\n%y = add(%c, %s) : tensor<?xf32>"))
            .difference({"a", "b", "c"}, few) == "");
}

TEST_CASE("a symbol that meets a number is that, or 1") {
  const std::string text = entry("%a: tensor<bxnxf32>, %c: tensor<3xf32>", "tensor<bx3xf32>",
                                 "%s = add(%a, %c) : tensor<bx3xf32>\n%y = neg(%s) : tensor<bx3xf32>");
  CHECK(filed(text).difference({"b", "n"}, few) == "");
}

TEST_CASE("products whose batches broadcast, and what follows from a shape") {
  CHECK(filed(entry("%a: tensor<bx4x5xf32>, %c: tensor<kx5x3xf32>", "tensor<?x4x3xf32>",
                    "%p = matmul(%a, %c) : tensor<?x4x3xf32>\n%y = neg(%p) : tensor<?x4x3xf32>"))
            .difference({"b", "k"}, few) == "");
  CHECK(filed(entry("%a: tensor<bxnxf32>, %c: tensor<kxnxf32>", "tensor<?xf32>",
                    "%s = sub(%a, %c) : tensor<?xnxf32>\n%d = shape_of(%s) {start = 0, end = 1} : tensor<1xi64>\n"
                    "%f = reshape(%s) {shape = [-1]} : tensor<?xf32>\n"
                    "%e = cast(%d) {to = f32} : tensor<1xf32>\n%y = mul(%f, %e) : tensor<?xf32>"))
            .difference({"b", "n", "k"}, few) == "");
  CHECK(filed(entry("%m: tensor<bxnxbool>, %a: tensor<nxf32>, %c: tensor<kx1xf32>", "tensor<?xf32>",
                    "%w = where(%m, %a, %c) : tensor<?xnxf32>\n"
                    "%y = reduce_sum(%w) {axes = [1], keep_dims = false} : tensor<?xf32>"))
            .difference({"b", "n", "k"}, few) == "");
}

TEST_CASE("where extents would double with each layer, code for sizes that nobody has is given up") {
  std::string body = "%x0 = neg(%a) : tensor<?xf32>\n";
  for (int layer = 1; layer <= 24; ++layer) {
    const std::string before = "%x" + std::to_string(layer - 1), now = std::to_string(layer);
    body += "%c" + now + " = concat(" + before + ", " + before + ") {axis = 0} : tensor<?xf32>\n%x" + now +
            " = add(%c" + now + ", " + before + ") : tensor<?xf32>\n";
  }
  CHECK(filed(entry("%a: tensor<nxf32>", "tensor<?xf32>", body + "%y = neg(%x24) : tensor<?xf32>"))
            .difference({"n"}, {0}) == "");
}

TEST_CASE("slices by bounds that are computed from extents") {
  const slice_bound bounds[] = {{1, 3}, {1, 0}, {1, -2}, {2, -5}, {0, 5}, {0, -3}, {-1, -1}};
  for (const slice_bound& start : bounds)
    for (const slice_bound& end : bounds) {
      const filed f(slice_between(start, end));
      CHECK_MESSAGE(f.difference({"b", "n"}, {0, 1, 2, 3, 5, 9}) == "",
                    start.scale << "n+" << start.offset << ":" << end.scale << "n+" << end.offset);
    }
}

TEST_CASE("what a host divides, too: regions that refuse sizes are evaluated") {
  const filed f(entry("%a: tensor<bxnxf32>, %c: tensor<kxmxf32>", "tensor<2x?xi64>",
                      "%s = mul(%a, %c) : tensor<?x?xf32>\n%t = add(%s, %a) : tensor<?x?xf32>\n"
                      "%y = non_zero(%t) : tensor<2x?xi64>"));
  CHECK(f.code->native() == nullptr);
  CHECK(f.difference({"b", "n", "k", "m"}, {0, 1, 2, 17}) == "");
}

TEST_CASE("the other targets that make files do so, too") {
  const std::string text = entry("%a: tensor<bxnxf32>, %c: tensor<kxmxf32>", "tensor<?x?xf32>",
                                 "%s = mul(%a, %c) : tensor<?x?xf32>\n%y = add(%s, %a) : tensor<?x?xf32>");
  targets::register_xsimd_target(), targets::register_c_source_target();
  std::vector<const char*> others{"xsimd"};
  if (has_c_compiler()) others.push_back("c_source");
  else testing::skip("there is no C compiler");
  for (const char* target : others)
    CHECK_MESSAGE(filed(text, target).difference({"b", "n", "k", "m"}, {0, 1, 2, 17}) == "", target);
}

TEST_CASE("parts on several devices: what each takes for granted, another program of the file does not") {
  struct graph {
    std::string text;
    std::vector<std::string> names;
    std::vector<i64> sizes;
  };
  const std::vector<graph> broadcasts{
      {entry("%a: tensor<bxnxf32>, %c: tensor<kxmxf32>", "tensor<?x?xf32>",
             "%s = mul(%a, %c) : tensor<?x?xf32>\n%t = add(%s, %a) : tensor<?x?xf32>\n"
             "%u = maximum(%t, %c) : tensor<?x?xf32>\n%y = neg(%u) : tensor<?x?xf32>"),
       {"b", "n", "k", "m"},
       {0, 1, 2, 17}},
      {entry("%a: tensor<bxnxf32>, %c: tensor<kxnxf32>", "tensor<?xf32>",
             "%s = sub(%a, %c) : tensor<?xnxf32>\n%d = shape_of(%s) {start = 0, end = 1} : tensor<1xi64>\n"
             "%f = reshape(%s) {shape = [-1]} : tensor<?xf32>\n"
             "%e = cast(%d) {to = f32} : tensor<1xf32>\n%y = mul(%f, %e) : tensor<?xf32>"),
       {"b", "n", "k"},
       {0, 1, 2, 17}}};
  std::vector<graph> slices;
  const slice_bound bounds[] = {{1, 3}, {1, -2}, {0, 5}};
  for (const slice_bound& start : bounds)
    for (const slice_bound& end : bounds) slices.push_back({slice_between(start, end), {"b", "n"}, {0, 1, 2, 3, 5, 9}});
  const auto check = [](const std::string& target, const std::vector<graph>& graphs) {
    for (const graph& g : graphs)
      for (const size_t first : {0, 1}) {
        const std::string text = striped(g.text, first);
        CHECK_MESSAGE(filed(text, target.c_str()).difference(g.names, g.sizes) == "", target << ": " << text);
      }
  };
  targets::register_xsimd_target(), targets::register_c_source_target();
  std::vector<std::string> targets{"composite(cpu,other@cpu)", "composite(cpu,other@xsimd)",
                                   "composite(xsimd,other@cpu)"};
  if (has_c_compiler()) targets.push_back("composite(cpu,other@c_source)");
  else testing::skip("there is no C compiler");
  for (const std::string& target : targets) check(target, broadcasts), check(target, slices);
  // Bounds that a member evaluates are known to nobody else.
  check("composite(cpu,other@interpreter)", broadcasts);
  CHECK_THROWS_WITH_AS(filed(striped(slices[0].text, 0), "composite(cpu,other@interpreter)"),
                       doctest::Contains("it depends on values that are known only when the program runs"), error);
  CHECK(read_bundle(filed(striped(broadcasts[0].text, 0), "composite(cpu,other@cpu)").path).kind == "alternatives");
  // All sizes that are right meet what these parts take for granted.
  const std::string plain = entry("%a: tensor<bxnxf32>, %c: tensor<bxnxf32>", "tensor<bxnxf32>",
                                  "%s = mul(%a, %c) : tensor<bxnxf32>\n%y = add(%s, %a) : tensor<bxnxf32>");
  CHECK(read_bundle(filed(striped(plain, 0), "composite(cpu,other@cpu)").path).kind == "linked");
}

TEST_CASE("a variant is no entry, its sizes are no other's, and there is none where nothing is taken for granted") {
  const auto program_of = [](const filed& f) { return *f.code->native(); };
  const filed both(entry("%a: tensor<nxf32>, %c: tensor<kxf32>", "tensor<?xf32>", "%y = add(%a, %c) : tensor<?xf32>"));
  const program p = program_of(both);
  CHECK(p.entries() == std::vector<std::string>{"main"});
  CHECK_THROWS_WITH_AS(p.entry("main.general"), doctest::Contains("no entry"), error);
  CHECK(p.run({tensor(dtype::f32, {3}), tensor(dtype::f32, {1})})[0].shape() == std::vector<i64>{3});
  CHECK_THROWS_WITH_AS(p.run({tensor(dtype::f32, {3}), tensor(dtype::f32, {2})}),
                       doctest::Contains("dimension 0 must be"), error);
  for (const char* text : {"%a: tensor<nxf32>, %c: tensor<nxf32>", "%a: tensor<nxf32>, %c: tensor<1xf32>",
                           "%a: tensor<4xf32>, %c: tensor<4xf32>"}) {
    context cx;
    const target_spec cpu = parse_target("cpu");
    compilation_request{.target = cpu}.configure(cx);
    auto m = std::make_unique<ir::module>(module_of(entry(text, "tensor<?xf32>", "%y = add(%a, %c) : tensor<?xf32>")));
    CHECK(ir::entries_of(*plan_for_all_sizes(std::move(m), cpu, cx).module).size() == 1);
  }
}
