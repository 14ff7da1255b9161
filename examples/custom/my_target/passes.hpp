// From loop nests to instructions: a rule for the matrix unit, and the transition into the accelerator's own phase.
#pragma once

#include <tenon/passes/tensorize.hpp>

#include "device.hpp"
#include "ops.hpp"

namespace mine {

/// A product of two row-major matrices of f32, and nothing else, is what the matrix unit does.
struct matrix_unit {
  static constexpr fixed_string name = "matrix_unit";

  static bool matches(const ir::module& m, function_id kernel) {
    const auto& body = m[m[kernel].body];
    if (body.arguments.size() != 3 || body.ops.size() != 2) return false;
    for (value_id v : body.arguments)
      if (m.type_of(v).elem != dtype::f32 || m.type_of(v).rank() != 2) return false;
    const auto* c = m.view(body.ops[0]).get_if<loop::contract>();
    if (c == nullptr || c->m.size() != 1 || c->k.size() != 1 || c->accumulate != dtype::f32) return false;
    using rows = std::vector<std::vector<i64>>;
    if (m.operands(body.ops[0]) != std::vector<value_id>{body.arguments[0], body.arguments[1]} ||
        c->map_a.rows != rows{{0, 1, 0, 0}, {0, 0, 0, 1}} || c->map_b.rows != rows{{0, 0, 0, 1}, {0, 0, 1, 0}})
      return false;
    const auto& inside = m[m.region(body.ops[0])];
    const auto* s = inside.ops.size() == 2 ? m.view(inside.ops[0]).get_if<loop::store>() : nullptr;
    if (s == nullptr || s->map.rows != rows{{0, 1, 0}, {0, 0, 1}}) return false;
    return m.operands(inside.ops[0]) ==
           std::vector<value_id>{inside.arguments[0], body.arguments[2], inside.arguments[1], inside.arguments[2]};
  }
  static std::vector<ir::type> scratch(const ir::module&, function_id) {
    return std::vector<ir::type>(3, ir::type::buffer(dtype::f32, {tile, tile}, "scratchpad"));
  }
};

/// Before: call_dps(%a, %b, %c, %ta, %tb, %tc) {kernel = @matmul}     After: npu.load, npu.load, npu.mma …, npu.store
struct select_instructions {
  static constexpr fixed_string name = "select_instructions";
  using from = phases::lowering;
  using to = npu_phase;
  using needs = facts<fact::memory_planned>;
  using eliminates = ops<op::alloc, op::call_dps, op::call>;
  using handles = ops<op::alloc, op::call_dps, op::call>;
  using emits = meta::concat_t<npu_ops, ops<op::slot>>;

  ir_module<to> run(ir_module<from>&& module, context&) const {
    ir::module& m = module.body();
    for (function_id f : m.functions()) {
      if (m[f].kind != ir::function_kind::graph) continue;
      ir::builder<emits> b(m, m[f].body);
      ir::for_each_op(m, m[f].body, [&](op_id op) {
        const ir::op_view v = m.view(op);
        b.before(op);
        if (const auto* a = v.get_if<op::alloc>()) {
          const type_id t[1] = {m[v.result()].type};
          m.replace_uses(v.result(), m.result(b.make_op(op::slot{a->offset}, {}, t)));
        } else if (const auto* c = v.get_if<op::call_dps>()) {
          const bool tensorized = v.operand_count() == 6 && v.operand_type(5).space == "scratchpad";
          if (tensorized) matrix_product(m, b, m.operands(op), m[m[m.find_function(c->kernel.name)].body].arguments);
          else b.make_op(run_scalar{c->kernel}, m.operands(op), {});
        } else if (v.is<op::call>()) {
          throw error("npu.call", "'call' is left: the accelerator runs one function", m.text(v.location()),
                      "run inline_calls");
        } else {
          return;
        }
        m.erase(op);
      });
    }
    m.compact();
    return ir_module<to>::adopt(std::move(m));
  }

 private:
  /// All tiles of the result, each the sum of products along k. `shapes` are the kernel's arguments.
  static void matrix_product(ir::module& m, ir::builder<emits>& b, const std::vector<value_id>& v,
                             std::vector<value_id> shapes) {
    const std::vector<i64> a = m.type_of(shapes[0]).extents(), c = m.type_of(shapes[2]).extents();
    for (i64 i = 0; i < c[0]; i += tile)
      for (i64 j = 0; j < c[1]; j += tile) {
        for (i64 k = 0; k == 0 || k < a[1]; k += tile) {
          b.make_op(load_tile{i, k, a[0], a[1]}, std::vector{v[0], v[3]}, {});
          b.make_op(load_tile{k, j, a[1], c[1]}, std::vector{v[1], v[4]}, {});
          b.make_op(multiply{k == 0}, std::vector{v[3], v[4], v[5]}, {});
        }
        b.make_op(store_tile{i, j, c[0], c[1]}, std::vector{v[5], v[2]}, {});
      }
  }
};

}  // namespace mine
