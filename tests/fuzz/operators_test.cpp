#include <doctest/doctest.h>

#include <set>

#include <tenon/importers/onnx/registry.hpp>

#include "random_onnx/builder.hpp"

using namespace tenon;

namespace {
using operator_name = std::pair<std::string, std::string>;  // domain, name

void collect(const std::vector<random_onnx::node>& nodes, std::set<operator_name>& found) {
  for (const random_onnx::node& n : nodes) {
    found.emplace(n.domain, n.op);
    for (const random_onnx::attr& a : n.attributes)
      if (const auto* body = std::get_if<std::shared_ptr<random_onnx::graph>>(&a.value)) collect((*body)->nodes, found);
  }
}
}  // namespace

TEST_CASE("random ONNX models have every operator that is imported") {
  std::set<operator_name> found;
  for (const std::string& op : random_onnx::drawn_operators()) {
    bool drawn = false;
    for (u64 seed = 1; seed <= 12; ++seed) {
      const random_onnx::model m = random_onnx::random_model(seed, nullptr, op, 1);
      collect(m.main.nodes, found);
      drawn |= !m.main.nodes.empty();
    }
    CHECK_MESSAGE(drawn, "the row of ", op, " gives no node that is accepted");
  }
  for (const importers::onnx::registered_operator& o : importers::onnx::built_in_operators())
    CHECK_MESSAGE(found.contains({std::string(o.domain), std::string(o.op_type)}), o.domain, " ", o.op_type,
                  " is in no row of tests/random_onnx");
}
