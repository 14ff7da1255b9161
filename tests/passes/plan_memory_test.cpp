// plan_memory: places in memory spaces of their own, aligned as the device wants them, and no more than it has.
#include <doctest/doctest.h>

#include <tenon/compile/build.hpp>
#include <tenon/compile/run.hpp>
#include <tenon/facts/buffer_lives_known.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/lift_lambdas.hpp>
#include <tenon/passes/lower_builtins.hpp>
#include <tenon/passes/plan_memory.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/tensorize.hpp>
#include <tenon/passes/to_lowering.hpp>
#include <tenon/targets/device.hpp>
#include <tenon/text/parse.hpp>

#include <support/caught.hpp>

using namespace tenon;

namespace {

/// Every kernel works in two blocks of 1,024 bytes and one of 4.
struct blocks {
  [[maybe_unused]] static constexpr fixed_string name = "blocks";
  static bool matches(const ir::module&, function_id) { return true; }
  static std::vector<ir::type> scratch(const ir::module&, function_id) {
    return {ir::type::buffer(dtype::f32, {16, 16}, "scratchpad"), ir::type::buffer(dtype::f32, {1}, "scratchpad"),
            ir::type::buffer(dtype::f32, {16, 16}, "scratchpad")};
  }
};

constexpr const char* two_products = R"(tenon.module phase=ingestion
func entry @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> (tensor<8x8xf32>) inputs("x", "w") outputs("y") {
  %a = matmul(%x, %w) : tensor<8x8xf32>
  %y = matmul(%a, %w) : tensor<8x8xf32>
  return(%y)
})";

/// The module after plan_memory, for a device with these spaces.
ir::module planned(std::vector<memory_space> spaces) {
  context cx;
  cx.set(device_memory{std::move(spaces)});
  auto graph = run<passes::require_static_shapes>(
      run<passes::infer_shapes>(
          run<passes::inline_calls>(run<passes::lift_lambdas>(parse<phases::ingestion>(two_products), cx), cx), cx),
      cx);
  auto loops =
      run<passes::tensorize<blocks>>(run<passes::to_lowering>(run<passes::legalize_ops>(std::move(graph), cx), cx), cx);
  return run<passes::plan_memory>(std::move(loops), cx).body();
}
error refused(std::vector<memory_space> spaces) {
  try {
    planned(std::move(spaces));
  } catch (const error& e) { return e; }
  return error("none", "nothing was thrown");
}
/// Offsets of the scratch buffers, in order.
std::vector<i64> offsets(const ir::module& m) {
  std::vector<i64> list;
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
    if (const auto* a = m.view(op).get_if<op::alloc>(); a && m.view(op).result_type().space == "scratchpad")
      list.push_back(a->offset);
  });
  return list;
}

/// Makes a buffer, and says that the plan still holds.
struct late_scratch {
  static constexpr fixed_string name = "late_scratch";
  using runs_in = phases::lowering;
  using needs = facts<fact::memory_planned>;
  using keeps = all_facts;
  using emits = ops<op::alloc>;
  void run(ir_module<runs_in>& module, context&) const {
    ir::module& m = module.body();
    const region_id main = m[m.find_function("main")].body;
    ir::builder<emits> b(m, main);
    b.before(m[main].ops.front());
    const type_id t[1] = {m.intern(ir::type::buffer(dtype::f32, {64}))};
    b.make_op(op::alloc{}, {}, t);
  }
};

}  // namespace

TEST_CASE("a buffer that was made behind the plan has no place: an error, with or without verify_each") {
  for (const bool each : {false, true}) {
    context cx;
    cx.verify_each = each;
    auto m = ir_module<phases::lowering>::adopt(planned({{"", 0}, {"scratchpad", 0}}));
    const error e = testing::caught([&] {
      auto later = run<late_scratch>(establish<fact::memory_planned>(std::move(m)), cx);
      (void)run<passes::lower_builtins>(std::move(later), cx);
    });
    CHECK(e.code() == (each ? "tenon-E030" : "fact.memory_planned"));
    CHECK(e.message().find("a buffer has no place in the arena") != std::string::npos);
  }
}

TEST_CASE("buffers of one space share its bytes when their lives do not meet") {
  const ir::module m = planned({{"", 0}, {"scratchpad", 2112}});
  CHECK(m.build.memory.arena("scratchpad") == 2112);  // one kernel's blocks at a time
  CHECK(m.build.memory.arena() == 256);               // what lies between the products, in the main memory
  CHECK(offsets(m) == std::vector<i64>{0, 2048, 1024, 0, 2048, 1024});
}

TEST_CASE("a space's alignment is that of its buffers") {
  CHECK(offsets(planned({{"", 0}, {"scratchpad", 0, 4096}})) == std::vector<i64>{0, 8192, 4096, 0, 8192, 4096});
  CHECK(planned({{"", 0}, {"scratchpad", 0, 4}}).build.memory.arena("scratchpad") == 2052);
}

TEST_CASE("more than a space holds, or a space that is nowhere, is an error that names it") {
  const error small = refused({{"", 0}, {"scratchpad", 2111}});
  CHECK(small.code() == "plan_memory.capacity");
  CHECK(small.message() ==
        "memory space 'scratchpad' holds 2111 bytes, and the buffers of 'main' that live at once need 2112");
  CHECK(refused({{"", 255}, {"scratchpad", 0}}).message() ==
        "memory space '' holds 255 bytes, and the buffers of 'main' that live at once need 256");
  const error none = refused({{}});
  CHECK(none.code() == "plan_memory.space");
  CHECK(none.message() == "'main' has buffers in memory space 'scratchpad', which the device does not have");
  CHECK(refused({}).code() == "none");  // nothing is known of the device
}

namespace {
/// A function on two buffers of 256 bytes, x and y, to which ops are added.
struct on_buffers {
  ir::module m;
  type_id t = m.intern(ir::type::buffer(dtype::f32, {64}));
  function_id f = add("main", ir::function_kind::graph, 2);
  ir::builder<> b{m, m[f].body};
  value_id x = m[m[f].body].arguments[0], y = m[m[f].body].arguments[1];

  function_id add(const char* name, ir::function_kind kind, size_t arguments) {
    return m.add_function(name, kind, std::vector(arguments, t));
  }
  template <class Op>
  value_id make(const Op& op, const std::vector<value_id>& operands, ir::builder<>* where = nullptr) {
    const type_id one[] = {t};
    return m.result((where ? *where : b).make_op(op, operands, one));
  }
  value_id alloc(ir::builder<>* where = nullptr) { return make(op::alloc{}, {}, where); }
  void copy(value_id from, value_id to, ir::builder<>* where = nullptr) {
    (where ? *where : b).make_op(op::copy_buffer{}, std::vector{from, to}, {});
  }
  /// Where the buffers are, of a phase with these ops besides.
  template <class... Ops>
  std::vector<i64> planned() {
    b.make_op(op::return_{}, {}, {});
    context cx;
    const auto done = run<passes::plan_memory>(ir_module<extend<phases::lowering, Ops...>>::adopt(std::move(m)), cx);
    fact::memory_planned::check(done.body());
    std::vector<i64> offsets;
    ir::for_each_op(done.body(), ir::function_kind::graph, [&](op_id op) {
      if (const auto* a = done.body().view(op).template get_if<op::alloc>()) offsets.push_back(a->offset);
    });
    return offsets;
  }
};

/// Of a user: its region has buffers of its own, and uses those around it.
struct wide {
  static constexpr fixed_string name = "test.wide";
  static constexpr op_traits traits{.effects = effect_bits::writes, .regions = 1, .max_operands = 0, .results = 0};
  using region_keeps = tenon::effects<effect::allocates>;
};
struct wide_end {
  static constexpr fixed_string name = "test.wide_end";
  static constexpr op_traits traits{.terminator = true, .max_operands = 0, .results = 0};
};
/// The same memory under another name, and that of one of two buffers.
struct same_memory {
  static constexpr fixed_string name = "test.same_memory";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  using aliases = operands<0>;
};
struct either {
  static constexpr fixed_string name = "test.either";
  static constexpr op_traits traits{.min_operands = 3, .max_operands = 3};
  using aliases = operands<1, 2>;
};
}  // namespace

TEST_CASE("a buffer lives as long as regions of users' ops use it; what these keep is left to them") {
  on_buffers g;
  const value_id early = g.alloc(), late = g.alloc();
  g.copy(g.x, early);
  g.copy(g.x, late);  // the last op that names either, but for the region
  ir::builder<> in(g.m, g.m.region(g.b.make_op(wide{}, {}, {}, 1)));
  const value_id own = g.alloc(&in);
  g.copy(early, own, &in);
  g.copy(own, g.y, &in);
  in.make_op(wide_end{}, {}, {});
  CHECK(g.planned<wide, wide_end>() == std::vector<i64>{0, 256, -1});
}

TEST_CASE("a buffer lives as long as what users' ops say shares its memory") {
  on_buffers g;
  const value_id first = g.alloc(), second = g.alloc(), third = g.alloc();
  g.copy(g.x, first);
  g.copy(g.x, second);
  const value_id same = g.make(same_memory{}, {first}), view = g.make(op::view_buffer{}, {second});
  const value_id chosen = g.make(either{}, {g.x, same, view});
  g.copy(g.x, third);  // neither `first` nor `second` is named from here on
  g.copy(third, g.y);
  g.copy(chosen, g.y);
  CHECK(fact::storages_of(g.m, chosen).size() == 2);
  CHECK(!fact::storage_of(g.m, chosen));
  CHECK(fact::storage_of(g.m, same) == g.m[first].definition);
  CHECK(!fact::storage_of(g.m, g.x));
  CHECK(g.planned<same_memory, either>() == std::vector<i64>{0, 256, 512});
}

TEST_CASE("a result does not take the place of a buffer that another operand may be") {
  on_buffers g;
  ir::builder<>(g.m, g.m[g.add("k", ir::function_kind::kernel, 3)].body).make_op(op::return_{}, {}, {});
  const value_id a = g.alloc(), result = g.alloc();
  g.copy(g.x, a);
  g.b.make_op(op::call_dps{{"k"}, 2, {0}}, std::vector{a, g.make(either{}, {g.x, a, g.x}), result}, {});
  g.copy(result, g.y);
  CHECK(g.planned<either>() == std::vector<i64>{0, 256});
}
