# The same module of n ops, as MLIR's arith and math dialects have it (form=mlir) and as tenon's text (form=tenon):
# elementwise ops of one function, of which every fourth is equal to one before it and every eighth changes nothing.
function op(name, a, b) {
  printf form == "mlir" ? "  %%v%d = arith.%sf %%%s, %%%s : tensor<4x4xf32>\n" : \
                          "  %%v%d = %s(%%%s, %%%s) : tensor<4x4xf32>\n", i, name, a, b
}
function exponential(a) {
  printf form == "mlir" ? "  %%v%d = math.exp %%%s : tensor<4x4xf32>\n" : \
                          "  %%v%d = exp(%%%s) : tensor<4x4xf32>\n", i, a
}
function value(k) { return k < 0 ? "x" : "v" k }
BEGIN {
  if (form == "mlir") {
    print "func.func @main(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {"
    print "  %one = arith.constant dense<1.0> : tensor<4x4xf32>"
  } else {
    print "tenon.module phase=optimization\n\nconstant #0 : tensor<f32> = [1]\n"
    print "func @main(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4x4xf32>) {"
    print "  %one = constant() {value = #0} : tensor<f32>"
  }
  for (i = 0; i < n; ++i) {
    k = i % 8
    if (k == 0) op("add", value(i - 1), "y")
    else if (k == 1) op("mul", value(i - 1), value(i - 5))
    else if (k == 2) exponential(value(i - 1))
    else if (k == 3) op("mul", value(i - 3), value(i - 7))  # as where k is 1
    else if (k == 4) op("sub", value(i - 1), value(i - 2))
    else if (k == 5) op("mul", value(i - 1), "one")  # changes nothing
    else if (k == 6) op("add", value(i - 2), value(i - 4))
    else op("add", value(i - 3), value(i - 5))  # as where k is 6
  }
  print "  return" (form == "mlir" ? " %v" n - 1 " : tensor<4x4xf32>" : "(%v" n - 1 ")")
  print "}"
}
