/// @file questions.ipp: answers about pipelines, as text.
#pragma once

#include <algorithm>

#include <tenon/core/nearest.hpp>
#include <tenon/judge/questions.hpp>

namespace tenon {
namespace detail {

std::string text(label l) { return std::string(l.data(), l.size()); }
std::string place(const passes_view& passes, size_t i) {
  meta::phrase p;
  p.quoted(passes[i]->name) << " (";
  p.ordinal(i + 1);
  if (const rare_parts& r = passes[i]->more(); r.flag_key) (p << (r.flag_on ? ", when " : ", unless ")).quoted(r.flag);
  p << ")";
  return std::string(p.characters, p.length);
}
bool gives_fact(const pass_desc& p, const fact_desc& f) {
  if (!f.op_set_fact) return p.gives_fact(&f);
  for (const op_key& op : f.absent)
    if (p.eliminates.contains(op.key)) return true;
  return false;
}
bool breaks_fact(const pass_desc& p, const fact_desc& f) {
  if (!f.op_set_fact) return !p.keeps_fact(&f) && !gives_fact(p, f);
  for (const op_key& op : f.absent)
    if (p.emits_any() ? p.to->ops.contains(op.key) : p.emits.contains(op.key)) return true;
  return false;
}
/// Its name, and under which flag it runs.
std::string name_of(const pass_desc& p) {
  const rare_parts& r = p.more();
  return text(p.name) + (r.flag_key ? (r.flag_on ? " when '" : " unless '") + text(r.flag) + "'" : "");
}
bool never_together(const rare_parts& a, const rare_parts& b) {
  return a.flag_key && a.flag_key == b.flag_key && a.flag_on != b.flag_on;
}
/// Whom pass `i` has `f` from: the last pass before it that gives it; where that is optional, those before it too.
std::vector<size_t> givers_before(const passes_view& passes, size_t i, const fact_desc& f) {
  std::vector<size_t> givers;
  for (size_t j = i; j-- > 0;) {
    const rare_parts& giver = passes[j]->more();
    if (!gives_fact(*passes[j], f) || never_together(giver, passes[i]->more())) continue;
    const bool covered =
        std::any_of(givers.begin(), givers.end(), [&](size_t g) { return never_together(passes[g]->more(), giver); });
    givers.insert(givers.begin(), j);
    if (covered || !giver.flag_key || (giver.flag_key == passes[i]->more().flag_key)) break;
  }
  return givers;
}
void say_ops(std::string& s, const op_set& set) {
  std::vector<std::string> names;
  for (const op_key& op : set) names.push_back(text(op.name()));
  std::sort(names.begin(), names.end());
  for (size_t i = 0; i < names.size() && i < 8; ++i) s.append(i ? ", " : "").append(names[i]);
  if (names.size() > 8) s.append(" and ").append(std::to_string(names.size() - 8)).append(" more");
}

/// Effects as bits; all that are types of users are one.
std::string effects_text(unsigned bits) {
  static constexpr const char* names[] = {"reads", "writes", "allocates", "random", "io", "sync", "those of users"};
  if (bits == ~0u) return "any effect";
  std::string s;
  for (size_t i = 0; i < 7; ++i)
    if (bits >> i & 1) s.append(s.empty() ? (i < 6 ? "effect " : "effects, ") : ", ").append(names[i]);
  return s;
}
void say_line(std::string& s, const char* what, const op_set& set, const char* behind = "") {
  s.append("  ").append(what);
  if (set.data == nullptr) s.append("any op");
  else say_ops(s, set);
  s.append(behind).append("\n");
}
/// What a pass says of ops that it finds, and of their effects and regions.
void say_handling(std::string& s, const pass_desc& p) {
  const rare_parts& r = p.more();
  if (r.works_on && r.works_on->size && (!r.patterns || r.patterns->size))
    say_line(s, "works on ", r.patterns ? *r.patterns : *r.works_on, ", of which some must be left");
  for (size_t k = 1; k <= r.pattern_count; ++k)
    say_line(s, "works on ", r.patterns[k], " together, of which all must be left");
  if (r.changes && (!r.changes->data || r.changes->size)) say_line(s, "changes ", *r.changes, " where it stands");
  if (r.treated.size) {
    std::string list;
    for (size_t k = 0; k < r.treated.size; ++k)
      if (const effect_desc* const e = r.treated.data[k];
          std::find(r.treated.data, r.treated.data + k, e) == r.treated.data + k)
        list.append(list.empty() ? "" : ", ").append(text(e->name));
    s.append("  answers for ops with effects " + list + "\n");
  } else if (r.touches_effects && r.copied != ~0u) {
    s.append("  touches ops without effects only\n");
  }
  if (r.copied) s.append("  duplicates or recomputes ops with " + effects_text(r.copied) + "\n");
  if (r.keeps_inside)
    s.append("  leaves ops with " + effects_text(r.keeps_inside) + " in the regions where they stand\n");
  if (r.outside && (!r.outside->data || r.outside->size))
    say_line(s, "never puts ", *r.outside, " into a region that does not allow it");
  if (r.encloses) say_line(s, "makes regions that take in ", *r.encloses);
  if (r.barred && r.barred->ops.size) say_line(s, "may not run where there may be ", r.barred->ops);
}

std::string draw(const passes_view& passes, bool mermaid_form) {
  std::string s = mermaid_form ? "flowchart TB\n" : "digraph pipeline {\n  rankdir=TB;\n  node [shape=box];\n";
  const auto node = [&](size_t i) { return "p" + std::to_string(i + 1); };
  size_t i = 0, box = 0;
  while (i < passes.size()) {  // a box a phase; a transition stands in the phase that it leaves
    const phase_desc* phase = passes[i]->from;
    const std::string title = text(phase->name);
    s.append(mermaid_form ? "  subgraph " + title + "\n"
                          : "  subgraph cluster_" + std::to_string(box++) + " {\n    label=\"" + title + "\";\n");
    for (; i < passes.size() && passes[i]->from == phase; ++i) {
      std::string name = name_of(*passes[i]);
      if (mermaid_form) std::replace(name.begin(), name.end(), '"', '\'');
      s.append("    ").append(node(i));
      s.append(mermaid_form ? "[\"" + name + "\"]\n" : " [label=\"" + name + "\"];\n");
    }
    s.append(mermaid_form ? "  end\n" : "  }\n");
  }
  for (size_t k = 0; k + 1 < passes.size(); ++k)
    s.append("  ")
        .append(node(k))
        .append(mermaid_form ? " --> " : " -> ")
        .append(node(k + 1))
        .append(mermaid_form ? "\n" : ";\n");
  for (size_t k = 0; k < passes.size(); ++k)
    for (const fact_desc* f : passes[k]->needs())
      for (const size_t giver : givers_before(passes, k, *f)) {
        const std::string fact = text(f->name);
        s.append("  ").append(node(giver));
        s.append(mermaid_form ? " -. " + fact + " .-> " + node(k) + "\n"
                              : " -> " + node(k) + " [style=dashed, label=\"" + fact + "\"];\n");
      }
  if (!mermaid_form) s.append("}\n");
  return s;
}
}  // namespace detail

namespace detail {
/// The fewest changes that make `b` of `a`: calls `line(i, j)` for a pass of both, of `a` only (`j` is the size of
/// `b`), or of `b` only. False if there are none.
template <class Line>
bool align(const passes_view& a, const passes_view& b, const Line& line) {
  const size_t n = a.size(), m = b.size();
  std::vector<std::vector<size_t>> common(n + 1, std::vector<size_t>(m + 1));
  const auto same = [&](size_t i, size_t j) {
    const rare_parts &x = a[i]->more(), &y = b[j]->more();
    return a[i]->name == b[j]->name && x.version == y.version && x.flag_key == y.flag_key &&
           (!x.flag_key || x.flag_on == y.flag_on);
  };
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;)
      common[i][j] = same(i, j) ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  for (size_t i = 0, j = 0; i < n || j < m;) {
    const bool both = i < n && j < m && same(i, j);
    const bool remove = !both && i < n && (j == m || common[i + 1][j] >= common[i][j + 1]);
    line(both || remove ? i : n, both || !remove ? j : m);
    if (both || remove) ++i;
    if (both || !remove) ++j;
  }
  return n != m || common[0][0] != n;
}

/// The facts that are known in front of each pass, and at the end, of those that passes name.
std::vector<std::vector<const fact_desc*>> known_along(const passes_view& passes,
                                                       const std::vector<const fact_desc*>& named) {
  std::vector<std::vector<const fact_desc*>> along;
  std::vector<const fact_desc*> known;
  std::vector<u64> present;
  const auto is = [](const auto& list, const auto& x) { return std::find(list.begin(), list.end(), x) != list.end(); };
  const auto note = [&] {
    std::vector<const fact_desc*>& here = along.emplace_back();
    for (const fact_desc* f : named) {
      bool absent = f->op_set_fact;
      for (const op_key& op : f->absent) absent = absent && !is(present, op.key);
      if (absent || is(known, f) || (f->whole && is(known, f->whole))) here.push_back(f);
    }
  };
  for (const pass_desc* p : passes) {
    if (along.empty()) {
      for (const op_key& op : p->from->ops) present.push_back(op.key);
      for (const op_key& op : p->from->added) present.push_back(op.key);
      known.assign(p->from->begins.begin(), p->from->begins.end());
    }
    note();
    const bool optional = p->more().flag_key != 0;
    std::vector<const fact_desc*> behind;
    for (const fact_desc* f : known)
      if (p->keeps_fact(f)) behind.push_back(f);
    for (const fact_desc* f : named)  // of some functions they may outlast those of all
      if (f->whole && is(known, f->whole) && p->keeps_fact(f) && !is(behind, f)) behind.push_back(f);
    for (const fact_desc* f : p->gives())
      if (!optional && !f->op_set_fact && !is(behind, f)) behind.push_back(f);
    known = std::move(behind);
    if (!optional)
      std::erase_if(present, [&](u64 op) {
        return p->eliminates.contains(op) ||
               (p->is_transition() && !p->to->ops.contains(op) && !p->to->added.contains(op));
      });
    for (const op_key& op : p->emits_any() ? p->to->ops : p->emits) present.push_back(op.key);
    if (p->is_transition())
      for (const op_key& op : p->to->early) present.push_back(op.key);
  }
  note();
  return along;
}
}  // namespace detail

std::string diff(const passes_view& a, const passes_view& b) {
  std::string s;
  const bool any = detail::align(a, b, [&](size_t i, size_t j) {
    s.append(j == b.size() ? "- " : i == a.size() ? "+ " : "  ");
    s.append(detail::name_of(i < a.size() ? *a[i] : *b[j])).append("\n");
  });
  return any ? s : std::string();
}

std::string diff_of_facts(const passes_view& a, const passes_view& b) {
  if (a.empty() || b.empty()) return {};
  std::vector<const fact_desc*> named;
  for (const passes_view* passes : {&a, &b})
    for (const pass_desc* p : *passes)
      for (const fact_list& list : {p->needs(), p->gives()})
        for (const fact_desc* f : list)
          if (std::find(named.begin(), named.end(), f) == named.end()) named.push_back(f);
  const auto in_a = detail::known_along(a, named), in_b = detail::known_along(b, named);
  std::string s, last;
  const auto compare = [&](size_t i, size_t j, const std::string& where) {
    std::string lost, gained;
    for (const fact_desc* f : named) {
      const bool before = std::find(in_a[i].begin(), in_a[i].end(), f) != in_a[i].end();
      const bool now = std::find(in_b[j].begin(), in_b[j].end(), f) != in_b[j].end();
      if (before == now) continue;
      std::string& list = before ? lost : gained;
      list.append(list.empty() ? (before ? "lost '" : "gained '") : ", '").append(detail::text(f->name) + "'");
    }
    const std::string change = lost + (lost.empty() || gained.empty() ? "" : ", ") + gained;
    if (change != last) s.append(where + ": " + (change.empty() ? "the same again" : change) + "\n");
    last = change;
  };
  detail::align(a, b, [&](size_t i, size_t j) {
    if (i < a.size() && j < b.size()) compare(i, j, detail::name_of(*a[i]));
  });
  compare(a.size(), b.size(), "at the end");
  return s;
}

std::string explain(const passes_view& passes, std::string_view name) {
  std::string s;
  for (size_t i = 0; i < passes.size(); ++i) {
    const pass_desc& p = *passes[i];
    if (std::string_view(p.name) != name) continue;
    s.append(detail::place(passes, i));
    if (p.is_transition())
      s.append(" takes the module from '" + detail::text(p.from->name) + "' to '" + detail::text(p.to->name) + "'\n");
    else s.append(" runs in '" + detail::text(p.from->name) + "'\n");
    for (const fact_desc* f : p.needs()) {
      const std::vector<size_t> givers = detail::givers_before(passes, i, *f);
      s.append("  needs '" + detail::text(f->name) + "', which ");
      for (size_t k = 0; k < givers.size(); ++k)
        s.append(k == 0 ? "" : k + 1 == givers.size() ? " or " : ", ").append(detail::place(passes, givers[k]));
      s.append(givers.empty() ? "holds from the start\n" : givers.size() == 1 ? " gives\n" : " give\n");
    }
    for (const fact_desc* f : p.gives()) {
      s.append("  gives '" + detail::text(f->name) + "'");
      bool first = true;
      for (size_t j = i + 1; j < passes.size(); ++j) {
        if (detail::never_together(p.more(), passes[j]->more())) continue;
        for (const fact_desc* n : passes[j]->needs())
          if (n == f) s.append(first ? ", which is needed by " : ", ").append(detail::place(passes, j)), first = false;
        if (passes[j]->more().flag_key && passes[j]->more().flag_key != p.more().flag_key) continue;  // it may be off
        if (detail::breaks_fact(*passes[j], *f) || detail::gives_fact(*passes[j], *f)) break;
      }
      s.append(first ? ", which no later pass needs\n" : "\n");
    }
    std::string broken;
    for (const pass_desc* q : passes)
      for (const fact_desc* f : q->gives())
        if (detail::breaks_fact(p, *f) && broken.find("'" + detail::text(f->name) + "'") == std::string::npos)
          broken.append(broken.empty() ? "" : ", ").append("'" + detail::text(f->name) + "'");
    if (!broken.empty()) s.append("  breaks " + broken + "\n");
    const rare_parts& r = p.more();
    if (r.at_most_once) s.append("  may run at most once\n");
    if (r.interval_end) {
      const bool first = detail::is_open_at_first(r);
      s.append(first                   ? "  may not run before "
               : detail::is_endless(r) ? "  may not run after "
                                       : "  may not run between ");
      if (first && !r.interval_ops) s.append("'" + detail::text(r.interval_end_name) + "'");
      else if (r.interval_ops)
        detail::say_ops(s.append(r.interval_of_rewriters ? "any pass that rewrites " : "any pass that emits "),
                        *r.interval_ops);
      else s.append("'" + detail::text(r.interval_begin_name) + "'");
      if (!detail::is_endless(r) && !first)
        s.append(r.interval_ops ? ", and '" : " and '").append(detail::text(r.interval_end_name) + "'");
      s.append("\n");
    }
    if (r.after) s.append("  must run immediately after '" + detail::text(r.after_name) + "'\n");
    if (r.makes) s.append("  makes functions in phase '" + detail::text(r.makes->name) + "', ahead of the module\n");
    if (r.adds_functions && !r.makes) s.append("  adds functions\n");
    if (r.removes_functions) s.append("  removes functions\n");
    if (r.changes_functions) s.append("  changes functions\n");
    if (p.eliminates.size) detail::say_ops(s.append("  eliminates "), p.eliminates), s.append("\n");
    if (p.emits_any()) s.append("  may emit any op of '" + detail::text(p.to->name) + "'\n");
    else if (p.emits.size) detail::say_ops(s.append("  emits "), p.emits), s.append("\n");
    detail::say_handling(s, p);
  }
  if (s.empty()) {
    std::vector<std::string> known;
    for (const pass_desc* p : passes) known.push_back(detail::text(p->name));
    throw usage_error("tenon-E026", "there is no pass '" + std::string(name) + "' in this pipeline", {},
                      nearest(name, known));
  }
  return s;
}

std::string mermaid(const passes_view& passes) { return detail::draw(passes, true); }
std::string dot(const passes_view& passes) { return detail::draw(passes, false); }

}  // namespace tenon
