/* A program file of several parts: the compiler's library runs it, the small one says what to do. Argument: such a
 * file, of tests/text/tools/programs.tir. */
#include <stdint.h>
#include <stdio.h>

#include <tenon.h>

static int failed(tenon_error *e) {
  if (!e) return 0;
  printf("%s: %s\n", tenon_error_code(e), tenon_error_hint(e));
  tenon_error_free(e);
  return 1;
}

int main(int argc, char **argv) {
  tenon_program *p;
  tenon_results *results;
  float x[8] = {1, 0, 2, 0, 0, 3, 0, 4};
  const int64_t shape[2] = {2, 4};
  const tenon_tensor input = {"x", tenon_f32, 2, shape, x};
  size_t rank, i;
  if (argc < 2 || failed(tenon_open(argv[1], &p))) return 1;
  printf("%s %lld %s, %d outputs\n", tenon_input(p, 0)->name, (long long)tenon_input(p, 0)->shape[0],
         tenon_input(p, 0)->symbols[0], (int)tenon_output_count(p));
  failed(tenon_output_shape(p, &input, 1, 0, NULL, 0, &rank));
  if (failed(tenon_run_new(p, &input, 1, 1, &results))) return 1;
  for (i = 0; i < tenon_result_count(results); ++i)
    printf("output %s of rank %d\n", tenon_result(results, i)->name, (int)tenon_result(results, i)->rank);
  tenon_results_free(results);
  tenon_close(p);
  return 0;
}
