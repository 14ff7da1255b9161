// Errors of sizes deep inside of a model say what of its inputs may be another.
#include <doctest/doctest.h>

#include <tenon/ir/open_extents.hpp>
#include <tenon/runtime/tensor.hpp>

using namespace tenon;
using ir::type;

namespace {

struct one_function {
  ir::module m;
  function_id f;
  explicit one_function(std::initializer_list<type> arguments) {
    std::vector<type_id> ids;
    for (const type& t : arguments) ids.push_back(m.intern(t));
    f = m.add_function("main", ir::function_kind::graph, ids);
    m[f].argument_names = {"image", "state"};
  }
};

}  // namespace

TEST_CASE("the dimensions that a run may choose, of each input that has some") {
  const std::vector<value> inputs{tensor(dtype::f32, {1, 3, 4}), tensor(dtype::i64, {2})};
  const auto says = [&](type a, type b) {
    const one_function one{std::move(a), std::move(b)};
    return ir::open_extents_sentence(one.m, one.f, inputs);
  };
  const ir::dim open = ir::dim::unknown();
  const type fixed = type::tensor(dtype::i64, {2});
  CHECK(says(type::tensor(dtype::f32, {1, 3, 4}), fixed) == "");
  CHECK(says(type::tensor(dtype::f32, {1, open, 4}), fixed) ==
        "input 'image' is f32[1,3,4], of which dimension 1 may be another");
  CHECK(says(type::tensor(dtype::f32, {open, open, open}), type::tensor(dtype::i64, {open})) ==
        "input 'image' is f32[1,3,4], of which dimensions 0, 1 and 2 may be others; "
        "input 'state' is i64[2], of which dimension 0 may be another");
  CHECK(says(type::unranked_tensor(dtype::f32), fixed) ==
        "input 'image' is f32[1,3,4], of which the shape may be another");
}

TEST_CASE("an error keeps what it is, and what it says to do") {
  const one_function one{type::tensor(dtype::f32, {ir::dim::unknown(), 3, 4}), type::tensor(dtype::i64, {2})};
  const std::vector<value> inputs{tensor(dtype::f32, {1, 3, 4}), tensor(dtype::i64, {2})};
  const auto raised = [&](const rule_error& e) {
    try {
      ir::with_open_extents(one.m, one.f, inputs, [&]() -> int { throw e; });
    } catch (const rule_error& more) { return more; }
    return rule_error("none", "");
  };
  rule_error e("ir.infer", "a window does not fit", "node 'a'");
  e.note_pass("infer_shapes");
  const rule_error more = raised(e);
  CHECK(more.hint() == "input 'image' is f32[1,3,4], of which dimension 0 may be another");
  CHECK((more.code() == "ir.infer" && more.where() == "node 'a'" && more.pass() == "infer_shapes"));
  CHECK(raised(rule_error("ir.infer", "no", "", "do it so")).hint() == "do it so");
  CHECK(ir::with_open_extents(one.m, one.f, inputs, [] { return 3; }) == 3);
}
