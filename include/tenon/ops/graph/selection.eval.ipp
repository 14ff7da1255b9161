/// @file selection.eval.ipp: reference evaluations of ops whose results are as large as the values say: non_zero,
/// compress and unique, for indexing.eval.ipp. Programs run them as they are here.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <type_traits>
#include <utility>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/indexing.eval.ipp>
#include <tenon/ops/graph/indexing.hpp>
#include <tenon/runtime/text.hpp>

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
  for (i64 i = 0; i < x.size(); ++i) texts.emplace_back(text_at(x, i), i);
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

/// As many bits as an element has, as a number that is larger where `ascending` says so: zeros are alike, and so is
/// what is no number.
template <class T> auto sort_key(T v) {
  if constexpr (std::same_as<T, double> || std::same_as<T, float>) {
    using bits = std::conditional_t<std::same_as<T, double>, u64, u32>;
    constexpr bits sign = bits{1} << (8 * sizeof(T) - 1);
    if (v != v) return ~bits{0};
    const bits b = std::bit_cast<bits>(v == 0 ? T{0} : v);
    return (b & sign) != 0 ? ~b : b | sign;
  } else if constexpr (std::integral<T>) {
    using bits = std::conditional_t<sizeof(T) == 8, u64, u32>;
    constexpr bits sign = std::signed_integral<T> ? bits{1} << (8 * sizeof(bits) - 1) : 0;
    return static_cast<bits>(v) ^ sign;
  } else {
    return sort_key(convert_element<std::conditional_t<is_float(dtype_of<T>), float, i32>>(v));
  }
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

/// Parts in order, and where in it others begin.
struct ordered_parts {
  std::vector<i64> order;
  std::vector<size_t> begins;
};
template <class T> ordered_parts in_order(const T* in, const parts_of& parts) {
  ordered_parts r;
  r.order.reserve(static_cast<size_t>(parts.count));
  const auto sort_elements = [&]<class Key>(Key) {
    std::vector<keyed_place<Key>> all(static_cast<size_t>(parts.count));
    for (size_t i = 0; i < all.size(); ++i) all[i] = {sort_key(in[i]), static_cast<Key>(i)};
    sort_by_key(all);
    for (size_t k = 0; k < all.size(); ++k) {
      if (k == 0 || all[k].key != all[k - 1].key) r.begins.push_back(k);
      r.order.push_back(static_cast<i64>(all[k].place));
    }
  };
  if (parts.outer == 1 && parts.inner == 1) {
    using key = decltype(sort_key(T{}));
    if (parts.count <= i64{std::numeric_limits<u32>::max()}) sort_elements(key{});
    else sort_elements(u64{});
    return r;
  }
  const auto less = [&](i64 a, i64 b) {
    for (i64 o = 0; o < parts.outer; ++o)
      for (i64 i = 0; i < parts.inner; ++i) {
        const T p = in[(o * parts.count + a) * parts.inner + i], q = in[(o * parts.count + b) * parts.inner + i];
        if (ascending(p, q)) return true;
        if (ascending(q, p)) return false;
      }
    return false;
  };
  for (i64 i = 0; i < parts.count; ++i) r.order.push_back(i);
  std::stable_sort(r.order.begin(), r.order.end(), less);
  for (size_t k = 0; k < r.order.size(); ++k)
    if (k == 0 || less(r.order[k - 1], r.order[k])) r.begins.push_back(k);
  return r;
}

}  // namespace movement_detail

void evaluate(const unique& op, eval_context& cx) {
  const tensor x = op.flatten ? cx.operand(0).reshaped({cx.operand(0).size()}) : cx.operand(0);
  const size_t axis = op.flatten ? 0 : movement_detail::checked_axis(cx, op.axis, x);
  const tensor keys = x.type() == dtype::string ? movement_detail::text_ranks(x) : x;
  const movement_detail::parts_of parts(x.shape(), axis);
  movement_detail::ordered_parts sorted;
  visit(keys.type(), [&]<class T>(T) { sorted = movement_detail::in_order<T>(keys.data<T>().data(), parts); });
  const std::vector<i64>& order = sorted.order;
  const std::vector<size_t>& begins = sorted.begins;
  // The first of a group stands in front of the others: parts are alike in the order that they have.
  const size_t n = begins.size();
  std::vector<i64> number(n);  // of each group in the results
  if (!op.sorted) {
    std::vector<i64> begun(static_cast<size_t>(parts.count), -1);
    for (size_t g = 0; g < n; ++g) begun[static_cast<size_t>(order[begins[g]])] = static_cast<i64>(g);
    i64 next = 0;
    for (i64 g : begun)
      if (g >= 0) number[static_cast<size_t>(g)] = next++;
  }
  std::vector<i64> first(n);
  tensor group(dtype::i64, {parts.count}), counts(dtype::i64, {static_cast<i64>(n)});
  const std::span<i64> to_group = group.data<i64>(), to_counts = counts.data<i64>();
  for (size_t g = 0; g < n; ++g) {
    const size_t end = g + 1 < n ? begins[g + 1] : order.size();
    const size_t here = op.sorted ? g : static_cast<size_t>(number[g]);
    first[here] = order[begins[g]];
    to_counts[here] = static_cast<i64>(end - begins[g]);
    for (size_t k = begins[g]; k < end; ++k) to_group[static_cast<size_t>(order[k])] = static_cast<i64>(here);
  }
  cx.result(0, movement_detail::chosen_parts(x, axis, first));
  cx.result(1, tensor::from<i64>({static_cast<i64>(n)}, first));
  cx.result(2, std::move(group));
  cx.result(3, std::move(counts));
}

}  // namespace tenon::op
