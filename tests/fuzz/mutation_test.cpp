// Damaged files: text, ONNX and program files with changed, missing and repeated bytes give a tenon::error or a valid
// result; nothing crashes and nothing hangs. Each batch runs in a process of its own.
#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>

#include <tenon/importers/onnx.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "importers/onnx_builder.hpp"
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
      for (int s : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGTERM}) std::signal(s, SIG_DFL);  // doctest has handlers
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

TEST_CASE("damaged ONNX files") {
  using namespace onnx_builder;
  namespace onnx = importers::onnx;
  const std::vector<std::string> files = {
      model{.nodes = {node("Add", {"x", "w"}, {"s"}, {}, "first"), node("Relu", {"s"}, {"y"})},
            .inputs = {value("x", {4})},
            .outputs = {value("y", {4})},
            .initializers = {initializer<float>("w", {4}, {1, 2, 3, 4})}}.text(),
      model{.nodes = {node("Conv", {"x", "w"}, {"c"}, {attribute("pads", {1, 1, 1, 1}), attribute("strides", {2, 2})}),
                      node("MaxPool", {"c"}, {"p"}, {attribute("kernel_shape", {2, 2})}), node("Shape", {"p"}, {"s"}),
                      node("Reshape", {"p", "s"}, {"y"})},
            .inputs = {value("x", {1, 2, 8, 8})},
            .outputs = {value("y", {1, 2, -1, 2})},
            .initializers = {tenon::importers::onnx::encode_tensor(tensor(dtype::f32, {2, 2, 3, 3}), "w")}}.text(),
      model{.nodes = {node("Concat", {"x", "x"}, {"c"}, {attribute("axis", i64{0})}), node("Slice", {"c", "a", "b"}, {"d"}),
                      node("Gather", {"d", "a"}, {"e"}), node("Softmax", {"e"}, {"y"})},
            .inputs = {value("x", {-1, 3})},
            .outputs = {value("y", {1, 3})},
            .initializers = {initializer<i64>("a", {1}, {0}), initializer<i64>("b", {1}, {5})}}.text()};
  for (const std::string& f : files) CHECK_NOTHROW(onnx::import_model(onnx::decode_model(f, nullptr, "whole.onnx"), {}));
  CHECK(survives(2000, [&](int i) {
          std::mt19937_64 random(static_cast<u64>(i));
          const std::string bytes = damaged(files[static_cast<size_t>(i) % files.size()], random, false);
          ir::verify(onnx::import_model(onnx::decode_model(bytes, nullptr, "damaged.onnx"), {}).body());
        }) == "");
}

TEST_CASE("damaged program files, with the checksum they had and with a right one") {
  program::parts parts;
  parts.arena_bytes = 256, parts.target = "cpu";
  parts.inputs = {{"x", dtype::f32, {2, 3}}}, parts.outputs = {{"y", dtype::f32, {2, 3}}};
  parts.constants = {tensor(dtype::f32, {2, 3}), tensor(dtype::i8, {5})};
  const std::string path = "tenon_damaged_" + std::to_string(getpid()) + ".tenon";
  save_program(path, parts, std::string("no code at all"), "tenon_main");
  std::string whole;
  {
    std::FILE* f = std::fopen(path.c_str(), "rb");
    REQUIRE(f != nullptr);
    char buffer[4096];
    for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, f)) > 0;) whole.append(buffer, n);
    std::fclose(f);
  }
  // The header: magic (8), then 64-bit or narrower fields; its size and checksum are found by their values.
  const u64 header = 64, size = whole.size(), sum = XXH3_64bits(whole.data() + header, whole.size() - header);
  const auto place_of = [&](u64 v) { return whole.substr(0, header).find(std::string(reinterpret_cast<const char*>(&v), sizeof v)); };
  const size_t size_at = place_of(size), sum_at = place_of(sum);
  REQUIRE(size_at < header);
  REQUIRE(sum_at < header);
  CHECK(survives(2000, [&](int i) {
          std::mt19937_64 random(static_cast<u64>(i));
          std::string bytes = damaged(whole, random, false);
          if (i % 2 == 1 && bytes.size() > header) {
            const u64 now = bytes.size(), good = XXH3_64bits(bytes.data() + header, bytes.size() - header);
            bytes.replace(size_at, sizeof now, reinterpret_cast<const char*>(&now), sizeof now);
            bytes.replace(sum_at, sizeof good, reinterpret_cast<const char*>(&good), sizeof good);
          }
          std::FILE* f = std::fopen(path.c_str(), "wb");
          std::fwrite(bytes.data(), 1, bytes.size(), f);
          std::fclose(f);
          program::open(path);
        }) == "");
  std::remove(path.c_str());
}

TEST_CASE("what survives is what it says: the control") {
  CHECK(survives(10, [](int i) {
          if (i == 7) std::abort();
        }) == "number 7: signal 6");
  CHECK(survives(10, [](int i) {
          if (i == 3) throw 1;
        }) == "number 3: an exception that is no tenon::error");
}
