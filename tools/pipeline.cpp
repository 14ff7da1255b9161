// `tenon targets` and `tenon pipeline`: what there is to compile for, and what is done on the way.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <tenon/session.hpp>

#include "common.hpp"
#include "pass_registry.hpp"

namespace tenon::tool {
namespace {

std::string names_of(const fact_list& list) {
  if (list.all) return "every fact";
  std::string s;
  for (const fact_desc* f : list) s += (s.empty() ? "" : ", ") + std::string(std::string_view(f->name));
  return s.empty() ? "nothing" : s;
}

std::string names_of(const op_set& set) {
  std::string s;
  size_t shown = 0;
  for (const op_key& op : set) {
    if (shown++ == 12) return s + fmt::format(", … ({} ops)", set.size);
    s += (s.empty() ? "" : ", ") + std::string(std::string_view(op.name()));
  }
  return s;
}

std::string kept(const pass_desc& p) {
  if (p.says_breaks) return "all but " + names_of(p.breaks);
  return p.says_keeps ? names_of(p.keeps) : "nothing";
}

void list_passes(const target_entry& t) {
  fmt::print("{:<4}{:<24}{:<30}{:<28}{}\n", "", "pass", "phase", "needs", "gives");
  size_t i = 0;
  for (const pass_desc* p : t.passes) {
    const std::string phase = p->is_transition() ? fmt::format("{} -> {}", std::string_view(p->from->name), std::string_view(p->to->name))
                                                 : std::string(std::string_view(p->to->name));
    fmt::print("{:<4}{:<24}{:<30}{:<28}{}\n", ++i, std::string_view(p->name), phase, p->needs.size ? names_of(p->needs) : "",
               p->gives.size ? names_of(p->gives) : "");
  }
}

/// Mermaid: passes grouped by phase, with the facts that they hand on.
void draw(const target_entry& t) {
  fmt::print("flowchart TB\n");
  const phase_desc* open = nullptr;
  size_t i = 0;
  for (const pass_desc* p : t.passes) {
    const phase_desc* at = p->from;
    if (at != open) {
      if (open) fmt::print("  end\n");
      fmt::print("  subgraph {}\n", std::string_view(at->name));
      open = at;
    }
    fmt::print("    p{}[{}]\n", i++, std::string_view(p->name));
  }
  if (open) fmt::print("  end\n");
  for (size_t k = 0; k + 1 < t.passes.size(); ++k) fmt::print("  p{} --> p{}\n", k, k + 1);
  for (size_t k = 0; k < t.passes.size(); ++k)
    for (const fact_desc* f : t.passes[k]->needs) {
      // The last pass before this one that gives it, if nothing that gives it stands nearer.
      for (size_t g = k; g-- > 0;)
        if (t.passes[g]->gives.contains(f->key)) {
          fmt::print("  p{} -. {} .-> p{}\n", g, std::string_view(f->name), k);
          break;
        }
    }
}

void explain(const target_entry& t, const std::string& name) {
  const pass_entry& entry = find_pass(name);
  const pass_desc& p = *entry.desc;
  fmt::print("{}: ", name);
  if (p.is_transition()) fmt::print("from phase '{}' to '{}'\n", std::string_view(p.from->name), std::string_view(p.to->name));
  else fmt::print("runs in phase '{}'\n", std::string_view(p.to->name));
  fmt::print("needs {}\ngives {}\nkeeps {}\n", names_of(p.needs), names_of(p.gives), kept(p));
  if (p.eliminates.size) fmt::print("eliminates {}\n", names_of(p.eliminates));
  fmt::print("emits {}\n", p.emits_any ? "any op of the phase" : p.emits.size ? names_of(p.emits) : "no op");
  bool found = false;
  for (size_t i = 0; i < t.passes.size(); ++i) {
    if (t.passes[i] != &p && t.passes[i]->key != p.key) continue;
    found = true;
    fmt::print("in the pipeline of '{}' it is pass {} of {}\n", t.name, i + 1, t.passes.size());
    for (const fact_desc* f : p.needs)
      for (size_t g = i; g-- > 0;)
        if (t.passes[g]->gives.contains(f->key)) {
          fmt::print("  '{}' comes from '{}' (pass {})\n", std::string_view(f->name), std::string_view(t.passes[g]->name), g + 1);
          break;
        }
    for (const fact_desc* f : p.gives)
      for (size_t u = i + 1; u < t.passes.size(); ++u)
        if (t.passes[u]->needs.size && t.passes[u]->needs.contains(f->key)) {
          fmt::print("  '{}' is first needed by '{}' (pass {})\n", std::string_view(f->name), std::string_view(t.passes[u]->name), u + 1);
          break;
        }
  }
  if (!found) fmt::print("it is not in the pipeline of '{}'\n", t.name);
}

}  // namespace

void add_targets(CLI::App& app, int& status) {
  CLI::App* sub = app.add_subcommand("targets", "what there is to compile for");
  sub->callback([&status] {
    const std::vector<std::string> linked = registered_targets();
    for (const target_entry& t : built_in_targets()) {
      const bool here = std::find(linked.begin(), linked.end(), t.name) != linked.end();
      fmt::print("{:<14}device {}, {} passes{}\n", t.name, t.device, t.passes.size(), here ? "" : "; not in this build: it needs LLVM");
    }
    status = 0;
  });
}

void add_pipeline(CLI::App& app, int& status) {
  struct options {
    std::string target, pass;
    bool diagram = false;
  };
  auto o = std::make_shared<options>();
  CLI::App* sub = app.add_subcommand("pipeline", "the passes of a target, and what they need and give");
  sub->add_option("TARGET", o->target, "see `tenon targets`")->required();
  sub->add_flag("--diagram", o->diagram, "as a drawing (Mermaid)");
  sub->add_option("--explain", o->pass, "one pass: what it needs, gives, keeps and eliminates, and who it depends on");
  sub->callback([o, &status] {
    const target_entry& t = find_target_entry(o->target);
    if (!o->pass.empty()) explain(t, o->pass);
    else if (o->diagram) draw(t);
    else list_passes(t);
    status = 0;
  });
}

}  // namespace tenon::tool
