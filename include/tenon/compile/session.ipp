/// @file session.ipp: definitions of compile/session.hpp.
#pragma once

#include <algorithm>

#include <tenon/compile/model_file.hpp>
#include <tenon/compile/session.hpp>
#include <tenon/core/attempt.hpp>
#include <tenon/core/freed_memory.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/runtime/input_count.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/program_cache.hpp>
#include <tenon/targets/program_maker.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/targets/spec.hpp>

namespace tenon {
namespace detail {

/// Is a value of a type of the signature? Optionals may be there or not.
inline bool fits(const ir::module& m, const ir::type& t, const value& v) {
  if (t.kind == ir::type_kind::optional) return v.is_nothing() || t.parts.empty() || fits(m, m[t.parts.front()], v);
  if (t.kind == ir::type_kind::sequence) {
    if (!v.is_sequence()) return false;
    for (const value& item : v.items())
      if (!t.parts.empty() && !fits(m, m[t.parts.front()], item)) return false;
    return true;
  }
  return v.is_tensor() && v.as_tensor().type() == t.elem;
}

/// May code be made for the value of an input? Integers that may be sizes or axes, and a few floats: the scales of a
/// Resize, the bounds of a Range. What is larger is data.
inline bool is_small(const value& v) {
  if (!v.is_tensor() || v.as_tensor().type() == dtype::string) return false;
  return v.as_tensor().size() <= (is_float(v.as_tensor().type()) ? 64 : 1024);
}

inline std::vector<tensor> tensors_of(std::vector<value> values) {
  std::vector<tensor> r;
  for (value& v : values) {
    if (!v.is_tensor())
      throw error("session.kind", "an output is " + v.describe() + ", not a tensor", {}, "call run_values");
    r.push_back(std::move(v).take_tensor());
  }
  return r;
}

inline const ir::function& entry_of_signature(const ir::module& m) { return m[ir::single_entry(m)]; }

}  // namespace detail

target_spec find_target(std::string_view text) {
  target_spec spec = parse_target(text);
  if (spec.members.empty()) {
    find_entry(spec.name);
    return spec;
  }
  if (spec.name != "composite")
    throw usage_error("target.unknown", "target '" + spec.name + "' has no members", {},
                      "write composite(host,device,...)");
  members_of(spec);
  return spec;
}

session::session(std::unique_ptr<module_source> source, session_options options)
    : source_(std::move(source)), options_(std::move(options)) {
  request_ = {find_target(options_.target),
              detail::checked_thread_count(options_.threads),
              options_.specialize,
              options_.verify_each,
              options_.prepare,
              options_.prepare_user};
  if (options_.threads == 0) options_.threads = request_.threads = threads_of(request_.target);
  const ir::module& m = source_->signature();
  const ir::function& entry = detail::entry_of_signature(m);
  const auto& arguments = m[entry.body].arguments;
  for (size_t i = 0; i < arguments.size(); ++i) inputs_.push_back({ir::input_name(entry, i), m.type_of(arguments[i])});
  outputs_ = entry.result_names;
  told_.assign(inputs_.size(), told::shape);
}

/// Where code asks no extents, there is nothing to gain; a module of static inputs is its own specialization.
bool session::serves_all_sizes() const {
  if (options_.specialize || !request_.target.members.empty()) return false;
  if (find_entry(request_.target.name).extents != extents_asked::known) return false;
  bool any = false;
  for (const input_info& i : inputs_) {
    if (!i.type.is_tensor() || !i.type.ranked) return false;
    any = any || !i.type.is_static();
  }
  return any;
}

namespace detail {

/// What a cache has for a key: code, or that there is no program in one piece. Else it has nothing.
struct cached_code {
  std::unique_ptr<executable> code;
  bool is_none = false;
};
inline constexpr std::string_view no_single_program = "no program in one piece";

inline cached_code look_up(const program_cache& cache, const cache_key& key) {
  const cached_file found = cache.look_up(key);
  if (!found) return {};
  if (found.file->bytes() == no_single_program) return {nullptr, true};
  cached_code opened;
  if (attempt([&] { opened.code = executable_of(open_program(cache.read(key, found))); }))
    cache.forget(key);  // damaged
  return opened;
}
/// Null where it cannot be kept, or is no program in one piece. Throws what is wrong with the module, as compiling
/// without a cache does.
inline std::unique_ptr<executable> compile_and_keep(const program_cache& cache, const cache_key& key,
                                                    const ir::module& m, const target_spec& target, context& cx) {
  bool whole = true;
  try {
    const cached_file kept = cache.keep_file(key, [&](const std::string& path) {
      return whole = save_whole_program(path, ir_module<phases::ingestion>::adopt(ir::module(m)), target, cx);
    });
    if (!whole) cache.keep(key, no_single_program);
    return kept ? executable_of(open_program(cache.read(key, kept))) : nullptr;
  } catch (const file_error&) {
    return nullptr;  // the disk is full, or somebody else's file is there
  }
}

/// All that a session's code follows from but the model.
inline cache_key key_of_session(const session_options& o, const compilation_request& r) {
  cache_key key;
  key.text("session", to_text(r.target)), key.text("threads", std::to_string(r.threads));
  key.text("threads here", std::to_string(thread_count())), key.text("specialize", o.specialize ? "1" : "0");
  return key;
}
/// What a model's file does not say.
inline void add_known(cache_key& key, const known_inputs& known) {
  for (const auto& [name, shape] : known.shapes) key.text("shape", name + shape_text(shape));
  for (const auto& [name, t] : known.values)
    key.text("value", name + t.describe()),
        key.text("elements", {static_cast<const char*>(t.data()), static_cast<size_t>(t.bytes())});
}
inline void add_module(cache_key& key, const ir::module& m) {
  key.text("module", serialize_table(m, label(phases::ingestion::name)));
  std::vector<std::string_view> constants;
  for (size_t i = 0; i < m.constant_count(); ++i)
    if (const tensor& t = m[constant_id(i)].value; t.type() != dtype::string)  // these are in the table
      constants.emplace_back(static_cast<const char*>(t.data()), static_cast<size_t>(t.bytes()));
  key.bytes("constants", constants);
}
/// The key of a model by its files, as they are now; nothing where no file says all of the model.
inline std::optional<cache_key> key_by_file(const module_source& source, cache_key key, const program_cache& cache,
                                            const known_inputs& known) {
  const auto* model = dynamic_cast<const model_file*>(&source);
  const std::string file = model != nullptr && cache.on() ? model->file() : std::string();
  if (file.empty()) return std::nullopt;
  key.model(file, &cache), add_known(key, known);
  if (!key.digest()) return std::nullopt;
  return key;
}
/// Finds code by the model's files, which need not be imported then. Returns the key of what is compiled now, where
/// there is none.
inline cache_key find_by_file(cache_key key, const program_cache& cache, const known_inputs& known, cached_code& found,
                              auto&& serves) {
  found = look_up(cache, key);
  if (found.code && !serves(*found.code)) {
    // It was made for other sizes, which decided what the graph is: where there is other code, it is by these.
    for (const auto& [name, size] : known.likely) key.text("likely", name + " " + std::to_string(size));
    found = look_up(cache, key);
  }
  return key;
}

}  // namespace detail

session::attempt session::compile(std::span<const value> inputs, std::span<const told> known) {
  known_inputs k;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ir::type& t = inputs_[i].type;
    if (known[i] == told::value && detail::is_small(inputs[i]))
      k.values.emplace(inputs_[i].name, inputs[i].as_tensor());
    else if (!t.is_tensor()) continue;
    else if (known[i] != told::nothing) k.shapes.emplace(inputs_[i].name, inputs[i].as_tensor().shape());
    else if (t.ranked && t.shape.size() == inputs[i].as_tensor().shape().size())
      for (size_t d = 0; d < t.shape.size(); ++d)  // what the first inputs say of the sizes that others will have
        if (t.shape[d].is_symbol())
          k.likely.emplace(source_->signature().name(t.shape[d].symbol()), inputs[i].as_tensor().shape()[d]);
  }
  specialization s;
  const auto take_argument = [&](std::string_view name) {  // they come in the order of the inputs
    size_t i = s.arguments.empty() ? 0 : s.arguments.back() + 1;
    while (i < inputs_.size() && inputs_[i].name != name) ++i;
    s.arguments.push_back(i);
  };
  const auto take_arguments = [&](const executable& code) {
    s.arguments.clear();
    for (const port& p : code.native()->inputs()) take_argument(p.name);
  };
  const auto serves = [&](const executable& code) {
    take_arguments(code);
    std::vector<value> given;
    for (size_t i : s.arguments) given.push_back(inputs[i]);
    return !code.refusal(given);
  };
  const bool caches = options_.prepare == nullptr && !options_.verify_each && request_.target.members.empty();
  const program_cache cache({.folder = caches ? options_.cache : std::string()});
  detail::cached_code kept;
  const auto files_now = [&] {
    return detail::key_by_file(*source_, detail::key_of_session(options_, request_), cache, k);
  };
  const std::optional<cache_key> files = files_now();
  std::optional<cache_key> key;
  if (files) key = detail::find_by_file(*files, cache, k, kept, serves);
  sourced_module m;
  if (!kept.code) {
    m = source_->make(k);
    // Files that were exchanged meanwhile are not those of the key.
    if (const auto after = key ? files_now() : files; key && (!after || after->digest() != files->digest()))
      key.reset();
  }
  if (!kept.code && !m.module) return {std::nullopt, std::move(m.needs), std::move(m.why)};
  if (!kept.code && !kept.is_none && cache.on()) {
    if (!key) {
      kept.code = by_cache(*m.module);
    } else {
      context_ = context();
      request_.configure(context_);
      kept.code = detail::compile_and_keep(cache, *key, std::as_const(*m.module).body(), request_.target, context_);
      if (kept.code) ++compilations_;
    }
  }
  if (kept.code) {
    take_arguments(*kept.code);
    s.code = std::move(kept.code);
    m.module.reset();
    return_freed_memory();
    plan_ = {};
    return {std::move(s), {}, {}};
  }
  s.arguments.clear();
  {
    const ir::module& body = std::as_const(*m.module).body();
    const ir::function& entry = detail::entry_of_signature(body);
    for (size_t a = 0; a < body[entry.body].arguments.size(); ++a) take_argument(ir::input_name(entry, a));
  }
  context_ = context();
  request_.configure(context_);
  planned_module p = plan_module(enter(std::move(*m.module), request_.target), request_.target, context_);
  plan_ = p.plan;
  if (p.plan.becomes == compilation_form::open) {
    // With more of these inputs it is whole. Else it is divided, where it can be.
    std::vector<ir::input_need> possible;
    for (const ir::input_need& n : p.plan.needs)
      for (size_t i = 0; i < inputs_.size(); ++i)
        if (inputs_[i].name == n.name && known[i] < (n.value ? told::value : told::shape) &&
            (!n.value || detail::is_small(inputs[i])))
          possible.push_back(n);
    if (!possible.empty()) return {std::nullopt, std::move(possible), p.plan.why->why};
  }
  ++compilations_;
  s.code = make_executable(std::move(p), request_, context_);
  return_freed_memory();
  return {std::move(s), {}, {}};
}

/// Code that was made before for the same module, or is made now and kept. Null where there is no such code, or it
/// cannot be kept. Throws what is wrong with the module, as compiling without a cache does.
std::unique_ptr<executable> session::by_cache(const ir_module<phases::ingestion>& m) {
  const program_cache cache({.folder = options_.cache});
  cache_key key = detail::key_of_session(options_, request_);
  detail::add_module(key, m.body());
  if (!key.digest()) return nullptr;
  detail::cached_code kept = detail::look_up(cache, key);
  if (kept.code || kept.is_none) return std::move(kept.code);
  context_ = context();
  request_.configure(context_);
  kept.code = detail::compile_and_keep(cache, key, m.body(), request_.target, context_);
  if (kept.code) ++compilations_;
  return std::move(kept.code);
}

void session::check(std::span<const value> inputs) const {
  if (inputs.size() != inputs_.size())
    throw detail::wrong_input_count("session.count", "the model", inputs_.size(), inputs.size(),
                                    [&](size_t i) { return inputs_[i].name; });
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!detail::fits(source_->signature(), inputs_[i].type, inputs[i]))
      throw error(
          "session.type",
          "input '" + inputs_[i].name + "' is of " +
              (inputs_[i].type.is_tensor() ? std::string(name_of(inputs_[i].type.elem)) : std::string("another kind")) +
              ", and " + inputs[i].describe() + " was given",
          {},
          inputs_[i].type.is_tensor() ? "give a tensor of " + std::string(name_of(inputs_[i].type.elem))
                                      : "give what session::inputs says of it");
}

/// All shapes, and the values that code is made for.
known_inputs session::given(std::span<const value> inputs) const {
  known_inputs k;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].is_tensor()) continue;
    const tensor& t = inputs[i].as_tensor();
    if (told_[i] == told::value && detail::is_small(inputs[i])) k.values.emplace(inputs_[i].name, t);
    else k.shapes.emplace(inputs_[i].name, t.shape());
  }
  return k;
}

/// Tells the values, or the shapes, of inputs that code needs; false where nothing more can be told.
bool session::tell_more(std::span<const value> inputs, std::span<const ir::input_need> needs) {
  bool more = false;
  for (const ir::input_need& n : needs)
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const told wanted = n.value ? told::value : told::shape;
      if (inputs_[i].name != n.name || told_[i] >= wanted || (n.value && !detail::is_small(inputs[i]))) continue;
      told_[i] = wanted, more = true;
    }
  return more;
}

std::string session::key_of(std::span<const value> inputs) const {
  std::string k;
  for (size_t i = 0; i < inputs.size(); ++i) {
    // Items of sequences do not matter: code is made for what they share.
    const value& v = inputs[i];
    k += (v.is_tensor() ? v.describe() : v.is_sequence() ? "sequence" : "nothing") + ";";
    if (told_[i] == told::value && detail::is_small(v))
      k.append(static_cast<const char*>(v.as_tensor().data()), static_cast<size_t>(v.as_tensor().bytes()));
  }
  return k;
}

session::specialization& session::find(std::span<const value> inputs, bool specialize) {
  const std::lock_guard lock(*mutex_);
  if (!specialize && !tried_for_all_ && serves_all_sizes()) {
    tried_for_all_ = true;
    attempt a = compile(inputs, std::vector<told>(inputs_.size(), told::nothing));
    if (a.made) for_all_ = std::move(a.made);
    else reason_ = a.why->what();  // honest: for each set of shapes then, and the report says which op it was
  }
  if (!specialize && for_all_) return *for_all_;
  for (;;) {
    const std::string k = key_of(inputs);
    if (const auto it = made_.find(k); it != made_.end()) return it->second;
    attempt a = with_size_advice(*source_, given(inputs), request_.target, advice_left_,
                                 [&] { return compile(inputs, told_); });
    if (a.made) return made_.emplace(k, std::move(*a.made)).first->second;
    if (!tell_more(inputs, a.needs)) throw *a.why;
  }
}

int session::compilations() const {
  const std::lock_guard lock(*mutex_);
  int n = compilations_;
  if (for_all_) n += for_all_->code->specialized().count;
  for (const auto& [key, s] : made_) n += s.code->specialized().count;
  return n;
}

void session::note_reason(std::string why) {
  const std::lock_guard lock(*mutex_);
  reason_ = std::move(why);
}

std::string session::reason() const {
  const std::lock_guard lock(*mutex_);
  if (!reason_.empty() || !for_all_) return reason_;
  return for_all_->code->specialized().reason;
}

const executable& session::prepare(std::span<const tensor> inputs) {
  const std::vector<value> values(inputs.begin(), inputs.end());
  check(values);
  return *find(values, false).code;
}

std::vector<value> session::run_with(const specialization& s, std::span<const value> inputs) const {
  std::vector<value> given;
  for (size_t i : s.arguments) given.push_back(inputs[i]);
  const int threads = current_run().threads;
  return s.code->run_values(given, threads > 0 ? threads : options_.threads);
}

std::vector<value> session::run_for_these(const specialization& s, std::span<const value> inputs) const {
  try {
    return run_with(s, inputs);
  } catch (other_sizes& e) {
    if (!e.hint().empty()) throw;
    const std::lock_guard lock(*mutex_);
    e.restate(e.message(), e.where(), size_advice(e, *source_, given(inputs), request_.target, advice_left_));
    throw;
  }
}

std::vector<value> session::run_values(std::span<const value> inputs) {
  check(inputs);
  specialization& s = find(inputs, false);
  if (!for_all_ || &s != &*for_all_) return run_for_these(s, inputs);
  const auto was_refused = [&] {
    if (!any_refused_->load(std::memory_order_relaxed)) return false;  // most sessions are never asked for other sizes
    const std::lock_guard lock(*mutex_);
    return refused_.contains(key_of(inputs));
  };
  if (was_refused()) return run_for_these(find(inputs, true), inputs);
  if (const std::optional<error> why = s.code->refusal(inputs)) {
    note_reason(why->what());  // these sizes are not what the code for all shapes takes for granted
    specialization* alone = nullptr;
    try {
      alone = &find(inputs, true);
    } catch (const rule_error& e) {  // nor are they what the model is for
      throw error(
          why->code(), why->message(), {},
          "for these sizes alone, too, there is no code: " + (e.where().empty() ? "" : e.where() + ": ") + e.message());
    }
    {
      const std::lock_guard lock(*mutex_);
      if (refused_.size() >= 4096) refused_.clear();
      refused_.insert(key_of(inputs));
    }
    any_refused_->store(true, std::memory_order_relaxed);
    return run_for_these(*alone, inputs);
  }
  try {
    return run_with(s, inputs);
  } catch (const other_sizes& e) { note_reason(e.what()); }  // found while it runs, in a branch
  return run_for_these(find(inputs, true), inputs);
}

std::vector<tensor> session::run(std::span<const tensor> inputs) {
  const std::vector<value> values(inputs.begin(), inputs.end());
  return detail::tensors_of(run_values(values));
}

std::vector<tensor> session::run(std::span<const tensor> inputs, const run_options& o) {
  const run_scope scope(o);
  return run(inputs);
}

named_tensors session::run_named(const named_tensors& inputs, const run_options& o) {
  std::vector<std::string> names;
  for (const input_info& i : inputs_) names.push_back(i.name);
  return detail::by_name(outputs_, run(detail::in_order_of(names, inputs), o));
}

}  // namespace tenon
