/// @file op: what an op is.
///
/// An op is a struct: its name, its traits, its attributes as members. Functions that are declared beside it, and found
/// by argument-dependent lookup, say the rest:
///
///     void     infer(const conv&, infer_context&);        result types (ir/infer.hpp)
///     void     evaluate(const conv&, eval_context&);      reference evaluation (interpret/eval.hpp)
///     value_id element(const add&, element_context&, …);  value at one index: elementwise and data movement
///     void     lower(const conv&, lower_context&);        loop nests, for the others (ops/lower.hpp)
///     bool     simplify(const pow&, simplification&);     what it can be replaced by (ops/simplification.hpp)
///     bool     absorb(reshape&, int operand, const tensor&);    takes a constant operand as an attribute
///     bool     value_from_type(const shape_of&, const ir::type& operand, tensor&);    what a type alone says
///     bool     move_transpose(slice&, std::vector<i64>& order, u32 given);    what a transpose above it becomes
///     bool     use_panels(matmul&, weight_panels&);       weights in panels (ops/weight_panels.hpp)
///     excess_precision excess(const max_pool&);   where the op's attributes decide what traits cannot say
///
/// `ir::op_info` is its type-erased form, which the IR stores; its address is the op's identity at run time.
#pragma once

#include <string_view>
#include <vector>

#include <tenon/core/int.hpp>
#include <tenon/ir/attribute.hpp>
#include <tenon/judge/effect.hpp>
#include <tenon/judge/region_rule.hpp>
#include <tenon/meta/type_name.hpp>

namespace tenon {

/// What an op may do besides computing its results. An op without effects is pure.
/// `other` stands for effects that are types of users (`Op::effects`), and need not be said beside those.
enum class effect_bits : u32 {
  none = 0,
  reads = 1,
  writes = 2,
  allocates = 4,
  random = 8,
  io = 16,
  sync = 32,
  other = 64
};
constexpr effect_bits operator|(effect_bits a, effect_bits b) {
  return static_cast<effect_bits>(static_cast<u32>(a) | static_cast<u32>(b));
}
constexpr bool has(effect_bits set, effect_bits e) { return (static_cast<u32>(set) & static_cast<u32>(e)) != 0; }

/// What one kernel may hold beside an op: `passes::fuse` asks, of built-in ops and of users'.
struct fusion_traits {
  bool anchor = false;       ///< `lower` writes each element of the one result once, through `store`
  bool contraction = false;  ///< an anchor that stores in the middle of a micro-kernel: only plain arithmetic joins it
  int reads = 0;             ///< how often an anchor reads each element of its first operand, or of all if it takes any
                             ///< number; 0: often
  bool cheap = false;        ///< an elementwise op that costs about as much as reading its operands
  bool moves = false;        ///< each element of the result is one of the first operand
  bool alone = false;        ///< never part of another op's kernel
};

/// What `passes::simplify` may do with an op by its arithmetic alone; the operands' elements decide nothing here.
enum class algebra : u8 {
  none,
  zero_is_neutral,  ///< as the second operand, or either of a commutative op: the result is the other one
  one_is_neutral,
  lowest_is_neutral,  ///< the least value of the element type: -inf of floats
  highest_is_neutral,
  involution,  ///< f(f(x)) is x
  idempotent,  ///< f(f(x)) is f(x)
};

/// What becomes of an op where 16-bit floats are held in f32 between ops: `passes::widen_halves` asks, of built-in ops
/// and of users'.
enum class excess_precision : u8 {
  none,      ///< it sees halves: it decides by values, converts them, or hands them on
  computes,  ///< it is of f32
  chooses,   ///< elements that stand at the same place of its operands: it is of f32 where one of these is
  moves,     ///< elements, through memory: it is of f32 where all operands are, and something computes with the result
};
struct excess_traits {
  excess_precision form = excess_precision::none;
  int operands = -1;  ///< how many, from the first, are of the result's type, and not scales or places; -1: all
};

/// Facts about an op that passes may rely on. Which operands' memory it touches, and the effects that follow, it says
/// by `using reads = operands<0>; using writes = operands<1>;` (judge/effect.hpp), and whose memory its results share
/// by `using aliases = operands<0>` (judge/aliasing.hpp), if `view` does not say it; what may stand in its regions, by
/// `region_allows` or `region_forbids` (judge/region_rule.hpp); what each run of them has for itself, by `region_keeps`
/// (judge/barred.hpp).
struct op_traits {
  effect_bits effects = effect_bits::none;
  bool terminator = false;                  ///< ends a region
  bool commutative = false;                 ///< the first two operands may be exchanged
  bool elementwise = false;                 ///< result element i depends on (broadcast) operand elements i only
  bool view = false;                        ///< the result shares its first operand's elements, in row-major order
  int regions = 0;                          ///< how many regions it has; -1: any number
  int min_operands = 0, max_operands = -1;  ///< -1: any number
  int results = 1;                          ///< -1: any number
  fusion_traits fusion{};
  tenon::algebra law = tenon::algebra::none;
  excess_traits excess{};
  int weights = -1;  ///< the operand whose products with the others are added up; sums of halves are of f32, and
                     ///< rounded once. -1: none
  bool narrow_weights =
      false;  ///< operand 1 may be weights of fewer bits than the others (ops/graph/narrow_weight.hpp)
};

struct text_form;       // judge/op_set.hpp
class simplification;   // ops/simplification.hpp
class weight_panels;    // ops/weight_panels.hpp
class eval_context;     // interpret/eval.hpp
class value_context;    // the same, for ops on sequences and optionals
class element_context;  // ops/lower.hpp
class lower_context;
class tensor;
template <class Table, class Op>
struct handles_op;

namespace ir {
class infer_context;
class index_expr;  // ir/loop_builder.hpp
using index_list = std::vector<index_expr>;
struct type;

struct op_info {
  std::string_view name;
  op_traits traits;
  void* (*make)();
  void* (*copy)(const void*);
  void (*destroy)(void*);
  std::span<const attribute> (*attributes)();
  void (*infer)(const void*, infer_context&);  ///< null: results have the types that the builder was given
  u64 key;                                     ///< what op lists know the op by; differs between compilers
  u32 reads = 0, writes = 0;                   ///< operands, as bits, whose memory it says it reads and writes
  u32 aliases = 0;                             ///< operands, as bits, whose memory its results may share
  bool (*simplify)(const void*, simplification&) = nullptr;                         ///< null: nothing of its own
  bool (*absorb)(void*, int operand, const tensor& value) = nullptr;                ///< null: it keeps its operands
  bool (*value_from_type)(const void*, const type& operand, tensor& to) = nullptr;  ///< null: types say nothing
  region_limit region{};                                                            ///< what its regions may hold
  excess_precision (*excess)(const void*) = nullptr;                                ///< null: as its traits say
  /// The first operand is x transposed: dimension d is order[d] of x. Changes the op so that it reads x, and gives what
  /// is its result where it is transposed by `order`, which may be changed, too. False: it cannot. `given`: which
  /// operands there are, as bits. Null: it reads what is transposed.
  bool (*move_transpose)(void*, std::vector<i64>& order, u32 given) = nullptr;
  bool (*use_panels)(void*, weight_panels&) = nullptr;  ///< null: it has no weights, or reads them as they are

  bool is_pure() const { return traits.effects == effect_bits::none && !traits.terminator; }
};

namespace detail {
/// May an op of these traits and this key stand in such a region?
constexpr bool stands_in(const region_limit& limit, const op_traits& t, u64 key) {
  if (t.terminator || !limit.said) return true;
  const auto has = static_cast<unsigned>(t.effects);
  if (limit.by_effects) return limit.allows ? (has & ~limit.effects) == 0 : (has & limit.effects) == 0;
  return limit.ops.contains(key) == limit.allows;
}
template <class Op>
constexpr op_traits traits_of() {
  static_assert(tenon::detail::says_effects_right<Op>());
  op_traits t;
  if constexpr (requires { Op::traits; }) t = Op::traits;
  using said = typename decltype(tenon::detail::effects_said<Op>())::type;  // passes ask what the judge asked
  t.effects = t.effects | static_cast<effect_bits>(tenon::detail::bits_of_effects<said>);
  return t;
}
template <class Op>
constexpr auto infer_of() -> void (*)(const void*, infer_context&) {
  if constexpr (requires(const Op& op, infer_context& cx) { infer(op, cx); })
    return [](const void* p, infer_context& cx) { infer(*static_cast<const Op*>(p), cx); };
  else return nullptr;
}
template <class Op>
constexpr auto simplify_of() -> bool (*)(const void*, simplification&) {
  if constexpr (requires(const Op& op, simplification& s) { simplify(op, s); })
    return [](const void* p, simplification& s) -> bool { return simplify(*static_cast<const Op*>(p), s); };
  else return nullptr;
}
template <class Op>
constexpr auto absorb_of() -> bool (*)(void*, int, const tensor&) {
  if constexpr (requires(Op& op, const tensor& t) { absorb(op, 1, t); })
    return [](void* p, int i, const tensor& t) -> bool { return absorb(*static_cast<Op*>(p), i, t); };
  else return nullptr;
}
template <class Op>
constexpr auto value_from_type_of() -> bool (*)(const void*, const type&, tensor&) {
  if constexpr (requires(const Op& op, const type& t, tensor& to) { value_from_type(op, t, to); })
    return [](const void* p, const type& t, tensor& to) -> bool {
      return value_from_type(*static_cast<const Op*>(p), t, to);
    };
  else return nullptr;
}
template <class Op>
constexpr auto excess_of() -> excess_precision (*)(const void*) {
  if constexpr (requires(const Op& op) { excess(op); })
    return [](const void* p) -> excess_precision { return excess(*static_cast<const Op*>(p)); };
  else return nullptr;
}
template <class Op>
constexpr auto move_transpose_of() -> bool (*)(void*, std::vector<i64>&, u32) {
  if constexpr (requires(Op& op, std::vector<i64>& order) { move_transpose(op, order, u32{1}); })
    return [](void* p, std::vector<i64>& order, u32 given) -> bool {
      return move_transpose(*static_cast<Op*>(p), order, given);
    };
  else return nullptr;
}
template <class Op>
constexpr auto use_panels_of() -> bool (*)(void*, weight_panels&) {
  if constexpr (requires(Op& op, weight_panels& w) { use_panels(op, w); })
    return [](void* p, weight_panels& w) -> bool { return use_panels(*static_cast<Op*>(p), w); };
  else return nullptr;
}
template <class Op>
std::span<const attribute> attributes_of_op() {
  static_assert(
      std::is_empty_v<Op> || requires(const Op& op) { op.list_attributes(); } ||
          requires { handles_op<text_form, Op>::reason; },
      "tenon-E006: the printer has nothing for the members of this op: list them in TENON_ATTRIBUTES; ops that differ "
      "in other members would be taken for equal");
  return attributes_of<Op>();
}
}  // namespace detail

namespace detail {
template <class Op>
constexpr op_info make_info() {
  return {Op::name,
          traits_of<Op>(),
          []() -> void* { return new Op(); },
          [](const void* p) -> void* { return new Op(*static_cast<const Op*>(p)); },
          [](void* p) { delete static_cast<Op*>(p); },
          &attributes_of_op<Op>,
          infer_of<Op>(),
          meta::type_key<Op>,
          tenon::detail::operands_read<Op>(),
          tenon::detail::operands_written<Op>(),
          tenon::detail::operands_aliased<Op>(),
          simplify_of<Op>(),
          absorb_of<Op>(),
          value_from_type_of<Op>(),
          tenon::detail::limit_of<Op>(),
          excess_of<Op>(),
          move_transpose_of<Op>(),
          use_panels_of<Op>()};
}
template <class Op>
inline constexpr op_info own_info = make_info<Op>();
/// Of an op of this library: made once, by who includes ir/library_infos.hpp, not in each file that names a phase.
template <class Op>
struct library_info {
  static const op_info value;
};

template <class Op>
constexpr const op_info& find_info() {
#ifdef __clang__
#  pragma clang diagnostic push
#  pragma clang diagnostic ignored "-Wundefined-var-template"
#endif
  if constexpr (meta::is_built_in<Op>()) return library_info<Op>::value;
  else return own_info<Op>;
#ifdef __clang__
#  pragma clang diagnostic pop
#endif
}
}  // namespace detail

/// The one `op_info` of an op; compare addresses to ask "is it this op?".
template <class Op>
inline constexpr const op_info& info_of = detail::find_info<Op>();
}  // namespace ir
using ir::index_list;

template <class T>
concept op_type = requires { std::string_view(T::name); };

}  // namespace tenon
