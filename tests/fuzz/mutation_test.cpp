// Damaged files: text, ONNX and program files with changed, missing and repeated bytes give a tenon::error or a valid
// result; nothing crashes and nothing hangs. Each batch runs in a process of its own.
#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <random>

#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/writer.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "support/random_module.hpp"

using namespace tenon;

namespace {

std::string damaged(std::string s, std::mt19937_64& random, bool text) {
  static const char* const words[] = {"-1", "999999999999999999999", "x", "<", ">", "{", "}", "(", ")", "tensor<", "f32", "@", "%", "\"", "=", "["};
  for (int n = 1 + static_cast<int>(random() % 4); n > 0 && !s.empty(); --n) {
    const size_t at = random() % s.size(), length = std::min<size_t>(s.size() - at, 1 + random() % 16);
    switch (random() % 6) {
      case 0: s[at] = static_cast<char>(random()); break;
      case 1: s.erase(at, length); break;
      case 2: s.insert(at, s.substr(random() % s.size(), length)); break;
      case 3: s.resize(at); break;
      case 4:
        if (text) s.insert(at, words[random() % std::size(words)]);
        else s[at] = static_cast<char>(s[at] ^ (1 << random() % 8));
        break;
      default: s[at] = static_cast<char>(random() % 2 ? 0xff : 0);
    }
  }
  return s;
}

/// Runs `one(i)` for i in [0, count) in batches, each in a process of its own; says which batch did not end well.
template <class F>
std::string survives(int count, F&& one) {
  const int batch = 200;
  for (int from = 0; from < count; from += batch) {
    std::fflush(nullptr);
    int progress[2];
    if (pipe(progress) != 0) return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
      close(progress[0]);
      int result = 0;
      for (int i = from; i < std::min(count, from + batch) && result == 0; ++i) {
        alarm(20);
        if (write(progress[1], &i, sizeof i) != sizeof i) result = 3;
        try {
          one(i);
        } catch (const error&) {
        } catch (...) {
          result = 2;
        }
      }
      _exit(result);
    }
    close(progress[1]);
    int last = -1, i = 0;
    while (read(progress[0], &i, sizeof i) == sizeof i) last = i;
    close(progress[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) return "number " + std::to_string(last) + ": signal " + std::to_string(WTERMSIG(status));
    if (WEXITSTATUS(status) != 0) return "number " + std::to_string(last) + ": an exception that is no tenon::error";
  }
  return "";
}

}  // namespace

TEST_CASE("damaged text") {
  CHECK(survives(2000, [](int i) {
          std::mt19937_64 random(static_cast<u64>(i));
          const std::string text = damaged(print(testing::random_module(static_cast<u64>(i % 40))), random, true);
          const ir::module m = parse(text);
          ir::verify(m);
        }) == "");
}

TEST_CASE("what survives is what it says: the control") {
  CHECK(survives(10, [](int i) {
          if (i == 7) std::abort();
        }) == "number 7: signal 6");
  CHECK(survives(10, [](int i) {
          if (i == 3) throw 1;
        }) == "number 3: an exception that is no tenon::error");
}
