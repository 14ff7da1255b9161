/// @file lowered: runs one op two ways, for tests: by its reference evaluation, and by its lowering as one kernel.
#pragma once

#include <random>

#include <tenon/interpret/eval.hpp>
#include <tenon/interpret/loops.hpp>
#include <tenon/ops/lower.hpp>

#include <support/caught.hpp>

namespace tenon::testing {

inline bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }
inline std::vector<double> reals(const tensor& t) {
  std::vector<double> v;
  for (i64 i = 0; i < t.size(); ++i) v.push_back(t.at_f64(i));
  return v;
}

/// Every operand and result is a buffer, scratch are more arguments behind them; nothing is fused.
class plain_lower_context final : public lower_context {
 public:
  plain_lower_context(ir::loop_builder& b, const ir::module& graph, op_id op, std::vector<value_id> buffers)
      : builder_(b), body_(b.region()), view_(graph.view(op)), buffers_(std::move(buffers)) {}
  ir::loop_builder& b() override { return builder_; }
  int operand_count() const override { return view_.operand_count(); }
  bool has(int i) const override { return view_.has_operand(i); }
  const ir::type& operand_type(int i) const override { return view_.operand_type(i); }
  const ir::type& result_type(int i) const override { return view_.result_type(i); }
  value_id operand(int i, const index_list& at) override { return builder_.load(buffer(i), at); }
  value_id operand_or(value_id fill, int i, const index_list& at) override {
    return builder_.load_or(fill, buffer(i), at);
  }
  const tensor* constant(int) const override { return nullptr; }
  bool is_finite_constant(int) const override { return false; }
  std::optional<std::vector<std::optional<extent_expr>>> integers(int) const override { return std::nullopt; }
  extent_expr expression(ir::dim d) const override { return d.extent(); }
  bool are_equal(ir::dim a, ir::dim b) const override { return a == b; }
  index_expr value(const extent_expr& e) override { return e.constant(); }
  void store(value_id v, int result, const index_list& at) override { builder_.store(v, result_buffer(result), at); }
  value_id buffer(int i) override { return buffers_[static_cast<size_t>(i)]; }
  value_id result_buffer(int i) override { return buffers_[static_cast<size_t>(operand_count() + i)]; }
  value_id scratch(dtype t, std::vector<ir::dim> shape) override {
    return builder_.mod().add_argument(body_, builder_.mod().intern(ir::type::buffer(t, std::move(shape))));
  }
  i64 lanes(dtype t) const override { return 64 / size_of(t); }
  [[noreturn]] void fail(std::string message, std::string hint) const override {
    throw error("lower", std::move(message), {}, std::move(hint));
  }

 private:
  ir::loop_builder& builder_;
  region_id body_;
  ir::op_view view_;
  std::vector<value_id> buffers_;
};

/// A module with one op whose operands are arguments; undefined tensors are absent operands.
struct single_op {
  ir::module m;
  op_id op;
  std::vector<tensor> operands;

  single_op(const ir::op_info& info, const void* attributes, std::vector<tensor> values) : operands(std::move(values)) {
    std::vector<type_id> types;
    for (const tensor& t : operands)
      types.push_back(m.intern(ir::type::tensor(t.type(), {t.shape().begin(), t.shape().end()})));
    const function_id f = m.add_function("main", ir::function_kind::graph, types);
    const region_id body = m[f].body;
    std::vector<value_id> arguments = m[body].arguments;
    for (size_t i = 0; i < operands.size(); ++i)
      if (!operands[i].defined()) arguments[i] = value_id{};
    op = ir::inserter(m, body).make_erased(info, attributes, arguments);
  }
  std::vector<tensor> evaluated_by(void (*evaluation)(const ir::op_view&, eval_context&)) {
    std::vector<const tensor*> pointers;
    for (const tensor& t : operands) pointers.push_back(t.defined() ? &t : nullptr);
    eval_context cx(m, op, pointers);
    evaluation(m.view(op), cx);
    return cx.results();
  }
  std::vector<tensor> lowered_by(void (*lowering)(const ir::op_view&, plain_lower_context&)) {
    const ir::op_view view = m.view(op);
    ir::module k;
    std::vector<type_id> types;
    for (const tensor& t : operands)
      types.push_back(k.intern(ir::type::buffer(t.type(), {t.shape().begin(), t.shape().end()})));
    for (int i = 0; i < view.result_count(); ++i)
      types.push_back(k.intern(ir::type::buffer(view.result_type(i).elem, view.result_type(i).shape)));
    const function_id f = k.add_function("kernel", ir::function_kind::kernel, types);
    ir::loop_builder b(k, k[f].body);
    plain_lower_context cx(b, m, op, k[k[f].body].arguments);
    lowering(view, cx);
    b.make_op(loop::yield{}, {}, {});
    std::vector<tensor> results;
    std::vector<interpreting::buffer> buffers;
    for (const tensor& t : operands) buffers.push_back(interpreting::buffer::read_only(t));
    for (int i = 0; i < view.result_count(); ++i)
      results.emplace_back(view.result_type(i).elem, view.result_type(i).extents());
    const std::vector<value_id>& arguments = k[k[f].body].arguments;
    std::vector<tensor> scratch;
    for (size_t i = operands.size() + results.size(); i < arguments.size(); ++i)
      scratch.emplace_back(k.type_of(arguments[i]).elem, k.type_of(arguments[i]).extents());
    for (tensor& t : results) buffers.push_back(interpreting::buffer::fresh(t));
    for (tensor& t : scratch) buffers.push_back(interpreting::buffer::fresh(t));
    interpreting::kernel(k, f).run(buffers);
    return results;
  }
};

/// The same, which knows the op's type. What needs no type stands above: tests have many, and each is compiled.
template <class Op>
struct one_op : single_op {
  one_op(const Op& attributes, std::vector<tensor> values)
      : single_op(ir::info_of<Op>, &attributes, std::move(values)) {}
  std::vector<tensor> evaluated() {
    return evaluated_by([](const ir::op_view& view, eval_context& cx) { evaluate(view.as<Op>(), cx); });
  }
  std::vector<tensor> lowered() {
    return lowered_by([](const ir::op_view& view, plain_lower_context& cx) {
      const Op& attributes = view.as<Op>();
      if constexpr (requires { lower(attributes, cx); }) {
        lower(attributes, cx);
      } else {
        cx.b().nest(view.result_type(0).extents(),
                    [&](const index_list& at) { cx.store(element(attributes, cx, at), 0, at); });
      }
    });
  }
};

/// What is said of an op that cannot have these operands.
template <class Op>
std::string refusal(const Op& op, std::vector<tensor> operands) {
  return caught([&] { one_op<Op>(op, std::move(operands)); }).what();
}
/// Small integers as elements of a type, so that sums are exact in every order.
inline tensor random_tensor(dtype type, std::vector<i64> shape, unsigned seed, int low = -4, int high = 4) {
  std::mt19937 random(seed);
  tensor t(type, std::move(shape));
  const i64 least = is_unsigned_int(type) || type == dtype::boolean ? 0 : low;
  for (i64 i = 0; i < t.size(); ++i)
    t.set_i64(i, least + static_cast<i64>(random() % static_cast<unsigned>(high - least + 1)));
  return t;
}

/// The largest difference of elements, relative to those above one; infinite when shapes, types or NaNs differ.
inline double distance(const tensor& a, const tensor& b) {
  if (a.shape() != b.shape() || a.type() != b.type()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (i64 i = 0; i < a.size(); ++i) {
    const double x = a.at_f64(i), y = b.at_f64(i);
    if (x == y || (x != x && y != y)) continue;
    const double d = std::fabs(x - y) / std::max(1.0, std::fabs(y));
    worst = d == d ? std::max(worst, d) : std::numeric_limits<double>::infinity();
  }
  return worst;
}

/// How far the results of the lowering are from those of the evaluation.
inline double largest_distance(const std::vector<tensor>& got, const std::vector<tensor>& expected) {
  if (expected.size() != got.size()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (size_t i = 0; i < expected.size(); ++i) worst = std::max(worst, distance(got[i], expected[i]));
  return worst;
}
template <class Op>
double lowering_error(const Op& attributes, std::vector<tensor> operands) {
  one_op<Op> o(attributes, std::move(operands));
  const std::vector<tensor> expected = o.evaluated();
  return largest_distance(o.lowered(), expected);
}

}  // namespace tenon::testing
