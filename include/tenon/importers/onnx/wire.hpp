/// @file wire: protobuf fields with checked wire types, and errors that say file and byte.
///
/// protozero asserts (debug) or reads nonsense (release) when a field has another wire type than the caller thinks;
/// here each getter checks first. Messages are visited by `each_field(message, where, f)`.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <protozero/pbf_reader.hpp>

#include <tenon/core/error.hpp>
#include <tenon/core/int.hpp>
#include <tenon/importers/onnx/budget.hpp>

namespace tenon::importers::onnx {

/// The bytes that tensors refer to.
struct source {
  std::string_view bytes;
  std::shared_ptr<const void> owner;
  std::string name;    // the file, for messages
  std::string folder;  // of external data; empty: there is none
  bool follow_links = false;
};

}  // namespace tenon::importers::onnx

namespace tenon::importers::onnx::detail {

inline constexpr i64 bytes_of_message = 256;  // that the struct of an empty one takes, about
inline constexpr int max_depth = 64;          // of messages within messages; real models stay under 20

/// Where a decoder is: in which file, in which kind of message, how deep.
struct position {
  const std::shared_ptr<const source>& origin;
  const char* message;  // "ModelProto"
  int depth = 0;
  budget_meter* budget = nullptr;  // of messages that become structs

  position in(const char* inner) const { return {origin, inner, depth + 1, budget}; }

  [[noreturn]] void fail(const std::string& what, const char* at, const char* hint = nullptr) const {
    std::string where = origin->name;
    const auto offset = at - origin->bytes.data();
    if (at && offset >= 0 && static_cast<size_t>(offset) <= origin->bytes.size())
      where += " at byte " + std::to_string(offset);
    throw error("onnx.malformed", std::string(message) + ": " + what, where,
                hint ? hint : "the file is damaged, cut off or not of this kind: export or download it again");
  }
};

class field {
 public:
  field(protozero::pbf_reader& reader, const position& where, const char* start)
      : reader_(reader), where_(where), start_(start), tag_(reader.tag()), wire_(reader.wire_type()) {}

  u32 tag() const { return tag_; }
  bool is_packed() const { return wire_ == protozero::pbf_wire_type::length_delimited; }
  const char* start() const { return start_; }

  i64 integer() { return expect(protozero::pbf_wire_type::varint), done_ = true, reader_.get_int64(); }
  float f32() { return expect(protozero::pbf_wire_type::fixed32), done_ = true, reader_.get_float(); }
  double f64() { return expect(protozero::pbf_wire_type::fixed64), done_ = true, reader_.get_double(); }
  std::string_view bytes() {
    expect(protozero::pbf_wire_type::length_delimited);
    done_ = true;
    const protozero::data_view v = reader_.get_view();
    return {v.data(), v.size()};
  }
  std::string string() { return std::string(bytes()); }

  /// A repeated number, packed or not: calls `f(value)` for each.
  template <class F> void each_integer(F&& f) {
    if (!is_packed()) return f(integer());
    done_ = true;
    for (const i64 v : reader_.get_packed_int64()) f(v);
  }
  template <class F> void each_f32(F&& f) {
    if (!is_packed()) return f(f32());
    done_ = true;
    for (const float v : reader_.get_packed_float()) f(v);
  }
  template <class F> void each_f64(F&& f) {
    if (!is_packed()) return f(f64());
    done_ = true;
    for (const double v : reader_.get_packed_double()) f(v);
  }

  void skip_if_unread() {
    if (!done_) reader_.skip();
  }

 private:
  void expect(protozero::pbf_wire_type t) const {
    if (wire_ != t) where_.fail("field " + std::to_string(tag_) + " has the wrong wire type", start_);
  }

  protozero::pbf_reader& reader_;
  const position& where_;
  const char* start_;
  u32 tag_;
  protozero::pbf_wire_type wire_;
  bool done_ = false;
};

/// Calls `f(field&)` for each field; a field that `f` does not read is skipped.
template <class F> void each_field(std::string_view message, const position& where, F&& f) {
  if (where.budget) where.budget->take_bytes(bytes_of_message, where.origin->name);
  if (where.depth > max_depth) where.fail("messages lie more than 64 deep in each other", message.data());
  protozero::pbf_reader reader(message.data(), message.size());
  const char* start = message.data();
  try {
    while (reader.next()) {
      field current(reader, where, start);
      f(current);
      current.skip_if_unread();
      start = reader.data().data();
    }
  } catch (const protozero::end_of_buffer_exception&) {
    where.fail("a field goes past the end of its message", start);
  } catch (const protozero::exception& e) { where.fail(e.what(), start); }
}

}  // namespace tenon::importers::onnx::detail
