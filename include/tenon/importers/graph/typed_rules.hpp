/// @file typed_rules: shapes as values at compile time, and the rules of operators on them.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that compilers print above a sentence is short

#include <iterator>
#include <string>
#include <type_traits>

#include <tenon/core/dtype.hpp>

namespace tenon::nn {

/// An extent in a type: a number, or a name of up to 15 characters.
struct dimension {
  i64 number = 0;
  char name[16]{};

  constexpr dimension() = default;
  constexpr dimension(i64 n) : number(n) {}
  constexpr dimension(int n) : number(n) {}
  template <size_t N>
    requires(N <= 16)
  constexpr dimension(const char (&text)[N]) {
    for (size_t i = 0; i < N; ++i) name[i] = text[i];
  }
  constexpr bool is_number() const { return name[0] == 0; }
  friend constexpr bool operator==(const dimension&, const dimension&) = default;
};

/// A shape as a value at compile time.
struct static_shape {
  static constexpr size_t most = 8;
  dimension dims[most]{};
  size_t rank = 0;

  constexpr const dimension& operator[](size_t i) const { return dims[i]; }
  constexpr void add(dimension d) { dims[rank++] = d; }
};

namespace detail {
template <class T>
consteval label name_of_element() {
  constexpr dtype t = dtype_of<T>;
  using enum dtype;
  constexpr const char* names[] = {"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"};
  constexpr dtype all[] = {f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8};
  for (size_t i = 0; i < std::size(all); ++i)
    if (all[i] == t) return {names[i], std::char_traits<char>::length(names[i])};
  return t == boolean ? label{"bool", 4} : label{"other", 5};
}
constexpr meta::phrase& say(meta::phrase& s, const dimension& d) {
  return d.is_number() ? s << static_cast<size_t>(d.number) : s << d.name;
}
template <class T>
constexpr meta::phrase& say(meta::phrase& s, const static_shape& shape) {
  s << name_of_element<T>() << "[";
  for (size_t i = 0; i < shape.rank; ++i) {
    if (i) s << ", ";
    say(s, shape[i]);
  }
  return s << "]";
}

enum class fault : u8 {
  none,
  no_broadcast,
  few_dimensions,
  columns_and_rows,
  no_list,
  other_length,
  no_axis,
  open_extents,
  no_dimension,
  no_matrix,
  no_image,
  open_channels,
  other_channels,
  open_image,
  large_kernel,
  other_elements,
  wrong_elements,
  open_parts,
  open_axis,
  other_parts,
  outside,
  other_count,
  no_permutation,
  no_heads,
  open_channel_list,
  no_keys,
  no_sequence,
  no_window,
  no_image_alone,
  no_indices,
  gates,
  no_bool,
  other_branch,
  other_state,
  other_length_of_parts,
  no_stack,
  other_argument,
  other_name,
};
constexpr const char* words(fault f) {
  switch (f) {
    case fault::none: return "";
    case fault::no_broadcast: return "do not broadcast";
    case fault::few_dimensions: return "have no product: both need two dimensions or more";
    case fault::columns_and_rows: return "have no product: columns of the first and rows of the second differ";
    case fault::no_list: return "do not fit: the second needs one dimension, the last of the first";
    case fault::other_length: return "do not fit: the last dimensions differ";
    case fault::no_axis: return "has no such axis";
    case fault::open_extents: return "cannot be flattened: all extents but the first need to be numbers";
    case fault::no_dimension: return "cannot be flattened: it has no dimension";
    case fault::no_matrix: return "has fewer than two dimensions to exchange";
    case fault::no_image: return "have no convolution: image and weight need the same rank, 3 or more";
    case fault::open_channels: return "have no convolution: numbers of channels need to be numbers";
    case fault::other_channels: return "have no convolution: channels of the image and of the weight differ";
    case fault::open_image: return "have no typed convolution: spatial extents need to be numbers";
    case fault::large_kernel: return "have no convolution: the kernel is larger than the image";
    case fault::other_elements: return "have different element types: cast one of them";
    case fault::wrong_elements: return "has elements that it does not take";
    case fault::open_parts: return "are not joined along an open extent: extents along the axis need to be numbers";
    case fault::open_axis: return "is not cut along an open extent: it needs to be a number";
    case fault::other_parts: return "are not joined: they differ in another dimension";
    case fault::outside: return "is not cut so: the part is no part of it";
    case fault::other_count: return "has another number of elements, or other names";
    case fault::no_permutation: return "is not permuted so: each dimension is named once";
    case fault::no_heads: return "has no such heads: the last dimension is a number that they divide";
    case fault::open_channel_list: return "do not fit: the second needs one dimension, the channels of the first";
    case fault::no_keys: return "do not fit: queries and keys are as deep, keys and values as many, batches are equal";
    case fault::no_sequence: return "is no sequence: [steps, in] or [batch, steps, in]";
    case fault::no_window: return "has no such windows: spatial extents are numbers, and not smaller than the kernel";
    case fault::no_image_alone: return "is no image: it needs three dimensions or more";
    case fault::no_indices: return "do not fit: rows of two dimensions are looked up by integers";
    case fault::gates:
      return "do not fit: the state's weight is [hidden, gates * hidden], and the others have its columns";
    case fault::no_bool: return "is no condition: it needs to be one bool";
    case fault::other_branch: return "are what the branches give: they need to be one type";
    case fault::other_state: return "are the state before a run and after it: they need to be one type";
    case fault::other_length_of_parts: return "are not scanned together: they need as many parts";
    case fault::no_stack: return "is not stacked so: it has too few dimensions";
    case fault::other_argument: return "are what a function takes and what it is given: they do not fit";
    case fault::other_name: return "are what a function takes and what it is given: the name is another extent already";
  }
  return "";
}

/// What a type rule finds: a shape, or what does not fit.
struct typing {
  static_shape shape{};
  fault what = fault::none;
  dimension a{}, b{};  ///< the extents that differ, for faults that name them
  bool differ = false;
};
constexpr typing misfit(fault what) {
  typing t;
  t.what = what;
  return t;
}
constexpr typing misfit(fault what, dimension a, dimension b) {
  typing t = misfit(what);
  t.a = a, t.b = b, t.differ = true;
  return t;
}

constexpr typing of_shape(const static_shape& s) {
  typing t;
  t.shape = s;
  return t;
}
/// numpy's rule.
constexpr typing broadcast(const static_shape& a, const static_shape& b) {
  typing t;
  t.shape.rank = a.rank > b.rank ? a.rank : b.rank;
  for (size_t i = 0; i < t.shape.rank; ++i) {
    const dimension x = i < a.rank ? a[a.rank - 1 - i] : dimension(1),
                    y = i < b.rank ? b[b.rank - 1 - i] : dimension(1);
    if (!(x == y) && !(x == dimension(1)) && !(y == dimension(1))) return misfit(fault::no_broadcast, x, y);
    t.shape.dims[t.shape.rank - 1 - i] = x == dimension(1) ? y : x;
  }
  return t;
}
constexpr typing product(const static_shape& a, const static_shape& b) {
  if (a.rank < 2 || b.rank < 2) return misfit(fault::few_dimensions);
  if (!(a[a.rank - 1] == b[b.rank - 2])) return misfit(fault::columns_and_rows, a[a.rank - 1], b[b.rank - 2]);
  static_shape x = a, y = b;
  x.rank -= 2, y.rank -= 2;
  typing t = broadcast(x, y);
  if (t.what == fault::none) t.shape.add(a[a.rank - 2]), t.shape.add(b[b.rank - 1]);
  return t;
}
constexpr typing as_long_as_last(const static_shape& a, const static_shape& b) {
  if (a.rank == 0 || b.rank != 1) return misfit(fault::no_list);
  if (!(a[a.rank - 1] == b[0])) return misfit(fault::other_length, a[a.rank - 1], b[0]);
  typing t;
  t.shape = a;
  return t;
}
constexpr typing without(const static_shape& a, i64 axis) {
  const i64 at = axis < 0 ? axis + static_cast<i64>(a.rank) : axis;
  if (at < 0 || at >= static_cast<i64>(a.rank)) return misfit(fault::no_axis);
  typing t;
  for (size_t i = 0; i < a.rank; ++i)
    if (static_cast<i64>(i) != at) t.shape.add(a[i]);
  return t;
}
constexpr typing flat(const static_shape& a) {
  i64 n = 1;
  for (size_t i = 1; i < a.rank; ++i) {
    if (!a[i].is_number()) return misfit(fault::open_extents);
    n *= a[i].number;
  }
  if (a.rank == 0) return misfit(fault::no_dimension);
  typing t;
  t.shape.add(a[0]), t.shape.add(n);
  return t;
}
constexpr typing swapped(const static_shape& a) {
  if (a.rank < 2) return misfit(fault::no_matrix);
  typing t;
  t.shape = a;
  t.shape.dims[a.rank - 2] = a[a.rank - 1], t.shape.dims[a.rank - 1] = a[a.rank - 2];
  return t;
}
}  // namespace detail

/// How a typed convolution moves: the same in every spatial dimension.
struct sliding {
  i64 stride = 1, pad = 0, dilation = 1, group = 1;
};
/// The windows of a typed pool: the same in every spatial dimension. A stride of 0 is the kernel's size.
struct pooling {
  i64 kernel = 2, stride = 0, pad = 0;
  constexpr i64 step() const { return stride == 0 ? kernel : stride; }
};

namespace detail {
constexpr typing convolved(const static_shape& x, const static_shape& w, sliding how) {
  if (x.rank < 3 || w.rank != x.rank) return misfit(fault::no_image);
  if (!x[1].is_number() || !w[0].is_number() || !w[1].is_number()) return misfit(fault::open_channels);
  if (x[1].number != w[1].number * how.group) return misfit(fault::other_channels, x[1], w[1].number * how.group);
  typing t;
  t.shape.add(x[0]), t.shape.add(w[0]);
  for (size_t d = 2; d < x.rank; ++d) {
    if (!x[d].is_number() || !w[d].is_number()) return misfit(fault::open_image);
    const i64 room = x[d].number + 2 * how.pad - ((w[d].number - 1) * how.dilation + 1);
    if (room < 0) return misfit(fault::large_kernel, x[d], w[d]);
    t.shape.add(room / how.stride + 1);
  }
  return t;
}

constexpr typing pooled(const static_shape& x, pooling how) {
  if (x.rank < 3) return misfit(fault::no_window);
  typing t;
  t.shape.add(x[0]), t.shape.add(x[1]);
  for (size_t d = 2; d < x.rank; ++d) {
    if (!x[d].is_number()) return misfit(fault::no_window);
    const i64 room = x[d].number + 2 * how.pad - how.kernel;
    if (room < 0) return misfit(fault::no_window, x[d], how.kernel);
    t.shape.add(room / how.step() + 1);
  }
  return t;
}
constexpr typing over_image(const static_shape& x) {
  if (x.rank < 3) return misfit(fault::no_image_alone);
  typing t = of_shape(x);
  for (size_t d = 2; d < x.rank; ++d) t.shape.dims[d] = 1;
  return t;
}
constexpr size_t axis_in(const static_shape& a, i64 axis) {  // rank: there is none
  const i64 at = axis < 0 ? axis + static_cast<i64>(a.rank) : axis;
  return at < 0 || at >= static_cast<i64>(a.rank) ? a.rank : static_cast<size_t>(at);
}
constexpr typing joined(const static_shape& a, const static_shape& b, i64 axis) {
  const size_t at = axis_in(a, axis);
  if (at == a.rank) return misfit(fault::no_axis);
  if (a.rank != b.rank) return misfit(fault::other_parts);
  typing t = of_shape(a);
  for (size_t i = 0; i < a.rank; ++i)
    if (i != at && !(a[i] == b[i])) return misfit(fault::other_parts, a[i], b[i]);
  if (!a[at].is_number() || !b[at].is_number()) return misfit(fault::open_parts);
  t.shape.dims[at] = a[at].number + b[at].number;
  return t;
}
constexpr typing part_of(const static_shape& a, i64 axis, i64 start, i64 end) {
  const size_t at = axis_in(a, axis);
  if (at == a.rank) return misfit(fault::no_axis);
  if (!a[at].is_number()) return misfit(fault::open_axis);
  if (start < 0 || end < start || end > a[at].number) return misfit(fault::outside);
  typing t = of_shape(a);
  t.shape.dims[at] = end - start;
  return t;
}
constexpr typing as_shape(const static_shape& a, const static_shape& b) {
  i64 n = 1, m = 1;
  int names = 0;
  for (size_t i = 0; i < a.rank; ++i) {
    if (a[i].is_number()) n *= a[i].number;
    else ++names;
  }
  for (size_t i = 0; i < b.rank; ++i) {
    if (b[i].is_number()) m *= b[i].number;
    int balance = 0;
    for (size_t k = 0; k < b.rank && !b[i].is_number(); ++k) balance += b[k] == b[i];
    for (size_t k = 0; k < a.rank && !b[i].is_number(); ++k) balance -= a[k] == b[i];
    if (balance != 0) return misfit(fault::other_count);
    if (!b[i].is_number()) --names;
  }
  return n == m && names == 0 ? of_shape(b) : misfit(fault::other_count);
}
constexpr typing permuted(const static_shape& a, const static_shape& order) {
  if (order.rank != a.rank) return misfit(fault::no_permutation);
  typing t = of_shape(a);
  bool seen[static_shape::most]{};
  for (size_t i = 0; i < a.rank; ++i) {
    const size_t from = axis_in(a, order[i].number);
    if (order[i].number < 0 || from == a.rank || seen[from]) return misfit(fault::no_permutation);
    seen[from] = true, t.shape.dims[i] = a[from];
  }
  return t;
}
constexpr typing rows_of(const static_shape& table, const static_shape& at, bool integers) {
  if (table.rank != 2 || !integers || at.rank + 1 > static_shape::most) return misfit(fault::no_indices);
  typing t = of_shape(at);
  t.shape.add(table[1]);
  return t;
}
constexpr typing attended(const static_shape& q, const static_shape& k, const static_shape& v) {
  if (q.rank < 2 || q.rank != k.rank || k.rank != v.rank) return misfit(fault::no_keys);
  for (size_t i = 0; i + 2 < q.rank; ++i)
    if (!(q[i] == k[i]) || !(q[i] == v[i])) return misfit(fault::no_keys, q[i], q[i] == k[i] ? v[i] : k[i]);
  const size_t n = q.rank;
  if (!(q[n - 1] == k[n - 1]) || !q[n - 1].is_number()) return misfit(fault::no_keys, q[n - 1], k[n - 1]);
  if (!(k[n - 2] == v[n - 2])) return misfit(fault::no_keys, k[n - 2], v[n - 2]);
  typing t = of_shape(q);
  t.shape.dims[n - 1] = v[n - 1];
  return t;
}
constexpr typing heads_split(const static_shape& a, i64 heads) {
  if (a.rank < 2 || heads < 1 || !a[a.rank - 1].is_number() || a[a.rank - 1].number % heads != 0)
    return misfit(fault::no_heads);
  typing t;
  for (size_t i = 0; i + 2 < a.rank; ++i) t.shape.add(a[i]);
  t.shape.add(heads), t.shape.add(a[a.rank - 2]), t.shape.add(a[a.rank - 1].number / heads);
  return t;
}
constexpr typing heads_merged(const static_shape& a) {
  if (a.rank < 3 || !a[a.rank - 1].is_number() || !a[a.rank - 3].is_number()) return misfit(fault::no_heads);
  typing t;
  for (size_t i = 0; i + 3 < a.rank; ++i) t.shape.add(a[i]);
  t.shape.add(a[a.rank - 2]), t.shape.add(a[a.rank - 3].number * a[a.rank - 1].number);
  return t;
}
constexpr typing by_channel(const static_shape& x, const static_shape& list) {
  if (x.rank < 2 || list.rank != 1) return misfit(fault::open_channel_list);
  return x[1] == list[0] ? of_shape(x) : misfit(fault::open_channel_list, x[1], list[0]);
}
constexpr typing recurring(const static_shape& x, const static_shape& w, const static_shape& r, const static_shape& b,
                           i64 gates) {
  if (x.rank != 2 && x.rank != 3) return misfit(fault::no_sequence);
  if (r.rank != 2 || w.rank != 2 || b.rank != 1 || !r[0].is_number() || !(r[1] == dimension(gates * r[0].number)) ||
      !(w[1] == r[1]) || !(b[0] == r[1]))
    return misfit(fault::gates);
  if (!(x[x.rank - 1] == w[0])) return misfit(fault::columns_and_rows, x[x.rank - 1], w[0]);
  typing t = of_shape(x);
  t.shape.dims[x.rank - 1] = r[0];
  return t;
}
constexpr bool is_one(const static_shape& s) {
  for (size_t i = 0; i < s.rank; ++i)
    if (!(s[i] == dimension(1))) return false;
  return true;
}
constexpr typing in_front(const static_shape& a, i64 axis, dimension n) {
  const i64 rank = static_cast<i64>(a.rank) + 1, at = axis < 0 ? axis + rank : axis;
  if (at < 0 || at >= rank || a.rank == static_shape::most) return misfit(fault::no_stack);
  typing t;
  for (size_t i = 0; i < a.rank; ++i) {
    if (static_cast<i64>(i) == at) t.shape.add(n);
    t.shape.add(a[i]);
  }
  if (at == rank - 1) t.shape.add(n);
  return t;
}

/// The rejection: "tenon-E080: 'dense': f32[N, 784] and f32[100, 10] have no product: … differ: 784 and 100".
template <fixed_string Op, typing Found, class A, static_shape X, class B = void, static_shape Y = static_shape{}>
struct fits {
  static constexpr bool ok = Found.what == fault::none;
  static consteval meta::phrase say() {
    meta::phrase s;
    detail::say<A>((s << "tenon-E080: ").quoted(Op) << ": ", X);
    if constexpr (!std::is_void_v<B>) detail::say<B>(s << " and ", Y);
    s << " " << words(Found.what);
    if (Found.differ) detail::say(detail::say(s << ": ", Found.a) << " and ", Found.b);
    return s;
  }
};
template <fixed_string Op, class A, class B>
constexpr typing same_elements(typing t) {
  return std::is_same_v<A, B> ? t : misfit(fault::other_elements);
}
}  // namespace detail

}  // namespace tenon::nn
