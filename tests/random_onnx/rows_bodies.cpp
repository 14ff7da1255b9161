// Control flow, whose bodies are random graphs, and sequences and optionals.
#include "builder.hpp"

namespace random_onnx {
namespace {

constexpr const char* any = "fdhlisLISCco 13:b";

/// A body that is being drawn: it sees what is outside, and what it is given.
struct body {
  builder& outer;
  std::shared_ptr<graph> g = std::make_shared<graph>();
  builder inner;
  explicit body(builder& b) : outer(b), inner(b.d, b.opset, b.top, b.specials, b.counter, b.depth + 1) {
    inner.known = b.known;
  }

  std::string takes(tensor t) {
    const std::string name = outer.fresh_name("b");
    inner.known[name] = t;
    g->inputs.push_back({name, std::move(t), {}, false});
    return name;
  }
  void one(const char* op, names inputs) {
    inner.emit_as(op, std::move(inputs));
    if (!inner.commit(*g).empty()) throw skip{};
  }
  /// Makes something that a result can be.
  void fill(int nodes) { add_nodes(inner, *g, nodes, nullptr); }
  /// A result of this type, and shape if one is given: from inside.
  void gives(dtype t, const dims* shape) {
    names found;
    for (const auto& [name, v] : g->produced)
      if (v.type() == t && (!shape || v.shape() == *shape)) found.push_back(name);
    if (!found.empty() && inner.d.chance(85)) {
      g->outputs.push_back(inner.d.of(found));
    } else {
      one("Identity", {shape ? inner.alike(*shape, t) : inner.pick_of(t, 0, 4)});
      g->outputs.push_back(g->nodes.back().outputs[0]);
    }
    // A result twice is not allowed everywhere.
    for (size_t k = 0; k + 1 < g->outputs.size(); ++k)
      if (g->outputs[k] == g->outputs.back()) {
        one("Identity", {g->outputs.back()});
        g->outputs.back() = g->nodes.back().outputs[0];
      }
  }
  void done() {
    for (const input& i : outer.top.inputs) outer.known.emplace(i.name, i.value);
  }
};

void if_(builder& b) {
  const std::string c = b.given(b.integers(dtype::boolean, {}, 0, 1), 80);
  body yes(b);
  yes.fill(static_cast<int>(b.d.in(1, 3)));
  const i64 n = b.d.in(1, 2);
  for (i64 k = 0; k < n; ++k)
    yes.gives(k == 0 && !yes.g->produced.empty() ? yes.g->produced.begin()->second.type() : b.type, nullptr);
  yes.done();
  body no(b);
  no.fill(static_cast<int>(b.d.in(0, 3)));
  for (const std::string& o : yes.g->outputs) {
    const tensor& t = yes.g->produced.at(o);
    no.gives(t.type(), b.opset < 11 || b.d.chance(75) ? &t.shape() : nullptr);
  }
  no.done();
  b.emit_as("If", {c}, {{"then_branch", yes.g}, {"else_branch", no.g}}, static_cast<int>(n));
}

/// What a state becomes: often something of itself.
void next_state(body& in, const std::string& state) {
  const tensor& t = in.inner.at(state);
  const dims shape = t.shape();
  if (t.type() != dtype::boolean && in.outer.d.chance(70) &&
      (in.outer.opset >= 14 || tenon::size_of(t.type()) >= 4 || t.type() == dtype::f16))
    in.one(in.outer.d.of({"Add", "Sub", "Mul"}), {state, in.inner.alike(shape, t.type())});
  in.gives(t.type(), &shape);
}

void loop(builder& b) {
  // What is listed over no iterations has no extents.
  const i64 states = b.d.in(0, 2), trips = b.d.in(states ? 0 : 1, 4);
  const bool stops = b.d.chance(30);
  const std::string most =
      stops && b.d.chance(30) ? "" : b.given(tensor::from<i64>(b.d.chance(70) ? dims{} : dims{1}, {trips}), 50);
  const std::string go =
      states == 0 || b.d.chance(60) ? b.given(b.integers(dtype::boolean, {}, trips == 0 ? 0 : 1, 1), 40) : "";
  names inputs{most, go};
  for (i64 k = 0; k < states; ++k) inputs.push_back(b.pick_of(k ? b.d.of(b.types) : b.type, 0, 3));
  body in(b);
  const std::string step = in.takes(tensor::scalar<i64>(0));
  tensor yes(dtype::boolean, {});
  yes.set_i64(0, 1);
  const std::string condition = in.takes(yes);
  names given;
  for (i64 k = 0; k < states; ++k) given.push_back(in.takes(b.at(inputs[static_cast<size_t>(k) + 2])));
  in.fill(static_cast<int>(b.d.in(1, 3)));
  if (stops) in.one("Less", {step, b.given(tensor::scalar<i64>(b.d.in(0, 3)), 30)});
  else in.one("Identity", {condition});
  in.g->outputs.push_back(in.g->nodes.back().outputs[0]);
  for (const std::string& s : given) next_state(in, s);
  const i64 lists = trips == 0 ? 0 : b.d.in(states ? 0 : 1, 2);
  for (i64 k = 0; k < lists; ++k) in.gives(in.g->produced.begin()->second.type(), nullptr);
  in.done();
  b.emit_as("Loop", inputs, {{"body", in.g}}, static_cast<int>(states + lists));
}

void scan(builder& b) {
  const i64 states = b.d.in(0, 2), lists = b.d.in(1, 2), time = b.d.in(1, 4);
  names inputs;
  for (i64 k = 0; k < states; ++k) inputs.push_back(b.pick(0, 3));
  body in(b);
  dims input_axes, ways, output_axes, output_ways;
  names given;
  for (i64 k = 0; k < states; ++k) given.push_back(in.takes(b.at(inputs[static_cast<size_t>(k)])));
  for (i64 k = 0; k < lists; ++k) {
    const dims slice = b.extents(static_cast<int>(b.d.in(0, 2)), 40);
    const i64 axis = b.d.in(0, static_cast<i64>(slice.size()));
    dims s = slice;
    s.insert(s.begin() + axis, time);
    inputs.push_back(b.alike(s, b.type));
    in.takes(tensor(b.type, slice));
    input_axes.push_back(axis), ways.push_back(b.d.chance(25) ? 1 : 0);
  }
  in.fill(static_cast<int>(b.d.in(1, 3)));
  for (const std::string& s : given) next_state(in, s);
  const i64 outs = b.d.in(states ? 0 : 1, 2);
  for (i64 k = 0; k < outs; ++k) {
    in.gives(b.type, nullptr);
    output_axes.push_back(b.d.chance(70) ? 0 : b.d.in(0, in.g->produced.at(in.g->outputs.back()).rank()));
    output_ways.push_back(b.d.chance(20) ? 1 : 0);
  }
  in.done();
  attrs a{{"body", in.g}, {"num_scan_inputs", lists}, {"scan_input_axes", input_axes}, {"scan_input_directions", ways}};
  if (outs) a.push_back({"scan_output_axes", output_axes}), a.push_back({"scan_output_directions", output_ways});
  b.emit_as("Scan", inputs, a, static_cast<int>(states + outs));
}

/// Until operator set 8: of each of a batch, along its second axis.
void batched_scan(builder& b) {
  const i64 n = b.d.in(1, 2), time = b.d.in(1, 3), states = b.d.in(0, 2), lists = b.d.in(1, 2);
  names inputs{""};
  body in(b);
  names given;
  const auto batched = [&](const dims& s, bool listed) {
    dims r{n};
    if (listed) r.push_back(time);
    r.insert(r.end(), s.begin(), s.end());
    return r;
  };
  for (i64 k = 0; k < states + lists; ++k) {
    const dims s = b.extents(static_cast<int>(b.d.in(1, 2)), 20);
    inputs.push_back(b.alike(batched(s, k >= states), b.type));
    const std::string inner = in.takes(tensor(b.type, s));
    if (k < states) given.push_back(inner);
  }
  dims ways;
  for (i64 k = 0; k < lists; ++k) ways.push_back(b.d.chance(25) ? 1 : 0);
  in.fill(static_cast<int>(b.d.in(1, 3)));
  for (const std::string& s : given) next_state(in, s);
  const i64 outs = b.d.in(states ? 0 : 1, 2);
  for (i64 k = 0; k < outs; ++k) in.gives(b.type, nullptr);
  in.done();
  b.emit_as("Scan", inputs, {{"body", in.g}, {"num_scan_inputs", lists}, {"directions", ways}},
            static_cast<int>(states + outs));
}

/// The body for each item, beside a tensor that is the same for all.
void sequence_map(builder& b) {
  names items{b.pick(1, 3)};
  for (i64 k = b.d.in(0, 2); k > 0; --k) items.push_back(b.alike(b.shape(items[0]), b.type));
  names inputs{b.hide(b.emit_as("SequenceConstruct", items))};
  body in(b);
  const dims s = b.shape(items[0]);
  in.takes(tensor(b.type, s));
  if (b.d.chance(50)) {
    inputs.push_back(b.partner(items[0], b.type));
    in.takes(b.at(inputs.back()));
  }
  in.fill(static_cast<int>(b.d.in(1, 3)));
  in.gives(b.type, nullptr);
  in.done();
  const std::string r = b.hide(b.emit_as("SequenceMap", inputs, {{"body", in.g}}));
  b.emit_as("ConcatFromSequence", {r}, {{"axis", i64{0}}, {"new_axis", i64{1}}});
}
void sequence(builder& b) {
  names items{b.pick(1, 3)};
  for (i64 k = b.d.in(0, 2); k > 0; --k) items.push_back(b.alike(b.shape(items[0]), b.type));
  std::string s = b.hide(b.emit_as("SequenceConstruct", items));
  i64 n = static_cast<i64>(items.size());
  if (b.d.chance(40)) {
    s = b.hide(
        b.emit_as("SequenceInsert", {s, b.alike(b.shape(items[0]), b.type),
                                     b.d.chance(60) ? b.scalar(dtype::i64, static_cast<double>(b.d.in(-n, n))) : ""}));
    ++n;
  }
  if (n > 1 && b.d.chance(40)) {
    s = b.hide(b.emit_as("SequenceErase",
                         {s, b.d.chance(60) ? b.scalar(dtype::i64, static_cast<double>(b.d.in(-n, n - 1))) : ""}));
    --n;
  }
  if (b.d.chance(60)) b.emit_as("SequenceAt", {s, b.scalar(dtype::i64, static_cast<double>(b.d.in(-n, n - 1)))});
  if (b.d.chance(40)) b.emit_as("SequenceLength", {s});
  b.emit_as("ConcatFromSequence", {s}, {{"axis", b.d.in(0, 1)}, {"new_axis", b.d.in(0, 1)}});
}
void split_to_sequence(builder& b) {
  const std::string x = b.pick(1, 3);
  const i64 axis = b.axis_of(x), e = b.shape(x)[static_cast<size_t>((axis + b.rank(x)) % b.rank(x))];
  if (e == 0) throw skip{};
  attrs a{{"axis", axis}};
  std::string s;
  i64 n = e;
  if (b.d.chance(40)) {
    if (b.d.chance(50)) a.push_back({"keepdims", b.d.in(0, 1)});
    s = b.hide(b.emit_as("SplitToSequence", {x}, a));
  } else {
    const i64 each = b.d.in(1, e);
    n = (e + each - 1) / each;
    s = b.hide(b.emit_as("SplitToSequence", {x, b.scalar(dtype::i64, static_cast<double>(each))}, a));
  }
  b.emit_as("SequenceAt", {s, b.scalar(dtype::i64, static_cast<double>(b.d.in(-n, n - 1)))});
  if (b.d.chance(30)) b.emit_as("ConcatFromSequence", {s}, {{"axis", axis}});
}
void optional(builder& b) {
  const std::string x = b.pick(0, 3), o = b.hide(b.emit_as("Optional", {x}));
  b.emit_as("OptionalGetElement", {o});
  if (b.d.chance(50)) b.emit_as("OptionalHasElement", {o});
}

}  // namespace

std::vector<row> body_rows() {
  return {
      {"If If", 7, any, if_},
      {"Loop Loop", 11, any, loop},
      {"Scan Scan", 9, any, scan},
      {"Scan", 8, any, batched_scan, 8},
      {"SequenceMap", 17, any, sequence_map},
      {"SequenceConstruct", 11, any, sequence},
      {"SplitToSequence", 11, any, split_to_sequence},
      {"Optional", 15, any, optional},
  };
}

}  // namespace random_onnx
