/// @file orders: every order that is one step away from a right one: judged, and run where the judge says yes.
///
/// One step: a pass is left out, moved to another place, or any known pass is put in anywhere. Where the judge accepts,
/// nothing may be wrong: each pass runs, each fact that is claimed is proved, and results are the interpreter's.
#pragma once

#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/judge/order.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "support/random_module.hpp"
#include "support/setting.hpp"
#include "support/unlike.hpp"

namespace tenon::testing {

/// A module in phase `ingestion`, and what it computes.
struct order_case {
  std::string name;
  ir::module module;
  std::vector<tensor> inputs, want;
  std::set<std::string> seen{};  ///< the texts of what orders made of it
};

struct changed_order {
  std::string what;
  std::vector<std::string_view> passes;
  std::string said() const {
    std::string s = what + " (";
    for (std::string_view p : passes) (s += s.back() == '(' ? "" : ", ") += p;
    return s + ")";
  }
};

inline std::vector<changed_order> one_step_away(const std::vector<std::string_view>& right, const registry& known) {
  std::vector<changed_order> all;
  const auto place = [&](size_t i) { return std::to_string(i + 1); };
  for (size_t i = 0; i < right.size(); ++i) {
    auto without = right;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    const std::string name(right[i]);
    all.push_back({"without " + name + " (" + place(i) + ")", without});
    for (size_t j = 0; j < right.size(); ++j) {
      auto moved = without;
      moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(j), right[i]);
      if (moved != right) all.push_back({name + " from " + place(i) + " to " + place(j), moved});
    }
  }
  for (const registered_pass& p : known)
    for (size_t j = 0; j <= right.size(); ++j) {
      auto more = right;
      const std::string_view name = p.desc->name;
      more.insert(more.begin() + static_cast<std::ptrdiff_t>(j), name);
      all.push_back({std::string(name) + " added at " + place(j), more});
    }
  return all;
}

/// Two to four changes at once; one seed gives the same orders everywhere.
inline std::vector<changed_order> some_steps_away(const std::vector<std::string_view>& right, const registry& known,
                                                  size_t count, u64 seed) {
  std::mt19937_64 random(seed);
  const auto pick = [&](size_t n) { return static_cast<size_t>(random() % n); };
  std::vector<changed_order> all;
  while (all.size() < count) {
    changed_order c{"", right};
    const auto at = [&](size_t i) { return c.passes.begin() + static_cast<std::ptrdiff_t>(i); };
    for (size_t steps = 2 + pick(3); steps != 0; --steps) {
      const size_t i = pick(c.passes.size()), j = pick(c.passes.size() - 1);
      const std::string_view one = c.passes[i], other = known.passes[pick(known.pass_count)].desc->name;
      const bool adds = pick(4) == 0, moves = pick(3) != 0;
      if (!adds) c.passes.erase(at(i));
      if (adds || moves) c.passes.insert(at(j), adds ? other : one);
      c.what += std::string(adds ? other : one) + (adds ? " added" : moves ? " moved" : " left out") + ", ";
    }
    all.push_back(std::move(c));
  }
  return all;
}

/// Right orders far from the one given: many changes one after the other, of which the judge takes those that leave the
/// order right. One seed gives the same orders everywhere.
inline std::vector<changed_order> right_orders(const std::vector<std::string_view>& right, const registry& known,
                                               size_t count, u64 seed) {
  std::mt19937_64 random(seed);
  const auto pick = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const auto is_right = [&](const std::vector<std::string_view>& list) {
    std::vector<const pass_desc*> passes;
    for (std::string_view p : list) passes.push_back(known.find(p)->desc);
    return judge_order(passes, {}, &phase_desc_of<phases::ingestion>).ok();
  };
  std::vector<changed_order> all;
  while (all.size() < count) {
    changed_order c{"a right order", right};
    for (size_t tries = 8 + pick(40); tries != 0; --tries) {
      std::vector<std::string_view> changed = c.passes;
      const auto at = [&](size_t i) { return changed.begin() + static_cast<std::ptrdiff_t>(i); };
      const size_t kind = pick(8), i = pick(changed.size());
      const std::string_view one = changed[i];
      if (kind != 0) changed.erase(at(i));  // left out, or moved; else another one is put in
      const std::string_view put = kind < 2 ? std::string_view(known.passes[pick(known.pass_count)].desc->name) : one;
      if (kind != 7 || changed.size() < 4) changed.insert(at(pick(changed.size() + 1)), put);
      if (is_right(changed)) c.passes = std::move(changed);
    }
    all.push_back(std::move(c));
  }
  return all;
}

/// Where a repair that the sentence offers does not lead to a right order, that repair; names may stand for any of
/// alike passes.
inline std::string untrue_repair(const std::vector<std::string_view>& order, const registry& known) {
  using names = std::vector<std::string_view>;
  const auto verdict_on = [&](const names& list) {
    std::vector<const pass_desc*> passes, others;
    for (std::string_view p : list) passes.push_back(known.find(p)->desc);
    for (const registered_pass& p : known) others.push_back(p.desc);
    return judge_order(passes, others, &phase_desc_of<phases::ingestion>);
  };
  const auto places_of = [](const names& list, std::string_view name) {
    std::vector<size_t> r;
    for (size_t i = 0; i < list.size(); ++i)
      if (list[i] == name) r.push_back(i);
    return r;
  };
  const auto meant_by = [&](const names& before, const repair& r) {
    std::vector<names> orders;
    const std::string_view what = r.what, where = r.where;
    const bool adds = r.kind == repair_kind::insert_before || r.kind == repair_kind::insert_after ||
                      r.kind == repair_kind::run_again_after || r.kind == repair_kind::run_before;
    const bool behind = r.kind == repair_kind::insert_after || r.kind == repair_kind::move_after ||
                        r.kind == repair_kind::run_again_after;
    std::vector<names> starts;
    if (adds) starts.push_back(before);
    else
      for (size_t i : places_of(before, what))
        starts.push_back(before), starts.back().erase(starts.back().begin() + static_cast<std::ptrdiff_t>(i));
    for (const names& start : starts) {
      if (r.kind == repair_kind::drop) orders.push_back(start);
      for (size_t at : places_of(start, where)) {
        names changed = start;
        changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(at + behind), what);
        if (r.before.length)
          changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(at + behind), std::string_view(r.before));
        orders.push_back(std::move(changed));
      }
    }
    return orders;
  };
  const verdict v = verdict_on(order);
  const auto cures = [&](const repair& r) {
    for (const names& changed : meant_by(order, r)) {
      if (!v.together && verdict_on(changed).ok()) return true;
      if (v.together)
        for (const names& both : meant_by(changed, v.repairs[1]))
          if (verdict_on(both).ok()) return true;
    }
    return false;
  };
  if (v.together) return cures(v.repairs[0]) ? "" : "its two repairs together";
  for (size_t i = 0; i < v.repair_count; ++i)
    if (!cures(v.repairs[i])) return "its repair " + std::to_string(i + 1);
  return "";
}

/// Has the module numbers for all extents, before any pass?
inline bool has_fixed_sizes(const order_case& k) {
  return k.name == "static" || k.name == "a library's kernel" || k.name.substr(0, 6) == "random";
}

/// What orders beside a right one come to. All are judged; of those accepted one in TENON_FUZZ_ONE_IN (4) runs.
struct order_sweep {
  size_t accepted = 0, refused = 0, repaired = 0, run = 0, guarded = 0;
  u64 one_in = setting("TENON_FUZZ_ONE_IN", 4);
  std::vector<std::string> wrong;
  /// What a last pass runs inside, of each of the targets that it builds for: an order is right if all the ways are.
  std::vector<std::vector<std::string_view>> inside{};

  std::string text(const std::vector<order_case>& cases) const {
    size_t distinct = 0;
    for (const order_case& k : cases) distinct += k.seen.size();
    return std::to_string(accepted) + " accepted, " + std::to_string(refused) + " refused, " +
           std::to_string(repaired) + " of them with repairs that cure; " + std::to_string(run) + " runs, " +
           std::to_string(distinct) + " results, " + std::to_string(guarded) + " refused by a guard";
  }

  /// `finish(order, case)` runs an accepted order, and says what is wrong with the results, or nothing;
  /// `may_refuse(order, case)`: whether a pass whose work is to refuse what a target cannot run may do so.
  template <class Finish, class MayRefuse>
  void over(const std::vector<changed_order>& orders, const registry& known, std::vector<order_case>& cases,
            Finish&& finish, MayRefuse&& may_refuse, bool repairs_cure = true) {
    std::set<std::vector<std::string_view>> tried;
    for (const changed_order& c : orders) {
      if (!tried.insert(c.passes).second) continue;
      order o;
      std::vector<std::string_view> judged;
      const auto judge = [&](std::vector<std::string_view> passes) {
        judged = std::move(passes);
        std::string text;
        for (std::string_view p : judged) (text += p) += ' ';
        return order::parse(text, known, &phase_desc_of<phases::ingestion>);
      };
      try {
        o = judge(c.passes);
        for (const auto& rest : inside) {
          std::vector<std::string_view> way = c.passes;
          if (o.end_phase() != &phase_desc_of<phases::built>) break;  // nothing ran inside
          way.pop_back();
          way.insert(way.end(), rest.begin(), rest.end());
          judge(std::move(way));
        }
      } catch (const error& e) {
        ++refused;
        if (!repairs_cure) continue;  // several mistakes: a repair may cure one
        if (const std::string lie = untrue_repair(judged, known); !lie.empty())
          wrong.push_back(c.what + ": " + lie + " cures nothing: " + e.what());
        else ++repaired;
        continue;
      }
      if (accepted++ % one_in != 0) continue;
      const auto problem = [&](const order& tried_order, order_case& k) -> std::string {
        try {
          return finish(tried_order, k);
        } catch (const error& e) {
          if (e.code() != "passes.dynamic_shape" || !may_refuse(tried_order, k)) return e.what();
          ++guarded;
          return "";
        }
      };
      for (order_case& k : cases) {
        ++run;
        std::string found = problem(o, k);
        if (found.empty()) continue;
        // The shortest order that is wrong too, by leaving out one pass after the other.
        changed_order least = c;
        for (size_t i = 0; i < least.passes.size();) {
          std::vector<std::string_view> fewer = least.passes;
          fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
          std::string still;
          try {
            k.seen.clear();
            still = problem(judge(fewer), k);
          } catch (const error&) {}  // not right any more
          if (still.empty()) ++i;
          else least.passes = std::move(fewer), found = std::move(still), i = 0;
        }
        wrong.push_back(least.said() + ", " + k.name + ": " + found);
      }
    }
  }
};

inline std::string unlike(const std::vector<tensor>& got, const std::vector<tensor>& want) {
  return unlike(got, want, {2e-2, 2e-2, 2e-2, false});
}

inline std::string listed(i64 count, bool small_floats, int seed) {
  std::string s = "[";
  u64 state = static_cast<u64>(seed) * 77777 + 5;
  for (i64 i = 0; i < count; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const int n = static_cast<int>(state >> 60);
    s += (i ? ", " : "") + (small_floats ? std::to_string((n - 8) / 8.0) : std::to_string(n + 1));
  }
  return s + "]";
}

/// A little of everything that passes look for: a convolution with its normalization, shape arithmetic, a quantized
/// convolution, a function called twice, code that is dead, and code that is there twice.
inline ir::module small_net(bool symbolic) {
  std::string t = "tenon.module phase=ingestion\n";
  t += "constant #0 : tensor<4x3x3x3xf32> = " + listed(108, true, 1) + "\n";
  t += "constant #1 : tensor<4x1x1xf32> = [2, 0.5, 1, -1]\nconstant #2 : tensor<4x1x1xf32> = [1, 0.25, 0, -1]\n";
  t += "constant #3 : tensor<f32> = [0]\nconstant #4 : tensor<i64> = [0]\nconstant #5 : tensor<1xi64> = [64]\n";
  t += "constant #6 : tensor<64x10xf32> = " + listed(640, true, 2) + "\n";
  t += "constant #7 : tensor<10xf32> = " + listed(10, true, 3) + "\n";
  t += "constant #8 : tensor<4x4x3x3xu8> = " + listed(144, false, 4) + "\n";
  t += "constant #9 : tensor<f32> = [0.125]\nconstant #10 : tensor<u8> = [7]\nconstant #11 : tensor<1xi64> = [0]\n";
  t += R"(
func entry @main(%x: tensor<Nx3x8x8xf32>, %u: tensor<Nx4x6x6xu8>) -> (tensor<Nx10xf32>, tensor<?x?x?x?xf32>) inputs("x", "u") outputs("y", "v") {
  %w = constant() {value = #0} : tensor<4x3x3x3xf32>
  %s = constant() {value = #1} : tensor<4x1x1xf32>
  %o = constant() {value = #2} : tensor<4x1x1xf32>
  %z = constant() {value = #3} : tensor<f32>
  %zero = constant() {value = #11} : tensor<1xi64>
  %n64 = constant() {value = #5} : tensor<1xi64>
  %w2 = constant() {value = #6} : tensor<64x10xf32>
  %b = constant() {value = #7} : tensor<10xf32>
  %c = conv(%x, %w) {pads = [1, 1, 1, 1]} : tensor<Nx4x8x8xf32>
  %m = mul(%c, %s) : tensor<Nx4x8x8xf32>
  %a = add(%m, %o) : tensor<Nx4x8x8xf32>
  %r = maximum(%a, %z) : tensor<Nx4x8x8xf32>
  %p = max_pool(%r) {kernel = [2, 2], strides = [2, 2]} : tensor<Nx4x4x4xf32>
  %q = call(%p) {callee = @act} : tensor<?x?x?x?xf32>
  %q2 = call(%q) {callee = @act} : tensor<?x?x?x?xf32>
  %sh = shape_of(%q2) : tensor<4xi64>
  %n = gather(%sh, %zero) : tensor<1xi64>
  %ts = concat(%n, %n64) : tensor<2xi64>
  %f = reshape(%q2, %ts) : tensor<?x?xf32>
  %fc = matmul(%f, %w2) : tensor<?x10xf32>
  %b1 = add(%fc, %b) : tensor<?x10xf32>
  %b2 = add(%b, %fc) : tensor<?x10xf32>
  %dead = exp(%b1) : tensor<?x10xf32>
  %n1 = neg(%b1) : tensor<?x10xf32>
  %n2 = neg(%n1) : tensor<?x10xf32>
  %d = mul(%n2, %b2) : tensor<?x10xf32>
  %y = softmax(%d) {axis = 1} : tensor<?x10xf32>
  %qw = constant() {value = #8} : tensor<4x4x3x3xu8>
  %qs = constant() {value = #9} : tensor<f32>
  %qz = constant() {value = #10} : tensor<u8>
  %du = dequantize(%u, %qs, %qz) : tensor<Nx4x6x6xf32>
  %dw = dequantize(%qw, %qs, %qz) : tensor<4x4x3x3xf32>
  %qc = conv(%du, %dw) {pads = [1, 1, 1, 1], strides = [1, 1]} : tensor<Nx4x6x6xf32>
  %v = maximum(%qc, %z) : tensor<Nx4x6x6xf32>
  return(%y, %v)
}
func @act(%x: tensor<?x?x?x?xf32>) -> (tensor<?x?x?x?xf32>) {
  %e = sigmoid(%x) : tensor<?x?x?x?xf32>
  %y = mul(%x, %e) : tensor<?x?x?x?xf32>
  return(%y)
}
)";
  if (!symbolic) {
    for (size_t at; (at = t.find("<Nx")) != std::string::npos;) t.replace(at, 3, "<2x");
  }
  return parse(t);
}

template <class List>
struct names_in;
template <class... Ps>
struct names_in<pass_list<Ps...>> {
  static std::vector<std::string_view> get() { return {std::string_view(label(Ps::name))...}; }
};

inline std::vector<order_case> order_cases() {
  std::vector<order_case> all;
  const ir::module fixed = small_net(false);
  const std::vector<tensor> inputs = random_inputs(fixed, 1), want = interpret(fixed, "main", inputs);
  for (const char* name : {"static", "symbolic", "bound"})
    all.push_back({name, small_net(name != std::string_view("static")), inputs, want});
  const ir::module shared = parse(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<Nx10xf32>) -> (tensor<Nx10xf32>) inputs("x") outputs("y") {
  %a = call(%x) {callee = @square} : tensor<Nx10xf32>
  %b = call(%a) {callee = @square} : tensor<Nx10xf32>
  %y = add(%a, %b) : tensor<Nx10xf32>
  return(%y)
}
func @square(%x: tensor<Mx10xf32>) -> (tensor<Mx10xf32>) {
  %y = mul(%x, %x) : tensor<Mx10xf32>
  return(%y)
}
)");
  // A library brings its kernel: a function that is ahead of its module, from the front end on. No pass may touch it.
  const ir::module library = parse(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<2x10xf32>) -> (tensor<2x10xf32>, tensor<2x10xf32>) inputs("x") outputs("y", "z") {
  %a = add(%x, %x) : tensor<2x10xf32>
  %n = neg(%a) : tensor<2x10xf32>
  %m = neg(%n) : tensor<2x10xf32>
  %k = call_kernel(%m) {kernel = @square} : tensor<2x10xf32>
  %l = call_kernel(%a) {kernel = @square} : tensor<2x10xf32>
  %e = tanh(%k) : tensor<2x10xf32>
  %y = mul(%e, %l) : tensor<2x10xf32>
  return(%y, %k)
}
kernel @square(%x: buffer<20xf32>, %y: buffer<20xf32>) phase(lowering) {
  %zero = loop.literal() {type = index} : index
  %end = loop.literal() {type = index, integer = 20} : index
  loop.for(%zero, %end) {independent = true} ({ ^(%i: index):
    %a = loop.load(%x[%i]) : f32
    %p = loop.scalar(%a, %a) {fn = mul} : f32
    loop.store(%p, %y[%i])
    loop.yield()
  })
  return()
}
)");
  const std::vector<tensor> two = random_inputs(library, 3);
  all.push_back({"a library's kernel", library, two, interpret(library, "main", two)});
  const std::vector<tensor> rows{tensor::from<float>({1, 10}, {1, 2, 3, 4, 5, -6, -7, -8, 9, 0.5f})};
  all.push_back({"a function's own symbol", shared, rows, interpret(shared, "main", rows)});
  for (u64 seed : {4u, 21u}) {
    const ir::module m = random_module(seed);
    const std::vector<tensor> given = random_inputs(m, seed);
    all.push_back({"random " + std::to_string(seed), m, given, interpret(m, "main", given)});
  }
  return all;
}

/// May the order refuse the module as "passes.dynamic_shape"? Where a guard comes before what makes its extents known.
inline bool may_refuse(const order& o, const order_case& k) {
  bool inlined = false, fixed = has_fixed_sizes(k);
  for (size_t i = 0; i < o.size(); ++i) {
    const std::string_view p = o[i].name;
    inlined = inlined || p == "inline_calls";
    fixed = fixed || (k.name == "bound" && p == "bind_inputs");
    if (p == "require_static_shapes" && !(inlined && fixed)) return true;
    if (p == "require_known_extents" && !inlined) return true;
  }
  return false;
}

}  // namespace tenon::testing
