/// @file placed: an error of the arithmetic below a rule or an evaluation says which op it is of, and where that
/// stands.
#pragma once

#include <string>
#include <string_view>

#include <tenon/core/error.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// Returns f(). An error without a place gets that of the op of this name; one about sizes also the shapes of the
/// operands, as `shapes()` says them.
template <class F, class Shapes>
decltype(auto) placed(const module& m, std::string_view name, location_id at, F&& f, Shapes&& shapes) {
  const auto place = [&](error& e, const std::string& more) {
    const std::string& where = m.text(at);
    if (!e.where().empty() || (e.says_op() && where.empty())) return;
    e.restate(std::string(name) + ": " + e.message() + more, where, e.hint());
  };
  try {
    return f();
  } catch (extent_error& e) {
    place(e, ", for operands of " + shapes());
    throw;
  } catch (error& e) {
    place(e, {});
    throw;
  }
}

/// What `placed` asks for: "[2,?,3], [4]".
inline std::string operand_shapes(const module& m, std::span<const value_id> operands) {
  std::string s;
  for (value_id v : operands) s += (s.empty() ? "" : ", ") + (v ? extents_text(m.type_of(v)) : std::string("none"));
  return s.empty() ? "none" : s;
}

/// Runs an op's type rule.
template <class Context>
void infer_placed(const module& m, const op_info& info, const void* attributes, Context& cx,
                  std::span<const value_id> operands, location_id at) {
  cx.of(attributes);
  placed(m, info.name, at, [&] { info.infer(attributes, cx); }, [&] { return operand_shapes(m, operands); });
}

}  // namespace tenon::ir
