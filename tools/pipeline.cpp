// `tenon targets` and `tenon pipeline`: the targets there are, and the passes of each.
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/compile/session.hpp>
#include <tenon/judge/fingerprint.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/json.hpp>
#include <tenon/targets/registry.hpp>

#include "common.hpp"
#include "pass_registry.hpp"
#include "words.hpp"

namespace tenon::tool {
namespace {

std::string comma_separated(const fact_list& list) {
  std::string s;
  for (const fact_desc* f : list) s += (s.empty() ? "" : ", ") + std::string(std::string_view(f->name));
  return s;
}

nlohmann::ordered_json as_json(const fact_list& list) {
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const fact_desc* f : list) names.push_back(std::string_view(f->name));
  return names;
}

std::string fingerprint_of(const target_passes& t, const std::optional<order>& written) {
  return fingerprint_text(written ? written->fingerprint() : tenon::fingerprint_of(t.passes.data(), t.passes.size()));
}

nlohmann::ordered_json pipeline_as_json(const target_passes& t) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const pass_desc* p : t.passes)
    list.push_back({{"name", std::string_view(p->name)},
                    {"from", std::string_view(p->from->name)},
                    {"to", std::string_view(p->to->name)},
                    {"needs", as_json(p->needs())},
                    {"gives", as_json(p->gives())}});
  return list;
}

/// Numbers begin behind `i`, the passes that ran before.
void list_passes(const passes_view& passes, size_t i = 0) {
  fmt::print("{:<4}{:<28}{:<28}{:<32}{}\n", "", "pass", "phase", "needs", "gives");
  for (const pass_desc* p : passes) {
    const std::string phase =
        p->is_transition() ? fmt::format("{} -> {}", std::string_view(p->from->name), std::string_view(p->to->name))
                           : std::string(std::string_view(p->to->name));
    fmt::print("{:<4}{:<28}{:<28}{:<32}{}\n", ++i, std::string_view(p->name), phase, comma_separated(p->needs()),
               comma_separated(p->gives()));
  }
}

/// What members share runs once, on the whole module; then each part runs the rest of its member's passes.
void list_composite(const target_spec& spec) {
  const std::vector<linked_member> members = members_of(spec);
  const size_t shared = common_prefix(members);
  const auto slice = [](const passes_view& all, size_t from, size_t to) {
    return passes_view(all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(to));
  };
  fmt::print("once, on the whole module:\n");
  list_passes(slice(members.front().entry->passes, 0, shared));
  for (const linked_member& m : members) {
    fmt::print("then for {}:\n", to_text(m.spec));
    if (m.spec.members.empty()) list_passes(slice(m.entry->passes, shared, m.entry->passes.size()), shared);
    else list_composite(m.spec);
  }
}

/// The pipeline of a target with its options, which are checked. A composite has one for each member.
target_passes passes_of(const std::string& text) {
  const target_spec spec = parse_target(text);
  if (!spec.members.empty())
    throw usage_error(
        "target.members", "'" + text + "' is several targets, and each has a pipeline of its own", {},
        "ask for one, " + std::string(spec.members.front().name) + ", or see all: tenon pipeline '" + text + "'");
  const target_passes t = find_target_passes(text);
  if (!spec.options.empty()) check_target(text);
  return t;
}

void show_diff(const target_passes& a, const target_passes& b) {
  const std::string text = diff(a.passes, b.passes);
  if (text.find("\n-") == text.npos && text.find("\n+") == text.npos && text[0] != '-' && text[0] != '+')
    fmt::print("the pipelines of '{}' and '{}' are the same: {} passes\n", a.name, b.name, a.passes.size());
  else fmt::print("{}{}", text, diff_of_facts(a.passes, b.passes));
}

/// A fact: who gives, needs and breaks it. False if no pass names it.
bool explain_fact(const target_passes& t, std::string_view name) {
  std::string gives, needs, breaks;
  const fact_desc* fact = nullptr;
  for (const pass_desc* p : t.passes)
    for (const fact_list& list : {p->needs(), p->gives()})
      for (const fact_desc* f : list)
        if (std::string_view(f->name) == name) fact = f;
  if (fact == nullptr) return false;
  size_t i = 0;
  for (const pass_desc* p : t.passes) {
    const auto add = [&, here = ++i](std::string& to) {
      to += fmt::format("{}'{}' ({})", to.empty() ? "" : ", ", std::string_view(p->name), here);
    };
    if (p->gives().contains(fact)) add(gives);
    else if (!fact->op_set_fact && !p->keeps_fact(fact)) add(breaks);
    if (p->needs().contains(fact)) add(needs);
  }
  fmt::print("'{}' is a fact{}\n", name, fact->op_set_fact ? ", which follows from the ops that may be there" : "");
  for (const auto& [what, who] : {std::pair{"given by", gives}, {"needed by", needs}, {"broken by", breaks}})
    if (!who.empty()) fmt::print("  {} {}\n", what, who);
  return true;
}
nlohmann::ordered_json targets_as_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const target_entry* e : registered_entries()) {
    nlohmann::ordered_json options = nlohmann::ordered_json::array();
    for (const option_info& i : e->options)
      options.push_back({{"name", i.name}, {"kind", i.kind}, {"initially", i.initial}});
    list.push_back({{"name", e->name},
                    {"device", e->device},
                    {"passes", e->passes.size()},
                    {"code", e->format},
                    {"called_by", e->abi},
                    {"run_by", e->runtime},
                    {"options", options}});
  }
  return list;
}

void explain_name(const target_passes& t, const std::string& name) {
  if (!explain_fact(t, name)) fmt::print("{}", explain(t.passes, name));
}

}  // namespace

void add_targets(CLI::App& app, int& status) {
  struct options {
    std::string target;
    words talk;
  };
  auto o = std::make_shared<options>();
  CLI::App* sub = app.add_subcommand("targets", "list the targets, with their options and tags");
  sub->add_option("TARGET", o->target, "one target, as --target takes it: what it stands for");
  add_words(*sub, o->talk, "print names only");
  sub->callback([o, &status] {
    status = 0;
    if (!o->target.empty()) {
      check_target(o->target);
      const target_spec spec = parse_target(o->target);
      fmt::print("{}\n", o->talk.json ? to_json(spec) : to_text(spec));
      return;
    }
    if (o->talk.json) {
      o->talk.document = targets_as_json();
      return o->talk.finish();
    }
    if (o->talk.quiet) {
      for (const target_entry* e : registered_entries()) fmt::print("{}\n", e->name);
      return;
    }
    for (const target_entry* e : registered_entries()) {
      fmt::print("{:<14}device {}, {} passes, code {}, called by {}, run by {}\n", e->name, e->device, e->passes.size(),
                 e->format, e->abi, e->runtime);
      for (const option_info& i : e->options)
        fmt::print("    {:<13} {}{}\n", i.name, i.kind, i.initial.empty() ? "" : ", initially " + i.initial);
    }
    for (const target_passes& t : targets_without_code())
      fmt::print("{:<14}device {}, {} passes; not in this build: it needs LLVM\n", t.name, t.device, t.passes.size());
#if !__has_include(<xsimd/xsimd.hpp>)
    fmt::print("{:<14}not in this build: it needs the headers of xsimd\n", "xsimd");
#endif
    fmt::print(
        "{:<14}several of these: composite(cpu,interpreter), or with names: composite(cpu,second@cpu:threads=2)\n",
        "composite");
    fmt::print("tags:\n");
    for (const target_tag& t : target_tags()) fmt::print("    {:<18}{:<50} {}\n", t.name, t.target, t.meaning);
  });
}

void add_pipeline(CLI::App& app, int& status) {
  struct options {
    std::string target, pass, diagram, passes;
    std::vector<std::string> others;
    bool fingerprint = false;
    words talk;
  };
  auto o = std::make_shared<options>();
  CLI::App* sub = app.add_subcommand("pipeline", "show the passes of a target, and what they need and give");
  sub->add_option("TARGET", o->target, "see `tenon targets`");
  // A drawing is of the first kind if none is named; what follows may be TARGET.
  sub->add_option("--diagram", o->diagram, "as a drawing: mermaid, if not said, or dot")
      ->expected(0, 1)
      ->default_str("mermaid");
  sub->add_option("--explain", o->pass,
                  "a pass: who gives what it needs, who uses what it gives, what it breaks; a fact: who gives, needs "
                  "and breaks it")
      ->excludes("--diagram");
  sub->add_option("--diff", o->others, "another target, or two: what is in one pipeline only")
      ->expected(1, 2)
      ->excludes("--diagram", "--explain");
  sub->add_option("--passes", o->passes, "the passes of this order, in place of a target's: as `tenon opt` takes it")
      ->excludes("--diff");
  sub->add_flag("--fingerprint", o->fingerprint, "the fingerprint that a module built by this pipeline notes")
      ->excludes("--diagram", "--explain", "--diff");
  add_words(*sub, o->talk, "print the names of the passes only");
  sub->get_option("--json")->excludes("--diagram", "--explain", "--diff");
  sub->footer(R"x(Examples:
  tenon pipeline cpu                        its passes, with what each needs and gives
  tenon pipeline cpu --explain fuse         one pass among the others
  tenon pipeline cpu --explain shapes_known one fact: who gives, needs and breaks it
  tenon pipeline --diff cpu xsimd           two targets side by side
  tenon pipeline 'composite(cpu,n@xsimd)'   what runs once for both, and what for each
  tenon pipeline --passes "lift_lambdas, infer_shapes, repeat(simplify, eliminate_dead)"
  tenon pipeline cpu --diagram dot | dot -Tsvg > cpu.svg)x");
  sub->callback([o, &status, sub] {
    if (o->target.empty() && sub->count("--diagram") != 0 && o->diagram != "mermaid" && o->diagram != "dot")
      o->target = std::exchange(o->diagram, "mermaid");
    if (o->others.size() == 2 && !o->target.empty())
      throw CLI::ValidationError("--diff", "compares two targets, and here are three");
    if (o->others.size() == 2) o->target = o->others.front();
    if (!o->target.empty() && !o->passes.empty())
      throw CLI::ValidationError("--passes", "stands in place of TARGET, and here are both");
    if (o->target.empty() && o->passes.empty()) throw CLI::RequiredError("TARGET");
    if (sub->count("--diagram") != 0 && o->diagram != "mermaid" && o->diagram != "dot")
      throw CLI::ValidationError("--diagram", "draws mermaid or dot, not '" + o->diagram + "'");
    const bool plain = sub->count("--explain") == 0 && o->others.empty() && o->diagram.empty() && !o->fingerprint &&
                       !o->talk.json && !o->talk.quiet;
    if (plain && !o->target.empty() && !parse_target(o->target).members.empty()) {
      check_target(o->target);
      list_composite(parse_target(o->target));
      status = 0;
      return;
    }
    target_passes t;
    std::optional<order> written;
    if (o->passes.empty()) {
      t = passes_of(o->target);
    } else {
      written = order::parse(o->passes, known_passes());
      t.name = "these passes";
      for (size_t i = 0; i < written->size(); ++i) t.passes.push_back(&(*written)[i]);
    }
    if (sub->count("--explain") != 0) explain_name(t, o->pass);
    else if (!o->others.empty()) show_diff(t, passes_of(o->others.back()));
    else if (o->diagram == "mermaid") fmt::print("{}", mermaid(t.passes));
    else if (o->diagram == "dot") fmt::print("{}", dot(t.passes));
    else if (o->talk.json) {
      o->talk.document = {
          {"pipeline", t.name}, {"fingerprint", fingerprint_of(t, written)}, {"passes", pipeline_as_json(t)}};
      o->talk.finish();
    } else if (o->fingerprint) fmt::print("{}\n", fingerprint_of(t, written));
    else if (o->talk.quiet)
      for (const pass_desc* p : t.passes) fmt::print("{}\n", std::string_view(p->name));
    else list_passes(t.passes);
    status = 0;
  });
}

}  // namespace tenon::tool
