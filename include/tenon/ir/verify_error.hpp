/// @file verify_error: what the verifier throws, with the op that breaks a rule, of which whoever read the module knows
/// the place.
#pragma once

#include <string>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/core/ids.hpp>

namespace tenon::ir {

/// "ir.verify"
class verify_error : public error {
 public:
  verify_error(std::string message, std::string where, std::string hint, op_id op)
      : error("ir.verify", std::move(message), std::move(where), std::move(hint)), op_(op) {}
  op_id op() const noexcept { return op_; }  ///< none: it is a function that does

 private:
  op_id op_;
};

}  // namespace tenon::ir
