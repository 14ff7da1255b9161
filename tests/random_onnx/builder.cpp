// Values and nodes at random.
#include "builder.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <sstream>
#include <utility>

#include <tenon/runtime/strings.hpp>

namespace random_onnx {

i64 builder::extent() {
  const i64 k = d.in(0, 99);
  if (k < 3) return 0;
  if (k < 20) return 1;
  if (k < 85) return d.in(2, 6);
  if (k < 96) return d.in(7, 9);
  return d.of({16, 17, 33});
}
dims builder::extents(int rank, i64 most) {
  dims s;
  i64 all = 1;
  for (int k = 0; k < rank; ++k) {
    i64 e = extent();
    if (all * e > most) e = 1;
    all *= e;
    s.push_back(e);
  }
  return s;
}

tensor builder::numbers(dtype t, const dims& shape) {
  tensor r(t, shape);
  const i64 style = d.in(0, 9);
  for (i64 k = 0; k < r.size(); ++k) {
    const bool odd = specials && d.chance(10);
    if (t == dtype::string) {
      tenon::set_string(r, k, d.of({"", "a", "b", "a b", "12"}));
    } else if (t == dtype::boolean) {
      r.set_i64(k, d.in(0, 1));
    } else if (tenon::is_narrow(t) && !tenon::is_float(t)) {
      r.set_i64(k, d.in(tenon::is_signed_int(t) ? -2 : 0, 1));
    } else if (tenon::is_float(t)) {
      const double inf = std::numeric_limits<double>::infinity();
      double v = style < 6   ? static_cast<double>(d.in(-12, 12)) / 4
                 : style < 8 ? d.unit() * 4 - 2
                             : static_cast<double>(d.in(0, 5));
      if (odd) v = d.of({std::nan(""), inf, -inf, -0.0, 1e9, -1e-9, 0.0, 100.0});
      r.set_f64(k, v);
    } else {
      const bool sign = tenon::is_signed_int(t);
      const int bits = tenon::size_of(t) * 8;
      i64 v = sign ? d.in(-6, 6) : d.in(0, 9);
      if (odd)
        v = d.of<i64>(
            {std::numeric_limits<i64>::min() >> (64 - bits), (i64{1} << (bits - 1)) - (bits == 64 ? 1 : 1), -1, 0, 1});
      r.set_i64(k, v);
    }
  }
  return r;
}
tensor builder::integers(dtype t, const dims& shape, i64 low, i64 high) {
  tensor r(t, shape);
  if (r.size() > 0 && high < low) throw skip{};
  for (i64 k = 0; k < r.size(); ++k) r.set_i64(k, d.in(low, high));
  return r;
}

std::string builder::given(tensor t, int percent_input) {
  const bool initializer = !d.chance(percent_input);
  const std::string name = fresh_name(initializer ? "w" : "x");
  known[name] = t;
  top.inputs.push_back({name, std::move(t), {}, initializer});
  return name;
}
std::string builder::weight(dtype t, const dims& shape) {
  const bool odd = std::exchange(specials, false);
  tensor w = numbers(t, shape);
  specials = odd;
  return given(std::move(w), 25);
}
std::string builder::list(const dims& v, dtype t) {
  tensor r(t, {static_cast<i64>(v.size())});
  for (size_t k = 0; k < v.size(); ++k) r.set_i64(static_cast<i64>(k), v[k]);
  if (!d.chance(20)) {
    const std::string name = given(std::move(r), 15);
    top.inputs.back().fixed = true;
    return name;
  }
  const std::string name = emit_as("Constant", {}, {{"value", r}})[0];
  unseen[name] = r;
  return name;
}
std::string builder::floats(const std::vector<float>& v) {
  return given(tensor::from<float>({static_cast<i64>(v.size())}, std::span<const float>(v)), 10);
}
std::string builder::scalar(dtype t, double v) {
  tensor r(t, {});
  if (tenon::is_float(t)) r.set_f64(0, v);
  else r.set_i64(0, static_cast<i64>(v));
  return given(std::move(r), 15);
}

std::string builder::pick_of(dtype t, int least_rank, int most_rank, bool no_zeros) {
  names found;
  for (const auto& [name, v] : known)
    if (v.type() == t && v.rank() >= least_rank && v.rank() <= most_rank && v.size() <= 3000 &&
        !(no_zeros && v.size() == 0))
      found.push_back(name);
  if (!found.empty() && d.chance(80)) return d.of(found);
  const int usual = d.chance(5) ? most_rank : std::min(most_rank, std::max(least_rank, 4));
  dims s = extents(static_cast<int>(d.in(least_rank, usual)));
  for (i64& e : s)
    if (no_zeros && e == 0) e = 2;
  return data(t, s);
}
dims builder::partner_shape(const dims& s) {
  dims r = s;
  for (i64& e : r) {
    if (d.chance(20)) e = 1;
    else if (e == 1 && d.chance(25)) e = extent();
  }
  if (!r.empty() && d.chance(25)) r.erase(r.begin(), r.begin() + d.in(1, static_cast<i64>(r.size())));
  if (d.chance(5)) r.insert(r.begin(), d.in(1, 3));
  return r;
}
std::string builder::partner(const std::string& with, dtype t) {
  const dims s = shape(with);
  names found;
  for (const auto& [name, v] : known) {
    bool fits = v.type() == t && v.size() <= 3000;
    for (size_t k = 1; fits && k <= std::min(s.size(), v.shape().size()); ++k) {
      const i64 a = s[s.size() - k], b = v.shape()[v.shape().size() - k];
      fits = a == b || a == 1 || b == 1;
    }
    if (fits) found.push_back(name);
  }
  if (!found.empty() && d.chance(60)) return d.of(found);
  return data(t, partner_shape(s));
}
std::string builder::alike(const dims& s, dtype t) {
  names found;
  for (const auto& [name, v] : known)
    if (v.type() == t && v.shape() == s) found.push_back(name);
  return !found.empty() && d.chance(70) ? d.of(found) : data(t, s);
}

names builder::emit_as(std::string name, names inputs, attrs attributes, int outputs, std::string of_domain) {
  while (!inputs.empty() && inputs.back().empty()) inputs.pop_back();
  node n{std::move(name), std::move(inputs), {}, std::move(attributes), of_domain.empty() ? domain : of_domain};
  if (n.op == "Constant") n.domain.clear();
  for (int k = 0; k < outputs; ++k) n.outputs.push_back(fresh_name("v"));
  pending.push_back(n);
  return n.outputs;
}

std::string builder::commit(graph& to) {
  names wanted;
  for (const node& n : pending)
    for (const std::string& o : n.outputs)
      if (!o.empty() && !hidden.count(o)) wanted.push_back(o);
  values got;
  try {
    got = evaluate(pending, known, wanted, opset);
  } catch (const tenon::error& e) { return e.what(); }
  for (const auto& [name, t] : got)
    if (t.size() > 20000) throw skip{};
  for (node& n : pending) to.nodes.push_back(std::move(n));
  for (auto& [name, t] : got) {
    known[name] = t;
    to.produced[name] = std::move(t);
  }
  pending.clear(), hidden.clear(), unseen.clear();
  return {};
}
void builder::forget(size_t inputs) {
  while (top.inputs.size() > inputs) {
    known.erase(top.inputs.back().name);
    top.inputs.pop_back();
  }
  pending.clear(), hidden.clear(), unseen.clear();
}

namespace {
struct choice {
  const row* from;
  std::string op;
};
std::vector<std::string> operators_of(const row& r) {
  std::istringstream words(r.ops);
  return {std::istream_iterator<std::string>(words), {}};
}
std::vector<choice> choices(i64 opset, int depth, const std::string& only) {
  std::vector<choice> all;
  for (const row& r : table()) {
    if (opset < r.since || opset > r.until) continue;
    for (const std::string& op : operators_of(r)) {
      const bool control = op == "If" || op == "Loop" || op == "Scan" || op == "SequenceMap";
      if ((only.empty() || only == op) && !(control && depth > 1)) all.push_back({&r, op});
    }
  }
  return all;
}
}  // namespace

const std::vector<row>& table() {
  static const std::vector<row> all = [] {
    std::vector<row> t;
    for (const auto& part : {elementwise_rows(), movement_rows(), product_rows(), quantized_rows(), body_rows(),
                             other_rows(), microsoft_rows(), block_rows(), form_rows(), type_rows(), seldom_rows()})
      t.insert(t.end(), part.begin(), part.end());
    return t;
  }();
  return all;
}

std::set<std::string> drawn_operators() {
  std::set<std::string> all;
  for (const row& r : table())
    for (const std::string& op : operators_of(r)) all.insert(op);
  return all;
}

std::pair<i64, i64> versions_of(const std::string& op) {
  std::pair<i64, i64> found{1000, 0};
  for (const row& r : table())
    for (const std::string& name : operators_of(r))
      if (op.empty() || name == op) found = {std::min<i64>(found.first, r.since), std::max<i64>(found.second, r.until)};
  return found.second == 0 ? std::pair<i64, i64>{1, 1000} : found;
}

void add_nodes(builder& b, graph& to, int count, std::vector<refusal>* refused, const std::string& only) {
  const std::vector<choice> all = choices(b.opset, b.depth, only);
  if (all.empty()) return;
  for (int made = 0, tries = 0; made < count && tries < 4 * count; ++tries) {
    const choice c = b.d.of(all);
    b.op = c.op, b.domain = c.from->domain;
    b.types = types_in(c.from->types, b.opset);
    if (b.types.empty()) continue;
    b.type = b.d.chance(50) ? b.types.front() : b.d.of(b.types);
    // Mostly that of a value that is there, so that nodes join.
    std::vector<dtype> there;
    for (const auto& [name, v] : b.known)
      if (std::find(b.types.begin(), b.types.end(), v.type()) != b.types.end()) there.push_back(v.type());
    if (!there.empty() && b.d.chance(70)) b.type = b.d.of(there);
    const size_t inputs = b.top.inputs.size();
    const values before = b.known;
    try {
      c.from->make(b);
      const std::vector<node> nodes = b.pending;
      const std::string error = b.commit(to);
      if (error.empty()) {
        ++made;
        continue;
      }
      if (refused) refused->push_back({b.op, error, nodes, b.known});
    } catch (const skip&) {}
    b.forget(inputs);
    b.known = before;
  }
}

}  // namespace random_onnx
