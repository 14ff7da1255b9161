/// @file parts.cpp: dividing the work of a module, and doing it on threads.
#include "parts.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>
#include <system_error>
#include <thread>

#include <tenon/ir/walk.hpp>
#include <tenon/ops/loop/loop.hpp>
#include <tenon/runtime/threads.hpp>

namespace tenon::codegen {
namespace {

/// A contraction is unrolled over its block of registers, in each of the forms that its rests need.
constexpr u64 work_of_contraction = 150;

u64 llvm_work_of(const ir::module& m, function_id f) {
  u64 work = 0;
  ir::for_each_op(m, m[f].body, [&](op_id op) { work += m.view(op).is<loop::contract>() ? work_of_contraction : 1; });
  return work;
}

}  // namespace

std::vector<code_part> parts_of(const ir::module& m, size_t most) {
  constexpr u64 least_work = 400;  // a part costs LLVM a context and a target
  std::vector<std::pair<function_id, u64>> kernels;
  u64 all = 0, entries = 0;
  for (function_id f : m.functions()) {
    const u64 work = llvm_work_of(m, f);
    (m[f].kind == ir::function_kind::kernel ? all : entries) += work;
    if (m[f].kind == ir::function_kind::kernel) kernels.emplace_back(f, work);
  }
  const u64 share = std::max(least_work, (all + entries) / most + 1);
  std::vector<code_part> parts(1);
  parts[0].work = entries;
  for (const auto& [f, work] : kernels) {
    if (parts.size() < most && !parts.back().kernels.empty() && parts.back().work + work / 2 > share)
      parts.emplace_back();
    parts.back().kernels.push_back(f);
    parts.back().work += work;
    if (work > parts.back().longest_work) parts.back().longest = f, parts.back().longest_work = work;
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
