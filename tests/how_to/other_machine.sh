# Code of docs/how_to/other_machine.md: a model for a machine that this one is not. model.onnx is beside it.
for tool in aarch64-linux-gnu-gcc qemu-aarch64 riscv64-linux-gnu-gcc qemu-riscv64; do
  command -v $tool > /dev/null || { echo "SKIPPED: $tool is missing (Debian: gcc-aarch64-linux-gnu, gcc-riscv64-linux-gnu, qemu-user)"; exit 77; }
done
cat > main.c << 'END'
#include <model.h>
#include <stdio.h>

int main(void) {
  // [main]
  const float x[model_x_elements] = {-1, 2, -3, 4};
  float y[model_y_elements];
  if (model_run(x, y).code != tenon_model_ok) return 1;
  // [end]
  return printf("y = %g %g %g %g\n", y[0], y[1], y[2], y[3]) < 0;
}
END

# [library]
tenon build model.onnx --emit library -o lib --target cpu:triple=aarch64-linux-gnu,arch=cortex-a72
aarch64-linux-gnu-gcc -O2 -static -Ilib main.c -Llib -lmodel -lm -o program
qemu-aarch64 ./program  # or copy it to the board
# [end]
# CHECK: lib/libmodel.a
# CHECK: y = 0 4 0 8

# [riscv]
tenon build model.onnx --emit library -o lib_riscv --target cpu:triple=riscv64-linux-gnu  # features=+v for vectors
# [end]
riscv64-linux-gnu-gcc -O2 -static -Ilib_riscv main.c -Llib_riscv -lmodel -lm -o program
qemu-riscv64 ./program
# CHECK: y = 0 4 0 8

# [file]
tenon build model.onnx -o model.tenon --target aarch64  # for tenon-runner, tenon.h and program::open there
tenon run model.tenon || tenon inspect model.tenon      # here it is refused, and says for which machine it is
# [end]
# CHECK: the code is for aarch64-unknown-linux-gnu, and this machine is
# CHECK: triple=aarch64-unknown-linux-gnu

# [c]
tenon build model.onnx --emit object -o source --target c_source  # C, for every compiler and processor
# [end]
aarch64-linux-gnu-gcc -std=c11 -O3 -static -Isource main.c source/model.c -lm -o program
qemu-aarch64 ./program
# CHECK: y = 0 4 0 8
