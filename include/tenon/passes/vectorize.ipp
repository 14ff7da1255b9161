/// @file vectorize.ipp: definition of passes/vectorize.hpp.
#pragma once

#include <tenon/passes/loop_analysis.hpp>
#include <tenon/passes/vectorize.hpp>

namespace tenon::passes {
namespace detail {

inline void mark_vector(ir::module& m, op_id loop) {
  loop::for_loop l = m.view(loop).as<loop::for_loop>();
  l.kind = loop::loop_kind::vector;
  m.set_attributes(loop, m.intern_attributes(ir::info_of<loop::for_loop>, &l));
}

class vectorizer {
 public:
  explicit vectorizer(ir::module& m) : m_(m) {}

  void region(region_id r) {
    const std::vector<op_id> ops = m_[r].ops;
    for (op_id op : ops) {
      const ir::op_view v = m_.view(op);
      if (v.is<loop::for_loop>()) loop(op);
      else if (!v.is<loop::contract>())
        for (int i = 0; i < v.region_count(); ++i) region(v.region(i));
    }
  }

 private:
  bool has_inner(op_id loop, bool independent) const {
    bool found = false;
    ir::for_each_op(m_, m_.region(loop), [&](op_id o) {
      const auto* l = m_.view(o).get_if<loop::for_loop>();
      if (l != nullptr && l->independent == independent && (independent || is_reduction(m_, o))) found = true;
      if (m_.view(o).is<loop::contract>()) found = true;
    });
    return found;
  }
  bool holds_loop(op_id loop) const {
    bool found = false;
    ir::for_each_op(m_, m_.region(loop), [&](op_id o) { found = found || m_.view(o).is<loop::for_loop>(); });
    return found;
  }
  /// Are the innermost loops of an independent loop reductions that suit vectors, and read far apart for neighbours in
  /// that loop? They read more than what stands around them, however well that suits.
  bool reductions_are_better(op_id loop) const {
    const value_id index = m_[m_.region(loop)].arguments[0];
    bool suited = true, apart = false;
    ir::for_each_op(m_, m_.region(loop), [&](op_id o) {
      if (!m_.view(o).is<loop::for_loop>() || holds_loop(o)) return;
      suited = suited && is_reduction(m_, o) && suits_reduction(m_, o);
      const value_id along = m_[m_.region(o)].arguments[0];
      for_each_access(m_, m_.region(o), [&](op_id access) {
        if (access_stride(m_, access, along) == 0) return;  // once for the whole reduction, as a channel's bias
        const i64 s = access_stride(m_, access, index);
        suited = suited && s != 1, apart = apart || (s != 0 && s != 1);
      });
    });
    return suited && apart;
  }
  void loop(op_id op) {
    const auto& l = m_.view(op).as<loop::for_loop>();
    if (l.kind == loop::loop_kind::vector) return;
    if (l.kind != loop::loop_kind::serial || l.step != 1) return region(m_.region(op));
    const i64 trips = trip_count(m_, op);
    if (l.independent && m_.view(op).result_count() == 0 && !has_inner(op, true)) {
      const double here = trips >= 0 && trips < 4 ? -1 : vector_score(m_, op);
      if (!has_inner(op, false)) {
        if (here > -4) mark_vector(m_, op);
        return;
      }
      if (here >= 0 && !reductions_are_better(op)) return mark_vector(m_, op);
      region(m_.region(op));
      return;
    }
    if (is_reduction(m_, op) && !has_inner(op, true) && !has_inner(op, false)) {
      if (suits_reduction(m_, op)) mark_vector(m_, op);
      return;
    }
    region(m_.region(op));
  }
  ir::module& m_;
};

}  // namespace detail

void vectorize::run(ir_module<runs_in>& module, context&) const {
  ir::module& m = module.body();
  for (function_id f : m.functions())
    if (m[f].here(ir::function_kind::kernel)) detail::vectorizer(m).region(m[f].body);
}

}  // namespace tenon::passes
