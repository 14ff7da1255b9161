/// @file proto: ONNX files as plain structs.
///
/// `load_model` maps the file and decodes everything but tensor elements; those stay where they are in the file
/// (or in an external data file) until `to_tensor`, which refers to them when they are aligned and copies otherwise.
/// The structs mirror onnx.proto3 and the fields' names there.
/// Broken input gives tenon::error "onnx.malformed" with file, message and byte offset; nothing here trusts a length.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/dtype.hpp>
#include <tenon/importers/onnx/budget.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon::importers::onnx {

/// TensorProto.DataType, with its numbers.
enum class elem_type : i32 {
  undefined,
  float32,
  uint8,
  int8,
  uint16,
  int16,
  int32,
  int64,
  string,
  boolean,
  float16,
  float64,
  uint32,
  uint64,
  complex64,
  complex128,
  bfloat16,
  float8e4m3fn,
  float8e4m3fnuz,
  float8e5m2,
  float8e5m2fnuz,
  uint4,
  int4,
  float4e2m1,
  float8e8m0,
  uint2,
  int2
};
std::string name_of(elem_type t);
std::optional<dtype> to_dtype(elem_type t);
elem_type to_elem_type(dtype t);
/// A number from a file; one that is too large for an element type is none that is known.
elem_type to_elem_type(i64 number);
/// The same, but a type that has no dtype is tenon::error "onnx.unsupported_type" at `where`.
dtype require_dtype(elem_type t, const std::string& where);

/// The bytes that tensors refer to: a mapped file or memory, its name for errors, and its folder for external data.
struct source;

/// TensorProto. Elements are decoded by `to_tensor`; `message` is the whole encoded message.
struct tensor_proto {
  std::string name;
  elem_type type = elem_type::undefined;
  std::vector<i64> dims;
  bool has_raw = false, is_external = false;
  std::string_view raw;
  struct external_data {
    std::string location;
    u64 offset = 0;
    std::optional<u64> length;
  } external;
  std::string_view message;
  std::shared_ptr<const source> origin;
};

struct sparse_tensor_proto {
  tensor_proto values, indices;
  std::vector<i64> dims;
};

/// The elements of a tensor: by reference where the file holds them aligned, else a copy.
/// Errors: "onnx.unsupported_type", "onnx.malformed" (sizes that do not fit), "onnx.external_data".
tensor to_tensor(const tensor_proto& t);
/// The dense tensor of a sparse one.
tensor to_tensor(const sparse_tensor_proto& t);
/// The elements of a string tensor; they refer to the file.
std::vector<std::string_view> to_strings(const tensor_proto& t);

/// A dimension: a number, a name (equal names are equal numbers), or nothing known.
struct dimension {
  i64 value = -1;      // -1: not a number
  std::string symbol;  // empty: no name
  bool is_known() const { return value >= 0; }
};

struct value_type {
  enum class kind_t : u8 { none, tensor, sparse_tensor, sequence, optional, map, opaque };
  kind_t kind = kind_t::none;
  elem_type element = elem_type::undefined;  // tensors; a map's key type
  bool has_shape = false;                    // a tensor without shape has unknown rank
  std::vector<dimension> dims;
  std::vector<value_type> inner;  // one element for sequence, optional and map
};

struct value_info {
  std::string name;
  value_type type;
};

struct graph;

/// AttributeProto. `type` says which member holds the value.
struct attribute {
  enum class type_t : i32 {
    undefined,
    float_,
    int_,
    string,
    tensor,
    graph,
    floats,
    ints,
    strings,
    tensors,
    graphs,
    sparse_tensor,
    sparse_tensors,
    type_proto,
    type_protos
  };
  std::string name, ref_attr_name;  // ref_attr_name: takes the value of the enclosing function's attribute
  type_t type = type_t::undefined;
  float f = 0;
  i64 i = 0;
  std::string s;
  std::vector<float> floats;
  std::vector<i64> ints;
  std::vector<std::string> strings;
  std::vector<tensor_proto> tensors;  // the single tensor too
  std::vector<sparse_tensor_proto> sparse_tensors;
  std::vector<value_type> types;
  std::vector<std::shared_ptr<const graph>> graphs;

  const tensor_proto* t() const { return tensors.empty() ? nullptr : &tensors.front(); }
  const graph* g() const { return graphs.empty() ? nullptr : graphs.front().get(); }
};
std::string_view name_of(attribute::type_t t);

struct node {
  std::string name, op_type, domain, overload;  // domain "ai.onnx" is read as ""
  std::vector<std::string> inputs, outputs;     // "" stands for an optional one that is left out
  std::vector<attribute> attributes;

  const attribute* find(std::string_view attribute_name) const;
};

struct graph {
  std::string name;
  std::vector<node> nodes;
  std::vector<tensor_proto> initializers;
  std::vector<sparse_tensor_proto> sparse_initializers;
  std::vector<value_info> inputs, outputs, value_infos;
};

struct opset_import {
  std::string domain;
  i64 version = 0;
};

/// FunctionProto: an operator defined by nodes.
struct function {
  std::string name, domain, overload;
  std::vector<std::string> inputs, outputs, attributes;
  std::vector<attribute> attribute_defaults;
  std::vector<node> nodes;
  std::vector<opset_import> opset_imports;
  std::vector<value_info> value_infos;
};

struct model {
  i64 ir_version = 0, model_version = 0;
  std::string producer_name, producer_version, domain;
  std::vector<opset_import> opset_imports;
  std::vector<std::pair<std::string, std::string>> metadata;
  onnx::graph graph;
  std::vector<function> functions;
  bool has_training_info = false;
  std::string file;  // for messages

  /// The version of a domain's operators that this model uses; nothing if it does not import the domain.
  std::optional<i64> opset(std::string_view domain_name = "") const;
};

/// Maps and decodes a model file. Error "onnx.budget" for one of more messages than the budget's bytes allow.
model load_model(const std::string& path, const read_options& options = {});
/// Decodes a model from memory that `owner` keeps alive; no owner: a copy. `folder`: of external data ("" forbids it).
model decode_model(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& name,
                   const std::string& folder = {}, const read_options& options = {});

/// What a `.pb` data file holds: a tensor, a sequence of tensors, or an optional with or without one of these.
struct data_value {
  enum class kind_t : u8 { tensor, sequence, nothing };
  kind_t kind = kind_t::nothing;
  std::vector<tensor> tensors;
};
tensor_proto read_tensor_proto(const std::string& path);
/// Files of TensorProto, SequenceProto and OptionalProto. The format does not say which of them a file is.
tensor read_tensor_pb(const std::string& path);
std::vector<tensor> read_sequence_pb(const std::string& path);
data_value read_optional_pb(const std::string& path);
/// The reader that fits the declared type of a model's input or output.
data_value read_value_pb(const std::string& path, const value_type& declared);

tensor_proto decode_tensor_proto(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& name);
std::vector<tensor> decode_sequence(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& name);
data_value decode_optional(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& name);

/// TensorProto with raw_data, as the ONNX test suites store it.
std::string encode_tensor(const tensor& t, std::string_view name = {});
std::string encode_sequence(const std::vector<tensor>& items, std::string_view name = {});
void write_tensor_pb(const std::string& path, const tensor& t, std::string_view name = {});

}  // namespace tenon::importers::onnx
