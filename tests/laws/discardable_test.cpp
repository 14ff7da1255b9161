// The law of discardable attributes, held by every built-in pass: what a pass keeps has what was said of it, and
// nothing is said of anything that was not said before.
//
// Ops of a few kinds, which no pass makes from others, and their results say their kind. Arguments of the entry, and
// the values that it returns, say their number; the entry says its name.
#include "laws.hpp"

#include <map>

#include <text/same_module.hpp>

#include <tenon/compile/run.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/targets/cpu.hpp>

using namespace laws;

namespace {

const std::set<std::string_view> kinds{"tanh", "sin", "cos", "sigmoid", "matmul", "conv", "erf", "softmax", "max_pool"};

std::string said(const ir::discardable_attributes& d, std::string_view name) {
  const std::string* s = d.get<std::string>(name);
  return s ? *s : std::string();
}

/// The entry's name, and all that is said by ops, by their numbers.
struct record {
  std::string entry;
  std::set<i64> numbers;
};

record note(ir::module& m) {
  record r;
  i64 n = 0;
  ir::for_each_op(m, [&](op_id op) {
    const std::string kind(m.view(op).name());
    if (!kinds.contains(kind)) return;
    m.set_discardable(op, "law.kind", kind);
    m.set_discardable(op, "law.number", n);
    m.set_discardable(m.result(op), "law.of", kind);
    r.numbers.insert(n++);
  });
  for (function_id f : m.functions()) {
    if (!m[f].entry) continue;
    r.entry = m[f].name;
    m[f].discardable.set("law.entry", m[f].name);
    const std::vector<value_id> arguments = m[m[f].body].arguments;
    for (size_t i = 0; i < arguments.size(); ++i) m.set_discardable(arguments[i], "law.argument", static_cast<i64>(i));
    const std::vector<value_id> returned = m.operands(m.terminator(m[f].body));
    for (size_t i = 0; i < returned.size(); ++i)
      if (m[returned[i]].definition) m.set_discardable(returned[i], "law.returned", true);
  }
  return r;
}

/// How many things that say something still say it.
size_t check(const ir::module& m, const record& before, size_t inputs, std::set<i64>& numbers, std::string_view pass) {
  size_t found = 0;
  numbers.clear();
  ir::for_each_op(m, [&](op_id op) {
    const std::string_view kind = m.view(op).name();
    if (const i64* n = m.discardable(op).get<i64>("law.number")) {
      numbers.insert(*n);
      CHECK_MESSAGE(before.numbers.contains(*n), "after " << pass << ", number " << *n << " was not there");
    }
    if (!kinds.contains(kind)) return;
    ++found;
    const std::string was = said(m.discardable(op), "law.kind");
    const bool pointwise = was == "conv" && kind == "matmul";  // convert_layout makes products of such convolutions
    CHECK_MESSAGE((was == kind || pointwise), "after " << pass << ", of " << kind << ", said " << was);
  });
  const function_id f = m.find_function(before.entry);
  REQUIRE(f);
  CHECK_MESSAGE(said(m[f].discardable, "law.entry") == before.entry, "after " << pass);
  const std::vector<value_id>& arguments = m[m[f].body].arguments;
  for (size_t i = 0; i < inputs; ++i, ++found) {
    const i64* n = m.discardable(arguments[i]).get<i64>("law.argument");
    CHECK_MESSAGE((n != nullptr && *n == static_cast<i64>(i)), "after " << pass << ", argument " << i);
  }
  // Values are returned up to the last graph; then there are arguments that they are written to.
  std::vector<value_id> results = m.operands(m.terminator(m[f].body));
  if (results.empty()) results.assign(arguments.begin() + static_cast<std::ptrdiff_t>(inputs), arguments.end());
  for (value_id v : results) {
    const op_id d = m[v].definition;
    if (!d && m.discardable(v).find("law.argument") != nullptr) continue;  // an input is returned as it is
    ++found;
    CHECK_MESSAGE(m.discardable(v).find("law.returned") != nullptr, "after " << pass << ", a result");
  }
  return found;
}

size_t through(const ir::module& m, const std::vector<named_pass>& passes) {
  // Behind the kernels, ops are calls, and all of them stay.
  const std::set<std::string_view> keep_all{"to_lowering", "tile",        "vectorize",     "fuse",
                                            "parallelize", "plan_memory", "lower_builtins"};
  auto now = std::make_unique<ir::module>(m);
  const record before = note(*now);
  const size_t inputs = (*now)[(*now)[now->find_function(before.entry)].body].arguments.size();
  std::set<i64> numbers, last;
  size_t found = 0;
  for (const named_pass& p : passes) {
    const std::string text = print(*now);
    INFO(text);
    context cx;
    now = p.run(std::move(now), cx);
    found += check(*now, before, inputs, numbers, p.name);
    if (keep_all.contains(p.name)) CHECK_MESSAGE(numbers == last, "after " << p.name << ", ops of a graph");
    last = numbers;
    CHECK(testing::difference(parse(print(*now)), *now) == "");
    CHECK(testing::difference(deserialize(serialize(*now, "")), *now) == "");
  }
  return found;
}

}  // namespace

TEST_CASE("attributes survive each pass at its place in the pipeline") {
  const auto passes = passes_before_code(meta::detail::box<targets::cpu::pipeline::passes>{});
  size_t found = 0;
  for (const ir::module& m : corpus(3000, 60)) found += through(m, passes);
  CHECK(found > 1000);  // the law was tried
}

TEST_CASE("passes do the same whatever is noted") {
  const auto passes = passes_before_code(meta::detail::box<targets::cpu::pipeline::passes>{});
  for (const ir::module& m : corpus(4000, 10)) {
    const auto all = [&](const ir::module& from) {
      auto now = std::make_unique<ir::module>(from);
      context cx;
      for (const named_pass& p : passes) now = p.run(std::move(now), cx);
      ir::for_each_op(*now, [&](op_id op) {
        now->set_discardable(op, ir::discardable_attributes());
        for (value_id v : now->results(op)) now->set_discardable(v, ir::discardable_attributes());
      });
      for (function_id f : now->functions()) {
        (*now)[f].discardable = {};
        for (value_id v : (*now)[(*now)[f].body].arguments) now->set_discardable(v, ir::discardable_attributes());
      }
      return print(*now);
    };
    ir::module noted = m;
    note(noted);
    CHECK(all(noted) == all(m));
  }
}
