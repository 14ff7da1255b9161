// A whole model at random: its nodes, its outputs, and which extents only a run knows.
#include <algorithm>

#include <tenon/importers/onnx/registry.hpp>

#include "builder.hpp"

namespace random_onnx {
namespace {

/// Names for extents. Equal extents mostly share one, as in models that people write.
void name_extents(draw& d, model& m) {
  if (d.chance(35)) return;
  const bool share = d.chance(75);
  const int percent = d.of({30, 70, 100});
  std::map<i64, bool> named;  // one decision for equal extents, where they share
  int number = 0;
  for (input& i : m.main.inputs) {
    if (i.initializer || i.fixed) continue;
    i.symbols.resize(static_cast<size_t>(i.value.rank()));
    for (size_t k = 0; k < i.symbols.size(); ++k) {
      const i64 e = i.value.shape()[k];
      if (share) {
        if (!named.count(e)) named[e] = d.chance(percent) && (e > 1 || d.chance(15));
        if (named[e]) i.symbols[k] = "n" + std::to_string(e);
      } else if (d.chance(percent)) {
        i.symbols[k] = d.chance(30) ? "?" : "s" + std::to_string(number++);
      }
    }
  }
}

/// Other extents for the names, and inputs of them: what a program for all sizes must serve too. Whether the model
/// takes them is found when it runs.
void draw_second(draw& d, builder& b, model& m) {
  std::map<std::string, i64> sizes;
  names all;
  for (const input& i : m.main.inputs)
    for (size_t k = 0; k < i.symbols.size(); ++k)
      if (!i.symbols[k].empty() && i.symbols[k] != "?" && sizes.emplace(i.symbols[k], i.value.shape()[k]).second)
        all.push_back(i.symbols[k]);
  if (all.empty()) return;
  for (const std::string& s : all)
    if (all.size() == 1 || d.chance(50)) sizes[s] = d.of<i64>({0, 1, 2, 3, 5, sizes[s] + 1, 2 * sizes[s], 17});
  for (const input& i : m.main.inputs) {
    if (i.initializer) continue;
    dims s = i.value.shape();
    i64 elements = 1;
    for (size_t k = 0; k < i.symbols.size(); ++k)
      if (sizes.count(i.symbols[k])) s[k] = sizes[i.symbols[k]];
    for (i64 e : s) elements *= e;
    if (elements > 20000) return void(m.second.clear());
    // Positions and sizes are what they were: others need not be valid.
    m.second[i.name] = s == i.value.shape() ? i.value : b.numbers(i.value.type(), s);
  }
}

}  // namespace

model random_model(u64 seed, std::vector<refusal>* refused, const std::string& only, int nodes) {
  draw d(seed);
  model m;
  const auto [first, last] = versions_of(only);
  m.opset = d.in(std::max<i64>(7, first), std::min(last, tenon::importers::onnx::newest_opset));
  int counter = 0;
  builder b(d, m.opset, m.main, d.chance(15), counter, 0);
  if (!only.empty()) add_nodes(b, m.main, 1, refused, only);
  const int more = static_cast<int>(d.chance(30) ? d.in(1, 2) : d.in(2, 12));
  add_nodes(b, m.main, std::min(more, nodes) - (only.empty() ? 0 : 1), refused);
  // Outputs: what nobody takes, and some of the rest.
  const names taken = taken_from_outside(m.main.nodes);
  std::set<std::string> used;
  for (const node& n : m.main.nodes) {
    for (const std::string& i : n.inputs) used.insert(i);
    for (const std::string& i : taken_from_outside({n})) used.insert(i);
  }
  for (const node& n : m.main.nodes)
    for (const std::string& o : n.outputs)
      if (m.main.produced.count(o) && n.op != "Constant" && (!used.count(o) || d.chance(15)))
        m.main.outputs.push_back(o);
  if (m.main.outputs.empty() && !m.main.produced.empty()) m.main.outputs.push_back(m.main.produced.begin()->first);
  // Inputs that a node which was left out would have taken are gone; those that a body did not take may be left.
  std::vector<input> inputs;
  const std::set<std::string> wanted(taken.begin(), taken.end());
  for (input& i : m.main.inputs)
    if (wanted.count(i.name)) inputs.push_back(std::move(i));
  m.main.inputs = std::move(inputs);
  name_extents(d, m);
  draw_second(d, b, m);
  return m;
}

}  // namespace random_onnx
