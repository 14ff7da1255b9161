/// @file parts: what a target must have to be run: device, code generator, format, ABI and runtime, each a type.
///
///     struct my_npu {
///       static constexpr fixed_string name = "my_npu";
///       using device         = my_npu_device;          // targets/device.hpp: allocate, copy, launch, wait
///       using code_generator = my_npu_codegen;
///       using format         = my_npu_stream;          // what the code is
///       using abi            = my_npu_calls;           // how it is called
///       using runtime        = my_npu_runtime;         // what runs it: unique_ptr<executable> load(const ir::module&)
///                                                      // both may say `code_format` and `abi`: then they must agree
///       using pipeline       = …;
///       std::string arch;  i64 lanes = 8;              // options, as members
///       TENON_OPTIONS(arch, lanes)
///       void configure(context&) const;                // optional: says the options to the passes
///     };
///
/// `target` (target.hpp) is enough to compile; sessions, composites and command lines need all of it.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <memory>

#include <tenon/target.hpp>
#include <tenon/targets/device.hpp>

/// Lists the options of a target.
#define TENON_OPTIONS(...) TENON_ATTRIBUTES(__VA_ARGS__)

namespace tenon::ir { class module; }

namespace tenon {

/// What loads and runs the code of a built module.
template <class R>
concept runtime_type = requires(const ir::module& m) {
  label(R::name);
  { R::load(m) } -> std::same_as<std::unique_ptr<executable>>;
};

/// The code is a module itself, in its binary form.
namespace formats {
struct module_file {
  static constexpr fixed_string name = "module";
};
}  // namespace formats
namespace abis {
/// `tenon_entry` of runtime/abi.hpp, by the rules of the platform's C compiler.
struct c_entry {
  static constexpr fixed_string name = "c_entry";
};
/// Evaluated by the library.
struct interpreted {
  static constexpr fixed_string name = "interpreted";
};
}  // namespace abis

namespace detail {
/// What a target lacks to be run; empty if nothing. `part` says of which part the text speaks; `made` and `taken`: its
/// parts speak of code of different formats, or of different ways to call it.
struct target_lack {
  label text, part, made = {}, taken = {};
  bool calls = false;
};
/// The format that a code generator makes, or a runtime takes; `Otherwise` if it does not say.
template <class Part, class Otherwise>
auto code_format_of(int) -> meta::detail::box<typename Part::code_format>;
template <class Part, class Otherwise>
auto code_format_of(...) -> meta::detail::box<Otherwise>;
template <class Part, class Otherwise>
auto abi_of(int) -> meta::detail::box<typename Part::abi>;
template <class Part, class Otherwise>
auto abi_of(...) -> meta::detail::box<Otherwise>;
/// What is made, what the target calls it, and what is taken must be one: of formats, and of ways to call.
template <class Made, class Said, class Taken>
constexpr target_lack clash_of(label said, bool calls) {
  if constexpr (!meta::same<Made, Taken>) return {{"runtime", 7}, {}, Made::name, Taken::name, calls};
  else if constexpr (!meta::same<Made, Said>) return {said, {}, Made::name, Said::name, calls};
  else return {};
}
template <class T>
constexpr target_lack clash_of_parts() {
  using G = typename T::code_generator;
  using R = typename T::runtime;
  using format = typename T::format;
  using abi = typename T::abi;
  const target_lack formats = clash_of<typename decltype(code_format_of<G, format>(0))::type, format,
                                       typename decltype(code_format_of<R, format>(0))::type>({"format", 6}, false);
  if (formats.text.length) return formats;
  return clash_of<typename decltype(abi_of<G, abi>(0))::type, abi, typename decltype(abi_of<R, abi>(0))::type>(
      {"abi", 3}, true);
}
template <class T>
constexpr target_lack lack_of_target() {
  constexpr auto text = []<size_t N>(const char (&s)[N]) { return label{s, N - 1}; };
  if constexpr (!requires { label(T::name); }) return {text("static constexpr tenon::fixed_string name"), {}};
  else if constexpr (!requires { typename T::device; }) return {text("using device"), {}};
  else if constexpr (!requires { typename T::pipeline::passes; }) return {text("using pipeline"), {}};
  else if constexpr (!requires { typename T::code_generator; }) return {text("using code_generator"), {}};
  else if constexpr (!requires { typename T::runtime; }) return {text("using runtime"), {}};
  else if constexpr (!requires { typename T::format; }) return {text("using format"), {}};
  else if constexpr (!requires { typename T::abi; }) return {text("using abi"), {}};
  else if constexpr (!working_device<typename T::device>)
    return {missing_of_device<typename T::device>(), meta::unqualified_name<typename T::device>()};
  else if constexpr (!runtime_type<typename T::runtime>)
    return {text("static std::unique_ptr<executable> load(const ir::module&)"),
            meta::unqualified_name<typename T::runtime>()};
  else return clash_of_parts<T>();
}
constexpr meta::phrase say_lack(label target, const target_lack& lack) {
  meta::phrase s;
  s << "tenon-E070: target ";
  s.quoted(target) << " cannot run, since ";
  if (lack.calls)
    return s << "its code generator makes code that is called as '" << lack.made << "' says, and its '" << lack.text
             << "' says '" << lack.taken << "': join parts that speak of one abi";
  if (lack.made.length)
    return s << "its code generator makes code of format '" << lack.made << "', and its '" << lack.text << "' is for '"
             << lack.taken << "': join parts that speak of one format";
  if (lack.part.length) (s << "its ").quoted(lack.part) << " has no '" << lack.text << "'";
  else s << "it has no '" << lack.text << "'";
  return s << ": a target that runs has a device, a code generator, a pipeline, a format, an abi and a runtime";
}
template <class T>
consteval label target_name() {
  if constexpr (requires { label(T::name); }) return T::name;
  else return meta::unqualified_name<T>();
}
}  // namespace detail

/// Has `T` all that is needed to compile for it and to run what was compiled?
template <class T>
struct complete_check {
  static constexpr detail::target_lack lack = detail::lack_of_target<T>();
  static constexpr bool ok = [] {
    if constexpr (lack.text.length != 0) return false;
    else return target_check<T>::ok;
  }();
  static consteval meta::phrase say() {
    if constexpr (lack.text.length != 0) return detail::say_lack(detail::target_name<T>(), lack);
    else return target_check<T>::say();
  }
};

/// Softly.
template <class T>
inline constexpr bool is_complete = complete_check<T>::ok;
/// Loudly.
template <class T>
concept complete_target = meta::answer_t<complete_check<T>>::accepted;

}  // namespace tenon
