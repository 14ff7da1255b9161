/// @file random_lists: modules with symbols for extents, whose ops take lists of sizes that the graph computes.
///
/// What sets such ops apart may be in their operands alone: parts of one axis differ in where they start, two slices of
/// equal types in whose extent they follow. One seed gives one module on every machine; inputs are in0: f32[n,8] and
/// in1: f32[m,8], and every op serves all n and m from 6 on that are equal (`random_lists_inputs`).
#pragma once

#include <random>
#include <string>
#include <vector>

#include <tenon/ir/builder.hpp>
#include <tenon/ops/all.hpp>

namespace tenon::testing {

class list_generator {
 public:
  explicit list_generator(u64 seed) : random_(seed * 2654435761u + 5) {}

  ir::module make() {
    const auto rows = [&](const char* name) {
      return m_.intern(ir::type::tensor(dtype::f32, {ir::dim::symbol(m_.symbol(name)), 8}));
    };
    const type_id types[] = {rows("n"), rows("m")};
    const function_id f = m_.add_function("main", ir::function_kind::graph, types);
    body_ = m_[f].body;
    inputs_ = m_[body_].arguments;
    std::vector<value_id> outputs;
    const int groups = range(1, 3);
    for (int g = 0; g < groups; ++g) {
      switch (range(0, 3)) {
        case 0: parts(outputs, range(2, 5)); break;
        case 1: neighbours(outputs); break;
        case 2: both_inputs(outputs); break;
        default: shapes(outputs); break;
      }
    }
    ir::builder<> b(m_, body_);
    b.make_op(op::return_{}, outputs, {});
    m_[f].entry = true;
    m_[f].argument_names = {"in0", "in1"};
    for (size_t i = 0; i < outputs.size(); ++i) {
      m_[f].result_names.push_back("out" + std::to_string(i));
      m_[f].result_types.push_back(m_[outputs[i]].type);
    }
    return std::move(m_);
  }

 private:
  int range(int low, int high) { return low + static_cast<int>(random_() % static_cast<u64>(high - low + 1)); }
  template <class Op>
  value_id make(const Op& o, std::initializer_list<value_id> operands) {
    ir::builder<> b(m_, body_);
    return b.make(o, operands);
  }
  value_id list(std::vector<i64> values) {
    tensor t(dtype::i64, {static_cast<i64>(values.size())});
    for (size_t i = 0; i < values.size(); ++i) t.set_i64(static_cast<i64>(i), values[i]);
    return make(op::constant{m_.add_constant(std::move(t))}, {});
  }
  /// A list of one: the extent of dimension 0, scaled and moved.
  value_id rows_of(value_id x) { return make(op::shape_of{0, 1}, {x}); }
  value_id times(value_id v, i64 k) { return make(op::mul{}, {v, list({k})}); }
  value_id over(value_id v, i64 k) { return make(op::div{}, {v, list({k})}); }
  value_id plus(value_id v, i64 k) { return make(op::add{}, {v, list({k})}); }
  value_id cut(value_id x, value_id from, value_id to) { return make(op::slice{}, {x, from, to, list({0})}); }
  /// So that equal parts are not equal code anywhere else.
  value_id touched(value_id v) { return range(0, 1) == 0 ? v : make(op::neg{}, {v}); }

  /// x cut into `count` parts, in any order, some twice.
  void parts(std::vector<value_id>& out, int count) {
    const value_id x = inputs_[static_cast<size_t>(range(0, 1))], part = over(rows_of(x), count);
    value_id sum;
    for (int i = 0; i < count + 1; ++i) {
      const int k = range(0, count - 1);
      const value_id y = touched(cut(x, times(part, k), times(part, k + 1)));
      out.push_back(y);
      sum = sum ? make(op::add{}, {sum, y}) : y;
    }
    out.push_back(sum);
  }
  /// Windows of one length that begin at neighbouring places.
  void neighbours(std::vector<value_id>& out) {
    const value_id x = inputs_[static_cast<size_t>(range(0, 1))], rows = rows_of(x);
    for (int i = 0; i < 3; ++i) {
      const int k = range(0, 3);
      out.push_back(touched(cut(x, list({k}), plus(rows, k - 4))));
    }
  }
  /// Ops of equal types that follow different inputs.
  void both_inputs(std::vector<value_id>& out) {
    const int c = range(2, 3), k = range(0, c - 1);
    for (const value_id x : {inputs_[0], inputs_[1]}) {
      const value_id part = over(rows_of(x), c);
      out.push_back(touched(cut(x, times(part, k), times(part, k + 1))));
      out.push_back(
          make(op::expand{}, {make(op::reduce_max{{0}, true}, {x}), make(op::concat{}, {rows_of(x), list({8})})}));
    }
  }
  void shapes(std::vector<value_id>& out) {
    const value_id x = inputs_[static_cast<size_t>(range(0, 1))], rows = rows_of(x);
    const i64 k = i64{1} << range(0, 3);
    out.push_back(make(op::neg{}, {make(op::reshape{}, {x, make(op::concat{}, {times(rows, k), list({8 / k})})})}));
    out.push_back(
        make(op::add{}, {make(op::concat{}, {rows, times(rows, 2), plus(rows, range(-2, 5))}), list({1, 2, 3})}));
  }

  std::mt19937_64 random_;
  ir::module m_;
  region_id body_;
  std::vector<value_id> inputs_;
};

inline ir::module random_lists(u64 seed) { return list_generator(seed).make(); }

/// Inputs of `rows` rows each.
inline std::vector<tensor> random_lists_inputs(u64 seed, i64 rows) {
  std::mt19937_64 random(seed + 7);
  std::vector<tensor> inputs;
  for (int i = 0; i < 2; ++i) {
    tensor x(dtype::f32, {rows, 8});
    for (i64 k = 0; k < x.size(); ++k) x.set_f64(k, static_cast<double>(random() % 1000));
    inputs.push_back(std::move(x));
  }
  return inputs;
}

}  // namespace tenon::testing
