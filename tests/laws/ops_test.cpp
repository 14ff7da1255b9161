// The laws of ops, over all graph ops: names, attributes, evaluations, lowerings.
#include "laws.hpp"

#include <algorithm>

#include <tenon/interpret/eval_table.hpp>
#include <tenon/meta/type_name.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/lowering_table.hpp>
#include <tenon/text/spelling.hpp>

using namespace laws;

namespace {

/// Changes an attribute to something that it is not by default.
struct changer {
  void operator()(bool& v) { v = !v; }
  void operator()(i64& v) { v = v == 3 ? 4 : 3; }
  void operator()(double& v) { v = v * 2 + 0.375; }
  void operator()(std::string& v) { v += "a \"quoted\"\n text"; }
  void operator()(dtype& v) { v = v == dtype::u8 ? dtype::i64 : dtype::u8; }
  void operator()(std::vector<i64>& v) { v = {1, -2, std::numeric_limits<i64>::max()}; }
  void operator()(std::vector<double>& v) { v = {0.1, -1e300, 0.5}; }
  void operator()(std::vector<std::string>& v) { v = {"a", "", "b, c"}; }
  void operator()(ir::function_ref& v) { v.name = "f g"; }
  void operator()(ir::access_map& v) { v.rows = {{1, 2}, {0, -1}}; }
  void operator()(ir::enumeration& v) { v.value = (v.value + 1) % static_cast<int>(v.names.size()); }
};

std::string spelled(const ir::op_info& info, const void* op) {
  std::string s;
  for (const ir::attribute& a : info.attributes()) s += std::string(a.name) + " = " + texting::spelled(a, op) + "\n";
  return s;
}

/// As text in a module, and back: an op of the same name and attributes, but without operands and type rule.
void round_trip(const ir::op_info& real, const void* op) {
  if (&real == &ir::info_of<op::constant>) return;  // its one attribute is an id of a constant: tests/text has it
  ir::op_info bare = real;
  bare.traits = {.results = 0}, bare.infer = nullptr;
  ir::module m;
  const function_id f = m.add_function("main", ir::function_kind::graph, {});
  ir::builder<> b(m, m[f].body);
  b.make_erased(bare, op, {}, {}, 0);
  b.make_op(op::return_{}, {}, {});
  const std::string text = print(m);
  const ir::op_info* const known[] = {&bare, &ir::info_of<op::return_>};
  const ir::module back = parse(text, "text", {.phase = {}, .ops = known});
  const op_id first = back[back[back.find_function("main")].body].ops.front();
  CHECK_MESSAGE(spelled(real, back.attributes(back[first].attributes)) == spelled(real, op), text);
}

/// What is asked of an op where its type is known; what is done with it then is compiled once.
struct named_op {
  const ir::op_info* info;
  label type;
  bool evaluated, says_why_not_native;
};
template <class... Ops>
std::vector<named_op> named(meta::detail::box<ops<Ops...>>) {
  return {{&ir::info_of<Ops>, meta::unqualified_name<Ops>(), has_evaluation<Ops>,
           requires { handles_op<loop_nests, Ops>::reason; }}...};
}
const std::vector<named_op> all_ops = named(meta::detail::box<meta::concat_t<graph_ops, host_ops>>{});

}  // namespace

TEST_CASE("names are unique, and those of the types") {
  std::set<std::string_view> seen;
  for (const named_op& o : all_ops) {
    CHECK(o.info->name == std::string_view(o.type.data(), o.type.size()));
    CHECK_MESSAGE(seen.insert(o.info->name).second, o.info->name << " is the name of two ops");
  }
}
TEST_CASE("the library and this file mean the same op_info") {
  const auto table = ir::built_in_op_table();
  for (const named_op& o : all_ops) CHECK_MESSAGE(std::count(table.begin(), table.end(), o.info) == 1, o.info->name);
}
TEST_CASE("attributes print and parse, at their defaults and changed") {
  for (const named_op& o : all_ops) {
    const std::unique_ptr<void, void (*)(void*)> op(o.info->make(), o.info->destroy);
    round_trip(*o.info, op.get());
    const auto list = o.info->attributes();
    if (list.empty()) continue;
    const std::string before = spelled(*o.info, op.get());
    for (const ir::attribute& a : list) a.visit(op.get(), changer{});
    if (o.info != &ir::info_of<op::constant>) CHECK_MESSAGE(spelled(*o.info, op.get()) != before, o.info->name);
    round_trip(*o.info, op.get());
  }
}
TEST_CASE("every op has a meaning: an evaluation, and a native form or a reason for none") {
  for (const named_op& o : named(meta::detail::box<graph_ops::without<op::constant>>{})) {
    CHECK_MESSAGE(o.evaluated, o.info->name << " has no evaluation");
    CHECK_MESSAGE((has_element(*o.info) || has_lower(*o.info)) != o.says_why_not_native,
                  o.info->name << " has a native form and a reason to have none, or neither");
  }
}
