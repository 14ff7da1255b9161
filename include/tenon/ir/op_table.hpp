/// @file op_table: the ops of a phase by name, for reading text and for the verifier.
#pragma once

#include <span>
#include <type_traits>

#include <tenon/judge/op_set.hpp>
#include <tenon/op.hpp>

namespace tenon::ir {

namespace detail {
template <class Op>
struct has_text_form {
  static constexpr bool value = std::is_empty_v<Op> || requires(const Op& op) { op.list_attributes(); };
};
template <class Ops>
using forms_exist = tenon::detail::coverage<"the printer", "list the members of each in TENON_ATTRIBUTES", text_form,
                                            Ops, has_text_form>;

/// Text and files know an op by its name: does another one of the same table have it too?
template <class Op>
constexpr label name_in_text() {
  if constexpr (requires { label(Op::name); }) return Op::name;
  else return {};
}
template <class Ops>
struct named_apart {
  static constexpr bool ok = true;  // no list of ops: others say so
};
template <class... Op>
struct named_apart<ops<Op...>> {
  static constexpr label twice = [] {
    const label names[] = {name_in_text<Op>()..., {}};
    const u64 keys[] = {meta::type_key<Op>..., 0};
    constexpr size_t slots = sizeof...(Op) < 100 ? 256 : sizeof...(Op) < 500 ? 1024 : 8192;
    u16 slot[slots]{};
    for (size_t i = 0; i < sizeof...(Op); ++i) {
      size_t h = names[i].length;
      if (h == 0) continue;
      for (size_t k = 0; k < names[i].length; ++k) h = h * 31 + static_cast<unsigned char>(names[i][k]);
      for (h %= slots; slot[h] && !(names[slot[h] - 1] == names[i]); h = (h + 1) % slots) {}
      if (slot[h] && keys[slot[h] - 1] != keys[i]) return names[i];
      slot[h] = static_cast<u16>(i + 1);
    }
    return label{};
  }();
  static constexpr bool ok = twice.length == 0;
  static consteval meta::phrase say() {
    meta::phrase s;
    (s << "tenon-E009: two ops that one module may hold are named ").quoted(twice);
    return s << ": text and files know an op by its name: rename one of them";
  }
};

template <class Phase>
struct ops_named_apart : named_apart<void> {};
template <class Phase>
  requires requires { typename Phase::op_list; }
struct ops_named_apart<Phase> : named_apart<typename Phase::op_list> {};

template <class... Ops>
std::span<const op_info* const> op_infos(meta::detail::box<ops<Ops...>>) {
  static constexpr const op_info* infos[] = {&info_of<Ops>..., nullptr};
  return {infos, sizeof...(Ops)};
}
}  // namespace detail

/// The ops of a typelist, all complete. Text, files and equality know an op by its attributes: one with members that
/// `TENON_ATTRIBUTES` does not list would lose them, and is reported; so are two ops of one name.
template <class Ops>
std::span<const op_info* const> op_table_of() {
  using forms = detail::forms_exist<Ops>;
  using names = detail::named_apart<Ops>;
  meta::answer_t<forms>::accept();
  if constexpr (forms::ok) meta::answer_t<names>::accept();
  if constexpr (forms::ok && names::ok) return detail::op_infos(meta::detail::box<Ops>{});
  else return {};
}
/// Those of a phase. Two ops of one name are reported by the phase: a message that lists its ops is long.
template <class Phase>
std::span<const op_info* const> op_table_of_phase() {
  using names = detail::ops_named_apart<Phase>;
  meta::answer_t<names>::accept();
  if constexpr (names::ok) return op_table_of<typename Phase::op_list>();
  else return {};
}

}  // namespace tenon::ir
