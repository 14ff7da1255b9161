// The laws of ops, over all graph ops: names, attributes, evaluations, lowerings.
#include "laws.hpp"

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
template <class Op>
void round_trip(const Op& op) {
  if constexpr (!std::is_same_v<Op, op::constant>) {  // its one attribute is an id of a constant: tests/text has it
    const ir::op_info& real = ir::info_of<Op>;
    ir::op_info bare = real;
    bare.traits = {.results = 0}, bare.infer = nullptr;
    ir::module m;
    const function_id f = m.add_function("main", ir::function_kind::graph, {});
    ir::builder<> b(m, m[f].body);
    b.make_erased(bare, &op, {}, {}, 0);
    b.make_op(op::return_{}, {}, {});
    const std::string text = print(m);
    const ir::op_info* const known[] = {&bare, &ir::info_of<op::return_>};
    const ir::module back = parse(text, "text", {.phase = {}, .ops = known});
    const op_id first = back[back[back.find_function("main")].body].ops.front();
    CHECK_MESSAGE(spelled(real, back.attributes(back[first].attributes)) == spelled(real, &op), text);
  }
}

template <class... Ops>
void names(meta::detail::box<ops<Ops...>>) {
  std::set<std::string> seen;
  const auto one = [&]<class Op>(meta::detail::box<Op>) {
    const label type = meta::unqualified_name<Op>();
    const std::string name{std::string_view(Op::name)}, expected(type.data(), type.size());
    CHECK(name == expected);
    CHECK_MESSAGE(seen.insert(name).second, name << " is the name of two ops");
  };
  (one(meta::detail::box<Ops>{}), ...);
}
template <class... Ops>
void attributes(meta::detail::box<ops<Ops...>>) {
  const auto one = [&]<class Op>(meta::detail::box<Op>) {
    Op op;
    round_trip(op);
    if (const auto list = ir::info_of<Op>.attributes(); !list.empty()) {
      const std::string before = spelled(ir::info_of<Op>, &op);
      for (const ir::attribute& a : list) a.visit(static_cast<void*>(&op), changer{});
      if (!std::is_same_v<Op, op::constant>)
        CHECK_MESSAGE(spelled(ir::info_of<Op>, &op) != before, std::string_view(Op::name));
      round_trip(op);
    }
  };
  (one(meta::detail::box<Ops>{}), ...);
}
template <class... Ops>
void meanings(meta::detail::box<ops<Ops...>>) {
  const auto one = [&]<class Op>(meta::detail::box<Op>) {
    CHECK_MESSAGE(has_evaluation<Op>, std::string_view(Op::name) << " has no evaluation");
    const bool native = has_element(ir::info_of<Op>) || has_lower(ir::info_of<Op>),
               reason = requires { handles_op<loop_nests, Op>::reason; };
    CHECK_MESSAGE(native != reason, std::string_view(Op::name)
                                        << " has a native form and a reason to have none, or neither");
  };
  (one(meta::detail::box<Ops>{}), ...);
}

}  // namespace

TEST_CASE("names are unique, and those of the types") {
  names(meta::detail::box<meta::concat_t<graph_ops, host_ops>>{});
}
TEST_CASE("attributes print and parse, at their defaults and changed") {
  attributes(meta::detail::box<meta::concat_t<graph_ops, host_ops>>{});
}
TEST_CASE("every op has a meaning: an evaluation, and a native form or a reason for none") {
  meanings(meta::detail::box<graph_ops::without<op::constant>>{});
}
