// What code needs of a processor, and what this one has.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include <tenon/runtime/processor.hpp>
#include <tenon/runtime/program_file.hpp>

#include <support/caught.hpp>
#include <support/skip.hpp>

using namespace tenon;

namespace {

/// One that this processor lacks: AMD has left xop, and never had amx-tile.
std::string lacking() {
  for (const std::string_view f : processor_features())
    if (!processor_has(f)) return std::string(f);
  return {};
}
std::string having() {
  for (const std::string_view f : processor_features())
    if (processor_has(f)) return std::string(f);
  return {};
}

/// A program file whose code is none: what is said of its processor is asked first.
std::string forged(const std::string& target) {
  program::parts parts;
  parts.target = target;
  const char code[] = "no code";
  return program_bytes(parts, code, "tenon_main");
}
error opening(const std::string& bytes) {
  return testing::caught([&] { open_program(read_program(bytes, nullptr, "model.tenon")); });
}

}  // namespace

TEST_CASE("a processor has what it has, and nothing else") {
  CHECK_FALSE(processor_has("sse9"));
  CHECK_FALSE(processor_has(""));
  const auto names = processor_features();
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
#if defined(__x86_64__)
  CHECK(std::count(names.begin(), names.end(), "avx512f") == 1);
  CHECK(processor_level().substr(0, 6) == "x86-64");
  CHECK((processor_level() < "x86-64-v3" || processor_has("avx2")));
  CHECK((processor_level() < "x86-64-v4" || processor_has("avx512vl")));
  CHECK_FALSE((processor_has("xop") && processor_has("amx-tile")));
  std::string info;  // what Linux says of the same processor
  std::ifstream file("/proc/cpuinfo");
  std::getline(file, info, '\0');
  const size_t at = info.find("vendor_id");
  if (at == info.npos) return;
  const std::string vendor = info.substr(info.find(": ", at) + 2, 12);
  CHECK(processor_model().substr(0, 13) == vendor + " ");
#endif
}

TEST_CASE("what a target's text says is read wherever it stands") {
  const std::string no = lacking();
  if (no.empty()) return testing::skip("nothing is known of other processors");
  using list = std::vector<std::string>;
  CHECK(missing_features("cpu:features=+" + no) == list{no});
  CHECK(missing_features("cpu:features=+" + no + ",threads=2") == list{no});
  CHECK(missing_features("cpu:threads=2,features=\"-64bit,+" + no + "\"") == list{no});
  CHECK(missing_features("composite(cpu,second@cpu:arch=znver4,features=+" + no + ")") == list{no});
  for (const std::string text : {"", "cpu", "cpu:arch=znver4", "cpu:features=", "cpu:features=\"", "cpu:features=-",
                                 "my_features=+", "features"})
    CHECK_MESSAGE(missing_features(text.ends_with('-') || text.ends_with('+') ? text + no : text).empty(), text);
  CHECK(missing_features("cpu:features=\"+" + having() + ",+" + no + "x,+clzero\"").empty());
}

TEST_CASE("a program made for another processor is refused before its code is touched") {
  const std::string no = lacking();
  if (no.empty()) return testing::skip("nothing is known of other processors");
  const error e = opening(forged("cpu:arch=granite,features=\"+" + having() + ",+" + no + "\""));
  CHECK(e.code() == "program.processor");
  CHECK(e.where() == "model.tenon");
  CHECK(e.message() == "the code needs what this processor, an " + std::string(processor_level()) +
                           ", does not have: " + no + "; it was made for granite");
  CHECK(e.hint().find("--arch " + std::string(processor_level())) != std::string::npos);
  CHECK(read_program(forged("cpu:features=+" + no), nullptr, "model.tenon").parts.name ==
        "main");  // it can be looked at
  for (const std::string fits : {"cpu", "c_source"}) CHECK(opening(forged(fits)).code() == "artifact.load");
  CHECK(opening(forged("cpu:features=+" + having())).code() == "artifact.load");
}
