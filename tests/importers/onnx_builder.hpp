/// @file onnx_builder: small ONNX models for tests, written as protobuf messages.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <protozero/pbf_writer.hpp>

#include <tenon/importers/onnx/proto.hpp>

namespace onnx_builder {

using protozero::pbf_writer;
using tenon::i64;
using tenon::importers::onnx::elem_type;

template <class F> std::string message(F&& f) {
  std::string bytes;
  pbf_writer out(bytes);
  f(out);
  return bytes;
}

/// AttributeProto.
inline std::string attribute(const char* name, i64 value) {
  return message([&](pbf_writer& a) { a.add_string(1, name), a.add_int64(3, value), a.add_int32(20, 2); });
}
inline std::string attribute(const char* name, float value) {
  return message([&](pbf_writer& a) { a.add_string(1, name), a.add_float(2, value), a.add_int32(20, 1); });
}
inline std::string attribute(const char* name, const std::string& value) {
  return message([&](pbf_writer& a) { a.add_string(1, name), a.add_bytes(4, value), a.add_int32(20, 3); });
}
inline std::string attribute(const char* name, std::initializer_list<i64> values) {
  return message([&](pbf_writer& a) {
    a.add_string(1, name), a.add_int32(20, 7);
    for (i64 v : values) a.add_int64(8, v);
  });
}
inline std::string attribute_floats(const char* name, std::initializer_list<float> values) {
  return message([&](pbf_writer& a) {
    a.add_string(1, name), a.add_int32(20, 6);
    for (float v : values) a.add_float(7, v);
  });
}
inline std::string attribute_texts(const char* name, const std::vector<std::string>& values) {
  return message([&](pbf_writer& a) {
    a.add_string(1, name), a.add_int32(20, 8);
    for (const std::string& v : values) a.add_bytes(9, v);
  });
}
inline std::string attribute_tensor(const char* name, const tenon::tensor& value) {
  return message([&](pbf_writer& a) {
    a.add_string(1, name), a.add_message(5, tenon::importers::onnx::encode_tensor(value, "")), a.add_int32(20, 4);
  });
}
/// The value of the enclosing function's attribute.
inline std::string reference(const char* name, const char* outer, int type) {
  return message([&](pbf_writer& a) { a.add_string(1, name), a.add_string(21, outer), a.add_int32(20, type); });
}

/// NodeProto.
inline std::string node(const std::string& op, std::vector<std::string> inputs, std::vector<std::string> outputs,
                        std::vector<std::string> attributes = {}, const std::string& name = {},
                        const std::string& domain = {}) {
  return message([&](pbf_writer& n) {
    for (const auto& i : inputs) n.add_string(1, i);
    for (const auto& o : outputs) n.add_string(2, o);
    if (!name.empty()) n.add_string(3, name);
    n.add_string(4, op);
    for (const auto& a : attributes) n.add_message(5, a);
    if (!domain.empty()) n.add_string(7, domain);
  });
}

/// ValueInfoProto of a tensor; a negative dimension is the name "n".
inline std::string value(const std::string& name, std::vector<i64> dims, elem_type type = elem_type::float32) {
  return message([&](pbf_writer& v) {
    v.add_string(1, name);
    pbf_writer outer(v, 2);
    pbf_writer tensor(outer, 1);
    tensor.add_int32(1, static_cast<int>(type));
    pbf_writer shape(tensor, 2);
    for (i64 d : dims) {
      pbf_writer dim(shape, 1);
      if (d >= 0) dim.add_int64(1, d);
      else dim.add_string(2, "n");
    }
  });
}

/// One of which nothing but the name is said.
inline std::string open_value(const std::string& name) {
  return message([&](pbf_writer& v) { v.add_string(1, name); });
}

struct model {
  std::vector<std::string> nodes = {}, inputs = {}, outputs = {}, initializers = {}, functions = {};
  i64 opset = 17;
  std::vector<std::pair<std::string, i64>> domains = {{"local", 1}};
  std::string text() const {
    return message([&](pbf_writer& m) {
      m.add_int64(1, 8);
      {
        pbf_writer o(m, 8);
        o.add_int64(2, opset);
      }
      for (const auto& [domain, version] : domains) {
        pbf_writer o(m, 8);
        o.add_string(1, domain);
        o.add_int64(2, version);
      }
      {
        pbf_writer g(m, 7);
        for (const auto& n : nodes) g.add_message(1, n);
        for (const auto& t : initializers) g.add_message(5, t);
        for (const auto& v : inputs) g.add_message(11, v);
        for (const auto& v : outputs) g.add_message(12, v);
      }
      for (const auto& f : functions) m.add_message(25, f);
    });
  }
};

/// With its bytes, which constants refer to, and results that are constants.
inline tenon::importers::onnx::model decoded(const model& m) {
  const auto bytes = std::make_shared<const std::string>(m.text());
  return tenon::importers::onnx::decode_model(*bytes, bytes, "test.onnx");
}

/// FunctionProto of the domain "local".
inline std::string function(const std::string& name, std::vector<std::string> inputs, std::vector<std::string> outputs,
                            std::vector<std::string> nodes) {
  return message([&](pbf_writer& f) {
    f.add_string(1, name);
    f.add_string(10, "local");
    for (const auto& i : inputs) f.add_string(4, i);
    for (const auto& o : outputs) f.add_string(5, o);
    for (const auto& n : nodes) f.add_message(7, n);
  });
}

template <class T>
std::string initializer(const std::string& name, std::vector<i64> dims, std::initializer_list<T> values) {
  return tenon::importers::onnx::encode_tensor(tenon::tensor::from<T>(dims, values), name);
}

}  // namespace onnx_builder
