// needs: llvm
// Code made in processes of its own: the same code, the same errors, and what LLVM runs out of is an error.
#include <doctest/doctest.h>

#include <csignal>
#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

#include <tenon/core/attempt.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/text/parse.hpp>

#include "../src/native/apart.hpp"
#include "support/caught.hpp"

using namespace tenon;
using testing::caught;
using testing::code_of;

namespace {

struct apart_here {
  apart_here() { codegen::make_code_apart(true); }
  ~apart_here() { codegen::make_code_apart(false); }
};

ir_module<phases::ingestion> doubled() {
  return parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %y = add(%x, %x) : tensor<4xf32>
  return(%y)
}
)");
}
ir_module<phases::built> built() {
  context cx;
  targets::cpu{}.configure(cx);
  return build<targets::cpu>(doubled(), cx);
}

}  // namespace

TEST_CASE("code that was made apart is the same code") {
  const auto here = built();
  const apart_here apart;
  const auto there = built();
  REQUIRE(there.body().artifacts().size() == 1);
  CHECK(there.body().artifacts()[0].bytes == here.body().artifacts()[0].bytes);
  const program p = load(there);
  CHECK(p.run({tensor::from<float>({4}, {1, 2, 3, 4})}, 1).at(0).at_f64(3) == 8);
  targets::cpu unknown;
  unknown.arch = "no_such_processor";
  context cx;
  const error e = caught([&] { unknown.configure(cx), build<targets::cpu>(doubled(), cx); });
  codegen::make_code_apart(false);
  const error same = caught([&] { unknown.configure(cx), build<targets::cpu>(doubled(), cx); });
  CHECK(std::string(e.what()) == same.what());
}

TEST_CASE("each way in which a process can end is an answer or an error") {
  CHECK(codegen::run_apart("it", [] { return std::string(100'000, 'x'); }) == std::string(100'000, 'x'));
  CHECK(codegen::run_apart("it", [] { return std::string(); }) == "");
  const error own =
      caught([] { codegen::run_apart("it", []() -> std::string { throw error("a.code", "what", "where", "hint"); }); });
  CHECK(std::string(own.what()) == error("a.code", "what", "where", "hint").what());
  // What a program goes on by comes through.
  const auto thrown = [](auto step) { return attempt([&] { codegen::run_apart("it", step); }); };
  CHECK(thrown([]() -> std::string { throw usage_error("a.code", "what"); }).as<usage_error>() != nullptr);
  CHECK(thrown([]() -> std::string { throw unsupported_error("a.code", "what"); }).as<unsupported_error>() != nullptr);
  const error memory = caught([] {
    codegen::run_apart("it", [] { return std::string(static_cast<char*>(::operator new(size_t{1} << 60)), 1); });
  });
  CHECK(std::string(memory.what()) ==
        "it: there is not enough memory to make the code; allow more, or use a smaller model or --target interpreter "
        "[codegen.memory]");
  CHECK(code_of([] { codegen::run_apart("it", []() -> std::string { throw std::bad_alloc(); }); }) == "codegen.memory");
  CHECK(std::string(caught([] {
                      codegen::run_apart("it", []() -> std::string { throw std::runtime_error("no threads"); });
                    }).what())
            .find("no threads") != std::string::npos);
  CHECK(code_of([] { codegen::run_apart("it", []() -> std::string { throw 1; }); }) == "codegen.process");
  const error ended = caught([] { codegen::run_apart("it", []() -> std::string { std::abort(); }); });
  CHECK(std::string(ended.what()).find("ended by signal 6") != std::string::npos);
  CHECK(code_of([] { codegen::run_apart("it", []() -> std::string { ::_exit(0); }); }) == "codegen.process");
  CHECK(code_of([] { codegen::run_apart("it", []() -> std::string { ::_exit(3); }); }) == "codegen.process");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("however little memory there is, making code gives the code or an error") {
  const apart_here apart;
  const auto want = built();
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t now = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
  int failed = 0, made = 0;
  for (rlim_t more = 0; more <= rlim_t{64} << 20; more += rlim_t{512} << 10) {
    rlimit before{};
    getrlimit(RLIMIT_AS, &before);
    rlimit less = before;
    less.rlim_cur = now + more;
    setrlimit(RLIMIT_AS, &less);
    std::string code;
    try {
      made += built().body().artifacts()[0].bytes == want.body().artifacts()[0].bytes ? 1 : 0;
    } catch (const error& e) { code = e.code(); } catch (const std::bad_alloc&) {
      code = "codegen.memory";  // of this process
    }
    setrlimit(RLIMIT_AS, &before);
    if (code.empty()) continue;
    ++failed;
    CHECK_MESSAGE((code == "codegen.memory" || code == "codegen.process" || code == "tensor.memory"), code);
  }
  CHECK(failed > 0);
  CHECK(made > 0);
}
#endif
