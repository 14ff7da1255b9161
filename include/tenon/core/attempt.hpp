/// @file attempt: what a rule says by throwing, as a value.
///
///     const failure wrong = attempt([&] { module = source.make(sizes); });
///     if (wrong.as<rule_error>()) try_other_sizes(wrong->message());
///
/// Type rules, evaluations, lowerings and operators of importers, users' ones too, throw `error` from any depth: that
/// is how they say that something cannot be. Who asks whether it can, and goes on either way, asks here. Whatever is no
/// `error`, as memory that runs out, is thrown on.
#pragma once

#include <exception>
#include <utility>

#include <tenon/core/error.hpp>

namespace tenon {

/// Why an attempt failed; false where it did not.
class failure {
 public:
  failure() = default;
  explicit operator bool() const noexcept { return what_ != nullptr; }
  const error& operator*() const noexcept { return *what_; }
  const error* operator->() const noexcept { return what_; }
  /// Null where it is of another class, or there is none.
  template <class E>
  const E* as() const noexcept {
    return dynamic_cast<const E*>(what_);
  }
  [[noreturn]] void rethrow() const { std::rethrow_exception(thrown_); }

 private:
  failure(std::exception_ptr thrown, const error& what) : thrown_(std::move(thrown)), what_(&what) {}
  template <class F>
  friend failure attempt(F&& f);

  std::exception_ptr thrown_;
  const error* what_ = nullptr;  ///< in `thrown_`
};

/// Calls f(), which gives nothing back.
template <class F>
[[nodiscard]] failure attempt(F&& f) {
  try {
    std::forward<F>(f)();
  } catch (const error& e) { return {std::current_exception(), e}; }
  return {};
}

}  // namespace tenon
