// Elementwise ops in a row on one thread: native code, and the chains of the target xsimd (targets/xsimd/chain.hpp).
//   ctest --test-dir build/gcc -L bench -R kernels.chains -V
#include <cstdio>

#include <tenon/runtime/random_tensor.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/xsimd.hpp>
#include <tenon/tenon.hpp>
#include <tenon/text/parse.hpp>

#include "least.hpp"

using namespace tenon;

namespace {

struct measured_chain {
  const char *name, *ops;  ///< X is the type; from %0 to %9
};

}  // namespace

int main() {
  constexpr measured_chain all[] = {
      {"add", "%9 = add(%0, %1) : X\n"},
      {"hard swish",
       "%5 = add(%0, %1) : X\n%6 = maximum(%5, %2) : X\n%7 = minimum(%6, %3) : X\n%8 = mul(%0, %7) : X\n"
       "%9 = div(%8, %3) : X\n"},
      {"silu", "%8 = sigmoid(%0) : X\n%9 = mul(%0, %8) : X\n"},
      {"gelu",
       "%5 = div(%0, %3) : X\n%6 = erf(%5) : X\n%7 = add(%6, %1) : X\n%8 = mul(%0, %7) : X\n%9 = mul(%8, %3) : X\n"},
  };
  for (const char* shape : {"2x96x200", "1024x768"})
    for (const measured_chain& c : all) {
      const std::string x = std::string("tensor<") + shape + "xf32>";
      std::string text =
          "tenon.module phase=ingestion\nconstant #0 : tensor<f32> = [3]\nconstant #1 : tensor<f32> = [0]\n"
          "constant #2 : tensor<f32> = [6]\nfunc entry @main(%0: X) -> (X) {\n";
      for (const char* number : {"1", "2", "3"})
        text += "%" + std::string(number) + " = constant() {value = #" + static_cast<char>(number[0] - 1) +
                "} : tensor<f32>\n";
      text += std::string(c.ops) + "return(%9)\n}\n";
      for (size_t at; (at = text.find('X')) != text.npos;) text.replace(at, 1, x);
      const ir::module m = parse(text);
      const ir::type& t = m.type_of(m[m[m.find_function("main")].body].arguments[0]);
      const tensor in = random_tensor(t.elem, t.extents(), 1);
      targets::cpu native;
      native.threads = 1;
      const program by[] = {
          load(build<targets::cpu>(parse<phases::ingestion>(text), native)),
          load_xsimd(build<targets::xsimd>(parse<phases::ingestion>(text), targets::xsimd{.threads = 1}))};
      const std::vector<double> us = least_us(by, {&in, 1});
      std::printf("%-10s %-12s cpu %9.2f us, xsimd %9.2f us, %5.2f times cpu's\n", c.name, shape, us[0], us[1],
                  us[1] / us[0]);
    }
}
