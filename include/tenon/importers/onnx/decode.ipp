/// @file decode: definitions of the decoders of tensors and types; proto.ipp has those of nodes, graphs and models.
#pragma once

#include <algorithm>
#include <charconv>

#include <tenon/importers/onnx/proto.hpp>
#include <tenon/importers/onnx/wire.hpp>

namespace tenon::importers::onnx {
namespace detail {

value_type decode_type(std::string_view bytes, const position& where);

inline std::string normal_domain(std::string_view d) { return d == "ai.onnx" ? std::string() : std::string(d); }

inline std::pair<std::string, std::string> decode_entry(std::string_view bytes, const position& where) {
  std::pair<std::string, std::string> entry;
  each_field(bytes, where, [&](field& f) {
    if (f.tag() == 1) entry.first = f.string();
    if (f.tag() == 2) entry.second = f.string();
  });
  return entry;
}

/// Checks what sizes later code multiplies: dims are not negative and their product is a possible size.
inline void check_dims(const std::vector<i64>& dims, const position& where, const char* at, const std::string& name) {
  u64 count = 1;
  bool overflow = false;  // zeros are left out: the strides of [0, 2^40, 2^40] would not fit either
  for (const i64 d : dims) {
    if (d < 0) where.fail("tensor '" + name + "' has the dimension " + std::to_string(d), at);
    if (d != 0) overflow |= __builtin_mul_overflow(count, static_cast<u64>(d), &count);
  }
  if (overflow || count > (u64{1} << 58))
    where.fail("tensor '" + name + "' has more elements than memory can hold", at);
}

inline void read_external(tensor_proto& t, std::string_view bytes, const position& where) {
  const auto [key, value] = decode_entry(bytes, where.in("StringStringEntryProto"));
  const auto number = [&] {
    u64 n = 0;
    const auto r = std::from_chars(value.data(), value.data() + value.size(), n);
    if (r.ec != std::errc() || r.ptr != value.data() + value.size())
      where.fail("external data has the " + key + " '" + value + "', which is not a number", bytes.data());
    return n;
  };
  if (key == "location") t.external.location = value;
  if (key == "offset") t.external.offset = number();
  if (key == "length") t.external.length = number();
}

inline tensor_proto decode_tensor(std::string_view bytes, const position& where) {
  tensor_proto t;
  t.message = bytes;
  t.origin = where.origin;
  each_field(bytes, where, [&](field& f) {
    switch (f.tag()) {
      case 1: f.each_integer([&](i64 d) { t.dims.push_back(d); }); break;
      case 2: t.type = to_elem_type(f.integer()); break;
      case 3: where.fail("segmented tensors are not supported", f.start(), "store the tensor in one piece"); break;
      case 8: t.name = f.string(); break;
      case 9: t.raw = f.bytes(), t.has_raw = true; break;
      case 13: read_external(t, f.bytes(), where); break;
      case 14: t.is_external = f.integer() == 1; break;
      default: break;
    }
  });
  check_dims(t.dims, where, bytes.data(), t.name);
  return t;
}

inline sparse_tensor_proto decode_sparse_tensor(std::string_view bytes, const position& where) {
  sparse_tensor_proto t;
  each_field(bytes, where, [&](field& f) {
    if (f.tag() == 1) t.values = decode_tensor(f.bytes(), where.in("TensorProto"));
    if (f.tag() == 2) t.indices = decode_tensor(f.bytes(), where.in("TensorProto"));
    if (f.tag() == 3) f.each_integer([&](i64 d) { t.dims.push_back(d); });
  });
  check_dims(t.dims, where, bytes.data(), t.values.name);
  return t;
}

inline dimension decode_dimension(std::string_view bytes, const position& where) {
  dimension d;
  each_field(bytes, where, [&](field& f) {
    // Old exporters write -1 for "any size"; a negative number is therefore an unknown dimension.
    if (f.tag() == 1) d.value = std::max<i64>(f.integer(), -1);
    if (f.tag() == 2) d.symbol = f.string();
  });
  return d;
}

inline void decode_tensor_type(value_type& t, std::string_view bytes, const position& where) {
  each_field(bytes, where, [&](field& f) {
    if (f.tag() == 1) t.element = to_elem_type(f.integer());
    if (f.tag() != 2) return;
    t.has_shape = true;
    each_field(f.bytes(), where.in("TensorShapeProto"), [&](field& s) {
      if (s.tag() == 1) t.dims.push_back(decode_dimension(s.bytes(), where.in("TensorShapeProto.Dimension")));
    });
  });
}

inline value_type decode_type(std::string_view bytes, const position& where) {
  value_type t;
  using kind_t = value_type::kind_t;
  const auto inner_at = [&](std::string_view body, u32 tag) {
    each_field(body, where.in("TypeProto"), [&](field& f) {
      if (f.tag() == tag) t.inner.assign(1, decode_type(f.bytes(), where.in("TypeProto").in("TypeProto")));
      if (f.tag() == 1 && tag == 2) t.element = to_elem_type(f.integer());
    });
    if (t.inner.empty()) t.inner.emplace_back();
  };
  each_field(bytes, where, [&](field& f) {
    switch (f.tag()) {
      case 1: t.kind = kind_t::tensor, decode_tensor_type(t, f.bytes(), where.in("TypeProto.Tensor")); break;
      case 4: t.kind = kind_t::sequence, inner_at(f.bytes(), 1); break;
      case 5: t.kind = kind_t::map, inner_at(f.bytes(), 2); break;
      case 7: t.kind = kind_t::opaque; break;
      case 8:
        t.kind = kind_t::sparse_tensor, decode_tensor_type(t, f.bytes(), where.in("TypeProto.SparseTensor"));
        break;
      case 9: t.kind = kind_t::optional, inner_at(f.bytes(), 1); break;
      default: break;
    }
  });
  return t;
}

inline value_info decode_value_info(std::string_view bytes, const position& where) {
  value_info v;
  each_field(bytes, where, [&](field& f) {
    if (f.tag() == 1) v.name = f.string();
    if (f.tag() == 2) v.type = decode_type(f.bytes(), where.in("TypeProto"));
  });
  return v;
}

}  // namespace detail
}  // namespace tenon::importers::onnx
