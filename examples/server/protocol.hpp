/// @file protocol: bodies of the Open Inference Protocol (KServe v2, REST with its binary tensor extension) as tensors.
/// https://kserve.github.io/website/docs/concepts/architecture/data-plane/v2-protocol
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <tenon/core/checked.hpp>
#include <tenon/core/nearest.hpp>
#include <tenon/runtime/program.hpp>

namespace server {

using nlohmann::json;

/// What is answered by another status than 200, and the sentence.
class refused_request : public tenon::error {
 public:
  refused_request(int status, tenon::error why) : tenon::error(std::move(why)), status_(status) {}
  int status() const noexcept { return status_; }

 private:
  int status_;
};

/// The client's fault.
[[noreturn]] inline void bad(const std::string& what, const std::string& hint = {}) {
  throw refused_request(400, {"server.request", what, {}, hint});
}

inline constexpr std::pair<tenon::dtype, const char*> datatypes[] = {
    {tenon::dtype::boolean, "BOOL"}, {tenon::dtype::u8, "UINT8"},   {tenon::dtype::u16, "UINT16"},
    {tenon::dtype::u32, "UINT32"},   {tenon::dtype::u64, "UINT64"}, {tenon::dtype::i8, "INT8"},
    {tenon::dtype::i16, "INT16"},    {tenon::dtype::i32, "INT32"},  {tenon::dtype::i64, "INT64"},
    {tenon::dtype::f16, "FP16"},     {tenon::dtype::f32, "FP32"},   {tenon::dtype::f64, "FP64"},
    {tenon::dtype::bf16, "BF16"}};
inline const char* name_of_datatype(tenon::dtype t) {
  for (const auto& [type, name] : datatypes)
    if (type == t) return name;
  return "";
}

inline json metadata_of(const tenon::program& p, const std::string& name) {
  const auto list = [](const std::vector<tenon::port>& ports) {
    json r = json::array();
    for (const tenon::port& x : ports) {
      std::vector<tenon::i64> shape = x.shape;
      for (tenon::i64& d : shape) d = d < 0 ? -1 : d;
      r.push_back({{"name", x.name}, {"datatype", name_of_datatype(x.type)}, {"shape", shape}});
    }
    return r;
  };
  return {{"name", name},
          {"versions", {"1"}},
          {"platform", "tenon"},
          {"inputs", list(p.inputs())},
          {"outputs", list(p.outputs())}};
}

struct parsed_request {
  std::vector<tenon::tensor> inputs;
  std::vector<std::string> outputs;  ///< that are asked for; empty: all
  std::vector<bool> binary;          ///< of each output of the program
  std::string id;
};

/// Reads numbers, nested as the shape says or in one list, into a tensor of zeros.
class data_reader {
 public:
  data_reader(tenon::tensor& to, const std::string& name) : to_(to), name_(name) {}
  void read(const json& j, int depth = 0) {
    if (j.is_array()) {
      if (depth > to_.rank()) bad("the data of input '" + name_ + "' is nested deeper than its shape");
      for (const json& x : j) read(x, depth + 1);
      return;
    }
    if (at_ == to_.size()) return too_many();
    if (j.is_number_integer() && tenon::is_int(to_.type()))
      j.is_number_unsigned() ? put(j.get<tenon::u64>()) : put(j.get<tenon::i64>());
    else if (j.is_number() && !tenon::is_int(to_.type())) to_.set_f64(at_++, j.get<double>());
    else if (j.is_boolean() && to_.type() == tenon::dtype::boolean) to_.set_i64(at_++, j.get<bool>() ? 1 : 0);
    else
      bad("the data of input '" + name_ + "' holds " + std::string(j.type_name()) + " where " +
          name_of_datatype(to_.type()) + " is expected");
  }
  void finish() const {
    if (at_ != to_.size())
      bad("input '" + name_ + "' has " + std::to_string(at_) + " numbers, and its shape asks for " +
          std::to_string(to_.size()));
  }

 private:
  void too_many() const {
    bad("input '" + name_ + "' has more numbers than the " + std::to_string(to_.size()) + " of its shape");
  }
  template <class Number>
  void put(Number v) {
    const bool wide = to_.type() == tenon::dtype::u64;
    const bool fits = wide ? !(v < Number{}) : std::in_range<tenon::i64>(v);
    if (fits) to_.set_i64(at_, static_cast<tenon::i64>(v));
    if (!fits || (!wide && !std::cmp_equal(to_.at_i64(at_), v)))
      bad("the data of input '" + name_ + "' holds " + std::to_string(v) + ", which " + name_of_datatype(to_.type()) +
          " has no room for");
    ++at_;
  }
  tenon::tensor& to_;
  const std::string& name_;
  tenon::i64 at_ = 0;
};

inline const json& member(const json& object, const char* name, const std::string& of) {
  const auto it = object.find(name);
  if (it == object.end()) bad(of + " has no '" + name + "'");
  return *it;
}
inline std::string text_of(const json& object, const char* name, const std::string& of) {
  const json& j = member(object, name, of);
  if (!j.is_string()) bad("'" + std::string(name) + "' of " + of + " is no string");
  return j.get<std::string>();
}
inline bool flag_of(const json& object, const char* name) {
  const auto p = object.find("parameters");
  if (p == object.end() || !p->is_object()) return false;
  const auto it = p->find(name);
  return it != p->end() && it->is_boolean() && it->get<bool>();
}

/// `binary` is what follows the JSON.
inline parsed_request parse(const tenon::program& p, std::string_view text, std::string_view binary) {
  const json j = json::parse(text, nullptr, false);
  if (j.is_discarded() || !j.is_object()) bad("the body is no JSON object");
  parsed_request r;
  if (const auto id = j.find("id"); id != j.end()) r.id = text_of(j, "id", "the request");
  const json& inputs = member(j, "inputs", "the request");
  if (!inputs.is_array()) bad("'inputs' is no list");
  std::vector<std::string> names;
  for (const tenon::port& x : p.inputs()) names.push_back(x.name);
  tenon::named_tensors given;
  for (const json& one : inputs) {
    if (!one.is_object()) bad("an input is no object");
    const std::string name = text_of(one, "name", "an input"), who = "input '" + name + "'";
    const auto port = std::find_if(p.inputs().begin(), p.inputs().end(), [&](const auto& x) { return x.name == name; });
    if (port == p.inputs().end()) bad("the model has no " + who, tenon::nearest(name, names));
    if (const std::string type = text_of(one, "datatype", who); type != name_of_datatype(port->type))
      bad(who + " is of " + name_of_datatype(port->type) + ", and " + type + " was given");
    const json& dims = member(one, "shape", who);
    if (!dims.is_array() || dims.size() > 64) bad("the shape of " + who + " is no list of at most 64 numbers");
    std::vector<tenon::i64> shape;
    for (const json& d : dims) {
      if (!d.is_number_integer() || d.get<tenon::i64>() < 0 || d.get<tenon::i64>() > (tenon::i64{1} << 40))
        bad("the shape of " + who + " holds " + d.dump(-1, ' ', false, json::error_handler_t::replace));
      shape.push_back(d.get<tenon::i64>());
    }
    const auto elements = tenon::checked_count(shape);
    // There is a byte of the body for each element: a shape alone asks for no memory.
    if (!elements || *elements > static_cast<tenon::i64>(text.size() + binary.size()))
      bad("the shape of " + who + " asks for more elements than the request has");
    tenon::tensor t(port->type, shape);
    const auto parameters = one.find("parameters");
    if (parameters != one.end() && parameters->is_object() && parameters->contains("binary_data_size")) {
      const json& size = (*parameters)["binary_data_size"];
      if (!size.is_number_unsigned() || size.get<tenon::u64>() != static_cast<tenon::u64>(t.bytes()))
        bad("'binary_data_size' of " + who + " is not the " + std::to_string(t.bytes()) + " bytes of its shape");
      if (binary.size() < static_cast<size_t>(t.bytes())) bad("the body ends within " + who);
      if (t.bytes() != 0) std::memcpy(t.data(), binary.data(), static_cast<size_t>(t.bytes()));
      if (t.type() == tenon::dtype::boolean)
        for (tenon::i64 k = 0; k < t.size(); ++k) t.set_i64(k, t.at_i64(k) != 0 ? 1 : 0);
      binary.remove_prefix(static_cast<size_t>(t.bytes()));
    } else {
      data_reader reader(t, name);
      reader.read(member(one, "data", who));
      reader.finish();
    }
    if (!given.emplace(name, std::move(t)).second) bad(who + " is given twice");
  }
  if (!binary.empty()) bad("the body has " + std::to_string(binary.size()) + " bytes behind its last tensor");
  r.inputs = tenon::detail::in_order_of(names, given);
  r.binary.assign(p.outputs().size(), flag_of(j, "binary_data_output"));
  if (const auto outputs = j.find("outputs"); outputs != j.end()) {
    if (!outputs->is_array()) bad("'outputs' is no list");
    for (const json& one : *outputs) {
      if (!one.is_object()) bad("an output is no object");
      const std::string name = text_of(one, "name", "an output");
      size_t i = 0;
      while (i < p.outputs().size() && p.outputs()[i].name != name) ++i;
      if (i == p.outputs().size()) bad("the model has no output '" + name + "'");
      r.binary[i] = r.binary[i] || flag_of(one, "binary_data");
      r.outputs.push_back(name);
    }
  }
  return r;
}

/// The JSON, and what follows it.
inline std::pair<std::string, std::string> answer(const tenon::program& p, const std::string& model,
                                                  const parsed_request& r, const std::vector<tenon::tensor>& made) {
  json j = {{"model_name", model}, {"model_version", "1"}, {"outputs", json::array()}};
  if (!r.id.empty()) j["id"] = r.id;
  std::string binary;
  for (size_t i = 0; i < made.size(); ++i) {
    const std::string& name = p.outputs()[i].name;
    if (!r.outputs.empty() && std::find(r.outputs.begin(), r.outputs.end(), name) == r.outputs.end()) continue;
    const tenon::tensor& t = made[i];
    json one = {{"name", name}, {"datatype", name_of_datatype(t.type())}, {"shape", t.shape()}};
    if (r.binary[i]) {
      one["parameters"]["binary_data_size"] = t.bytes();
      if (t.bytes() != 0) binary.append(static_cast<const char*>(t.data()), static_cast<size_t>(t.bytes()));
    } else {
      json& data = one["data"] = json::array();
      for (tenon::i64 k = 0; k < t.size(); ++k)
        if (t.type() == tenon::dtype::boolean) data.push_back(t.at_i64(k) != 0);
        else if (t.type() == tenon::dtype::u64) data.push_back(static_cast<tenon::u64>(t.at_i64(k)));
        else if (tenon::is_int(t.type())) data.push_back(t.at_i64(k));
        else data.push_back(t.at_f64(k));
    }
    j["outputs"].push_back(std::move(one));
  }
  return {j.dump(-1, ' ', false, json::error_handler_t::replace), std::move(binary)};
}

}  // namespace server
