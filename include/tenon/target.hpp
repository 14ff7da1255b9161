/// @file target: what code is made for: device, code generator and pipeline, joined in a type.
///
///     struct my_npu {
///       static constexpr fixed_string name = "my_npu";
///       using device         = my_npu_device;
///       using code_generator = my_npu_codegen;       // optional: `using requires_facts = facts<…>;`
///       using pipeline       = targets::cpu::pipeline::edit<insert_after<passes::legalize_ops, tile_for_npu>>;
///     };
///
/// The code generator may itself be a pass (from `build` to `built`): then it is the pipeline's last pass, and need not
/// be listed. What it requires must hold where the pipeline enters `built`. A target that stops earlier says `ends_in`.
/// One that runs passes of other targets says with `behind<Pipeline>` whether these can go on from there
/// (targets/composite.hpp).
///
/// Devices, code generators and targets are different kinds of types, and each is refused where another is meant:
///
///     struct my_npu_device {                        // where code runs: says what kind of memory its tensors are in
///       static constexpr fixed_string name = "npu0";
///       static constexpr device_kind kind = device_kind::extension;
///     };
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/meta/near_target_names.hpp>
#include <tenon/phases/build.hpp>
#include <tenon/phases/built.hpp>
#include <tenon/pipeline.hpp>
#include <tenon/targets/capability.hpp>

namespace tenon {

/// Where tensors live and code runs, with DLPack's numbers.
enum class device_kind : int {
  cpu = 1,
  cuda = 2,
  cuda_host = 3,
  opencl = 4,
  vulkan = 7,
  metal = 8,
  rocm = 10,
  extension = 12,
  hexagon = 16,
  webgpu = 15
};

namespace detail {
constexpr bool is_listed(device_kind k) {
  switch (k) {
    case device_kind::cpu:
    case device_kind::cuda:
    case device_kind::cuda_host:
    case device_kind::opencl:
    case device_kind::vulkan:
    case device_kind::metal:
    case device_kind::rocm:
    case device_kind::extension:
    case device_kind::hexagon:
    case device_kind::webgpu: return true;
  }
  return false;
}
}  // namespace detail

/// Softly: is `T` a device? Its kind is one of a closed set, no number.
template <class T>
concept device_type = requires {
  requires __is_same(decltype(T::kind), const device_kind);
  requires detail::is_listed(T::kind);
};

namespace detail {

template <class T>
auto end_phase(int) -> meta::detail::box<typename T::ends_in>;
template <class T>
auto end_phase(...) -> meta::detail::box<phases::built>;
template <class T>
auto required_facts(int) -> meta::detail::box<typename T::code_generator::requires_facts>;
template <class T>
auto required_facts(...) -> meta::detail::box<facts<>>;

template <class G>
concept pass_shaped = requires {
  typename G::needs;
  label(G::name);
};

template <class T>
constexpr auto all_passes() {
  using listed = typename T::pipeline::passes;
  if constexpr (requires { requires pass_shaped<typename T::code_generator>; }) {
    if constexpr (!meta::contains_v<typename T::code_generator, listed>)
      return meta::detail::box<meta::concat_t<listed, pass_list<typename T::code_generator>>>{};
    else return meta::detail::box<listed>{};
  } else {
    return meta::detail::box<listed>{};
  }
}

/// Passes of a target up to where its requirements must hold.
template <class T, class... Ps>
struct goal_input {
  using end = typename decltype(end_phase<T>(0))::type;
  using required = typename decltype(required_facts<T>(0))::type;
  static constexpr judge_input value = [] {
    judge_input in;
    in.passes = pass_array<Ps...>::data;
    in.count = sizeof...(Ps);
    // The transition into the last phase is judged by itself; what the code generator requires holds before it.
    if (meta::size_v<required> != 0 && in.count && in.passes[in.count - 1]->to->key == phase_desc_of<end>.key &&
        in.passes[in.count - 1]->is_transition())
      --in.count;
    else in.goal_phase = &phase_desc_of<end>;
    in.added = op_set_of<typename T::pipeline::added_ops>;
    in.lowered = lowered_array<typename T::pipeline::added_ops, Ps...>::data;
    in.barred = barred_array<typename T::pipeline::added_ops, Ps...>::data;
    in.goal = fact_list_of<required>;
    in.goal_owner = T::name;
    in.begin_there();
    return in;
  }();
};

template <class T, class List>
struct target_verdict;
template <class T, class... Ps>
struct target_verdict<T, pass_list<Ps...>> {
  using order = judged<typename T::pipeline::added_ops, Ps...>;
  /// The pipeline itself is right, and ends before the phase of the code generator, or behind it.
  static constexpr bool falls_short = order::value.code == 1 && order::value.pass + 1 == sizeof...(Ps) &&
                                      meta::size_v<typename T::pipeline::passes> < sizeof...(Ps);
  static constexpr verdict goal = [] {
    verdict v = order::value;
    if constexpr (falls_short) return v.code = 12, v.pass = -1, v.pass_name = T::name, v.repair_count = 0, v;
    else if constexpr (!order::ok) return v;
    else return judgement<goal_input<T, Ps...>>::value;
  }();
  static constexpr verdict value = [] {
    verdict v = goal;
    if constexpr (!goal.ok()) return v;
    else if constexpr (requires { typename T::code_generator::template behind<typename T::pipeline>; })
      if (!T::code_generator::template behind<typename T::pipeline>::ok) v.code = 71;
    return v;
  }();
};
/// Does it make code? A pass does, and whoever requires facts of what it makes code from, or says its format.
template <class G>
concept makes_code = pass_shaped<G> || requires { typename G::requires_facts; } || requires { typename G::format; };
template <class T>
concept target_shaped = requires {
  typename T::device;
  typename T::pipeline;
};

/// Which of a target's parts is none: 0 if both are what they should be.
template <class Device, class Generator>
constexpr int confusion_of() {
  if constexpr (target_shaped<Device>) return 1;
  else if constexpr (meta::same<Device, Generator> || makes_code<Device>) return 2;
  else if constexpr (!device_type<Device>) return requires { &Device::kind; } ? 6 : 3;
  else if constexpr (target_shaped<Generator>) return 4;
  else if constexpr (device_type<Generator>) return 5;
  else return 0;
}
template <class T>
constexpr meta::phrase say_confusion(int confusion) {
  const bool device = confusion <= 3 || confusion == 6;
  meta::phrase s;
  s << "tenon-E022: ";
  s.quoted(meta::unqualified_name<T>()) << " is no target, since its "
                                        << (device ? "'device', " : "'code_generator', ");
  s.quoted(device ? meta::unqualified_name<typename T::device>()
                  : meta::unqualified_name<typename T::code_generator>());
  constexpr const char* is[] = {"",
                                ", is a target",
                                ", is a code generator",
                                ", is no device",
                                ", is a target",
                                ", is a device",
                                ", has a kind of no device"};
  s << is[confusion] << ": ";
  if (confusion == 6)
    return s << "a kind is one of a closed set: write 'static constexpr tenon::device_kind kind = "
                "tenon::device_kind::extension', or another one of it";
  if (confusion == 3)
    return s << "a device is where code runs, and says 'static constexpr tenon::device_kind kind'; what makes code is "
                "the "
                "'code_generator'";
  return s << "'device' is where code runs, 'code_generator' is what makes it, and a target joins the two";
}
/// Who of a target needs what of its device or runtime, which does not provide it; or says so without a list.
struct lacking_capability {
  label who, capability;  ///< `capability` is empty where there is no list
  bool pass = true;       ///< else the code generator, or who provides
  bool runtime = false;   ///< else the device
  bool provider = false;  ///< it is what is provided that is no list
};
template <class List>
inline constexpr bool is_capabilities = false;
template <class... Cs>
inline constexpr bool is_capabilities<capabilities<Cs...>> = true;
template <class Part>
auto provided_by(int) -> meta::detail::box<typename Part::provides>;
template <class Part>
auto provided_by(...) -> meta::detail::box<capabilities<>>;
template <class P>
constexpr auto of_device() {
  if constexpr (requires { typename P::needs_of_device; }) return meta::detail::box<typename P::needs_of_device>{};
  else return meta::detail::box<capabilities<>>{};
}
template <class P>
constexpr auto of_runtime() {
  if constexpr (requires { typename P::needs_of_runtime; }) return meta::detail::box<typename P::needs_of_runtime>{};
  else return meta::detail::box<capabilities<>>{};
}
template <class Part>
constexpr label part_name() {
  if constexpr (requires { label(Part::name); }) return Part::name;
  else return meta::unqualified_name<Part>();
}
template <class Provided, class... Cs>
constexpr label first_lacking(meta::detail::box<capabilities<Cs...>>) {
  label found;
  ((meta::contains_v<Cs, Provided> || found.length ? void() : void(found = part_name<Cs>())), ...);
  return found;
}
/// What `P` needs of the target's device and runtime, and does not get. `Runtime` is void where the target has none.
template <class Device, class Runtime, class P>
constexpr lacking_capability lacking_of_one(bool pass) {
  using of_it = typename decltype(of_device<P>())::type;
  using of_run = typename decltype(of_runtime<P>())::type;
  if constexpr (!is_capabilities<of_it>) return {part_name<P>(), {}, pass};
  else if constexpr (!is_capabilities<of_run>) return {part_name<P>(), {}, pass, true};
  else {
    if (const label c = first_lacking<typename decltype(provided_by<Device>(0))::type>(meta::detail::box<of_it>{});
        c.length)
      return {part_name<P>(), c, pass};
    if constexpr (!meta::same<Runtime, void>)
      if (const label c = first_lacking<typename decltype(provided_by<Runtime>(0))::type>(meta::detail::box<of_run>{});
          c.length)
        return {part_name<P>(), c, pass, true};
    return {};
  }
}
template <class T>
auto runtime_of(int) -> meta::detail::box<typename T::runtime>;
template <class T>
auto runtime_of(...) -> meta::detail::box<void>;
template <class T, class... Ps>
constexpr lacking_capability lacking_of(meta::detail::box<pass_list<Ps...>>) {
  using device = typename T::device;
  using runtime = typename decltype(runtime_of<T>(0))::type;
  if constexpr (!is_capabilities<typename decltype(provided_by<device>(0))::type>)
    return {part_name<device>(), {}, false, false, true};
  else if constexpr (!is_capabilities<typename decltype(provided_by<runtime>(0))::type>)
    return {part_name<runtime>(), {}, false, true, true};
  else {
    lacking_capability found;
    ((found.who.length ? void() : void(found = lacking_of_one<device, runtime, Ps>(true))), ...);
    return found.who.length ? found : lacking_of_one<device, runtime, typename T::code_generator>(false);
  }
}
constexpr meta::phrase say_lacking(label target, label device, label runtime, const lacking_capability& l) {
  meta::phrase s;
  s << "tenon-E072: " << (l.pass ? "pass " : !l.provider ? "code generator " : l.runtime ? "runtime " : "device ");
  (s.quoted(l.who) << " of target ").quoted(target);
  const char* const member = l.provider ? "provides" : l.runtime ? "needs_of_runtime" : "needs_of_device";
  if (l.capability.length == 0)
    return s << " says what it '" << member << "' without a list: write 'using " << member
             << " = tenon::capabilities<...>'";
  const char* const part = l.runtime ? "runtime" : "device";
  (s << " needs a " << part << " that provides ").quoted(l.capability) << ", and ";
  s.quoted(l.runtime ? runtime : device) << " does not: ";
  return s << (l.pass ? "leave the pass out of this target's pipeline" : "take another one")
           << ", or add it to what the " << part << " 'provides'";
}
/// Members that a target, its code generator or its device may have, said nearly.
template <class T>
constexpr misnomer target_misnomer() {
  using G = typename T::code_generator;
  using D = typename T::device;
  constexpr misnomer own = near::misnomer_of<T, near::target>(), made = near::misnomer_of<G, near::maker>(),
                     device = near::misnomer_of<D, near::device>();
  if constexpr (own.said.length != 0) return own;
  else if constexpr (requires { &T::configure; } && !requires(const T& t, context& cx) { t.configure(cx); })
    return {{"configure", 9}, {"void configure(context&) const", 30}};
  else if constexpr (requires { typename T::requires_facts; })
    return {{"requires_facts", 14}, {"requires_facts' in its 'code_generator", 38}};
  else if constexpr (made.said.length != 0) return made;
  else if constexpr (is_flawed(fact_list_of<typename decltype(required_facts<T>(0))::type>))
    return {{"requires_facts", 14}, {"using requires_facts = facts<...>", 33}};
  else if constexpr (device.said.length != 0) return device;
  else return {};
}
}  // namespace detail

/// All passes from the front end to code; the code generator is the last one if it is a pass.
template <class T>
using pipeline_of = typename decltype(detail::all_passes<T>())::type;

/// Is `T` a target, with a pipeline that gives its code generator what it requires?
template <class T>
struct target_check {
  static constexpr label missing = [] {
    if constexpr (!requires { label(T::name); }) return detail::label_of("static constexpr tenon::fixed_string name");
    else if constexpr (!requires { typename T::device; }) return detail::label_of("using device");
    else if constexpr (!requires { typename T::code_generator; }) return detail::label_of("using code_generator");
    else if constexpr (!requires { typename T::pipeline::passes; }) return detail::label_of("using pipeline");
    else return label{};
  }();
  /// The classic confusion, "llvm" given where a device is meant, and its like.
  static constexpr int confusion = [] {
    if constexpr (missing.length != 0) return 0;
    else return detail::confusion_of<typename T::device, typename T::code_generator>();
  }();
  static constexpr bool confused = confusion != 0;
  static constexpr misnomer miss = [] {
    if constexpr (missing.length != 0 || confused) return misnomer{};
    else return detail::target_misnomer<T>();
  }();
  /// A pass that the device is not made for.
  static constexpr detail::lacking_capability lacking = [] {
    if constexpr (missing.length != 0 || confused) return detail::lacking_capability{};
    else return detail::lacking_of<T>(meta::detail::box<pipeline_of<T>>{});
  }();
  static constexpr meta::later_t<verdict, T> value = [] {
    verdict v;
    if constexpr (missing.length != 0 || confused) return v.code = 22, v;
    else if constexpr (miss.said.length != 0) return v.code = 8, v;
    else if constexpr (lacking.who.length != 0) return v.code = 72, v;
    else return detail::target_verdict<T, pipeline_of<T>>::value;
  }();
  static constexpr bool ok = value.ok();
  static consteval meta::phrase say() {
    if constexpr (confused) {
      return detail::say_confusion<T>(confusion);
    } else if constexpr (miss.said.length != 0) {
      meta::phrase s;
      (s << "tenon-E008: target '" << label(T::name) << "' has a member ").quoted(miss.said);
      return s << ", itself or in its code generator or device, that means nothing: write '" << miss.meant << "'";
    } else if constexpr (lacking.who.length != 0) {
      return detail::say_lacking(label(T::name), meta::unqualified_name<typename T::device>(),
                                 meta::unqualified_name<typename decltype(detail::runtime_of<T>(0))::type>(), lacking);
    } else if constexpr (missing.length == 0) {
      if constexpr (!detail::target_verdict<T, pipeline_of<T>>::order::ok &&
                    !detail::target_verdict<T, pipeline_of<T>>::falls_short)
        return detail::target_verdict<T, pipeline_of<T>>::order::say();
      else if constexpr (value.code == 71) return T::code_generator::template behind<typename T::pipeline>::say();
      else return sentence_of(value);
    } else {
      meta::phrase s;
      s << "tenon-E022: ";
      s.quoted(meta::unqualified_name<T>()) << " is no target, since it has no '" << missing
                                            << "': a target has a name, a device, a code generator and a pipeline";
      return s;
    }
  }
};

/// Softly.
template <class T>
concept target = target_check<T>::ok;
/// Loudly: the constraint of `build<T>` and its like.
#if defined(__clang__)  // it quotes each concept on the way; g++ quotes the sentence as the argument of one
template <class T>
concept sound_target = meta::answer_t<target_check<T>>::accepted;
#else
template <class T>
concept sound_target = meta::answer_t<target_check<T>>::accepted;
#endif

}  // namespace tenon
