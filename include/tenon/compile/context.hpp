/// @file context: what goes beside the module through a compilation: options, switches, instruments, and what was
/// measured.
///
/// Nothing here is known to the module: the same module with the same options gives the same bytes whoever watches.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/core/int.hpp>
#include <tenon/core/target_spec.hpp>
#include <tenon/meta/fixed_string.hpp>

namespace tenon {
struct instrument_hooks;  // compile/instrument.hpp

enum class severity : u8 { note, warning, error };

/// Something that a pass wants its user to know. Errors are thrown, not reported.
struct diagnostic {
  severity level = severity::note;
  std::string code, message, where, hint;
};

/// Receives diagnostics; derive from it and set `context::diagnostics`.
class diagnostic_sink {
 public:
  virtual ~diagnostic_sink() = default;
  virtual void report(const diagnostic& d) = 0;
};

/// What one pass cost.
struct pass_record {
  std::string name, phase;  ///< the phase that it leaves the module in
  double milliseconds = 0;
  size_t ops_before = 0, ops_after = 0;  ///< 0 without `instrument::statistics`
};

/// What watches passes, erased (compile/instrument.hpp). It outlives the contexts that it is attached to.
struct instrument_ref {
  void* object;
  const instrument_hooks* hooks;
};

namespace detail {
class depth_scope;
class own_settings;
template <class A, class Asker>
struct analysis_check;  // compile/analysis.hpp
/// A flag that something in this program asks for. All of them are listed before `main` begins, or when a library is
/// loaded.
class asked_flag {
 public:
  explicit asked_flag(label name);
  ~asked_flag();
  asked_flag(const asked_flag&) = delete;
  asked_flag& operator=(const asked_flag&) = delete;

  label name;
  asked_flag* next = nullptr;
};
template <fixed_string Name>
inline asked_flag flag_in_program{Name};
}  // namespace detail

class context {
 public:
  /// What is compiled for; it is recorded in what is built. Nothing: nobody said it.
  std::optional<target_spec> target;
  diagnostic_sink* diagnostics = nullptr;
  /// Runs the checker of every fact that the module's type states, and the verifier of its phase, after each pass.
  bool verify_each = false;
  /// Each pass that ran, in the order in which they ended.
  std::vector<pass_record> records;
  /// What watches passes: see `instruments`.
  std::vector<instrument_ref> instruments;

  context() = default;
  /// For a part of a compilation: has the instruments of `whole`, and its options where it has no others. `whole` must
  /// outlive it.
  explicit context(context* whole)
      : target(whole->target), diagnostics(whole->diagnostics), verify_each(whole->verify_each),
        instruments(whole->instruments), whole_(whole), depth_(whole->depth_) {}
  /// For a part that another target compiles than the whole: does not have what the whole's target says of itself
  /// (`detail::own_settings`).
  struct for_another_target {};
  context(context* whole, for_another_target) : context(whole) { of_another_ = true; }
  context(context&&) noexcept = default;
  context& operator=(context&&) noexcept = default;

  /// Flags that optional passes depend on; one that was never set is on. A pass may ask for one itself:
  /// `cx.flag<"fast">()`.
  void set_flag(std::string name, bool on);
  template <fixed_string Name>
  bool flag() const {
    static_cast<void>(&detail::flag_in_program<Name>);  // this program asks for it
    return flag(label(Name));
  }
  bool flag(std::string_view name) const {
    const named_flag* f = find_flag(name, false);
    return f ? f->on : true;
  }

  /// A pipeline is about to run whose optional passes have these flags. Throws "flag.unknown" if one was set that
  /// nothing in this program asks for; one that this pipeline and those before do not have is a warning, since another
  /// one may have it.
  void meet_flags(const std::vector<std::string>& flags);
  bool sets_flags() const { return !flags_.empty(); }
  /// The flags that were set, here or for the whole compilation.
  std::vector<std::pair<std::string, bool>> flags() const;
  /// The flags that were set here, as "fast=off, wide=on".
  std::string flags_text() const;
  /// Sets flags from such text. Throws "flag.syntax".
  void set_flags(std::string_view text);

  void report(const diagnostic& d) {
    if (diagnostics) diagnostics->report(d);
  }

  /// The value of an analysis, computed when it is first asked for and kept as long as its fact holds
  /// (compile/analysis.hpp). A pass gives itself, `cx.analysis<A>(*this, m)`, and needs what the analysis rests on;
  /// without that it is proved. Throws what its checkers, and `compute`, throw.
  template <class A, class Asker, class Module>
  const auto& analysis(const Asker&, const Module& m) {
    using check = detail::analysis_check<A, Asker>;
    meta::answer_t<check>::accept();
    if constexpr (check::ok) return find_analysis<A, Asker>(*this, m, depth_ != 0);
    else return m;  // it does not compile anyway; say no more
  }
  template <class A, class Module>
  const auto& analysis(const Module& m) {
    return analysis<A>(m, m);
  }
  /// A pass says that it left the module as it was: whatever was computed of it stays true.
  void changed_nothing() { unchanged_ = true; }

  /// Values by type: options of targets and of passes (`cx.set(passes::tile{.x = 4})` is what `tile` runs with).
  template <class T>
  T& set(T value) {
    T* made = new T(std::move(value));
    hold(key_of<T>(), made, [](void* p) { delete static_cast<T*>(p); });
    return *made;
  }
  template <class T>
  T* find() {
    slot* s = find_slot(key_of<T>(), false);
    return s ? static_cast<T*>(s->value.get()) : nullptr;
  }
  template <class T>
  const T* find() const {
    return const_cast<context*>(this)->find<T>();
  }
  /// The value that was set, or a default one.
  template <class T>
  T get() const {
    const T* set = find<T>();
    return set ? *set : T{};
  }
  /// Takes over the values of `initial` that were not set here, in place of those that were assumed before.
  void assume(context initial);

 private:
  struct slot {
    const void* key;
    std::unique_ptr<void, void (*)(void*)> value;
    bool assumed = false;
    bool own = false;  ///< of the target of this context
  };
  template <class T>
  static const void* key_of() {
    static const char key = 0;
    return &key;
  }
  /// Owns `made` from here on, whatever happens.
  void hold(const void* key, void* made, void (*destroy)(void*));
  /// Here, the target's own before what was set in front of it, or else in the whole; `another`: for another target
  /// than this context's.
  slot* find_slot(const void* key, bool another) {
    for (size_t i = slots_.size(); i-- > 0;)
      if (slots_[i].key == key && !(another && slots_[i].own)) return &slots_[i];
    return whole_ ? whole_->find_slot(key, another || of_another_) : nullptr;
  }
  struct named_flag {
    std::string name;
    bool on;
    bool met = false;  ///< a pipeline that ran has it
    bool assumed = false;
    bool own = false;
  };
  const named_flag* find_flag(std::string_view name, bool another) const {
    for (size_t i = flags_.size(); i-- > 0;)
      if (flags_[i].name == name && !(another && flags_[i].own)) return &flags_[i];
    return whole_ ? whole_->find_flag(name, another || of_another_) : nullptr;
  }
  std::vector<std::pair<std::string, bool>> flags(bool another) const;
  std::vector<slot> slots_;
  std::vector<named_flag> flags_;
  context* whole_ = nullptr;
  u32 depth_ = 0;           ///< passes that are running, one inside of another
  bool unchanged_ = false;  ///< the pass that is running says so
  bool of_another_ = false;
  bool sets_own_ = false;
  friend class detail::depth_scope;
  friend class detail::own_settings;
};

namespace detail {
/// While one lives, what is set is what the context's target says of itself: parts for other targets have it not.
class own_settings {
 public:
  explicit own_settings(context& cx) : cx_(cx), before_(std::exchange(cx.sets_own_, true)) {}
  ~own_settings() { cx_.sets_own_ = before_; }
  own_settings(const own_settings&) = delete;
  own_settings& operator=(const own_settings&) = delete;

 private:
  context& cx_;
  bool before_;
};
}  // namespace detail

}  // namespace tenon
