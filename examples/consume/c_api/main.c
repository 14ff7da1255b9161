/* Compiles a model, says what it takes, and runs it: consumer model.onnx. A program file is opened with tenon_open. */
#include <stdio.h>
#include <stdlib.h>

#include <tenon.h>

static int failed(tenon_error *e) {
  if (!e) return 0;
  fprintf(stderr, "error: %s\n", tenon_error_text(e));
  tenon_error_free(e);
  return 1;
}

int main(int argc, char **argv) {
  tenon_program *program;
  tenon_results *results;
  if (argc < 2 || failed(tenon_compile_open(argv[1], NULL, &program))) return 1;

  /* Inputs of ones; an extent that is open is 2. */
  const size_t count = tenon_input_count(program);
  tenon_tensor *inputs = calloc(count + 1, sizeof *inputs);
  for (size_t i = 0; i < count; ++i) {
    const tenon_port *port = tenon_input(program, i);
    int64_t *shape = calloc(port->rank + 1, sizeof *shape);
    size_t elements = 1;
    printf("input %s %s[", port->name, tenon_type_name(port->type));
    for (size_t d = 0; d < port->rank; ++d) {
      shape[d] = port->shape[d] < 0 ? 2 : port->shape[d];
      elements *= (size_t)shape[d];
      printf(d ? ",%lld" : "%lld", (long long)shape[d]);
    }
    puts("]");
    float *data = calloc(elements, tenon_type_size(port->type));
    for (size_t k = 0; port->type == tenon_f32 && k < elements; ++k) data[k] = 1;
    inputs[i] = (tenon_tensor){port->name, port->type, port->rank, shape, data};
  }

  if (failed(tenon_run_new(program, inputs, count, 0, &results))) return 1;
  for (size_t i = 0; i < tenon_result_count(results); ++i) {
    const tenon_tensor *t = tenon_result(results, i);
    printf("output %s begins with %g\n", t->name, t->type == tenon_f32 ? (double)*(float *)t->data : 0.0);
  }

  tenon_results_free(results);
  for (size_t i = 0; i < count; ++i) free((void *)inputs[i].shape), free(inputs[i].data);
  free(inputs);
  tenon_close(program);
  return 0;
}
