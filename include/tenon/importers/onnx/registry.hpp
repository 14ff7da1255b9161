/// @file registry: which handler imports which operator.
///
/// A family of operators is a function that returns its table. To add one, write families/NAME.ipp and name it in
/// registry.ipp; a program adds its own operators with `import_options::operators`. A row says how many inputs and
/// outputs a node may have, which attributes, and which elements, as the operator's page does
/// (https://onnx.ai/onnx/operators); where these differ between versions, each has a row. `check_rules` and
/// `check_elements` refuse nodes that break them (rules.hpp).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <tenon/core/int.hpp>

namespace tenon::importers::onnx {

class import_context;
struct node;

using handler = void (*)(import_context&, const node&);

/// How many inputs or outputs a node may have.
struct arity {
  static constexpr i32 any = INT32_MAX;
  i32 least = 0, most = any;
  constexpr arity() = default;
  constexpr arity(i32 exactly) : least(exactly), most(exactly) {}
  constexpr arity(i32 from, i32 to) : least(from), most(to) {}
};
std::string to_text(arity a);

struct registered_operator {
  std::string_view op_type;
  handler import;                ///< null: this version of the operator set no longer has it
  std::string_view domain = {};  ///< "" is ai.onnx
  i64 since = 1;                 ///< the first version of the domain's operator set that has it
  arity inputs = {}, outputs = {};
  /// Name and type of each, "!" behind those that must be given: "axis:i keepdims:i to:i!". Types are f, i, s, t
  /// (tensor), g (graph), sp (sparse tensor) and tp (type); fs, is, ss, ts and gs are lists. Without: any are let
  /// through.
  std::optional<std::string_view> attributes = {};
  /// Which elements the inputs may have: a word for each input, the last one for those behind it, too. Its letters are
  /// f (floats), i (integers), b (bools) and s (texts); "*" is any. Empty: any are let through.
  std::string_view elements = {};
};

namespace families {
std::span<const registered_operator> elementwise();
std::span<const registered_operator> activation();
std::span<const registered_operator> reduce();
std::span<const registered_operator> shape();
std::span<const registered_operator> movement();
std::span<const registered_operator> indexing();
std::span<const registered_operator> matmul();
std::span<const registered_operator> conv_pool();
std::span<const registered_operator> normalization();
std::span<const registered_operator> image();
std::span<const registered_operator> loss();
std::span<const registered_operator> quantize();
std::span<const registered_operator> control();
std::span<const registered_operator> sequence();
std::span<const registered_operator> recurrent();
std::span<const registered_operator> signal();
std::span<const registered_operator> attention();
std::span<const registered_operator> text();
std::span<const registered_operator> random();
std::span<const registered_operator> training();
std::span<const registered_operator> classic();
std::span<const registered_operator> vector_machines();
std::span<const registered_operator> trees();
std::span<const registered_operator> microsoft();
std::span<const registered_operator> microsoft_attention();
std::span<const registered_operator> microsoft_layers();
std::span<const registered_operator> microsoft_weights();
std::span<const registered_operator> experimental();
}  // namespace families

/// The operators that the library imports, sorted by domain, name and version.
std::span<const registered_operator> built_in_operators();

/// The rows of an operator, oldest first.
std::span<const registered_operator> built_in_versions(std::string_view domain, std::string_view op_type);

/// The newest entry of an operator that is not newer than `opset`; null when there is none.
const registered_operator* find_operator(std::span<const registered_operator> extra, std::string_view domain,
                                         std::string_view op_type, i64 opset);

/// The newest version of the standard operator set whose operators are known here.
inline constexpr i64 newest_opset = 28;
/// The newest version of the file format whose fields are known here.
inline constexpr i64 newest_ir_version = 13;

}  // namespace tenon::importers::onnx
