/// @file recurrent.ipp: definitions of targets/xsimd/recurrent.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include <tenon/targets/xsimd/part_steps.ipp>
#include <tenon/targets/xsimd/recurrent.hpp>
#include <tenon/targets/xsimd/steps.ipp>

namespace tenon::xsimd_kernels {
namespace detail {

inline bool gate_function(const op::recurrence& cell, size_t i, loop::scalar_fn& fn) {
  const std::string_view name = op::recurrence_detail::function_of(cell, i).name;
  fn = name == "tanh" ? loop::scalar_fn::tanh : name == "relu" ? loop::scalar_fn::max : loop::scalar_fn::sigmoid;
  return name == "tanh" || name == "relu" || name == "sigmoid";
}

/// What a run of a cell works on. Rows of gates are padded to whole vectors.
class cell_run {
 public:
  cell_run(const recurrent_step& s, const frame& f)
      : s_(s), f_(f), gates_(op::recurrence_detail::gates_of(s.cell)), columns_(gates_ * s.hidden),
        panels_((columns_ + s.panel - 1) / s.panel), row_((s.hidden + 15) / 16 * 16), zero_(row(), 0.f),
        sums_(static_cast<size_t>(s.batch * columns_)), at_(static_cast<size_t>(s.batch)) {
    for (std::vector<float>& g : gate_) g.resize(row());
    weight_ = f.data(s.weight);
    if (!s.packed) {
      made_.resize(static_cast<size_t>(panels_ * s.hidden * s.panel));
      pack(made_.data(), weight_, s.hidden, columns_, columns_, s.panel, f.threads);
      weight_ = made_.data();
    }
    if (resets_first()) reset_.resize(static_cast<size_t>(s.batch * s.hidden));
  }

  void all() {
    copy(s_.h, s_.first_h);
    if (s_.c >= 0) copy(s_.c, s_.first_c);
    if (s_.lengths >= 0) std::fill_n(f_.data(s_.y), s_.steps * s_.batch * s_.hidden, 0.f);
    for (i64 n = 0; n < s_.steps; ++n) step(s_.reverse ? s_.steps - 1 - n : n);
  }

 private:
  size_t row() const { return static_cast<size_t>(row_); }
  bool resets_first() const { return s_.cell == op::recurrent_cell::gru && !s_.reset_last; }
  void copy(int to, int from) const {
    std::memcpy(f_.data(to), f_.data(from), static_cast<size_t>(s_.batch * s_.hidden) * sizeof(float));
  }
  i64 length(i64 b) const {
    if (s_.lengths < 0) return s_.steps;
    return s_.wide_lengths ? f_.data<i64>(s_.lengths)[b] : f_.data<i32>(s_.lengths)[b];
  }

  /// sums = bias + states * weight, in the panels that hold the columns [begin, end).
  void multiply(const float* states, i64 begin, i64 end) {
    for (i64 b = 0; b < s_.batch; ++b) at_[static_cast<size_t>(b)] = states + b * s_.hidden;
    const i64 none = 0, work = s_.batch * s_.hidden * s_.panel;
    loop_over((end + s_.panel - 1) / s_.panel - begin / s_.panel,
              std::max<i64>(1, (i64{1} << 16) / std::max<i64>(1, work)),
              [&](i64 first, i64 last) {
                for (i64 q = first + begin / s_.panel; q < last + begin / s_.panel; ++q)
                  s_.k->gemm({at_.data(), s_.batch, &none, 1, s_.hidden, weight_ + q * s_.hidden * s_.panel, s_.panel,
                              std::min(s_.panel, columns_ - q * s_.panel),
                              s_.bias >= 0 ? f_.data(s_.bias) + q * s_.panel : nullptr, sums_.data() + q * s_.panel,
                              columns_});
              },
              f_.threads);
  }

  /// Gate `g` of a row: the inputs' product and the state's, and what else is added.
  float* gate(i64 g, const float* products, const float* sums) {
    float* to = gate_[g].data();
    for (i64 j = 0; j < s_.hidden; ++j) to[j] = products[g * s_.hidden + j] + sums[g * s_.hidden + j];
    return to;
  }
  void peep(float* to, i64 which, const float* state) const {
    if (s_.peepholes < 0) return;
    const float* p = f_.data(s_.peepholes) + which * s_.hidden;
    for (i64 j = 0; j < s_.hidden; ++j) to[j] += p[j] * state[j];
  }
  void act(size_t function, float* x, bool clipped = true) const {
    if (s_.clip > 0 && clipped)
      for (i64 j = 0; j < s_.hidden; ++j) x[j] = std::min(std::max(x[j], -s_.clip), s_.clip);
    s_.k->elementwise(s_.functions[function], x, x, zero_.data(), nullptr, s_.hidden);
  }

  void simple(const float* products, const float* sums, float* h) {
    float* x = gate(0, products, sums);
    act(0, x);
    std::memcpy(h, x, static_cast<size_t>(s_.hidden) * sizeof(float));
  }
  void lstm(const float* products, const float* sums, float* h, float* c) {
    float *in = gate(0, products, sums), *out = gate(1, products, sums), *forget = gate(2, products, sums),
          *fresh = gate(3, products, sums);
    peep(in, 0, c), act(0, in);
    if (s_.coupled)
      for (i64 j = 0; j < s_.hidden; ++j) forget[j] = 1 - in[j];
    else peep(forget, 2, c), act(0, forget);
    act(1, fresh);
    for (i64 j = 0; j < s_.hidden; ++j) c[j] = forget[j] * c[j] + in[j] * fresh[j];
    peep(out, 1, c), act(0, out);
    std::memcpy(fresh, c, static_cast<size_t>(s_.hidden) * sizeof(float));
    act(2, fresh, false);
    for (i64 j = 0; j < s_.hidden; ++j) h[j] = out[j] * fresh[j];
  }
  void gru(const float* products, const float* sums, float* h) {
    float *update = gate(0, products, sums), *fresh = gate_[2].data();
    act(0, update);
    const float *given = products + 2 * s_.hidden, *state = sums + 2 * s_.hidden;
    if (s_.reset_last) {
      float* reset = gate(1, products, sums);
      act(0, reset);
      for (i64 j = 0; j < s_.hidden; ++j) fresh[j] = given[j] + reset[j] * state[j];
    } else {
      for (i64 j = 0; j < s_.hidden; ++j) fresh[j] = given[j] + state[j];
    }
    act(1, fresh);
    for (i64 j = 0; j < s_.hidden; ++j) h[j] = (1 - update[j]) * fresh[j] + update[j] * h[j];
  }

  void step(i64 t) {
    float *const h = f_.data(s_.h), *const c = s_.c >= 0 ? f_.data(s_.c) : nullptr;
    const float* const products = f_.data(s_.products) + t * s_.batch * columns_;
    multiply(h, 0, resets_first() ? 2 * s_.hidden : columns_);
    if (resets_first()) {  // the hidden gate's product is that of a state of which a gate lets through only some
      updates_.assign(sums_.begin(), sums_.end());
      for (i64 b = 0; b < s_.batch; ++b) {
        float* reset = gate(1, products + b * columns_, sums_.data() + b * columns_);
        act(0, reset);
        for (i64 j = 0; j < s_.hidden; ++j)
          reset_[static_cast<size_t>(b * s_.hidden + j)] = reset[j] * h[b * s_.hidden + j];
      }
      multiply(reset_.data(), 2 * s_.hidden, columns_);
      for (i64 b = 0; b < s_.batch; ++b)  // a panel may hold columns of both
        std::copy_n(updates_.begin() + b * columns_, 2 * s_.hidden, sums_.begin() + b * columns_);
    }
    for (i64 b = 0; b < s_.batch; ++b) {
      if (t >= length(b)) continue;  // the state stays, and y is 0 there
      const float *x = products + b * columns_, *sums = sums_.data() + b * columns_;
      float* const state = h + b * s_.hidden;
      if (s_.cell == op::recurrent_cell::lstm) lstm(x, sums, state, c + b * s_.hidden);
      else if (s_.cell == op::recurrent_cell::gru) gru(x, sums, state);
      else simple(x, sums, state);
      std::memcpy(f_.data(s_.y) + (t * s_.batch + b) * s_.hidden, state,
                  static_cast<size_t>(s_.hidden) * sizeof(float));
    }
  }

  const recurrent_step& s_;
  const frame& f_;
  i64 gates_, columns_, panels_, row_;
  const float* weight_ = nullptr;
  std::vector<float> made_, zero_, sums_, updates_, reset_;
  std::array<std::vector<float>, 4> gate_;
  std::vector<const float*> at_;
};

}  // namespace detail

bool has_gate_kernels(const op::recurrence& cell) {
  loop::scalar_fn fn;
  for (size_t i = 0; i < op::recurrence_detail::functions_of(cell.cell); ++i)
    if (!detail::gate_function(cell, i, fn)) return false;
  return true;
}

void recurrent_step::run(const frame& f) const { detail::cell_run(*this, f).all(); }

inline void step_makers::recurrence(const op::recurrence& a) const {
  namespace d = op::recurrence_detail;
  auto s = fresh<recurrent_step>();
  s->cell = a.cell, s->reverse = a.reverse, s->reset_last = a.reset_last, s->coupled = a.coupled;
  s->clip = static_cast<float>(a.clip);
  for (size_t i = 0; i < d::functions_of(a.cell); ++i) detail::gate_function(a, i, s->functions[i]);
  const auto slot = [&](int i) { return v.has_operand(i) ? p.slot(v.operand(i)) : -1; };
  s->products = slot(d::products), s->weight = slot(d::weight), s->first_h = slot(d::first_h);
  s->first_c = slot(d::first_c), s->bias = slot(d::bias), s->lengths = slot(d::lengths);
  s->peepholes = slot(d::peepholes);
  if (s->lengths >= 0) s->wide_lengths = v.operand_type(d::lengths).elem == dtype::i64;
  s->y = p.slot(v.result(0)), s->h = p.slot(v.result(1));
  if (v.result_count() > 2) s->c = p.slot(v.result(2));
  const std::vector<i64> x = shape(d::products), w = shape(d::weight);
  s->steps = x[0], s->batch = x[1], s->hidden = shape(d::first_h)[1];
  s->packed = w.size() == 3;
  s->panel = s->packed ? w[2] : panel_for(x[2]);
  add(std::move(s));
}

}  // namespace tenon::xsimd_kernels
