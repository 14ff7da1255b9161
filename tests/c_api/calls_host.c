/* Functions of the process, which a program calls by name. Argument: the program of tests/c_api/host.tir. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <tenon.h>

static int wrong = 0, ended = 0;
static tenon_results *kept = NULL;
static enum { right, no_result, bad_type, fails, too_large } way = right;

static void expect(int holds, const char *what) {
  if (!holds) printf("not so: %s\n", what), wrong = 1;
}
static void expect_error(tenon_error *e, const char *code, const char *text) {
  if (!e) {
    printf("no error: %s\n", text), wrong = 1;
    return;
  }
  if (strcmp(tenon_error_code(e), code) != 0 || !strstr(tenon_error_text(e), text))
    printf("%s, not %s: %s\n", tenon_error_text(e), code, text), wrong = 1;
  tenon_error_free(e);
}

/* Elements times weights, and how many there are. */
static void scale(void *user, const tenon_tensor *in, size_t count, tenon_host_call *call) {
  const int64_t one = 1, huge = INT64_MAX;
  int64_t i, *n;
  float *y;
  expect(*(int *)user == 7, "the caller's data comes along");
  expect(count == 3 && in[0].rank == 2 && in[0].type == tenon_f32 && in[1].rank == SIZE_MAX,
         "what the model hands over");
  if (way == fails) {
    tenon_fail_call(call, "the scale is broken");
    tenon_fail_call(call, "this is not heard any more");
    return;
  }
  if (way == too_large) {
    expect(tenon_add_result(call, tenon_f32, 1, &huge) == NULL, "no room for that");
    return;
  }
  if (!kept) expect(tenon_keep_operands(call, &kept) == NULL, "operands are kept");
  y = tenon_add_result(call, way == bad_type ? tenon_i32 : tenon_f32, 2, in[0].shape);
  for (i = 0; i < in[0].shape[0] * 3; ++i) y[i] = ((const float *)in[0].data)[i] * ((const float *)in[2].data)[i % 3];
  if (way == no_result) return;
  n = tenon_add_result(call, tenon_i64, 1, &one);
  *n = in[0].shape[0] * 3;
}
static void end(void *user) { ended += *(int *)user == 7; }

int main(int argc, char **argv) {
  tenon_program *p;
  tenon_results *r;
  float x[6] = {1, 2, 3, 4, 5, 6}, w[3] = {1, 10, 100};
  const int64_t shape[2] = {2, 3};
  const tenon_tensor in[2] = {{"x", tenon_f32, 2, shape, x}, {"w", tenon_f32, 1, shape + 1, w}};
  int seven = 7, i;
  tenon_error *e;
  if (argc < 2 || (e = tenon_open(argv[1], &p)) != NULL) return puts("the program is not opened"), 1;
  expect_error(tenon_run_new(p, in, 2, 1, &r), "host_function.absent", "test.scale");
  expect_error(tenon_add_host_function("", scale, NULL, NULL), "host_function.name", "no name");
  expect_error(tenon_add_host_function("test.scale", NULL, NULL, NULL), "usage", "the function is null");
  e = tenon_add_host_function("test.scale", scale, &seven, end);
  expect(e == NULL, "a function is registered");
  expect_error(tenon_add_host_function("test.scale", scale, &seven, end), "host_function.taken", "already");
  expect(ended == 0, "what is not registered does not end");
  e = tenon_run_new(p, in, 2, 1, &r);
  if (e) return printf("%s\n", tenon_error_text(e)), 1;
  for (i = 0; i < 6; ++i)
    expect(((const float *)tenon_result(r, 0)->data)[i] == -2 * x[i] * w[i % 3], "an element of the first result");
  expect(*(const int64_t *)tenon_result(r, 1)->data == 6, "the second result");
  tenon_results_free(r);
  expect(tenon_result_count(kept) == 3 && ((const float *)tenon_result(kept, 0)->data)[5] == 12, "what was kept stays");
  tenon_results_free(kept);
  way = no_result, expect_error(tenon_run_new(p, in, 2, 1, &r), "eval", "gives 1 results, and the module states 2");
  way = bad_type, expect_error(tenon_run_new(p, in, 2, 1, &r), "eval", "result 0 of function 'test.scale' is i32");
  way = fails, expect_error(tenon_run_new(p, in, 2, 1, &r), "eval", "the scale is broken");
  way = too_large, expect_error(tenon_run_new(p, in, 2, 1, &r), "eval", "function 'test.scale' failed");
  expect(tenon_remove_host_function("test.scale") == 1 && ended == 1, "it ends when it is removed");
  expect(tenon_remove_host_function("test.scale") == 0, "it is removed once");
  tenon_close(p);
  if (!wrong) puts("all as stated");
  return wrong;
}
