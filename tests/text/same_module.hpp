// Do two modules say the same? Compared by structure, not by text; ids may differ.
#pragma once

#include <unordered_map>

#include <tenon/ir/module.hpp>
#include <tenon/text/spelling.hpp>

namespace tenon::testing {

class module_comparison {
 public:
  module_comparison(const ir::module& a, const ir::module& b) : a_(a), b_(b) {}

  /// The first difference, or nothing.
  std::string run() {
    ir::build_record record = b_.build;
    record.kernels_are_untrusted = a_.build.kernels_are_untrusted;  // is not written
    if (a_.build != record) return "record of its build";
    if (a_.metadata != b_.metadata) return "metadata";
    if (!(a_.conditions == b_.conditions)) return "conditions";
    if (a_.constant_count() != b_.constant_count()) return "number of constants";
    for (size_t i = 0; i < a_.constant_count(); ++i) {
      const ir::constant_node &x = a_[constant_id(i)], &y = b_[constant_id(i)];
      if (x.name != y.name || !same_bits(x.value, y.value)) return "constant " + std::to_string(i);
    }
    if (a_.artifacts().size() != b_.artifacts().size()) return "number of artifacts";
    for (size_t i = 0; i < a_.artifacts().size(); ++i)
      if (a_.artifacts()[i] != b_.artifacts()[i]) return "artifact " + a_.artifacts()[i].symbol;
    const auto f = a_.functions(), g = b_.functions();
    if (f.size() != g.size()) return "number of functions";
    for (size_t i = 0; i < f.size(); ++i) {
      const ir::function &x = a_[f[i]], &y = b_[g[i]];
      if (x.name != y.name || x.kind != y.kind || x.entry != y.entry || x.target != y.target || x.phase != y.phase ||
          x.purity != y.purity || x.argument_names != y.argument_names || x.result_names != y.result_names)
        return "function " + x.name;
      if (x.discardable != y.discardable) return "attributes of function " + x.name;
      if (x.result_types.size() != y.result_types.size()) return "result types of " + x.name;
      for (size_t k = 0; k < x.result_types.size(); ++k)
        if (!same_type(x.result_types[k], y.result_types[k])) return "result types of " + x.name;
      if (auto d = regions(x.body, y.body); !d.empty()) return x.name + ": " + d;
    }
    return "";
  }

 private:
  bool same_type(type_id x, type_id y) const {
    const ir::type &s = a_[x], &t = b_[y];
    if (s.kind != t.kind || s.elem != t.elem || s.ranked != t.ranked || s.split != t.split || s.space != t.space ||
        s.shape.size() != t.shape.size() || s.parts.size() != t.parts.size())
      return false;
    for (size_t i = 0; i < s.shape.size(); ++i) {
      if (s.shape[i].is_symbol() != t.shape[i].is_symbol()) return false;
      if (s.shape[i].is_symbol() ? a_.name(s.shape[i].symbol()) != b_.name(t.shape[i].symbol())
                                 : s.shape[i] != t.shape[i])
        return false;
    }
    for (size_t i = 0; i < s.parts.size(); ++i)
      if (!same_type(s.parts[i], t.parts[i])) return false;
    return true;
  }
  bool bind(value_id x, value_id y) {
    values_[x.index] = y.index;
    return same_type(a_[x].type, b_[y].type) && a_.discardable(x) == b_.discardable(y);
  }
  std::string regions(region_id r, region_id s) {
    const auto &x = a_[r], &y = b_[s];
    if (x.arguments.size() != y.arguments.size() || x.ops.size() != y.ops.size()) return "size of a region";
    for (size_t i = 0; i < x.arguments.size(); ++i)
      if (!bind(x.arguments[i], y.arguments[i])) return "type of an argument";
    for (size_t i = 0; i < x.ops.size(); ++i)
      if (auto d = ops(x.ops[i], y.ops[i]); !d.empty()) return std::string(a_.view(x.ops[i]).name()) + ": " + d;
    return "";
  }
  std::string ops(op_id o, op_id p) {
    const ir::op_view x = a_.view(o), y = b_.view(p);
    if (&x.info() != &y.info()) return "op";
    const void *mine = a_.attributes(a_[o].attributes), *other = b_.attributes(b_[p].attributes);
    for (const ir::attribute& a : x.info().attributes())
      if (texting::spelled(a, mine) != texting::spelled(a, other)) return "attribute " + std::string(a.name);
    if (x.operand_count() != y.operand_count() || x.result_count() != y.result_count() ||
        x.region_count() != y.region_count())
      return "counts";
    for (int i = 0; i < x.operand_count(); ++i) {
      if (x.has_operand(i) != y.has_operand(i)) return "absent operand";
      if (x.has_operand(i) && values_.at(x.operand(i).index) != y.operand(i).index) return "operand";
    }
    if (a_.text(x.location()) != b_.text(y.location())) return "location";
    if (a_.discardable(o) != b_.discardable(p)) return "discardable attributes";
    if (a_.target(x.location()) != b_.target(y.location())) return "target constraint";
    for (int i = 0; i < x.region_count(); ++i)
      if (auto d = regions(x.region(i), y.region(i)); !d.empty()) return d;
    for (int i = 0; i < x.result_count(); ++i)
      if (!bind(x.result(i), y.result(i))) return "type of a result";
    return "";
  }

  const ir::module &a_, &b_;
  std::unordered_map<u32, u32> values_;
};

inline std::string difference(const ir::module& a, const ir::module& b) { return module_comparison(a, b).run(); }

}  // namespace tenon::testing
