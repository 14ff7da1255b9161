/// @file onnx_proto_test: ONNX files to structs and tensors; damaged files to errors, never to crashes.
#include <cstring>
#include <filesystem>
#include <string>

#include <unistd.h>

#include <doctest/doctest.h>
#include <protozero/pbf_writer.hpp>

#include <tenon/core/mapped_file.hpp>
#include <tenon/importers/onnx/proto.hpp>

namespace tn = tenon;
namespace onnx = tenon::importers::onnx;
using protozero::pbf_writer;
using tn::i64;

namespace {

template <class F> std::string message(F&& f) {
  std::string bytes;
  pbf_writer out(bytes);
  f(out);
  return bytes;
}

template <class F> std::string code_of(F&& f) {
  try {
    f();
  } catch (const tn::error& e) { return e.code(); }
  return "no error";
}

template <class F> std::string what_of(F&& f) {
  try {
    f();
  } catch (const tn::error& e) { return e.what(); }
  return "no error";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string tensor_header(onnx::elem_type type, std::initializer_list<i64> dims) {
  return message([&](pbf_writer& out) {
    for (i64 d : dims) out.add_int64(1, d);
    out.add_int32(2, static_cast<int>(type));
    out.add_string(8, "w");
  });
}

tn::tensor decode(const std::string& bytes) {
  return onnx::to_tensor(onnx::decode_tensor_proto(bytes, nullptr, "memory"));
}

std::string value_info(const std::string& name, i64 first_dim, const std::string& symbol) {
  return message([&](pbf_writer& out) {
    out.add_string(1, name);
    pbf_writer type(out, 2);
    pbf_writer tensor(type, 1);
    tensor.add_int32(1, 1);
    pbf_writer shape(tensor, 2);
    {
      pbf_writer dim(shape, 1);
      dim.add_int64(1, first_dim);
    }
    pbf_writer dim(shape, 1);
    dim.add_string(2, symbol);
  });
}

/// y = Relu(Add(x, w)), with a function, metadata, a subgraph attribute and every kind of attribute.
std::string small_model() {
  const std::string w = tensor_header(onnx::elem_type::float32, {2}) + message([](pbf_writer& out) {
                          const float values[] = {1.5f, -2.f};
                          out.add_bytes(9, reinterpret_cast<const char*>(values), sizeof values);
                        });
  const std::string add = message([](pbf_writer& out) {
    out.add_string(1, "x");
    out.add_string(1, "w");
    out.add_string(2, "s");
    out.add_string(3, "add_0");
    out.add_string(4, "Add");
    out.add_string(7, "ai.onnx");
  });
  const std::string relu = message([&](pbf_writer& out) {
    out.add_string(1, "s");
    out.add_string(2, "y");
    out.add_string(4, "Relu");
    const auto attribute = [&](const char* name, int type, auto&& fill) {
      pbf_writer a(out, 5);
      a.add_string(1, name);
      if (type) a.add_int32(20, type);
      fill(a);
    };
    attribute("f", 1, [](pbf_writer& a) { a.add_float(2, 0.5f); });
    attribute("i", 0, [](pbf_writer& a) { a.add_int64(3, -7); });
    attribute("s", 3, [](pbf_writer& a) { a.add_bytes(4, "text"); });
    attribute("t", 4, [&](pbf_writer& a) { a.add_message(5, w); });
    attribute("g", 5, [&](pbf_writer& a) {
      pbf_writer g(a, 6);
      g.add_string(2, "inner");
      g.add_message(1, add);
    });
    attribute("floats", 6, [](pbf_writer& a) { a.add_float(7, 1.f), a.add_float(7, 2.f); });
    attribute("ints", 7, [](pbf_writer& a) {
      const i64 values[] = {3, -4};
      a.add_packed_int64(8, values, values + 2);
    });
    attribute("strings", 8, [](pbf_writer& a) { a.add_bytes(9, "a"), a.add_bytes(9, "b"); });
    attribute("ref", 2, [](pbf_writer& a) { a.add_string(21, "outer"); });
  });
  return message([&](pbf_writer& out) {
    out.add_int64(1, 8);
    out.add_string(2, "test");
    {
      pbf_writer opset(out, 8);
      opset.add_string(1, "");
      opset.add_int64(2, 17);
    }
    {
      pbf_writer opset(out, 8);
      opset.add_string(1, "com.microsoft");
      opset.add_int64(2, 1);
    }
    {
      pbf_writer g(out, 7);
      g.add_string(2, "main");
      g.add_message(1, add);
      g.add_message(1, relu);
      g.add_message(5, w);
      g.add_message(11, value_info("x", 2, "batch"));
      g.add_message(12, value_info("y", -1, ""));
    }
    {
      pbf_writer entry(out, 14);
      entry.add_string(1, "key");
      entry.add_string(2, "value");
    }
    pbf_writer fn(out, 25);
    fn.add_string(1, "Twice");
    fn.add_string(10, "local");
    fn.add_string(4, "a");
    fn.add_string(5, "b");
    fn.add_string(6, "alpha");
    fn.add_message(7, add);
  });
}

}  // namespace

TEST_CASE("a model becomes structs") {
  const std::string bytes = small_model();
  const onnx::model m = onnx::decode_model(bytes, nullptr, "memory");
  CHECK(m.ir_version == 8);
  CHECK(m.producer_name == "test");
  CHECK(m.opset() == 17);
  CHECK(m.opset("ai.onnx") == 17);
  CHECK(m.opset("com.microsoft") == 1);
  CHECK_FALSE(m.opset("other").has_value());
  CHECK(m.metadata.at(0).second == "value");
  REQUIRE(m.graph.nodes.size() == 2);
  CHECK(m.graph.nodes[0].inputs == std::vector<std::string>{"x", "w"});
  CHECK(m.graph.nodes[0].domain.empty());
  const onnx::node& relu = m.graph.nodes[1];
  CHECK(relu.find("f")->f == 0.5f);
  CHECK(relu.find("i")->i == -7);
  CHECK(relu.find("i")->type == onnx::attribute::type_t::int_);
  CHECK(relu.find("s")->s == "text");
  CHECK(onnx::to_tensor(*relu.find("t")->t()).data<float>()[1] == -2.f);
  CHECK(relu.find("g")->g()->nodes.at(0).op_type == "Add");
  CHECK(relu.find("floats")->floats == std::vector<float>{1.f, 2.f});
  CHECK(relu.find("ints")->ints == std::vector<i64>{3, -4});
  CHECK(relu.find("strings")->strings == std::vector<std::string>{"a", "b"});
  CHECK(relu.find("ref")->ref_attr_name == "outer");
  CHECK(relu.find("absent") == nullptr);
  const onnx::value_type& x = m.graph.inputs.at(0).type;
  CHECK(x.kind == onnx::value_type::kind_t::tensor);
  CHECK(x.element == onnx::elem_type::float32);
  REQUIRE(x.dims.size() == 2);
  CHECK(x.dims[0].value == 2);
  CHECK(x.dims[1].symbol == "batch");
  CHECK_FALSE(m.graph.outputs.at(0).type.dims.at(0).is_known());
  REQUIRE(m.functions.size() == 1);
  CHECK(m.functions[0].attributes.at(0) == "alpha");
}

TEST_CASE("a model cut off at any byte, or with any byte changed, is an error or a model") {
  const std::string whole = small_model();
  int errors = 0;
  const auto attempt = [&](const std::string& bytes) {
    try {
      const onnx::model m = onnx::decode_model(bytes, nullptr, "memory");
      for (const auto& t : m.graph.initializers) onnx::to_tensor(t);
    } catch (const tn::error& e) {
      ++errors;
      CHECK(e.code().starts_with("onnx."));
    }
  };
  for (size_t n = 0; n < whole.size(); ++n) attempt(std::string(whole.data(), n));
  CHECK(errors > static_cast<int>(whole.size()) / 2);
  for (size_t n = 0; n < whole.size(); ++n)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = whole;
      changed[n] = static_cast<char>(changed[n] ^ (1 << bit));
      attempt(changed);
    }
}

TEST_CASE("errors say file, byte and what to do") {
  const std::string bytes = small_model();
  const std::string what = what_of([&] { onnx::decode_model(bytes.substr(0, bytes.size() - 3), nullptr, "cut.onnx"); });
  CHECK(contains(what, "cut.onnx at byte "));
  CHECK(contains(what, "past the end"));
  CHECK(contains(what, "download"));
  CHECK(code_of([] { onnx::decode_model("", nullptr, "empty"); }) == "onnx.malformed");
  CHECK(code_of([] { onnx::load_model("no/such/file.onnx"); }) == "io.open");
}

TEST_CASE("a file of another kind is said to be what it is") {
  const auto said = [](const std::string& bytes) {
    return what_of([&] { onnx::decode_model(bytes, nullptr, "given"); });
  };
  CHECK(contains(said(""), "it is empty"));
  CHECK(contains(said("<!DOCTYPE html>"), "it is text"));
  CHECK(contains(said("/* relu.c: the model relu in one file of C11 */"), "compile it with a C compiler"));
  CHECK(contains(said("TENONPRG\1"), "that tenon wrote"));
  CHECK(contains(said("tenon.module phase=ingestion\n"), "tenon build FILE"));
  CHECK(contains(said("\x3b\xff\x01\x80"), "of no kind that is known here"));
  CHECK(contains(said("\x42\x7f"), "past the end"));  // as a model without a version may begin
  CHECK(contains(said("version https://git-lfs.github.com/spec/v1\n"), "git lfs pull"));
  CHECK(contains(said(std::string("\x93NUMPY\1\0", 8)), "--input NAME=FILE"));
  CHECK(contains(said(std::string("PK\3\4\0", 5)), "torch.onnx.export"));
  CHECK(contains(said(std::string("\x1c\0\0\0TFL3", 8)), "tf2onnx.convert --tflite"));
  CHECK(contains(said(std::string("\x40\0\0\0\0\0\0\0{\"w\"", 11)), "safetensors"));
}

TEST_CASE("messages nested without end are refused") {
  std::string type = message([](pbf_writer& out) { out.add_message(1, std::string()); });
  for (int i = 0; i < 500; ++i) {
    const std::string inner = type;
    type = message([&](pbf_writer& out) {
      pbf_writer sequence(out, 4);
      sequence.add_message(1, inner);
    });
  }
  const std::string bytes = message([&](pbf_writer& out) {
    pbf_writer g(out, 7);
    pbf_writer v(g, 11);
    v.add_message(2, type);
  });
  CHECK(contains(what_of([&] { onnx::decode_model(bytes, nullptr, "deep"); }), "64 deep"));
}

TEST_CASE("typed data, packed and not, of every element type") {
  const auto integers = [](onnx::elem_type type, tn::u32 tag, bool packed) {
    const i64 values[] = {1, 0, 3};
    return decode(tensor_header(type, {3}) + message([&](pbf_writer& out) {
                    if (packed) return out.add_packed_int64(tag, values, values + 3);
                    for (i64 v : values) out.add_int64(tag, v);
                  }));
  };
  for (const bool packed : {true, false}) {
    CAPTURE(packed);
    CHECK(integers(onnx::elem_type::int32, 5, packed).data<tn::i32>()[2] == 3);
    CHECK(integers(onnx::elem_type::int16, 5, packed).data<tn::i16>()[2] == 3);
    CHECK(integers(onnx::elem_type::int8, 5, packed).data<tn::i8>()[2] == 3);
    CHECK(integers(onnx::elem_type::uint16, 5, packed).data<tn::u16>()[2] == 3);
    CHECK(integers(onnx::elem_type::uint8, 5, packed).data<tn::u8>()[2] == 3);
    CHECK(integers(onnx::elem_type::boolean, 5, packed).data<bool>()[2]);
    CHECK(integers(onnx::elem_type::float16, 5, packed).data<tn::half>()[2].bits == 3);
    CHECK(integers(onnx::elem_type::bfloat16, 5, packed).data<tn::bfloat16>()[2].bits == 3);
    CHECK(integers(onnx::elem_type::float8e5m2, 5, packed).at_f64(2) == 3 * 0x1p-16);
    CHECK(integers(onnx::elem_type::int64, 7, packed).data<i64>()[2] == 3);
    CHECK(integers(onnx::elem_type::uint64, 11, packed).data<tn::u64>()[2] == 3);
    CHECK(integers(onnx::elem_type::uint32, 11, packed).data<tn::u32>()[2] == 3);
    const auto f32 = decode(tensor_header(onnx::elem_type::float32, {2, 1}) + message([&](pbf_writer& out) {
                              const float values[] = {1.f, 2.5f};
                              if (packed) return out.add_packed_float(4, values, values + 2);
                              for (float v : values) out.add_float(4, v);
                            }));
    CHECK(f32.data<float>()[1] == 2.5f);
    const auto f64 = decode(tensor_header(onnx::elem_type::float64, {2}) + message([&](pbf_writer& out) {
                              const double values[] = {1., 2.5};
                              if (packed) return out.add_packed_double(10, values, values + 2);
                              for (double v : values) out.add_double(10, v);
                            }));
    CHECK(f64.data<double>()[1] == 2.5);
  }
  // Elements of fewer than 8 bits are packed there, too: 0x21, 0x0f are 1, 2, -1.
  const auto nibbles = decode(tensor_header(onnx::elem_type::int4, {3}) +
                              message([](pbf_writer& out) { out.add_int32(5, 0x21), out.add_int32(5, 0x0f); }));
  CHECK(nibbles.at_i64(0) == 1);
  CHECK(nibbles.at_i64(1) == 2);
  CHECK(nibbles.at_i64(2) == -1);
  CHECK(code_of([] {
          decode(tensor_header(onnx::elem_type::int4, {3}) + message([](pbf_writer& out) { out.add_int32(5, 0x21); }));
        }) == "onnx.malformed");
  const auto negative =
      decode(tensor_header(onnx::elem_type::int32, {1}) + message([](pbf_writer& out) { out.add_int32(5, -9); }));
  CHECK(negative.data<tn::i32>()[0] == -9);
}

TEST_CASE("elements stand in one field, that of their type, and fit it") {
  using enum onnx::elem_type;
  const auto with = [](onnx::elem_type type, auto... put) {
    std::string bytes = tensor_header(type, {2});
    pbf_writer out(bytes);
    (put(out), ...);
    return what_of([&] { decode(bytes); });
  };
  const auto floats = [](pbf_writer& out) { out.add_float(4, 1), out.add_float(4, 2); };
  const auto int32s = [](i64 first) {
    return [=](pbf_writer& out) { out.add_int32(5, static_cast<tn::i32>(first)), out.add_int32(5, 1); };
  };
  const auto int64s = [](pbf_writer& out) { out.add_int64(7, 1), out.add_int64(7, 2); };
  const auto uint64s = [](tn::u64 first) {
    return [=](pbf_writer& out) { out.add_uint64(11, first), out.add_uint64(11, 1); };
  };
  const auto raw = [](pbf_writer& out) { out.add_bytes(9, "12345678"); };
  const auto nothing = [](pbf_writer& out) { out.add_bytes(7, ""); };  // a packed list without numbers

  CHECK(with(float32, floats) == "no error");
  CHECK(with(float32, raw) == "no error");
  CHECK(with(float32, floats, nothing) == "no error");
  CHECK_MESSAGE(contains(with(float32, floats, raw), "has elements in float_data besides those stored as bytes"),
                with(float32, floats, raw));
  CHECK_MESSAGE(contains(with(float32, floats, int64s), "has elements in int64_data"), with(float32, floats, int64s));
  CHECK(contains(with(int32, int64s), "'w' is of int32, but has elements in int64_data"));
  CHECK(contains(with(int64, int32s(1)), "has elements in int32_data"));

  CHECK(with(int8, int32s(-128)) == "no error");
  CHECK(contains(with(int8, int32s(128)), "'w' is of int8, which is never 128"));
  CHECK(contains(with(uint8, int32s(-1)), "never -1"));
  CHECK(with(uint16, int32s(65535)) == "no error");
  CHECK(with(float16, int32s(65535)) == "no error");  // bits
  CHECK(with(boolean, int32s(2)) == "no error");      // true, as every number but 0
  CHECK(with(uint32, uint64s(0xffffffffU)) == "no error");
  CHECK(contains(with(uint32, uint64s(0x100000000U)), "never 4294967296"));
}

TEST_CASE("an attribute holds a value of the type that it says") {
  const auto with = [](int type, auto put) {
    const std::string bytes = message([&](pbf_writer& m) {
      pbf_writer g(m, 7);
      pbf_writer n(g, 1);
      n.add_string(4, "Relu");
      pbf_writer a(n, 5);
      a.add_string(1, "axis"), a.add_int32(20, type), put(a);
    });
    return what_of([&] { onnx::decode_model(bytes, nullptr, "test.onnx"); });
  };
  CHECK(with(2, [](pbf_writer& a) { a.add_int64(3, 1); }) == "no error");
  CHECK(with(2, [](pbf_writer&) {}) == "no error");  // 0, which need not be written
  CHECK(contains(with(2, [](pbf_writer& a) { a.add_int64(8, 1); }),
                 "attribute 'axis' says it is a int, but holds a ints"));
  CHECK(contains(with(2, [](pbf_writer& a) { a.add_int64(3, 1), a.add_float(2, 1); }), "but holds a float"));
  CHECK(contains(with(0, [](pbf_writer& a) { a.add_int64(3, 1), a.add_float(2, 1); }), "'axis'"));
}

TEST_CASE("raw data is referred to when aligned, and copied when not") {
  alignas(16) char buffer[64] = {};
  for (int shift = 0; shift < 4; ++shift) {
    std::string bytes = tensor_header(onnx::elem_type::float32, {2});
    bytes += message([](pbf_writer& out) {
      const float values[] = {7.f, 8.f};
      out.add_bytes(9, reinterpret_cast<const char*>(values), sizeof values);
    });
    std::memcpy(buffer + shift, bytes.data(), bytes.size());
    const onnx::tensor_proto proto = onnx::decode_tensor_proto({buffer + shift, bytes.size()}, nullptr, "memory");
    const tn::tensor t = onnx::to_tensor(proto);
    CHECK(t.data<float>()[1] == 8.f);
    const bool aligned = reinterpret_cast<std::uintptr_t>(proto.raw.data()) % 4 == 0;
    CHECK((static_cast<const void*>(t.data<float>().data()) == proto.raw.data()) == aligned);
  }
}

TEST_CASE("a raw bool other than 0 and 1 becomes 1") {
  const auto t = decode(tensor_header(onnx::elem_type::boolean, {3}) +
                        message([](pbf_writer& out) { out.add_bytes(9, std::string("\0\x01\x08", 3)); }));
  unsigned char bytes[3];
  std::memcpy(bytes, t.data<bool>().data(), 3);
  CHECK(bytes[0] == 0);
  CHECK(bytes[1] == 1);
  CHECK(bytes[2] == 1);
}

TEST_CASE("sizes that do not fit are errors, and never large allocations") {
  const std::string one = message([](pbf_writer& out) { out.add_float(4, 1.f); });
  const auto error_of = [&](std::initializer_list<i64> dims) {
    return what_of([&] { decode(tensor_header(onnx::elem_type::float32, dims) + one); });
  };
  CHECK(error_of({}) == "no error");
  CHECK(contains(error_of({2}), "needs 2 elements"));
  CHECK(contains(error_of({-1}), "dimension -1"));
  CHECK(contains(error_of({i64{1} << 40}), "but there are 1"));
  CHECK(contains(error_of({i64{1} << 40, i64{1} << 40}), "more elements than memory"));
  CHECK(contains(error_of({0, i64{1} << 40, i64{1} << 40}), "more elements than memory"));
  CHECK(contains(what_of([] {
                   decode(tensor_header(onnx::elem_type::int64, {2}) +
                          message([](pbf_writer& out) { out.add_bytes(9, "abc"); }));
                 }),
                 "needs 16 bytes"));
  CHECK(contains(what_of([] {
                   decode(tensor_header(onnx::elem_type::float32, {1}) +
                          message([](pbf_writer& out) { out.add_int64(4, 1); }));
                 }),
                 "wrong wire type"));
}

TEST_CASE("types without a dtype are named") {
  for (const auto type : {onnx::elem_type::complex64, onnx::elem_type::complex128}) {
    const std::string bytes = tensor_header(type, {1});
    const onnx::tensor_proto t = onnx::decode_tensor_proto(bytes, nullptr, "memory");
    CHECK(t.type == type);
    CHECK(code_of([&] { onnx::to_tensor(t); }) == "onnx.unsupported_type");
    CHECK(contains(what_of([&] { onnx::to_tensor(t); }), "not supported yet: " + onnx::name_of(type)));
  }
  const std::string bytes = tensor_header(onnx::elem_type::string, {2}) +
                            message([](pbf_writer& out) { out.add_bytes(6, "a"), out.add_bytes(6, "bc"); });
  CHECK(onnx::to_strings(onnx::decode_tensor_proto(bytes, nullptr, "memory")).at(1) == "bc");
}

TEST_CASE("a sparse tensor becomes dense, and its indices are checked") {
  const auto sparse = [](i64 index) {
    onnx::sparse_tensor_proto t;
    static std::string values, indices;
    values = tensor_header(onnx::elem_type::float32, {1}) + message([](pbf_writer& out) { out.add_float(4, 5.f); });
    indices = tensor_header(onnx::elem_type::int64, {1}) + message([&](pbf_writer& out) { out.add_int64(7, index); });
    t.values = onnx::decode_tensor_proto(values, nullptr, "memory");
    t.indices = onnx::decode_tensor_proto(indices, nullptr, "memory");
    t.dims = {2, 2};
    return onnx::to_tensor(t);
  };
  CHECK(sparse(3).data<float>()[3] == 5.f);
  CHECK(sparse(3).data<float>()[0] == 0.f);
  CHECK(code_of([&] { sparse(4); }) == "onnx.malformed");
  CHECK(code_of([&] { sparse(-1); }) == "onnx.malformed");
}

TEST_CASE("tensors written are tensors read") {
  tn::tensor t(tn::dtype::i32, {2, 1});
  t.data<tn::i32>()[1] = -5;
  const std::string bytes = onnx::encode_tensor(t, "out");
  CHECK(onnx::decode_tensor_proto(bytes, nullptr, "memory").name == "out");
  CHECK(decode(bytes).data<tn::i32>()[1] == -5);
  const tn::tensor empty(tn::dtype::f32, {0, 3});
  CHECK(decode(onnx::encode_tensor(empty)).shape()[1] == 3);
  const std::string list = onnx::encode_sequence({t, t});
  CHECK(onnx::decode_sequence(list, nullptr, "memory").size() == 2);
  const std::string some = message([&](pbf_writer& out) { out.add_int32(2, 1), out.add_message(3, bytes); });
  CHECK(onnx::decode_optional(some, nullptr, "memory").kind == onnx::data_value::kind_t::tensor);
  CHECK(onnx::decode_optional("", nullptr, "memory").kind == onnx::data_value::kind_t::nothing);
}

TEST_CASE("external data: inside the model's folder only") {
  namespace fs = std::filesystem;
  const fs::path outer = fs::temp_directory_path() / ("tenon_onnx_proto_" + std::to_string(::getpid()));
  const fs::path folder = outer / "model";
  fs::create_directories(folder);
  const float values[] = {1.f, 2.f, 3.f, 4.f};
  tn::write_file((folder / "w.bin").string(), {reinterpret_cast<const char*>(values), sizeof values});
  tn::write_file((outer / "secret").string(), "0123456789abcdef");
  fs::create_symlink(outer / "secret", folder / "link");
  const auto load = [&](const std::string& location, const std::string& offset, const std::string& length) {
    const std::string tensor = tensor_header(onnx::elem_type::float32, {2}) + message([&](pbf_writer& out) {
                                 const auto entry = [&](const char* key, const std::string& value) {
                                   if (value.empty()) return;
                                   pbf_writer e(out, 13);
                                   e.add_string(1, key);
                                   e.add_string(2, value);
                                 };
                                 entry("location", location), entry("offset", offset), entry("length", length);
                                 out.add_int32(14, 1);
                               });
    const std::string bytes = message([&](pbf_writer& out) {
      pbf_writer g(out, 7);
      g.add_message(5, tensor);
    });
    tn::write_file((folder / "m.onnx").string(), bytes);
    return onnx::to_tensor(onnx::load_model((folder / "m.onnx").string()).graph.initializers.at(0));
  };
  CHECK(load("w.bin", "8", "8").data<float>()[1] == 4.f);
  CHECK(load("w.bin", "", "").data<float>()[1] == 2.f);
  CHECK(load("./w.bin", "4", "").data<float>()[1] == 3.f);
  CHECK(contains(what_of([&] { load("absent.bin", "", ""); }), "missing"));
  CHECK(contains(what_of([&] { load("../secret", "", ""); }), "leaves the model's folder"));
  CHECK(contains(what_of([&] { load("link", "", ""); }), "leaves the model's folder"));
  CHECK(contains(what_of([&] { load((outer / "secret").string(), "", ""); }), "not relative"));
  CHECK(contains(what_of([&] { load("w.bin", "12", "8"); }), "past the end"));
  CHECK(contains(what_of([&] { load("w.bin", "18446744073709551615", "8"); }), "past the end"));
  CHECK(contains(what_of([&] { load("w.bin", "x", ""); }), "not a number"));
  CHECK(contains(what_of([&] { load("w.bin", "0", "4"); }), "needs 8 bytes"));
  fs::remove_all(outer);
}
