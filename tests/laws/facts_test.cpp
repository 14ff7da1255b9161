// The laws of facts: a checker accepts a module that has the fact, and fires on one that was changed to break it.
#include "laws.hpp"

#include <compile/external/library.hpp>

#include <tenon/passes/all.hpp>
#include <tenon/passes/bind_threads.hpp>
#include <tenon/targets/cpu.hpp>

#include "support/plan_oracle.hpp"

using namespace laws;

namespace {

template <class P>
void run_one(std::unique_ptr<ir::module>& m) {
  context cx;
  m = tenon::detail::run_body(P{}, std::move(m), cx);
}

/// A module after cpu's passes up to and with the one of this name.
ir::module after(std::string_view last, u64 seed) {
  static const auto passes = passes_before_code(meta::detail::box<targets::cpu::pipeline::passes>{});
  auto now = std::make_unique<ir::module>(testing::random_module(seed));
  for (const named_pass& p : passes) {
    context cx;
    now = p.run(std::move(now), cx);
    if (p.name == last) break;
  }
  return std::move(*now);
}
template <class Last>
ir::module after(u64 seed) {
  return after(std::string_view(Last::name), seed);
}

/// The first op that fits.
template <class F>
op_id find(const ir::module& m, F&& fits) {
  op_id found;
  ir::for_each_op(m, [&](op_id op) {
    if (!found && fits(op)) found = op;
  });
  return found;
}

void fires(std::string_view fact, bool (*holds)(const ir::module&), u64 from, u64 seeds, ir::module (*make)(u64),
           bool (*break_it)(ir::module&)) {
  int broken = 0;
  for (u64 seed = from; seed < from + seeds; ++seed) {
    ir::module m = make(seed);
    CHECK_MESSAGE(holds(m), fact << "\n" << print(m));
    if (!break_it(m)) continue;
    ++broken;
    CHECK_MESSAGE(!holds(m), fact << " is not checked\n" << print(m));
  }
  CHECK(broken > 0);
}
template <class Fact>
void fires(u64 from, u64 seeds, ir::module (*make)(u64), bool (*break_it)(ir::module&)) {
  fires(std::string_view(Fact::name), &holds<Fact>, from, seeds, make, break_it);
}

bool forget_extent(ir::module& m) {
  const op_id op = find(m, [&](op_id o) {
    return m.view(o).result_count() > 0 && m.view(o).result_type().rank() > 0 && !m.view(o).is<op::constant>();
  });
  if (!op) return false;
  ir::type t = m.view(op).result_type();
  t.shape[0] = ir::dim::unknown();
  m.set_type(m.result(op), m.intern(t));
  return true;
}

/// Adds an op before the end of main, with one result of main's first operand's type.
template <class Op>
bool insert(ir::module& m, const Op& o, bool with_operand = true) {
  const region_id body = m[m.find_function("main")].body;
  if (m[body].arguments.empty()) return false;
  const value_id x = m[body].arguments[0];
  ir::builder<> b(m, body);
  b.before(m.terminator(body));
  const type_id t[] = {m[x].type};
  b.make_op(o, with_operand ? std::vector{x} : std::vector<value_id>{}, t, Op::traits.regions);
  return true;
}

}  // namespace

TEST_CASE("shapes_known") { fires<fact::shapes_known>(0, 20, &after<passes::infer_shapes>, forget_extent); }
TEST_CASE("static_shapes") { fires<fact::static_shapes>(0, 20, &after<passes::require_known_extents>, forget_extent); }
TEST_CASE("extents_known") { fires<fact::extents_known>(0, 20, &after<passes::require_known_extents>, forget_extent); }
TEST_CASE("extents_folded") {
  fires<fact::extents_folded>(0, 20, &after<passes::fold_extents>, [](ir::module& m) {
    const function_id main = m.find_function("main");
    const std::vector<value_id> inputs = m[m[main].body].arguments;
    if (inputs.empty() || m.type_of(inputs[0]).rank() < 1) return false;
    ir::builder<ops<op::shape_of, op::neg>> b(m, m[main].body);
    b.before(m[m[main].body].ops.front());
    b.make(op::neg{}, {b.make(op::shape_of{}, {inputs[0]})});
    return true;
  });
}
TEST_CASE("channels_last") {
  fires<fact::channels_last>(0, 40, &after<passes::convert_layout>, [](ir::module& m) {
    const op_id op = find(m, [&](op_id o) { return m.view(o).is<op::conv>(); });
    if (!op) return false;
    op::conv c = m.view(op).as<op::conv>();
    c.layout = op::data_layout::channels_first;
    m.set_attributes(op, m.intern_attributes(ir::info_of<op::conv>, &c));
    return true;
  });
}
TEST_CASE("regions_outlined") {
  const auto make = [](u64 seed) { return after<passes::infer_shapes>(seed); };
  fires<fact::regions_outlined>(0, 5, make, [](ir::module& m) {
    m[m.find_function("main")].target = "cpu";
    return insert(m, op::raise{"no"});
  });
}
TEST_CASE("purity_said") {
  const auto make = [](u64 seed) {
    auto m = std::make_unique<ir::module>(after<passes::infer_shapes>(seed));
    run_one<passes::note_purity>(m);
    return std::move(*m);
  };
  fires<fact::purity_said>(0, 5, make, [](ir::module& m) {
    m[m.find_function("main")].purity = ir::function_purity::unsaid;
    return true;
  });
}
TEST_CASE("partitioned_for: an op of a part that no code generator may have") {
  using external_test::library;
  const auto make = [](u64 seed) {
    auto m = std::make_unique<ir::module>(after<passes::infer_shapes>(seed));
    run_one<passes::partition_for<library>>(m);
    return std::move(*m);
  };
  fires<fact::partitioned_for<library>>(0, 40, make, [](ir::module& m) {
    for (function_id f : m.functions()) {
      if (m[f].target != std::string_view(library::name)) continue;
      ir::builder<> b(m, m[f].body);
      b.before(m.terminator(m[f].body));
      const type_id t[] = {m.intern(ir::type::tensor(dtype::i64, {}))};
      b.make_op(op::draw_seed{}, {}, t);
      return true;
    }
    return false;
  });
}
TEST_CASE("calls_inlined") {
  fires<fact::calls_inlined>(0, 5, &after<passes::inline_calls>,
                             [](ir::module& m) { return insert(m, op::call{{"main"}}); });
}
TEST_CASE("no_inner_functions") {
  fires<fact::no_inner_functions>(0, 5, &after<passes::lift_lambdas>,
                                  [](ir::module& m) { return insert(m, op::closure{}); });
}
TEST_CASE("pure_calls_unwrapped") {
  const auto make = [](u64 seed) { return after<passes::infer_shapes>(seed); };
  fires<fact::pure_calls_unwrapped>(0, 5, make, [](ir::module& m) { return insert(m, op::call_pure_packed{"f"}); });
}
TEST_CASE("ops_legalized") {
  fires<fact::ops_legalized>(0, 5, &after<passes::legalize_ops>, [](ir::module& m) { return insert(m, op::neg{}); });
}
TEST_CASE("memory_planned: a buffer without a place") {
  fires<fact::memory_planned>(0, 20, &after<passes::plan_memory>, [](ir::module& m) {
    const op_id op = find(m, [&](op_id o) { return m.view(o).is<op::alloc>(); });
    if (!op) return false;
    const op::alloc nowhere;
    m.set_attributes(op, m.intern_attributes(ir::info_of<op::alloc>, &nowhere));
    return true;
  });
}
TEST_CASE("memory_planned: buffers that live at once in one place") {
  fires<fact::memory_planned>(0, 20, &after<passes::plan_memory>, [](ir::module& m) {
    // The output of a call is made to overlap an input that a later call still reads.
    const auto storage = [&](value_id v) {
      while (m.definition_info(v) == &ir::info_of<op::view_buffer>) v = m.operand(m[v].definition, 0);
      return m.definition_info(v) == &ir::info_of<op::alloc> ? m[v].definition : op_id{};
    };
    const region_id body = m[m.find_function("main")].body;
    const auto& ops = m[body].ops;
    for (size_t i = 0; i < ops.size(); ++i) {
      const auto* call = m.view(ops[i]).get_if<op::call_dps>();
      if (call == nullptr) continue;
      for (int in = 0; in < call->inputs; ++in)
        for (int out = static_cast<int>(call->inputs); out < m.view(ops[i]).operand_count(); ++out) {
          const op_id a = storage(m.operand(ops[i], in)), b = storage(m.operand(ops[i], out));
          if (!a || !b || a == b || m.view(a).result_type().bytes() == 0 || m.view(b).result_type().bytes() == 0)
            continue;
          bool read_later = false;
          for (size_t k = i + 1; k < ops.size(); ++k)
            for (value_id v : m.operands(ops[k])) read_later = read_later || storage(v) == a;
          if (!read_later) continue;
          const op::alloc same = m.view(a).as<op::alloc>();
          m.set_attributes(b, m.intern_attributes(ir::info_of<op::alloc>, &same));
          return true;
        }
    }
    return false;
  });
}
TEST_CASE("memory_planned: a buffer behind the end of the arena") {
  fires<fact::memory_planned>(0, 20, &after<passes::plan_memory>, [](ir::module& m) {
    i64& arena = m.build.memory.arenas.at("");
    if (arena == 0) return false;
    arena -= 64;  // places are multiples of 64
    return true;
  });
}
TEST_CASE("memory_planned: who runs a plan byte by byte finds nothing that its checker does not find") {
  int moved = 0, found = 0, checked = 0;
  for (u64 seed = 0; seed < 60; ++seed) {
    ir::module m = after<passes::plan_memory>(seed);
    CHECK_MESSAGE(testing::plan_oracle::problem(m) == "", print(m));
    CHECK(holds<fact::memory_planned>(m));
    std::vector<op_id> allocs;
    ir::for_each_op(m, [&](op_id op) {
      if (m.view(op).is<op::alloc>()) allocs.push_back(op);
    });
    for (const op_id op : allocs) {
      const op::alloc right = m.view(op).as<op::alloc>();
      std::vector<i64> places{right.offset + 64, right.offset - 64, right.offset + 4};
      for (const op_id other : allocs) places.push_back(m.view(other).as<op::alloc>().offset);
      for (const i64 at : places) {
        if (at < 0 || at == right.offset) continue;
        const op::alloc wrong{at};
        m.set_attributes(op, m.intern_attributes(ir::info_of<op::alloc>, &wrong));
        const std::string problem = testing::plan_oracle::problem(m);
        const bool refused = !holds<fact::memory_planned>(m);
        ++moved, found += !problem.empty(), checked += refused;
        CHECK_MESSAGE((problem.empty() || refused), problem << " is not checked\n" << print(m));
      }
      m.set_attributes(op, m.intern_attributes(ir::info_of<op::alloc>, &right));
    }
  }
  MESSAGE(moved << " plans with one buffer moved: " << found << " are wrong, the checker refuses " << checked);
  CHECK(found > 100);
  CHECK(found * 2 > checked);
}
TEST_CASE("loops_scheduled") {
  fires<fact::loops_scheduled>(0, 20, &after<passes::parallelize>, [](ir::module& m) {
    const auto loop_of = [&](op_id o) { return m.view(o).get_if<loop::for_loop>(); };
    const op_id inner = find(m, [&](op_id o) {
      return loop_of(o) != nullptr && m[m[o].parent].parent && loop_of(m[m[o].parent].parent) != nullptr;
    });
    if (!inner) return false;
    for (op_id op : {inner, m[m[inner].parent].parent}) {
      loop::for_loop l = *loop_of(op);
      l.kind = loop::loop_kind::parallel;
      m.set_attributes(op, m.intern_attributes(ir::info_of<loop::for_loop>, &l));
    }
    return true;
  });
}
namespace {
ir::module bound(u64 seed) {
  auto m = std::make_unique<ir::module>(after<passes::plan_memory>(seed));
  run_one<passes::bind_threads>(m);
  return std::move(*m);
}
}  // namespace
TEST_CASE("threads_bound") {
  fires<fact::threads_bound>(0, 20, &bound, [](ir::module& m) {
    const op_id sum = find(m, [&](op_id o) {
      return m.view(o).is<loop::for_loop>() && m.view(o).result_count() != 0 && m[m[o].parent].parent;
    });
    if (!sum) return false;
    loop::for_loop l = m.view(sum).as<loop::for_loop>();
    l.kind = loop::loop_kind::parallel;
    m.set_attributes(sum, m.intern_attributes(ir::info_of<loop::for_loop>, &l));
    return true;
  });
}

// The laws of phases: what a pass leaves is in its phase (passes_test); an op of another phase is refused.

namespace {
template <class Phase, class Op>
void refuses(ir::module m, const Op& o, bool with_operand = true) {
  ir::verify<Phase>(m);
  REQUIRE(insert(m, o, with_operand));
  std::string code;
  try {
    ir::verify<Phase>(m);
  } catch (const error& e) { code = e.code(); }
  CHECK_MESSAGE(code == "ir.verify", std::string_view(Phase::name) << " accepts " << std::string_view(Op::name));
}
}  // namespace

TEST_CASE("phases refuse the ops of others") {
  for (u64 seed = 0; seed < 3; ++seed) {
    refuses<phases::ingestion>(testing::random_module(seed), op::slot{}, false);
    refuses<phases::optimization>(after<passes::lift_lambdas>(seed), op::slot{}, false);
    refuses<phases::optimization>(after<passes::fuse>(seed), op::closure{});
    refuses<phases::lowering>(after<passes::to_lowering>(seed), op::neg{});
    refuses<phases::lowering>(after<passes::plan_memory>(seed), op::slot{}, false);
    refuses<phases::build>(after<passes::lower_builtins>(seed), op::alloc{}, false);
  }
}

// The effects that a phase lists are those that its ops have: what passes answer for follows from them.

namespace {
template <class Phase>
void lists_effects() {
  std::string unlisted;
  const auto of_op = [&]<class Op, class... Es>(meta::detail::box<Op>, meta::detail::box<effects<Es...>>) {
    ((unlisted +=
      meta::contains_v<Es, typename Phase::op_effects> ? "" : std::string(std::string_view(Op::name)) + " "),
     ...);
  };
  [&]<class... Op>(meta::detail::box<ops<Op...>>) {
    (of_op(meta::detail::box<Op>{}, meta::detail::box<effects_of_t<Op>>{}), ...);
  }(meta::detail::box<typename Phase::op_list>{});
  CHECK_MESSAGE(unlisted == "", std::string_view(Phase::name));
}
}  // namespace

TEST_CASE("phases list the effects of their ops") {
  lists_effects<phases::ingestion>();
  lists_effects<phases::optimization>();
  lists_effects<phases::partitioned>();
  lists_effects<phases::lowering>();
  lists_effects<phases::build>();
  lists_effects<phases::built>();
}
