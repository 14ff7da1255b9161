/// @file value: what a graph's value is when it runs: a tensor, a sequence of values, or an optional without an
/// element.
///
/// An optional that has an element is that element: only its static type says that it could have been without.
/// Copies share tensors and lists; a list is copied when it is changed while another value shares it.
/// Errors: "value.kind".
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tenon/runtime/tensor.hpp>

namespace tenon {

class value {
 public:
  enum class kind_t : u8 { nothing, tensor, sequence };
  using list = std::vector<value>;

  value() = default;  ///< an optional without an element
  value(tensor t) : kind_(kind_t::tensor), tensor_(std::move(t)) {}
  static value sequence(list items);

  kind_t kind() const { return kind_; }
  bool is_tensor() const { return kind_ == kind_t::tensor; }
  bool is_sequence() const { return kind_ == kind_t::sequence; }
  bool is_nothing() const { return kind_ == kind_t::nothing; }
  const tensor& as_tensor() const {
    if (kind_ != kind_t::tensor) wrong_kind("a tensor");
    return tensor_;
  }
  tensor take_tensor() && {
    if (kind_ != kind_t::tensor) wrong_kind("a tensor");
    return std::move(tensor_);
  }
  const list& items() const {
    if (kind_ != kind_t::sequence) wrong_kind("a sequence");
    return *items_;
  }
  /// The items, of this value alone.
  list& own_items();
  /// "f32[2,3]", "sequence(f32[2], f32[3])", "nothing".
  std::string describe() const;

 private:
  [[noreturn]] void wrong_kind(const char* wanted) const;

  kind_t kind_ = kind_t::nothing;
  tensor tensor_;
  std::shared_ptr<list> items_;
};

}  // namespace tenon
