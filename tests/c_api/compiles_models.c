/* <tenon.h> with the compiler: a model becomes a program. Arguments: relu.onnx, a path to write. */
#include <stdio.h>
#include <string.h>

#include <tenon.h>

static int failed(tenon_error *e) {
  if (!e) return 0;
  puts(tenon_error_text(e));
  tenon_error_free(e);
  return 1;
}

int main(int argc, char **argv) {
  tenon_program *in_memory = NULL, *from_file = NULL;
  float x[4] = {-1, 2, -3, 4}, y[4] = {0};
  const int64_t shape[2] = {2, 2};
  const tenon_tensor input = {NULL, tenon_f32, 2, shape, x}, output = {"y", tenon_f32, 2, shape, y};
  tenon_error *e;
  if (argc < 3) return 2;
  if (failed(tenon_compile_open(argv[1], NULL, &in_memory)) || failed(tenon_run(in_memory, &input, 1, &output, 1, 0)))
    return 1;
  printf("in memory %g %g %g %g\n", (double)y[0], (double)y[1], (double)y[2], (double)y[3]);
  memset(y, 0, sizeof y);
  if (failed(tenon_compile(argv[1], "cpu:arch=x86-64-v3", argv[2])) || failed(tenon_open(argv[2], &from_file)) ||
      failed(tenon_run(from_file, &input, 1, &output, 1, 0)))
    return 1;
  printf("from a file %g %g %g %g\n", (double)y[0], (double)y[1], (double)y[2], (double)y[3]);
  tenon_close(in_memory), tenon_close(from_file);
  memset(y, 0, sizeof y);
  if (failed(tenon_compile_open(argv[1], "interpreter", &in_memory)) ||
      failed(tenon_run(in_memory, &input, 1, &output, 1, 0)))
    return 1;
  printf("interpreted %g %g %g %g\n", (double)y[0], (double)y[1], (double)y[2], (double)y[3]);
  tenon_close(in_memory);
  e = tenon_compile_open(argv[1], "no_such_target", &in_memory);
  printf("refused %s\n", e ? tenon_error_code(e) : "nothing");
  tenon_error_free(e);
  e = tenon_compile_open("there/is/no.onnx", NULL, &in_memory);
  printf("refused %s\n", e ? tenon_error_code(e) : "nothing");
  tenon_error_free(e);
  return 0;
}
