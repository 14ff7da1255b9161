/// @file text: the elements of string tensors: each different text is kept once and known by its number.
///
/// An element of a tensor of `dtype::string` is that number, so whatever moves, compares or selects 64-bit elements
/// does the same for strings. The empty text is number 0, as in a fresh tensor. Texts live as long as the process; they
/// can be added and read from many threads. Errors: "tensor.text".
#pragma once

#include <string>
#include <string_view>

#include <tenon/runtime/tensor.hpp>

namespace tenon {

/// The number of a text; the same for equal texts.
u64 text_number(std::string_view text);
/// The text of a number; the reference stays valid. An error for a number that no text has.
const std::string& text_of(u64 number);

/// A string tensor. Throws "tensor.shape" when the number of texts is another.
tensor text_tensor(std::vector<i64> shape, std::span<const std::string_view> texts);
tensor text_tensor(std::vector<i64> shape, std::span<const std::string> texts);
tensor text_tensor(std::vector<i64> shape, std::initializer_list<std::string_view> texts);
/// An element of a string tensor.
const std::string& text_at(const tensor& t, i64 i);
void set_text(tensor& t, i64 i, std::string_view text);
/// All elements, in order.
std::vector<std::string> texts_of(const tensor& t);

}  // namespace tenon
