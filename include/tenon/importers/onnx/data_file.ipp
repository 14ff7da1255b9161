/// @file data_file: `.pb` files of tensors, sequences and optionals: definitions.
#pragma once

#include <protozero/pbf_writer.hpp>

#include <tenon/core/framed_file.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/importers/onnx/tensor_proto.ipp>

namespace tenon::importers::onnx {
namespace detail {

inline data_value decode_optional_value(std::string_view bytes, const position& where);

inline std::vector<tensor> decode_sequence_value(std::string_view bytes, const position& where) {
  std::vector<tensor> items;
  each_field(bytes, where, [&](field& f) {
    if (f.tag() == 3) items.push_back(to_tensor(decode_tensor(f.bytes(), where.in("TensorProto"))));
    if (f.tag() >= 4 && f.tag() <= 7)
      throw unsupported_error("onnx.unsupported_type",
                              "a sequence of something other than tensors is not supported yet", where.origin->name,
                              "use a sequence of tensors");
  });
  return items;
}

inline data_value decode_optional_value(std::string_view bytes, const position& where) {
  data_value v;
  each_field(bytes, where, [&](field& f) {
    switch (f.tag()) {
      case 3:
        v.kind = data_value::kind_t::tensor;
        v.tensors.assign(1, to_tensor(decode_tensor(f.bytes(), where.in("TensorProto"))));
        break;
      case 5:
        v.kind = data_value::kind_t::sequence;
        v.tensors = decode_sequence_value(f.bytes(), where.in("SequenceProto"));
        break;
      case 7: v = decode_optional_value(f.bytes(), where.in("OptionalProto")); break;
      case 4:
      case 6:
        throw unsupported_error("onnx.unsupported_type",
                                "an optional of something other than tensors is not supported yet", where.origin->name,
                                "use an optional tensor or sequence of tensors");
      default: break;
    }
  });
  return v;
}

inline std::shared_ptr<const source> memory_source(std::string_view bytes, std::shared_ptr<const void> owner,
                                                   const std::string& name) {
  return std::make_shared<const source>(source{bytes, std::move(owner), name, {}, false});
}

}  // namespace detail

tensor_proto decode_tensor_proto(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& name) {
  const auto origin = detail::memory_source(bytes, std::move(owner), name);
  return detail::decode_tensor(bytes, {origin, "TensorProto"});
}
std::vector<tensor> decode_sequence(std::string_view bytes, std::shared_ptr<const void> owner,
                                    const std::string& name) {
  const auto origin = detail::memory_source(bytes, std::move(owner), name);
  return detail::decode_sequence_value(bytes, {origin, "SequenceProto"});
}
data_value decode_optional(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& name) {
  const auto origin = detail::memory_source(bytes, std::move(owner), name);
  return detail::decode_optional_value(bytes, {origin, "OptionalProto"});
}

tensor_proto read_tensor_proto(const std::string& path) {
  const auto origin = detail::open_source(path);
  return detail::decode_tensor(origin->bytes, {origin, "TensorProto"});
}
tensor read_tensor_pb(const std::string& path) { return to_tensor(read_tensor_proto(path)); }
std::vector<tensor> read_sequence_pb(const std::string& path) {
  const auto origin = detail::open_source(path);
  return detail::decode_sequence_value(origin->bytes, {origin, "SequenceProto"});
}
data_value read_optional_pb(const std::string& path) {
  const auto origin = detail::open_source(path);
  return detail::decode_optional_value(origin->bytes, {origin, "OptionalProto"});
}

data_value read_value_pb(const std::string& path, const value_type& declared) {
  using kind_t = value_type::kind_t;
  if (declared.kind == kind_t::sequence) return {data_value::kind_t::sequence, read_sequence_pb(path)};
  if (declared.kind == kind_t::optional) return read_optional_pb(path);
  if (declared.kind == kind_t::tensor || declared.kind == kind_t::none) {
    tensor_proto t = read_tensor_proto(path);
    // The test suites up to ONNX 1.17 store bf16 as uint16: the same bits, for want of a numpy type.
    if (t.type == elem_type::uint16 && declared.element == elem_type::bfloat16) t.type = declared.element;
    return {data_value::kind_t::tensor, {to_tensor(t)}};
  }
  throw unsupported_error("onnx.unsupported_type",
                          "values that are neither tensor, sequence nor optional are not supported", path);
}

namespace detail {

inline void write_tensor(protozero::pbf_writer& out, const tensor& t, std::string_view name) {
  for (const i64 d : t.shape()) out.add_int64(1, d);
  out.add_int32(2, static_cast<i32>(to_elem_type(t.type())));
  if (!name.empty()) out.add_string(8, name.data(), name.size());
  if (t.type() == dtype::string) {
    for (i64 i = 0; i < t.size(); ++i) out.add_string(6, string_at(t, i));
    return;
  }
  if (bits_of(t.type()) < 8) {
    const int bits = bits_of(t.type()), in_a_byte = 8 / bits;
    std::string packed(stored_bytes(static_cast<u64>(t.size()), t.type()), '\0');
    for (i64 i = 0; i < t.size(); ++i)
      packed[static_cast<size_t>(i / in_a_byte)] |=
          static_cast<char>((static_cast<const u8*>(t.data())[i] & ((1 << bits) - 1)) << i % in_a_byte * bits);
    out.add_bytes(9, packed);
    return;
  }
  // protozero refuses a null pointer even for no bytes.
  const auto bytes = static_cast<size_t>(t.bytes());
  out.add_bytes(9, bytes ? static_cast<const char*>(t.data()) : "", bytes);
}

}  // namespace detail

std::string encode_tensor(const tensor& t, std::string_view name) {
  std::string bytes;
  protozero::pbf_writer out(bytes);
  detail::write_tensor(out, t, name);
  return bytes;
}

std::string encode_sequence(const std::vector<tensor>& items, std::string_view name) {
  std::string bytes;
  protozero::pbf_writer out(bytes);
  if (!name.empty()) out.add_string(1, name.data(), name.size());
  out.add_int32(2, 1);
  for (const tensor& t : items) {
    protozero::pbf_writer item(out, 3);
    detail::write_tensor(item, t, {});
  }
  return bytes;
}

void write_tensor_pb(const std::string& path, const tensor& t, std::string_view name) {
  write_atomically(path, encode_tensor(t, name));
}

}  // namespace tenon::importers::onnx
