/// @file strings.ipp: definitions of runtime/strings.hpp.
#pragma once

#include <deque>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include <tenon/runtime/strings.hpp>

namespace tenon {
namespace detail {

struct string_table {
  std::shared_mutex mutex;
  std::deque<std::string> strings{std::string()};  // references to elements stay valid
  std::unordered_map<std::string_view, u64> numbers{{std::string_view(), 0}};
};
inline string_table& all_strings() {
  static string_table table;
  return table;
}

inline void require_strings(const tensor& t) {
  if (t.type() != dtype::string) throw error("tensor.dtype", "a tensor " + t.describe() + " is read as string");
}

template <class String>
tensor make_string_tensor(std::vector<i64> shape, std::span<const String> strings) {
  tensor t(dtype::string, std::move(shape));
  if (static_cast<i64>(strings.size()) != t.size())
    throw error("tensor.shape", t.describe() + " has " + std::to_string(t.size()) + " elements, but " +
                                    std::to_string(strings.size()) + " are given");
  u64* to = static_cast<u64*>(t.data());
  for (const String& s : strings) *to++ = string_number(s);
  return t;
}

}  // namespace detail

u64 string_number(std::string_view s) {
  detail::string_table& table = detail::all_strings();
  {
    const std::shared_lock lock(table.mutex);
    if (const auto it = table.numbers.find(s); it != table.numbers.end()) return it->second;
  }
  const std::unique_lock lock(table.mutex);
  if (const auto it = table.numbers.find(s); it != table.numbers.end()) return it->second;
  table.strings.emplace_back(s);
  const u64 number = table.strings.size() - 1;
  table.numbers.emplace(table.strings.back(), number);
  return number;
}

const std::string& string_of(u64 number) {
  detail::string_table& table = detail::all_strings();
  const std::shared_lock lock(table.mutex);
  if (number >= table.strings.size())
    throw error("tensor.string", "there is no string of the number " + std::to_string(number), {},
                "make string tensors with string_tensor or set_string");
  return table.strings[number];
}

tensor string_tensor(std::vector<i64> shape, std::span<const std::string_view> strings) {
  return detail::make_string_tensor(std::move(shape), strings);
}
tensor string_tensor(std::vector<i64> shape, std::span<const std::string> strings) {
  return detail::make_string_tensor(std::move(shape), strings);
}
tensor string_tensor(std::vector<i64> shape, std::initializer_list<std::string_view> strings) {
  return detail::make_string_tensor(std::move(shape),
                                    std::span<const std::string_view>(strings.begin(), strings.size()));
}

const std::string& string_at(const tensor& t, i64 i) {
  detail::require_strings(t);
  if (i < 0 || i >= t.size())
    throw error("tensor.index", "element " + std::to_string(i) + " of a tensor " + t.describe() + " does not exist");
  return string_of(static_cast<const u64*>(t.data())[i]);
}

void set_string(tensor& t, i64 i, std::string_view s) {
  detail::require_strings(t);
  if (i < 0 || i >= t.size())
    throw error("tensor.index", "element " + std::to_string(i) + " of a tensor " + t.describe() + " does not exist");
  static_cast<u64*>(t.data())[i] = string_number(s);
}

std::vector<std::string> strings_of(const tensor& t) {
  std::vector<std::string> all;
  for (i64 i = 0; i < t.size(); ++i) all.push_back(string_at(t, i));
  return all;
}

}  // namespace tenon
