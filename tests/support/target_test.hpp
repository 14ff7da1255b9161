/// @file target_test: the laws that every target holds, for a target of yours; what `tenon_target_test` (CMake)
/// compiles.
///
///     int main(int argc, char** argv) { return tenon::testing::test_target<mine::npu>(argc, argv); }
///
/// The laws: its text and JSON say the same target again; its device gives back what is brought to it; each pass of its
/// pipeline proves its facts and its phase, makes the same bytes twice, and leaves a module that can be printed and
/// read; programs of random graphs (small static shapes, all element types) give what the interpreter gives, alone and
/// as a device beside the interpreter, with ops scattered over both. Then the ONNX backend tests of the folder that
/// TENON_ONNX_DIR or else an argument names. Exit status 0: all held; 77: there was no ONNX data, and the laws held.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/proto.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/targets/json.hpp>
#include <tenon/text/all.hpp>

#include "support/random_module.hpp"

namespace tenon::testing {

class target_examiner {
 public:
  explicit target_examiner(const target_entry& entry) : entry_(entry), spec_{{}, std::string(entry.name), {}, {}} {}
  int failures() const { return failures_; }

  void check(bool held, const std::string& what) {
    if (held) return;
    if (++failures_ <= 20) std::printf("FAILED: %s\n", what.c_str());
  }
  /// `f` must not throw.
  template <class F>
  void attempt(const std::string& what, F&& f) {
    try {
      f();
    } catch (const error& e) { check(false, what + ": " + e.what() + " [" + e.code() + "]"); }
  }

  void data() {
    attempt("target as data", [&] {
      for (const option_info& o : entry_.options)
        if (!o.initial.empty()) spec_.options.push_back({o.name, o.initial});
      check(parse_target(to_text(spec_)) == spec_, "the target's text says the same target again: " + to_text(spec_));
      check(target_from_json(to_json(spec_)) == spec_,
            "the target's JSON says the same target again: " + to_json(spec_));
      context cx;
      entry_.configure(spec_, 1, cx);
      check(cx.target.has_value(), "the context says what is compiled for");
      spec_.options.clear();
    });
  }

  void device() {
    attempt("device", [&] {
      const auto d = entry_.open_device();
      for (i64 n : {0, 1, 7, 1000}) {
        tensor t(dtype::f32, {n, 3});
        for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i));
        tensor there = d->allocate(t.type(), t.shape()), back(t.type(), t.shape());
        d->copy(there, t);
        d->wait();
        d->copy(back, there);
        d->wait();
        check(same_bits(back, t), "the device gives back what was copied to it (" + t.describe() + ")");
      }
    });
  }

  /// One module through the pipeline, pass by pass, and what it computes.
  void program(const ir::module& m, u64 seed) {
    const std::string text = print(m);
    attempt("module " + std::to_string(seed), [&] {
      const std::vector<tensor> inputs = random_inputs(m, seed), want = interpret(m, "main", inputs);
      auto now = std::make_unique<ir::module>(m), twin = std::make_unique<ir::module>(m);
      context cx, other;
      cx.verify_each = true;
      entry_.configure(spec_, 1, cx);
      entry_.configure(spec_, 1, other);
      for (size_t i = 0; i < entry_.passes.size(); ++i) {
        const std::string pass(std::string_view(entry_.passes[i]->name));
        now = entry_.run(std::move(now), cx, i, i + 1);
        twin = entry_.run(std::move(twin), other, i, i + 1);
        const std::string after = print(*now);
        check(after == print(*twin), pass + " makes the same of the same (seed " + std::to_string(seed) + ")");
        check(print(read(after)) == after,
              "what " + pass + " leaves can be printed and read (seed " + std::to_string(seed) + ")");
      }
      check(now->artifacts().size() == twin->artifacts().size(), "the same artifacts twice");
      for (size_t i = 0; i < now->artifacts().size() && i < twin->artifacts().size(); ++i)
        check(now->artifacts()[i].bytes == twin->artifacts()[i].bytes,
              "the same code twice (seed " + std::to_string(seed) + ")");
      same(entry_.load(*now)->run(inputs, 1), want, "module " + std::to_string(seed));
      beside_interpreter(m, seed, inputs, want);
    });
  }

  /// The backend tests below a folder: passed, failed, skipped.
  void onnx(const std::string& folder, const std::string& filter) {
    namespace fs = std::filesystem;
    std::vector<fs::path> tests;
    for (const auto& e : fs::recursive_directory_iterator(folder))
      if (e.path().filename() == "model.onnx" && fs::is_directory(e.path().parent_path() / "test_data_set_0") &&
          e.path().string().find(filter) != std::string::npos)
        tests.push_back(e.path().parent_path());
    std::sort(tests.begin(), tests.end());
    int count[3] = {};
    const auto& [passed, skipped, disputed] = count;
    for (const fs::path& t : tests) {
      try {
        ++count[static_cast<size_t>(one_onnx(t))];
      } catch (const unsupported_error&) { ++count[static_cast<size_t>(outcome::skipped)]; } catch (const error& e) {
        check(false, t.filename().string() + ": " + e.what() + " [" + e.code() + "]"), ++wrong_;
      }
    }
    std::printf("ONNX: %d passed, %d failed, %d skipped\n", passed, wrong_, skipped);
    if (disputed > 0)
      std::printf("ONNX: %d more differ from what is stored, where the reference interpreter says the same\n",
                  disputed);
    check(passed > 0, "some ONNX test passes");
  }

 private:
  ir::module read(const std::string& text) const {
    const auto built_in = ir::built_in_op_table();
    std::vector<const ir::op_info*> all(built_in.begin(), built_in.end());
    all.insert(all.end(), entry_.ops.begin(), entry_.ops.end());
    return parse(text, "text", {{}, all});
  }
  void same(const std::vector<tensor>& got, const std::vector<tensor>& want, const std::string& what) {
    check(got.size() == want.size(), what + ": number of results");
    for (size_t i = 0; i < want.size() && i < got.size(); ++i) {
      const double t = 6e-2;  // 16-bit floats are rounded in other places after fusion
      const comparison c = compare(got[i], want[i], {t, t, t, false});
      check(c.ok, what + ", result " + std::to_string(i) + ": " + c.message);
    }
  }
  /// Every other op on the target, the rest interpreted.
  void beside_interpreter(const ir::module& m, u64 seed, const std::vector<tensor>& inputs,
                          const std::vector<tensor>& want) {
    ir::module c = m;
    u64 n = seed;
    for (op_id op : c[c[c.find_function("main")].body].ops)
      if (!c.view(op).info().traits.terminator && ++n % 2 == 0) ir::constrain(c, op, "device");
    std::vector<linked_member> members{{"host", &entry_of<targets::interpreter>(), {{}, "interpreter", {}, {}}},
                                       {"device", &entry_, spec_}};
    context cx;
    same(build_linked(std::make_unique<ir::module>(std::move(c)), members, 1, cx)->run(inputs, 1), want,
         "module " + std::to_string(seed) + ", half of it beside the interpreter");
  }
  enum class outcome { passed, skipped, disputed };
  struct onnx_run {
    std::vector<tensor> got, stored;
  };
  /// Nothing where the stored inputs are not the model's.
  static std::optional<onnx_run> run_onnx(const std::filesystem::path& folder, std::string target) {
    importers::onnx::model model = importers::onnx::load_model((folder / "model.onnx").string());
    const importers::onnx::model declared = model;
    session s(std::move(model), session_options{.target = std::move(target), .verify_each = true});
    const auto file = [&](const char* kind, size_t i) {
      return (folder / "test_data_set_0" / (std::string(kind) + "_" + std::to_string(i) + ".pb")).string();
    };
    const auto read = [&](const std::string& path, const auto& declaration) {
      importers::onnx::data_value v = importers::onnx::read_value_pb(path, declaration.type);
      if (v.tensors.size() != 1) throw unsupported_error("test.sequence", "no tensor");
      return v.tensors[0];
    };
    std::vector<tensor> inputs;
    for (size_t i = 0; i < declared.graph.inputs.size() && std::filesystem::exists(file("input", i)); ++i)
      inputs.push_back(read(file("input", i), declared.graph.inputs[i]));
    if (inputs.size() != s.inputs().size()) return std::nullopt;
    onnx_run r{s.run(inputs), {}};
    for (size_t i = 0; std::filesystem::exists(file("output", i)); ++i)
      r.stored.push_back(read(file("output", i), declared.graph.outputs.at(i)));
    return r;
  }
  /// What differs, in a sentence; empty when nothing does.
  static std::string difference(const std::vector<tensor>& got, const std::vector<tensor>& want) {
    if (got.size() < want.size()) return "no output " + std::to_string(got.size()) + " came back";
    for (size_t i = 0; i < want.size(); ++i) {
      const comparison c = compare(got[i], want[i], {.abs = 1e-4, .rel = 1e-3, .norm = 0, .check_norm = false});
      if (!c.ok) return "output " + std::to_string(i) + ": " + c.message;
    }
    return {};
  }
  /// A target is to do what the reference interpreter does: a stored output that this contradicts too is not its fault.
  outcome one_onnx(const std::filesystem::path& folder) {
    const auto r = run_onnx(folder, to_text(spec_));
    if (!r) return outcome::skipped;
    const std::string wrong = difference(r->got, r->stored);
    if (wrong.empty()) return outcome::passed;
    if (difference(r->got, run_onnx(folder, "interpreter")->got).empty()) return outcome::disputed;
    throw error("test.output", wrong);
  }

  const target_entry& entry_;
  target_spec spec_;
  int failures_ = 0, wrong_ = 0;
};

/// All laws. Arguments: the folder of the ONNX tests where TENON_ONNX_DIR is not set, and a part of their names.
template <complete_target T>
int test_target(int argc, char** argv, int modules = 60) {
  register_target<T>();
  target_examiner x(entry_of<T>());
  x.data();
  x.device();
  for (int i = 0; i < modules; ++i) x.program(random_module(static_cast<u64>(9000 + i)), static_cast<u64>(i));
  std::printf("laws of target '%s': %s\n", std::string(entry_of<T>().name).c_str(),
              x.failures() == 0 ? "all held" : "broken");
  const char* set = std::getenv("TENON_ONNX_DIR");
  const std::string folder = set ? std::string(set) + "/tests" : argc > 1 ? argv[1] : "";
  const bool data = !folder.empty() && std::filesystem::is_directory(folder);
  if (data) x.onnx(folder, argc > 2 ? argv[2] : "");
  else std::printf("ONNX: SKIPPED, there is no folder of tests: set TENON_ONNX_DIR\n");
  if (x.failures() != 0) return 1;
  return data ? 0 : 77;
}

}  // namespace tenon::testing
