// Targets as text and as JSON, and the options of those that there are.
// In tests: 15000 inputs.
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/json.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/targets/xsimd.hpp>

#include "fuzzers/fuzzer.hpp"

using namespace tenon;
using namespace tenon::fuzzing;

namespace {
void round_trip(const target_spec& s) {
  check(parse_target(to_text(s)) == s, "a target's text is read as another target");
  std::string json;
  try {
    json = to_json(s);
  } catch (const error&) {
    return;  // it has bytes that are no UTF-8
  }
  check(target_from_json(json) == s, "a target's JSON is read as another target");
  try {
    target_from<targets::c_source>(s);
  } catch (const error&) {
    // one that c_source does not have
  }
  target_from<targets::xsimd>(s);
}
}  // namespace

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  const std::string_view text = text_of(data, size);
  read(size, [&] { round_trip(parse_target(text)); });
  return read(size, [&] { round_trip(target_from_json(text)); });
}
