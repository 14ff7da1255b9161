/// @file cl_kernels.ipp: kernels in OpenCL C: what is not as in C.
#pragma once

#include <tenon/passes/emit_c.ipp>  // the class of whose functions these are
#include <tenon/passes/emit_opencl.hpp>

namespace tenon::passes {

inline std::string grid_symbol_of(const std::string& kernel, size_t number, size_t step) {
  std::string r = "k" + std::to_string(number) + "_" + std::to_string(step) + "_";
  for (char c : kernel) r += (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? c : '_';
  return r;
}

namespace c_code {

/// C's names for what OpenCL C has by others.
inline std::string opencl_head(bool doubles) {
  std::string s = "/* Made by tenon " + std::to_string(version_major) + "." + std::to_string(version_minor) + "." +
                  std::to_string(version_patch) + ": OpenCL C 1.2. */\n" +
                  (doubles ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "") +
                  R"c(#pragma OPENCL FP_CONTRACT OFF
typedef char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef uchar uint8_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef ulong uint64_t;
#define INT32_MIN INT_MIN
#define INT64_MIN LONG_MIN
#define INT64_C(x) x##L
#define UINT64_C(x) x##UL
#define TN_INDEPENDENT
)c";
  for (const char* f : {"acos",  "acosh", "asin", "asinh", "atan", "atanh", "ceil", "copysign", "cos",
                        "cosh",  "erf",   "exp",  "expm1", "fabs", "floor", "fma",  "fmod",     "log",
                        "log1p", "pow",   "rint", "sin",   "sinh", "sqrt",  "tan",  "tanh",     "trunc"})
    s += std::string("#define ") + f + "f " + f + "\n";
  return s;
}

/// Does a kernel compute in f64?
inline bool has_doubles(const ir::module& m, function_id kernel) {
  const auto is_double = [&](value_id v) { return m.type_of(v).elem == dtype::f64; };
  bool found = std::ranges::any_of(m[m[kernel].body].arguments, is_double);
  ir::for_each_op(m, m[kernel].body, [&](op_id op) {
    for (value_id v : m.results(op)) found = found || is_double(v);
  });
  return found;
}

inline std::string emitter::opencl_unit() {
  std::string kernels;
  scalars_.vectorizable = false;  // a GPU has functions of its own
  bool doubles = false;
  for (function_id f : m_.functions()) {
    if (m_[f].kind != ir::function_kind::kernel) continue;
    doubles = doubles || has_doubles(m_, f);
    const std::vector<ir::grid_step> steps = ir::grid_steps(m_, f);
    for (size_t i = 0; i < steps.size(); ++i) kernels += grid_kernel(f, steps, i);
  }
  return opencl_head(doubles || scalars_.through_doubles) + scalars_.prelude + "\n" + kernels;
}

inline std::string emitter::grid_kernel(function_id f, const std::vector<ir::grid_step>& steps, size_t number) {
  const ir::function& fn = m_[f];
  kernel_ = fn.name;
  names_.clear();
  out_.clear();
  sizes_.begin();
  const ir::grid_step& step = steps[number];
  depth_ = 1;
  std::string parameters;
  for (value_id a : m_[fn.body].arguments) {
    const ir::type& t = m_.type_of(a);
    if (!ir::is_known(t))
      throw unsupported_error("codegen.unsupported", "kernel '" + kernel_ + "': a buffer's shape is not known", {},
                              "give the model's inputs shapes: --shape");
    const std::string name = fresh(a), pointer = "__global " + std::string(memory_type(t.elem)) + "*";
    parameters += "__global uchar* b_" + name + ", ulong o_" + name + ", ";
    line(pointer + " const " + name + " = (" + pointer + ")(b_" + name + " + o_" + name + ");");
  }
  parameters += "__global const long* sizes" + grid_indices(step);
  const auto in_step = [&](op_id op, const ir::grid_step& s) {
    return std::find(s.ops.begin(), s.ops.end(), op) != s.ops.end();
  };
  for (op_id op : m_[fn.body].ops) {
    if (m_.view(op).info().traits.terminator) continue;
    if (std::none_of(steps.begin(), steps.end(), [&](const ir::grid_step& s) { return in_step(op, s); })) {
      operation(op);  // a scalar that follows from sizes: each step computes its own
    } else if (in_step(op, step)) {
      if (step.loops.empty()) operation(op);
      else grid_body(step, 0);
    }
  }
  close("}\n");
  if (checks_.any())
    throw unsupported_error(
        "codegen.unsupported",
        "kernel '" + kernel_ + "': an access is not proven to stay inside of its buffer, and OpenCL code has no checks",
        {}, "if you trust where the module comes from: --target opencl:check_bounds=off");
  const std::string declared = sizes_.declarations(out_);
  return "__kernel void " + grid_symbol_of(fn.name, f.index, number) + "(" + parameters + ") {\n" + declared +
         std::exchange(out_, {});
}

/// Finds the indices of the bound loops from the number of the work item; work items that are too many end. Returns the
/// parameters that say the loops' bounds; those that are numbers stand in the text.
inline std::string emitter::grid_indices(const ir::grid_step& s) {
  if (s.loops.empty()) return {};
  std::string parameters;
  strings first, count;
  i64 total = 1;  // -1: not known
  for (size_t d = 0; d < s.loops.size(); ++d) {
    const ir::op_view v = m_.view(s.loops[d]);
    const std::string number = std::to_string(d);
    parameters += ", long l" + number + ", long n" + number;
    first.push_back("l" + number), count.push_back("(ulong)n" + number);
    if (const std::optional<i64> runs = runs_of(v)) {
      first.back() = "0", count.back() = c_code::number(*runs);
      constexpr i64 most = i64{1} << 31;
      total = total < 0 || *runs >= most || total * *runs >= most ? -1 : total * *runs;
    } else {
      total = -1;
    }
  }
  const std::string type = total >= 0 ? "uint" : "ulong";
  std::string all;
  for (const std::string& n : count) all += (all.empty() ? "" : " * ") + n;
  line(type + " r = (" + type + ")get_global_id(0);");
  line("if (r >= " + (total >= 0 ? c_code::number(total) : all) + ") return;");
  for (size_t d = s.loops.size(); d-- > 0;) {
    const ir::op_view v = m_.view(s.loops[d]);
    const i64 step = v.as<loop::for_loop>().step;
    const std::string at = d == 0 ? "r" : "r % " + count[d], index = fresh(m_[v.region()].arguments[0]);
    line("const int64_t " + index + " = " + (first[d] == "0" ? "" : first[d] + " + ") + "(int64_t)(" + at + ")" +
         (step == 1 ? "" : " * " + c_code::number(step)) + ";");
    if (d != 0) line("r /= " + count[d] + ";");
  }
  return parameters;
}

inline void emitter::grid_body(const ir::grid_step& s, size_t depth) {
  const op_id inner = depth + 1 < s.loops.size() ? s.loops[depth + 1] : op_id{};
  for (op_id op : m_[m_.region(s.loops[depth])].ops)
    if (op != inner && !m_.view(op).info().traits.terminator) operation(op);
  if (inner) grid_body(s, depth + 1);
}

}  // namespace c_code
}  // namespace tenon::passes
