/// @file text.ipp: definitions of runtime/text.hpp.
#pragma once

#include <deque>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include <tenon/runtime/text.hpp>

namespace tenon {
namespace detail {

struct text_table {
  std::shared_mutex mutex;
  std::deque<std::string> texts{std::string()};  // references to elements stay valid
  std::unordered_map<std::string_view, u64> numbers{{std::string_view(), 0}};
};
inline text_table& texts() {
  static text_table table;
  return table;
}

inline void require_strings(const tensor& t) {
  if (t.type() != dtype::string) throw error("tensor.dtype", "a tensor " + t.describe() + " is read as string");
}

template <class Text>
tensor make_text_tensor(std::vector<i64> shape, std::span<const Text> texts) {
  tensor t(dtype::string, std::move(shape));
  if (static_cast<i64>(texts.size()) != t.size())
    throw error("tensor.shape", t.describe() + " has " + std::to_string(t.size()) + " elements, but " +
                                    std::to_string(texts.size()) + " are given");
  u64* to = static_cast<u64*>(t.data());
  for (const Text& s : texts) *to++ = text_number(s);
  return t;
}

}  // namespace detail

u64 text_number(std::string_view text) {
  detail::text_table& table = detail::texts();
  {
    const std::shared_lock lock(table.mutex);
    if (const auto it = table.numbers.find(text); it != table.numbers.end()) return it->second;
  }
  const std::unique_lock lock(table.mutex);
  if (const auto it = table.numbers.find(text); it != table.numbers.end()) return it->second;
  table.texts.emplace_back(text);
  const u64 number = table.texts.size() - 1;
  table.numbers.emplace(table.texts.back(), number);
  return number;
}

const std::string& text_of(u64 number) {
  detail::text_table& table = detail::texts();
  const std::shared_lock lock(table.mutex);
  if (number >= table.texts.size())
    throw error("tensor.text", "there is no text of the number " + std::to_string(number), {},
                "make string tensors with text_tensor or set_text");
  return table.texts[number];
}

tensor text_tensor(std::vector<i64> shape, std::span<const std::string_view> texts) {
  return detail::make_text_tensor(std::move(shape), texts);
}
tensor text_tensor(std::vector<i64> shape, std::span<const std::string> texts) {
  return detail::make_text_tensor(std::move(shape), texts);
}
tensor text_tensor(std::vector<i64> shape, std::initializer_list<std::string_view> texts) {
  return detail::make_text_tensor(std::move(shape), std::span<const std::string_view>(texts.begin(), texts.size()));
}

const std::string& text_at(const tensor& t, i64 i) {
  detail::require_strings(t);
  if (i < 0 || i >= t.size())
    throw error("tensor.index", "element " + std::to_string(i) + " of a tensor " + t.describe() + " does not exist");
  return text_of(static_cast<const u64*>(t.data())[i]);
}

void set_text(tensor& t, i64 i, std::string_view text) {
  detail::require_strings(t);
  if (i < 0 || i >= t.size())
    throw error("tensor.index", "element " + std::to_string(i) + " of a tensor " + t.describe() + " does not exist");
  static_cast<u64*>(t.data())[i] = text_number(text);
}

std::vector<std::string> texts_of(const tensor& t) {
  std::vector<std::string> all;
  for (i64 i = 0; i < t.size(); ++i) all.push_back(text_at(t, i));
  return all;
}

}  // namespace tenon
