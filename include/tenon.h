/* tenon.h: runs compiled models from C, and from whatever calls C.
 *
 *   tenon_program *p;
 *   tenon_error *e = tenon_open("model.tenon", &p);
 *   if (!e) e = tenon_run(p, &input, 1, &output, 1, 0);
 *   if (e) fprintf(stderr, "%s\n", tenon_error_text(e)), tenon_error_free(e);
 *   tenon_close(p);
 *
 * Link libtenon_runtime, which opens program files of native code and has no compiler, or libtenon_compiler, which has
 * all of this, opens every program file, and compiles models. Link one of them.
 *
 * A function that can fail returns an error, which the caller frees, or null. A program can be used by any number of
 * threads at once. Nothing that is returned as `const` is the caller's to free. Later versions only add to what
 * TENON_API_VERSION 1 has: what came later says so.
 */
// clang-format Language: C
#ifndef TENON_H
#define TENON_H

#include <stddef.h>
#include <stdint.h>

#define TENON_API_VERSION 5

#if defined(__GNUC__)
#  define TENON_API __attribute__((visibility("default")))
#else
#  define TENON_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The TENON_API_VERSION that the library was built with. */
TENON_API int tenon_api_version(void);
/* "0.1.0": of tenon itself. */
TENON_API const char *tenon_version(void);

/* --- errors */

typedef struct tenon_error tenon_error;
/* A stable key: "io.open", "file.changed", "program.type" … */
TENON_API const char *tenon_error_code(const tenon_error *e);
/* What went wrong, and where. */
TENON_API const char *tenon_error_message(const tenon_error *e);
/* What to do about it; "" where nothing is known. */
TENON_API const char *tenon_error_hint(const tenon_error *e);
/* All of it in a sentence. */
TENON_API const char *tenon_error_text(const tenon_error *e);
/* Null is fine. */
TENON_API void tenon_error_free(tenon_error *e);

/* --- tensors: dense, in row-major order, in the caller's memory */

typedef enum tenon_type {
  tenon_f64 = 0,
  tenon_f32 = 1,
  tenon_f16 = 2, /* IEEE binary16, as its bits */
  tenon_bf16 = 3,
  tenon_i64 = 4,
  tenon_i32 = 5,
  tenon_i16 = 6,
  tenon_i8 = 7,
  tenon_u64 = 8,
  tenon_u32 = 9,
  tenon_u16 = 10,
  tenon_u8 = 11,
  tenon_bool = 12 /* a byte, 0 or 1 */
  /* Larger numbers are types that C has no name for: tenon_type_name says which; an element is a byte. */
} tenon_type;
/* "f32"; null for what is no type. */
TENON_API const char *tenon_type_name(tenon_type type);
/* Bytes of an element; 0 for what is no type. */
TENON_API size_t tenon_type_size(tenon_type type);

typedef struct tenon_tensor {
  const char *name; /* of the input or output that it is for; null: by its place in the array */
  tenon_type type;
  size_t rank;
  const int64_t *shape;
  void *data; /* aligned for the element type; an input is only read */
} tenon_tensor;

/* --- programs */

typedef struct tenon_program tenon_program;

/* Opens a program file that `tenon build` or tenon_compile made. */
TENON_API tenon_error *tenon_open(const char *path, tenon_program **program);
/* The same of a file's bytes, which are copied. */
TENON_API tenon_error *tenon_open_memory(const void *bytes, size_t size, tenon_program **program);
/* Null is fine. */
TENON_API void tenon_close(tenon_program *program);

/* What a program takes or gives. */
typedef struct tenon_port {
  const char *name;
  tenon_type type;
  size_t rank;                /* SIZE_MAX where it is known only when the program runs */
  const int64_t *shape;       /* -1: an extent that each run may choose, or that follows from others */
  const char *const *symbols; /* of those extents: what they are, as "batch" or "2*n+1"; else null */
} tenon_port;

TENON_API size_t tenon_input_count(const tenon_program *program);
TENON_API size_t tenon_output_count(const tenon_program *program);
/* Null beyond the last one. */
TENON_API const tenon_port *tenon_input(const tenon_program *program, size_t i);
TENON_API const tenon_port *tenon_output(const tenon_program *program, size_t i);
/* What the code was made for: "cpu:arch=znver4,…". */
TENON_API const char *tenon_target(const tenon_program *program);

/* The functions of a program that can be called, by name; the one that `program` is comes first. Since version 3. */
TENON_API size_t tenon_entry_count(const tenon_program *program);
/* Null beyond the last one. */
TENON_API const char *tenon_entry_name(const tenon_program *program, size_t i);
/* The same program, of which inputs, outputs and runs are those of another entry. Code and constants are shared; it is
 * closed by itself, before or after `program`. Error "program.entry" for a name that it lacks. Since version 3. */
TENON_API tenon_error *tenon_open_entry(const tenon_program *program, const char *name, tenon_program **entry);

/* Runs on the caller's buffers. Inputs and outputs come in the program's order, or say their names. `threads` 0: as
 * many as the process may use. Outputs have the shapes that the inputs' lead to (tenon_output_shape). */
TENON_API tenon_error *tenon_run(const tenon_program *program, const tenon_tensor *inputs, size_t input_count,
                                 const tenon_tensor *outputs, size_t output_count, int threads);
/* --- runs that can be stopped, and threads of the caller's: since version 2 */

/* Asks runs to end early. Any thread may ask, at any time; one may serve many runs, and stays up until it is cleared.
 * It must live as long as runs that were given it. */
typedef struct tenon_stop tenon_stop;
TENON_API tenon_error *tenon_stop_new(tenon_stop **stop);
TENON_API void tenon_stop_request(tenon_stop *stop);
TENON_API void tenon_stop_clear(tenon_stop *stop);
/* Null is fine. */
TENON_API void tenon_stop_free(tenon_stop *stop);

/* Threads on which parallel loops run. `run` calls `task(context, i)` once for each i of [0, count), on any threads,
 * the calling one too, and returns when all have returned. Several threads may call it at once; a task waits for no
 * other. */
typedef struct tenon_pool {
  int threads; /* how many tasks can run at once */
  void (*run)(void *user, int count, void (*task)(void *context, int i), void *context);
  void *user;
} tenon_pool;

typedef struct tenon_run_options {
  size_t size;            /* sizeof(tenon_run_options) of this header */
  int threads;            /* 0: those of the pool, or as many as the process may use */
  const tenon_pool *pool; /* null: the library's */
  const tenon_stop *stop; /* null: the run goes to its end */
} tenon_run_options;

/* As tenon_run. Error "program.stopped" where it was asked to end: outputs hold nothing of use, and the program can be
 * run again. Between kernels and where pieces of loops begin the code looks whether it is. */
TENON_API tenon_error *tenon_run_with(const tenon_program *program, const tenon_tensor *inputs, size_t input_count,
                                      const tenon_tensor *outputs, size_t output_count,
                                      const tenon_run_options *options);

/* --- what a run gives */

/* The shape of output i for these inputs, of which data is not looked at: `rank` numbers go to `shape`, which has room
 * for `room`. Error "program.shape" where that is known only once the program has run: use tenon_run_new. */
TENON_API tenon_error *tenon_output_shape(const tenon_program *program, const tenon_tensor *inputs, size_t input_count,
                                          size_t i, int64_t *shape, size_t room, size_t *rank);

/* Runs, and returns outputs in memory of the library's. */
typedef struct tenon_results tenon_results;
TENON_API tenon_error *tenon_run_new(const tenon_program *program, const tenon_tensor *inputs, size_t input_count,
                                     int threads, tenon_results **results);
/* The same with options. Since version 4. */
TENON_API tenon_error *tenon_run_new_with(const tenon_program *program, const tenon_tensor *inputs, size_t input_count,
                                          const tenon_run_options *options, tenon_results **results);
TENON_API size_t tenon_result_count(const tenon_results *results);
/* As long as `results` is not freed; null beyond the last one. */
TENON_API const tenon_tensor *tenon_result(const tenon_results *results, size_t i);
TENON_API void tenon_results_free(tenon_results *results);

/* --- compiling: libtenon_compiler only */

/* Compiles an ONNX model for `target` ("cpu", "cpu:arch=x86-64-v3" …; null: this machine) to a program file. */
TENON_API tenon_error *tenon_compile(const char *model, const char *target, const char *program_path);
/* The same in memory. */
TENON_API tenon_error *tenon_compile_open(const char *model, const char *target, tenon_program **program);

/* What runs where: nodes of the model (`*` stands for any characters) and functions, by name. `target`: a member of
 * `composite(cpu,second@cpu)`, or the program's target with options of a function: "cpu:threads=1". */
typedef struct tenon_constraint {
  const char *name, *target;
} tenon_constraint;
/* As tenon_compile. Errors "target.no_node", "target.no_member", "target.elsewhere", "target.conflict".
 * Since version 5. */
TENON_API tenon_error *tenon_compile_constrained(const char *model, const char *target,
                                                 const tenon_constraint *constraints, size_t constraint_count,
                                                 const char *program_path);

/* --- functions of this process, which models call by name: libtenon_compiler only, since version 5 */

/* A call of such a function, until that returns. */
typedef struct tenon_host_call tenon_host_call;

/* `operands` are only read, and stay valid until the function returns; one that the model leaves out has rank SIZE_MAX.
 * Any thread that runs a program may call it, several at once. */
typedef void (*tenon_host_function)(void *user, const tenon_tensor *operands, size_t count, tenon_host_call *call);

/* Models that are opened here, before or after, call it by that name. `done`, which may be null, is called with `user`
 * when nobody can call it any more. Errors "host_function.name", "host_function.taken": nothing is registered. */
TENON_API tenon_error *tenon_add_host_function(const char *name, tenon_host_function function, void *user,
                                               void (*done)(void *user));
/* Was there one? Calls that run end as they began. */
TENON_API int tenon_remove_host_function(const char *name);

/* Room for the elements of the next result, which the function writes before it returns. Null where there is none: then
 * the call has failed. Results are held to the types that the model states. */
TENON_API void *tenon_add_result(tenon_host_call *call, tenon_type type, size_t rank, const int64_t *shape);
/* Ends the run with an error that quotes `message`, once the function returns. */
TENON_API void tenon_fail_call(tenon_host_call *call, const char *message);
/* The operands for as long as the caller likes: until tenon_results_free, also when the function has returned. */
TENON_API tenon_error *tenon_keep_operands(tenon_host_call *call, tenon_results **kept);

#ifdef __cplusplus
}
#endif
#endif
