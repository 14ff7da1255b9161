/// @file strings: the elements of string tensors: each different string is kept once and known by its number.
///
/// An element of a tensor of `dtype::string` is that number, so whatever moves, compares or selects 64-bit elements
/// does the same for strings. The empty string is number 0, as in a fresh tensor. Strings live as long as the process;
/// they can be added and read from many threads. Errors: "tensor.string".
#pragma once

#include <string>
#include <string_view>

#include <tenon/runtime/tensor.hpp>

namespace tenon {

/// The number of a string; the same for equal ones.
u64 string_number(std::string_view s);
/// The string of a number; the reference stays valid. An error for a number that no string has.
const std::string& string_of(u64 number);

/// A string tensor. Throws "tensor.shape" when the number of strings is another.
tensor string_tensor(std::vector<i64> shape, std::span<const std::string_view> strings);
tensor string_tensor(std::vector<i64> shape, std::span<const std::string> strings);
tensor string_tensor(std::vector<i64> shape, std::initializer_list<std::string_view> strings);
/// An element of a string tensor.
const std::string& string_at(const tensor& t, i64 i);
void set_string(tensor& t, i64 i, std::string_view s);
/// All elements, in order.
std::vector<std::string> strings_of(const tensor& t);

}  // namespace tenon
