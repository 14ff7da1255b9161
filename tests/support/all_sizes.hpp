/// @file all_sizes: one program for all sizes of symbols, beside the interpreter. Tests with it need llvm.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/text/parse.hpp>

#include "support/lowered.hpp"
#include "support/random_module.hpp"

namespace tenon::testing::all_sizes {

inline ir_module<phases::built> built_for(const ir::module& m, int threads) {
  context cx;
  targets::cpu target;
  target.threads = threads;
  target.configure(cx);
  return build<targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx);
}

inline ir::module module_of(const std::string& text) { return parse("tenon.module phase=ingestion\n" + text); }

/// The entry's inputs for given sizes: small numbers, so that sums are exact.
inline std::vector<tensor> inputs_for(const ir::module& m, const std::map<std::string, i64>& sizes, unsigned seed) {
  std::vector<tensor> r;
  for (value_id a : m[m[m.find_function("main")].body].arguments) {
    const ir::type& t = m.type_of(a);
    std::vector<i64> shape;
    for (ir::dim d : t.shape)
      shape.push_back(ir::expression_of(m, d).evaluate([&](const std::string& n) { return sizes.at(n); }));
    r.push_back(random_tensor(t.elem, shape, seed + static_cast<unsigned>(r.size())));
  }
  return r;
}

/// One program, several sizes: what differs from the interpreter, or nothing. `bounds` of integer inputs are the
/// tests'.
inline std::string difference(const std::string& text, const std::vector<std::map<std::string, i64>>& bindings,
                              double allowed = 1e-5) {
  const ir::module m = module_of(text);
  for (int threads : {1, 2}) {
    const program p = load(built_for(m, threads));
    for (const auto& sizes : bindings) {
      const std::vector<tensor> inputs = inputs_for(m, sizes, 3);
      const std::vector<tensor> want = interpret(m, "main", inputs), got = p.run(inputs, threads);
      for (size_t i = 0; i < want.size(); ++i)
        if (const double d = distance(got[i], want[i]); !(d <= allowed)) {
          std::string s = "result " + std::to_string(i) + " is " + got[i].describe() + ", wanted " +
                          want[i].describe() + ", off by " + std::to_string(d) + " with";
          for (const auto& [name, size] : sizes) s += " " + name + "=" + std::to_string(size);
          return s + ", " + std::to_string(threads) + " threads";
        }
    }
  }
  return "";
}

inline const std::vector<std::map<std::string, i64>> sizes{
    {{"b", 1}, {"n", 1}},  {{"b", 2}, {"n", 16}}, {{"b", 3}, {"n", 37}}, {{"b", 1}, {"n", 200}},
    {{"b", 5}, {"n", 17}}, {{"b", 0}, {"n", 5}},  {{"b", 2}, {"n", 0}}};
/// The same where an extent of 0 is none that the op allows.
inline const std::vector<std::map<std::string, i64>> positive(sizes.begin(), sizes.end() - 2);

inline std::string entry(const std::string& arguments, const std::string& result, const std::string& body) {
  size_t inputs = 0;
  for (char c : arguments) inputs += c == '%';
  std::string names;
  for (size_t i = 0; i < inputs; ++i)
    names += (i == 0 ? "\"" : ", \"") + std::string(1, static_cast<char>('p' + i)) + "\"";
  return "func entry @main(" + arguments + ") -> (" + result + ") inputs(" + names + ") outputs(\"out\") {\n" + body +
         "\nreturn(%y)\n}\n";
}

/// A bound of a slice: scale * n + offset.
struct slice_bound {
  i64 scale, offset;
  i64 at(i64 n) const { return scale * n + offset; }
};
/// %a[:, start:end] of f32[b,n], by bounds that the graph computes from n.
inline std::string slice_between(const slice_bound& start, const slice_bound& end) {
  std::string text;
  int c = 0;
  for (i64 v : {start.scale, start.offset, end.scale, end.offset})
    text += "constant #" + std::to_string(c++) + " : tensor<1xi64> = [" + std::to_string(v) + "]\n";
  std::string body = "%d = shape_of(%a) {start = 1, end = 2} : tensor<1xi64>\n";
  for (int i = 0; i < 4; ++i)
    body += "%c" + std::to_string(i) + " = constant() {value = #" + std::to_string(i) + "} : tensor<1xi64>\n";
  body +=
      "%m = mul(%d, %c0) : tensor<1xi64>\n%s = add(%m, %c1) : tensor<1xi64>\n%k = mul(%d, %c2) : tensor<1xi64>\n"
      "%e = add(%k, %c3) : tensor<1xi64>\n%y = slice(%a, %s, %e) {axes = [1]} : tensor<bx?xf32>";
  return text + entry("%a: tensor<bxnxf32>", "tensor<bx?xf32>", body);
}

}  // namespace tenon::testing::all_sizes
