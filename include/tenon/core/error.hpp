/// @file error: the one exception type that crosses the API.
///
/// An error says what went wrong, where (a source location: ONNX node, file and line), and what to do.
/// `code` is a stable key such as "onnx.unknown_op" or "tenon-E003"; `what()` is the whole sentence. Both are for
/// people and logs: where a program goes on by what went wrong, that is a class below, or a member of one.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/int.hpp>

namespace tenon {

class error : public std::runtime_error {
 public:
  error(std::string code, std::string message, std::string where = {}, std::string hint = {})
      : std::runtime_error(compose(code, message, where, hint)), code_(std::move(code)), message_(std::move(message)),
        where_(std::move(where)), hint_(std::move(hint)) {}

  const std::string& code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }
  const std::string& where() const noexcept { return where_; }
  const std::string& hint() const noexcept { return hint_; }
  /// The pass that ran, and those inside of which it did: "simplify in tidy". Empty: none did. No part of `what()`.
  const std::string& pass() const noexcept { return pass_; }
  /// `said`: the message says which pass it is.
  void note_pass(std::string_view name, bool said = false) {
    pass_.append(pass_.empty() ? "" : " in ").append(name);
    says_pass_ = says_pass_ || said;
  }
  bool says_pass() const noexcept { return says_pass_; }
  /// Does the message say which op it is, in a module that knows no place of it? Then nobody adds that.
  bool says_op() const noexcept { return says_op_; }
  void note_op_said() noexcept { says_op_ = true; }
  /// Says it in other words, by who knows more of it and throws it on: it stays of its class, and keeps all else.
  void restate(std::string message, std::string where, std::string hint) {
    static_cast<std::runtime_error&>(*this) = std::runtime_error(compose(code_, message, where, hint));
    message_ = std::move(message), where_ = std::move(where), hint_ = std::move(hint);
  }

 private:
  static std::string compose(std::string_view code, std::string_view message, std::string_view where,
                             std::string_view hint) {
    std::string s;
    if (!where.empty()) s.append(where).append(": ");
    s.append(message);
    if (!hint.empty()) s.append("; ").append(hint);
    s.append(" [").append(code).append("]");
    return s;
  }
  std::string code_, message_, where_, hint_, pass_;
  bool says_pass_ = false, says_op_ = false;
};

/// Sizes do not go together, or are not what code was made for.
class size_error : public error {
 public:
  size_error(std::string code, std::string message, std::string where = {}, std::string hint = {},
             const std::vector<i64>& sizes = {})
      : error(std::move(code), std::move(message), std::move(where), std::move(hint)) {
    for (const i64 n : sizes) {
      bool kept = n > 0 && sizes_.size() < 16;
      for (const i64 m : sizes_) kept = kept && m != n;
      if (kept) sizes_.push_back(n);
    }
  }
  /// Extents of operands, and other numbers that the rule is about, each once: one of them may be what would have been
  /// right.
  const std::vector<i64>& sizes() const noexcept { return sizes_; }

 private:
  std::vector<i64> sizes_;
};

/// Operands break the rules of an op: "ir.infer", or of a node of a model: "onnx.bad_node".
class rule_error : public size_error {
 public:
  using size_error::size_error;
};

/// "program.condition": code finds, while it runs, that it was made for inputs of other sizes.
class other_sizes : public size_error {
 public:
  explicit other_sizes(std::string message, std::string where = {}, std::string hint = {},
                       const std::vector<i64>& sizes = {}, int branch = -1)
      : size_error("program.condition", std::move(message), std::move(where), std::move(hint), sizes), branch_(branch) {
  }
  /// Which branch of an If is not for these sizes, by its place among both; -1: it is none.
  int branch() const noexcept { return branch_; }

 private:
  int branch_;
};

/// "extent.overflow", "extent.division": a size that is no number that fits.
class extent_error : public error {
 public:
  using error::error;
};

/// "io.open", "io.read", "io.write": a file cannot be read or written.
class file_error : public error {
 public:
  using error::error;
};

/// tenon cannot do what it is asked, though nothing is wrong with it: an operator, an element type or a setting that it
/// does not know, sizes that it must know, an op without a native form. Reports of what works count these apart.
class unsupported_error : public error {
 public:
  using error::error;
  explicit unsupported_error(const error& e) : error(e) {}
};

/// What was asked for in words is nothing that there is, or that can be had so: an option, a name, an order or a target
/// as text. Command lines end with status 2.
class usage_error : public error {
 public:
  using error::error;
};

}  // namespace tenon
