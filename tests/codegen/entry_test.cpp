// needs: llvm
// Entries of many steps: the code is several functions, and a run is what it is with one.
#include <doctest/doctest.h>

#include <algorithm>

#include <tenon/compile/codegen.hpp>
#include <tenon/runtime/run_observer.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/text/parse.hpp>

#include "support/caught.hpp"

using namespace tenon;

namespace {

constexpr int many = 700;

/// A slot of x + 1, `count` results that are each the one before and 1, and a copy of the last.
ir_module<phases::build> chain(int count) {
  std::string parameters = "%x: buffer<4xf32>", types, body = "  %s = slot() : buffer<4xf32>\n", from = "%s";
  body += "  call_native(%x, %s) {kernel = @next}\n";
  for (int i = 0; i <= count; ++i) {
    const std::string to = "%r" + std::to_string(i);
    parameters += ", " + to + ": buffer<4xf32>";
    types += (i == 0 ? "" : ", ") + std::string("buffer<4xf32>");
    body += i < count ? "  call_native(" + from + ", " + to + ") {kernel = @next}\n"
                      : "  copy_buffer(" + from + ", " + to + ")\n";
    from = to;
  }
  return parse<phases::build>("tenon.module phase=build {arena_bytes = \"64\"}\nfunc entry @main(" + parameters +
                              ") -> (" + types + ") target(\"cpu\") {\n" + body + R"(  return()
}
kernel @next(%a: buffer<4xf32>, %b: buffer<4xf32>) target("cpu") {
  %zero = loop.literal() {type = index, integer = 0} : index
  %four = loop.literal() {type = index, integer = 4} : index
  %one = loop.literal() {type = f32, real = 1} : f32
  loop.for(%zero, %four) ({ ^(%i: index):
    %x = loop.load(%a[%i]) : f32
    %y = loop.scalar(%x, %one) {fn = add} : f32
    loop.store(%y, %b[%i])
    loop.yield()
  })
  return()
}
)");
}
program chain_program(int count) {
  context cx;
  targets::cpu target;
  target.denormals = targets::denormals::flush;
  target.configure(cx);
  return load(passes::generate_code{}.run(chain(count), cx));
}
const std::vector<tensor> x = {tensor::from<float>({4}, {1, 2, 3, 4})};

bool has_denormals() {
  volatile float least = 1e-40F;
  return least * 2 != 0;
}

/// How many calls the longest function of the code has.
size_t longest(int count, bool& in_parts) {
  codegen::options o;
  o.keep_text = true;
  const std::string text = codegen::emit_object(chain(count).body(), o).ir;
  in_parts = text.find(".part") != std::string::npos;
  size_t most = 0, now = 0;
  for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string_view line = std::string_view(text).substr(at, end - at);
    now = line.starts_with("define") ? 0 : now + (line.find("call void") != line.npos ? 1 : 0);
    most = std::max(most, now);
  }
  return most;
}

/// Tells where a run is, and may stop it.
struct observer final : run_observer {
  void step_done(const run_step& step, i64, i64, const work_total*) noexcept override {
    names.push_back(step.name);
    if (names.size() == stop_at) flag.request();
  }
  std::vector<std::string> names;
  stop_flag flag;
  size_t stop_at = 0;
};

}  // namespace

TEST_CASE("no function of an entry's code grows with the number of its steps") {
  bool in_parts = true;
  const size_t few = longest(5, in_parts);
  CHECK(few >= 7);
  CHECK(!in_parts);
  const size_t more = longest(many, in_parts);
  CHECK(in_parts);
  CHECK(more > few);
  CHECK(longest(3 * many, in_parts) == more);
}

TEST_CASE("what functions of one entry share is right in each: arguments, slots, the order and numbers of steps") {
  const program p = chain_program(many);
  observer all;
  std::vector<tensor> y;
  {
    const observed_runs watch(all);
    y = p.run(x);
  }
  REQUIRE(y.size() == many + 1);
  for (int i = 0; i <= many; ++i)
    for (i64 k = 0; k < 4; ++k)
      REQUIRE(y[static_cast<size_t>(i)].at_f64(k) == static_cast<double>(k + 1 + std::min(i + 2, many + 1)));
  REQUIRE(all.names.size() == many + 2);
  CHECK(std::count(all.names.begin(), all.names.end(), "next") == many + 1);
  CHECK(all.names.back() == "copy");
  CHECK(has_denormals());
}

TEST_CASE("a run that is stopped in one function of an entry does nothing in those behind it") {
  const program p = chain_program(many);
  observer some;
  some.stop_at = 300;
  std::vector<tensor> y;
  for (int i = 0; i <= many; ++i) y.push_back(tensor::from<float>({4}, {-1, -1, -1, -1}));
  {
    const observed_runs watch(some);
    CHECK(testing::code_of([&] { p.run_into(x, y, {.stop = &some.flag}); }) == "program.stopped");
  }
  CHECK(std::count(some.names.begin(), some.names.end(), "next") == 300);
  CHECK(y[298].at_f64(0) == 301);
  CHECK(y[299].at_f64(0) == -1);
  CHECK(y[many - 1].at_f64(0) == -1);
  CHECK(has_denormals());
}
