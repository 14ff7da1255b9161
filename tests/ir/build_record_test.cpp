// The record of a build: its entries read back, in text and in files; what it does not write is refused.
#include <doctest/doctest.h>

#include <support/caught.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

namespace {
using namespace tenon;

ir::module recorded() {
  ir::module m;
  m.build.fingerprint = "0123456789abcdef", m.build.target = "cpu:threads=2";
  m.build.values_are_bound = true, m.build.kernels_are_untrusted = true;
  m.build.memory.arenas = {{"", 8256}, {"scratchpad", 64}};
  // A name may hold what separates buffers.
  m.build.memory.buffers = {{0, 3, "4*n"}, {2, 5, "max(`a;b:c`,1)"}};
  m.build.settings.flags = {{"fast", false}, {"with=sign", true}};
  m.build.settings.passes = {{"fuse", {{"max_ops", "8"}, {"max_outputs", "1"}}},
                             {"repeat<a, b>", {{"name", "a \"b\", {c}; d"}, {"none", ""}}}};
  m.metadata["producer"] = "somebody";
  return m;
}

TEST_CASE("what is written is read back, but whether kernels are trusted") {
  const ir::module m = recorded();
  ir::build_record all = m.build, back;
  for (const auto& [key, text] : all.entries()) CHECK(back.take(key, text));
  back.fingerprint = all.fingerprint, all.kernels_are_untrusted = false;
  CHECK(back == all);
  const ir::module from_text = parse(print(m)), from_file = deserialize(serialize(m, "lowering"));
  CHECK(from_text.build == all);
  CHECK(from_file.build == all);
  CHECK(from_text.metadata == m.metadata);
  CHECK(from_file.metadata == m.metadata);
}

TEST_CASE("entries that no pass writes are errors that name the entry") {
  const std::pair<const char*, const char*> odd[] = {{"run_time_buffers", "0:1:64"},
                                                     {"run_time_buffers", "0:64;"},
                                                     {"run_time_buffers", "a:1:64;"},
                                                     {"run_time_buffers", "-1:1:64;"},
                                                     {"run_time_buffers", "0:1:`;"},
                                                     {"arena_bytes", "12x"},
                                                     {"arena_bytes.scratchpad", "-1"},
                                                     {"arena_bytes", ""},
                                                     {"bound_values", "yes"},
                                                     {"flags", ""},
                                                     {"flags", "fast"},
                                                     {"flags", "=on"},
                                                     {"flags", "fast=off,wide=on"},
                                                     {"pass_options", ""},
                                                     {"pass_options", "fuse"},
                                                     {"pass_options", "fuse{}"},
                                                     {"pass_options", "{a=1}"},
                                                     {"pass_options", "fuse{=1}"},
                                                     {"pass_options", "fuse{a=1"},
                                                     {"pass_options", "fuse{a=1}, tile{b=2}"},
                                                     {"pass_options", "fuse{a=1}; "}};
  for (const auto& [key, text] : odd) {
    CAPTURE(text);
    const error e = testing::caught([&] { (void)ir::build_record().take(key, text); });
    CHECK(e.code() == "ir.record");
    CHECK(e.message().find(key) != std::string::npos);
    const error read = testing::caught(
        [&] { (void)parse("tenon.module phase=build {" + std::string(key) + " = \"" + text + "\"}\n"); });
    CHECK(read.code() == "text.record");
    CHECK(read.where().find("1:") != std::string::npos);
  }
  CHECK(!ir::build_record().take("producer", "somebody"));
}

}  // namespace
