/* docs/how_to/c.md: from_c scorer.tenon */
#include <stdio.h>

#include <tenon.h>

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  const char *file = argv[1];
  // [run]
  float x[2][3] = {{1, 2, 3}, {4, 5, 6}}, weights[2][3] = {{1, 1, 1}, {2, 2, 2}}, weighted[2][3], total[3];
  const int64_t rows[] = {2, 3}, sums[] = {3};
  const tenon_tensor inputs[] = {{"x", tenon_f32, 2, rows, x}, {"weights", tenon_f32, 2, rows, weights}};
  const tenon_tensor outputs[] = {{"weighted", tenon_f32, 2, rows, weighted}, {"total", tenon_f32, 1, sums, total}};
  tenon_program *program;
  tenon_error *e = tenon_open(file, &program);               // or tenon_compile_open("model.onnx", NULL, &program)
  if (!e) e = tenon_run(program, inputs, 2, outputs, 2, 0);  // your buffers, by name or place; 0: all threads
  if (e) return fprintf(stderr, "%s\n", tenon_error_text(e)), 1;
  // [end]
  printf("total %g %g %g, last %g\n", (double)total[0], (double)total[1], (double)total[2], (double)weighted[1][2]);
  tenon_close(program);
  return 0;
}
