/// @file code_generator: what an external code generator is: patterns of what it takes, and code for each part of a
/// graph that it took.
///
///     struct my_library {                                        // no pipeline: any one can offer it parts
///       static constexpr fixed_string name = "my_library";
///       using patterns = pattern_list<named<"conv_relu", pattern<…>>, pattern<op::matmul, any, constant>>;
///       using external_code_generator = my_generator;
///       using matches_in = extend<phases::optimization, my_op>;  // optional: for patterns of ops that users add
///     };
///     struct my_generator {
///       using format = my_format;                                // a struct with a name: what its artifacts are
///       using requires_facts = facts<fact::static_shapes>;       // optional: of the module that is partitioned
///       // Throws where it has no kernel.
///       static std::vector<char> compile(const external_function& part, context& cx);
///       // May be on another machine.
///       static std::unique_ptr<external_code> load(std::span<const char> bytes);
///     };
/// `partition_for<T>` cuts the parts out, `run_external_codegen<T>` replaces them by calls of artifacts. What is left
/// over is evaluated (compile/external/runner.hpp), or compiled natively (targets/cpu_with.hpp).
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <tenon/compile/context.hpp>
#include <tenon/compile/external/match.hpp>
#include <tenon/fact.hpp>
#include <tenon/phases/optimization.hpp>

namespace tenon {

/// A part of a graph as a code generator sees it: a function of tensors, without calls.
struct external_function {
  const ir::module& module;
  function_id function;
  /// For each argument the constant that it always is, or null.
  std::vector<const tensor*> known;

  /// For `compile`: there is no kernel for an op.
  [[noreturn]] void no_kernel(op_id op, std::string_view why, std::string_view target) const {
    throw error("external.no_kernel",
                "target '" + std::string(target) + "' has no kernel for '" + std::string(module.view(op).name()) +
                    "' in function '" + module[function].name + "': " + std::string(why),
                module.text(module[op].location), "its patterns promise more than its code generator has");
  }
};

/// Memory of whoever calls external code: dense, in row-major order, aligned for its elements.
struct external_buffer {
  dtype type = dtype::f32;
  std::span<const i64> shape;
  void* data = nullptr;

  tensor borrowed() const { return tensor::borrow(type, {shape.begin(), shape.end()}, data); }
};

/// Code that an external code generator made, ready to run in this process. Safe to call from many threads.
class external_code {
 public:
  virtual ~external_code() = default;
  /// `threads` 0: the process's default.
  virtual std::vector<tensor> run(std::span<const tensor> inputs, int threads) const = 0;

  // What native code asks for that calls it (targets/cpu_with.hpp); `run` is enough for code that need not be fast.
  /// How many results it has: those of its part that others use.
  virtual size_t result_count() const { return 1; }
  /// The same in memory of the caller: arguments, then results, which overlap with nothing. Else results of `run` are
  /// copied.
  virtual void run_into(std::span<const external_buffer> buffers, int threads) const;
  /// Before the first run, and once: the arguments that are the same in each run, null for the others. For what is
  /// worth doing once, such as weights in another order: `run_into` is given them all the same. They outlive the code.
  virtual void prepare(std::span<const tensor* const> known);
};

/// How artifacts of a format become code.
struct external_format {
  std::string_view name;
  std::unique_ptr<external_code> (*load)(std::span<const char> bytes) = nullptr;
};

namespace detail {
/// The phase whose ops a target's patterns may name.
template <class T>
auto pattern_phase(int) -> meta::detail::box<typename T::matches_in>;
template <class T>
auto pattern_phase(...) -> meta::detail::box<phases::optimization>;

template <class List>
inline constexpr bool all_end_in_ops = false;
template <class... Ps>
inline constexpr bool all_end_in_ops<pattern_list<Ps...>> = sizeof...(Ps) != 0 && (outermost<Ps>::is_op && ...);
/// What a pass says that matches the patterns of `List`: the ops that it works on, if these are some only.
template <class List, bool = all_end_in_ops<List>>
struct works_on_outermost {};
template <class... Ps>
struct works_on_outermost<pattern_list<Ps...>, true> {
  using works_on = meta::concat_t<ops<>, typename outermost<Ps>::type...>;
};

template <class List, class Phase>
struct pattern_faults;
template <class... Ps, class Phase>
struct pattern_faults<pattern_list<Ps...>, Phase> {
  static constexpr bool ok = (pattern_check<Ps, Phase>::ok && ...);
  static constexpr size_t size = sizeof...(Ps);
  template <class First, class... Rest>
  static consteval meta::phrase say_first() {
    if constexpr (!pattern_check<First, Phase>::ok) return pattern_check<First, Phase>::say();
    else return say_first<Rest...>();
  }
  static consteval meta::phrase say() { return say_first<Ps...>(); }
};
template <class G>
consteval label missing_of_generator() {
  if constexpr (!requires { label(G::format::name); }) return {"using format", 12};
  else if constexpr (!requires(const external_function& f, context& cx) { std::vector<char>(G::compile(f, cx)); })
    return {"static std::vector<char> compile(const tenon::external_function&, tenon::context&)", 82};
  else if constexpr (!requires(std::span<const char> b) { std::unique_ptr<external_code>(G::load(b)); })
    return {"static std::unique_ptr<tenon::external_code> load(std::span<const char>)", 72};
  else return {};
}
template <class G>
auto facts_for(int) -> meta::detail::box<typename G::requires_facts>;
template <class G>
auto facts_for(...) -> meta::detail::box<facts<>>;
}  // namespace detail

/// Can parts of a graph be given to `T`?
template <class T>
struct external_target_check {
  using phase = typename decltype(detail::pattern_phase<T>(0))::type;
  static constexpr label missing = [] {
    if constexpr (!requires { label(T::name); }) return label{"static constexpr tenon::fixed_string name", 41};
    else if constexpr (!requires { detail::pattern_faults<typename T::patterns, phase>::size; })
      return label{"using patterns", 14};
    else if constexpr (!requires { typename T::external_code_generator; })
      return label{"using external_code_generator", 29};
    else return label{};
  }();
  static constexpr label generator_lacks = [] {
    if constexpr (missing.length != 0) return label{};
    else return detail::missing_of_generator<typename T::external_code_generator>();
  }();
  static constexpr bool ok = [] {
    if constexpr (missing.length != 0 || generator_lacks.length != 0) return false;
    else return detail::pattern_faults<typename T::patterns, phase>::ok;
  }();
  static consteval meta::phrase say() {
    meta::phrase s;
    if constexpr (missing.length != 0) {
      s << "tenon-E054: ";
      return s.quoted(meta::unqualified_name<T>()) << " takes no parts of a graph, since it has no '" << missing
                                                   << "': it has a name, patterns and an external code generator";
    } else if constexpr (generator_lacks.length != 0) {
      s << "tenon-E055: ";
      return (s.quoted(meta::unqualified_name<typename T::external_code_generator>())
              << " generates no code that can be kept for target ")
                 .quoted(T::name)
             << ", since it has no '" << generator_lacks
             << "': a format says what its artifacts are, compile makes them, load runs them";
    } else {
      return detail::pattern_faults<typename T::patterns, phase>::say();
    }
  }
};

/// Softly.
template <class T>
concept external_target = external_target_check<T>::ok;
/// Loudly.
#if defined(__clang__)  // it quotes each concept on the way; g++ quotes the sentence as the argument of one
template <class T>
concept sound_external_target = meta::answer_t<external_target_check<T>>::accepted;
#else
template <class T>
concept sound_external_target = meta::answer_t<external_target_check<T>>::accepted;
#endif

/// The formats of the artifacts of targets, for those who run modules that hold some.
template <external_target... T>
std::vector<external_format> external_formats() {
  return {{std::string_view(T::external_code_generator::format::name), &T::external_code_generator::load}...};
}

}  // namespace tenon
