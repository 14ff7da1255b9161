/// @file artifact_set: the compiled code that a module holds: ordered, append-only, shared by copies of the module.
///
/// What a pass writer must handle: nothing. A pass that does not know of artifacts leaves them where they are; one that
/// makes code appends it with `module::add_artifact`; no pass can take one out, change it or put another in its place:
/// there is no function that does so, and `run` compares what was there before with what is there after. Two producers
/// of one symbol are an error that names both. `compact`, copying, printing and serializing keep the set as it is.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/meta/sentence.hpp>

namespace tenon::ir {

/// Compiled code in its erased form; `tenon::artifact<Format>` (artifact.hpp) is the one with a type.
struct artifact {
  std::string format;  ///< "elf_object", "elf_shared", "c_source" …
  std::string target;  ///< what it was made for
  std::string symbol;  ///< the entry it defines
  std::vector<char> bytes;
  std::string producer = {};  ///< the pass that made it

  friend bool operator==(const artifact&, const artifact&) = default;
};

class artifact_set {
 public:
  class iterator {
   public:
    using value_type = artifact;
    using difference_type = std::ptrdiff_t;
    iterator() = default;
    explicit iterator(const std::shared_ptr<const artifact>* at) : at_(at) {}
    const artifact& operator*() const { return **at_; }
    const artifact* operator->() const { return at_->get(); }
    iterator& operator++() { return ++at_, *this; }
    iterator operator++(int) { return iterator(at_++); }
    friend bool operator==(iterator, iterator) = default;

   private:
    const std::shared_ptr<const artifact>* at_ = nullptr;
  };

  iterator begin() const { return iterator(items_.data()); }
  iterator end() const { return iterator(items_.data() + items_.size()); }
  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  const artifact& operator[](size_t i) const { return *items_[i]; }
  /// The artifact itself, which may outlive the module.
  const std::shared_ptr<const artifact>& share(size_t i) const { return items_[i]; }
  const artifact* find(std::string_view symbol) const {
    for (const artifact& a : *this)
      if (a.symbol == symbol) return &a;
    return nullptr;
  }

  /// The first artifact of `before` that is not at its place here, or null: then nothing was taken out or changed.
  const artifact* missing_of(const artifact_set& before) const {
    for (size_t i = 0; i < before.size(); ++i)
      if (i >= size() || items_[i] != before.items_[i]) return before.items_[i].get();
    return nullptr;
  }

  artifact_set() = default;
  artifact_set(const artifact_set&) = default;
  artifact_set(artifact_set&&) noexcept = default;
  // What an append-only set has not: each says so.
  template <class A>
  auto operator=(A&&) const TENON_REFUSED(
      "tenon-E028: the artifacts of a module are append-only, since setting them loses what another code "
      "generator made: add each with 'add_artifact'");
  auto clear() const TENON_REFUSED(
      "tenon-E028: the artifacts of a module are append-only, since clearing them loses what another code "
      "generator made: add each with 'add_artifact'");
  template <class A>
  auto erase(A&&) const TENON_REFUSED(
      "tenon-E028: the artifacts of a module are append-only, since erasing one loses what another code "
      "generator made: add each with 'add_artifact'");

 private:
  friend class module;
  artifact_set& operator=(const artifact_set&) = default;
  artifact_set& operator=(artifact_set&&) noexcept = default;

  std::vector<std::shared_ptr<const artifact>> items_;
};

}  // namespace tenon::ir
