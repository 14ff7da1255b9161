// Orders of passes that come as text: the same verdict and sentence as at compile time.
#include <doctest/doctest.h>

#include <tenon/pipeline/order.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;

using all_passes = tn::pass_list<lift, infer, fold, legalize, leave, spoil>;

std::string failure(std::string_view text) {
  try {
    tn::order::parse(text, tn::registry_of<all_passes>);
  } catch (const tn::error& e) {
    return e.what();
  }
  return "accepted";
}

template <class... Passes>
std::string said() {
  constexpr tn::verdict v = tn::verdict_of<Passes...>;
  const tn::meta::phrase p = tn::sentence_of(v);
  return std::string(p.characters, p.length);
}
}  // namespace

TEST_CASE("a right order parses and runs") {
  tn::context cx;
  cx.verify_each = true;
  const tn::order o = tn::order::parse("lift, infer fold,\n legalize, leave", tn::registry_of<all_passes>);
  REQUIRE(o.size() == 5);
  CHECK(std::string_view(o.end_phase()->name) == "code");
  auto body = o.run(std::make_unique<tn::ir::module>(), cx);
  REQUIRE(body);
  REQUIRE(cx.records.size() == 5);
  CHECK(cx.records[2].name == "fold");
  CHECK(cx.records[4].phase == "code");
}

TEST_CASE("the sentence at run time is the one of the compiler") {
  CHECK(failure("lift, infer, legalize, fold, leave") ==
        said<lift, infer, legalize, fold, leave>().substr(12) + " [tenon-E003]");
  CHECK(failure("lift, fold, infer") == said<lift, fold, infer>().substr(12) + " [tenon-E002]");
  CHECK(failure("lift, infer, legalize, leave, fold").find("tenon-E001") != std::string::npos);
}

TEST_CASE("a repair may come from the registry") {
  CHECK(failure("lift, fold") ==
        "pass 'fold' (2nd) needs 'shapes', which no pass before it gives: insert 'infer' before 'fold' [tenon-E002]");
}

TEST_CASE("an unknown pass is named, and the nearest one offered") {
  CHECK(failure("lift, infre") == "there is no pass 'infre'; did you mean 'infer'? [tenon-E026]");
  CHECK(failure("lift, xyzzyplugh_unknown").find("list the passes there are") != std::string::npos);
}

TEST_CASE("an order that starts in a later phase") {
  CHECK_NOTHROW(tn::order::parse("infer, fold", tn::registry_of<all_passes>, &tn::phase_desc_of<graph>));
  CHECK_THROWS_AS(tn::order::parse("lift", tn::registry_of<all_passes>, &tn::phase_desc_of<graph>), tn::error);
}

TEST_CASE("a pass that lies is named by verify_each") {
  tn::context cx;
  cx.verify_each = true;
  cx.set(infer{.lie = true});
  const tn::order o = tn::order::parse("lift, infer, fold", tn::registry_of<all_passes>);
  try {
    o.run(std::make_unique<tn::ir::module>(), cx);
    FAIL("the lie was not found");
  } catch (const tn::error& e) {
    CHECK(e.code() == "tenon-E030");
    CHECK(std::string_view(e.what()).find("pass 'infer' leaves a module of which 'shapes' is said and is not true") !=
          std::string_view::npos);
  }
}

TEST_CASE("too long an order is refused") {
  std::string text = "lift";
  for (int i = 0; i < 200; ++i) text += ",infer";
  CHECK(failure(text).find("at most 128 passes") != std::string::npos);
}

TEST_CASE("nothing to do") {
  tn::context cx;
  const tn::order o = tn::order::parse(" , ", tn::registry_of<all_passes>);
  CHECK(o.size() == 0);
  CHECK(o.run(std::make_unique<tn::ir::module>(), cx) != nullptr);
}
