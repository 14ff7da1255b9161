/// @file kernel_text: a module in loops, with a constant, a kernel and its call, for tests that damage files.
#pragma once

namespace tenon::testing {

inline constexpr const char* kernel_text = R"(tenon.module phase=lowering {target = "cpu"}
constant #0 "w" : tensor<2x3xf32> = [1, 2.5, -0, 4, 5, 6]
func entry @main(%x: buffer<2x3xf32>, %y: buffer<2x3xf32>) -> (tensor<2x3xf32>) inputs("x") outputs("y") target("cpu") forced_pure {
  %w = constant_buffer() {value = #0} : buffer<2x3xf32>
  call_dps(%x, %w, %y) {kernel = @k, inputs = 2}
  return()
}
kernel @k(%x: buffer<2x3xf32>, %w: buffer<2x3xf32>, %y: buffer<2x3xf32>) {
  %a = loop.literal() {type = index} : index
  %b = loop.literal() {type = index, integer = 2} : index
  loop.for(%a, %b) {kind = vector, lanes = 8, independent = true} ({ ^(%i: index):
    %v = loop.load(%x[%i, 1]) : f32
    %u = loop.load(%w[%i, 2]) : f32
    %s = loop.scalar(%v, %u) {fn = max} : f32
    loop.store(%s, %y[%i, 0])
    loop.yield()
  })
  return()
}
)";

}  // namespace tenon::testing
