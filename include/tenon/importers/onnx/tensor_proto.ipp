/// @file tensor_proto: elements of ONNX tensors to tenon tensors, and back to TensorProto bytes.
///
/// Every count is checked against the bytes that are there before memory is allocated, so a small damaged file
/// cannot ask for a large tensor.
#pragma once

#include <algorithm>
#include <bit>
#include <climits>
#include <cstdlib>
#include <cstring>

#include <sys/stat.h>

#include <tenon/core/mapped_file.hpp>
#include <tenon/importers/onnx/proto.ipp>
#include <tenon/importers/onnx/wire.hpp>
#include <tenon/runtime/strings.hpp>

namespace tenon::importers::onnx {

static_assert(std::endian::native == std::endian::little, "ONNX data is little-endian and used in place");

std::string name_of(elem_type t) {
  constexpr std::string_view names[] = {
      "undefined", "float",      "uint8",      "int8",         "uint16",         "int16",      "int32",
      "int64",     "string",     "bool",       "float16",      "double",         "uint32",     "uint64",
      "complex64", "complex128", "bfloat16",   "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz",
      "uint4",     "int4",       "float4e2m1", "float8e8m0",   "uint2",          "int2"};
  const auto i = static_cast<i64>(t);
  if (i >= 0 && i < static_cast<i64>(std::size(names))) return std::string(names[i]);
  return "element type " + std::to_string(i);
}

std::optional<dtype> to_dtype(elem_type t) {
  switch (t) {
    case elem_type::float32: return dtype::f32;
    case elem_type::uint8: return dtype::u8;
    case elem_type::int8: return dtype::i8;
    case elem_type::uint16: return dtype::u16;
    case elem_type::int16: return dtype::i16;
    case elem_type::int32: return dtype::i32;
    case elem_type::int64: return dtype::i64;
    case elem_type::boolean: return dtype::boolean;
    case elem_type::float16: return dtype::f16;
    case elem_type::float64: return dtype::f64;
    case elem_type::uint32: return dtype::u32;
    case elem_type::uint64: return dtype::u64;
    case elem_type::bfloat16: return dtype::bf16;
    case elem_type::float8e4m3fn: return dtype::f8e4m3fn;
    case elem_type::float8e4m3fnuz: return dtype::f8e4m3fnuz;
    case elem_type::float8e5m2: return dtype::f8e5m2;
    case elem_type::float8e5m2fnuz: return dtype::f8e5m2fnuz;
    case elem_type::float8e8m0: return dtype::f8e8m0;
    case elem_type::float4e2m1: return dtype::f4e2m1;
    case elem_type::int4: return dtype::i4;
    case elem_type::uint4: return dtype::u4;
    case elem_type::int2: return dtype::i2;
    case elem_type::uint2: return dtype::u2;
    case elem_type::string: return dtype::string;
    default: return std::nullopt;
  }
}

elem_type to_elem_type(i64 number) {
  return static_cast<elem_type>(number < 0 || number > INT32_MAX ? INT32_MAX : static_cast<i32>(number));
}

elem_type to_elem_type(dtype t) {
  if (is_own(t)) return elem_type::undefined;  // ONNX has none of a program's own
  constexpr elem_type types[dtype_count] = {
      elem_type::float64,    elem_type::float32,        elem_type::float16,      elem_type::bfloat16,
      elem_type::int64,      elem_type::int32,          elem_type::int16,        elem_type::int8,
      elem_type::uint64,     elem_type::uint32,         elem_type::uint16,       elem_type::uint8,
      elem_type::boolean,    elem_type::int64,          elem_type::float8e4m3fn, elem_type::float8e4m3fnuz,
      elem_type::float8e5m2, elem_type::float8e5m2fnuz, elem_type::float8e8m0,   elem_type::float4e2m1,
      elem_type::int4,       elem_type::uint4,          elem_type::int2,         elem_type::uint2,
      elem_type::string};
  return types[static_cast<int>(t)];
}

dtype require_dtype(elem_type t, const std::string& where) {
  if (const auto d = to_dtype(t)) return *d;
  if (t == elem_type::undefined)
    throw error("onnx.malformed", "the element type is not given", where, "export the model again");
  throw unsupported_error("onnx.unsupported_type", "element type not supported yet: " + name_of(t), where,
                          "convert the tensor to floats, integers or bools");
}

namespace detail {

inline position at(const tensor_proto& t) { return {t.origin, "TensorProto"}; }
inline std::string label(const tensor_proto& t) { return "tensor '" + t.name + "'"; }
inline std::string place(const tensor_proto& t) {
  return (t.origin ? t.origin->name + ", " : std::string()) + label(t);
}

inline u64 count_of(const std::vector<i64>& dims) { return static_cast<u64>(element_count(dims)); }

[[noreturn]] inline void fail_size(const tensor_proto& t, u64 expected, u64 found, const char* unit) {
  at(t).fail(label(t) + " needs " + std::to_string(expected) + " " + unit + " by its shape and type, but there are " +
                 std::to_string(found),
             t.message.data());
}

[[noreturn]] inline void fail_external(const tensor_proto& t, const std::string& what, const char* hint) {
  throw error("onnx.external_data", what, place(t), hint);
}

/// Does a location go up?
inline bool names_parent(std::string_view location) {
  for (size_t at = 0; at <= location.size();) {
    const size_t end = std::min(location.find('/', at), location.size());
    if (location.substr(at, end - at) == "..") return true;
    at = end + 1;
  }
  return false;
}

/// The mapped file that holds external data. It must lie in the model's folder, links followed: a model from
/// elsewhere must not be able to read the files of whoever loads it. With `follow_links` only its name must.
inline std::shared_ptr<const mapped_file> open_external(const tensor_proto& t) {
  const std::string& location = t.external.location;
  const std::string& folder = t.origin->folder;
  if (location.empty()) fail_external(t, "external data has no location", "export the model again");
  if (folder.empty())
    fail_external(t, "external data in '" + location + "', but there is no folder to look in",
                  "load the model from a file, or pass the folder of its data");
  const std::string path = folder + "/" + location;
  char real_folder[PATH_MAX], real_path[PATH_MAX];
  const char* stay = "external data must be a file inside the folder of the model";
  if (location.front() == '/' || location.find('\0') != std::string::npos)
    fail_external(t, "external data location '" + location + "' is not relative to the model", stay);
  if (!::realpath(folder.c_str(), real_folder) || !::realpath(path.c_str(), real_path))
    fail_external(t, "external data file '" + path + "' is missing", "put it beside the model file");
  const std::string_view inside(real_folder), file(real_path);
  const bool contained =
      inside == "/" || (file.size() > inside.size() && file.starts_with(inside) && file[inside.size()] == '/');
  if (!contained && names_parent(location))
    fail_external(t, "external data location '" + location + "' leaves the model's folder", stay);
  if (!contained && !t.origin->follow_links)
    fail_external(
        t, "external data location '" + location + "' leaves the model's folder: it is a link to '" + real_path + "'",
        "if you trust whoever made the link (a cache of models has such), set follow_links, or give --follow-links to "
        "the "
        "command line");
  struct stat info{};  // opening a pipe would wait for who writes to it, and reading a device may never end
  if (::stat(real_path, &info) != 0 || !S_ISREG(info.st_mode))
    fail_external(t, "external data location '" + location + "' is no regular file", stay);
  return std::make_shared<const mapped_file>(real_path);
}

/// Bytes that `count` elements take in a file.
inline u64 stored_bytes(u64 count, dtype type) {
  const u64 in_a_byte = bits_of(type) < 8 ? static_cast<u64>(8 / bits_of(type)) : 1;
  return (count + in_a_byte - 1) / in_a_byte * static_cast<u64>(size_of(type));
}

/// Elements of 2 or 4 bits, the first of a byte in its lowest bits.
inline tensor unpacked(const std::vector<i64>& shape, dtype type, std::string_view bytes) {
  tensor result(type, shape);
  auto* const to = static_cast<u8*>(result.data());
  const int bits = bits_of(type), in_a_byte = 8 / bits;
  for (i64 i = 0; i < result.size(); ++i) {
    const int at = static_cast<int>(i % in_a_byte) * bits;
    const int code = static_cast<u8>(bytes[static_cast<size_t>(i / in_a_byte)]) >> at & ((1 << bits) - 1);
    to[i] = static_cast<u8>(is_signed_int(type) && code >> (bits - 1) ? code - (1 << bits) : code);
  }
  return result;
}

/// A tensor over `bytes`: in place when they are aligned for the element, else copied (`view` does that): those that
/// are many, when somebody reads them. What is copied leaves the memory that the mapped file takes.
inline tensor from_raw(const tensor_proto& t, dtype type, std::string_view bytes, std::shared_ptr<const void> owner) {
  const u64 wanted = stored_bytes(count_of(t.dims), type);
  if (bytes.size() != wanted) fail_size(t, wanted, bytes.size(), "bytes");
  struct releaser {
    std::string_view copied;
    ~releaser() { release_pages(copied); }
  } source{bytes};
  if (bits_of(type) < 8) return unpacked(t.dims, type, bytes);
  constexpr size_t large = 1 << 16;
  if (bytes.size() >= large && owner != nullptr && type != dtype::boolean &&
      reinterpret_cast<std::uintptr_t>(bytes.data()) % static_cast<size_t>(size_of(type)) != 0) {
    source.copied = {};
    return tensor::deferred(type, t.dims, std::make_shared<const tenon::stored_bytes>(bytes, std::move(owner)));
  }
  // A bool other than 0 and 1 is not a C++ bool; those are copied and made 1.
  const auto is_bool = [](char c) { return static_cast<u8>(c) <= 1; };
  if (type != dtype::boolean || std::all_of(bytes.begin(), bytes.end(), is_bool)) {
    tensor result = tensor::view(type, t.dims, bytes.data(), std::move(owner));
    if (std::as_const(result).data() == bytes.data()) source.copied = {};
    return result;
  }
  tensor result(type, t.dims);
  std::transform(bytes.begin(), bytes.end(), result.data<bool>().begin(), [](char c) { return c != 0; });
  return result;
}

/// The field number of the typed data of an element type.
inline u32 data_field(dtype type) {
  switch (type) {
    case dtype::f32: return 4;
    case dtype::f64: return 10;
    case dtype::i64: return 7;
    case dtype::u64:
    case dtype::u32: return 11;
    default: return 5;  // int32_data holds the smaller integers, bool, and the bits of 16-bit floats
  }
}

/// Elements stand in one field, that of their type: 0 for raw or external data. A file that has more of them does not
/// say which are meant.
inline void require_field(const tensor_proto& t, u32 wanted) {
  constexpr std::pair<u32, const char*> fields[] = {{4, "float_data"}, {5, "int32_data"},   {6, "string_data"},
                                                    {7, "int64_data"}, {10, "double_data"}, {11, "uint64_data"}};
  each_field(t.message, at(t), [&](field& f) {
    for (const auto& [tag, name] : fields)
      if (f.tag() == tag && tag != wanted && !(f.is_packed() && tag != 6 && f.bytes().empty()))
        at(t).fail(label(t) + " is of " + name_of(t.type) + ", but has elements in " + name +
                       (wanted == 0 ? " besides those stored as bytes" : ""),
                   f.start());
  });
}

/// How many numbers the typed data holds, without decoding them.
inline u64 count_typed(const tensor_proto& t, u32 tag) {
  u64 n = 0;
  each_field(t.message, at(t), [&](field& f) {
    if (f.tag() != tag) return;
    if (!f.is_packed()) return void(++n);
    const std::string_view body = f.bytes();
    if (tag == 4) n += body.size() / 4;
    else if (tag == 10) n += body.size() / 8;
    else n += static_cast<u64>(std::count_if(body.begin(), body.end(), [](char c) { return !(c & 0x80); }));
  });
  return n;
}

template <class T> T from_integer(i64 v) {
  if constexpr (is_small_float_v<T>) {
    T r;
    r.bits = static_cast<decltype(r.bits)>(v);
    return r;
  } else {
    return static_cast<T>(v);
  }
}

inline tensor from_typed(const tensor_proto& t, dtype type) {
  const u32 tag = data_field(type);
  require_field(t, tag);
  const u64 wanted = bits_of(type) < 8 ? stored_bytes(count_of(t.dims), type) : count_of(t.dims);
  const u64 found = count_typed(t, tag);
  if (found != wanted) fail_size(t, wanted, found, "elements");
  if (bits_of(type) < 8) {  // int32_data then holds packed bytes, one in a number
    std::string bytes;
    each_field(t.message, at(t), [&](field& f) {
      if (f.tag() == tag) f.each_integer([&](i64 v) { bytes += static_cast<char>(v); });
    });
    if (bytes.size() != wanted) at(t).fail("elements are encoded wrongly", t.message.data());
    return unpacked(t.dims, type, bytes);
  }
  tensor result(type, t.dims);
  visit_storage(type, [&]<class T>(T) {
    T* to = result.data<T>().data();
    T* const end = to + wanted;
    const auto put = [&](auto v) {
      if (to == end) at(t).fail("elements are encoded wrongly", t.message.data());
      if constexpr (std::is_integral_v<T> && std::is_same_v<decltype(v), i64>) {
        if (tag == 5) v = static_cast<i32>(v);  // a field of 32 bits, of whatever length the number is
        const bool fits = std::is_same_v<T, bool> || sizeof(T) == 8 || static_cast<i64>(static_cast<T>(v)) == v;
        if (!fits)
          at(t).fail(label(t) + " is of " + name_of(t.type) + ", which is never " + std::to_string(v),
                     t.message.data());
      }
      if constexpr (is_narrow_int_v<T>) ++to;  // came packed
      else if constexpr (std::is_same_v<decltype(v), i64>) *to++ = from_integer<T>(v);
      else *to++ = static_cast<T>(v);
    };
    each_field(t.message, at(t), [&](field& f) {
      if (f.tag() != tag) return;
      if constexpr (std::is_same_v<T, float>) f.each_f32(put);
      else if constexpr (std::is_same_v<T, double>) f.each_f64(put);
      else f.each_integer(put);
    });
  });
  release_pages(t.message);
  return result;
}

}  // namespace detail

tensor to_tensor(const tensor_proto& t) {
  const dtype type = require_dtype(t.type, detail::place(t));
  if (type == dtype::string) {
    const std::vector<std::string_view> texts = to_strings(t);
    return string_tensor(t.dims, texts);
  }
  if (t.is_external || (t.has_raw && !t.raw.empty())) detail::require_field(t, 0);
  if (t.is_external) {
    auto file = detail::open_external(t);
    const u64 wanted = detail::stored_bytes(detail::count_of(t.dims), type);
    const u64 size = file->size(), offset = t.external.offset, length = t.external.length.value_or(wanted);
    if (offset > size || length > size - offset)
      detail::fail_external(t,
                            "external data at byte " + std::to_string(offset) + ", " + std::to_string(length) +
                                " bytes, goes past the end of '" + t.external.location + "' (" + std::to_string(size) +
                                " bytes)",
                            "the data file is cut off or belongs to another model");
    const std::string_view bytes(file->data() + offset, length);
    return detail::from_raw(t, type, bytes, std::move(file));
  }
  if (t.has_raw && !t.raw.empty()) return detail::from_raw(t, type, t.raw, t.origin);
  return detail::from_typed(t, type);
}

std::vector<std::string_view> to_strings(const tensor_proto& t) {
  if (t.type != elem_type::string)
    throw unsupported_error("onnx.unsupported_type", "not a string tensor but " + name_of(t.type), detail::place(t));
  detail::require_field(t, 6);
  if (!t.raw.empty())
    detail::at(t).fail(detail::label(t) + " is of strings, which no raw data holds", t.message.data());
  std::vector<std::string_view> result;
  detail::each_field(t.message, detail::at(t), [&](detail::field& f) {
    if (f.tag() == 6) result.push_back(f.bytes());
  });
  if (result.size() != detail::count_of(t.dims))
    detail::fail_size(t, detail::count_of(t.dims), result.size(), "strings");
  return result;
}

tensor to_tensor(const sparse_tensor_proto& t) {
  const detail::position where = detail::at(t.values);
  const char* const here = t.values.message.data();
  if (!t.values.origin || !t.indices.origin || t.indices.type != elem_type::int64)
    throw error("onnx.malformed", "a sparse tensor without values or int64 indices", detail::place(t.values),
                "export the model again");
  const u64 count = detail::count_of(t.dims), rank = t.dims.size();
  // Unlike a dense tensor, a sparse one may be small in the file and huge in memory.
  if (count > (u64{1} << 34)) where.fail("a sparse tensor is too large to be made dense", here, "store it in parts");
  const tensor values = to_tensor(t.values), indices = to_tensor(t.indices);
  const u64 stored = detail::count_of(t.values.dims);
  const bool linear = t.indices.dims.size() == 1;
  if (detail::count_of(t.indices.dims) != (linear ? stored : stored * rank))
    where.fail("a sparse tensor has another number of indices than of values", here);
  tensor result(values.type(), t.dims);
  const auto element = static_cast<size_t>(size_of(values.type()));
  u8* const to = static_cast<u8*>(result.data());
  const u8* const from = static_cast<const u8*>(values.data());
  const i64* const index = indices.data<i64>().data();
  for (u64 k = 0; k < stored; ++k) {
    u64 offset = linear ? static_cast<u64>(index[k]) : 0;
    bool inside = true;
    for (u64 d = 0; !linear && d < rank; ++d) {
      const i64 i = index[k * rank + d];
      inside &= i >= 0 && i < t.dims[d];
      offset = offset * static_cast<u64>(t.dims[d]) + static_cast<u64>(i);
    }
    if (!inside || offset >= count) where.fail("a sparse tensor has an index outside its shape", here);
    std::memcpy(to + offset * element, from + k * element, element);
  }
  return result;
}

}  // namespace tenon::importers::onnx
