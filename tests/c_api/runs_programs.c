/* <tenon.h> from C11: opens, describes and runs; what is wrong is an error. Argument: a program file of scorer.tenon.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon.h>

static int failures;
#define CHECK(x)                                            \
  do {                                                      \
    if (!(x)) printf("%d: %s\n", __LINE__, #x), ++failures; \
  } while (0)

static void good(tenon_error *e, int line) {
  if (!e) return;
  printf("%d: %s\n", line, tenon_error_text(e));
  ++failures;
  tenon_error_free(e);
}
#define GOOD(call) good(call, __LINE__)

static void refused(tenon_error *e, const char *code, const char *says, int line) {
  if (!e || strcmp(tenon_error_code(e), code) != 0 || !strstr(tenon_error_message(e), says)) {
    printf("%d: expected %s, got %s\n", line, code, e ? tenon_error_text(e) : "no error");
    ++failures;
  }
  tenon_error_free(e);
}
#define REFUSED(call, code, says) refused(call, code, says, __LINE__)

static char *read_all(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  char *bytes;
  long n;
  if (!f) exit(2);
  fseek(f, 0, SEEK_END);
  n = ftell(f);
  rewind(f);
  bytes = malloc((size_t)n);
  *size = fread(bytes, 1, (size_t)n, f);
  fclose(f);
  return bytes;
}

/* A pool of the caller's: of this thread alone. */
static void serially(void *user, int count, void (*task)(void *context, int i), void *context) {
  int i;
  ++*(int *)user;
  for (i = 0; i < count; ++i) task(context, i);
}

static void runs_with(const tenon_program *p, const tenon_tensor *inputs, const tenon_tensor *outputs, float *total) {
  int loops = 0;
  const tenon_pool pool = {2, serially, &loops}, none = {0, serially, &loops};
  tenon_stop *stop = NULL;
  tenon_results *results = NULL;
  tenon_run_options o = {sizeof(tenon_run_options), 0, NULL, NULL};
  GOOD(tenon_stop_new(&stop));
  o.stop = stop, o.pool = &pool;
  memset(total, 0, 3 * sizeof *total);
  GOOD(tenon_run_with(p, inputs, 2, outputs, 2, &o));
  CHECK(total[0] == 9 && total[2] == 15);
  GOOD(tenon_run_new_with(p, inputs, 2, &o, &results));
  CHECK(results && ((const float *)tenon_result(results, 1)->data)[2] == 15);
  tenon_results_free(results);
  tenon_stop_request(stop);
  REFUSED(tenon_run_with(p, inputs, 2, outputs, 2, &o), "program.stopped", "stopped");
  REFUSED(tenon_run_new_with(p, inputs, 2, &o, &results), "program.stopped", "stopped");
  CHECK(results == NULL);
  tenon_stop_clear(stop);
  memset(total, 0, 3 * sizeof *total);
  GOOD(tenon_run_with(p, inputs, 2, outputs, 2, &o));
  CHECK(total[0] == 9 && total[2] == 15);
  GOOD(tenon_run_with(p, inputs, 2, outputs, 2, NULL));
  o.pool = &none;
  REFUSED(tenon_run_with(p, inputs, 2, outputs, 2, &o), "usage", "no threads");
  o.size = 1;
  REFUSED(tenon_run_with(p, inputs, 2, outputs, 2, &o), "usage", "size");
  tenon_stop_free(stop);
  tenon_stop_free(NULL);
}

static void runs(const tenon_program *p) {
  float x[6] = {1, 2, 3, 4, 5, 6}, w[6] = {1, 1, 1, 2, 2, 2}, weighted[6], total[3];
  const int64_t rows[2] = {2, 3}, three[1] = {3}, other[2] = {1, 3};
  const tenon_tensor inputs[2] = {{NULL, tenon_f32, 2, rows, x}, {NULL, tenon_f32, 2, rows, w}};
  const tenon_tensor outputs[2] = {{NULL, tenon_f32, 2, rows, weighted}, {NULL, tenon_f32, 1, three, total}};
  const tenon_tensor named_in[2] = {{"weights", tenon_f32, 2, rows, w}, {"x", tenon_f32, 2, rows, x}};
  const tenon_tensor named_out[2] = {{"total", tenon_f32, 1, three, total}, {"weighted", tenon_f32, 2, rows, weighted}};
  tenon_tensor changed[2];
  tenon_results *results = NULL;
  int64_t shape[4];
  size_t rank = 0;

  GOOD(tenon_run(p, inputs, 2, outputs, 2, 1));
  CHECK(total[0] == 9 && total[2] == 15 && weighted[5] == 12);
  memset(total, 0, sizeof total);
  GOOD(tenon_run(p, named_in, 2, named_out, 2, 0));
  CHECK(total[0] == 9 && total[2] == 15);
  GOOD(tenon_output_shape(p, inputs, 2, 0, shape, 4, &rank));
  CHECK(rank == 2 && shape[0] == 2 && shape[1] == 3);
  GOOD(tenon_run_new(p, inputs, 2, 2, &results));
  CHECK(tenon_result_count(results) == 2 && !tenon_result(results, 2));
  CHECK(strcmp(tenon_result(results, 1)->name, "total") == 0 && ((float *)tenon_result(results, 1)->data)[1] == 12);
  tenon_results_free(results);
  runs_with(p, inputs, outputs, total);

  memcpy(changed, named_in, sizeof changed);
  changed[0].name = "weight";
  REFUSED(tenon_run(p, changed, 2, outputs, 2, 1), "program.name", "no input 'weight'");
  changed[0].name = "x";
  REFUSED(tenon_run(p, changed, 2, outputs, 2, 1), "program.name", "given twice");
  REFUSED(tenon_run(p, inputs, 1, outputs, 2, 1), "program.count", "2 inputs, and 1");
  memcpy(changed, inputs, sizeof changed);
  changed[1].type = tenon_f64;
  REFUSED(tenon_run(p, changed, 2, outputs, 2, 1), "program.type", "input 'weights'");
  changed[1].type = (tenon_type)77;
  REFUSED(tenon_run(p, changed, 2, outputs, 2, 1), "program.type", "element type 77");
  memcpy(changed, inputs, sizeof changed);
  changed[1].shape = other;
  REFUSED(tenon_run(p, changed, 2, outputs, 2, 1), "program.type", "dimension 0 of input 'weights'");
  changed[1] = inputs[1];
  changed[0].data = NULL;
  REFUSED(tenon_run(p, changed, 2, outputs, 2, 1), "program.null", "input 'x' has no data");
  memcpy(changed, outputs, sizeof changed);
  changed[1].data = x;
  REFUSED(tenon_run(p, inputs, 2, changed, 2, 1), "program.overlap", "output 'total'");
  REFUSED(tenon_run(NULL, inputs, 2, outputs, 2, 1), "usage", "program");
  REFUSED(tenon_output_shape(p, inputs, 2, 0, shape, 1, &rank), "program.shape", "room for 1");
}

int main(int argc, char **argv) {
  tenon_program *p = NULL, *again = NULL;
  size_t size;
  char *bytes;
  if (argc < 2) return 2;
  CHECK(tenon_api_version() == TENON_API_VERSION && strchr(tenon_version(), '.'));
  CHECK(strcmp(tenon_type_name(tenon_bool), "bool") == 0 && tenon_type_size(tenon_f16) == 2);
  CHECK(!tenon_type_name((tenon_type)99) && tenon_type_size((tenon_type)99) == 0);

  GOOD(tenon_open(argv[1], &p));
  if (!p) return 1;
  CHECK(tenon_input_count(p) == 2 && tenon_output_count(p) == 2 && !tenon_input(p, 2));
  CHECK(tenon_entry_count(p) == 1 && !tenon_entry_name(p, 1));
  CHECK(strcmp(tenon_input(p, 1)->name, "weights") == 0 && tenon_input(p, 1)->type == tenon_f32);
  CHECK(tenon_input(p, 0)->rank == 2 && tenon_input(p, 0)->shape[0] == -1 && tenon_input(p, 0)->shape[1] == 3);
  CHECK(strcmp(tenon_input(p, 0)->symbols[0], "n") == 0 && !tenon_input(p, 0)->symbols[1]);
  CHECK(strstr(tenon_target(p), "cpu"));
  runs(p);

  bytes = read_all(argv[1], &size);
  GOOD(tenon_open_memory(bytes, size, &again));
  bytes[size / 2] ^= 1;
  if (again) runs(again); /* a copy */
  tenon_close(again);
  REFUSED(tenon_open_memory(bytes, size, &again), "file.changed", "a program in memory");
  CHECK(!again);
  REFUSED(tenon_open_memory(bytes, 10, &again), "file.cut", "only 10 bytes");
  free(bytes);
  REFUSED(tenon_open("there/is/no.tenon", &again), "io.open", "no.tenon");
  REFUSED(tenon_open(NULL, &again), "usage", "path");
  tenon_close(p);
  tenon_close(NULL);
  tenon_error_free(NULL);
  puts(failures ? "FAILED" : "all is well");
  return failures != 0;
}
