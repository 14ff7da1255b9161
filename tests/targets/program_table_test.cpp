// needs: llvm
// Program files whose tables were edited and whose checksums are right: an error, or the program that was written;
// never a crash.
#include <doctest/doctest.h>

#include <elf.h>

#include <cstdlib>
#include <cstring>

#include <tenon/core/byte_stream.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/host_cpu.hpp>
#include <tenon/text/parse.hpp>

#include "support/survives.hpp"

using namespace tenon;
using testing::survives;

namespace {

/// One with constants, an arena and known shapes; one whose shapes are symbols, with conditions and buffers placed for
/// each run.
const char* const texts[] = {R"(tenon.module phase=ingestion
constant #0 "w" : tensor<8x5xf32> = [0.5, -1, 2, 0.25, 3, 0.5, -1, 2, 0.25, 3, 0.5, -1, 2, 0.25, 3, 0.5, -1, 2, 0.25, 3, 0.5, -1, 2, 0.25, 3, 0.5, -1, 2, 0.25, 3, 0.5, -1, 2, 0.25, 3, 0.5, -1, 2, 0.25, 3]
func entry @main(%x: tensor<3x8xf32>) -> (tensor<3x5xf32>) inputs("x") outputs("y") {
  %w = constant() {value = #0} : tensor<8x5xf32>
  %m = matmul(%x, %w) : tensor<3x5xf32>
  %s = softmax(%m) {axis = 1} : tensor<3x5xf32>
  %y = mul(%s, %m) : tensor<3x5xf32>
  return(%y)
}
)",
                             R"(tenon.module phase=ingestion
constant #0 "w" : tensor<8x5xf32> = [0.5, -1, 2, 0.25, 3, 0.5, -1, 2, 0.25, 3, 0.5, -1, 2, 0.25, 3, 0.5, -1, 2, 0.25, 3, 0.5, -1, 2, 0.25, 3, 0.5, -1, 2, 0.25, 3, 0.5, -1, 2, 0.25, 3, 0.5, -1, 2, 0.25, 3]
func entry @main(%x: tensor<nx8xf32>, %z: tensor<nx5xf32>) -> (tensor<nx5xf32>) inputs("x", "z") outputs("y") {
  %w = constant() {value = #0} : tensor<8x5xf32>
  %m = matmul(%x, %w) : tensor<nx5xf32>
  %s = softmax(%m) {axis = 1} : tensor<nx5xf32>
  %y = mul(%s, %z) : tensor<nx5xf32>
  return(%y)
}
)"};

std::string file_of(const char* text) {
  return program_file(build<targets::cpu>(parse<phases::ingestion>(text)).body());
}

std::vector<tensor> inputs_of(const program& p) {
  std::vector<tensor> list;
  for (const port& i : p.inputs()) {
    std::vector<i64> shape = i.shape;
    for (i64& d : shape)
      if (d < 0) d = 3;
    tensor t(i.type, shape);
    for (i64 k = 0; k < t.size(); ++k) t.set_f64(k, 0.25 * static_cast<double>(k % 7));
    list.push_back(std::move(t));
  }
  return list;
}
tensor run_of(const std::string& file) {
  const auto kept = std::make_shared<const std::string>(file);
  const program p = open_program(read_program(*kept, kept, "edited"));
  return p.run(inputs_of(p), 1).at(0);
}

/// A table as it is spelled: a number or a text at a time.
struct token {
  bool is_text = false;
  u64 number = 0;
  std::string text;
};
class table_reader {
 public:
  explicit table_reader(std::string_view bytes) : in_(bytes, "test", where_, "") {
    for (int i = 0; i < 4; ++i) text();  // name, target, fingerprint, symbol
    number();                            // the arena
    for (int i = 0; i < 2; ++i)
      for (u64 ports = number(); ports > 0; --ports) {
        text(), number();
        for (u64 rank = number(); rank > 0; --rank) number();
      }
    for (int i = 0; i < 2; ++i)
      for (u64 n = number(); n > 0; --n) text();
    for (u64 buffers = number(); buffers > 0; --buffers) number(), number(), text();
    number();  // the code's size
    for (u64 constants = number(); constants > 0; --constants) {
      number();
      for (u64 rank = number(); rank > 0; --rank) number();
    }
    for (u64 steps = number(); steps > 0; --steps) {
      number(), text();
      for (u64 sources = number(); sources > 0; --sources) text();
      text();  // its operations and bytes
    }
    CHECK(in_.left() == 0);
  }
  std::vector<token> tokens;

 private:
  u64 number() { return tokens.emplace_back(token{false, in_.number(), {}}).number; }
  void text() { tokens.push_back({true, 0, in_.text()}); }
  const std::string where_ = "table";
  byte_reader in_;
};

std::string spelled(const std::vector<token>& tokens) {
  byte_writer w;
  for (const token& t : tokens) t.is_text ? w.text(t.text) : w.number(t.number);
  return std::move(w.bytes);
}

/// The same sections behind another table.
std::string with_table(std::string_view file, std::string table) {
  const framed frame = open_frame(file, program_file_kind, "whole");
  const size_t sections = (frame.table.size() + file_alignment - 1) / file_alignment * file_alignment;
  frame_writer w(std::move(table));
  w.section(frame.body.data() + sections, frame.body.size() - sections);
  return std::move(w).finish(program_file_kind);
}

std::vector<token> absurd(const token& t) {
  std::vector<token> list;
  if (t.is_text) {
    for (std::string s : {std::string(), std::string("x"), t.text + "x", std::string("\xff\0n", 3),
                          std::string(3000, '('), std::string("-n"), std::string("n*n*4611686018427387904")})
      list.push_back({true, 0, std::move(s)});
    return list;
  }
  for (u64 v : {u64{0},        u64{1},       u64{2},       t.number + 1, t.number - 1, t.number * 2, t.number / 2,
                t.number + 64, u64{17},      u64{23},      u64{127},     u64{128},     u64{65535},   u64{1} << 20,
                u64{1} << 31,  u64{1} << 40, u64{1} << 46, u64{1} << 62, u64{1} << 63, ~u64{0}})
    if (v != t.number) list.push_back({false, v, {}});
  return list;
}

}  // namespace

TEST_CASE("each field of the table with absurd values") {
  for (const char* text : texts) {
    const std::string whole = file_of(text);
    const tensor want = run_of(whole);
    const std::vector<token> tokens = table_reader(open_frame(whole, program_file_kind, "whole").table).tokens;
    CHECK(same_bits(run_of(with_table(whole, spelled(tokens))), want));
    std::vector<std::string> files;
    for (size_t i = 0; i < tokens.size(); ++i)
      for (token& t : absurd(tokens[i])) {
        std::vector<token> edited = tokens;
        edited[i] = std::move(t);
        files.push_back(with_table(whole, spelled(edited)));
      }
    CHECK(files.size() > 300);
    CHECK(survives(static_cast<int>(files.size()), [&](int i) {
            if (!same_bits(run_of(files[static_cast<size_t>(i)]), want)) std::abort();  // another program was run
          }) == "");
  }
}

TEST_CASE("an output of a smaller type is not what the code writes; code that is cut short is not loaded") {
  const std::string whole = file_of(texts[0]);
  const auto failure = [](const std::string& file) {
    try {
      run_of(file);
    } catch (const error& e) { return e.code(); }
    return std::string("no error");
  };
  const std::vector<token> tokens = table_reader(open_frame(whole, program_file_kind, "whole").table).tokens;
  size_t output = 0, code = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is_text && tokens[i].text == "y") output = i + 1;
    if (!tokens[i].is_text && tokens[i].number > 1000) code = i;
  }
  std::vector<token> edited = tokens;
  REQUIRE(edited[output].number == static_cast<u64>(dtype::f32));
  edited[output].number = static_cast<u64>(dtype::u8);
  CHECK(failure(with_table(whole, spelled(edited))) == "program.interface");
  edited = tokens, edited[code].number /= 4;
  CHECK(failure(with_table(whole, spelled(edited))) == "artifact.load");
  // Code that does not say what it was made for is not run either.
  const auto built = build<targets::cpu>(parse<phases::ingestion>(texts[0]));
  const auto linked = link(artifact_of<formats::elf_object>(built));
  program::parts parts = load(built).description();
  CHECK(failure(program_bytes(parts, linked.bytes(), linked.symbol())) == "program.interface");
}

TEST_CASE("what a shared object says of itself, edited word by word, is an error or is loaded") {
  const auto linked = link(artifact_of<formats::elf_object>(build<targets::cpu>(parse<phases::ingestion>(texts[0]))));
  const std::string whole(linked.bytes().begin(), linked.bytes().end());
  CHECK_NOTHROW(loaded_code(whole, linked.symbol()));
  Elf64_Ehdr header;
  std::memcpy(&header, whole.data(), sizeof header);
  std::vector<size_t> places;  // words of the header and of the segments' descriptions
  for (size_t at = 16; at < sizeof header; at += 2) places.push_back(at);
  for (size_t at = header.e_phoff; at < header.e_phoff + header.e_phnum * sizeof(Elf64_Phdr); at += 8)
    places.push_back(at);
  const u64 values[] = {
      0, 1, 7, 63, 4096, 65535, u64{1} << 20, u64{1} << 31, u64{1} << 40, u64{1} << 62, u64{1} << 63, ~u64{0}};
  const int count = static_cast<int>(places.size() * std::size(values));
  CHECK(survives(count, [&](int i) {
          std::string edited = whole;
          const size_t at = places[static_cast<size_t>(i) / std::size(values)];
          std::memcpy(edited.data() + at, &values[static_cast<size_t>(i) % std::size(values)],
                      at < sizeof header ? 2 : 8);
          loaded_code code(edited, linked.symbol());
        }) == "");
  CHECK(survives(200, [&](int i) {
          loaded_code code(std::span(whole.data(), whole.size() * static_cast<size_t>(i) / 200), linked.symbol());
        }) == "");
}
