// Orders of passes as text: judged, and those that are right run on a small graph.
// In tests: 2000 inputs.
#include <tenon/judge/order.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/xsimd.hpp>

#include "fuzzers/orders.hpp"
#include "fuzzers/run_module.hpp"

using namespace tenon;
using namespace tenon::fuzzing;

namespace {
const ir::module& small_graph() {
  static const ir::module m = parse(R"(tenon.module phase=ingestion
constant #0 : tensor<3x2xf32> = [1, 0, 2, -1, 0.5, 3]
func entry @main(%x: tensor<2x3xf32>) -> (tensor<2x2xf32>) inputs("x") outputs("y") {
  %w = constant() {value = #0} : tensor<3x2xf32>
  %a = matmul(%x, %w) : tensor<2x2xf32>
  %n = neg(%a) : tensor<2x2xf32>
  %b = call(%n) {callee = @act} : tensor<2x2xf32>
  %y = add(%b, %b) : tensor<2x2xf32>
  return(%y)
}
func @act(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>) {
  %e = tanh(%x) : tensor<2x2xf32>
  return(%e)
}
)");
  return m;
}
}  // namespace

int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  const std::string_view text = text_of(data, size);
  small_graph();
  return run([&] {
    const order o = order::parse(text, registry_of<passes_of_orders>, &phase_desc_of<phases::ingestion>);
    std::string names;
    for (size_t i = 0; i < o.size(); ++i) names += std::string(std::string_view(o[i].name)) + ", ";
    check(order::parse(names, registry_of<passes_of_orders>, &phase_desc_of<phases::ingestion>).size() == o.size(),
          "an order's names are another order");
    if (o.size() > 40) return;
    context cx;
    cx.verify_each = true;
    targets::c_source{}.configure(cx);
    targets::xsimd{}.configure(cx);
    o.run(std::make_unique<ir::module>(small_graph()), cx);
  });
}
