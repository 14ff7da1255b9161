// Tensors, sequences and optionals in ONNX's format.
// In tests: 30000 inputs.
#include <tenon/importers/onnx/proto.hpp>
#include <tenon/runtime/strings.hpp>

#include "fuzzers/protobuf_mutator.hpp"

using namespace tenon;
using namespace tenon::fuzzing;
namespace onnx = tenon::importers::onnx;

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  const std::string_view file = text_of(data, size);
  read(size, [&] {
    const tensor t = onnx::to_tensor(onnx::decode_tensor_proto(file, nullptr, "fuzz.pb"));
    const std::string written = onnx::encode_tensor(t, "t");
    const tensor again = onnx::to_tensor(onnx::decode_tensor_proto(written, nullptr, "again.pb"));
    check(same_bits(t, again), "a tensor that was written is read as another one");
  });
  read(size, [&] { onnx::decode_sequence(file, nullptr, "fuzz.pb"); });
  return read(size, [&] { onnx::decode_optional(file, nullptr, "fuzz.pb"); });
}
