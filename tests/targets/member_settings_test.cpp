// What targets say to passes: of a composite, each member for itself.
#include <doctest/doctest.h>

#include <tenon/ir/constraint.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/compilation_plan.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/program_maker.hpp>
#include <tenon/text/all.hpp>

#include <support/caught.hpp>

using namespace tenon;

namespace {

/// What a target says to passes, and a pass of another one that asks.
struct spoken {
  int words = 0;
};
struct speaks : targets::c_source {
  static constexpr fixed_string name = "speaks";
  void configure(context& cx) const {
    targets::c_source::configure(cx);
    cx.set(spoken{1});
    cx.set_flag("spoken", false);
  }
};
struct listen {
  static constexpr fixed_string name = "listen";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>&, context& cx) const {
    heard = cx.get<spoken>().words;
    flag = cx.flag<"spoken">();
  }
  static inline int heard = -1;
  static inline bool flag = false;
};
struct listens : targets::c_source {
  static constexpr fixed_string name = "listens";
  using pipeline = targets::c_source::pipeline::edit<insert_before<passes::use_winograd, listen>>;
};
using overheard = composite<host<speaks>, device<"other", listens>>;

struct asked : targets::c_source {
  static constexpr fixed_string name = "asked";
  static inline int times = 0;
  void configure(context& cx) const {
    ++times;
    targets::c_source::configure(cx);
  }
};

constexpr const char* two_functions = R"(tenon.module phase=ingestion

func entry @main(%0: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) inputs("x") outputs("y", "z") {
  %1 = call(%0) {callee = @encoder} : tensor<2x4xf32>
  %2 = call(%1) {callee = @decoder} : tensor<2x4xf32>
  return(%2, %1)
}

func @encoder(%0: tensor<2x4xf32>) -> (tensor<2x4xf32>) {
  %1 = exp(%0) : tensor<2x4xf32>
  return(%1)
}

func @decoder(%0: tensor<2x4xf32>) -> (tensor<2x4xf32>) {
  %1 = neg(%0) : tensor<2x4xf32>
  return(%1)
}
)";

ir::module constrained_to(const char* member) {
  ir::module m = parse<phases::ingestion>(two_functions).body();
  ir::constrain(m, "decoder", member);
  return m;
}
/// How many of a composite's parts have a word in their source.
size_t parts_with(const ir::module& linked, std::string_view word) {
  size_t n = 0;
  for (const ir::artifact& part : linked.artifacts()) {
    const ir::module built = deserialize({part.bytes.data(), part.bytes.size()});
    for (const ir::artifact& source : built.artifacts())
      n += std::string_view(source.bytes.data(), source.bytes.size()).find(word) != std::string_view::npos;
  }
  return n;
}
/// A composite of two targets that make C, each part by its member.
std::unique_ptr<ir::module> linked_for(const char* target) {
  register_target<targets::c_source>();
  const std::vector<linked_member> members = members_of(parse_target(target));
  context cx;
  const size_t prefix = configure_members(members, 1, cx);
  auto shared = members[0].entry->run(std::make_unique<ir::module>(constrained_to("other")), cx, 0, prefix);
  return link_parts(*shared, members, prefix, cx);
}

}  // namespace

TEST_CASE("what the host says of itself is not said of other members, and what is said of all is") {
  const auto heard = [&](context& cx) {
    listen::heard = -1, listen::flag = false;
    overheard{}.configure(cx);
    (void)build<overheard>(ir_module<phases::ingestion>::adopt(constrained_to("other")), cx);
    return listen::heard;
  };
  context cx;
  CHECK(heard(cx) == 0);
  CHECK(listen::flag);
  CHECK(cx.get<spoken>().words == 1);  // the host's own passes have it
  CHECK(!cx.flag("spoken"));
  context of_all;
  of_all.set(spoken{2});
  CHECK(heard(of_all) == 2);
  CHECK(of_all.get<spoken>().words == 1);
  of_all.set(spoken{3});  // behind what the target said
  CHECK(of_all.get<spoken>().words == 3);
}

TEST_CASE("an entry's name is that of its own member") {
  const auto one = linked_for("composite(c_source:entry=named_entry,other@c_source)");
  CHECK(parts_with(*one, "named_entry") == 1);
  CHECK(parts_with(*one, "tenon_main") == 1);
  const auto two = linked_for("composite(c_source:entry=named_entry,other@c_source:entry=other_entry)");
  CHECK(parts_with(*two, "named_entry") == 1);
  CHECK(parts_with(*two, "other_entry") == 1);
}

TEST_CASE("members are asked once what they say to passes") {
  const std::vector<linked_member> members = composite<host<targets::c_source>, device<"asked", asked>>{}.entries();
  asked::times = 0;
  context cx;
  const size_t prefix = configure_members(members, 1, cx);
  CHECK(asked::times == 1);
  CHECK(common_prefix(members, cx) == prefix);
  CHECK(asked::times == 1);
  CHECK(common_prefix(members) == prefix);
  CHECK(asked::times == 2);
  const std::vector<linked_member> others = overheard{}.entries();
  CHECK(common_prefix(others, cx) == overheard::prefix);  // not those of the context
}
