// needs: llvm
// Public models, split over several members, give what one target gives and what is stored; what the members' pipelines
// begin with ran once, and what fell back to the host was said.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/proto.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/npy.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/xsimd.hpp>

#include "../../examples/custom/my_target/npu.hpp"

#include "support/skip.hpp"

using namespace tenon;

namespace {

using two_cpus = composite<host<targets::cpu>, device<"other", targets::cpu>>;
using vectors = composite<host<targets::cpu>, device<"other", targets::xsimd>>;
using accelerated = composite<host<targets::cpu>, device<"other", mine::npu>>;
using plain_c = composite<host<targets::cpu>, device<"other", targets::c_source>>;

struct collected final : diagnostic_sink {
  std::vector<diagnostic> all;
  void report(const diagnostic& d) override { all.push_back(d); }
};

struct public_model {
  importers::onnx::model model;
  importers::onnx::import_options options;
  std::vector<tensor> inputs, stored;
};

/// A model of one input and one output with its first stored set; nothing where there is no data.
std::optional<public_model> public_model_named(const std::string& name) {
  const char* set = std::getenv("TENON_ONNX_DIR");
  const std::string folder = std::string(set ? set : "") + "/models/" + name;
  if (!std::filesystem::exists(folder + "/model.onnx")) {
    testing::skip("no model: set TENON_ONNX_DIR to a folder that has models/" + name);
    return std::nullopt;
  }
  std::optional<public_model> found(std::in_place);
  public_model& p = *found;
  p.model = importers::onnx::load_model(folder + "/model.onnx");
  p.inputs = {read_npy(folder + "/set0/input_0.npy")}, p.stored = {read_npy(folder + "/set0/output_0.npy")};
  for (const auto& i : p.model.graph.inputs) {
    bool is_weight = false;
    for (const auto& w : p.model.graph.initializers) is_weight = is_weight || w.name == i.name;
    if (!is_weight) p.options.shapes.emplace(i.name, p.inputs[0].shape());
  }
  return found;
}

/// Every other `run` ops for the other member.
void stripe(ir::module& m, size_t run) {
  std::vector<op_id> ops;
  for (function_id f : m.functions())
    for (op_id op : m[m[f].body].ops)
      if (!m.view(op).info().traits.terminator) ops.push_back(op);
  for (size_t i = 0; i < ops.size(); ++i)
    if (i / run % 2 == 1) ir::constrain(m, ops[i], "other");
}

template <class Target>
void check_split(const public_model& p, const std::vector<tensor>& want, size_t run) {
  ir::module m = importers::onnx::import_model(p.model, p.options).body();
  stripe(m, run);
  context cx;
  Target{}.configure(cx);
  const auto built = build<Target>(ir_module<phases::ingestion>::adopt(std::move(m)), cx);

  const std::vector<linked_member> members = Target{}.entries();
  size_t passes = Target::prefix + 1 /* link_parts */, elsewhere = 0;
  ir::for_each_op(built.body(), [&](op_id op) {
    const auto* l = built.body().view(op).template get_if<op::launch>();
    if (!l) return;
    for (const linked_member& member : members)
      if (member.label == l->on) passes += member.entry->passes.size() - Target::prefix;
    elsewhere += l->on == "other" ? 1 : 0;
  });
  CHECK(elsewhere > 0);
  CHECK(cx.records.size() == passes);  // the common passes once, the others once for each part
  for (size_t i = 0; i < Target::prefix; ++i)
    CHECK(cx.records[i].name == std::string_view(members[0].entry->passes[i]->name));

  const std::vector<tensor> got = Target::runtime::load(built.body())->run(p.inputs, 1);
  REQUIRE(got.size() == want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    const comparison one = compare(got[i], want[i], {1e-4, 1e-3, 1e-3, true}),
                     kept = compare(got[i], p.stored[i], {1e-4, 1e-3, 1e-3, true});
    CHECK_MESSAGE(one.ok, "as one target: " << one.message);
    CHECK_MESSAGE(kept.ok, "as stored: " << kept.message);
  }
}

void check_splits(const char* name, size_t run) {
  const auto p = public_model_named(name);
  if (!p) return;
  targets::register_cpu_target();
  const std::vector<tensor> want = session(p->model, session_options{.target = "cpu"}).run(p->inputs);
  INFO(name);
  SUBCASE("cpu and xsimd") { check_split<vectors>(*p, want, run); }
  SUBCASE("two cpus") { check_split<two_cpus>(*p, want, run); }
  SUBCASE("cpu and the made-up accelerator") { check_split<accelerated>(*p, want, run); }
  SUBCASE("cpu and C") {
    if (!has_c_compiler()) return testing::skip("there is no C compiler");
    check_split<plain_c>(*p, want, run);
  }
}

}  // namespace

TEST_CASE("face_landmark in parts") { check_splits("face_landmark", 40); }
TEST_CASE("ppocr_cls in parts") { check_splits("ppocr_cls", 150); }
TEST_CASE("light_squeezenet in parts") { check_splits("light_squeezenet", 30); }

TEST_CASE("what a member does not have falls back to the host, and that is reported") {
  const auto p = public_model_named("face_landmark");
  if (!p) return;
  ir::module m = importers::onnx::import_model(p->model, p->options).body();
  ir::constrain(m, m[m.functions().front()].name, "other");
  size_t convolutions = 0;
  ir::for_each_op(m, [&](op_id op) { convolutions += m.view(op).name() == "conv" ? 1 : 0; });
  context cx;
  collected notes;
  cx.diagnostics = &notes;
  accelerated{}.configure(cx);
  const auto built = build<accelerated>(ir_module<phases::ingestion>::adopt(std::move(m)), cx);
  size_t said = 0;
  for (const diagnostic& d : notes.all)
    said += d.code == "target.fallback" && d.message.find("'other' does not have op 'conv'") != d.message.npos ? 1 : 0;
  CHECK(convolutions > 0);
  CHECK(said == convolutions);
  CHECK(compare(accelerated::runtime::load(built.body())->run(p->inputs, 1)[0], p->stored[0], {1e-4, 1e-3, 1e-3, true})
            .ok);
}
