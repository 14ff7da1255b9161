/// @file instrument: what watches passes as they run, as a typed list.
///
///     instruments<instrument::timing, instrument::print_changed> watch(cx);   // until it goes out of scope
///     auto built = build<targets::cpu>(std::move(m), cx);
///     std::puts(watch.get<instrument::timing>().text().c_str());
///
/// An instrument is a struct with one of these members, or several:
///
///     bool skip(const pass_event&);                             // shall the pass be left out?
///     void skipped(const pass_event&);                          // it was left out, by a flag or by an instrument
///     void before(const pass_event&);
///     void after(const pass_event&);                            // it ran, and what it claims holds (`verify_each`)
///     void failed(const pass_event&, const std::exception&);    // it threw, or was found to claim what is not true
///     void attached(context&);  void detached(context&);        // the list begins to watch, or ends
///
/// They are called in the order of the list, wherever passes run: by hand, in a pipeline, a target's, one that came as
/// text, or inside of another pass. What `before` and `after` throw goes to the caller of the passes. A context without
/// instruments costs one comparison a pass. Ready-made ones: compile/instruments/.
#pragma once

#include <exception>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/compile/context.hpp>

namespace tenon {
namespace ir { class module; }
struct pass_desc;
namespace detail { struct schedule; }

/// A pass that is about to run, ran, or failed. It lives as long as the call.
struct pass_event {
  std::string_view pass, phase;  ///< its name; the phase that it leaves the module in
  const pass_desc& said;
  const ir::module* module;  ///< null: it failed, and took the module with it
  context& cx;
  pass_record* record;  ///< what is being noted of it
  u32 depth;            ///< 0: of a list; more: inside of another pass
  const detail::schedule& list;
  size_t at, end;  ///< its place in the list, and where the run ends

  /// Does nothing that is said of the module depend on it? It stays in its phase, gives and eliminates nothing, and the
  /// next pass need not follow it.
  bool can_be_skipped() const;
  /// This pass and those that follow it in the run, as an order that text pipelines take.
  std::string rest() const;
  /// The facts that are known in front of it, and behind it.
  std::vector<std::string> known() const;
  std::vector<std::string> known_behind() const;
};

/// What an instrument throws to end a run: no failure of the pass that ran last, nor of those around it. It is thrown,
/// since who runs a typed list is promised the type behind its last pass, and nothing else can be returned.
class passes_stopped : public error {
 public:
  using error::error;
};

/// An instrument's members, erased; null where it has none.
struct instrument_hooks {
  bool (*skip)(void*, const pass_event&) = nullptr;
  void (*skipped)(void*, const pass_event&) = nullptr;
  void (*before)(void*, const pass_event&) = nullptr;
  void (*after)(void*, const pass_event&) = nullptr;
  void (*failed)(void*, const pass_event&, const std::exception&) = nullptr;
};

namespace detail {
template <class T>
constexpr instrument_hooks hooks_of() {
  instrument_hooks h;
  if constexpr (requires(T& t, const pass_event& e) { static_cast<bool>(t.skip(e)); })
    h.skip = [](void* t, const pass_event& e) -> bool { return static_cast<T*>(t)->skip(e); };
  if constexpr (requires(T& t, const pass_event& e) { t.skipped(e); })
    h.skipped = [](void* t, const pass_event& e) { static_cast<T*>(t)->skipped(e); };
  if constexpr (requires(T& t, const pass_event& e) { t.before(e); })
    h.before = [](void* t, const pass_event& e) { static_cast<T*>(t)->before(e); };
  if constexpr (requires(T& t, const pass_event& e) { t.after(e); })
    h.after = [](void* t, const pass_event& e) { static_cast<T*>(t)->after(e); };
  if constexpr (requires(T& t, const pass_event& e, const std::exception& why) { t.failed(e, why); })
    h.failed = [](void* t, const pass_event& e, const std::exception& why) { static_cast<T*>(t)->failed(e, why); };
  return h;
}
template <class T>
inline constexpr instrument_hooks hooks_in = hooks_of<T>();

/// Is each hook that it has one that is called?
template <class T>
constexpr bool hooks_are_called() {
  const instrument_hooks h = hooks_in<T>;
  const bool said[] = {requires { &T::skip; }, requires { &T::skipped; }, requires { &T::before; },
                       requires { &T::after; }, requires { &T::failed; }};
  const bool called[] = {h.skip != nullptr, h.skipped != nullptr, h.before != nullptr, h.after != nullptr,
                         h.failed != nullptr};
  for (int i = 0; i < 5; ++i)
    if (said[i] && !called[i]) return false;
  return true;
}
template <class T>
constexpr bool has_hook() {
  const instrument_hooks h = hooks_in<T>;
  return h.skip || h.skipped || h.before || h.after || h.failed || requires(T& t, context& cx) { t.attached(cx); };
}
}  // namespace detail

/// Does it watch passes?
template <class T>
concept watches_passes = detail::has_hook<T>() && detail::hooks_are_called<T>();

/// Lets a context's passes be watched by an instrument that outlives it, beside those that it has.
template <watches_passes T>
void attach(context& cx, T& instrument) {
  for (const instrument_ref& r : cx.instruments)
    if (r.object == &instrument) return;
  cx.instruments.push_back({&instrument, &detail::hooks_in<T>});
  if constexpr (requires { instrument.attached(cx); }) instrument.attached(cx);
}
template <class T>
void detach(context& cx, T& instrument) {
  std::erase_if(cx.instruments, [&](const instrument_ref& r) { return r.object == &instrument; });
  if constexpr (requires { instrument.detached(cx); }) instrument.detached(cx);
}

namespace detail {
template <class T>
struct held_instrument {
  static_assert(has_hook<T>(),
                "tenon-E008: an instrument has one of the members skip, skipped, before, after, failed, and this type "
                "has none");
  static_assert(hooks_are_called<T>(),
                "tenon-E008: a member of an instrument has a form that nobody calls: write 'void before(const "
                "pass_event&)', so 'after' and 'skipped'; 'bool skip(const pass_event&)'; 'void failed(const "
                "pass_event&, const std::exception&)'");
  T value;
};
}  // namespace detail

/// Instruments, each by its type, that watch a context's passes as long as the list lives. The context stays where it
/// is meanwhile.
template <class... Ts>
class [[nodiscard]] instruments : detail::held_instrument<Ts>... {
 public:
  explicit instruments(context& cx) : detail::held_instrument<Ts>{}..., context_(cx) { (attach(cx, get<Ts>()), ...); }
  explicit instruments(context& cx, Ts... each)
    requires(sizeof...(Ts) != 0)
      : detail::held_instrument<Ts>{std::move(each)}..., context_(cx) {
    (attach(cx, get<Ts>()), ...);
  }
  instruments(const instruments&) = delete;
  instruments& operator=(const instruments&) = delete;
  ~instruments() { (detach(context_, get<Ts>()), ...); }

  template <class T>
  T& get() {
    return detail::held_instrument<T>::value;
  }

 private:
  context& context_;
};

}  // namespace tenon
