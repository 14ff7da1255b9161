/// @file analysis_cache: what was computed of a module, kept with it as long as it is true (compile/analysis.hpp).
///
/// A module takes it along when it moves; a copy has none. Who runs passes says what is still true behind each of them
/// (`keep_if`); `module::compact` gives every op another id, so nothing is found behind it until then. Values stay
/// where they are until they are dropped. Several threads may ask of one module at once.
#pragma once

#include <memory>
#include <vector>

namespace tenon {
struct fact_desc;
namespace ir {
class module;

/// An analysis as data.
struct analysis_info {
  const fact_desc* fact;
  void* (*compute)(const module&);
  bool (*equal)(const void*, const void*);
  void (*destroy)(void*);
};

class analysis_cache {
 public:
  analysis_cache() = default;
  analysis_cache(const analysis_cache&) = delete;
  analysis_cache& operator=(const analysis_cache&) = delete;
  analysis_cache(analysis_cache&&) noexcept = default;
  analysis_cache& operator=(analysis_cache&&) noexcept = default;

  /// Null: it was not computed, or does not hold any more.
  const void* find(const analysis_info& what) const;
  /// Computes it, and keeps what another thread computed meanwhile. Throws what `compute` throws.
  const void* compute(const analysis_info& what, const module& m);
  bool empty() const { return entries_.empty(); }
  void clear() { entries_.clear(); }
  /// Nothing is found any more, and all values stay until somebody says what of them is true.
  void retire();
  /// Drops what does not hold: all that `holds` denies, and unless `same_ids` what was retired.
  template <class F>
  void keep_if(bool same_ids, F&& holds) {
    size_t kept = 0;
    for (entry& e : entries_)
      if ((same_ids || !e.retired) && holds(*e.what)) e.retired = false, std::swap(entries_[kept++], e);
    entries_.resize(kept);
  }
  /// The first of what is kept that is computed otherwise now; null: all of it is true. Cost: of computing it.
  const analysis_info* first_untrue(const module& m) const;

 private:
  struct entry {
    const analysis_info* what = nullptr;
    std::unique_ptr<void, void (*)(void*)> value{nullptr, nullptr};
    bool retired = false;
  };
  std::vector<entry> entries_;
  mutable char busy_ = 0;
};

}  // namespace ir
}  // namespace tenon
