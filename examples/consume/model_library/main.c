/* The same models, called from C. */
#include <stdio.h>
#include <stdlib.h>

#include <classifier.h>
#include <scorer.h>

int main(void) {
  const float x[classifier_x_elements] = {1, 0.5f, 0.25f};
  float classes[classifier_classes_elements], rows[9], weights[9], weighted[9], total[3];
  tenon_model_status status = classifier_run(x, classes);
  if (status.code != tenon_model_ok) return puts(status.message), 1;
  printf("classes %.4f %.4f %.4f %.4f\n", (double)classes[0], (double)classes[1], (double)classes[2],
         (double)classes[3]);

  const scorer_sizes sizes = {.n = 3};
  scorer_plan plan;
  status = scorer_make_plan(&sizes, &plan);
  if (status.code != tenon_model_ok) return puts(status.message), 1;
  void *scratch = aligned_alloc(64, (plan.workspace_bytes + 63) / 64 * 64);
  for (int i = 0; i < 9; ++i) rows[i] = (float)(i % 3 + 1), weights[i] = 3.5f;
  status = scorer_run_in(&plan, scratch, plan.workspace_bytes, NULL, rows, weights, weighted, total);
  free(scratch);
  if (status.code != tenon_model_ok) return puts(status.message), 1;
  printf("scores of %d: %.2f\n", (int)sizes.n, (double)total[0]);
  return 0;
}
