/// @file typed_shapes: shapes as values at compile time, what a rule finds of them, and how a rejection says it.
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
  growing_state,
  no_one,
  no_integers,
  open_growth,
  no_repeats,
  no_expansion,
  few_elements,
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
    case fault::no_matrix: return "has fewer than two dimensions";
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
    case fault::growing_state:
      return "are the state before a run and after it: a state keeps its extents; what each run adds is stacked by "
             "scan";
    case fault::no_one: return "keeps this dimension: only an extent of 1 is left out";
    case fault::no_integers: return "do not fit: elements are looked up by integers";
    case fault::open_growth: return "is not made longer along an open extent: it needs to be a number";
    case fault::no_repeats: return "is not repeated so: each dimension has a number, 0 or more";
    case fault::no_expansion: return "is not expanded so: extents other than 1 stay, and new ones are numbers";
    case fault::few_elements: return "has fewer elements along this axis";
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
/// Of rules that build on each other, the first that is not kept: what stands behind it follows from it.
template <class Check, class... Then>
struct first_wrong {
  using type = Check;
};
template <class Check, class Next, class... Then>
  requires(Check::ok)
struct first_wrong<Check, Next, Then...> : first_wrong<Next, Then...> {};
template <class... Checks>
using first_wrong_t = typename first_wrong<Checks...>::type;
template <fixed_string Op, class A, class B>
constexpr typing same_elements(typing t) {
  return std::is_same_v<A, B> ? t : misfit(fault::other_elements);
}
}  // namespace detail

}  // namespace tenon::nn
