// needs: llvm
// A program that links LLVM and has sessions compiles for `cpu`, and nobody need register it.
#include <doctest/doctest.h>

#include <algorithm>

#include <tenon/compile/session.hpp>
#include <tenon/targets/registry.hpp>

using namespace tenon;

namespace {
/// Found before `main`: other tests of this program register targets.
const bool known_at_once = [] {
  const std::vector<std::string> names = registered_targets();
  return std::find(names.begin(), names.end(), "cpu") != names.end();
}();
}  // namespace

TEST_CASE("cpu is a target of sessions where tenon::llvm is linked") {
  CHECK(known_at_once);
  CHECK(find_target("cpu:threads=2").name == "cpu");
}
