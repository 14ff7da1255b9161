/// @file loop_work.ipp: definitions of core/loop_work.hpp.
#pragma once

#include <algorithm>

#include <tenon/core/byte_stream.hpp>
#include <tenon/core/extent_expr.hpp>
#include <tenon/core/loop_work.hpp>

namespace tenon {
namespace detail {

inline i64 apply_index_code(index_formula::code f, i64 a, i64 b) {
  using enum index_formula::code;
  // Sizes are extents that exist: what wraps here is no count of anything, and wraps without harm.
  const auto wrapped = [](u64 v) { return static_cast<i64>(v); };
  switch (f) {
    case add: return wrapped(static_cast<u64>(a) + static_cast<u64>(b));
    case sub: return wrapped(static_cast<u64>(a) - static_cast<u64>(b));
    case mul: return wrapped(static_cast<u64>(a) * static_cast<u64>(b));
    case floor_div: return b == 0 || b == -1 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
    case mod: return b == 0 || b == -1 ? 0 : (a % b + b) % b;
    case min: return std::min(a, b);
    case max: return std::max(a, b);
    default: return 0;
  }
}

/// One evaluation of a tree for given sizes.
class work_counter {
 public:
  work_counter(const loop_work& w, std::vector<i64> sizes)
      : w_(w), sizes_(std::move(sizes)), indices_(loop_work::most_depth + 1, 0), slot_(w.nodes.size() + 1, 1) {
    u32 slots = 1;  // the first one counts operations
    for (size_t i = 0; i < w.nodes.size(); ++i) {
      slot_[i] = slots;
      if (is_access(w.nodes[i])) ++slots;
    }
    slot_.back() = slots;
    exact_ = w.exact;
  }

  work_total total() {
    const std::vector<double> sums = run(0, w_.nodes.size());
    work_total t;
    t.flops = sums[0];
    for (size_t b = 0; b < w_.buffers.size(); ++b) {
      double read = 0, written = 0;
      for (size_t i = 0; i < w_.nodes.size(); ++i) {
        if (!is_access(w_.nodes[i]) || w_.nodes[i].number != b) continue;
        (w_.nodes[i].what == loop_work::kind::read ? read : written) += sums[slot_[i]];
      }
      const double all = static_cast<double>(value(w_.buffers[b], 0));
      t.bytes_read += std::min(read, all), t.bytes_written += std::min(written, all);
    }
    t.exact = exact_;
    return t;
  }

 private:
  static bool is_access(const loop_work::node& n) {
    return n.what == loop_work::kind::read || n.what == loop_work::kind::write;
  }
  i64 value(const index_formula& f, i64 otherwise) {
    if (f.known()) return f.evaluate(sizes_, indices_);
    exact_ = false;
    return otherwise;
  }
  bool varies(size_t begin, size_t end, size_t depth) const {
    for (size_t i = begin; i < end; ++i)
      for (const index_formula* f : {&w_.nodes[i].low, &w_.nodes[i].high, &w_.nodes[i].amount})
        if (f->uses_index(depth)) return true;
    return false;
  }
  /// Sums of nodes [begin, end): operations, then those of the accesses among them, by the numbers of their slots.
  std::vector<double> run(size_t begin, size_t end) {
    std::vector<double> sums(slot_.back(), 0.0);
    for (size_t i = begin; i < end;) {
      const loop_work::node& n = w_.nodes[i];
      switch (n.what) {
        case loop_work::kind::flops: sums[0] += static_cast<double>(value(n.amount, 0)), ++i; break;
        case loop_work::kind::read:
        case loop_work::kind::write: sums[slot_[i]] += static_cast<double>(value(n.amount, 0)), ++i; break;
        case loop_work::kind::alternative: {
          const std::vector<double> first = run(i + 1, n.middle), second = run(n.middle, n.end);
          for (size_t k = 0; k < sums.size(); ++k) {
            exact_ = exact_ && first[k] == second[k];
            sums[k] += std::max(first[k], second[k]);
          }
          i = n.end;
          break;
        }
        case loop_work::kind::loop: add_loop(n, i, sums), i = n.end; break;
      }
    }
    return sums;
  }
  void add_loop(const loop_work::node& n, size_t at, std::vector<double>& sums) {
    const i64 low = value(n.low, 0), high = value(n.high, low + 1);
    const i64 step = std::max<i64>(n.step, 1);
    const i64 trips = high <= low ? 0 : (high - low - 1) / step + 1;
    if (trips == 0) return;
    const size_t depth = n.number;
    const auto depends = [&](size_t i) { return (w_.nodes[i].depends >> depth & 1) != 0; };
    const bool each = varies(at + 1, n.end, depth) && trips <= left_;
    if (!each) {
      if (varies(at + 1, n.end, depth)) exact_ = false;
      indices_[depth] = low + trips / 2 * step;
      const std::vector<double> once = run(at + 1, n.end);
      sums[0] += once[0] * static_cast<double>(trips);
      for (size_t i = at + 1; i < n.end; ++i)
        if (is_access(w_.nodes[i])) sums[slot_[i]] += once[slot_[i]] * (depends(i) ? static_cast<double>(trips) : 1.0);
      return;
    }
    std::vector<double> most(sums.size(), 0.0);
    for (i64 k = 0; k < trips; ++k) {
      --left_;
      indices_[depth] = low + k * step;
      const std::vector<double> once = run(at + 1, n.end);
      sums[0] += once[0];
      for (size_t i = at + 1; i < n.end; ++i) {
        if (!is_access(w_.nodes[i])) continue;
        if (depends(i)) sums[slot_[i]] += once[slot_[i]];
        else most[slot_[i]] = std::max(most[slot_[i]], once[slot_[i]]);
      }
    }
    for (size_t k = 1; k < sums.size(); ++k) sums[k] += most[k];
  }

  const loop_work& w_;
  std::vector<i64> sizes_, indices_;
  std::vector<u32> slot_;  ///< of an access: where its sum is; of others: that of the next access
  i64 left_ = 1 << 16;     ///< iterations that are still looked at one by one
  bool exact_ = true;
};

inline void write_formula(byte_writer& to, const index_formula& f) {
  to.number(f.items.size());
  for (const index_formula::item& i : f.items) to.number(static_cast<u64>(i.what)), to.signed_number(i.value);
}
/// One that leaves one number, of sizes and indices that there are.
inline index_formula read_formula(byte_reader& from, u64 sizes) {
  index_formula f;
  f.items.resize(from.count("the length of a formula"));
  i64 height = 0;
  for (index_formula::item& i : f.items) {
    i.what = static_cast<index_formula::code>(from.number(static_cast<u64>(index_formula::code::max), "a formula"));
    i.value = from.signed_number();
    const bool leaf = i.what <= index_formula::code::index;
    height += leaf ? 1 : -1;
    const u64 limit = i.what == index_formula::code::size ? sizes : loop_work::most_depth + 1;
    if (height < 1 || height > 64 ||
        (leaf && i.what != index_formula::code::number && static_cast<u64>(i.value) >= limit))
      from.fail("a formula is none");
  }
  if (!f.items.empty() && height != 1) from.fail("a formula is none");
  return f;
}

}  // namespace detail

index_formula index_formula::apply(code f, const index_formula& a, const index_formula& b) {
  if (!a.known() || !b.known() || a.items.size() + b.items.size() > 60) return {};
  if (a.items.size() == 1 && b.items.size() == 1 && a.items[0].what == code::number && b.items[0].what == code::number)
    return number(detail::apply_index_code(f, a.items[0].value, b.items[0].value));
  index_formula r = a;
  r.items.insert(r.items.end(), b.items.begin(), b.items.end());
  r.items.push_back({f, 0});
  return r;
}

bool index_formula::uses_index(size_t depth) const {
  return std::any_of(items.begin(), items.end(),
                     [&](const item& i) { return i.what == code::index && i.value == static_cast<i64>(depth); });
}

i64 index_formula::evaluate(std::span<const i64> sizes, std::span<const i64> indices) const {
  i64 stack[65] = {};
  size_t n = 0;
  for (const item& i : items) {
    if (i.what == code::number) stack[n++] = i.value;
    else if (i.what == code::size) stack[n++] = sizes[static_cast<size_t>(i.value)];
    else if (i.what == code::index) stack[n++] = indices[static_cast<size_t>(i.value)];
    else --n, stack[n - 1] = detail::apply_index_code(i.what, stack[n - 1], stack[n]);
  }
  return n == 0 ? 0 : stack[0];
}

work_total loop_work::evaluate_with(i64 (*lookup)(const void*, const std::string&), const void* with) const {
  std::vector<i64> values;
  for (const std::string& text : sizes) {
    const auto e = extent_expr::parse(text);
    values.push_back(e ? e->evaluate([&](const std::string& n) { return lookup(with, n); }) : 0);
  }
  return detail::work_counter(*this, std::move(values)).total();
}

std::string loop_work::bytes() const {
  byte_writer to;
  to.number(exact ? 1 : 0);
  to.number(sizes.size());
  for (const std::string& s : sizes) to.text(s);
  to.number(buffers.size());
  for (const index_formula& f : buffers) detail::write_formula(to, f);
  to.number(nodes.size());
  for (const node& n : nodes) {
    to.number(static_cast<u64>(n.what)), to.number(n.middle), to.number(n.end), to.number(n.number);
    to.signed_number(n.step), to.number(n.depends);
    for (const index_formula* f : {&n.low, &n.high, &n.amount}) detail::write_formula(to, *f);
  }
  return to.bytes;
}

loop_work loop_work::parse(std::string_view bytes, const std::string& where) {
  byte_reader from(bytes, "program.file", where, "build the program again");
  loop_work w;
  w.exact = from.flag();
  w.sizes.resize(from.count("the number of sizes"));
  for (std::string& s : w.sizes) s = from.text();
  w.buffers.resize(from.count("the number of buffers"));
  for (index_formula& f : w.buffers) f = detail::read_formula(from, w.sizes.size());
  w.nodes.resize(from.count("the number of loops"));
  std::vector<u32> ends{static_cast<u32>(w.nodes.size())};
  for (u32 i = 0; i < w.nodes.size(); ++i) {
    while (ends.size() > 1 && ends.back() == i) ends.pop_back();
    node& n = w.nodes[i];
    n.what = static_cast<kind>(from.number(static_cast<u64>(kind::write), "a kind"));
    const bool nests = n.what == kind::loop || n.what == kind::alternative;
    n.middle = static_cast<u32>(from.number(w.nodes.size(), "a place"));
    n.end = static_cast<u32>(from.number(w.nodes.size(), "a place"));
    const bool access = n.what == kind::read || n.what == kind::write;
    n.number = static_cast<u32>(from.number(access ? w.buffers.size() : most_depth, "a number"));
    if (access && n.number == w.buffers.size()) from.fail("a buffer is missing");
    n.step = from.signed_number(), n.depends = from.number();
    if (nests && (n.end <= i || n.end > ends.back() || ends.size() > most_depth)) from.fail("loops do not nest");
    if (n.what == kind::alternative && (n.middle <= i || n.middle > n.end)) from.fail("loops do not nest");
    if (nests && n.end > i + 1) ends.push_back(n.end);
    if (n.what == kind::alternative && n.middle > i + 1 && n.middle < n.end) ends.push_back(n.middle);
    for (index_formula* f : {&n.low, &n.high, &n.amount}) *f = detail::read_formula(from, w.sizes.size());
  }
  if (from.left() != 0) from.fail("the description of a kernel is longer than it should be");
  return w;
}

}  // namespace tenon
