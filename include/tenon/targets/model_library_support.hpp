/// @file model_library_support: what all libraries of models share: text of their headers, once in a program that has
/// several. C11 and C++17, without the C library but for memcpy and floorf. No name is all capitals, as users' macros
/// are.
#pragma once

namespace tenon::detail {

/// `tenon_model_runtime` and its like are the types of runtime/abi.hpp under names of their own, since a program may
/// have both.
inline constexpr const char* library_c_support = R"(#ifndef TENON_MODEL_SUPPORT
#define TENON_MODEL_SUPPORT 1
/* Runs on [begin, end) of a loop's iterations. Must not unwind. */
typedef void (*tenon_model_body)(void *ctx, int64_t begin, int64_t end);
typedef struct tenon_model_fault {
  const char *what;
  int64_t dimension, index;
} tenon_model_fault;
/* How loops run on threads of yours: parallel_for runs `body` over [0, n) in pieces that start at multiples of `grain`,
 * on any threads, and returns when all are done. Set these two members; the others are set by a run. */
typedef struct tenon_model_runtime {
  uint32_t version;
  void *pool; /* passed to parallel_for */
  void (*parallel_for)(void *pool, int64_t n, int64_t grain, tenon_model_body body, void *ctx);
  const int64_t *sizes;
  tenon_model_fault *fault;
  const int32_t *stop;
  void *reserved[5];
} tenon_model_runtime;
typedef void (*tenon_model_entry)(void *const *inputs, void *const *outputs, void *arena, const void *constants,
                                  const void *runtime);

enum {
  tenon_model_ok = 0,
  tenon_model_bad_sizes = 1,     /* an extent is not what it must be */
  tenon_model_bad_workspace = 2, /* the workspace is too small, or not aligned to 64 bytes */
  tenon_model_busy = 3,          /* another thread uses the static workspace */
  tenon_model_bad_pointer = 4,   /* a pointer is null, or memory is shared with an output */
  tenon_model_out_of_bounds = 5  /* checked code refused an access */
};
/* What a call came to; code 0 is good. The texts live as long as the program. */
typedef struct tenon_model_status {
  int code;
  const char *message;
  const char *name;      /* of the input, output or size that is meant; "" for none */
  int64_t given, wanted; /* of an extent, or of bytes */
} tenon_model_status;

static inline tenon_model_status tenon_model_said(int code, const char *message, const char *name, int64_t given,
                                                  int64_t wanted) {
  tenon_model_status s;
  s.code = code;
  s.message = message;
  s.name = name;
  s.given = given;
  s.wanted = wanted;
  return s;
}
static inline tenon_model_status tenon_model_fine(void) { return tenon_model_said(tenon_model_ok, "", "", 0, 0); }

/* Loops on the calling thread. */
static inline void tenon_model_serial(void *pool, int64_t n, int64_t grain, tenon_model_body body, void *ctx) {
  (void)pool;
  (void)grain;
  if (n > 0) body(ctx, 0, n);
}

/* Integers, with what goes beyond 64 bits noted. */
static inline int64_t tenon_model_add(int64_t a, int64_t b, int *bad) {
  int64_t r;
  if (__builtin_add_overflow(a, b, &r)) *bad = 1;
  return r;
}
static inline int64_t tenon_model_mul(int64_t a, int64_t b, int *bad) {
  int64_t r;
  if (__builtin_mul_overflow(a, b, &r)) *bad = 1;
  return r;
}
static inline int64_t tenon_model_div(int64_t a, int64_t b, int *bad) { /* rounded down */
  if (b == 0 || (b == -1 && a == INT64_MIN)) {
    *bad = 1;
    return 0;
  }
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
static inline int64_t tenon_model_mod(int64_t a, int64_t b, int *bad) {
  const int64_t q = tenon_model_div(a, b, bad);
  return *bad ? 0 : a - q * b;
}
static inline int64_t tenon_model_max(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t tenon_model_scale(int64_t a, int64_t bits, int *bad) { /* by the float that has these bits */
  const uint32_t word = (uint32_t)bits;
  float scale, r;
  memcpy(&scale, &word, sizeof scale);
  r = __builtin_floorf((float)a * scale);
  if (!(r < 9e18f && r > -9e18f)) {
    *bad = 1;
    return 0;
  }
  return (int64_t)r;
}

/* Gives each of n buffers an offset such that those that live at once do not overlap; returns the size of all. Largest
 * first, lowest offset that is free. `lives` has the first and the last moment of each, `order` is of 2 n numbers. */
static inline int64_t tenon_model_place(int64_t n, const int64_t *lives, const int64_t *bytes, int64_t *offsets,
                                        int64_t *order, int *bad) {
  int64_t *done = order + n, end = 0, i, k, p;
  for (i = 0; i < n; ++i) {
    for (k = i; k > 0 && bytes[order[k - 1]] < bytes[i]; --k) order[k] = order[k - 1];
    order[k] = i;
  }
  for (k = 0; k < n; ++k) {
    const int64_t b = order[k];
    const int64_t size = tenon_model_add(tenon_model_max(bytes[b], 1), 63, bad) / 64 * 64;
    int64_t offset = 0;
    for (p = 0; p < k; ++p) {
      const int64_t d = done[p];
      if (lives[2 * d] > lives[2 * b + 1] || lives[2 * b] > lives[2 * d + 1]) continue;
      if (offsets[d] >= tenon_model_add(offset, size, bad)) break;
      offset = tenon_model_max(offset, tenon_model_add(offsets[d], (tenon_model_max(bytes[d], 1) + 63) / 64 * 64, bad));
    }
    offsets[b] = offset;
    for (p = k; p > 0 && offsets[done[p - 1]] > offset; --p) done[p] = done[p - 1];
    done[p] = b;
    end = tenon_model_max(end, tenon_model_add(offset, size, bad));
  }
  return end;
}

/* What a run needs; ports are the inputs, then the outputs. */
typedef struct tenon_model_call {
  tenon_model_entry entry;
  const void *constants;
  void **ports;
  const int64_t *bytes;
  const char *const *names;
  int64_t inputs, outputs;
  void *workspace;
  int64_t workspace_given, workspace_wanted;
  const int64_t *sizes;
} tenon_model_call;

static inline tenon_model_status tenon_model_run(const tenon_model_call *c, const tenon_model_runtime *given) {
  static unsigned char nothing[64];
  tenon_model_runtime rt;
  tenon_model_fault fault;
  int64_t i, k;
  for (i = 0; i < c->inputs + c->outputs; ++i) {
    if (c->bytes[i] == 0) c->ports[i] = nothing;
    else if (!c->ports[i])
      return tenon_model_said(tenon_model_bad_pointer, "this pointer is null", c->names[i], 0, c->bytes[i]);
    for (k = i < c->inputs ? i : 0; k < i; ++k) {
      const uintptr_t a = (uintptr_t)c->ports[i], b = (uintptr_t)c->ports[k];
      if (c->bytes[i] != 0 && c->bytes[k] != 0 && (a < b ? b - a < (uintptr_t)c->bytes[i] : a - b < (uintptr_t)c->bytes[k]))
        return tenon_model_said(tenon_model_bad_pointer, "this output shares memory with an input or another output",
                                c->names[i], 0, c->bytes[i]);
    }
  }
  if (c->workspace_given < c->workspace_wanted)
    return tenon_model_said(tenon_model_bad_workspace, "the workspace is too small", "", c->workspace_given,
                            c->workspace_wanted);
  if (!c->workspace || (uintptr_t)c->workspace % 64 != 0)
    return tenon_model_said(tenon_model_bad_workspace, "the workspace is null, or not aligned to 64 bytes", "",
                            c->workspace_given, c->workspace_wanted);
  memset(&rt, 0, sizeof rt);
  memset(&fault, 0, sizeof fault);
  rt.version = 1;
  rt.parallel_for = tenon_model_serial;
  if (given && given->parallel_for) {
    rt.pool = given->pool;
    rt.parallel_for = given->parallel_for;
  }
  rt.sizes = c->sizes;
  rt.fault = &fault;
  c->entry(c->ports, c->ports + c->inputs, c->workspace, c->constants, &rt);
  if (fault.what) return tenon_model_said(tenon_model_out_of_bounds, fault.what, "", fault.index, fault.dimension);
  return tenon_model_fine();
}
#endif
)";

inline constexpr const char* library_cpp_support = R"(#ifndef TENON_MODEL_VIEW
#define TENON_MODEL_VIEW 1
namespace tenon_model {

/// An extent that is known when the program runs.
inline constexpr std::int64_t dynamic = -1;

/// A dense tensor in the caller's memory, in row-major order. Element is const where it is only read.
template <class Element, std::int64_t... Extents>
class tensor_view {
 public:
  static constexpr std::size_t rank = sizeof...(Extents);
  static constexpr std::size_t open = (std::size_t{0} + ... + (Extents < 0 ? std::size_t{1} : std::size_t{0}));
  static constexpr bool is_static = open == 0;
  /// Of a static one.
  static constexpr std::int64_t elements = is_static ? (std::int64_t{1} * ... * Extents) : dynamic;

  /// `extents`: those that the type leaves open, in their order.
  template <class... Open, std::enable_if_t<sizeof...(Open) == open, int> = 0>
  constexpr explicit tensor_view(Element* data, Open... extents) : data_(data) {
    const std::int64_t given[] = {static_cast<std::int64_t>(extents)..., 0};
    std::size_t next = 0;
    for (std::size_t d = 0; d < rank; ++d)
      if (extents_[d] < 0) extents_[d] = given[next++];
  }
  template <std::size_t Count>
  constexpr tensor_view(Element (&array)[Count]) : data_(array) {
    static_assert(static_cast<std::int64_t>(Count) == elements, "the array has another number of elements than the tensor");
  }
  template <class Array, std::size_t Count = std::tuple_size<std::remove_const_t<Array>>::value>
  constexpr tensor_view(Array& array) : data_(array.data()) {
    static_assert(static_cast<std::int64_t>(Count) == elements, "the array has another number of elements than the tensor");
  }
  /// What is written can be read.
  template <class Other, std::enable_if_t<
      std::is_same<const Other, Element>::value && !std::is_same<Other, Element>::value, int> = 0>
  constexpr tensor_view(const tensor_view<Other, Extents...>& other) : data_(other.data()) {
    for (std::size_t d = 0; d < rank; ++d) extents_[d] = other.extent(d);
  }

  constexpr Element* data() const { return data_; }
  constexpr std::int64_t extent(std::size_t d) const { return extents_[d]; }

 private:
  Element* data_;
  std::int64_t extents_[rank + 1] = {Extents..., 0};
};

/// A run's scratch memory.
template <std::size_t Bytes>
struct alignas(64) workspace {
  unsigned char bytes[Bytes];
};

}  // namespace tenon_model
#endif
)";

}  // namespace tenon::detail
