// llvm #55028: control flow was converted to the LLVM dialect before memrefs and functions were: types did not match.
// A conversion of types is a fact, one for each family of types.
#include "scenario.hpp"

namespace mlir_55028 {

struct floats_converted {  ///< no f64 is left
  static constexpr tn::fixed_string name = "floats_converted";
  static bool check(const tn::ir::module& m);
};
struct integers_converted {  ///< no i64 is left
  static constexpr tn::fixed_string name = "integers_converted";
  static bool check(const tn::ir::module& m);
};
struct convert_floats {
  static constexpr tn::fixed_string name = "convert_floats";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using gives = tn::facts<floats_converted>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool changes_functions = true;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
struct convert_integers {
  static constexpr tn::fixed_string name = "convert_integers";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<>;
  using gives = tn::facts<integers_converted>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  static constexpr bool changes_functions = true;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};
/// A choice becomes arithmetic in the type that its branches have, whichever family that is of.
struct convert_choices {
  static constexpr tn::fixed_string name = "convert_choices";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<floats_converted, integers_converted>;
  using keeps = tn::all_facts;
  using eliminates = tn::ops<tn::op::where>;
  using handles = tn::ops<tn::op::where>;
  using emits = tn::ops<tn::op::cast, tn::op::mul, tn::op::sub, tn::op::add>;
  void run(tn::ir_module<runs_in>& m, tn::context& cx) const;
};

constexpr tn::verdict wrong = tn::verdict_of<convert_integers, convert_choices, convert_floats>;
static_assert(wrong.code == 2 && wrong.pass_name == convert_choices::name && wrong.subject == floats_converted::name);
static_assert(!tn::is_valid<tn::pass_list<convert_floats, convert_choices, convert_integers>>);
static_assert(!tn::is_valid<tn::pass_list<convert_choices, convert_floats, convert_integers>>);
static_assert(tn::is_valid<tn::pass_list<convert_floats, convert_integers, convert_choices>>);

#ifdef TENON_TWIN
using order = tn::pipeline<convert_integers, convert_floats, convert_choices>;
#else
// CHECK: tenon-E002: pass 'convert_choices' (2nd) needs 'floats_converted', which no pass before it gives: move 'convert_floats' before 'convert_choices', or move 'convert_choices' after 'convert_floats'
using order = tn::pipeline<convert_integers, convert_choices, convert_floats>;
#endif

#ifdef TENON_RUN
bool free_of(const ir::module& m, dtype t) {
  for (function_id f : m.functions())
    for (value_id v : m[m[f].body].arguments)
      if (m.type_of(v).elem == t) return false;
  bool free = true;
  ir::for_each_op(m, [&](op_id o) {
    for (value_id v : m.results(o)) free = free && m.type_of(v).elem != t;
  });
  return free;
}
void convert_family(ir::module& m, dtype from, dtype to) {
  const auto convert = [&](value_id v) {
    ir::type t = m.type_of(v);
    if (t.elem == from) t.elem = to, m.set_type(v, m.intern(t));
  };
  for (function_id f : m.functions())
    for (value_id v : m[m[f].body].arguments) convert(v);
  ir::for_each_op(m, [&](op_id o) {
    for (value_id v : m.results(o)) convert(v);
  });
  for (function_id f : m.functions()) {  // what a function says of its results follows from what it returns
    m[f].result_types.clear();
    for (value_id v : m.operands(m.terminator(m[f].body))) m[f].result_types.push_back(m[v].type);
  }
}
bool floats_converted::check(const tn::ir::module& m) { return free_of(m, dtype::f64); }
bool integers_converted::check(const tn::ir::module& m) { return free_of(m, dtype::i64); }
void convert_floats::run(tn::ir_module<runs_in>& m, tn::context&) const {
  convert_family(m.body(), dtype::f64, dtype::f32);
}
void convert_integers::run(tn::ir_module<runs_in>& m, tn::context&) const {
  convert_family(m.body(), dtype::i64, dtype::i32);
}
void convert_choices::run(tn::ir_module<runs_in>& module, tn::context&) const {
  ir::module& m = module.body();
  for_each<op::where>(m, [&](ir::op_view v) {
    auto b = before<emits>(m, v.id());
    const value_id one = b.make(op::cast{v.result_type().elem}, {v.operand(0)});
    const value_id difference = b.make(op::sub{}, {v.operand(1), v.operand(2)});
    replace_op(m, v.id(), b.make(op::add{}, {v.operand(2), b.make(op::mul{}, {one, difference})}));
  });
}

TEST_CASE("llvm #55028") {
  const auto done = through<order, phases::optimization>(make_module<phases::optimization>(
      {vector_of(2, dtype::boolean), vector_of(2, dtype::f64), vector_of(2, dtype::f64)},
      [](auto& b, const auto& x) { return std::vector{b.make(op::where{}, {x[0], x[1], x[2]})}; }));
  CHECK(count<op::where>(done.body()) == 0);
  CHECK(values(done, {tensor::from<bool>({2}, {true, false}), floats({1, 2}), floats({10, 20})}) == numbers{1, 20});
}
#endif
}  // namespace mlir_55028
