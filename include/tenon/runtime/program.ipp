/// @file program.ipp: definitions of runtime/program.hpp.
#pragma once

#include <algorithm>
#include <mutex>

#include <tenon/core/error.hpp>
#include <tenon/core/extent_expr.hpp>
#include <tenon/core/extent_names.hpp>
#include <tenon/core/fitting_extents.hpp>
#include <tenon/runtime/arena.hpp>
#include <tenon/runtime/executable.hpp>
#include <tenon/runtime/external_run.hpp>
#include <tenon/runtime/input_count.hpp>
#include <tenon/runtime/loop_division.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/runtime/shared_constant.hpp>
#include <tenon/runtime/threads.hpp>

namespace tenon {

namespace detail {

/// What one set of sizes comes to; kept, since the next call mostly has the same.
struct sized_run {
  std::vector<i64> bound;  ///< the numbers of the named extents
  std::vector<i64> table;  ///< symbols, then offsets of buffers
  std::vector<std::vector<i64>> outputs;
  i64 arena_bytes = 0;
  mutable std::vector<work_total> work;  ///< of the steps; empty until a run is watched, then under the state's mutex
};

/// Binds names to the extents of inputs and evaluates the rest.
class size_plan {
 public:
  explicit size_plan(const program::parts& p) : parts_(p) {
    const program_sizes& s = p.sizes;
    for (const std::string& text : s.symbols) symbols_.push_back(text.empty() ? extent_expr() : read(text));
    for (const auto& b : s.buffers) buffers_.push_back(read(b.bytes));
    for (size_t i = 0; i < p.inputs.size(); ++i)
      for (size_t d = 0; d < p.inputs[i].shape.size(); ++d) {
        if (p.inputs[i].shape[d] >= 0) continue;
        const extent_expr& e = symbols_[symbol(p.inputs[i].shape[d])];
        const auto names = e.names();
        if (names.size() != 1 || e.text() != names[0]) continue;
        bool known = false;
        for (const binding& b : bindings_) known = known || b.name == names[0];
        if (!known) bindings_.push_back({names[0], i, d});
      }
    for (const auto* list : {&symbols_, &buffers_})
      for (const extent_expr& e : *list)
        for (const std::string& n : e.names()) number(n);
    for (const extent_condition& c : s.conditions)
      for (const std::string& n : c.value.names()) number(n);
    for (const port& o : p.outputs)
      for (i64 d : o.shape)
        if (d < 0) symbol(d);
  }

  std::vector<i64> bind(std::span<const tensor> inputs) const {
    std::vector<i64> r;
    for (const binding& b : bindings_) r.push_back(inputs[b.input].shape()[b.dimension]);
    return r;
  }
  /// Do the conditions hold?
  bool serves(std::span<const i64> bound) const {
    const auto lookup = [&](const std::string& n) { return bound[number(n)]; };
    return std::all_of(parts_.sizes.conditions.begin(), parts_.sizes.conditions.end(),
                       [&](const extent_condition& c) { return c.holds(c.value.evaluate(lookup)); });
  }
  /// Inputs have the ports' ranks.
  std::shared_ptr<const sized_run> run(std::vector<i64> bound, std::span<const tensor> inputs) const {
    auto r = std::make_shared<sized_run>();
    r->bound = std::move(bound);
    const auto lookup = [&](const std::string& n) { return r->bound[number(n)]; };
    for (const extent_expr& e : symbols_) r->table.push_back(e.evaluate(lookup));
    for (size_t i = 0; i < inputs.size(); ++i)
      for (size_t d = 0; d < inputs[i].shape().size(); ++d) {
        const i64 formal = parts_.inputs[i].shape[d], given = inputs[i].shape()[d];
        if (formal < 0 && r->table[symbol(formal)] != given) disagree(i, d, given, *r);
      }
    if (!serves(r->bound)) refuse(r->bound, {});
    for (const port& o : parts_.outputs) {
      r->outputs.push_back(o.shape);
      for (i64& d : r->outputs.back())
        if (d < 0) d = std::max<i64>(r->table[symbol(d)], 0);
    }
    std::vector<buffer_life> lives;
    for (size_t i = 0; i < buffers_.size(); ++i)
      lives.push_back({parts_.sizes.buffers[i].first, parts_.sizes.buffers[i].last,
                       std::max<i64>(buffers_[i].evaluate(lookup), 0)});
    const size_t first = r->table.size();
    r->table.resize(first + lives.size());
    r->arena_bytes = parts_.arena_bytes;  // of buffers of other entries, whose sizes are no matter of this one
    if (!lives.empty()) r->arena_bytes = std::max(r->arena_bytes, place_buffers(lives, r->table.data() + first));
    return r;
  }
  /// Says what is wrong with extents that meet none of these conditions, or not the program's own. A session asks again
  /// with every run on sizes that it then serves by other code: what is wrong with the last ones is kept.
  [[noreturn]] void refuse(const std::vector<i64>& bound, std::span<const condition_list> all) const {
    const std::lock_guard lock(mutex_);
    if (refused_ != bound) {
      std::vector<extent_place> places;
      for (size_t i = 0; i < bindings_.size(); ++i)
        places.push_back({bindings_[i].name, parts_.inputs[bindings_[i].input].name, bindings_[i].dimension, bound[i]});
      why_ = all.empty() ? unmet_sentence(parts_.sizes.conditions, places) : unmet_sentence(all, places);
      refused_ = bound;
    }
    throw error("program.condition", why_, {},
                "give such inputs, or compile for these sizes (run --specialize, build --shape)");
  }
  /// What each step does with these sizes.
  std::vector<work_total> work_of(std::span<const i64> bound) const {
    std::vector<work_total> r;
    for (const program_step& s : parts_.steps) {
      const loop_work work = s.work.empty() ? loop_work() : loop_work::parse(s.work, "step '" + s.name + "'");
      r.push_back(work.evaluate([&](const std::string& n) { return bound[number(n)]; }));
    }
    return r;
  }

 private:
  struct binding {
    std::string name;
    size_t input, dimension;
  };
  [[noreturn]] static void fail(std::string m) {
    throw error("program.sizes", std::move(m), {}, "build the program again");
  }
  static extent_expr read(const std::string& text) {
    auto e = extent_expr::parse(text);
    if (!e) fail("'" + text + "' is no expression of extents");
    return *std::move(e);
  }
  size_t symbol(i64 d) const {
    const u64 s = static_cast<u64>(-2 - d);
    if (s >= symbols_.size()) fail("a shape has a symbol that the program does not define");
    return static_cast<size_t>(s);
  }
  size_t number(const std::string& name) const {
    for (size_t i = 0; i < bindings_.size(); ++i)
      if (bindings_[i].name == name) return i;
    fail("no input says what '" + name + "' is");
  }
  [[noreturn]] void disagree(size_t input, size_t dimension, i64 given, const sized_run& r) const {
    const i64 wanted = r.table[symbol(parts_.inputs[input].shape[dimension])];
    std::string who;
    for (const binding& b : bindings_)
      if (parts_.sizes.symbols[symbol(parts_.inputs[input].shape[dimension])] == b.name)
        who = ", which input '" + parts_.inputs[b.input].name + "' says is " + std::to_string(wanted);
    throw error("program.type",
                "dimension " + std::to_string(dimension) + " of input '" + parts_.inputs[input].name + "' is " +
                    std::to_string(given) + ", and must be '" +
                    parts_.sizes.symbols[symbol(parts_.inputs[input].shape[dimension])] +
                    "' = " + std::to_string(wanted) + who,
                {}, "give tensors that agree");
  }

  const program::parts& parts_;
  std::vector<extent_expr> symbols_, buffers_;
  std::vector<binding> bindings_;
  mutable std::mutex mutex_;
  mutable std::vector<i64> refused_;
  mutable std::string why_;
};

/// Code writes an output before it has read all inputs, and several at once.
inline void check_places(std::span<const tensor> inputs, std::span<const tensor> outputs, const program::parts& p) {
  const auto overlap = [](const tensor& a, const tensor& b) {
    const auto x = reinterpret_cast<std::uintptr_t>(a.data()), y = reinterpret_cast<std::uintptr_t>(b.data());
    return a.bytes() != 0 && b.bytes() != 0 &&
           (x < y ? y - x < static_cast<u64>(a.bytes()) : x - y < static_cast<u64>(b.bytes()));
  };
  const auto shared = [&](size_t i, const char* kind, const std::string& other) {
    throw error("program.overlap", "output '" + p.outputs[i].name + "' shares memory with " + kind + " '" + other + "'",
                {}, "give each output memory of its own");
  };
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].is_view() && outputs[i].bytes() != 0)
      throw error("program.read_only",
                  "output '" + p.outputs[i].name + "' is to be written to a tensor " + outputs[i].describe() +
                      " that is read-only",
                  {}, "give a tensor of its own memory, or tensor::borrow yours");
    for (size_t k = 0; k < inputs.size(); ++k)
      if (overlap(outputs[i], inputs[k])) shared(i, "input", p.inputs[k].name);
    for (size_t k = 0; k < i; ++k)
      if (overlap(outputs[i], outputs[k])) shared(i, "output", p.outputs[k].name);
  }
}

}  // namespace detail

namespace detail {

/// Between generated code, which counts its steps, and an observer.
struct step_watch {
  run_observer* to;
  std::span<const program_step> steps;
  std::span<const work_total> work;
  i64 begin = 0;

  static void told(void* state, int64_t number, int32_t done) {
    auto& w = *static_cast<step_watch*>(state);
    const i64 now = steady_now();
    const auto n = static_cast<size_t>(number);
    if (done == 0) return void(w.begin = steady_now());
    if (n >= w.steps.size()) return;
    const bool known = n < w.work.size() && !w.steps[n].work.empty();
    w.to->step_done(w.steps[n], w.begin, now, known ? &w.work[n] : nullptr);
  }
};

}  // namespace detail

struct program::state {
  parts p;
  std::vector<const void*> constants;
  std::unique_ptr<const detail::size_plan> plan;  ///< when shapes are symbols
  /// What serves sizes that this refuses, and what this entry calls the extents by which it does.
  std::vector<std::pair<std::shared_ptr<const state>, extent_names>> variants;
  mutable std::mutex mutex;
  mutable std::vector<tensor> arenas;                                   ///< free ones
  mutable std::vector<std::shared_ptr<const detail::sized_run>> sized;  ///< the last few, the latest first

  mutable detail::loop_divisions divisions;

  mutable std::vector<work_total> work;  ///< of the steps, where shapes are static; empty until a run is watched

  /// Stays where it is as long as the sizes are kept.
  std::span<const work_total> work_for(const detail::sized_run* sizes) const {
    const std::lock_guard lock(mutex);
    std::vector<work_total>& known = sizes != nullptr ? sizes->work : work;
    if (known.empty() && !p.steps.empty()) {
      if (sizes != nullptr) known = plan->work_of(sizes->bound);
      else known = detail::size_plan(p).work_of({});
    }
    return known;
  }

  void check_inputs(std::span<const tensor> given) const {
    if (given.size() != p.inputs.size())
      throw detail::wrong_input_count("program.count", "the program", p.inputs.size(), given.size(),
                                      [&](size_t i) { return p.inputs[i].name; });
    for (size_t i = 0; i < given.size(); ++i) {
      bool fits = given[i].type() == p.inputs[i].type && given[i].shape().size() == p.inputs[i].shape.size();
      for (size_t d = 0; fits && d < given[i].shape().size(); ++d)
        fits = p.inputs[i].shape[d] < 0 || p.inputs[i].shape[d] == given[i].shape()[d];
      if (!fits)
        throw error(
            "program.type",
            "input '" + p.inputs[i].name + "' is " + describe(p.inputs[i]) + ", and " + given[i].describe() +
                " was given",
            {},
            given[i].type() != p.inputs[i].type
                ? "convert its elements to " + std::string(name_of(p.inputs[i].type)) + ", or compile for this one"
                : "give a tensor of that shape, or compile for this one");
    }
  }
  std::string describe(const port& o, const extent_names& names = {}) const {
    std::string s = std::string(name_of(o.type)) + "[";
    for (size_t d = 0; d < o.shape.size(); ++d) {
      if (d != 0) s += ",";
      const size_t k = static_cast<size_t>(-2 - o.shape[d]);
      s += o.shape[d] >= 0 ? std::to_string(o.shape[d]) : k < p.sizes.symbols.size() ? named(k, names) : "?";
    }
    s += "]";
    if (o.ranked) return s;
    std::vector<std::string> all{s};
    for (size_t i = 0; i < p.outputs.size(); ++i)
      for (const auto& [v, of] : variants) {
        if (p.outputs[i].name != o.name) continue;
        if (std::string other = v->describe(v->p.outputs[i], of); std::find(all.begin(), all.end(), other) == all.end())
          all.push_back(other), s += " or " + other;
      }
    return s;
  }
  /// What a symbol is in others' names of the extents.
  std::string named(size_t symbol, const extent_names& names) const {
    const auto e = names.empty() ? std::nullopt : extent_expr::parse(p.sizes.symbols[symbol]);
    const auto other = e ? with_names(*e, names) : std::nullopt;
    return other ? other->text() : p.sizes.symbols[symbol];
  }
  /// Another entry serves sizes that this one refuses.
  void add_variant(std::shared_ptr<const state> v) {
    extent_names names;
    for (size_t i = 0; i < p.inputs.size() && i < v->p.inputs.size(); ++i)
      for (size_t d = 0; d < p.inputs[i].shape.size() && d < v->p.inputs[i].shape.size(); ++d) {
        const i64 own = p.inputs[i].shape[d], other = v->p.inputs[i].shape[d];
        if (own < 0 && other < 0)
          if (auto e = extent_expr::parse(p.sizes.symbols.at(static_cast<size_t>(-2 - own))))
            names.try_emplace(v->p.sizes.symbols.at(static_cast<size_t>(-2 - other)), *std::move(e));
      }
    for (size_t i = 0; i < p.outputs.size() && i < v->p.outputs.size(); ++i)
      p.outputs[i].ranked = p.outputs[i].ranked && p.outputs[i].shape.size() == v->p.outputs[i].shape.size();
    variants.emplace_back(std::move(v), std::move(names));
  }
  /// Neither this entry nor a variant serves them.
  [[noreturn]] void refuse(std::span<const tensor> inputs) const {
    std::vector<condition_list> all(1 + variants.size());
    for (const extent_condition& c : p.sizes.conditions) static_cast<void>(all[0].add(c));
    for (size_t i = 0; i < variants.size(); ++i)
      for (const extent_condition& c : variants[i].first->p.sizes.conditions)
        if (auto e = with_names(c.value, variants[i].second))
          static_cast<void>(all[i + 1].add({*std::move(e), c.kind}));
    plan->refuse(plan->bind(inputs), all);
  }
  /// Do the conditions hold? Shapes are symbols.
  bool serves(std::span<const tensor> inputs) const {
    const std::vector<i64> bound = plan->bind(inputs);
    {
      const std::lock_guard lock(mutex);
      if (std::any_of(sized.begin(), sized.end(), [&](const auto& r) { return r->bound == bound; })) return true;
    }
    return plan->serves(bound);
  }
  /// Null when all shapes are static.
  std::shared_ptr<const detail::sized_run> sizes_for(std::span<const tensor> inputs) const {
    if (!plan) return nullptr;
    std::vector<i64> bound = plan->bind(inputs);
    bool agrees = true;
    {
      const std::lock_guard lock(mutex);
      for (const auto& r : sized)
        if (r->bound == bound) {
          for (size_t i = 0; i < inputs.size(); ++i)
            for (size_t d = 0; d < inputs[i].shape().size(); ++d) {
              const i64 formal = p.inputs[i].shape[d];
              if (formal < 0) agrees = agrees && r->table[static_cast<size_t>(-2 - formal)] == inputs[i].shape()[d];
            }
          if (agrees) return r;
        }
    }
    auto r = plan->run(std::move(bound), inputs);
    const std::lock_guard lock(mutex);
    sized.insert(sized.begin(), r);
    if (sized.size() > 8) sized.pop_back();
    return r;
  }
};

const program::parts& program::description() const { return state_->p; }

program::program(parts p) {
  for (tensor& c : p.constants) c = shared_constant(std::move(c));
  std::vector<parts> all = std::move(p.more);
  all.insert(all.begin(), std::move(p));
  auto states = std::make_shared<std::vector<std::shared_ptr<state>>>();
  for (parts& one : all) {
    auto s = std::make_shared<state>();
    s->p = std::move(one), s->p.more.clear();
    if (!states->empty()) {
      const parts& first = states->front()->p;
      s->p.code = first.code, s->p.constants = first.constants, s->p.code_bytes = first.code_bytes;
      s->p.target = first.target, s->p.fingerprint = first.fingerprint, s->p.external = first.external;
    }
    if (!s->p.sizes.empty()) s->plan = std::make_unique<const detail::size_plan>(s->p);
    for (const tensor& c : s->p.constants) s->constants.push_back(std::as_const(c).data());
    states->push_back(std::move(s));
  }
  for (const auto& general : *states)
    for (const auto& s : *states)
      if (general->plan && s->plan && s != general && s->p.name == general->p.variant_of) s->add_variant(general);
  state_ = states->front(), all_ = std::move(states);
}
program::program(std::shared_ptr<const std::vector<std::shared_ptr<state>>> all, size_t entry)
    : all_(std::move(all)), state_((*all_)[entry]) {}

std::vector<std::string> program::entries() const {
  std::vector<std::string> names{state_->p.name};
  for (const auto& s : *all_)
    if (s != state_ && s->p.variant_of.empty()) names.push_back(s->p.name);
  return names;
}
program program::entry(std::string_view name) const {
  std::string known;
  for (size_t i = 0; i < all_->size(); ++i) {
    if (!(*all_)[i]->p.variant_of.empty()) continue;
    if ((*all_)[i]->p.name == name) return program(all_, i);
    known += (known.empty() ? "'" : ", '") + (*all_)[i]->p.name + "'";
  }
  throw error("program.entry", "the program has no entry '" + std::string(name) + "'", {}, "it has " + known);
}

std::string program::describe(const port& p) const { return state_->describe(p); }

/// The entry where it serves inputs of these sizes; else the first of its variants that does.
const program::state& program::serving(std::span<const tensor> inputs) const {
  state_->check_inputs(inputs);
  if (state_->variants.empty() || state_->serves(inputs)) return *state_;
  for (const auto& [v, names] : state_->variants)
    if (v->serves(inputs)) return *v;
  state_->refuse(inputs);
}

std::vector<std::vector<i64>> program::output_shapes(std::span<const tensor> inputs) const {
  if (const auto sizes = serving(inputs).sizes_for(inputs)) return sizes->outputs;
  std::vector<std::vector<i64>> r;
  for (const port& o : state_->p.outputs) r.push_back(o.shape);
  return r;
}

std::optional<error> program::refusal(std::span<const tensor> inputs) const {
  try {
    serving(inputs).sizes_for(inputs);  // kept for the run that follows
  } catch (const error& e) { return e; }
  return std::nullopt;
}

program::entry_point program::operator[](std::string_view name) const { return entry_point(entry(name)); }

std::vector<tensor> program::run(std::initializer_list<tensor> inputs, int threads) const {
  return run(std::span<const tensor>(inputs.begin(), inputs.size()), threads);
}
std::vector<tensor> program::run(std::span<const tensor> inputs, int threads) const {
  std::vector<tensor> outputs;
  const auto shapes = output_shapes(inputs);
  for (size_t i = 0; i < shapes.size(); ++i) outputs.emplace_back(state_->p.outputs[i].type, shapes[i]);
  run_into(inputs, outputs, threads);
  return outputs;
}

std::vector<tensor> program::run(std::span<const tensor> inputs, const run_options& o) const {
  const run_scope scope(o);
  return run(inputs, o.threads);
}
void program::run_into(std::span<const tensor> inputs, std::span<tensor> outputs, const run_options& o) const {
  const run_scope scope(o);
  run_into(inputs, outputs, o.threads);
}
named_tensors program::run_named(const named_tensors& inputs, const run_options& o) const {
  const auto names_of = [](const std::vector<port>& ports) {
    std::vector<std::string> names;
    for (const port& p : ports) names.push_back(p.name);
    return names;
  };
  const std::vector<tensor> given = detail::in_order_of(names_of(state_->p.inputs), inputs);
  return detail::by_name(names_of(state_->p.outputs), run(given, o));
}

void program::run_into(std::span<const tensor> inputs, std::span<tensor> outputs, int threads) const {
  const state& s = serving(inputs);
  const auto sizes = s.sizes_for(inputs);
  if (outputs.size() != s.p.outputs.size())
    throw error("program.count", "the program has " + std::to_string(s.p.outputs.size()) + " outputs, and " +
                                     std::to_string(outputs.size()) + " were given");
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::vector<i64>& shape = sizes ? sizes->outputs[i] : s.p.outputs[i].shape;
    if (outputs[i].type() != s.p.outputs[i].type || outputs[i].shape() != shape)
      throw error("program.type",
                  "output '" + s.p.outputs[i].name + "' is " + tensor(s.p.outputs[i].type, shape).describe() +
                      ", and " + outputs[i].describe() + " was given",
                  {}, "give a tensor of that type and shape");
  }
  detail::check_places(inputs, outputs, s.p);
  // A tensor without elements may have no storage, but code may look at its first place before it decides not to.
  alignas(64) static unsigned char nothing[64];
  std::vector<void*> in, out;
  for (const tensor& t : inputs) in.push_back(t.bytes() == 0 ? nothing : const_cast<void*>(t.data()));
  for (tensor& t : outputs) out.push_back(t.bytes() == 0 ? nothing : t.data());
  const i64 arena_bytes = sizes ? sizes->arena_bytes : s.p.arena_bytes;
  tensor arena;
  {
    const std::lock_guard lock(s.mutex);
    if (!s.arenas.empty()) {
      arena = std::move(s.arenas.back());
      s.arenas.pop_back();
    }
  }
  if (!arena.defined() || arena.bytes() < arena_bytes) arena = tensor(dtype::u8, {std::max<i64>(arena_bytes, 64)});
  check_stopped();
  tenon_runtime runtime = make_runtime(threads);
  if (sizes) runtime.sizes = sizes->table.data();
  tenon_fault fault{};
  runtime.fault = &fault;
  detail::step_watch watch{current_run_observer(), s.p.steps, {}};
  if (watch.to != nullptr) {
    watch.work = s.work_for(sizes.get());
    runtime.step = &detail::step_watch::told, runtime.step_state = &watch;
  }
  detail::external_run external{.threads = threads, .error = nullptr};
  if (!s.p.external.empty()) runtime.external = s.p.external.data(), runtime.failed = &external.failed;
  {
    detail::divided_run loops(
        s.divisions.of_run(threads, sizes ? std::span<const i64>(sizes->bound) : std::span<const i64>()));
    s.p.entry(in.data(), out.data(), arena.data(), s.constants.data(), &runtime);
    if (current_run().stop == nullptr || !current_run().stop->requested()) loops.complete();
  }
  {
    const std::lock_guard lock(s.mutex);
    s.arenas.push_back(std::move(arena));
  }
  check_stopped();
  if (external.error) std::rethrow_exception(external.error);
  if (fault.what != nullptr)
    throw error("program.out_of_bounds",
                std::string(fault.what) + ": index " + std::to_string(fault.index) + " of dimension " +
                    std::to_string(fault.dimension) + " is outside; the outputs hold nothing of use",
                {}, "correct the module that the program was built from");
}

namespace detail {
class opened_program final : public executable {
 public:
  explicit opened_program(program p) : program_(std::move(p)) {}
  std::vector<tensor> run(std::span<const tensor> inputs, int threads) const override {
    return program_.run(inputs, threads);
  }
  std::optional<error> refusal(std::span<const value> inputs) const override {
    std::vector<tensor> given;
    for (const value& v : inputs) given.push_back(v.as_tensor());
    return program_.refusal(given);
  }
  const program* native() const override { return &program_; }

 private:
  program program_;
};
}  // namespace detail
std::unique_ptr<executable> executable_of(program p) { return std::make_unique<detail::opened_program>(std::move(p)); }

}  // namespace tenon
