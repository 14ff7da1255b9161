/// @file target_json.ipp: definitions of targets/json.hpp.
#pragma once

#include <nlohmann/json.hpp>

#include <tenon/core/nearest.hpp>
#include <tenon/targets/json.hpp>

namespace tenon {
namespace detail {

using json = nlohmann::ordered_json;

inline json json_of(const target_spec& s) {
  json j = json::object();
  if (!s.label.empty()) j["label"] = s.label;
  j["name"] = s.name;
  for (const target_option& o : s.options) j["options"][o.name] = o.value;
  for (const target_spec& m : s.members) j["members"].push_back(json_of(m));
  return j;
}

inline target_spec spec_of_json(const json& j, int depth = 0) {
  const auto fail = [&](const std::string& m) -> target_spec {
    throw error("target.json", m, {}, R"(a target is written as in {"name": "cpu", "options": {"threads": "2"}})");
  };
  if (depth > target_spec::max_depth) fail("composites are nested too deep");
  if (!j.is_object()) return fail("a target is an object, and " + j.dump().substr(0, 60) + " was given");
  target_spec s;
  std::string tag;
  const auto text = [&](const json& v, const std::string& what) {
    if (v.is_string()) return v.get<std::string>();
    if (v.is_boolean()) return std::string(v.get<bool>() ? "true" : "false");
    if (v.is_number()) return v.dump();
    fail("'" + what + "' is " + v.dump().substr(0, 60) + ", and should be text, a number or a bool");
    return std::string();
  };
  for (const auto& [key, value] : j.items()) {
    if (key == "label") s.label = text(value, key);
    else if (key == "name") s.name = text(value, key);
    else if (key == "tag") tag = text(value, key);
    else if (key == "options") {
      if (!value.is_object()) fail("'options' is no object");
      for (const auto& [name, v] : value.items()) set_option(s, {name, text(v, name)});
    } else if (key == "members") {
      if (!value.is_array()) fail("'members' is no list");
      for (const json& m : value) s.members.push_back(spec_of_json(m, depth + 1));
    } else {
      throw error("target.json", "a target has no '" + key + "'", {},
                  nearest(key, {"label", "name", "tag", "options", "members"}));
    }
  }
  if (!tag.empty() && (!s.name.empty() || !s.members.empty())) fail("a target has a name or a tag");
  if (!tag.empty()) s.name = tag;
  if (s.name.empty()) fail("a target has a name");
  const auto word = [&](const std::string& w) {
    if (!is_target_word(w)) fail("'" + w + "' is no name: it has letters, digits, '_', '-', '.' and '+'");
  };
  word(s.name);
  if (!s.label.empty()) word(s.label);
  for (const target_option& o : s.options) word(o.name);
  resolve_tag(s);
  return s;
}

}  // namespace detail

std::string to_json(const target_spec& spec) {
  try {
    return detail::json_of(spec).dump();
  } catch (const detail::json::exception& e) {  // bytes that are no UTF-8
    throw error("target.json", std::string("the target cannot be written as JSON: ") + e.what(), {},
                "use the text form");
  }
}

target_spec target_from_json(std::string_view text) {
  detail::json j;
  try {
    j = detail::json::parse(text);
  } catch (const detail::json::exception& e) { throw error("target.json", e.what()); }
  return detail::spec_of_json(j);
}

}  // namespace tenon
