/// @file variable: what operators of a graph take and give: tensors, numbers beside them, and the lines where they are
/// called.
#pragma once

#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

#include <tenon/ir/module.hpp>

namespace tenon::nn {

class graph;
class operand;

/// A dimension of an input: a number, or a name: inputs that use the same name have the same extent.
class extent {
 public:
  extent(int n) : number_(n) {}
  extent(i64 n) : number_(n) {}
  extent(const char* name) : name_(name) {}
  extent(std::string name) : name_(std::move(name)) {}

 private:
  friend class graph;
  i64 number_ = 0;
  std::string name_;
};

/// A tensor of a graph that is being written. Cheap to copy; lives no longer than its graph.
class variable {
 public:
  value_id id() const { return id_; }
  nn::graph& graph() const { return *graph_; }
  /// Element type and shape, as far as they are known.
  const ir::type& type() const;
  int rank() const { return type().rank(); }

  friend variable operator+(operand a, operand b);
  friend variable operator-(operand a, operand b);
  friend variable operator*(operand a, operand b);
  friend variable operator/(operand a, operand b);
  friend variable operator-(operand a);

 private:
  friend class nn::graph;
  variable(nn::graph& g, value_id id) : graph_(&g), id_(id) {}
  nn::graph* graph_;
  value_id id_;
};

/// What an operator takes: a value or a number, and the line where it was called.
class operand {
 public:
  operand(const variable& v, std::source_location at = std::source_location::current()) : value_(v), at_(at) {}
  /// A tensor with a type (importers/typed_graph.hpp).
  template <class X>
    requires requires { typename X::element; } && std::is_convertible_v<const X&, const variable&>
  operand(const X& x, std::source_location at = std::source_location::current())
      : operand(static_cast<const variable&>(x), at) {}
  operand(double n, std::source_location at = std::source_location::current()) : number_(n), at_(at) {}

  bool is_number() const { return !value_; }
  double number() const { return number_; }
  /// Error "graph.number" for a number.
  const variable& get() const;
  const std::source_location& at() const { return at_; }

 private:
  std::optional<variable> value_;
  double number_ = 0;
  std::source_location at_;
};

}  // namespace tenon::nn
