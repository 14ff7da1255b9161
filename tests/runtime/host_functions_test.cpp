// The table of functions that models call by name.
#include <tenon/runtime/host_functions.hpp>

#include <thread>

#include <doctest/doctest.h>

#include <support/caught.hpp>

using namespace tenon;
using testing::caught;

namespace {
std::vector<tensor> same(std::span<const tensor> in) { return {in.begin(), in.end()}; }
}  // namespace

TEST_CASE("functions are found by name, with their state, until they are taken away") {
  int calls = 0;
  add_host_function("table.counted", [&calls](std::span<const tensor> in) {
    ++calls;
    return same(in);
  });
  const host_function f = find_host_function("table.counted");
  const tensor x = tensor::from<float>({2}, {1, 2});
  const std::vector<tensor> y = f.call(f.state.get(), {&x, 1});
  CHECK(calls == 1);
  CHECK(y[0].data() == x.data());  // handed over as it is
  CHECK(remove_host_function("table.counted"));
  CHECK(!remove_host_function("table.counted"));
  CHECK(f.call(f.state.get(), {}).empty());  // who has it keeps it
}

TEST_CASE("names that are taken, empty or not there") {
  add_host_function("table.once", same);
  CHECK(caught([] { add_host_function("table.once", same); }).code() == "host_function.taken");
  CHECK(caught([] { add_host_function("", same); }).code() == "host_function.name");
  CHECK(caught([] { find_host_function("table.onse"); }).hint() == "did you mean 'table.once'?");
  const error absent = caught([] { find_host_function("quite.another"); });
  CHECK(absent.code() == "host_function.absent");
  CHECK(absent.message() == "no function of the host is registered as 'quite.another'");
  CHECK(absent.hint() == "register it before the model runs: tenon::add_host_function(\"quite.another\", f)");
  CHECK(remove_host_function("table.once"));
}

TEST_CASE("from several threads") {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 100; ++i) {
        const std::string name = "table.thread_" + std::to_string(t);
        add_host_function(name, same);
        const host_function f = find_host_function(name);
        static_cast<void>(f.call(f.state.get(), {}));
        remove_host_function(name);
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(!remove_host_function("table.thread_0"));
}
