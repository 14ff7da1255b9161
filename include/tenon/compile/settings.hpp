/// @file settings: what tunes the passes of a compilation, beside its target's options, is noted in the module.
///
///     cx.set(passes::fuse{.max_ops = 8}), cx.set_flag("fast", false);
///     save_module("half.tmod", compile_to<phases::optimization, targets::cpu>(std::move(m), cx));
///     auto built = build<targets::cpu>(load<phases::optimization>("half.tmod"));     // with these, in another process
///
/// The flags of optional passes and the options of passes are members of `ir::build_record::settings`. Who goes on says
/// the same or nothing; the error "build.settings" names what was begun with and what is asked. Who means something
/// else forgets them: `editable.body().build.settings = {}`. What else a context holds follows from the target, which
/// is noted with its options, or becomes a part of the module, as shapes and values of inputs do by `bind_inputs`.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <optional>
#include <span>
#include <vector>

#include <tenon/compile/context.hpp>
#include <tenon/compile/execute.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/target.hpp>

namespace tenon::detail {

/// A pass that has options, erased.
struct tuned_pass {
  label name;
  /// Those that a context gives it, without the initial ones. Nothing: it does not have the pass.
  std::optional<std::vector<named_option>> (*said)(const context& cx);
  void (*give)(context& cx, const ir::pass_setting& setting);
};
template <class Pass>
struct tuning_of {
  static std::optional<std::vector<named_option>> said(const context& cx) {
    const Pass* const given = cx.find<Pass>();
    if (given == nullptr) return std::nullopt;
    const Pass initial{};
    return ir::read_options(ir::detail::attributes_of<Pass>(), given, &initial);
  }
  static void give(context& cx, const ir::pass_setting& setting) {
    Pass pass{};
    ir::write_options(ir::detail::attributes_of<Pass>(), &pass, setting.options, "pass", setting.pass);
    cx.set(std::move(pass));
  }
};

/// Those of a list that have options, each once.
template <class List>
struct tuned_passes;
template <class... Ps>
struct tuned_passes<pass_list<Ps...>> {
  template <class... Tuned>
  static constexpr auto table(meta::detail::box<pass_list<Tuned...>>) {
    struct {
      tuned_pass of[sizeof...(Tuned) + 1];
    } r{{{label(Tuned::name), &tuning_of<Tuned>::said, &tuning_of<Tuned>::give}..., {}}};
    return r;
  }
  using list = meta::unique_t<meta::filter_t<pass_list<bare_pass_t<Ps>...>, has_options<bare_pass_t<Ps>>...>>;
  static constexpr auto all = table(meta::detail::box<list>{});
  static constexpr std::span<const tuned_pass> value{all.of, meta::size_v<list>};
};

/// What a compilation's passes may be tuned by.
struct tunable {
  std::span<const tuned_pass> passes;
  std::span<const pass_desc* const> all;  ///< for their flags
  bool whole = true;                      ///< else these are some of the passes that a module goes through
};

/// The passes of a target, and of the members of one that is made of several.
template <class Target>
struct passes_within {
  template <class... Members>
  static auto joined(const types<Members...>*)
      -> meta::concat_t<pipeline_of<Target>, typename passes_within<typename Members::target>::type...>;
  using type = typename decltype([] {
    if constexpr (requires { joined(static_cast<const typename Target::parts*>(nullptr)); })
      return meta::detail::box<decltype(joined(static_cast<const typename Target::parts*>(nullptr)))>{};
    else return meta::detail::box<pipeline_of<Target>>{};
  }())::type;
  template <class... Ps>
  static std::span<const pass_desc* const> listed(meta::detail::box<pass_list<Ps...>>) {
    if constexpr (!meta::same<type, pipeline_of<Target>>) {
      static constexpr const pass_desc* all[] = {&pass_desc_of<Ps>..., nullptr};
      return {all, sizeof...(Ps)};
    } else {
      return {pass_array<Ps...>::data, sizeof...(Ps)};
    }
  }
  static std::span<const pass_desc* const> all() { return listed(meta::detail::box<type>{}); }
  static tunable tuned(bool whole) { return {tuned_passes<type>::value, all(), whole}; }
};
/// Says to the context which flags a target has, and the members of one that is made of several.
template <class Target>
void meet_flags_of(context& cx) {
  const auto all = passes_within<Target>::all();
  meet_flags(cx, all.data(), all.size());
}

/// Gives a context what the module was begun with, and what is assumed where neither says more; then notes in the
/// module what the context has. Error: "build.settings".
void settle(ir::module& m, context& cx, context assumed, const tunable& by);

}  // namespace tenon::detail
