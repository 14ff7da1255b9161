/* docs/how_to/c_file.md: a program of two files of C, of which tenon wrote one. */
#include <stdio.h>
#include <stdlib.h>

// [include]
#include "scorer.c"  // elsewhere, or where it is compiled by itself: #define tenon_declarations_only before it
// [end]

static int score(const float *x, const float *weights, int64_t rows, float total[3]) {
  // [run]
  const scorer_sizes sizes = {.n = rows};  // the extents that the model leaves open, by name
  scorer_plan plan;                        // for these: bytes of the workspace, shapes and bytes of the tensors
  tenon_model_status s = scorer_make_plan(&sizes, &plan);
  if (s.code) return fprintf(stderr, "%s %s\n", s.name, s.message), 1;

  void *workspace = aligned_alloc(64, (plan.workspace_bytes + 63) / 64 * 64);
  float *weighted = malloc((size_t)(plan.weighted_shape[0] * plan.weighted_shape[1]) * sizeof *weighted);
  s = scorer_run_in(&plan, workspace, plan.workspace_bytes, NULL, x, weights, weighted, total);
  // [end]
  if (s.code) fprintf(stderr, "%s %s\n", s.name, s.message);
  else printf("last %g, ", (double)weighted[3 * rows - 1]);
  free(workspace), free(weighted);
  return s.code;
}

int main(void) {
  const float x[] = {1, 2, 3, 4, 5, 6}, weights[] = {1, 1, 1, 2, 2, 2};
  for (int64_t rows = 1; rows <= 2; ++rows) {
    float total[3];
    if (score(x, weights, rows, total)) return 1;
    printf("total of %d: %g %g %g\n", (int)rows, (double)total[0], (double)total[1], (double)total[2]);
  }
  return 0;
}
