/// @file protobuf_mutator: libFuzzer's mutations for messages: mostly of fields, sometimes of bytes. Include it once.
#pragma once

#include <algorithm>
#include <cstring>

#include <tenon/importers/onnx/registry.hpp>

#include "fuzzers/fuzzer.hpp"
#include "support/protobuf_edits.hpp"

namespace tenon::fuzzing {

/// What texts of models become: the names of operators.
inline const std::vector<std::string_view>& operator_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> list{"",  "axis",          "axes",       "mode",   "constant",   "n",        "x",
                                       "y", "com.microsoft", "ai.onnx.ml", "NOTSET", "SAME_UPPER", "ij,jk->ik"};
    for (const auto& o : importers::onnx::built_in_operators()) list.push_back(o.op_type);
    return list;
  }();
  return names;
}
inline size_t put(const std::string& made, unsigned char* data, size_t size, size_t most) {
  if (made.size() > most || made.empty()) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, made.data(), made.size());
  return made.size();
}

}  // namespace tenon::fuzzing

extern "C" size_t LLVMFuzzerCustomMutator(unsigned char* data, size_t size, size_t most, unsigned seed) {
  using namespace tenon::fuzzing;
  if (seed % 16 == 0) return LLVMFuzzerMutate(data, size, most);
  return put(tenon::testing::protobuf_editor(seed, operator_names()).edited(text_of(data, size)), data, size, most);
}
extern "C" size_t LLVMFuzzerCustomCrossOver(const unsigned char* a, size_t n, const unsigned char* b, size_t m,
                                            unsigned char* out, size_t most, unsigned seed) {
  using namespace tenon::fuzzing;
  const std::string made = tenon::testing::protobuf_editor(seed).joined(text_of(a, n), text_of(b, m));
  if (made.size() > most) return 0;
  std::memcpy(out, made.data(), made.size());
  return made.size();
}
