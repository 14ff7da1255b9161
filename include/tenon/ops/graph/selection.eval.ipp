/// @file selection.eval.ipp: reference evaluations of ops whose results are as large as the values say: non_zero,
/// compress and unique, for indexing.eval.ipp. Programs run them as they are here.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/indexing.eval.ipp>
#include <tenon/ops/graph/indexing.hpp>
#include <tenon/runtime/strings.hpp>

namespace tenon::op {

namespace movement_detail {

/// Elements of which it is asked whether they are true.
class truths {
 public:
  explicit truths(const tensor& x) : x_(x) {}

  i64 count() const {
    i64 n = 0;
    visit(x_.type(), [&]<class T>(T) {
      for (i64 i = 0; i < x_.size(); ++i) n += at<T>(i);
    });
    return n;
  }
  /// Calls f(first, places, count) for blocks of elements from `begin` to `end`, of which the true ones are first +
  /// places[i]. Without branches, which no processor could foresee.
  template <class F> void each_block(i64 begin, i64 end, F&& f) const {
    std::array<u16, block> places;
    visit(x_.type(), [&]<class T>(T) {
      for (; begin < end; begin += block) {
        const i64 n = std::min(block, end - begin);
        size_t count = 0;
        for (i64 i = 0; i < n; ++i) places[count] = static_cast<u16>(i), count += at<T>(begin + i);
        if (count != 0) f(begin, places.data(), static_cast<i64>(count));
      }
    });
  }

 private:
  static constexpr i64 block = 2048;
  template <class T> bool at(i64 i) const {
    return convert_element<bool>(static_cast<T>(tenon::detail::load_element<T>(x_.data(), i)));
  }
  const tensor& x_;
};

}  // namespace movement_detail

void evaluate(const non_zero&, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const movement_detail::truths is(x);
  const size_t rank = x.shape().size(), n = static_cast<size_t>(is.count());
  tensor r(dtype::i64, {x.rank(), static_cast<i64>(n)});
  i64* to = r.data<i64>().data();
  const i64 end = r.size() == 0 ? 0 : x.size(), row = end == 0 ? 0 : x.shape().back();
  std::vector<i64> at(rank);  // of the row
  for (i64 begin = 0; begin < end; begin += row) {
    is.each_block(begin, begin + row, [&](i64 first, const u16* places, i64 count) {
      for (size_t d = 0; d + 1 < rank; ++d) std::fill_n(to + d * n, count, at[d]);
      for (i64 i = 0; i < count; ++i) to[(rank - 1) * n + static_cast<size_t>(i)] = first - begin + places[i];
      to += count;
    });
    for (size_t d = rank - 1; d-- > 0;) {
      if (++at[d] < x.shape()[d]) break;
      at[d] = 0;
    }
  }
  cx.result(std::move(r));
}

void evaluate(const compress& op, eval_context& cx) {
  const tensor x = op.flatten ? cx.operand(0).reshaped({cx.operand(0).size()}) : cx.operand(0);
  const tensor& condition = cx.operand(1);
  const size_t axis = op.flatten ? 0 : movement_detail::checked_axis(cx, op.axis, x);
  const movement_detail::truths chosen(condition);
  chosen.each_block(x.shape()[axis], condition.size(), [&](i64 first, const u16* places, i64) {
    cx.fail("the condition chooses " + std::to_string(first + places[0]) + " of " + x.describe());
  });
  std::vector<i64> to = x.shape();
  to[axis] = chosen.count();
  tensor r(x.type(), to);
  const movement_detail::parts_of parts(x.shape(), axis);
  const size_t part = static_cast<size_t>(parts.inner * size_of(x.type()));
  char* out = static_cast<char*>(r.data());
  const char* in = static_cast<const char*>(x.data());
  for (i64 o = 0; r.size() != 0 && o < parts.outer; ++o, in += static_cast<size_t>(parts.count) * part)
    chosen.each_block(0, std::min(condition.size(), parts.count), [&](i64 first, const u16* places, i64 count) {
      movement_detail::copy_chosen(out, in + static_cast<size_t>(first) * part, places, count, part);
      out += static_cast<size_t>(count) * part;
    });
  cx.result(std::move(r));
}

namespace movement_detail {

/// Numbers that are in the order of the texts of a string tensor.
inline tensor text_ranks(const tensor& x) {
  std::vector<std::pair<std::string_view, i64>> texts;
  for (i64 i = 0; i < x.size(); ++i) texts.emplace_back(string_at(x, i), i);
  std::sort(texts.begin(), texts.end());
  tensor r(dtype::i64, x.shape());
  const std::span<i64> to = r.data<i64>();
  i64 rank = 0;
  for (size_t k = 0; k < texts.size(); ++k) {
    rank += k != 0 && texts[k].first != texts[k - 1].first;
    to[static_cast<size_t>(texts[k].second)] = rank;
  }
  return r;
}

template <class Key> struct keyed_place {
  Key key, place;
};

/// By keys, and those that are alike as they stand: byte after byte, the least one first. Bytes in which no two keys
/// differ are left out.
template <class Key> void sort_by_key(std::vector<keyed_place<Key>>& all) {
  if (all.empty()) return;
  Key differ = 0;
  for (const auto& p : all) differ |= p.key ^ all.front().key;
  std::vector<keyed_place<Key>> other(differ != 0 ? all.size() : 0);
  for (size_t shift = 0; shift < 8 * sizeof(Key); shift += 8) {
    if ((differ >> shift & 255) == 0) continue;
    std::array<size_t, 256> next{};
    for (const auto& p : all) ++next[p.key >> shift & 255];
    size_t before = 0;
    for (size_t& n : next) before += std::exchange(n, before);
    for (const auto& p : all) other[next[p.key >> shift & 255]++] = p;
    all.swap(other);
  }
}

/// Numbers for keys, in the order in which they come first.
template <class Key> class key_numbers {
 public:
  static constexpr u32 none = ~u32{0};
  explicit key_numbers(size_t most) : most_(most) {}
  const std::vector<Key>& keys() const { return keys_; }
  /// None where there were more keys than `most`.
  u32 operator()(Key key) {
    size_t at = slot(key);
    for (; slots_[at] != none; at = (at + 1) & (slots_.size() - 1))
      if (keys_[slots_[at]] == key) return slots_[at];
    if (keys_.size() == most_) return none;
    keys_.push_back(key);
    slots_[at] = static_cast<u32>(keys_.size() - 1);
    if (2 * keys_.size() > slots_.size()) grow();
    return static_cast<u32>(keys_.size() - 1);
  }

 private:
  size_t slot(Key key) const { return static_cast<size_t>(u64{key} * 0x9e3779b97f4a7c15 >> shift_); }
  void grow() {
    --shift_;
    slots_.assign(2 * slots_.size(), none);
    for (size_t i = 0; i < keys_.size(); ++i) {
      size_t at = slot(keys_[i]);
      while (slots_[at] != none) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = static_cast<u32>(i);
    }
  }
  size_t most_;
  int shift_ = 56;
  std::vector<u32> slots_ = std::vector<u32>(256, none);
  std::vector<Key> keys_;
};

/// The groups of elements that are alike: of each the first element, in order, and how many there are, and which group
/// each element is of.
struct groups {
  std::vector<i64> first, counts;
  tensor of;
};

/// Of elements of which many are alike; false where they are not.
template <class T> bool group_few(const T* in, size_t count, bool sorted, groups& to) {
  key_numbers<decltype(sort_key(T{}))> number(std::min<size_t>(count / 8, 1 << 16));
  const std::span<i64> of = to.of.data<i64>();
  for (size_t i = 0; i < count; ++i) {
    const u32 g = number(sort_key(in[i]));
    if (g == number.none) return to.first.clear(), to.counts.clear(), false;
    if (g == to.first.size()) to.first.push_back(static_cast<i64>(i)), to.counts.push_back(0);
    ++to.counts[g], of[i] = g;
  }
  if (!sorted) return true;
  const size_t n = to.first.size();
  std::vector<size_t> order(n);
  for (size_t g = 0; g < n; ++g) order[g] = g;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return number.keys()[a] < number.keys()[b]; });
  groups given{to.first, to.counts, {}};
  std::vector<i64> rank(n);
  for (size_t k = 0; k < n; ++k)
    rank[order[k]] = static_cast<i64>(k), to.first[k] = given.first[order[k]], to.counts[k] = given.counts[order[k]];
  for (i64& g : of) g = rank[static_cast<size_t>(g)];
  return true;
}

/// Sorts parts: f(place, begins), where place(k) is the number of the k-th one in order, and where others begin.
template <class Key, class F> void in_order(const std::vector<Key>& keys, const parts_of& parts, F&& f) {
  const size_t count = static_cast<size_t>(parts.count);
  std::vector<size_t> begins;
  const auto sort_elements = [&]<class Wide>(Wide) {
    std::vector<keyed_place<Wide>> all(count);
    for (size_t i = 0; i < count; ++i) all[i] = {keys[i], static_cast<Wide>(i)};
    sort_by_key(all);
    for (size_t k = 0; k < count; ++k)
      if (k == 0 || all[k].key != all[k - 1].key) begins.push_back(k);
    f([&](size_t k) { return static_cast<i64>(all[k].place); }, begins);
  };
  if (parts.outer == 1 && parts.inner == 1) {
    if (parts.count <= i64{std::numeric_limits<u32>::max()}) return sort_elements(Key{});
    return sort_elements(u64{});
  }
  const auto less = [&](i64 a, i64 b) {
    for (i64 o = 0; o < parts.outer; ++o)
      for (i64 i = 0; i < parts.inner; ++i) {
        const Key p = keys[static_cast<size_t>((o * parts.count + a) * parts.inner + i)];
        const Key q = keys[static_cast<size_t>((o * parts.count + b) * parts.inner + i)];
        if (p != q) return p < q;
      }
    return false;
  };
  std::vector<i64> order(count);
  for (size_t i = 0; i < count; ++i) order[i] = static_cast<i64>(i);
  std::sort(order.begin(), order.end(), [&](i64 a, i64 b) { return less(a, b) || (!less(b, a) && a < b); });
  for (size_t k = 0; k < count; ++k)
    if (k == 0 || less(order[k - 1], order[k])) begins.push_back(k);
  f([&](size_t k) { return order[k]; }, begins);
}

}  // namespace movement_detail

void evaluate(const unique& op, eval_context& cx) {
  const tensor x = op.flatten ? cx.operand(0).reshaped({cx.operand(0).size()}) : cx.operand(0);
  const size_t axis = op.flatten ? 0 : movement_detail::checked_axis(cx, op.axis, x);
  const tensor keys = x.type() == dtype::string ? movement_detail::text_ranks(x) : x;
  const movement_detail::parts_of parts(x.shape(), axis);
  movement_detail::groups all{{}, {}, tensor(dtype::i64, {parts.count})};
  const size_t count = static_cast<size_t>(parts.count);
  const auto number_groups = [&](auto&& place, const std::vector<size_t>& begins) {
    // The first of a group stands in front of the others: parts that are alike are in the order that they had.
    const size_t n = begins.size();
    std::vector<size_t> number(op.sorted ? 0 : n);  // of each group in the results
    if (!op.sorted) {
      std::vector<size_t> begun(count, n);
      for (size_t g = 0; g < n; ++g) begun[static_cast<size_t>(place(begins[g]))] = g;
      size_t next = 0;
      for (size_t g : begun)
        if (g < n) number[g] = next++;
    }
    all.first.resize(n), all.counts.resize(n);
    const std::span<i64> of = all.of.data<i64>();
    for (size_t g = 0; g < n; ++g) {
      const size_t end = g + 1 < n ? begins[g + 1] : count, here = op.sorted ? g : number[g];
      all.first[here] = place(begins[g]);
      all.counts[here] = static_cast<i64>(end - begins[g]);
      for (size_t k = begins[g]; k < end; ++k) of[static_cast<size_t>(place(k))] = static_cast<i64>(here);
    }
  };
  visit(keys.type(), [&]<class T>(T) {
    const std::span<const T> in = keys.data<T>();
    const bool elements = parts.outer == 1 && parts.inner == 1;
    if (!elements || !movement_detail::group_few(in.data(), count, op.sorted, all))
      movement_detail::in_order(movement_detail::sort_keys(in), parts, number_groups);
  });
  const i64 n = static_cast<i64>(all.first.size());
  cx.result(0, movement_detail::chosen_parts(x, axis, all.first));
  cx.result(1, tensor::from<i64>({n}, all.first));
  cx.result(2, std::move(all.of));
  cx.result(3, tensor::from<i64>({n}, all.counts));
}

}  // namespace tenon::op
