/// @file kernels: one kernel as text, made into code as it stands and run, for tests that compare it with plain C++.
#pragma once

#include <cmath>
#include <limits>

#include <tenon/targets/cpu.hpp>
#include <tenon/text/parse.hpp>

namespace tenon::testing {

/// What code is made for: no pass looks at the kernel in between.
struct code_options {
  std::string arch = {};  ///< empty: this processor's
  int threads = 1;
  bool checked = false;
  targets::precision precision = targets::precision::standard;
};

inline std::string buffer_of(const tensor& t) {
  std::string s = "buffer<";
  for (i64 e : t.shape()) s += std::to_string(e) + "x";
  return s + std::string(name_of(t.type())) + ">";
}

/// A module of one call of `body`, a kernel over the inputs %a0, %a1, … and the results %r0, %r1, …, whose first
/// contents say their types. Of indices, %n0 to %n9 are numbers.
inline ir_module<phases::build> kernel_module(std::string_view body, const std::vector<tensor>& inputs,
                                              const std::vector<tensor>& results) {
  std::string parameters, names, entry, result_types;
  const auto add = [&](const tensor& t, const std::string& name) {
    parameters += (parameters.empty() ? "" : ", ") + ("%" + name + ": " + buffer_of(t));
    names += (names.empty() ? "%" : ", %") + name;
  };
  for (size_t i = 0; i < inputs.size(); ++i) add(inputs[i], "a" + std::to_string(i));
  for (size_t i = 0; i < results.size(); ++i) {
    add(results[i], "r" + std::to_string(i));
    result_types += (i == 0 ? "" : ", ") + buffer_of(results[i]);
  }
  std::string text = "tenon.module phase=build\nfunc entry @main(" + parameters + ") -> (" + result_types +
                     ") target(\"cpu\") {\n  call_native(" + names + ") {kernel = @k}\n  return()\n}\nkernel @k(" +
                     parameters + ") target(\"cpu\") {\n";
  for (int i = 0; i < 10; ++i)
    text +=
        "  %n" + std::to_string(i) + " = loop.literal() {type = index, integer = " + std::to_string(i) + "} : index\n";
  return parse<phases::build>(text + std::string(body) + "\n  return()\n}\n");
}

inline std::vector<tensor> run_kernel(std::string_view body, const std::vector<tensor>& inputs,
                                      const std::vector<tensor>& results, const code_options& o = {}) {
  context cx;
  targets::cpu target;
  target.arch = o.arch, target.threads = o.threads, target.precision = o.precision;
  target.check_bounds = o.checked ? bounds_checks::on : bounds_checks::off;
  target.configure(cx);
  const program p = load(passes::generate_code{}.run(kernel_module(body, inputs, results), cx));
  return p.run(std::span<const tensor>(inputs), o.threads);
}
inline tensor run_one(std::string_view body, const std::vector<tensor>& inputs, const tensor& result,
                      const code_options& o = {}) {
  return run_kernel(body, inputs, {result}, o).at(0);
}

/// `loop` over `count` elements: as it is, in vectors of several widths, with and without a rest.
struct loop_form {
  const char* attributes;
  i64 count;
};
inline std::string loop_over(const loop_form& f, std::string_view body) {
  return "  %count = loop.literal() {type = index, integer = " + std::to_string(f.count) +
         "} : index\n  loop.for(%n0, %count)" + f.attributes + " ({ ^(%i: index):\n" + std::string(body) +
         "    loop.yield()\n  })\n";
}

}  // namespace tenon::testing
