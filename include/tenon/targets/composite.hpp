/// @file composite: several targets as one: a host, and devices that parts of a module run on.
///
///     using board = composite<host<targets::cpu>, device<"npu", my_npu>>;
///     e.constrain("encoder", "npu");
///     auto built = build<board>(std::move(e));              // parts for both, joined in one module
///     auto runs  = board::runtime::load(built.body());
///
/// The passes with which all members' pipelines begin run once, on the whole module, as far as they stay in graphs of
/// tensors. Then the entry is split by constraint (ir/constraint.hpp): what is not constrained runs on the host. What a
/// member does not have (its `has` says so, or its pipeline does not list a user's op) runs on the first one that has
/// it, with a note; error "target.home" where none has. A constraint may have options (`npu:lanes=4`): what has the
/// same ones is a part that is compiled with them. Each part runs the rest of its member's pipeline. What was the entry
/// then says which part runs where: `transfer`, `launch` and `await` (ops/graph/link.hpp). A composite can be a member
/// of another one; the constraint "board/npu" goes on to its member "npu".
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tuple>

#include <tenon/facts/calls_inlined.hpp>
#include <tenon/ops/graph/link.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/targets/member_ways.hpp>
#include <tenon/targets/registry.hpp>

namespace tenon {

/// The member that what is unconstrained runs on, as far as it has it, and that starts the others.
template <class T>
struct host {
  using target = T;
  static constexpr label name = detail::target_name<T>();
};
/// Another member, with the name that constraints have for it.
template <fixed_string Name, class T>
struct device {
  using target = T;
  static constexpr fixed_string name = Name;
};

/// A member as data.
struct linked_member {
  std::string label;
  const target_entry* entry = nullptr;
  target_spec spec;
};

/// The members that a spec `composite(cpu,npu@my_npu)` names. Errors: "target.unknown", "target.members".
std::vector<linked_member> members_of(const target_spec& spec);
/// Does a constraint mean one of the members? `origin`: who is constrained. Errors: "target.no_member",
/// "target.ambiguous", "target.option".
void check_constraint(std::span<const linked_member> members, const std::string& target, const std::string& origin);
/// How many passes the pipelines begin with in common, and run with the same options, up to what leaves graphs of
/// tensors.
size_t common_prefix(std::span<const linked_member> members);
/// The same where `configure_members` may have been asked of them in this context: it is not computed again.
size_t common_prefix(std::span<const linked_member> members, const context& cx);
/// Of the first `shared` passes, those that run once, on the whole module: what it notes of a composite.
std::string fingerprint_of_shared(std::span<const linked_member> members, size_t shared);
/// Says in a context what the common passes are to make code for: what is constrained to a member is for that one, with
/// its options, and the rest for the host. `threads` counts where members leave it open. Error "target.tuned" for a
/// member that gives one of the first `shared` passes, which run once, other options than the host.
void configure_members(std::span<const linked_member> members, int threads, size_t shared, context& cx);
/// Of as many common passes as `common_prefix` says, which it returns.
size_t configure_members(std::span<const linked_member> members, int threads, context& cx);
/// The ops of an entry that one member runs, as a module of their own in phase `optimization`.
struct split_part {
  size_t member = 0;
  target_spec spec;  ///< the member's, with the options that constraints give it
  std::unique_ptr<ir::module> module;
  std::vector<value_id> outputs;  ///< of the whole
};
/// The parts that `link_parts` compiles, in their order.
std::vector<split_part> split_parts(const ir::module& whole, std::span<const linked_member> members, context& cx);
/// Splits a module that the common passes left, runs the rest of each part's pipeline, and joins the parts.
/// Errors: "target.no_member", "target.ambiguous", "target.conflict", "target.split", "target.home".
std::unique_ptr<ir::module> link_parts(const ir::module& whole, std::span<const linked_member> members, size_t prefix,
                                       context& cx);
/// Loads the code of a part: from the module itself, or from a file.
class part_loader {
 public:
  virtual std::unique_ptr<executable> load(const std::string& part, const linked_member& member) const = 0;

 protected:
  ~part_loader() = default;
};
/// The module of a part, from its bytes.
ir::module read_part(std::string_view bytes, const std::string& part, const linked_member& member);
/// Makes what `link_parts` joined runnable. A loader of null: the parts are artifacts of the module. A member without
/// an entry is one whose parts need nothing of it: its device is this machine.
std::unique_ptr<executable> load_linked(const ir::module& linked, std::span<const linked_member> members,
                                        const part_loader* loader = nullptr);
/// All of it, for members that are known at run time only.
std::unique_ptr<executable> build_linked(std::unique_ptr<ir::module> m, std::vector<linked_member> members, int threads,
                                         context& cx);

namespace detail {

/// The flags of a part are met before the passes run that the members share.
void meet_flags_of_members(context& cx, std::span<const linked_member> members);

/// The passes with which all lists begin, by name, up to the one that leaves graphs of tensors.
template <class... Lists>
struct common_passes;
template <class... As>
struct common_passes<pass_list<As...>> {
  static constexpr size_t size = [] {
    size_t n = 0;
    bool inside = true;
    ((inside = inside && !(pass_desc_of<As>.is_transition() &&
                           pass_desc_of<As>.from->key == phase_desc_of<phases::optimization>.key),
      n += inside ? 1 : 0),
     ...);
    return n;
  }();
};
template <class... As, class... Bs, class... Rest>
struct common_passes<pass_list<As...>, pass_list<Bs...>, Rest...> {
  static constexpr size_t size = [] {
    const u64 a[] = {meta::type_key<As>..., 0}, b[] = {meta::type_key<Bs>..., 0};
    size_t n = 0;
    while (n < sizeof...(As) && n < sizeof...(Bs) && a[n] == b[n]) ++n;
    const size_t here = common_passes<pass_list<As...>>::size, rest = common_passes<pass_list<As...>, Rest...>::size;
    if (here < n) n = here;
    return rest < n ? rest : n;
  }();
};

template <class>
inline constexpr bool is_host = false;
template <class T>
inline constexpr bool is_host<host<T>> = true;
template <class>
inline constexpr bool is_device = false;
template <fixed_string Name, class T>
inline constexpr bool is_device<device<Name, T>> = true;

/// Are these members of one program?
template <class... Members>
struct composite_check {
  /// The first type that is not the member that its place is for; after the last if all are.
  static constexpr size_t misplaced = [] {
    const bool hosts[] = {is_host<Members>..., false}, devices[] = {is_device<Members>..., false};
    size_t i = hosts[0] ? 1 : 0;
    while (i > 0 && devices[i]) ++i;
    return i;
  }();
  static constexpr bool placed = sizeof...(Members) != 0 && misplaced == sizeof...(Members);
  template <class... Ps>
  static constexpr bool inlines(meta::detail::box<pass_list<Ps...>>) {
    return (meta::contains_v<fact::calls_inlined, gives_of_t<Ps>> || ...);
  }
  template <class First, class... Rest>
  static constexpr bool shares() {
    using list = typename passes_between<
        pipeline_of<typename First::target>, 0,
        common_passes<pipeline_of<typename First::target>, pipeline_of<typename Rest::target>...>::size>::type;
    return inlines(meta::detail::box<list>{});
  }
  /// The first member that is incomplete, if any.
  static constexpr size_t incomplete = [] {
    size_t i = 0;
    if constexpr (placed) {
      const bool good[] = {is_complete<typename Members::target>..., false};
      while (good[i]) ++i;
    }
    return i;
  }();
  static constexpr bool twice = [] {
    if constexpr (placed) {
      const label names[] = {Members::name...};
      for (size_t i = 0; i < sizeof...(Members); ++i)
        for (size_t k = 0; k < i; ++k)
          if (names[i] == names[k]) return true;
    }
    return false;
  }();
  static constexpr bool together = [] {
    if constexpr (placed && incomplete == sizeof...(Members) && !twice) return shares<Members...>();
    else return false;
  }();
  static constexpr bool ok = together;

  template <class M>
  static consteval void say_member(meta::phrase& s, size_t i) {
    if (i != incomplete) return;
    if constexpr (!is_complete<typename M::target>) {
      (s << "member ").quoted(M::name) << " of a composite cannot be built: ";
      const meta::phrase why = complete_check<typename M::target>::say();
      const label all = why;
      s << label{all.first + 12, all.length - 12};  // without the code
    }
  }
  static consteval meta::phrase say() {
    if constexpr (placed) return say_placed();
    else return say_misplaced();
  }
  static consteval meta::phrase say_misplaced() {
    meta::phrase s;
    const label names[] = {meta::unqualified_name<Members>()..., {}};
    if (sizeof...(Members) == 0) s << "tenon-E071: a composite has no members";
    else (s << "tenon-E071: member " << misplaced + 1 << " of a composite is ").quoted(names[misplaced]);
    return s << ": the first is a tenon::host<A>, each other one a tenon::device<\"name\", B>";
  }
  static consteval meta::phrase say_placed() {
    meta::phrase s;
    s << "tenon-E071: ";
    if (incomplete != sizeof...(Members)) {
      size_t i = 0;
      (say_member<Members>(s, i++), ...);
      return s;
    }
    if (twice) {
      s << "two members of a composite have one name, in ";
      list(s);
      return s << ": constraints must tell them apart: name one of them otherwise, by tenon::device";
    }
    s << "the members ";
    list(s);
    return s << " have no common way to a graph without calls: their pipelines must begin alike, at least up to "
                "'inline_calls'";
  }
  static consteval void list(meta::phrase& s) {
    size_t i = 0;
    ((s << (i++ ? ", '" : "'") << label(Members::name) << "'"), ...);
  }
};

}  // namespace detail

template <fixed_string Name, class... Members>
  requires meta::answer_t<detail::composite_check<Members...>>::accepted
struct named_composite;

namespace detail {
/// What all members rely on, behind the passes that run once.
template <class Composite, class Members>
struct relied_by_members;
template <class Composite, class... Members>
struct relied_by_members<Composite, types<Members...>> {
  using type = meta::unique_t<
      meta::concat_t<facts<fact::calls_inlined>, relied_facts_t<typename Members::target, Composite::prefix>...>>;
};

/// The code generator of a composite: splits, builds each part, and joins them.
template <class Composite>
struct link_pass {
  static constexpr fixed_string name = "link_parts";
  using from = phases::optimization;
  using to = phases::built;
  using needs = typename relied_by_members<Composite, typename Composite::parts>::type;
  using keeps = facts<>;
  using eliminates = meta::concat_t<computations, host_ops, call_ops::without<op::call>, ops<op::constant>, loop_ops,
                                    typename Composite::pipeline::added_ops>;
  using handles = handled_by_default<"each part is compiled by its member, whose own pipeline was judged">;
  using emits = meta::concat_t<ops<op::return_>, link_ops>;
  /// Can the members go on behind these passes? Asked of every target that ends with the split (target.hpp).
  template <class Pipeline>
  using behind = member_ways<Composite, link_pass, Pipeline, typename Composite::parts>;

  ir_module<to> run(ir_module<from>&& m, context& cx) const {
    const auto members = Composite::members_in(cx);
    return ir_module<to>::adopt(std::move(*link_parts(m.body(), members, Composite::prefix, cx)));
  }
};

template <class Added, class List>
struct pipeline_of_list;
template <class... Ps>
struct pipeline_of_list<ops<>, pass_list<Ps...>> {
  using type = tenon::pipeline<Ps...>;
};
template <class... Op, class... Ps>
struct pipeline_of_list<ops<Op...>, pass_list<Ps...>> {
  using type = pipeline_with_ops<ops<Op...>, Ps...>;
};
/// Ops that modules may hold besides those of the phases: those of all members, less what these make by themselves.
template <class... Targets>
using ops_of_members =
    meta::without_t<meta::unique_t<meta::concat_t<ops<>, typename Targets::pipeline::added_ops...>>, external_ops>;
}  // namespace detail

template <fixed_string Name, class Host, class... Devices>
  requires meta::answer_t<detail::composite_check<Host, Devices...>>::accepted
struct named_composite<Name, Host, Devices...> {
  static constexpr fixed_string name = Name;
  using parts = detail::types<Host, Devices...>;
  /// How many passes run once, on the whole module.
  static constexpr size_t prefix =
      detail::common_passes<pipeline_of<typename Host::target>, pipeline_of<typename Devices::target>...>::size;
  using pipeline = typename detail::pipeline_of_list<
      detail::ops_of_members<typename Host::target, typename Devices::target...>,
      typename detail::passes_between<pipeline_of<typename Host::target>, 0, prefix>::type>::type;
  using code_generator = detail::link_pass<named_composite>;
  using device = typename Host::target::device;
  using format = formats::module_file;
  using abi = abis::c_entry;
  struct runtime {
    static constexpr fixed_string name = "linked";
    static std::unique_ptr<executable> load(const ir::module& built) {
      return load_linked(built, named_composite{}.entries());
    }
  };

  /// The members' options.
  std::tuple<typename Host::target, typename Devices::target...> members{};

  std::vector<linked_member> entries() const {
    std::vector<linked_member> list{{name_of<Host>(), &entry_of<typename Host::target>(), {}},
                                    {name_of<Devices>(), &entry_of<typename Devices::target>(), {}}...};
    size_t i = 0;
    std::apply([&](const auto&... t) { ((list[i++].spec = spec_of(t)), ...); }, members);
    return list;
  }
  static std::vector<linked_member> members_in(context& cx) {
    const named_composite* given = cx.find<named_composite>();
    return given ? given->entries() : named_composite{}.entries();
  }
  void configure(context& cx) const {
    cx.set(*this);
    configure_members(entries(), 0, prefix, cx);
    cx.target = spec(*this);
  }
  static target_spec spec(const named_composite& c) {
    target_spec s{{}, std::string(label(name).data(), label(name).length), {}, {}};
    for (const linked_member& m : c.entries()) {
      s.members.push_back(m.spec);
      if (m.label != m.spec.name) s.members.back().label = m.label;
    }
    return s;
  }
  static named_composite from_spec(const target_spec& s) {
    named_composite c;
    const auto all = c.entries();
    size_t i = 0;
    const auto read = [&](auto& t) {
      for (const target_spec& m : s.members)
        if ((m.label.empty() ? m.name : m.label) == all[i].label)
          t = target_from<std::remove_reference_t<decltype(t)>>(m);
      ++i;
    };
    std::apply([&](auto&... t) { (read(t), ...); }, c.members);
    return c;
  }

 private:
  template <class M>
  static std::string name_of() {
    return std::string(label(M::name).data(), label(M::name).length);
  }
};

/// Members by type: `composite<host<A>, device<"name", B>…>`.
template <class... Members>
  requires meta::answer_t<detail::composite_check<Members...>>::accepted
using composite = named_composite<"composite", Members...>;

}  // namespace tenon
