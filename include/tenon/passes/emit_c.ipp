/// @file emit_c.ipp: kernels as C functions over pointers, the entry as calls of them.
///
/// Loops stay loops; one that is independent says so to compilers that listen. Short loops inside of one, such as those
/// over a window, are written out, so that what is left of it is a single loop, which compilers vectorize. A
/// contraction becomes loops over blocks of sums, each by a function that keeps them in vector registers
/// (c_products.ipp). Where a shape is known only when the code runs, functions read the table of the run's sizes
/// (c_sizes.ipp).
#pragma once

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include <tenon/core/entry_symbol.hpp>
#include <tenon/core/version.hpp>
#include <tenon/ir/bind_symbols.hpp>
#include <tenon/ir/dispatch.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/entry_ports.hpp>
#include <tenon/ir/grid.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/passes/c_checks.ipp>
#include <tenon/passes/c_elementary.ipp>
#include <tenon/passes/c_products.ipp>
#include <tenon/passes/c_scalars.ipp>
#include <tenon/passes/c_sizes.ipp>
#include <tenon/passes/emit_c.hpp>
#include <tenon/passes/kernel_options.hpp>

namespace tenon::passes {
namespace c_code {

class emitter {
 public:
  /// `table`: takes the constants that entries find in the table that they are given; else they are in the source.
  emitter(const ir::module& m, bool check_bounds, std::vector<constant_id>* table = nullptr)
      : m_(m), table_(table), sizes_(m), checks_(m, sizes_, check_bounds) {}

  std::string unit(const std::string& symbol) {
    std::string kernels;
    for (function_id f : m_.functions())
      if (m_[f].kind == ir::function_kind::kernel) kernels += kernel(f);
    const std::vector<function_id> entries = ir::entries_of(m_);
    if (entries.empty())
      throw error("codegen.entry", "the module has no entry function", {}, "mark one graph function as entry");
    std::string functions, signatures;
    for (size_t i = 0; i < entries.size(); ++i)  // finds the constants, and whether anything asks for sizes
      functions += entry_function(entries[i], symbol_of_entry(symbol, i));
    for (size_t i = 0; i < entries.size(); ++i) signatures += signature(entries[i], symbol_of_entry(symbol, i), symbol);
    const std::string first = head(signatures, symbol) + scalars_.prelude +
                              (checks_.any() || sizes_.any() ? runtime_layout : "") + checks_.prelude() +
                              products_.prelude() + "\n";
    // Constants may be most of a gigabyte as text: they are written where they stay.
    std::string s;
    s.reserve(first.size() + most_text_of_constants() + kernels.size() + functions.size());
    s += first;
    for (const constant_id c : inside_) define_constant(c, s);
    s += kernels, s += functions;
    return s;
  }

  std::string opencl_unit();  // cl_kernels.ipp

 private:
  [[noreturn]] void fail(op_id op, const std::string& message) const {
    throw unsupported_error("codegen.unsupported",
                            "kernel '" + kernel_ + "': " + std::string(m_.view(op).name()) + ": " + message,
                            m_.text(m_[op].location));
  }
  void line(const std::string& text) { out_.append(static_cast<size_t>(2 * depth_), ' ').append(text) += '\n'; }
  void open(const std::string& text) { line(text + " {"), ++depth_; }
  void close(const char* text = "}") { --depth_, line(text); }
  const std::string& get(value_id v) {
    if (const auto e = extents_.find(v.index); e != extents_.end())
      return names_[v.index] = sizes_.of_symbol(e->second);
    const auto it = names_.find(v.index);
    if (it == names_.end()) throw error("codegen.internal", "kernel '" + kernel_ + "' uses a value that has no code");
    return it->second;
  }
  std::string fresh(value_id v) { return names_[v.index] = "v" + std::to_string(v.index); }
  void define(value_id v, const std::string& expression) {
    const std::string type = value_type(m_.type_of(v).elem);
    line("const " + type + " " + fresh(v) + " = " + expression + ";");
  }
  static std::string plain(std::string_view s) {
    std::string r;
    for (char c : s) r += (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? c : '_';
    return r;
  }
  static std::string comment(std::string_view s) {
    std::string r;
    for (char c : s) r += c < ' ' || c == '*' || c == '/' ? '_' : c;
    return r;
  }

  // c_entry.ipp
  std::string signature(function_id f, const std::string& name, const std::string& symbol) const;
  std::string shape_text(const ir::type& t) const;
  std::string table_of_sizes() const;
  std::string head(const std::string& signatures, const std::string& symbol) const {
    const std::string s = "/* Made by tenon " + std::to_string(version_major) + "." + std::to_string(version_minor) +
                          "." + std::to_string(version_patch) + ". " + signatures + table_of_sizes();
    const std::string arena = std::to_string(m_.build.memory.arena().value_or(0));
    return s + R"c(   Compile it as C11: cc -std=c11 -O3 … -lm */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__clang__)
#  define TN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#  define TN_INDEPENDENT _Pragma("GCC ivdep")
#else
#  define TN_INDEPENDENT
#endif
/* A product and a sum stay apart, so that results do not depend on the processor: -std=c11 says so to GCC, not to clang. */
#if defined(__clang__)
#  pragma STDC FP_CONTRACT OFF
#endif
/* Some loops are not vectorized, which clang says. The literals below fill their arrays, without a zero at the end. */
#if defined(__clang__)
#  pragma clang diagnostic ignored "-Wunknown-warning-option"
#  pragma clang diagnostic ignored "-Wpass-failed"
#  pragma clang diagnostic ignored "-Wunterminated-string-initialization"
#elif defined(__GNUC__) && __GNUC__ >= 15
#  pragma GCC diagnostic ignored "-Wunterminated-string-initialization"
#endif

const int64_t )c" +
           symbol + "_arena_bytes = " + arena + ";\n\n";
  }

  /// What an entry calls it.
  std::string constant(constant_id c) {
    if (static_cast<size_t>(c.index) >= constant_done_.size()) constant_done_.resize(c.index + 1, false);
    const bool is_new = !constant_done_[c.index];
    constant_done_[c.index] = true;
    if (table_ == nullptr) {
      if (is_new) inside_.push_back(c);
      return "tn_c" + std::to_string(c.index);
    }
    if (is_new) table_->push_back(c);
    const auto place = std::find(table_->begin(), table_->end(), c) - table_->begin();
    return "((const void* const*)constants)[" + std::to_string(place) + "]";
  }
  size_t most_text_of_constants() const {
    size_t n = 0;
    for (const constant_id c : inside_) {
      const auto bytes = static_cast<size_t>(m_[c].value.bytes());
      n += 4 * bytes + 4 * (bytes / row + 1) + 128;
    }
    return n;
  }
  /// The bytes as string literals, which compilers read ten times as fast as lists of numbers; none is longer than C
  /// promises to take, so they are the rows of an array.
  void define_constant(constant_id c, std::string& s) const {
    const tensor& t = m_[c].value;
    const auto bytes = static_cast<size_t>(t.bytes());
    const size_t width = std::min(std::max<size_t>(bytes, 1), row);
    s += "static const _Alignas(64) unsigned char tn_c" + std::to_string(c.index) + "[" +
         std::to_string((std::max<size_t>(bytes, 1) + width - 1) / width) + "][" + std::to_string(width) + "] = {";
    const auto* data = static_cast<const unsigned char*>(t.data());
    for (size_t i = 0; i < bytes || i == 0; i += row) {
      s += "\n\"";
      for (size_t k = i; k < std::min(bytes, i + row); ++k) {
        const unsigned char byte = data[k];
        if (byte >= ' ' && byte < 127 && byte != '"' && byte != '\\' && byte != '?') {
          s += static_cast<char>(byte);
        } else {
          const char octal[] = {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
                                static_cast<char>('0' + byte % 8)};
          s.append(octal, sizeof octal);
        }
      }
      s += "\",";
    }
    s += "};\n";
  }

  std::string kernel(function_id f) {
    const ir::function& fn = m_[f];
    kernel_ = fn.name;
    names_.clear(), extents_.clear();
    out_.clear();
    sizes_.begin();
    std::string arguments;
    for (value_id a : m_[fn.body].arguments) {
      const ir::type& t = m_.type_of(a);
      if (!ir::is_known(t))
        throw unsupported_error("codegen.unsupported", "kernel '" + kernel_ + "': a buffer's shape is not known", {},
                                "give the model's inputs shapes: --shape");
      arguments += (arguments.empty() ? "" : ", ") + std::string(memory_type(t.elem)) + "* " + fresh(a);
    }
    ++depth_;
    region(fn.body);
    close("}\n");
    const std::string declared = sizes_.declarations(out_);
    if (sizes_.used()) {
      arguments += std::string(arguments.empty() ? "" : ", ") + "const int64_t* sizes";
      sized_.insert(f.index);
    }
    return "static void k" + std::to_string(f.index) + "_" + plain(fn.name) + "(" + arguments + ") {\n" + declared +
           std::exchange(out_, {});
  }

  void region(region_id r) {
    for (op_id op : m_[r].ops)
      if (!m_.view(op).info().traits.terminator) operation(op);
  }

  void operation(op_id op) {
    const ir::op_view v = m_.view(op);
    const ir::forms form{
        [&](const loop::literal& l) { define(v.result(), scalars_.literal(l.type, l.real, l.integer)); },
        [&](const loop::extent& e) {
          const std::optional<u32> symbol = sizes_.symbol_of(e.expression);
          if (!symbol) fail(op, "'" + e.expression + "' is no symbol of the module");
          extents_[v.result().index] = *symbol;
        },
        [&](const loop::scalar& s) {
          strings in;
          for (int i = 0; i < v.operand_count(); ++i) in.push_back(get(v.operand(i)));
          define(v.result(), scalars_.function(s.fn, v.operand_type(v.operand_count() - 1).elem, in));
        },
        [&](const loop::convert& c) {
          const std::string x = get(v.operand(0));
          define(v.result(), c.bits ? scalars_.float_of_bits(x) : scalars_.convert(v.operand_type(0).elem, c.to, x));
        },
        [&](const loop::load&) { load(op); },
        [&](const loop::store& s) {
          const dtype t = v.operand_type(1).elem;
          if (checks_.has(op))
            line("if (" + checks_.inside(kernel_, op, s.map, v.operand_type(1), indices(v, 2, v.operand_count())) +
                 ")");
          line(get(v.operand(1)) + "[" + place(s.map, v.operand_type(1), indices(v, 2, v.operand_count())) +
               "] = " + scalars_.store(t, get(v.operand(0))) + ";");
        },
        [&](const loop::for_loop&) { for_loop(op); },
        [&](const loop::branch&) { branch(op); },
        [&](const loop::contract&) { contract(op); },
        [&](const loop::yield&) {}};  // whoever owns the region writes what it yields
    if (ir::dispatch<loop_ops, "C source", emit_c>(v, form)) return;
    fail(op, "has no form in C");
  }

  strings indices(const ir::op_view& v, int first, int end) {
    strings list;
    for (int i = first; i < end; ++i) list.push_back(get(v.operand(i)));
    return list;
  }
  /// A row: what is added, then what each index is multiplied with.
  template <class Row>
  static std::string affine(const Row& row, const strings& at) {
    std::string s;
    for (size_t k = 0; k < at.size(); ++k) {
      const factor by = row[1 + k];
      if (!by.is(0)) s += (s.empty() ? "" : " + ") + at[k] + (by.is(1) ? "" : " * " + by.text());
    }
    if (const factor first = row[0]; s.empty() || !first.is(0)) s += (s.empty() ? "" : " + ") + first.text();
    return s;
  }
  /// The rows of an access, each times its dimension's stride, as one row.
  std::vector<factor> linear(const ir::access_map& map, const ir::type& t, size_t columns) {
    std::vector<factor> row(1 + columns, 0);
    const std::vector<factor> strides = sizes_.strides(t);
    for (size_t d = map.rows.size(); d-- > 0;)
      for (size_t k = 0; k < row.size(); ++k) row[k] += strides[d] * map.rows[d][k];
    return row;
  }
  std::string place(const ir::access_map& map, const ir::type& t, const strings& at) {
    return affine(linear(map, t, at.size()), at);
  }

  void load(op_id op) {
    const ir::op_view v = m_.view(op);
    const auto& l = v.as<loop::load>();
    const ir::type& buffer = v.operand_type(0);
    const int end = v.operand_count() - (l.guarded ? 1 : 0);
    const strings at = indices(v, 1, end);
    const std::string element = scalars_.load(buffer.elem, get(v.operand(0)) + "[" + place(l.map, buffer, at) + "]");
    if (!l.guarded && !checks_.has(op)) return define(v.result(), element);
    if (!l.guarded)
      return define(v.result(), checks_.inside(kernel_, op, l.map, buffer, at) + " ? " + element + " : (" +
                                    std::string(value_type(buffer.elem)) + ")0");
    std::string inside;
    for (size_t d = 0; d < l.map.rows.size(); ++d)
      inside += (inside.empty() ? "" : " && ") +
                ("(uint64_t)(" + affine(l.map.rows[d], at) + ") < (uint64_t)" + sizes_.extent(buffer.shape[d]));
    define(v.result(), (inside.empty() ? "1" : inside) + " ? " + element + " : " + get(v.operand(end)));
  }

  // c_loops.ipp
  void assign(const strings& to, region_id r, const std::vector<value_id>& typed);
  std::optional<i64> runs_of(const ir::op_view& v) const;
  i64 lines_of(region_id r) const;
  bool is_written_out(const ir::op_view& v) const;
  i64 sums_of(op_id op) const;
  std::string blocks_of_reduction(op_id op, i64 sums, const strings& carried);
  void for_loop(op_id op);
  void branch(op_id op);
  void contract(op_id op);  // c_contract.ipp

  std::string entry_function(function_id f, const std::string& symbol);  // c_entry.ipp

  // cl_kernels.ipp
  std::string grid_kernel(function_id f, const std::vector<ir::grid_step>& steps, size_t number);
  std::string grid_indices(const ir::grid_step& s);
  void grid_body(const ir::grid_step& s, size_t depth);

  /// As runtime/abi.hpp has it. Callers, in the same file perhaps, know these by types of their own.
  static constexpr const char* runtime_layout = R"c(
#if defined(__GNUC__)
#  define TN_MAY_ALIAS __attribute__((may_alias))
#else
#  define TN_MAY_ALIAS
#endif
struct TN_MAY_ALIAS tn_fault { const char* what; int64_t dimension, index; };
struct TN_MAY_ALIAS tn_runtime { uint32_t version; void* pool; void* parallel_for; const int64_t* sizes; struct tn_fault* fault; };
)c";

  const ir::module& m_;
  std::vector<constant_id>* table_;
  scalars scalars_;
  products products_{scalars_};
  std::string out_, kernel_;
  std::vector<constant_id> inside_;    ///< constants that the source has
  static constexpr size_t row = 1024;  ///< bytes of a constant in one literal
  std::vector<bool> constant_done_;
  int depth_ = 0;
  static constexpr i64 most_runs = 8, most_lines = 512;  ///< of a loop that is written out
  bool inside_independent_ = false;
  std::unordered_map<u32, std::string> names_;
  std::unordered_map<u32, u32> extents_;  ///< values that are symbols: a function declares those that it reads
  std::set<u32> sized_;                   ///< kernels that take the table of sizes
  sizes sizes_;
  checks checks_;
};

}  // namespace c_code
}  // namespace tenon::passes

#include <tenon/passes/c_contract.ipp>  // the rest of the class
#include <tenon/passes/c_entry.ipp>
#include <tenon/passes/c_loops.ipp>

namespace tenon::passes {

bool has_c_form(dtype t) { return c_code::value_type_or_null(t) != nullptr; }
bool has_c_form(const ir::op_view& op) {
  const auto good = [](const ir::type& t) { return !t.is_tensor() || has_c_form(t.elem); };
  for (int i = 0; i < op.operand_count(); ++i)
    if (op.operand(i) && !good(op.operand_type(i))) return false;
  for (int i = 0; i < op.result_count(); ++i)
    if (!good(op.result_type(i))) return false;
  return true;
}

std::string c_source_of(const ir::module& m, const std::string& symbol, bool check_bounds) {
  return c_code::emitter(m, check_bounds).unit(symbol);
}
std::string c_source_of(const ir::module& m, const std::string& symbol, bool check_bounds,
                        std::vector<constant_id>& table) {
  return c_code::emitter(m, check_bounds, &table).unit(symbol);
}

ir_module<emit_c::to> emit_c::run(ir_module<from>&& module, context& cx) const {
  ir::module& m = module.body();
  ir::require_places(m);
  ir::number_extents(m);
  const std::string source = c_source_of(m, symbol, ir::needs_checks(m, cx.get<kernel_options>().check_bounds));
  m.add_artifact({"c_source", "c11", symbol, {source.begin(), source.end()}, name.data()});
  return ir_module<to>::adopt(std::move(m));
}

}  // namespace tenon::passes
