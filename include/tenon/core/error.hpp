/// @file error: the one exception type that crosses the API.
///
/// An error says what went wrong, where (a source location: ONNX node, file and line), and what to do.
/// `code` is a stable key such as "onnx.unknown_op" or "tenon-E003"; `what()` is the whole sentence.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

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
  void note_pass(std::string_view name) { pass_.append(pass_.empty() ? "" : " in ").append(name); }

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
};

/// Operands break the rules of an op: "ir.infer", or of a node of a model: "onnx.bad_node".
class rule_error : public error {
 public:
  using error::error;
};

/// The same error with another message and place, by who knows more of it.
[[noreturn]] inline void throw_placed(const error& e, std::string message, std::string where) {
  if (dynamic_cast<const rule_error*>(&e) != nullptr)
    throw rule_error(e.code(), std::move(message), std::move(where), e.hint());
  throw error(e.code(), std::move(message), std::move(where), e.hint());
}

/// "program.condition": code finds, while it runs, that it was made for inputs of other sizes.
class other_sizes : public error {
 public:
  explicit other_sizes(std::string message, std::string where = {}, std::string hint = {})
      : error("program.condition", std::move(message), std::move(where), std::move(hint)) {}
};

}  // namespace tenon
