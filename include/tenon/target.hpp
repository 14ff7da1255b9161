/// @file target: what code is made for: device, code generator and pipeline, joined in a type.
///
///     struct my_npu {
///       static constexpr fixed_string name = "my_npu";
///       using device         = my_npu_device;
///       using code_generator = my_npu_codegen;       // optional: `using requires_facts = facts<…>;`
///       using pipeline       = targets::cpu::pipeline::edit<insert_after<passes::legalize_ops, tile_for_npu>>;
///     };
///
/// The code generator may itself be a pass (from `build` to `built`): then it is the pipeline's last pass, and need not be
/// listed. What it requires must hold where the pipeline enters `built`. A target that stops earlier says `ends_in`.
/// One that runs passes of other targets says with `behind<Pipeline>` whether these can go on from there (targets/composite.hpp).
///
/// Devices, code generators and targets are different kinds of types, and each is refused where another is meant:
///
///     struct my_npu_device {                        // where code runs: says what kind of memory its tensors are in
///       static constexpr fixed_string name = "npu0";
///       static constexpr device_kind kind = device_kind::extension;
///     };
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/capability.hpp>
#include <tenon/meta/near_target_names.hpp>
#include <tenon/phases/build.hpp>
#include <tenon/phases/built.hpp>
#include <tenon/pipeline.hpp>

namespace tenon {

/// Where tensors live and code runs, with DLPack's numbers.
enum class device_kind : int { cpu = 1, cuda = 2, cuda_host = 3, opencl = 4, vulkan = 7, metal = 8, rocm = 10, extension = 12,
                               hexagon = 16, webgpu = 15 };

/// Softly: is `T` a device?
template <class T>
concept device_type = requires { device_kind{T::kind}; };

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
    in.goal = fact_list_of<required>;
    in.goal_owner = T::name;
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
    else return hearing<goal_input<T, Ps...>>::value;
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
  else if constexpr (!device_type<Device>) return 3;
  else if constexpr (target_shaped<Generator>) return 4;
  else if constexpr (device_type<Generator>) return 5;
  else return 0;
}
template <class T>
constexpr meta::phrase say_confusion(int confusion) {
  const bool device = confusion <= 3;
  meta::phrase s;
  s << "tenon-E022: ";
  s.quoted(meta::unqualified_name<T>()) << " is no target, since its " << (device ? "'device', " : "'code_generator', ");
  s.quoted(device ? meta::unqualified_name<typename T::device>() : meta::unqualified_name<typename T::code_generator>());
  constexpr const char* is[] = {"", ", is a target", ", is a code generator", ", is no device", ", is a target", ", is a device"};
  s << is[confusion] << ": ";
  if (confusion == 3)
    return s << "a device is where code runs, and says 'static constexpr tenon::device_kind kind'; what makes code is the "
                "'code_generator'";
  return s << "'device' is where code runs, 'code_generator' is what makes it, and a target joins the two";
}
/// A pass of a pipeline, and what it needs of the device that this does not provide.
struct lacking_capability {
  label pass, capability;
};
template <class Device, class C>
constexpr bool is_provided = [] {
  if constexpr (requires { typename Device::provides; }) {
    return []<class... Cs>(meta::detail::box<capabilities<Cs...>>) {
      return (meta::same<C, Cs> || ...);
    }(meta::detail::box<typename Device::provides>{});
  } else {
    return false;
  }
}();
template <class Device, class... Ps>
constexpr lacking_capability lacking_of(meta::detail::box<pass_list<Ps...>>) {
  lacking_capability found;
  const auto one = [&]<class P>(meta::detail::box<P>) {
    if constexpr (requires { typename P::needs_of_device; })
      [&]<class... Cs>(meta::detail::box<capabilities<Cs...>>) {
        ((is_provided<Device, Cs> || found.pass.length ? void() : void(found = {pass_name<P>(), Cs::name})), ...);
      }(meta::detail::box<typename P::needs_of_device>{});
  };
  (one(meta::detail::box<Ps>{}), ...);
  return found;
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
  else if constexpr (requires { typename T::requires_facts; }) return {{"requires_facts", 14}, {"requires_facts' in its 'code_generator", 38}};
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
    else return detail::lacking_of<typename T::device>(meta::detail::box<pipeline_of<T>>{});
  }();
  static constexpr verdict value = [] {
    verdict v;
    if constexpr (missing.length != 0 || confused) return v.code = 22, v;
    else if constexpr (miss.said.length != 0) return v.code = 8, v;
    else if constexpr (lacking.pass.length != 0) return v.code = 72, v;
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
    } else if constexpr (lacking.pass.length != 0) {
      meta::phrase s;
      s << "tenon-E072: pass ";
      s.quoted(lacking.pass) << " of target '" << label(T::name) << "' needs a device that provides '" << lacking.capability;
      return (s << "', and ").quoted(meta::unqualified_name<typename T::device>())
             << " does not: leave the pass out of this target's pipeline, or add it to what the device 'provides'";
    } else if constexpr (missing.length == 0) {
      if constexpr (!detail::target_verdict<T, pipeline_of<T>>::order::ok && !detail::target_verdict<T, pipeline_of<T>>::falls_short)
        return detail::target_verdict<T, pipeline_of<T>>::order::say();
      else if constexpr (value.code == 71)
        return T::code_generator::template behind<typename T::pipeline>::say();
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
template <class T>
concept sound_target = meta::accepted<meta::told_t<target_check<T>>>;

}  // namespace tenon
