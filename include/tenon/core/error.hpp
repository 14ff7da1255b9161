/// @file error: the one exception type that crosses the API.
///
/// An error says what went wrong, where (a source location: ONNX node, file and line), and what to do.
/// `code` is a stable key such as "onnx.unknown_op" or "tenon-E003"; `what()` is the whole sentence.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

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
  std::string code_, message_, where_, hint_;
};

}  // namespace tenon
