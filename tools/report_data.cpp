// What a compilation did, as the report page shows it.
#include "report_data.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include <tenon/ir/walk.hpp>
#include <tenon/judge/pass_desc.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/text/print.hpp>

#include "report_page_text.hpp"

namespace tenon::tool {
namespace {

using json = nlohmann::ordered_json;

std::vector<std::string> names_of(const fact_list& list) {
  std::vector<std::string> names;
  for (const fact_desc* f : list) names.emplace_back(std::string_view(f->name));
  return names;
}
bool has(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// Places by number: a model's names stand in the page once.
class place_table {
 public:
  json numbers(const std::vector<std::string>& places) {
    json list = json::array();
    for (const std::string& p : places) {
      const auto [it, fresh] = number_.try_emplace(p, names.size());
      if (fresh) names.push_back(p);
      list.push_back(it->second);
    }
    return list;
  }
  std::vector<std::string> names;

 private:
  std::unordered_map<std::string, size_t> number_;
};

json graph_json(const graph_picture& g, place_table& places) {
  json nodes = json::array(), edges = json::array();
  for (const graph_picture::node& n : g.nodes)
    nodes.push_back({n.label, std::round(n.column * 100) / 100, n.row, places.numbers(n.places), n.type, n.step, n.io});
  for (const auto& [from, to] : g.edges) edges.push_back(from), edges.push_back(to);
  return {{"name", g.name}, {"phase", g.phase}, {"nodes", std::move(nodes)}, {"edges", std::move(edges)}};
}

json passes_json(const report_watch& w) {
  json list = json::array();
  for (const report_watch::pass& p : w.passes) {
    constexpr size_t most = 500;
    const std::vector<std::string> shown(
        p.changed.begin(), p.changed.begin() + static_cast<std::ptrdiff_t>(std::min(most, p.changed.size())));
    list.push_back({{"name", p.name},
                    {"phase", p.phase},
                    {"ms", p.ms},
                    {"before", p.before},
                    {"after", p.after},
                    {"added", p.added},
                    {"removed", p.removed},
                    {"changed", p.changed.size()},
                    {"nodes", shown}});
  }
  return list;
}

/// Of each fact, what each pass has to do with it: n needs, g gives, b breaks, h it holds behind it.
json facts_json(const report_watch& w) {
  std::vector<std::string> facts;
  for (const report_watch::pass& p : w.passes)
    for (const auto* names : {&p.known, &p.needs, &p.gives, &p.known_behind})
      for (const std::string& f : *names)
        if (!has(facts, f)) facts.push_back(f);
  json list = json::array();
  for (const std::string& f : facts) {
    json kinds = json::array();
    for (const report_watch::pass& p : w.passes) {
      std::string s;
      if (has(p.known, f) && !has(p.known_behind, f)) s += 'b';
      if (has(p.gives, f)) s += 'g';
      if (has(p.needs, f)) s += 'n';
      if (has(p.known_behind, f)) s += 'h';
      kinds.push_back(s);
    }
    list.push_back({{"name", f}, {"passes", std::move(kinds)}});
  }
  return list;
}

json memory_json(const ir::module& m, const std::vector<ir::entry_step>& steps) {
  json buffers = json::array();
  i64 constants = 0;
  std::unordered_map<u32, i64> step_of;
  for (size_t i = 0; i < steps.size(); ++i) step_of[steps[i].op.index] = static_cast<i64>(i);
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
    const ir::op_view v = m.view(op);
    if (const auto* c = v.get_if<op::constant_buffer>()) constants += m[c->value].value.bytes();
    const auto* s = v.get_if<op::slot>();
    if (s == nullptr || s->offset < 0 || !v.result_type().is_static()) return;
    std::set<i64> users;
    const auto follow = [&](const auto& self, value_id value) -> void {
      for (use_id u = m[value].first_use; u; u = m[u].next) {
        const op_id user = m[u].user;
        if (const auto it = step_of.find(user.index); it != step_of.end()) users.insert(it->second);
        else if (m.view(user).is<op::view_buffer>()) self(self, m.result(user));
      }
    };
    follow(follow, v.result());
    if (users.empty()) return;
    buffers.push_back({{"type", print(m, v.result_type())},
                       {"bytes", v.result_type().bytes()},
                       {"offset", s->offset},
                       {"first", *users.begin()},
                       {"last", *users.rbegin()},
                       {"users", users}});
  });
  const std::string note = m.build.memory.buffers.empty()
                               ? ""
                               : fmt::format("{} buffers are placed for the sizes of each run, and not shown",
                                             m.build.memory.buffers.size());
  return {{"bytes", std::max<i64>(m.build.memory.arena().value_or(0), 1)},
          {"steps", steps.size()},
          {"constants", constants},
          {"note", note.empty() && buffers.empty() ? "No buffer is in the arena." : note},
          {"buffers", std::move(buffers)}};
}

void add_work(json& one, const work_total& w, double times) {
  one["flops"] = w.flops * times, one["read"] = w.bytes_read * times, one["written"] = w.bytes_written * times;
  one["exact"] = w.exact;
}

/// Steps as they were compiled, with what they were measured to take; where nothing is known of those, as measured.
json steps_json(const report_parts& p) {
  json list = json::array();
  const double runs = p.profile ? static_cast<double>(p.profile->runs) : 1;
  const auto ms_of = [&](const profile::row& r) { return static_cast<double>(r.nanoseconds) * 1e-6 / runs; };
  if (p.kernels.steps.empty() && p.profile) {
    for (const profile::row& r : p.profile->rows) {
      list.push_back({{"name", r.step.name}, {"kernel", -1}, {"nodes", r.step.sources}, {"ms", ms_of(r)}});
      if (r.has_work) add_work(list.back(), r.work, 1 / runs);
    }
    return list;
  }
  std::unordered_map<std::string, size_t> kernel;
  for (size_t k = 0; k < p.kernels.kernels.size(); ++k) kernel[p.kernels.kernels[k].name] = k;
  const auto same = [](const ir::entry_step& a, const std::string& name, const std::vector<std::string>& sources) {
    return a.name == name && a.sources == sources;
  };
  for (const ir::entry_step& s : p.kernels.steps) {
    const auto k = kernel.find(s.name);
    list.push_back(
        {{"name", s.name}, {"kernel", k == kernel.end() ? json(-1) : json(k->second)}, {"nodes", s.sources}});
    if (s.work.sizes.empty() && !s.work.nodes.empty())
      add_work(list.back(), s.work.evaluate([](const std::string&) { return i64{0}; }), 1);
    if (!p.profile) continue;
    for (const profile::row& r : p.profile->rows) {
      if (!same(s, r.step.name, r.step.sources)) continue;
      const auto alike = std::count_if(p.kernels.steps.begin(), p.kernels.steps.end(),
                                       [&](const ir::entry_step& o) { return same(o, s.name, s.sources); });
      list.back()["ms"] = ms_of(r) / static_cast<double>(alike);
      if (r.has_work) add_work(list.back(), r.work, 1 / static_cast<double>(r.calls));
      break;
    }
  }
  return list;
}

/// As the content of an HTML element: of scripts and of text.
std::string in_script(const json& j) {
  std::string s = j.dump(-1, ' ', false, json::error_handler_t::replace), safe;
  safe.reserve(s.size());
  for (const char c : s) c == '<' ? safe += "\\u003c" : safe += c;
  return safe;
}
std::string in_text(std::string_view text) {
  std::string s;
  for (const char c : text) s += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return s;
}
void replace_mark(std::string& page, std::string_view mark, std::string_view with) {
  const size_t at = page.find(mark);
  if (at != page.npos) page.replace(at, mark.size(), with);
}

}  // namespace

report_watch::census report_watch::count(const ir::module& m) {
  census c;
  for (function_id f : m.functions())
    ir::for_each_op(m, m[f].body, [&](op_id op) {
      const ir::op_view v = m.view(op);
      ++c.ops[std::string(v.name())];
      if (m[f].kind != ir::function_kind::graph || v.info().traits.terminator || v.is<op::constant>()) return;
      u64 shape = std::hash<std::string_view>{}(v.name());
      for (int i = 0; i < v.result_count(); ++i)
        shape = shape * 31 + std::hash<std::string>{}(print(m, v.result_type(i)));
      for (const std::string& place : ir::places_of(m.text(v.location()))) c.places[place] += shape | 1;
    });
  return c;
}

void report_watch::begin(const ir::module& m) {
  last_ = count(m);
  pictures.assign(1, picture_of(m));
  pictures[0].name = "as imported";
}

void report_watch::after(const pass_event& e) {
  if (e.depth != 0 || e.module == nullptr) return;
  const ir::module& m = *e.module;
  census now = count(m);
  pass p;
  p.name = e.pass, p.phase = e.phase, p.ms = e.record->milliseconds;
  for (const auto& [op, n] : last_.ops) p.before += n;
  for (const auto& [op, n] : now.ops) p.after += n;
  p.needs = names_of(e.said.needs()), p.gives = names_of(e.said.gives());
  p.known = e.known(), p.known_behind = e.known_behind();
  std::set<std::string> names;
  for (const census* c : {&last_, &now})
    for (const auto& [name, n] : c->ops) names.insert(name);
  for (const std::string& name : names) {
    const size_t before = last_.ops[name], after = now.ops[name];
    if (after > before) p.added[name] = after - before;
    else if (before > after) p.removed[name] = before - after;
  }
  std::set<std::string> changed;
  for (const auto& [place, sum] : last_.places)
    if (const auto it = now.places.find(place); it == now.places.end() || it->second != sum) changed.insert(place);
  for (const auto& [place, sum] : now.places)
    if (!last_.places.contains(place)) changed.insert(place);
  p.changed.assign(changed.begin(), changed.end());
  last_ = std::move(now);
  passes.push_back(std::move(p));
  // The last picture of each kind is what stays.
  const auto some = [&](const char* op) { return last_.ops.contains(op) && last_.ops[op] != 0; };
  if (some("call_dps") || some("call_native") || m.op_count() == 0) return;
  const char* const kind = some("call_kernel") ? nullptr : some("fused") ? "fused" : "simplified";
  if (kind == nullptr) return;
  if (pictures.back().name != kind) pictures.emplace_back();
  pictures.back() = picture_of(m);
  pictures.back().name = kind, pictures.back().phase = e.phase;
}

nlohmann::ordered_json report_json(report_parts& p) {
  json j = {{"model", p.model}, {"summary", p.summary}, {"note", p.note}};
  std::vector<graph_picture> pictures = p.watch->pictures;
  if (p.built != nullptr) {
    pictures.push_back(picture_of(*p.built, p.kernels.steps));
    pictures.back().name = "kernels", pictures.back().phase = "build";
  }
  place_table places;
  j["graphs"] = json::array();
  for (graph_picture& g : pictures) {
    lay_out(g);
    j["graphs"].push_back(graph_json(g, places));
  }
  j["places"] = places.names;
  j["passes"] = passes_json(*p.watch), j["facts"] = facts_json(*p.watch);
  j["memory"] = p.built != nullptr ? memory_json(*p.built, p.kernels.steps) : json(nullptr);
  j["steps"] = steps_json(p);
  j["kernels"] = json::array();
  for (const kernel_text& k : p.kernels.kernels) j["kernels"].push_back({{"name", k.name}, {"steps", k.steps}});
  j["profile"] = nullptr;
  if (p.profile)
    j["profile"] = {{"runs", p.profile->runs},
                    {"threads", p.profile->threads},
                    {"run_ms", p.profile->run_ms},
                    {"steps_ms", p.profile->steps_ms},
                    {"peaks", {{"gflops", p.profile->peaks.gflops}, {"gbytes_per_second", p.profile->peaks.gbytes}}}};
  return j;
}

std::string report_page(report_parts& p) {
  std::string page(page_html);
  replace_mark(page, "@TITLE@", in_text(p.model));
  replace_mark(page, "@STYLE@", page_css);
  replace_mark(page, "@SCRIPT@", page_js);
  std::string texts;
  for (size_t k = 0; k < p.kernels.kernels.size(); ++k) {
    const kernel_text& t = p.kernels.kernels[k];
    for (const auto& [form, text] : {std::pair{"loops", &t.loops}, {"llvm", &t.llvm}, {"asm", &t.assembly}})
      if (!text->empty())
        texts += fmt::format("<script type=\"application/json\" id=\"{}-{}\">{}</script>\n", form, k, in_script(*text));
  }
  // What comes of the model goes in last: nothing in it is taken for a mark.
  const size_t data = page.find("@DATA@"), at = page.find("@TEXTS@");
  return page.substr(0, data) + in_script(report_json(p)) + page.substr(data + 6, at - data - 6) + texts +
         page.substr(at + 7);
}

}  // namespace tenon::tool
