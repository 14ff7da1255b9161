/// @file onnx_runs: models with graphs in them, for tests, run on the interpreter and on cpu.
#pragma once

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/runtime/compare.hpp>
#if TENON_HAS_LLVM
#  include <tenon/targets/cpu.hpp>
#endif

#include "onnx_builder.hpp"

namespace onnx_builder {

using tenon::tensor;

inline std::string graph(const std::string& name, std::vector<std::string> inputs, std::vector<std::string> nodes,
                         std::vector<std::string> outputs) {
  return message([&](pbf_writer& g) {
    for (const auto& n : nodes) g.add_message(1, n);
    g.add_string(2, name);
    for (const auto& v : inputs) g.add_message(11, v);
    for (const auto& v : outputs) g.add_message(12, v);
  });
}
inline std::string attribute_graph(const char* name, const std::string& g) {
  return message([&](pbf_writer& a) { a.add_string(1, name), a.add_message(6, g), a.add_int32(20, 5); });
}
inline std::string constant(const std::string& name, const tensor& t) {
  return node("Constant", {}, {name}, {message([&](pbf_writer& a) {
                a.add_string(1, "value"), a.add_message(5, tenon::importers::onnx::encode_tensor(t)),
                    a.add_int32(20, 4);
              })});
}
inline std::string any(const std::string& name, elem_type type = elem_type::float32) {
  return message([&](pbf_writer& v) {
    v.add_string(1, name);
    pbf_writer outer(v, 2);
    pbf_writer t(outer, 1);
    t.add_int32(1, static_cast<int>(type));
  });
}

/// A float input of named (or numbered) extents.
inline std::string named(const std::string& name, const std::vector<std::string>& dims) {
  return message([&](pbf_writer& v) {
    v.add_string(1, name);
    pbf_writer outer(v, 2);
    pbf_writer t(outer, 1);
    t.add_int32(1, static_cast<int>(elem_type::float32));
    pbf_writer shape(t, 2);
    for (const std::string& d : dims) {
      pbf_writer dim(shape, 1);
      if (d[0] >= '0' && d[0] <= '9') dim.add_int64(1, std::stoll(d));
      else dim.add_string(2, d);
    }
  });
}

inline void check_equal(const tenon::value& got, const tenon::value& want) {
  REQUIRE(got.describe() == want.describe());
  if (want.is_tensor()) {
    const tenon::comparison c = tenon::compare(got.as_tensor(), want.as_tensor(), {1e-5, 1e-5, 1e-5});
    CHECK_MESSAGE(c.ok, c.message);
  } else if (want.is_sequence()) {
    for (size_t i = 0; i < want.items().size(); ++i) check_equal(got.items()[i], want.items()[i]);
  }
}

/// On the interpreter, and then on cpu with the same results; one session for all sets of inputs.
inline std::vector<std::vector<tenon::value>> run_all(const model& m,
                                                      const std::vector<std::vector<tenon::value>>& sets) {
  tenon::session reference(decoded(m), tenon::session_options{.target = "interpreter"});
  std::vector<std::vector<tenon::value>> want;
  for (const auto& inputs : sets) want.push_back(reference.run_values(inputs));
#if TENON_HAS_LLVM
  tenon::targets::register_cpu_target();
  tenon::session s(decoded(m), tenon::session_options{.target = "cpu", .verify_each = true});
  for (size_t k = 0; k < sets.size(); ++k) {
    const auto got = s.run_values(sets[k]);
    REQUIRE(got.size() == want[k].size());
    for (size_t i = 0; i < got.size(); ++i) check_equal(got[i], want[k][i]);
  }
#endif
  return want;
}
inline std::vector<tenon::value> run_one(const model& m, const std::vector<tenon::value>& inputs) {
  return run_all(m, {inputs})[0];
}

inline tensor floats(std::vector<i64> shape, std::vector<float> v) {
  return tensor::from<float>(std::move(shape), std::span<const float>(v));
}
inline tensor numbers(std::vector<i64> shape, std::vector<i64> v) {
  return tensor::from<i64>(std::move(shape), std::span<const i64>(v));
}
inline tensor ramp(std::vector<i64> shape, double step = 1) {
  tensor t(tenon::dtype::f32, std::move(shape));
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>((i * 37 + 11) % 101 - 50) * step);
  return t;
}

}  // namespace onnx_builder
