// Passes in closed form are the same as those with the same members written out, for all that reads passes.
#include <doctest/doctest.h>

#include <tenon/compile/repeat.hpp>
#include <tenon/judge/order.hpp>
#include <tenon/judge/pass_of.hpp>
#include <tenon/targets/capability.hpp>
#include <tenon/tenon.hpp>
#include <tenon/testing/laws.hpp>

using namespace tenon;

namespace {
using graph = phases::optimization;

struct sorted {
  static constexpr fixed_string name = "sorted";
};

namespace open {
struct mark {
  static constexpr fixed_string name = "mark";
  using runs_in = graph;
  using needs = facts<fact::shapes_known>;
  using gives = facts<sorted>;
  using keeps = all_facts;
  using emits = ops<>;
  i64 times = 1;
  TENON_ATTRIBUTES(times)
  void run(ir_module<runs_in>& m, context&) const { m.body().metadata["marked"] = std::to_string(times); }
};
struct all_words {
  static constexpr fixed_string name = "all_words";
  using runs_in = graph;
  using needs = facts<>;
  using gives = facts<sorted>;
  using breaks = facts<fact::shapes_known>;
  using emits = ops<op::add, op::mul>;
  using eliminates = ops<op::neg>;
  using handles = ops<op::neg>;
  using deletes = effects<>;
  using merges = effects<effect::io>;
  using leaves = effects<effect::random, effect::reads, effect::writes, effect::allocates>;
  using works_on = ops<op::neg>;
  using not_between = interval<mark, passes::fuse>;
  using needs_of_device = capabilities<capability::matrix_unit>;
  static constexpr bool at_most_once = true, may_find_nothing = true;
  static constexpr int version = 3;
};
}  // namespace open

namespace closed {
using namespace tenon::words;
struct mark : pass_of<"mark", runs_in<graph>, needs<fact::shapes_known>, gives<sorted>, keeps<all_facts>, emits<>> {
  i64 times = 1;
  TENON_ATTRIBUTES(times)
  void run(ir_module<runs_in>& m, context&) const { m.body().metadata["marked"] = std::to_string(times); }
};
struct all_words : pass_of<"all_words", runs_in<graph>, needs<>, gives<sorted>, breaks<fact::shapes_known>,
                           emits<op::add, op::mul>, eliminates<op::neg>, handles<op::neg>, deletes<>,
                           merges<effect::io>, leaves<effect::random, effect::reads, effect::writes, effect::allocates>,
                           works_on<op::neg>, not_between<open::mark, passes::fuse>,
                           needs_of_device<capability::matrix_unit>, at_most_once, may_find_nothing, version<3>> {};
struct enter : pass_of<"enter", from<phases::ingestion>, to<graph>, needs<facts<>>, keeps<facts<>>, emits<graph_ops>> {
};
}  // namespace closed

constexpr bool equal(const op_set& a, const op_set& b) {
  return a.size == b.size && a.data == b.data;  // lists of the same ops are one set
}
constexpr bool alike(const pass_desc& a, const pass_desc& b) {
  const rare_parts &r = a.more(), &s = b.more();
  return a.name == b.name && a.from == b.from && a.to == b.to && a.needed == b.needed && a.given == b.given &&
         a.broken == b.broken && a.kept == b.kept && equal(a.emits, b.emits) && equal(a.eliminates, b.eliminates) &&
         r.at_most_once == s.at_most_once && r.interval_begin == s.interval_begin && r.interval_end == s.interval_end &&
         r.touches_effects == s.touches_effects && r.treated.size == s.treated.size && r.works_on == s.works_on &&
         r.may_find_nothing == s.may_find_nothing && r.version == s.version;
}
static_assert(sound_pass<closed::mark> && sound_pass<closed::all_words>);
static_assert(alike(pass_desc_of<open::mark>, pass_desc_of<closed::mark>));
static_assert(alike(pass_desc_of<open::all_words>, pass_desc_of<closed::all_words>));
static_assert(meta::same<open::all_words::needs_of_device, closed::all_words::needs_of_device>);
static_assert(detail::plain_pass<closed::mark>, "what most passes say is described in short, in this form too");
static_assert(meta::same<closed::enter::emits, graph_ops> && meta::same<closed::enter::keeps, facts<>>);
static_assert(verdict_of<closed::mark>.code == 2 && verdict_of<passes::infer_shapes, closed::mark>.ok());
static_assert(verdict_of<passes::infer_shapes, closed::mark>.ok());

constexpr std::string_view text = R"(tenon.module phase=optimization
func entry @main(%0: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %1 = neg(%0) : tensor<4xf32>
  return(%1)
}
)";
}  // namespace

TEST_CASE("closed form: by hand, in a pipeline, as text, repeated, and under the laws of passes") {
  context cx;
  cx.verify_each = true;
  auto m = run(closed::mark{{}, 2}, run<passes::infer_shapes>(parse<graph>(text), cx), cx);
  static_assert(decltype(m)::knows<sorted>);
  CHECK(m.body().metadata.at("marked") == "2");

  const auto piped = run_pipeline<pipeline<passes::infer_shapes, repeat<closed::mark>>>(parse<graph>(text), cx);
  CHECK(piped.body().metadata.at("marked") == "1");

  using known = pass_list<passes::infer_shapes, closed::mark>;
  const order o = order::parse("infer_shapes, mark{times=3}", registry_of<known>);
  CHECK(o.text() == "infer_shapes, mark{times=3}");
  const auto ran = o.run(std::make_unique<ir::module>(parse<graph>(text).body()), cx);
  CHECK(ran->metadata.at("marked") == "3");
  using open_list = pass_list<passes::infer_shapes, open::mark>;
  CHECK(o.fingerprint() == order::parse("infer_shapes, mark{times=3}", registry_of<open_list>).fingerprint());

  CHECK_NOTHROW(laws::check_pass<closed::mark>(*ran));
}
