/// @file loop_races.ipp: independent loops in any order, and which of their iterations meet in an element.
#pragma once

#include <utility>

#include <tenon/interpret/loops.ipp>

namespace tenon::interpreting {

void kernel::run_in_any_order(const loop_data& d, i64 begin, i64 end, op_id op) {
  if (begin >= end) return;
  const u64 count = (static_cast<u64>(end) - static_cast<u64>(begin) - 1) / static_cast<u64>(d.step) + 1;
  const bool outermost = checks_.races && !races_.active();
  if (outermost) races_.begin(module_.view(op).as<loop::for_loop>().kind == loop::loop_kind::parallel);
  const auto iteration = [&](u64 number) {
    const i64 i = static_cast<i64>(static_cast<u64>(begin) + number * static_cast<u64>(d.step));
    if (outermost) races_.iteration(i);
    registers_[d.index].i = i;
    execute(d.body);
  };
  if (checks_.shuffle == 0) {
    for (u64 k = 0; k < count; ++k) iteration(k);
  } else if (count > (u64{1} << 20)) {
    for (u64 k = count; k-- > 0;) iteration(k);
  } else {
    std::vector<u64> order(static_cast<size_t>(count));
    for (size_t k = 0; k < order.size(); ++k) order[k] = k;
    u64 state = checks_.shuffle * 0x9e3779b97f4a7c15u + count;
    for (size_t k = order.size(); k > 1; --k) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      std::swap(order[k - 1], order[static_cast<size_t>(state % k)]);
    }
    for (u64 k : order) iteration(k);
  }
  if (outermost) races_.end();
}

std::optional<i64> race_watch::touch(const void* element, bool writes) {
  users& u = touched_[element];
  if (u.writer && *u.writer != now_) return u.writer;
  if (writes) {
    if (u.reader && (u.many_read || *u.reader != now_)) return u.reader;
    u.writer = now_;
  } else {
    u.many_read = u.many_read || (u.reader && *u.reader != now_);
    if (!u.reader || *u.reader == now_) u.reader = now_;
  }
  return std::nullopt;
}

void kernel::watch(const unsigned char* element, bool writes, op_id op) {
  if (!races_.active()) return;
  if (const auto other = races_.touch(element, writes))
    throw race_error(
        said_of("interpret.race",
                "iterations " + std::to_string(*other) + " and " + std::to_string(races_.now()) +
                    (races_.parallel() ? " of a parallel loop" : " of a loop that is said to be independent") +
                    " touch one element, and one of them writes it",
                op));
}

void kernel::spend(i64 iterations, op_id op) {
  if (checks_.most_iterations == 0) return;
  if (iterations > checks_.most_iterations - spent_)
    fail("interpret.budget", "more than " + std::to_string(checks_.most_iterations) + " iterations are not run", op);
  spent_ += iterations;
}

/// All that one row of a contraction reads, and what it takes.
void kernel::watch_sums(const contract_data& c, const row_place& s, op_id op) {
  i64 products = s.n;
  for (i64 k : s.k)
    if (__builtin_mul_overflow(products, k, &products)) products = std::numeric_limits<i64>::max();
  spend(products, op);
  if (!races_.active()) return;
  const buffer &a = buffers_[c.a.outer.memory], &b = buffers_[c.b.outer.memory];
  std::vector<i64> at(s.k.size(), 0);
  for (;;) {
    i64 x = s.from_a, y = s.from_b;
    for (size_t e = 0; e < at.size(); ++e) x += at[e] * s.by_a[e], y += at[e] * s.by_b[e];
    watch(a.data + x * size_of(a.type), false, op);
    for (i64 j = 0; j < s.n; ++j) watch(b.data + (y + j * s.by_n) * size_of(b.type), false, op);
    size_t e = at.size();
    while (e != 0 && ++at[e - 1] == s.k[e - 1]) at[--e] = 0;
    if (e == 0) return;
  }
}

}  // namespace tenon::interpreting
