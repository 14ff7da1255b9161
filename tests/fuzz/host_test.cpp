// Random graphs whose shapes and course depend on values: split and with native regions, against the interpreter.
// needs: llvm
#include <doctest/doctest.h>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/host_cpu.hpp>
#include <tenon/targets/host_program.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

using namespace tenon;

namespace {

/// Writes graphs over lists (f32 of one dimension) and tables (two), whose extents depend on values.
class writer {
 public:
  explicit writer(u64 seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}

  std::string module() {
    lists_ = {"%x"}, tables_ = {"%t"};
    std::string body;
    ops(body, 6 + pick(10), 0);
    std::string results = lists_.back() + ", " + tables_.back() + ", " + lists_[pick(lists_.size())];
    return "tenon.module phase=optimization\n" + constants_ +
           "func entry @main(%x: tensor<?xf32>, %t: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>, "
           "tensor<?xf32>) {\n" +
           body + "  return(" + results + ")\n}\n";
  }

 private:
  size_t pick(size_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>(state_ >> 33) % n;
  }
  std::string fresh() { return "%v" + std::to_string(next_++); }
  std::string list() { return lists_[pick(lists_.size())]; }
  std::string table() { return tables_[pick(tables_.size())]; }
  std::string op(std::string& to, const std::string& text, const std::string& type) {
    const std::string r = fresh();
    to += "  " + r + " = " + text + " : " + type + "\n";
    return r;
  }
  std::string constant(std::string& to, const std::string& type, const std::string& value) {
    const size_t n = constant_count_++;
    constants_ += "constant #" + std::to_string(n) + " : " + type + " = [" + value + "]\n";
    return op(to, "constant() {value = #" + std::to_string(n) + "}", type);
  }

  void ops(std::string& to, size_t count, int depth) {
    for (size_t i = 0; i < count; ++i) one(to, depth);
  }
  void one(std::string& to, int depth) {
    switch (pick(12)) {
      case 0: lists_.push_back(op(to, "tanh(" + list() + ")", "tensor<?xf32>")); break;
      case 1: tables_.push_back(op(to, "sin(" + table() + ")", "tensor<?x?xf32>")); break;
      case 2: {  // the elements that are positive
        const std::string x = list(), zero = constant(to, "tensor<f32>", "0");
        const std::string mask = op(to, "greater(" + x + ", " + zero + ")", "tensor<?xbool>");
        lists_.push_back(op(to, "compress(" + x + ", " + mask + ") {axis = 0, flatten = false}", "tensor<?xf32>"));
        break;
      }
      case 3: lists_.push_back(op(to, "concat(" + list() + ", " + list() + ") {axis = 0}", "tensor<?xf32>")); break;
      case 4: {  // a table of sums
        const std::string a = list(), column = constant(to, "tensor<2xi64>", "-1, 1");
        const std::string rows = op(to, "reshape(" + a + ", " + column + ")", "tensor<?x?xf32>");
        const std::string sum = op(to, "add(" + rows + ", " + list() + ")", "tensor<?x?xf32>");
        const std::string few = constant(to, "tensor<2xi64>", "12, 12"), none = constant(to, "tensor<2xi64>", "0, 0");
        tables_.push_back(op(to, "slice(" + sum + ", " + none + ", " + few + ")", "tensor<?x?xf32>"));
        break;
      }
      case 5:
        lists_.push_back(op(to, "reduce_sum(" + table() + ") {axes = [1], keep_dims = false}", "tensor<?xf32>"));
        break;
      case 6: {  // a shape from a shape: all in one row, and back
        const std::string t = table(), flat = constant(to, "tensor<1xi64>", "-1");
        const std::string row = op(to, "reshape(" + t + ", " + flat + ")", "tensor<?xf32>");
        const std::string e = op(to, "neg(" + row + ")", "tensor<?xf32>");
        const std::string shape = op(to, "shape_of(" + t + ")", "tensor<2xi64>");
        tables_.push_back(op(to, "reshape(" + e + ", " + shape + ")", "tensor<?x?xf32>"));
        break;
      }
      case 7: {
        const std::string at = op(to, "non_zero(" + table() + ")", "tensor<2x?xi64>");
        const std::string f = op(to, "cast(" + at + ") {to = f32}", "tensor<2x?xf32>");
        tables_.push_back(op(to, "sigmoid(" + f + ")", "tensor<2x?xf32>"));
        break;
      }
      case 8: {
        const std::string v = op(to, "transpose(" + table() + ") {permutation = [1, 0]}", "tensor<?x?xf32>");
        tables_.push_back(v);
        break;
      }
      case 9:
      case 10:
        if (depth < 2) branch(to, depth);
        break;
      default:
        if (depth < 2) repeat(to, depth);
        break;
    }
  }
  std::string condition(std::string& to) {
    const std::string s = op(to, "reduce_sum(" + list() + ") {axes = [0], keep_dims = false}", "tensor<f32>");
    return op(to, "less(" + s + ", " + constant(to, "tensor<f32>", "0.5") + ")", "tensor<bool>");
  }
  void branch(std::string& to, int depth) {
    const std::string c = condition(to), r = fresh();
    std::string sides[2];
    for (std::string& s : sides) {
      const auto lists = lists_, tables = tables_;
      ops(s, 1 + pick(3), depth + 1);
      s += "  yield(" + lists_.back() + ")\n";
      lists_ = lists, tables_ = tables;
    }
    to += "  " + r + " = if_else(" + c + ") : tensor<?xf32> ({\n" + sides[0] + "  }, {\n" + sides[1] + "  })\n";
    lists_.push_back(r);
  }
  void repeat(std::string& to, int depth) {
    const std::string trips = constant(to, "tensor<i64>", std::to_string(pick(4))), x = list(), r = fresh(),
                      parts = fresh();
    const std::string i = fresh(), go = fresh(), v = fresh();
    std::string body;
    const auto lists = lists_, tables = tables_;
    lists_.push_back(v);
    ops(body, 1 + pick(3), depth + 1);
    const std::string carried = op(body, "tanh(" + lists_.back() + ")", "tensor<?xf32>");
    const std::string goes_on = condition(body);
    const std::string part = op(body, "reduce_sum(" + carried + ") {axes = [0], keep_dims = false}", "tensor<f32>");
    lists_ = lists, tables_ = tables;
    to += "  " + r + ", " + parts + " = repeat(" + trips + ", _, " + x + ") : (tensor<?xf32>, tensor<?xf32>) ({ ^(" +
          i + ": tensor<i64>, " + go + ": tensor<bool>, " + v + ": tensor<?xf32>):\n" + body + "  yield(" + goes_on +
          ", " + carried + ", " + part + ")\n  })\n";
    lists_.push_back(r);
    lists_.push_back(parts);
  }

  u64 state_;
  size_t next_ = 0, constant_count_ = 0;
  std::string constants_;
  std::vector<std::string> lists_, tables_;
};

class compiler final : public region_compiler {
 public:
  explicit compiler(bool for_all) : for_all_(for_all) {}
  region_code compile(const ir::module& host, function_id region, std::span<const tensor> operands) override {
    return {code(region_module(host, region, operands)), {}};
  }
  region_code compile_for_all(const ir::module& host, function_id region) override {
    if (!for_all_) return {{}, "not asked for"};
    if (const auto o = rank_obstacle(host, region)) return {{}, o->why.what()};
    return {code(region_module(host, region)), {}};
  }

 private:
  static program code(ir::module m) {
    context cx;
    targets::cpu target;
    target.optimize = 1;
    target.configure(cx);
    return load(build<targets::cpu>(ir_module<phases::optimization>::adopt(std::move(m)), cx));
  }
  bool for_all_;
};

tensor input(std::vector<i64> shape, u64 seed) {
  tensor t(dtype::f32, std::move(shape));
  for (i64 i = 0; i < t.size(); ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    t.set_f64(i, static_cast<double>(static_cast<i64>(seed >> 40) % 1000) / 500 - 1);
  }
  return t;
}

}  // namespace

TEST_CASE("random graphs with control flow and dynamic shapes: split and native as interpreted") {
  u64 native = 0, ran = 0, sized = 0, from_file = 0;
  for (u64 seed = 0; seed < 40; ++seed) {
    const std::string text = writer(seed).module();
    INFO(text);
    ir::module m = parse(text);
    const std::vector<value> inputs{input({5 + static_cast<i64>(seed % 4)}, seed), input({3, 4}, seed + 99)};
    std::vector<value> want;
    try {
      want = interpret_values(m, "main", inputs);
    } catch (const error&) {
      continue;  // two lists that do not broadcast, and such
    }
    context cx;
    cx.verify_each = true;
    auto graph = build<targets::graph_level>(ir_module<phases::ingestion>::adopt(std::move(m)), cx);
    auto split = run<passes::outline_regions>(std::move(graph), cx);
    ir::verify<phases::optimization>(split.body());
    const std::string shown = print(split.body());
    const auto alike = [&](const std::vector<value>& got) {
      REQUIRE(got.size() == want.size());
      for (size_t i = 0; i < got.size(); ++i) {
        // The norm of one number is that number: where a sum is near 0, the bound on elements is the one that means
        // something.
        const tensor &is = got[i].as_tensor(), &should = want[i].as_tensor();
        const comparison c = compare(is, should, {1e-4, 1e-4, 1e-4, should.size() > 1});
        CHECK_MESSAGE(c.ok, c.message << "\n" << shown);
      }
    };
    alike(interpret_values(split.body(), "main", inputs));
    for (const bool for_all : {false, true}) {
      const host_program p(split.body(), std::make_unique<compiler>(for_all));
      alike(p.run(inputs));
      alike(p.run(inputs, 2));
      native += p.counted().native;
      sized += p.counted().for_all;
    }
    // The same from a file, which knows no sizes and no compiler.
    targets::cpu target;
    target.optimize = 1;
    target.configure(cx);
    cx.target = parse_target("cpu");
    const auto bytes = std::make_shared<const std::string>(serialize(build_host_bundle(split.body(), cx)));
    const auto opened = load(read_bundle(*bytes, bytes, "bytes"));
    alike(opened->run_values(inputs, 1));
    from_file += dynamic_cast<const hosted&>(*opened).host().counted().native;
    ++ran;
  }
  CHECK(ran >= 20);
  CHECK(native > ran);
  CHECK(sized > ran / 2);
  CHECK(from_file > ran / 2);
}

TEST_CASE("an operand without elements leaves the rest of a region to native code, unless it has little to do") {
  std::string weights = "0.5";
  for (int i = 1; i < 64; ++i) weights += ", " + std::to_string(i % 7 - 3);
  const auto split = [&](const std::string& ops) {
    context cx;
    return run<passes::outline_regions>(
        build<targets::graph_level>(
            ir_module<phases::ingestion>::adopt(parse(
                "tenon.module phase=optimization\nconstant #0 : tensor<8x8xf32> = [" + weights +
                "]\nfunc entry @main(%x: tensor<?x8xf32>, %m: tensor<?xbool>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {\n"
                "  %a = compress(%x, %m) {axis = 0, flatten = false} : tensor<?x8xf32>\n"
                "  %n = logical_not(%m) : tensor<?xbool>\n"
                "  %b = compress(%x, %n) {axis = 0, flatten = false} : tensor<?x8xf32>\n" +
                ops + "  return(%c, %d)\n}\n")),
            cx),
        cx);
  };
  const tensor x = input({5, 8}, 7);
  tensor all(dtype::boolean, {5}), none(dtype::boolean, {5}), some(dtype::boolean, {5});
  for (i64 i = 0; i < 5; ++i) all.set_f64(i, 1), none.set_f64(i, 0), some.set_f64(i, i % 2);
  const auto counted = [&](const std::string& ops) {
    const auto module = split(ops);
    const host_program p(module.body(), std::make_unique<compiler>(true));
    for (const tensor& mask : {all, none, some}) {
      const std::vector<value> inputs{x, mask}, want = interpret_values(module.body(), "main", inputs),
                                                got = p.run(inputs);
      for (size_t i = 0; i < want.size(); ++i)
        CHECK(compare(got[i].as_tensor(), want[i].as_tensor(), {1e-5, 1e-5, 1e-5, false}).ok);
    }
    return p.counted();
  };
  const auto products = counted(
      "  %w = constant() {value = #0} : tensor<8x8xf32>\n"
      "  %c = matmul(%a, %w) : tensor<?x8xf32>\n  %d = matmul(%b, %w) : tensor<?x8xf32>\n");
  CHECK(products.native == 6);  // two regions
  CHECK(products.evaluated == 0);
  const auto sums = counted("  %c = add(%a, %a) : tensor<?x8xf32>\n  %d = add(%b, %b) : tensor<?x8xf32>\n");
  CHECK(sums.evaluated == 1);  // before there was anything to do, and no code
  CHECK(sums.native == 5);
}
