/// @file model_library_headers.ipp: the headers of a model's library (targets/model_library.hpp).
#pragma once

#include <algorithm>
#include <iterator>

#include <tenon/core/entry_symbol.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/extent_expr.hpp>
#include <tenon/core/fitting_extents.hpp>
#include <tenon/core/machine.hpp>
#include <tenon/core/version.hpp>
#include <tenon/targets/model_library.hpp>
#include <tenon/targets/model_library_support.hpp>

namespace tenon {
namespace detail {

inline bool is_c_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
inline bool is_reserved_word(std::string_view s) {
  static constexpr std::string_view words[] = {"alignas",     "alignof",      "and",       "and_eq",
                                               "asm",         "auto",         "bitand",    "bitor",
                                               "bool",        "break",        "case",      "catch",
                                               "char",        "char16_t",     "char32_t",  "char8_t",
                                               "class",       "co_await",     "co_return", "co_yield",
                                               "compl",       "concept",      "const",     "const_cast",
                                               "consteval",   "constexpr",    "constinit", "continue",
                                               "decltype",    "default",      "delete",    "do",
                                               "double",      "dynamic_cast", "else",      "enum",
                                               "explicit",    "export",       "extern",    "false",
                                               "float",       "for",          "friend",    "goto",
                                               "if",          "inline",       "int",       "long",
                                               "main",        "mutable",      "namespace", "new",
                                               "noexcept",    "not",          "not_eq",    "nullptr",
                                               "operator",    "or",           "or_eq",     "private",
                                               "protected",   "public",       "register",  "reinterpret_cast",
                                               "requires",    "restrict",     "return",    "short",
                                               "signed",      "sizeof",       "static",    "static_assert",
                                               "static_cast", "std",          "struct",    "switch",
                                               "template",    "tenon_model",  "this",      "thread_local",
                                               "throw",       "true",         "try",       "typedef",
                                               "typeid",      "typename",     "union",     "unsigned",
                                               "using",       "virtual",      "void",      "volatile",
                                               "wchar_t",     "while",        "xor",       "xor_eq"};
  return std::find(std::begin(words), std::end(words), s) != std::end(words);
}
inline std::string c_name(std::string_view name) {
  std::string s;
  for (char c : name) s += is_c_word(c) ? c : '_';
  while (s.size() > 1 && s[0] == '_') s.erase(0, 1);  // a leading one is the implementation's
  if (s.empty() || (s[0] >= '0' && s[0] <= '9') || s == "_") s = "n" + s;
  return is_reserved_word(s) ? s + "_" : s;
}
/// Without capitals where there is nothing else, as in names of macros, which a user may have: N, INPUT_0.
inline std::string name_of_no_macro(std::string_view name) {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  std::string s(name);
  if (std::none_of(s.begin(), s.end(), is_small))
    for (char& c : s)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return s;
}
inline std::string c_string(std::string_view s) {
  std::string r = "\"";
  for (char c : s) {
    if (c == '"' || c == '\\') r += '\\';
    r += static_cast<unsigned char>(c) < 32 || c == '?' ? '_' : c;  // no trigraphs
  }
  return r + "\"";
}
inline std::string in_comment(std::string_view s) {
  std::string r;
  for (char c : s)
    r += static_cast<unsigned char>(c) < 32 ? ' ' : (c == '/' && !r.empty() && r.back() == '*') ? '_' : c;
  return r;
}
/// Types that C has no arithmetic for are their bits.
inline const char* c_type_of(dtype t, const std::string& port) {
  switch (t) {
    case dtype::f64: return "double";
    case dtype::f32: return "float";
    case dtype::f16:
    case dtype::bf16:
    case dtype::u16: return "uint16_t";
    case dtype::i64:
    case dtype::index: return "int64_t";
    case dtype::i32: return "int32_t";
    case dtype::i16: return "int16_t";
    case dtype::i8:
    case dtype::i4:
    case dtype::i2: return "int8_t";
    case dtype::u64: return "uint64_t";
    case dtype::u32: return "uint32_t";
    case dtype::string:
      throw error("library.type", "'" + port + "' is a tensor of strings, which a library does not take", {},
                  "build a program file, which tenon's runtime runs");
    default: return "uint8_t";
  }
}

inline std::string version_text() {
  return std::to_string(version_major) + "." + std::to_string(version_minor) + "." + std::to_string(version_patch);
}

/// What the headers speak of.
class library_text {
 public:
  struct c_text {
    std::string declarations, functions;
    std::string linkage;
    /// The first line of a function; where others call it, it is declared as well.
    void begin(const std::string& comment, const std::string& signature) {
      if (linkage.empty()) declarations += comment + signature + ";\n", functions += signature + " {\n";
      else functions += comment + linkage + signature + " {\n";
    }
  };
  library_text(const program::parts& parts, const library_request& request)
      : p_(parts), s_(request.symbol), model_(request.model), entry_(library_entry(s_)), constants_(s_ + "_constants"),
        linkage_("static inline ") {
    name_ports();
  }
  /// Of a file that has the code, too, which defines `entry` and has its constants in it.
  library_text(const program::parts& parts, const library_request& request, std::string entry)
      : p_(parts), s_(request.symbol), model_(request.model), entry_(std::move(entry)), constants_("0") {
    name_ports();
  }

  std::string c_header() const {
    const std::string guard = "TENON_MODEL_" + s_ + "_H";
    const c_text text = open() ? c_sizes() : c_static();
    return "/* " + s_ + ".h: " + about() + "\n * C++ has more convenient forms: " + s_ + ".hpp. */\n#ifndef " + guard +
           "\n#define " + guard + "\n" + c_begin + machine_check() + library_c_support + c_entry() +
           "extern const void *const " + constants_ + "[];\n\n" + text.declarations + text.functions + c_end +
           "#endif\n";
  }
  /// What callers of a file with the code see, and what stands beside the code.
  c_text c_beside_code() const {
    c_text text = open() ? c_sizes() : c_static();
    text.declarations = c_entry() + "\n" + text.declarations;
    if (!open())
      text.functions += "_Alignas(64) unsigned char " + s_ + "_workspace[" + s_ + "_workspace_bytes];\nint " + s_ +
                        "_workspace_busy;\n";
    return text;
  }
  static constexpr const char* c_begin =
      "#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n\n"
      "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  static constexpr const char* c_end = "\n#ifdef __cplusplus\n}\n#endif\n";

  std::string cpp_header() const {
    const std::string guard = "TENON_MODEL_" + s_ + "_HPP";
    std::string h = "// " + s_ + ".hpp: " + about("// ") + "\n#ifndef " + guard + "\n#define " + guard +
                    "\n#include <array>\n#include <cstddef>\n#include <cstdint>\n#include <tuple>\n#include "
                    "<type_traits>\n\n#include \"" +
                    s_ + ".h\"\n\n" + library_cpp_support + "\nnamespace " + s_ + " {\n\n";
    for (const port_text& q : ports_) {
      h += "/// " + std::string(q.input ? "Input '" : "Output '") + in_comment(q.of->name) + "', " + shape_text(*q.of) +
           ".\nusing " + q.name + "_t = tenon_model::tensor_view<" + (q.input ? "const " : "") + type(q);
      for (i64 d : q.of->shape) h += d < 0 ? ", tenon_model::dynamic" : ", " + std::to_string(d);
      h += ">;\n";
    }
    h += "\n" + (open() ? cpp_sizes() : cpp_static());
    return h + "\n}  // namespace " + s_ + "\n#endif\n";
  }

 private:
  struct port_text {
    const port* of;
    std::string name;
    bool input;
  };
  struct size_text {
    std::string name, spelled;  ///< in C, and in the expressions of shapes
    size_t input, dimension;
  };

  bool open() const { return !p_.sizes.empty(); }
  void name_ports() {
    for (const auto* list : {&p_.inputs, &p_.outputs})
      for (const port& one : *list) ports_.push_back({&one, unique(one.name), list == &p_.inputs});
    for (size_t i = 0; i < p_.inputs.size(); ++i)
      for (size_t d = 0; d < p_.inputs[i].shape.size(); ++d)
        if (const i64 e = p_.inputs[i].shape[d]; e < 0) bind(i, d, p_.sizes.symbols.at(static_cast<size_t>(-2 - e)));
  }
  std::string c_entry() const {
    return "\nextern void " + entry_ +
           "(void *const *inputs, void *const *outputs, void *arena, const void *constants,\n    const void "
           "*runtime);\n";
  }
  std::string unique(const std::string& name) {
    const std::string base = c_name(name_of_no_macro(name));
    std::string s = base;
    const auto taken = [&] {
      for (const char* own : {"bad", "bytes", "call", "given", "made", "memory", "names", "plan", "ports", "run",
                              "runtime", "sizes", "status", "workspace", "workspace_bytes"})
        if (s == own) return true;
      for (const port_text& q : ports_)
        if (q.name == s) return true;
      for (const size_text& n : sizes_)
        if (n.name == s) return true;
      return false;
    };
    for (int i = 2; taken(); ++i) s = base + "_" + std::to_string(i);
    return s;
  }
  /// An extent that is a name by itself says what the name is.
  void bind(size_t input, size_t dimension, const std::string& text) {
    const auto e = extent_expr::parse(text);
    if (!e || e->names().size() != 1 || e->names()[0] != e->text()) return;
    for (const size_text& n : sizes_)
      if (n.spelled == text) return;
    sizes_.push_back({unique(text), text, input, dimension});
  }
  std::vector<extent_place> places() const {
    std::vector<extent_place> r;
    for (const size_text& n : sizes_) r.push_back({n.spelled, p_.inputs[n.input].name, n.dimension, 0});
    return r;
  }
  std::string about(const char* line = " * ") const {
    return "the model " + in_comment(model_.empty() ? s_ : model_) + " as a library, made by tenon " + version_text() +
           ".\n" + line + "Link lib" + s_ + ".a and libm: nothing of tenon is needed, and no file when it runs.";
  }
  /// Machine code is for one kind of machine, whose compilers say what they compile for.
  std::string machine_check() const {
    const std::string triple(triple_of(p_.target));
    const machine_info* machine = machine_of_triple(triple);
    if (machine == nullptr) return {};
    return "#if !defined(" + std::string(machine->macro) + ")\n#error \"lib" + s_ + ".a is machine code for " +
           in_comment(triple) + ": compile for that, or build it again with the option 'triple' of target cpu\"\n" +
           "#endif\n\n";
  }
  std::string type(const port_text& q) const { return c_type_of(q.of->type, q.of->name); }
  std::string shape_text(const port& p) const {
    std::string s = std::string(name_of(p.type)) + "[";
    for (size_t d = 0; d < p.shape.size(); ++d)
      s += (d ? "," : "") + (p.shape[d] < 0 ? in_comment(p_.sizes.symbols.at(static_cast<size_t>(-2 - p.shape[d])))
                                            : std::to_string(p.shape[d]));
    return s + "]";
  }
  std::string parameters(bool typed, const char* view = "") const {
    std::string s;
    for (const port_text& q : ports_) {
      if (!s.empty()) s += ", ";
      if (!typed) s += q.name + view;
      else if (*view != '\0') s += q.name + "_t " + q.name;
      else s += (q.input ? "const " : "") + type(q) + " *" + q.name;
    }
    return s;
  }

  // --- C

  /// The one call that runs; what is read from `plan` where sizes are open.
  std::string c_call() const {
    const std::string n = std::to_string(std::max<size_t>(ports_.size(), 1));
    std::string ports, bytes, names;
    for (const port_text& q : ports_) {
      ports += (ports.empty() ? "" : ", ") + std::string(q.input ? "(void *)(uintptr_t)" : "") + q.name;
      names += (names.empty() ? "" : ", ") + c_string(q.of->name);
      bytes += (bytes.empty() ? "" : ", ") +
               (open() ? "plan->bytes[" + std::to_string(&q - ports_.data()) + "]" : bytes_of(q));
    }
    if (ports_.empty()) ports = "0", bytes = "0", names = "0";
    return "  static const char *const names[" + n + "] = {" + names + "};\n  void *ports[" + n + "] = {" + ports +
           "};\n  const int64_t bytes[" + n + "] = {" + bytes +
           "};\n  tenon_model_call call;\n  call.entry = " + entry_ + ";\n  call.constants = " + constants_ +
           ";\n  call.ports = ports;\n  call.bytes = bytes;\n  call.names = names;\n  call.inputs = " +
           std::to_string(p_.inputs.size()) + ";\n  call.outputs = " + std::to_string(p_.outputs.size()) +
           ";\n  call.workspace = workspace;\n  call.workspace_given = (int64_t)workspace_bytes;\n"
           "  call.workspace_wanted = (int64_t)" +
           (open() ? "plan->workspace_bytes;\n  call.sizes = plan->table;\n"
                   : s_ + "_workspace_bytes;\n  call.sizes = 0;\n") +
           "  return tenon_model_run(&call, runtime);\n";
  }
  static std::string bytes_of(const port_text& q) {
    i64 n = size_of(q.of->type);
    for (i64 d : q.of->shape) n *= d;
    return std::to_string(n);
  }
  std::string c_list_of_ports() const {
    std::string s;
    for (const port_text& q : ports_)
      s += " *   " + std::string(q.input ? "input  " : "output ") + q.name + "  " + shape_text(*q.of) +
           (q.name == q.of->name ? "" : "  ('" + in_comment(q.of->name) + "' of the model)") + "\n";
    return s;
  }
  c_text c_static() const {
    c_text t{"/* Scratch memory of a run, aligned to 64 bytes. */\n#define " + s_ + "_workspace_bytes ((size_t)" +
                 std::to_string(std::max<i64>(p_.arena_bytes, 64)) + ")\n",
             {},
             linkage_};
    for (const port_text& q : ports_) {
      i64 count = 1;
      for (i64 d : q.of->shape) count *= d;
      t.declarations += "#define " + s_ + "_" + q.name + "_elements " + std::to_string(count) + "\n";
    }
    t.declarations += "extern unsigned char " + s_ + "_workspace[];\nextern int " + s_ + "_workspace_busy;\n\n";
    t.begin(
        "/* Runs the model:\n" + c_list_of_ports() +
            " * in row-major order, in the caller's workspace; any number of threads may, each in a workspace of its "
            "own.\n * `runtime` is null, or says how to run loops on several threads. */\n",
        "tenon_model_status " + s_ +
            "_run_in(void *workspace, size_t workspace_bytes, const tenon_model_runtime *runtime" +
            (ports_.empty() ? "" : ", ") + parameters(true) + ")");
    t.functions += c_call() + "}\n";
    t.begin("/* The same in static memory: one thread at a time, others get tenon_model_busy. */\n",
            "tenon_model_status " + s_ + "_run(" + (ports_.empty() ? "void" : parameters(true)) + ")");
    t.functions += "  tenon_model_status status;\n  if (__atomic_exchange_n(&" + s_ +
                   "_workspace_busy, 1, __ATOMIC_ACQUIRE))\n    return tenon_model_said(tenon_model_busy, \"another "
                   "thread runs " +
                   s_ + " in the static workspace: give it one of its own\", \"\", 0, 0);\n  status = " + s_ +
                   "_run_in(" + s_ + "_workspace, " + s_ + "_workspace_bytes, 0" + (ports_.empty() ? "" : ", ") +
                   parameters(false) + ");\n  __atomic_store_n(&" + s_ +
                   "_workspace_busy, 0, __ATOMIC_RELEASE);\n  return status;\n}\n";
    return t;
  }
  std::string c_expression(const std::string& text) const;
  c_text c_sizes() const {
    const size_t symbols = p_.sizes.symbols.size(), buffers = p_.sizes.buffers.size();
    c_text t{{}, {}, linkage_};
    std::string& types = t.declarations;
    types = "/* The sizes that the model leaves open. */\ntypedef struct " + s_ + "_sizes {\n";
    for (const size_text& n : sizes_)
      types += "  int64_t " + n.name + ";" + (n.name == n.spelled ? "" : " /* " + in_comment(n.spelled) + " */") + "\n";
    if (sizes_.empty()) types += "  int64_t none;\n";
    types += "} " + s_ +
             "_sizes;\n/* What a run with these sizes needs: made once, used for any number of runs. */\n"
             "typedef struct " +
             s_ + "_plan {\n  " + s_ + "_sizes sizes;\n  size_t workspace_bytes;\n";
    for (const port_text& q : ports_)
      types += "  int64_t " + q.name + "_shape[" + std::to_string(std::max<size_t>(q.of->shape.size(), 1)) + "];\n";
    types += "  int64_t bytes[" + std::to_string(std::max<size_t>(ports_.size(), 1)) + "];\n";
    types += "  int64_t table[" + std::to_string(symbols + buffers) + "];\n} " + s_ + "_plan;\n\n";

    t.begin("/* Error tenon_model_bad_sizes where the model cannot run with these. */\n",
            "tenon_model_status " + s_ + "_make_plan(const " + s_ + "_sizes *sizes, " + s_ + "_plan *plan)");
    std::string& h = t.functions;
    h += "  int bad = 0;\n  memset(plan, 0, sizeof *plan);\n  plan->sizes = *sizes;\n";
    for (const size_text& n : sizes_)
      h += "  if (sizes->" + n.name +
           " < 0)\n    return tenon_model_said(tenon_model_bad_sizes, \"a size is negative\", " + c_string(n.name) +
           ", sizes->" + n.name + ", 0);\n";
    for (size_t i = 0; i < symbols; ++i)
      if (!p_.sizes.symbols[i].empty())
        h += "  plan->table[" + std::to_string(i) + "] = " + c_expression(p_.sizes.symbols[i]) + ";\n";
    h += "  if (bad) return tenon_model_said(tenon_model_bad_sizes, \"the sizes are too large, or divide by 0\", \"\", "
         "0, "
         "0);\n";
    for (const extent_condition& c : p_.sizes.conditions)
      h += "  {\n    const int64_t value = " + c_expression(c.value.text()) + ";\n    if (bad || !(value " +
           c.relation() + " 0))\n      return tenon_model_said(tenon_model_bad_sizes, " +
           c_string(requirement(c, places())) + ", \"\", value, 0);\n  }\n";
    for (const port_text& q : ports_)
      for (size_t d = 0; d < q.of->shape.size(); ++d) {
        const i64 e = q.of->shape[d];
        h += "  plan->" + q.name + "_shape[" + std::to_string(d) +
             "] = " + (e >= 0 ? std::to_string(e) : "tenon_model_max(plan->table[" + std::to_string(-2 - e) + "], 0)") +
             ";\n";
      }
    for (size_t i = 0; i < ports_.size(); ++i) {
      const port_text& q = ports_[i];
      std::string n = std::to_string(size_of(q.of->type));
      for (size_t d = 0; d < q.of->shape.size(); ++d)
        n = "tenon_model_mul(" + n + ", plan->" + q.name + "_shape[" + std::to_string(d) + "], &bad)";
      h += "  plan->bytes[" + std::to_string(i) + "] = " + n + ";\n";
    }
    if (buffers == 0) {
      h += "  if (bad) return tenon_model_said(tenon_model_bad_sizes, \"the sizes are too large\", \"\", 0, 0);\n";
      h += "  plan->workspace_bytes = " + std::to_string(std::max<i64>(p_.arena_bytes, 64)) + ";\n";
    } else {
      const std::string n = std::to_string(buffers);
      std::string lives;
      for (const auto& b : p_.sizes.buffers)
        lives += (lives.empty() ? "" : ", ") + std::to_string(b.first) + ", " + std::to_string(b.last);
      h += "  {\n    static const int64_t lives[2 * " + n + "] = {" + lives + "};\n    int64_t bytes[" + n +
           "], order[2 * " + n + "];\n";
      for (size_t i = 0; i < buffers; ++i)
        h += "    bytes[" + std::to_string(i) + "] = tenon_model_max(" + c_expression(p_.sizes.buffers[i].bytes) +
             ", 0);\n";
      h += "    plan->workspace_bytes = (size_t)tenon_model_max(\n        tenon_model_place(" + n +
           ", lives, bytes, plan->table + " + std::to_string(symbols) +
           ", order, &bad), 64);\n    if (bad) return tenon_model_said(tenon_model_bad_sizes, \"the sizes are too "
           "large\", \"\", 0, 0);\n  }\n";
    }
    h += "  return tenon_model_fine();\n}\n\n";
    t.begin("/* Runs the model:\n" + c_list_of_ports() +
                " * in row-major order, with the shapes of the plan, in the caller's workspace, which is aligned to 64 "
                "bytes.\n * `runtime` is null, or says how to run loops on several threads. */\n",
            "tenon_model_status " + s_ + "_run_in(const " + s_ +
                "_plan *plan, void *workspace, size_t workspace_bytes, const tenon_model_runtime *runtime" +
                (ports_.empty() ? "" : ", ") + parameters(true) + ")");
    h += c_call() + "}\n";
    return t;
  }

  // --- C++

  std::string cpp_static() const {
    const std::string all = parameters(true, "_t"), given = parameters(false, ".data()"),
                      comma = all.empty() ? "" : ", ";
    return "using workspace = tenon_model::workspace<" + s_ +
           "_workspace_bytes>;\n\n/// In static memory: one thread at a time, others get tenon_model_busy.\n"
           "[[nodiscard]] inline tenon_model_status run(" +
           all + ") {\n  return " + s_ + "_run(" + given +
           ");\n}\n/// In a workspace of the caller's: any number of threads, each in its own.\n"
           "[[nodiscard]] inline tenon_model_status run(" +
           all + comma + "workspace& memory, const tenon_model_runtime* runtime = nullptr) {\n  return " + s_ +
           "_run_in(memory.bytes, sizeof memory.bytes, runtime" + comma + given + ");\n}\n";
  }
  std::string cpp_check(const port_text& q) const {
    std::string h;
    for (size_t d = 0; d < q.of->shape.size(); ++d) {
      if (q.of->shape[d] >= 0) continue;
      const std::string at = std::to_string(d), wanted = "made." + q.name + "_shape[" + at + "]";
      h += "  if (" + q.name + ".extent(" + at + ") != " + wanted +
           ")\n    return tenon_model_said(tenon_model_bad_sizes, " +
           c_string("dimension " + at + " is not what the other sizes make it") + ", " + c_string(q.of->name) + ", " +
           q.name + ".extent(" + at + "), " + wanted + ");\n";
    }
    return h;
  }
  std::string cpp_sizes() const {
    std::string inputs, names, check_inputs, check_outputs;
    for (const port_text& q : ports_) {
      if (q.input) inputs += q.name + "_t " + q.name + ", ", names += q.name + ", ";
      (q.input ? check_inputs : check_outputs) += cpp_check(q);
    }
    const std::string all = parameters(true, "_t"), given = parameters(false, ".data()"),
                      comma = all.empty() ? "" : ", ";
    std::string h = "using sizes = " + s_ + "_sizes;\nusing plan = " + s_ +
                    "_plan;\n\n/// What a run with these inputs needs: the size of its workspace, the shapes of its "
                    "outputs.\n[[nodiscard]] inline tenon_model_status make_plan(" +
                    inputs + "plan& made) {\n  sizes given{};\n";
    for (const port_text& q : ports_)
      if (q.input && cpp_check(q).empty()) h += "  static_cast<void>(" + q.name + ");\n";  // its type says its extents
    for (const size_text& n : sizes_)
      h += "  given." + n.name + " = " + ports_[n.input].name + ".extent(" + std::to_string(n.dimension) + ");\n";
    h += "  const tenon_model_status status = " + s_ +
         "_make_plan(&given, &made);\n  if (status.code != tenon_model_ok) return status;\n" + check_inputs +
         "  return tenon_model_fine();\n}\n";
    h += "/// In a workspace of the caller's, which is aligned to 64 bytes and as large as `make_plan` says.\n"
         "[[nodiscard]] inline tenon_model_status run(" +
         all + comma +
         "void* workspace, std::size_t workspace_bytes,\n    const tenon_model_runtime* runtime = nullptr) {\n"
         "  plan made;\n  const tenon_model_status status = make_plan(" +
         names + "made);\n  if (status.code != tenon_model_ok) return status;\n" + check_outputs + "  return " + s_ +
         "_run_in(&made, workspace, workspace_bytes, runtime" + comma + given + ");\n}\n";
    return h;
  }

  const program::parts& p_;
  std::string s_, model_, entry_, constants_, linkage_;
  std::vector<port_text> ports_;
  std::vector<size_text> sizes_;
};

/// Reads the text of an expression of extents (core/extent_expr.hpp), and writes it in C.
class c_expression_writer {
 public:
  /// `find` gives the C form of a name as it is spelled, or nothing.
  template <class F>
  static std::string write(std::string_view text, const F& find) {
    c_expression_writer w{text, 0};
    std::string c = w.sum(find);
    if (w.at_ != text.size()) fail(text);
    return c;
  }

 private:
  c_expression_writer(std::string_view s, size_t at) : s_(s), at_(at) {}
  [[noreturn]] static void fail(std::string_view text) {
    throw error("program.sizes", "'" + std::string(text) + "' is no expression of extents", {}, "build it again");
  }
  bool take(char c) {
    while (at_ < s_.size() && s_[at_] == ' ') ++at_;
    if (at_ == s_.size() || s_[at_] != c) return false;
    ++at_;
    return true;
  }
  static std::string two(const char* what, const std::string& a, const std::string& b) {
    return std::string("tenon_model_") + what + "(" + a + ", " + b + ", &bad)";
  }
  static std::string negative(const std::string& a) { return two("mul", "-1", a); }
  template <class F>
  std::string sum(const F& find) {
    std::string e = take('-') ? negative(product(find)) : product(find);
    for (;;)
      if (take('+')) e = two("add", e, product(find));
      else if (take('-')) e = two("add", e, negative(product(find)));
      else return e;
  }
  template <class F>
  std::string product(const F& find) {
    std::string e = factor(find);
    for (;;)
      if (take('*')) e = two("mul", e, factor(find));
      else if (take('/')) e = two("div", e, factor(find));
      else if (take('%')) e = two("mod", e, factor(find));
      else return e;
  }
  template <class F>
  std::string factor(const F& find) {
    if (take('(')) {
      std::string e = sum(find);
      if (!take(')')) fail(s_);
      return e;
    }
    if (take('-')) return negative(factor(find));
    const size_t begin = at_;
    if (at_ < s_.size() && s_[at_] >= '0' && s_[at_] <= '9') {
      while (at_ < s_.size() && s_[at_] >= '0' && s_[at_] <= '9') ++at_;
      return "INT64_C(" + std::string(s_.substr(begin, at_ - begin)) + ")";
    }
    if (at_ < s_.size() && s_[at_] == '`') {
      for (++at_; at_ < s_.size(); ++at_)
        if (s_[at_] == '`' && (at_ + 1 == s_.size() || s_[at_ + 1] != '`')) break;
        else if (s_[at_] == '`') ++at_;
      if (at_ == s_.size()) fail(s_);
      ++at_;
    } else {
      while (at_ < s_.size() && (is_c_word(s_[at_]) || s_[at_] == '.' || s_[at_] == ':')) ++at_;
    }
    const std::string name(s_.substr(begin, at_ - begin));
    if ((name == "max" || name == "scale") && take('(')) {
      const std::string a = sum(find);
      if (!take(',')) fail(s_);
      const std::string b = sum(find);
      if (!take(')')) fail(s_);
      return name == "max" ? "tenon_model_max(" + a + ", " + b + ")" : two("scale", a, b);
    }
    const std::string c = name.empty() ? std::string() : find(name);
    if (c.empty()) fail(s_);
    return c;
  }
  std::string_view s_;
  size_t at_;
};

inline std::string library_text::c_expression(const std::string& text) const {
  return c_expression_writer::write(text, [&](const std::string& name) {
    for (const size_text& n : sizes_)
      if (n.spelled == name) return "sizes->" + n.name;
    throw error("program.sizes", "no input says what '" + name + "' is", {}, "build it again");
  });
}

}  // namespace detail

std::string library_c_header(const program::parts& parts, const library_request& request) {
  return detail::library_text(parts, request).c_header();
}
std::string library_cpp_header(const program::parts& parts, const library_request& request) {
  return detail::library_text(parts, request).cpp_header();
}

std::string c_file(const program::parts& parts, const library_request& request, std::string_view code,
                   const std::string& entry) {
  const std::string &s = request.symbol, guard = "TENON_MODEL_" + s + "_H";
  std::string declarations, definitions;
  const auto add = [&](const program::parts& one, const std::string& symbol, const std::string& name) {
    const auto text = detail::library_text(one, {symbol, request.model}, name).c_beside_code();
    declarations += text.declarations, definitions += text.functions;
  };
  add(parts, s, entry);
  for (size_t i = 0; i < parts.more.size(); ++i)
    add(parts.more[i], s + "_" + detail::c_name(parts.more[i].name), symbol_of_entry(entry, i + 1));
  return "/* " + s + ".c: the model " + detail::in_comment(request.model.empty() ? s : request.model) +
         " in one file of C11, made by tenon " + detail::version_text() +
         ".\n * It needs libc and libm: cc -std=c11 -O3 " + s +
         ".c PROGRAM.c -lm. What calls it says\n *     #define tenon_declarations_only\n *     #include \"" + s +
         ".c\"\n * or includes the file without that line, and is compiled alone. */\n#ifndef " + guard + "\n#define " +
         guard +
         "\n#if defined(__clang__)\n#  pragma clang diagnostic push\n"
         "#  pragma clang diagnostic ignored \"-Wunused-function\"\n#endif\n" +
         detail::library_text::c_begin + detail::library_c_support + declarations + detail::library_text::c_end +
         "#if defined(__clang__)\n#  pragma clang diagnostic pop\n#endif\n#endif\n\n#ifndef tenon_declarations_only\n" +
         std::string(code) + "\n" + definitions + "#endif\n";
}

}  // namespace tenon
