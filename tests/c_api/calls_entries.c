/* A program of several functions from C11. Argument: a program file of tests/text/tools/entries.tir. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <tenon.h>

static int failed(tenon_error *e) {
  if (!e) return 0;
  printf("%s: %s\n", tenon_error_code(e), tenon_error_hint(e));
  tenon_error_free(e);
  return 1;
}

int main(int argc, char **argv) {
  tenon_program *p = NULL, *sum = NULL, *none = NULL;
  float a[4] = {1, 2, 3, 4}, b[4] = {10, 20, 30, 40}, y[4];
  const int64_t shape[2] = {1, 4};
  const tenon_tensor inputs[2] = {{"b", tenon_f32, 2, shape, b}, {"a", tenon_f32, 2, shape, a}};
  const tenon_tensor output = {"s", tenon_f32, 2, shape, y};
  size_t i;
  if (argc < 2 || failed(tenon_open(argv[1], &p))) return 1;
  for (i = 0; i < tenon_entry_count(p); ++i) printf("entry %s\n", tenon_entry_name(p, i));
  if (tenon_entry_name(p, i) || tenon_input_count(p) != 1) return 2;
  failed(tenon_open_entry(p, "product", &none));
  if (none || failed(tenon_open_entry(p, "sum", &sum))) return 3;
  tenon_close(p);
  if (tenon_input_count(sum) != 2 || strcmp(tenon_entry_name(sum, 0), "sum") != 0) return 4;
  if (failed(tenon_run(sum, inputs, 2, &output, 1, 1))) return 5;
  printf("sum %g %g %g %g\n", y[0], y[1], y[2], y[3]);
  tenon_close(sum);
  return 0;
}
