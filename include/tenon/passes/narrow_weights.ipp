/// @file narrow_weights.ipp: definitions of passes/narrow_weights.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <tenon/ir/builder.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/narrow_weights.hpp>
#include <tenon/passes/pack_weights.ipp>

namespace tenon::passes {

std::string narrowing_report::text() const {
  std::string s = std::to_string(as_given + rounded) + " weights take " + std::to_string(bytes) + " bytes instead of " +
                  std::to_string(bytes_of_f32);
  if (as_given > 0) s += "; " + std::to_string(as_given) + " of them as the model has them";
  if (rounded > 0) {
    char number[32];
    std::snprintf(number, sizeof number, "%.2g", error);
    s += "; rounding changed none by more than " + std::string(number) + " of the largest weight of its output";
  }
  if (too_large > 0) s += "; " + std::to_string(too_large) + " that are infinite, NaN or too large stay f32";
  return s;
}

namespace narrowing {

/// A weight of 16 bits that is made f32: where, and what moves its elements from there on, the last first.
struct widened {
  op_id cast;
  std::vector<op_id> moves;
};
inline std::optional<widened> find_widened(const ir::module& m, value_id v) {
  widened r;
  for (op_id d = v ? m[v].definition : op_id{}; d; d = m[m.operand(d, 0)].definition) {
    const ir::op_view o = m.view(d);
    if (o.is<op::cast>()) {
      if (o.result_type().elem != dtype::f32 || !op::is_half(o.operand_type(0).elem)) return std::nullopt;
      r.cast = d;
      return r;
    }
    const bool moves = o.is<op::transpose>() || (o.is<op::reshape>() && o.operand_count() == 1);
    if (!moves) return std::nullopt;
    r.moves.push_back(d);
  }
  return std::nullopt;
}

/// Rounds weights to a type of 16 bits. `error` is raised to the largest error, relative to the largest weight of the
/// same column. Nothing: one is not finite there.
template <class T>
std::optional<tensor> rounded(const tensor& w, double& error) {
  const i64 columns = w.shape().back();
  tensor r(dtype_of<T>, w.shape());
  std::vector<float> largest(static_cast<size_t>(columns)), off(static_cast<size_t>(columns));
  const float* from = w.data<float>().data();
  T* to = r.data<T>().data();
  for (i64 i = 0; i < w.size(); i += columns)
    for (i64 n = 0; n < columns; ++n) {
      const float v = from[i + n], near = convert_element<float>(to[i + n] = T(v));
      if (!std::isfinite(near)) return std::nullopt;
      float &most = largest[static_cast<size_t>(n)], &farthest = off[static_cast<size_t>(n)];
      most = std::max(most, std::fabs(v)), farthest = std::max(farthest, std::fabs(v - near));
    }
  for (size_t n = 0; n < largest.size(); ++n)
    if (largest[n] > 0) error = std::max(error, static_cast<double>(off[n]) / static_cast<double>(largest[n]));
  return r;
}

/// Integers from -127 to 127 with a scale for each column.
struct quantized {
  tensor integers, scales;
};
inline std::optional<quantized> quantize(const tensor& w, double& error) {
  const i64 columns = w.shape().back();
  quantized r{tensor(dtype::i8, w.shape()), tensor(dtype::f32, {columns})};
  const float* from = w.data<float>().data();
  float* scales = r.scales.data<float>().data();
  i8* to = r.integers.data<i8>().data();
  for (i64 i = 0; i < w.size(); i += columns)
    for (i64 n = 0; n < columns; ++n) {
      if (!std::isfinite(from[i + n])) return std::nullopt;
      scales[n] = std::max(scales[n], std::fabs(from[i + n]));
    }
  constexpr float most = 127;
  // Scales that are subnormal would be flushed to zero when the program runs.
  for (i64 n = 0; n < columns; ++n) scales[n] = std::max(scales[n] / most, std::numeric_limits<float>::min());
  double off = 0;
  for (i64 i = 0; i < w.size(); i += columns)
    for (i64 n = 0; n < columns; ++n) {
      const float steps = from[i + n] / scales[n], near = std::clamp(std::nearbyint(steps), -most, most);
      to[i + n] = static_cast<i8>(near);
      off = std::max(off, static_cast<double>(std::fabs(steps - near)) / static_cast<double>(most));
    }
  error = std::max(error, off);
  return r;
}

class narrower {
 public:
  narrower(ir::module& m, const kernel_options& program, narrowing_report& report)
      : m_(m), program_(program), report_(report), b_(m, {}) {}

  void product(op_id op) {
    const kernel_options own = program_.of(ir::constraint_of(m_, op));
    if (is_product_of_halves(op)) op = in_f32(op);
    const bool narrow = own.narrow_weights && packing::takes_narrow_panels(m_, op, own);
    const int w = weights_of(op);
    if (!narrow && w >= 0 && find_widened(m_, m_.operand(op, w))) packing::fold_operand(m_, op, w);
    if (!narrow || m_.view(op).operand_type(0).elem != dtype::f32) return;
    const auto given = find_widened(m_, m_.operand(op, 1));
    const bool to_bytes = own.precision == precision::int8 && is_large(op);
    if (given && !to_bytes && is_fast(m_.view(given->cast).operand_type(0).elem, own)) return void(keep(op, *given));
    if (m_.view(op).operand_type(1).elem == dtype::f32 && own.rounds_weights() && is_large(op)) round(op, own);
  }

  /// What a table of 16 bits is read from.
  void table(op_id op) {
    const auto given = find_widened(m_, m_.operand(op, 0));
    if (!given || !program_.of(ir::constraint_of(m_, op)).narrow_weights) return;
    if (!packing::fold_operand(m_, given->cast, 0)) return;
    const value_id narrow = moved(op, *given), old = m_.operand(op, 0);
    const value_id read = b_.make(op::gather(m_.view(op).as<op::gather>()), {narrow, m_.operand(op, 1)});
    const value_id wide = b_.make(op::cast{dtype::f32}, {read});
    m_.set_type(wide, m_[m_.result(op)].type);
    m_.replace_uses(m_.result(op), wide);
    m_.erase(op);
    packing::fold_operand(m_, m_[read].definition, 0);
    erase_unused(m_, m_[old].definition);
  }

 private:
  /// Which operand of a product is its weights; -1: it is none.
  int weights_of(op_id op) const { return m_[op].info->traits.weights; }
  bool is_product_of_halves(op_id op) const {
    if (weights_of(op) < 0) return false;
    const ir::op_view v = m_.view(op);
    const dtype t = v.result_type().elem;
    for (int i = 0; i < v.operand_count(); ++i)
      if (v.has_operand(i) && v.operand_type(i).elem != t) return false;
    return op::is_half(t);
  }
  /// It as one of f32 between casts. Its sums are f32 in any case, and rounded once. A bias is widened here; so are
  /// weights that no kernel widens.
  op_id in_f32(op_id op) {
    b_.before(op);
    std::vector<value_id> operands = m_.operands(op);
    for (value_id& v : operands)
      if (v) v = cast_to(v, dtype::f32);
    const op_id wide = b_.make_erased(*m_[op].info, m_.attributes(m_[op].attributes), operands);
    ir::type t = m_.type_of(m_.result(op));
    const dtype half = std::exchange(t.elem, dtype::f32);
    m_.set_type(m_.result(wide), m_.intern(t));
    m_.replace_uses(m_.result(op), cast_to(m_.result(wide), half));
    m_.erase(op);
    for (int i = weights_of(wide) + 1; i < static_cast<int>(operands.size()); ++i) packing::fold_operand(m_, wide, i);
    return wide;
  }
  value_id cast_to(value_id v, dtype elem) {
    ir::type t = m_.type_of(v);
    t.elem = elem;
    const value_id made = b_.make(op::cast{elem}, {v});
    m_.set_type(made, m_.intern(t));
    return made;
  }
  /// Only processors with vectors of 32 bytes have an instruction for f16; bf16 is the upper half of an f32 everywhere.
  static bool is_fast(dtype t, const kernel_options& own) { return t == dtype::bf16 || own.vector_bytes >= 32; }
  bool is_large(op_id op) const { return m_.view(op).operand_type(1).count() >= packing::least_integers; }

  /// The elements before they became f32, moved as those after, in front of an op.
  value_id moved(op_id op, const widened& from) {
    b_.before(op);
    value_id v = m_.operand(from.cast, 0);
    for (size_t i = from.moves.size(); i-- > 0;) {
      const op_id move = from.moves[i];
      v = m_.result(b_.make_erased(*m_[move].info, m_.attributes(m_[move].attributes), std::vector<value_id>{v}));
    }
    return v;
  }
  void take(op_id op, value_id weight) {
    const op_id old = m_[m_.operand(op, 1)].definition;
    m_.set_operand(op, 1, weight);
    if (old) erase_unused(m_, old);
  }
  void count(op_id op, i64 bytes) {
    report_.bytes += bytes, report_.bytes_of_f32 += m_.view(op).operand_type(1).count() * i64{sizeof(float)};
  }

  bool keep(op_id op, const widened& from) {
    if (!packing::fold_operand(m_, from.cast, 0)) return false;
    take(op, moved(op, from));
    if (!packing::fold_operand(m_, op, 1)) return false;
    ++report_.as_given, count(op, m_.view(op).operand_type(1).bytes());
    return true;
  }

  void round(op_id op, const kernel_options& own) {
    if (packing::dequantized_weight(m_, op).by || !packing::fold_operand(m_, op, 1)) return;
    const tensor w = *m_.constant_value(m_.operand(op, 1));
    bool fits = true;
    if (own.precision == precision::int8) {
      const auto q = quantize(w, report_.error);
      if (fits = q.has_value(); fits) count(op, q->integers.bytes() + q->scales.bytes()), use(op, *q);
    } else {
      auto r = own.precision == precision::f16 ? rounded<half>(w, report_.error) : rounded<bfloat16>(w, report_.error);
      if (fits = r.has_value(); fits) {
        count(op, r->bytes());
        b_.before(op);
        take(op, constant(std::move(*r)));
      }
    }
    ++(fits ? report_.rounded : report_.too_large);
    release_pages(w);
  }

  value_id constant(tensor t) { return b_.make(op::constant{m_.add_constant(std::move(t))}, {}); }

  void use(op_id op, const quantized& q) {
    b_.before(op);
    const value_id integers = constant(q.integers), scales = constant(q.scales);
    const std::vector<value_id> operands = m_.operands(op);
    const std::vector<value_id> given{operands[0], integers};
    const op_id made = b_.make_erased(*m_[op].info, m_.attributes(m_[op].attributes), given);
    m_.set_type(m_.result(made), m_[m_.result(op)].type);
    value_id y = b_.make(op::mul{}, {m_.result(made), scales});
    if (operands.size() > 2 && operands[2]) y = b_.make(op::add{}, {y, operands[2]});
    m_.set_type(y, m_[m_.result(op)].type);
    m_.replace_uses(m_.result(op), y);
    m_.erase(op);
    if (const op_id old = m_[operands[1]].definition) erase_unused(m_, old);
  }

  ir::module& m_;
  const kernel_options& program_;
  narrowing_report& report_;
  ir::builder<narrow_weights::emits> b_;
};

}  // namespace narrowing

void narrow_weights::run(ir_module<runs_in>& module, context& cx) const {
  ir::module& m = module.body();
  const auto program = cx.get<kernel_options>();
  auto report = cx.get<narrowing_report>();  // of other parts of the model
  narrowing::narrower narrower(m, program, report);
  for (op_id op : packing::largest_first(m)) {
    if (!m.alive(op)) continue;  // it was a part of a weight
    const ir::op_view v = m.view(op);
    if (const auto* g = v.get_if<op::gather>()) {
      if (g->panel == 0) narrower.table(op);
    } else {
      narrower.product(op);
    }
  }
  if (report.as_given + report.rounded + report.too_large == 0) return;
  if (auto* known = cx.find<narrowing_report>()) *known = report;
  else cx.set(report);
}

}  // namespace tenon::passes
