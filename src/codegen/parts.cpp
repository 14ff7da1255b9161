/// @file parts.cpp: dividing the work of a module, and doing it on threads.
#include "parts.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>

#include <tenon/ir/walk.hpp>
#include <tenon/ops/loop/loop.hpp>
#include <tenon/runtime/threads.hpp>

namespace tenon::codegen {
namespace {

/// A contraction is unrolled over its block of registers, in each of the forms that its rests need.
constexpr u64 work_of_contraction = 150;
/// Of a nest that is like one before it in its part, little is left to do (alike.hpp).
constexpr u64 alike_nests = 8;

/// One of the ops in a kernel's body, with all that is in it.
struct nest {
  size_t kind;  ///< the same for nests that become the same instructions, by all that is seen of them here
  u64 work;
};
struct kernel_nests {
  function_id f;
  std::vector<nest> nests;
};

/// Tells nests apart by their ops; extents count by the rests that they leave.
class nest_kinds {
 public:
  explicit nest_kinds(const ir::module& m) : m_(m) {}
  nest kind_of(op_id op) {
    words_.clear();
    u64 work = add(op);
    for (u32 r = 0; r < m_[op].region_count; ++r)
      ir::for_each_op(m_, m_.region(op, static_cast<int>(r)), [&](op_id o) { work += add(o); });
    return {kinds_.try_emplace(words_, kinds_.size()).first->second, work};
  }

 private:
  u64 add(op_id op) {
    const ir::op_view v = m_.view(op);
    words_.push_back(std::hash<std::string_view>()(v.name()));
    if (const auto* s = v.get_if<loop::scalar>()) words_.push_back(static_cast<u64>(s->fn));
    if (const auto* l = v.get_if<loop::for_loop>()) words_.push_back(static_cast<u64>(l->kind));
    const auto* c = v.get_if<loop::contract>();
    if (c == nullptr) return 1;
    const auto blocks = [&](i64 extent, i64 block) {
      words_.push_back(static_cast<u64>(extent % block));
      words_.push_back(static_cast<u64>(std::min<i64>(extent / block, 2)));
    };
    constexpr i64 lanes = 8;
    blocks(c->n, std::max<i64>(c->vectors, 1) * lanes);
    for (size_t d = 0; d < c->m.size(); ++d)
      blocks(c->m[d], std::max<i64>(d + 1 == c->m.size() ? c->inner_rows : d + 2 == c->m.size() ? c->rows : 1, 1));
    for (i64 k : c->k) words_.push_back(static_cast<u64>(std::min<i64>(k, 4)));
    return work_of_contraction;
  }

  const ir::module& m_;
  std::map<std::vector<u64>, size_t> kinds_;
  std::vector<u64> words_;
};

/// The kernels, those that have the same kinds of nests beside each other; else in the module's order.
std::vector<kernel_nests> kernels_of(const ir::module& m) {
  std::vector<std::vector<kernel_nests>> groups;
  std::map<std::vector<size_t>, size_t> known;
  nest_kinds kinds(m);
  for (function_id f : m.functions()) {
    if (m[f].kind != ir::function_kind::kernel) continue;
    kernel_nests k{f, {}};
    std::vector<size_t> has;
    for (op_id op : m[m[f].body].ops) {
      k.nests.push_back(kinds.kind_of(op));
      if (m[op].region_count > 0) has.push_back(k.nests.back().kind);
    }
    std::sort(has.begin(), has.end());
    has.erase(std::unique(has.begin(), has.end()), has.end());
    const auto [it, fresh] = known.try_emplace(std::move(has), groups.size());
    if (fresh) groups.emplace_back();
    groups[it->second].push_back(std::move(k));
  }
  std::vector<kernel_nests> all;
  for (auto& group : groups) std::move(group.begin(), group.end(), std::back_inserter(all));
  return all;
}

/// How long a kernel takes behind others, whose kinds of nests are in `seen`.
u64 work_behind(const kernel_nests& k, std::set<size_t>& seen) {
  u64 work = 1;
  for (const nest& n : k.nests) work += seen.insert(n.kind).second ? n.work : (n.work + alike_nests - 1) / alike_nests;
  return work;
}

}  // namespace

std::vector<code_part> parts_of(const ir::module& m, size_t most) {
  constexpr u64 least_work = 400;  // a part costs LLVM a context and a target
  const std::vector<kernel_nests> kernels = kernels_of(m);
  u64 all = 0, entries = 0;
  for (function_id f : m.functions())
    if (m[f].kind != ir::function_kind::kernel) ir::for_each_op(m, m[f].body, [&](op_id) { ++entries; });
  std::set<size_t> seen;
  for (const kernel_nests& k : kernels) all += work_behind(k, seen);
  const u64 share = std::max(least_work, (all + entries) / most + 1);
  std::vector<code_part> parts(1);
  parts[0].work = entries;
  seen.clear();
  for (const kernel_nests& k : kernels) {
    std::set<size_t> seen_now = seen;
    u64 work = work_behind(k, seen_now);
    if (parts.size() < most && !parts.back().kernels.empty() && parts.back().work + work / 2 > share) {
      parts.emplace_back();
      seen_now.clear();
      work = work_behind(k, seen_now);
    }
    seen = std::move(seen_now);
    parts.back().kernels.push_back(k.f);
    parts.back().work += work;
    if (work > parts.back().longest_work) parts.back().longest = k.f, parts.back().longest_work = work;
  }
  return parts;
}

part_progress::part_progress(const ir::module& m, std::span<const code_part> parts, const progress_reader& reader)
    : m_(m), parts_(parts), reader_(reader), made_now_(parts.size()) {
  said_.all = 0;
  for (const code_part& p : parts) said_.all += p.work;
}
void part_progress::changes(size_t part, bool begins) {
  if (reader_.read == nullptr) return;
  const std::lock_guard lock(mutex_);
  made_now_[part] = begins;
  if (!begins) said_.done += parts_[part].work;
  const code_part* longest = nullptr;
  for (size_t i = 0; i < parts_.size(); ++i)
    if (made_now_[i] && (!longest || parts_[i].longest_work > longest->longest_work)) longest = &parts_[i];
  said_.kernel = longest && longest->longest_work > 0 ? m_[longest->longest].name : std::string();
  reader_.read(reader_.object, said_);
}

void for_each_part(std::span<const code_part> parts, const std::function<void(size_t)>& f) {
  std::vector<size_t> order(parts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return parts[a].work != parts[b].work ? parts[a].work > parts[b].work : a < b; });
  std::vector<std::exception_ptr> thrown(parts.size());
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < order.size(); i = next++) {
      try {
        f(order[i]);
      } catch (...) { thrown[order[i]] = std::current_exception(); }
    }
  };
  // Threads of their own, not those of the pool: these spin for loops of microseconds, and are not in a forked process
  // (apart.hpp).
  std::vector<std::jthread> others;
  const size_t wanted = std::min(parts.size(), static_cast<size_t>(std::max(thread_count(), 1)));
  try {
    others.reserve(wanted);
    while (others.size() + 1 < wanted) others.emplace_back(work);
  } catch (const std::system_error&) {  // as many as there may be
  }
  work();
  others.clear();
  for (const std::exception_ptr& e : thrown)
    if (e) std::rethrow_exception(e);
}

}  // namespace tenon::codegen
