// Ways of running a model, and what may differ between them.
#include "oracles.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/proto.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/targets/bundle.hpp>

#include "common.hpp"
#include "modules.hpp"

namespace random_onnx {
namespace {

namespace onnx = tenon::importers::onnx;
namespace fs = std::filesystem;
using tenon::error;

onnx::model decoded(const model& m) {
  const auto bytes = std::make_shared<const std::string>(encode(m));
  return onnx::decode_model(*bytes, bytes, "random.onnx");
}

bool is_unsupported(const error& e) { return dynamic_cast<const tenon::unsupported_error*>(&e) != nullptr; }

/// Half a unit in the last place of 1.
double unit_of(dtype t) {
  return t == dtype::f16 ? 0x1p-11 : t == dtype::bf16 ? 0x1p-8 : t == dtype::f64 ? 0x1p-53 : 0x1p-24;
}

std::string number(const tensor& t, i64 k) {
  return tenon::is_float(t.type()) ? fmt::format("{:.9g}", t.at_f64(k)) : std::to_string(t.at_i64(k));
}

/// Small multiples of a small power of two are what they are, however they were computed.
bool is_exact(double v, dtype t) {
  const double grid = t == dtype::f16 || t == dtype::bf16 ? 8 : 1024,
               most = t == dtype::f16 || t == dtype::bf16 ? 16 : 4096;
  // But for 1, where functions end that come near it.
  return std::fabs(v) <= most && std::fabs(v) != 1 && v * grid == std::nearbyint(v * grid);
}

/// The same computation in the next wider float.
tensor wide(const tensor& t) {
  const bool small = t.type() == dtype::f16 || t.type() == dtype::bf16;
  return t.type() == dtype::f32 ? t.cast(dtype::f64) : small ? t.cast(dtype::f32) : t;
}
void widen(graph& g);
void widen(node& n) {
  for (attr& a : n.attributes) {
    if (auto* t = std::get_if<tensor>(&a.value)) *t = wide(*t);
    if (auto* to = std::get_if<i64>(&a.value); to && a.name == "to")
      *to = *to == 1 ? 11 : *to == 10 || *to == 16 ? 1 : *to;
    if (auto* body = std::get_if<std::shared_ptr<graph>>(&a.value)) {
      *body = std::make_shared<graph>(**body);
      widen(**body);
    }
  }
}
void widen(graph& g) {
  for (input& i : g.inputs) i.value = wide(i.value);
  for (auto& [name, t] : g.produced) t = wide(t);
  for (node& n : g.nodes) widen(n);
}

/// Moves floats by a few units in the last place, and by what the same nodes lost to rounding inside: `exact` has their
/// results in wider floats, if it has them. At least `least` is lost. `averaged`: sums whose weights are rounded, so
/// that nothing is what it is however it was computed.
void move_a_little(tensor& t, const tensor* exact, double least, bool averaged, draw& d) {
  if (!tenon::is_float(t.type())) return;
  t = t.clone();
  for (i64 k = 0; k < t.size(); ++k) {
    const double v = t.at_f64(k);
    if (!std::isfinite(v)) {
      // Between ops a float of 16 bits may be held in f32, and be finite there.
      const bool half = t.type() == dtype::f16 || t.type() == dtype::bf16;
      if (half && exact && k < exact->size() && std::isfinite(exact->at_f64(k)) && d.chance(50))
        t.set_f64(k, std::copysign(t.type() == dtype::f16 ? 65504. : 0x1.fep127, exact->at_f64(k)));
      continue;
    }
    double lost = std::max(least, is_exact(v, t.type()) && !averaged ? 0 : 4 * unit_of(t.type()) * std::fabs(v));
    if (exact && k < exact->size() && std::isfinite(exact->at_f64(k)))
      lost = std::max(lost, std::fabs(exact->at_f64(k) - v));
    if (lost > 0) t.set_f64(k, v + lost * static_cast<double>(d.in(-2, 2)));
  }
}

/// All values of the graph, a node at a time.
values node_by_node(const model& m, size_t set, draw* noise) {
  values v;
  for (const input& i : m.main.inputs) {
    const auto other = m.second.find(i.name);
    v[i.name] = set == 1 && other != m.second.end() ? other->second : i.value;
    // What an algorithm loses inside of a node is as if its inputs had been a few units elsewhere.
    if (noise) move_a_little(v[i.name], nullptr, 0, false, *noise);
  }
  for (size_t from = 0; from < m.main.nodes.size();) {
    // Nodes that hand sequences on are evaluated together.
    size_t to = from + 1;
    std::vector<node> group{m.main.nodes[from]};
    const auto hidden = [&](const node& n) {
      for (const std::string& o : n.outputs)
        if (m.main.produced.count(o)) return false;
      return true;
    };
    while (to < m.main.nodes.size() && hidden(group.back())) group.push_back(m.main.nodes[to++]);
    // What a sequence becomes may come later still: the rest of its users are near.
    names wanted;
    bool open = false;
    for (const node& n : group) open = open || hidden(n);
    if (open)
      while (to < m.main.nodes.size()) {
        bool uses = false;
        for (const std::string& i : m.main.nodes[to].inputs)
          for (const node& n : group)
            for (const std::string& o : n.outputs) uses = uses || (o == i && !m.main.produced.count(o));
        if (!uses) break;
        group.push_back(m.main.nodes[to++]);
      }
    for (const node& n : group)
      for (const std::string& o : n.outputs)
        if (m.main.produced.count(o)) wanted.push_back(o);
    values got = evaluate(group, v, wanted, m.opset), exact;
    if (noise) {
      values more;
      for (const std::string& name : taken_from_outside(group)) more[name] = wide(v.at(name));
      for (node& n : group) widen(n);
      try {
        exact = evaluate(group, more, wanted, m.opset);
      } catch (const error&) {  // types that must be these
      }
    }
    const bool averaged =
        std::any_of(group.begin(), group.end(), [](const node& n) { return n.op.ends_with("Attention"); });
    for (auto& [name, t] : got) {
      const auto found = exact.find(name);
      // Of what a gate lacks to 1, which a GRU multiplies by, the numbers beside 1 hold no more.
      const double least = group.size() == 1 && group[0].op == "GRU" ? 4 * unit_of(t.type()) : 0;
      if (noise) move_a_little(t, found == exact.end() ? nullptr : &found->second, least, averaged, *noise);
      v[name] = std::move(t);
    }
    from = to;
  }
  return v;
}

}  // namespace

std::vector<tensor> inputs_of(const model& m, size_t set) {
  std::vector<tensor> all;
  for (const input& i : m.main.inputs) {
    if (i.initializer) continue;
    const auto other = m.second.find(i.name);
    all.push_back(set == 1 && other != m.second.end() ? other->second : i.value);
  }
  return all;
}

std::vector<way> ways_named(const std::string& list) {
  const way known[] = {{"cpu", "cpu"},
                       {"cpu2", "cpu", 2},
                       {"specialize", "cpu", 1, true},
                       {"file", "cpu", 1, false, true},
                       {"xsimd", "xsimd"},
                       {"xsimd-file", "xsimd", 1, false, true},
                       {"c_source", "c_source"},
                       {"composite", "composite(cpu,xsimd)", 1, false, false, false, true},
                       {"any", "interpreter", 1, false, false, true}};
  std::vector<way> found;
  for (size_t from = 0; from < list.size();) {
    const size_t end = std::min(list.find(',', from), list.size());
    const std::string name = list.substr(from, end - from);
    const size_t before = found.size();
    for (const way& w : known)
      if (w.name == name) found.push_back(w);
    if (found.size() == before)
      throw error("usage", "there is no way '" + name + "' of running a model", {},
                  "cpu, cpu2, specialize, file, xsimd, xsimd-file, c_source, composite, any");
    from = end + 1;
  }
  return found;
}

reference reference_of(const model& m) {
  reference r;
  for (size_t set = 0; set < (m.second.empty() ? 1u : 2u); ++set) {
    try {
      tenon::session s(decoded(m), tenon::session_options{.target = "interpreter"});
      r.sets.push_back(s.run(inputs_of(m, set)));
    } catch (const error& e) {
      if (set == 0) r.failed = e.what(), r.refused = is_unsupported(e);
    }
    if (!r.failed.empty()) break;
  }
  return r;
}

std::vector<tensor> spread_of(const model& m, size_t set, u64 seed) {
  std::vector<tensor> low, high, result;
  bool unknown = false;
  constexpr int times = 6;
  for (int k = 0; k <= times; ++k) {
    draw d(seed * 31 + static_cast<u64>(k));
    try {
      const values v = node_by_node(m, set, k ? &d : nullptr);
      for (size_t o = 0; o < m.main.outputs.size(); ++o) {
        const tensor t = v.at(m.main.outputs[o]);
        if (k == 0) {
          tensor zero(dtype::f64, t.shape());
          result.push_back(zero), low.push_back(t), high.push_back(t);
          continue;
        }
        if (t.shape() != low[o].shape()) {
          unknown = true;
          continue;
        }
        for (i64 i = 0; i < t.size(); ++i) {
          const double a = low[o].at_f64(i), b = t.at_f64(i);
          const bool same = a == b || (std::isnan(a) && std::isnan(b));
          if (same) continue;
          const bool finite = std::isfinite(a) && std::isfinite(b);
          // A number that is no float and changes at all can be any other.
          const double moved = finite && tenon::is_float(t.type()) ? std::fabs(a - b) : std::nan("");
          const double now = result[o].at_f64(i);
          result[o].set_f64(i, std::isnan(now) || std::isnan(moved) ? std::nan("") : std::max(now, moved));
        }
      }
    } catch (const error&) { unknown = true; }
  }
  if (unknown)
    for (tensor& t : result)
      for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, std::nan(""));
  return result;
}

namespace {

/// What differs; `spread` is asked for where something does.
template <class F>
std::string difference(const std::vector<tensor>& got, const std::vector<tensor>& want, const names& outputs,
                       F&& spread) {
  if (got.size() != want.size()) return fmt::format("{} outputs, not {}", got.size(), want.size());
  std::vector<tensor> moves;
  for (size_t o = 0; o < want.size(); ++o) {
    const tensor &a = got[o], &b = want[o];
    if (a.type() != b.type()) return fmt::format("output {} is {}, not {}", outputs[o], a.describe(), b.describe());
    if (a.shape() != b.shape()) {
      if (moves.empty()) moves = spread();
      if (o < moves.size() && moves[o].size() > 0 && std::isnan(moves[o].at_f64(0))) continue;
      return fmt::format("output {} is {}, not {}", outputs[o], a.describe(), b.describe());
    }
    double largest = 0;
    if (tenon::is_float(b.type()))
      for (i64 k = 0; k < b.size(); ++k)
        if (std::isfinite(b.at_f64(k))) largest = std::max(largest, std::fabs(b.at_f64(k)));
    for (i64 k = 0; k < b.size(); ++k) {
      if (!tenon::is_float(b.type())) {
        if (a.at_i64(k) == b.at_i64(k)) continue;
      } else {
        const double x = a.at_f64(k), y = b.at_f64(k);
        if (x == y || (std::isnan(x) && std::isnan(y))) continue;
        const double unit = (b.type() == dtype::f64 ? 4096 : 64) * unit_of(b.type()),
                     size = std::max(std::fabs(y), largest);
        if (std::isfinite(x) && std::isfinite(y) && std::fabs(x - y) <= unit * std::max(size, unit)) continue;
      }
      if (moves.empty()) moves = spread();
      const double move = o < moves.size() && k < moves[o].size() ? moves[o].at_f64(k) : std::nan("");
      if (std::isnan(move)) continue;
      if (tenon::is_float(b.type()) && std::fabs(a.at_f64(k) - b.at_f64(k)) <= 64 * move) continue;
      return fmt::format("output {} {}: element {} is {}, not {} (rounding moves it by {:.2g})", outputs[o],
                         b.describe(), k, number(a, k), number(b, k), move);
    }
  }
  return {};
}

/// Is the difference one of the order of a sum or product, which is open, that no noise of the inputs shows? Of floats
/// whose partial products are too large or too small for their type, though that of all may not be; of integers that
/// are summed in floats, which do not hold them.
bool is_order(const model& m, size_t set, const std::string& how) {
  static const std::set<std::string> products{"ReduceProd", "CumProd"},
      sums{"ReduceLogSum", "ReduceLogSumExp", "ReduceL2"};
  const bool special = how.find("nan") != std::string::npos || how.find("inf") != std::string::npos;
  values v;
  try {
    v = node_by_node(m, set, nullptr);
  } catch (const error&) { return false; }
  const auto leaves_range = [](const tensor& t) {
    double up = 0, down = 0;
    const double most = t.type() == dtype::f64 ? 1022 : 126;
    for (i64 k = 0; k < t.size(); ++k)
      if (const double e = std::log2(std::fabs(t.at_f64(k))); std::isfinite(e)) (e > 0 ? up : down) += e;
    return up > most || down < -most;
  };
  const auto is_large = [](const tensor& t) {
    for (i64 k = 0; k < t.size(); ++k)
      if (std::fabs(t.at_f64(k)) >= 0x1p53) return true;
    return false;
  };
  return std::any_of(m.main.nodes.begin(), m.main.nodes.end(), [&](const node& n) {
    if (n.inputs.empty() || !v.count(n.inputs[0])) return false;
    const tensor& x = v.at(n.inputs[0]);
    return tenon::is_float(x.type()) ? special && products.count(n.op) && leaves_range(x)
                                     : sums.count(n.op) && is_large(x);
  });
}

/// The module, imported for any inputs, in the interpreter.
std::vector<tensor> run_any_shape(const model& m, size_t set) {
  const auto module = onnx::import_model(decoded(m), {});
  std::vector<tenon::value> in;
  for (const tensor& t : inputs_of(m, set)) in.push_back(t);
  std::vector<tensor> all;
  for (tenon::value& v : tenon::interpret_values(module.body(), "main", in)) all.push_back(std::move(v).take_tensor());
  return all;
}

onnx::import_options shapes_of(const model& m, size_t set) {
  onnx::import_options o;
  const std::vector<tensor> given = inputs_of(m, set);
  size_t k = 0;
  for (const input& i : m.main.inputs)
    if (!i.initializer) o.shapes[i.name] = given[k++].shape();
  return o;
}

/// What `tenon build` makes, opened again.
struct written {
  std::unique_ptr<tenon::executable> code;
  std::vector<tensor> run(const model& m, size_t set, const way& w) {
    if (!code || w.target != "cpu") {
      const fs::path file = fs::temp_directory_path() / fmt::format("tenon_random_onnx_{}", getpid());
      const struct remover {
        fs::path file;
        ~remover() { fs::remove(file); }
      } at_end{file};
      tenon::context cx;
      tenon::tool::configure_target(w.target, cx);
      tenon::tool::module_on_its_way module{
          std::make_unique<tenon::ir::module>(std::move(
              onnx::import_model(decoded(m), w.target == "cpu" ? onnx::import_options{} : shapes_of(m, set)).body())),
          "ingestion",
          {}};
      tenon::tool::write_program(file.string(), std::move(module), w.target, cx);
      code = tenon::open_executable(file.string());
    }
    return code->run(inputs_of(m, set), w.threads);
  }
};

/// Every other op on the second member of a composite.
std::vector<tensor> run_mixed(const model& m, size_t set, const way& w) {
  auto module = onnx::import_model(decoded(m), shapes_of(m, set));
  tenon::ir::module body = std::move(module.body());
  size_t k = 0;
  const auto main = body.find_function("main");
  const std::vector<tenon::op_id> ops = body[body[main].body].ops;
  for (tenon::op_id op : ops)
    if (body.view(op).name() != "return" && body[op].region_count == 0 && ++k % 2)
      tenon::ir::constrain(body, op, "xsimd");
  tenon::session s(tenon::ir_module<tenon::phases::ingestion>::adopt(std::move(body)),
                   tenon::session_options{.target = w.target, .threads = w.threads});
  return s.run(inputs_of(m, set));
}

}  // namespace

finding compare_with(const model& m, const reference& r, const way& w) {
  try {
    tenon::session s(decoded(m),
                     tenon::session_options{.target = w.mixed || w.file || w.any_shape ? "interpreter" : w.target,
                                            .threads = w.threads,
                                            .specialize = w.specialize});
    written program;
    for (size_t set = 0; set < r.sets.size(); ++set) {
      const std::vector<tensor> got = w.any_shape ? run_any_shape(m, set)
                                      : w.file    ? program.run(m, set, w)
                                      : w.mixed   ? run_mixed(m, set, w)
                                                  : s.run(inputs_of(m, set));
      const std::string how = difference(got, r.sets[set], m.main.outputs, [&] { return spread_of(m, set, 1); });
      if (!how.empty() && is_order(m, set, how)) return {verdict::refused, "open: the order of a sum or product"};
      if (!how.empty()) return {verdict::wrong, fmt::format("set {}: {}", set, how)};
    }
  } catch (const error& e) {
    // A module for any sizes says on which conditions; sessions ask them, the interpreter alone finds another result.
    const bool known = is_unsupported(e) || (w.any_shape && e.code() == "interpret.result_type") ||
                       ((w.file || w.mixed) && e.code() == "program.condition");
    return {known ? verdict::refused : verdict::wrong, e.code() + ": " + e.what()};
  } catch (const std::exception& e) { return {verdict::wrong, std::string("another exception: ") + e.what()}; }
  return {};
}

finding compare_in_f64(const model& m, const reference& r) {
  // Bytes that were rounded from floats are others in f64; and what overflows in f32 does not.
  for (const node& n : m.main.nodes)
    if (n.op.find("Quantize") != std::string::npos || n.op.find("QLinear") != std::string::npos)
      return {verdict::refused, "rounds: to bytes"};
  for (const auto& [name, t] : m.main.produced)
    if (tenon::is_float(t.type()))
      for (i64 k = 0; k < t.size(); ++k)
        if (!(std::fabs(t.at_f64(k)) < 1e12)) return {verdict::refused, "large: numbers that f32 cannot add to others"};
  model n = m;
  n.second.clear();
  widen(n.main);
  try {
    tenon::session s(decoded(n), tenon::session_options{.target = "interpreter"});
    std::vector<tensor> got = s.run(inputs_of(n, 0)), want = r.sets[0];
    for (size_t k = 0; k < got.size() && k < want.size(); ++k) {
      if (got[k].type() != wide(want[k]).type()) return {verdict::refused, "always f32: an output"};
      if (!tenon::is_float(want[k].type())) got[k] = want[k];
      got[k] = got[k].cast(want[k].type());
    }
    const std::string how = difference(got, want, m.main.outputs, [&] { return spread_of(m, 0, 1); });
    if (!how.empty()) return {verdict::wrong, "in f64: " + how};
  } catch (const error& e) { return {verdict::refused, e.code() + ": " + e.what()}; }
  return {};
}

void refresh(model& m) {
  const values v = node_by_node(m, 0, nullptr);
  for (auto& [name, t] : m.main.produced)
    if (const auto found = v.find(name); found != v.end()) t = found->second;
}

}  // namespace random_onnx
