/// @file host_program.ipp: definitions of targets/host_program.hpp.
#pragma once

#include <algorithm>
#include <optional>
#include <set>

#include <tenon/ir/bind_symbols.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/ir/open_extents.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/runtime/input_count.hpp>
#include <tenon/targets/host_program.hpp>
#include <tenon/text/print.hpp>

namespace tenon {

/// A region for operands of one set of shapes.
struct host_program::variant {
  std::optional<program> code;
  bool failed = false;  ///< no code can be made
  u64 calls = 0, last_call = 0;
};

struct host_program::state {
  struct region {
    std::optional<program> all;     ///< the code for all sizes
    bool asked = false;             ///< for that
    std::set<std::string> refused;  ///< shapes that it cannot serve
    std::map<std::string, variant> variants;
    size_t compiled = 0;
    bool heavy = false;  ///< too expensive to evaluate
  };
  std::mutex mutex;
  std::map<u32, region> regions;
  u64 clock = 0;
  counts counted;
};

/// What serves one call; without a program: the interpreter.
struct host_program::call_code {
  std::optional<program> code;
  bool for_all = false;
};

class host_program::caller final : public function_caller {
 public:
  caller(const host_program& p, int threads) : p_(p), threads_(threads) {}
  std::vector<tensor> call(function_id f, std::span<const tensor> operands) override {
    for (;;) {
      const call_code c = p_.code_for(f, operands);
      if (!c.code) return interpret(p_.module_, p_.module_[f].name, operands);
      const std::optional<error> why = c.for_all ? c.code->refusal(operands) : std::nullopt;
      if (!why) return c.code->run(operands, threads_);
      p_.refuse(f, operands, *why);  // these are not what code for all sizes takes for granted
    }
  }

 private:
  const host_program& p_;
  int threads_;
};

host_program::host_program(ir::module m, std::unique_ptr<region_compiler> compiler, options o)
    : module_(std::move(m)), compiler_(std::move(compiler)), options_(o), state_(std::make_unique<state>()) {
  for (function_id f : module_.functions()) {
    if (module_[f].target.empty()) continue;
    auto& region = state_->regions[f.index];
    ir::for_each_op(module_, module_[f].body, [&](op_id op) {
      region.heavy = region.heavy || module_.view(op).info().traits.fusion.contraction;
    });
  }
}

host_program::~host_program() = default;

namespace detail {
inline std::string shapes_key(std::span<const tensor> operands) {
  std::string key;
  const auto number = [&](i64 n) { key.append(reinterpret_cast<const char*>(&n), sizeof n); };
  for (const tensor& t : operands) {
    number(static_cast<i64>(t.type()) | t.rank() * 256);
    for (const i64 d : t.shape()) number(d);
  }
  return key;
}
}  // namespace detail

void host_program::give(function_id f, const program* code, std::string reason) {
  state::region& region = state_->regions[f.index];
  region.asked = true;
  if (code != nullptr) region.all = *code;
  else state_->counted.not_for_all.push_back(module_[f].name + ": " + reason);
}

void host_program::refuse(function_id f, std::span<const tensor> operands, const error& why) const {
  const std::lock_guard lock(state_->mutex);
  auto& refused = state_->regions[f.index].refused;
  --state_->counted.native;
  if (refused.size() > options_.most) refused.clear();
  refused.insert(detail::shapes_key(operands));
  std::string sentence = module_[f].name + ": " + why.what();
  auto& list = state_->counted.not_for_all;
  if (list.size() < 64 && std::find(list.begin(), list.end(), sentence) == list.end())
    list.push_back(std::move(sentence));
}

/// The code for a call, made if it is worth it.
host_program::call_code host_program::code_for(function_id f, std::span<const tensor> operands) const {
  i64 elements = 0;
  bool some_empty = false;
  for (const tensor& t : operands) elements += t.size(), some_empty = some_empty || t.size() == 0;
  const std::string key = detail::shapes_key(operands);
  const std::lock_guard lock(state_->mutex);
  state::region& region = state_->regions[f.index];
  const auto evaluate = [&] {
    ++state_->counted.evaluated;
    return call_code{};
  };
  const bool little = !region.heavy && elements <= options_.little;
  const bool worth_asking = compiler_ && !(some_empty && little);  // else it would be made for nothing
  if (!region.asked && worth_asking) {
    region.asked = true;
    region_code made = compiler_->compile_for_all(module_, f);
    region.all = std::move(made.code);
    if (region.all) ++state_->counted.compiled, ++state_->counted.for_all;
    else state_->counted.not_for_all.push_back(module_[f].name + ": " + made.why);
  }
  if (region.all && !region.refused.contains(key)) {
    ++state_->counted.native;
    return {region.all, true};
  }
  if (!worth_asking) return evaluate();
  variant& v = region.variants[key];
  ++v.calls;
  v.last_call = ++state_->clock;
  const bool worth = region.compiled < options_.eager || !little || v.calls > 1;
  if (!v.code && !v.failed && worth) {
    region_code made = compiler_->compile(module_, f, operands);
    v.code = std::move(made.code);
    if (v.code) {
      if (region.compiled++ != 0 || region.all) ++state_->counted.again;
      ++state_->counted.compiled;
    } else {  // a kernel may still not exist for these very shapes; its evaluation does
      v.failed = true;
      state_->counted.without_code.push_back(module_[f].name + ": " + made.why);
    }
    if (region.variants.size() > options_.most) {
      auto oldest = region.variants.begin();
      for (auto it = region.variants.begin(); it != region.variants.end(); ++it)
        if (it->second.last_call < oldest->second.last_call) oldest = it;
      region.variants.erase(oldest);
    }
  }
  const auto now = region.variants.find(key);
  if (now == region.variants.end() || !now->second.code) return evaluate();
  ++state_->counted.native;
  return {now->second.code, false};
}

/// Kinds, element types and ranks, the extents that are numbers, and the conditions on those that are symbols: the
/// entry, or its variant, that serves these inputs.
function_id host_program::checked(std::span<const value> inputs) const {
  const function_id f = entry();
  const auto& arguments = module_[module_[f].body].arguments;
  if (inputs.size() != arguments.size())
    throw detail::wrong_input_count("program.count", "the program", arguments.size(), inputs.size(),
                                    [&](size_t i) { return ir::input_name(module_[f], i); });
  std::vector<tensor> given;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ir::type& t = module_.type_of(arguments[i]);
    bool fits = t.is_tensor() ? inputs[i].is_tensor() && inputs[i].as_tensor().type() == t.elem
                              : t.kind == ir::type_kind::optional || inputs[i].is_sequence();
    if (fits && t.is_tensor() && t.ranked) {
      const auto& shape = inputs[i].as_tensor().shape();
      fits = shape.size() == t.shape.size();
      for (size_t d = 0; fits && d < shape.size(); ++d)
        fits = !t.shape[d].is_static() || t.shape[d].extent() == shape[d];
    }
    if (!fits) {
      const auto& names = module_[f].argument_names;
      throw error("program.type",
                  "input '" + (i < names.size() ? names[i] : std::to_string(i)) + "' is " + print(module_, t) +
                      ", and " + inputs[i].describe() + " was given",
                  {}, "give a value of that type and shape, or compile for this one");
    }
    given.push_back(t.is_tensor() ? inputs[i].as_tensor() : tensor());
  }
  if (const auto why = ir::refusal_of(module_, entry(), given)) throw *why;
  return ir::serving(module_, f, given);
}

std::optional<error> host_program::refusal(std::span<const value> inputs) const {
  std::vector<tensor> given;
  for (const value& v : inputs) given.push_back(v.is_tensor() ? v.as_tensor() : tensor());
  return ir::refusal_of(module_, entry(), given);
}

function_id host_program::entry() const { return ir::single_entry(module_); }

std::vector<value> host_program::run(std::span<const value> inputs, int threads) const {
  const function_id f = checked(inputs);
  caller regions(*this, threads);
  return ir::with_open_extents(module_, f, inputs,
                               [&] { return interpret_values(module_, module_[f].name, inputs, {}, &regions); });
}

host_program::counts host_program::counted() const {
  const std::lock_guard lock(state_->mutex);
  return state_->counted;
}

std::vector<tensor> hosted::run(std::span<const tensor> inputs, int threads) const {
  const std::vector<value> values(inputs.begin(), inputs.end());
  std::vector<tensor> r;
  for (value& v : program_->run(values, threads)) r.push_back(std::move(v).take_tensor());
  return r;
}

executable::specializations hosted::specialized() const {
  const host_program::counts c = program_->counted();
  return {static_cast<int>(c.again), c.not_for_all.empty() ? std::string() : c.not_for_all.front()};
}

namespace detail {
/// The region's function alone, as an entry, whose extents are to be inferred anew: with the conditions that the
/// region's own ops need, and not those of the host.
inline ir::module only_region(const ir::module& host, function_id region) {
  ir::module m = host;
  for (function_id f : m.functions())
    if (f != region) m.erase_function(f);
  m[region].entry = true;
  m[region].target.clear();  // it is for whichever target asks for it
  m.conditions.clear();
  ir::forget_extents(m, region);
  return m;
}
}  // namespace detail

ir::module region_module(const ir::module& host, function_id region, std::span<const tensor> operands) {
  ir::module m = detail::only_region(host, region);
  const std::vector<value_id> arguments = m[m[region].body].arguments;
  for (size_t i = 0; i < arguments.size(); ++i)
    m.set_type(arguments[i], m.intern(ir::type::tensor(operands[i].type(),
                                                       {operands[i].shape().begin(), operands[i].shape().end()})));
  return m;
}

std::optional<ir::obstacle> rank_obstacle(const ir::module& host, function_id region) {
  for (value_id v : host[host[region].body].arguments)
    if (!host.type_of(v).is_tensor() || !host.type_of(v).ranked)
      return ir::obstacle{
          ir::obstacle_kind::input_extents,
          region,
          {},
          unsupported_error("passes.dynamic_shape",
                            "the number of dimensions of an operand of '" + host[region].name + "' is not known", {},
                            "say more of the shapes of the inputs")};
  return std::nullopt;
}

ir::module region_module(const ir::module& host, function_id region) {
  ir::module m = detail::only_region(host, region);
  const std::vector<value_id> arguments = m[m[region].body].arguments;
  if (const auto o = rank_obstacle(host, region)) throw o->why;
  // An extent that an argument has by its plain name binds that name. Others that are equal stay equal.
  std::set<std::string> bound;
  for (value_id v : arguments)
    for (ir::dim d : m.type_of(v).shape)
      if (d.is_symbol())
        if (const extent_expr e = ir::expression_of(m, d); e.names().size() == 1 && e.text() == e.names()[0])
          bound.insert(e.text());
  std::map<std::string, ir::dim> renamed;
  size_t count = 0;
  const auto fresh = [&] {
    std::string name;
    do name = "s" + std::to_string(count++);
    while (bound.contains(name));
    return ir::dim::symbol(m.symbol(name));
  };
  for (value_id v : arguments) {
    ir::type t = m.type_of(v);
    for (ir::dim& d : t.shape) {
      if (d.is_static()) continue;
      if (d.is_unknown()) {
        d = fresh();
        continue;
      }
      const extent_expr e = ir::expression_of(m, d);
      bool kept = true;
      for (const std::string& n : e.names()) kept = kept && bound.contains(n);
      if (kept) continue;
      const auto known = renamed.find(e.text());
      d = known != renamed.end() ? known->second : renamed.emplace(e.text(), fresh()).first->second;
    }
    m.set_type(v, m.intern(t));
  }
  return m;
}

}  // namespace tenon
