// A model that fails, made small: each step is kept if it still does.
#include "reduce.hpp"

#include <algorithm>
#include <set>

#include "reduction.hpp"

namespace random_onnx {
namespace {

/// The first extents of a tensor.
tensor shrunk(const tensor& t, const dims& shape) {
  tensor r(t.type(), shape);
  const auto from = tenon::row_major_strides(t.shape()), to = tenon::row_major_strides(shape);
  for (i64 k = 0; k < r.size(); ++k) {
    i64 at = 0;
    for (size_t d = 0; d < shape.size(); ++d) at += k / to[d] % shape[d] * from[d];
    if (tenon::is_float(t.type())) r.set_f64(k, t.at_f64(at));
    else r.set_i64(k, t.at_i64(at));
  }
  return r;
}

class reducer {
 public:
  reducer(model m, question& q)
      : steps_(std::move(m), [&q](const model& n) { return q.holds(n); }, 400), best_(steps_.best()) {}

  model run() {
    steps_.run({[this] { outputs(); }, [this] { seconds(); }, [this] { cuts(); }, [this] { operands(); },
                [this] { attributes(); }, [this] { names_of_extents(); }, [this] { extents(); }},
               6);
    return best_;
  }

 private:
  bool attempt(model m) {
    if (m.main.outputs.empty()) return false;
    drop_unused(m);
    return steps_.attempt(std::move(m));
  }
  void outputs() {
    // One output alone is what most failures need.
    if (best_.main.outputs.size() > 1)
      for (const std::string& o : names(best_.main.outputs)) {
        model m = best_;
        m.main.outputs = {o};
        if (attempt(std::move(m))) break;
      }
    for (size_t k = 0; k < best_.main.outputs.size() && best_.main.outputs.size() > 1;) {
      model m = best_;
      m.main.outputs.erase(m.main.outputs.begin() + static_cast<std::ptrdiff_t>(k));
      if (!attempt(std::move(m))) ++k;
    }
    // An earlier value may show it, too.
    for (const node& n : std::vector<node>(best_.main.nodes))
      for (const std::string& o : n.outputs) {
        if (!best_.main.produced.count(o) || best_.main.outputs == names{o}) continue;
        model m = best_;
        m.main.outputs = {o};
        if (attempt(std::move(m))) return;
      }
  }
  void seconds() {
    if (best_.second.empty()) return;
    model m = best_;
    m.second.clear();
    if (attempt(std::move(m))) return;
    // The second alone: its values become the first.
    m = best_;
    for (input& i : m.main.inputs)
      if (const auto other = m.second.find(i.name); other != m.second.end()) i.value = other->second;
    m.second.clear();
    attempt(std::move(m));
  }
  /// What a node gives becomes an input.
  void cuts() {
    for (size_t k = best_.main.nodes.size(); k-- > 0;) {
      if (k >= best_.main.nodes.size()) continue;
      model m = best_;
      const node n = m.main.nodes[k];
      m.main.nodes.erase(m.main.nodes.begin() + static_cast<std::ptrdiff_t>(k));
      bool tensors = true;
      for (const std::string& o : n.outputs) {
        const auto found = m.main.produced.find(o);
        if (found == m.main.produced.end()) {
          tensors = false;
          break;
        }
        m.main.inputs.push_back({o, found->second, {}, false});
        m.main.outputs.erase(std::remove(m.main.outputs.begin(), m.main.outputs.end(), o), m.main.outputs.end());
      }
      if (!tensors) continue;
      if (attempt(m)) continue;
      // Its operand in its place, where that is of the same type and shape.
      for (const std::string& i : n.inputs) {
        const tensor* from = value_of(i);
        if (!from || n.outputs.size() != 1 || !best_.main.produced.count(n.outputs[0])) continue;
        const tensor& to = best_.main.produced.at(n.outputs[0]);
        if (from->type() != to.type() || from->shape() != to.shape()) continue;
        model r = best_;
        r.main.nodes.erase(r.main.nodes.begin() + static_cast<std::ptrdiff_t>(k));
        for (node& user : r.main.nodes)
          for (std::string& name : user.inputs)
            if (name == n.outputs[0]) name = i;
        if (std::find(r.main.outputs.begin(), r.main.outputs.end(), n.outputs[0]) != r.main.outputs.end()) continue;
        if (attempt(std::move(r))) break;
      }
    }
  }
  const tensor* value_of(const std::string& name) const {
    if (const auto found = best_.main.produced.find(name); found != best_.main.produced.end()) return &found->second;
    for (const input& i : best_.main.inputs)
      if (i.name == name) return &i.value;
    return nullptr;
  }
  /// Inputs that are numbers known ahead, and operands that are left out or are others.
  void operands() {
    for (size_t k = 0; k < best_.main.inputs.size(); ++k) {
      if (best_.main.inputs[k].initializer) continue;
      model m = best_;
      m.main.inputs[k].initializer = true, m.main.inputs[k].symbols.clear();
      m.second.erase(m.main.inputs[k].name);
      attempt(std::move(m));
    }
    for (size_t n = 0; n < best_.main.nodes.size(); ++n)
      while (n < best_.main.nodes.size() && best_.main.nodes[n].inputs.size() > 1) {
        model m = best_;
        m.main.nodes[n].inputs.pop_back();
        if (!attempt(std::move(m))) break;
      }
  }
  void attributes() {
    for (size_t n = 0; n < best_.main.nodes.size(); ++n)
      for (size_t a = 0; n < best_.main.nodes.size() && a < best_.main.nodes[n].attributes.size();) {
        model m = best_;
        auto& list = m.main.nodes[n].attributes;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(a));
        if (!attempt(std::move(m))) ++a;
      }
  }
  void names_of_extents() {
    for (size_t k = 0; k < best_.main.inputs.size(); ++k) {
      if (best_.main.inputs[k].symbols.empty()) continue;
      if (best_.second.empty()) {
        model m = best_;
        m.main.inputs[k].symbols.clear();
        if (attempt(std::move(m))) continue;
      }
      for (size_t d = 0; k < best_.main.inputs.size() && d < best_.main.inputs[k].symbols.size(); ++d) {
        const std::string symbol = best_.main.inputs[k].symbols[d];
        if (symbol.empty() || !best_.second.empty()) continue;
        model m = best_;
        m.main.inputs[k].symbols[d].clear();
        attempt(std::move(m));
      }
    }
  }
  /// All extents that are equal, at once; then those of one input.
  void extents() {
    if (!best_.second.empty()) return;
    std::set<i64> seen;
    for (const input& i : best_.main.inputs) seen.insert(i.value.shape().begin(), i.value.shape().end());
    for (auto e = seen.rbegin(); e != seen.rend(); ++e)
      for (i64 to : {i64{1}, i64{2}, *e / 2, *e - 1}) {
        if (to < 1 || to >= *e) continue;
        model m = best_;
        for (input& i : m.main.inputs) {
          dims s = i.value.shape();
          std::replace(s.begin(), s.end(), *e, to);
          if (s != i.value.shape()) i.value = shrunk(i.value, s);
        }
        if (attempt(std::move(m))) break;
      }
    for (size_t k = 0; k < best_.main.inputs.size(); ++k)
      for (size_t d = 0; k < best_.main.inputs.size() && d < best_.main.inputs[k].value.shape().size(); ++d)
        for (i64 to : {i64{1}, best_.main.inputs[k].value.shape()[d] / 2}) {
          dims s = best_.main.inputs[k].value.shape();
          if (to < 1 || to >= s[d]) continue;
          s[d] = to;
          model m = best_;
          m.main.inputs[k].value = shrunk(m.main.inputs[k].value, s);
          if (attempt(std::move(m))) break;
        }
  }

  tenon::tool::reduction<model> steps_;
  const model& best_;
};

}  // namespace

void drop_unused(model& m) {
  std::set<std::string> wanted(m.main.outputs.begin(), m.main.outputs.end());
  std::vector<node> kept;
  for (size_t k = m.main.nodes.size(); k-- > 0;) {
    const node& n = m.main.nodes[k];
    if (std::none_of(n.outputs.begin(), n.outputs.end(), [&](const std::string& o) { return wanted.count(o) > 0; }))
      continue;
    for (const std::string& i : taken_from_outside({n})) wanted.insert(i);
    kept.insert(kept.begin(), n);
  }
  m.main.nodes = std::move(kept);
  std::vector<input> inputs;
  for (input& i : m.main.inputs)
    if (wanted.count(i.name)) inputs.push_back(std::move(i));
    else m.second.erase(i.name);
  m.main.inputs = std::move(inputs);
}

model reduced(model m, question& q) { return reducer(std::move(m), q).run(); }

}  // namespace random_onnx
