// @file cpu_session.cpp: the target `cpu` for sessions: a module becomes native code in this process, whole when its
// shapes are known, else in regions that the host calls.
#include <tenon/compile/session.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/passes/host_side.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/host_cpu.hpp>
#include <tenon/targets/host_program.hpp>
#include <tenon/targets/registry.hpp>

namespace tenon {
namespace {

template <class A, class B>
inline constexpr bool begins_with = false;
template <class... As, class... Bs>
inline constexpr bool begins_with<pass_list<As...>, pass_list<Bs...>> = [] {
  const u64 whole[] = {meta::type_key<As>...}, beginning[] = {meta::type_key<Bs>...};
  bool same = sizeof...(Bs) <= sizeof...(As);
  for (size_t i = 0; same && i < sizeof...(Bs); ++i) same = whole[i] == beginning[i];
  return same;
}();
static_assert(begins_with<targets::cpu::pipeline::passes, targets::cpu_graph::pipeline::passes>,
              "a static module goes on in cpu's pipeline where cpu_graph's ends");

/// Says in a context what the session's target, with its options, is to make code for.
void configure(const session_options& o, context& cx) {
  entry_of<targets::cpu>().configure(parse_target(o.target), o.threads, cx);
}

/// One function of a module for operands of given shapes, through the pipeline of `targets::cpu`.
class cpu_region_compiler final : public region_compiler {
 public:
  explicit cpu_region_compiler(session_options o) : options_(std::move(o)) {}
  program compile(const ir::module& host, function_id region, std::span<const tensor> operands) override {
    return code_of(region_module(host, region, operands));
  }
  program compile_for_all(const ir::module& host, function_id region) override {
    if (options_.specialize) throw error("session.specialize", "code for each set of shapes was asked for");
    return code_of(region_module(host, region));
  }

 private:
  program code_of(ir::module m) const {
    context cx;
    if (options_.prepare) options_.prepare(cx, options_.prepare_user);
    cx.verify_each = options_.verify_each;
    configure(options_, cx);
    return load(build<targets::cpu>(ir_module<phases::optimization>::adopt(std::move(m)), cx));
  }

  session_options options_;
};

bool is_static(const ir::module& m) {
  try {
    fact::static_shapes::check(m);
    return true;
  } catch (const error&) { return false; }
}

bool has_symbolic_inputs(const ir::module& m) {
  for (function_id f : m.functions())
    if (m[f].entry)
      for (value_id v : m[m[f].body].arguments)
        if (m.type_of(v).is_tensor() && m.type_of(v).ranked && !m.type_of(v).is_static()) return true;
  return false;
}

/// Some ops have no kernels whatever their shapes.
bool has_kernels(const ir::module& m) {
  passes::host_side sides(m);
  bool all = true;
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
    const ir::op_view v = m.view(op);
    all = all && (v.is<op::constant>() || v.is<op::return_>() || sides.has_kernels(op));
  });
  return all;
}

/// All of it has kernels, and its shapes follow from the inputs' extents: the whole of it is one program.
bool is_whole(const ir::module& m) {
  if (!has_symbolic_inputs(m)) return is_static(m) && has_kernels(m);
  context cx;
  const auto needed = run<passes::eliminate_dead>(ir_module<phases::optimization>::adopt(ir::module(m)), cx);
  try {
    fact::extents_known::check(needed.body());
  } catch (const error&) { return false; }
  return has_kernels(needed.body());
}

std::unique_ptr<executable> compile_for_cpu(ir_module<phases::ingestion>&& m, const session_options& o, context& cx) {
  configure(o, cx);
  auto graph = build<targets::cpu_graph>(std::move(m), cx);
  if (is_whole(graph.body())) {
    auto code = targets::native_runtime::load(build<targets::cpu>(std::move(graph), cx).body());
    // Also left in the context, for those who want to know its size or its arena.
    cx.set(program(*code->native()));
    return code;
  }
  auto split = run<passes::outline_regions>(run<passes::eliminate_dead>(std::move(graph), cx), cx);
  return std::make_unique<hosted>(std::make_unique<host_program>(std::move(std::move(split).edit().body()),
                                                                 std::make_unique<cpu_region_compiler>(o)));
}

}  // namespace

bundle build_host_bundle(ir::module split, context& configured) {
  struct maker {
    context* whole;
    static std::string make(const ir::module& host, function_id region, const void* self) {
      context* whole = static_cast<const maker*>(self)->whole;
      context cx(whole);
      cx.verify_each = whole->verify_each;
      return program_file(
          build<targets::cpu>(ir_module<phases::optimization>::adopt(region_module(host, region)), cx).body());
    }
  };
  const maker m{&configured};
  return host_bundle(std::move(split), configured.target, &maker::make, &m);
}

void targets::register_cpu_target() {
  register_target<cpu>();
  register_target("cpu", &compile_for_cpu);  // sessions may also divide a module between code and host
}

}  // namespace tenon
