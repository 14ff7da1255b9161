/// @file abi: the C interface between generated code and the runtime.
///
/// Plain C, also usable from a program that loads a built shared object without the rest of the library.
/// Only additions at `reserved` are allowed without a new TENON_ABI_VERSION.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_ABI_VERSION 1u

/// Runs on [begin, end) of a loop's iterations. Must not unwind.
typedef void (*tenon_body)(void* ctx, int64_t begin, int64_t end);

/// What code that checks its accesses says of the first one that would have left its buffer, and was not made.
struct tenon_fault {
  const char* what; /* kernel, op and buffer; null: there was none */
  int64_t dimension, index;
};
typedef struct tenon_fault tenon_fault;

struct tenon_runtime;
/// Code that another generator made, as generated code calls it: `buffers` are its arguments, then its results. Where
/// it fails, it says so in `failed`. Must not unwind.
struct tenon_external_call {
  void (*run)(const void* code, void* const* buffers, const struct tenon_runtime* rt);
  const void* code;
};
typedef struct tenon_external_call tenon_external_call;

/// What generated code may ask of the program that calls it.
struct tenon_runtime {
  uint32_t version; /* TENON_ABI_VERSION */
  void* pool;       /* passed to parallel_for, opaque to generated code */
  /// Runs `body` over [0, n) in pieces that start at multiples of `grain`, and returns when all are done. The pieces
  /// run in any order and on any thread, so an iteration depends on no other one.
  void (*parallel_for)(void* pool, int64_t n, int64_t grain, tenon_body body, void* ctx);
  /// What the sizes of this call are, for code whose shapes are known only when it runs; else null.
  const int64_t* sizes;
  /// Where such code says it; without a place it ends the process instead.
  tenon_fault* fault;
  /// Null, or a flag that is read between kernels and where pieces of loops begin: when it is not 0, the entry returns
  /// soon, and outputs hold nothing of use. It stays up until then.
  const int32_t* stop;
  /// Null, or told of each step of the entry, on the thread that called it: when it begins (`done` is 0) and when it is
  /// done (1). Steps are counted in the order of the code. Must not unwind.
  void (*step)(void* step_state, int64_t number, int32_t done);
  void* step_state;
  /// What code calls that other generators made, in the order of its calls; null where it calls none.
  const tenon_external_call* external;
  /// Where such a call says that it failed: then it is not 0, and the entry returns soon, as for `stop`. Not null where
  /// there are such calls.
  int32_t* failed;
  void* reserved[1];
};
typedef struct tenon_runtime tenon_runtime;

/// A compiled function. `inputs` and `outputs` are buffers in the order of the function's operands and results, each
/// aligned for its element type; `arena` is scratch memory of the size that the artifact states, 64-byte aligned;
/// `constants` is the artifact's constant section.
typedef void (*tenon_entry)(void* const* inputs, void* const* outputs, void* arena, const void* constants,
                            const tenon_runtime* rt);

#ifdef __cplusplus
}
#endif
