// @file cpu_session.cpp: the target `cpu` for sessions: a module becomes native code in this process, whole when its
// shapes are known, else in regions that the host calls.
#include <algorithm>

#include <tenon/ir/dims.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/passes/host_side.hpp>
#include <tenon/session.hpp>
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

class hosted final : public executable {
 public:
  explicit hosted(std::unique_ptr<host_program> p) : program_(std::move(p)) {}
  std::vector<tensor> run(std::span<const tensor> inputs, int threads) const override {
    const std::vector<value> values(inputs.begin(), inputs.end());
    std::vector<tensor> r;
    for (value& v : program_->run(values, threads)) r.push_back(std::move(v).take_tensor());
    return r;
  }
  std::vector<value> run_values(std::span<const value> inputs, int threads) const override {
    return program_->run(inputs, threads);
  }
  specializations specialized() const override {
    const host_program::counts c = program_->counted();
    return {static_cast<int>(c.again), c.for_shapes.empty() ? std::string() : c.for_shapes.front()};
  }

 private:
  std::unique_ptr<host_program> program_;
};

/// One function of a module, through the pipeline of `targets::cpu`.
class cpu_region_compiler final : public region_compiler {
 public:
  explicit cpu_region_compiler(session_options o) : options_(std::move(o)) {}
  program compile_for_all(const ir::module& host, function_id region) override {
    if (options_.specialize) return region_compiler::compile_for_all(host, region);
    ir::module m = alone(host, region);
    // Extents that are equal around the region are one symbol in it; its own code asks whether they are.
    std::vector<std::pair<ir::dim, ir::dim>> symbols;
    int made = 0;
    for (value_id a : m[m[region].body].arguments) {
      ir::type t = m.type_of(a);
      if (!t.is_tensor() || !t.ranked) throw error("passes.dynamic_shape", "the number of dimensions of an operand of '" + m[region].name + "' is not known");
      for (ir::dim& d : t.shape) {
        if (d.is_static()) continue;
        const auto known = std::find_if(symbols.begin(), symbols.end(), [&](const auto& s) { return s.first == d && !d.is_unknown(); });
        const ir::dim mine = known != symbols.end() ? known->second : ir::dim::symbol(m.symbol("s" + std::to_string(made++)));
        if (known == symbols.end()) symbols.emplace_back(d, mine);
        d = mine;
      }
      m.set_type(a, m.intern(t));
    }
    // What was said of the extents around it is inferred anew, with the conditions that it needs.
    m.metadata.erase("conditions");
    ir::for_each_op(m, m[region].body, [&](op_id op) {
      for (value_id r : m.results(op)) {
        ir::type t = m.type_of(r);
        if (!t.is_tensor() || !t.ranked || m.view(op).is<op::constant>()) continue;
        t.shape.assign(t.shape.size(), ir::dim::unknown());
        m.set_type(r, m.intern(t));
      }
    });
    ir::refine_types(m);
    return compiled(std::move(m));
  }
  program compile(const ir::module& host, function_id region, std::span<const tensor> operands) override {
    ir::module m = alone(host, region);
    m.metadata.erase("conditions");
    const std::vector<value_id> arguments = m[m[region].body].arguments;
    for (size_t i = 0; i < arguments.size(); ++i)
      m.set_type(arguments[i], m.intern(ir::type::tensor(operands[i].type(), {operands[i].shape().begin(), operands[i].shape().end()})));
    // Extents around it may be symbols: the pipeline infers them from the operands.
    ir::for_each_op(m, m[region].body, [&](op_id op) {
      for (value_id r : m.results(op)) {
        ir::type t = m.type_of(r);
        if (!t.is_tensor() || !ir::has_symbols(t)) continue;
        for (ir::dim& d : t.shape)
          if (d.is_symbol()) d = ir::dim::unknown();
        m.set_type(r, m.intern(t));
      }
    });
    return compiled(std::move(m));
  }

 private:
  static ir::module alone(const ir::module& host, function_id region) {
    ir::module m = host;
    for (function_id f : m.functions())
      if (f != region) m.erase_function(f);
    m[region].entry = true;
    return m;
  }
  program compiled(ir::module m) {
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
  } catch (const error&) {
    return false;
  }
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
  } catch (const error&) {
    return false;
  }
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
  return std::make_unique<hosted>(
      std::make_unique<host_program>(std::move(std::move(split).edit().body()), std::make_unique<cpu_region_compiler>(o)));
}

}  // namespace

void targets::register_cpu_target() {
  register_target<cpu>();
  register_target("cpu", &compile_for_cpu);  // sessions may also divide a module between code and host
}

}  // namespace tenon
