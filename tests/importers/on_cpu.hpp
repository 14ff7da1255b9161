/// @file on_cpu: asks the target cpu for what the interpreter gave, where the library has code generation.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/importers/onnx/proto.hpp>
#include <tenon/session.hpp>
#if TENON_HAS_LLVM
#  include <tenon/targets/cpu.hpp>
#endif

/// Checks that a model gives these results natively, too: all of its inputs are given.
inline void check_on_cpu([[maybe_unused]] const std::string& bytes,
                         [[maybe_unused]] const std::vector<tenon::tensor>& inputs,
                         [[maybe_unused]] const std::vector<tenon::tensor>& expected) {
#if TENON_HAS_LLVM
  tenon::targets::register_cpu_target();
  tenon::session s(tenon::importers::onnx::decode_model(bytes, nullptr, "test.onnx"),
                   tenon::session_options{.target = "cpu"});
  const std::vector<tenon::tensor> got = s.run(inputs);
  REQUIRE(got.size() == expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    CHECK(got[i].type() == expected[i].type());
    REQUIRE(got[i].shape() == expected[i].shape());
    for (tenon::i64 k = 0; k < got[i].size(); ++k)
      CHECK(std::fabs(got[i].at_f64(k) - expected[i].at_f64(k)) <= 1e-5 * (1 + std::fabs(expected[i].at_f64(k))));
  }
#endif
}
