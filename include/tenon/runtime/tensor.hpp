/// @file tensor: a dense array of one element type, contiguous in row-major order.
///
/// Copying a tensor shares its storage, so a tensor that was handed out is not written any more: `clone` first.
/// Storage is owned (zeroed, 64-byte aligned), or a view that keeps its owner alive (a mapped file), or memory of the
/// caller
/// (`borrow`: an output's place, DLPack), or computed when somebody reads it (`deferred`). The elements of a view, and
/// those that are computed, are read-only: non-const accessors first give this tensor a copy of its own. Those of
/// borrowed memory are written where they are. Errors: "tensor.shape", "tensor.dtype", "tensor.index",
/// "tensor.memory", "tensor.alignment".
#pragma once

#include <concepts>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/byte_source.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/core/error.hpp>

namespace tenon {

/// Product of the extents. Throws "tensor.shape" for a negative extent or a product that no buffer can have.
i64 element_count(std::span<const i64> shape);
/// Distance in elements between neighbours along each dimension: {2,3,4} → {12,4,1}.
std::vector<i64> row_major_strides(std::span<const i64> shape);
/// Copies elements of `width` bytes that lie at `strides` (in elements, of any sign) to a contiguous row-major buffer.
void gather_strided(void* out, const void* in, std::span<const i64> shape, std::span<const i64> strides, int width);
/// "[2,3]"; a scalar is "[]".
std::string shape_text(std::span<const i64> shape);

/// One element as another element type, as ONNX Cast does it: floats to integers truncate toward zero, integers wrap,
/// anything to bool asks for nonzero, floats round to nearest even. Floats that do not fit (NaN too) give what x86 and
/// NumPy give: the lowest i32 for types of up to 32 bits (wrapped to the narrower ones; u32 goes through i64), the
/// lowest i64 for i64. Narrow floats: see f32_to_narrow_bits.
template <class To, class From>
constexpr To convert_element(From v) {
  if constexpr (std::same_as<To, From>) {
    return v;
  } else if constexpr (is_small_float_v<From>) {
    return convert_element<To>(static_cast<float>(v));
  } else if constexpr (is_narrow_int_v<From>) {
    return convert_element<To>(v.value);
  } else if constexpr (is_narrow_int_v<To>) {
    return To(convert_element<typename To::byte>(v));
  } else if constexpr (std::same_as<To, bool>) {
    return v != From{};
  } else if constexpr (is_small_float_v<To>) {
    if constexpr (std::same_as<From, float>) {
      return To(v);
    } else {
      // Round to odd on the way through float: the second rounding then gives what a single one would.
      const double d = static_cast<double>(v);
      if (!(d <= 3.4e38 && d >= -3.4e38)) return To(static_cast<float>(d));
      float f = static_cast<float>(d);
      u32 bits = std::bit_cast<u32>(f);
      if (static_cast<double>(f) != d && (bits & 1) == 0) {
        const bool grew = (static_cast<double>(f) > d) == (d > 0);
        bits = grew ? bits - 1 : bits + 1;
        if ((bits & 0x7fffffffu) <= 0x7f800000u) f = std::bit_cast<float>(bits);
      }
      return To(f);
    }
  } else if constexpr (std::floating_point<From> && std::integral<To>) {
    if constexpr (std::same_as<To, u64>) {
      if (v >= static_cast<From>(9223372036854775808.0))
        return v < static_cast<From>(18446744073709551616.0) ? static_cast<u64>(v) : u64{1} << 63;
      return static_cast<u64>(convert_element<i64>(v));
    } else {
      using wide = std::conditional_t<sizeof(To) == 8 || std::same_as<To, u32>, i64, i32>;
      constexpr From limit = static_cast<From>(wide(1) << (sizeof(wide) * 8 - 2)) * 2;
      // Below -limit by less than one still truncates to the lowest value: f64 to i32 has such numbers.
      const bool fits = v < limit && (v >= -limit || (sizeof(From) > sizeof(wide) && v > -limit - From(1)));
      return static_cast<To>(fits ? static_cast<wide>(v) : std::numeric_limits<wide>::min());
    }
  } else {
    return static_cast<To>(v);
  }
}

namespace detail {

/// The bytes of a bool need not be 0 or 1 in a view, so they are never read as bool.
template <class T>
auto load_element(const void* base, i64 i) {
  if constexpr (std::same_as<T, bool>) return static_cast<u8>(static_cast<const u8*>(base)[i] != 0);
  else return static_cast<const T*>(base)[i];
}

}  // namespace detail

class tensor {
 public:
  /// No elements: f32 of shape [0], without storage.
  tensor() : shape_{0} {}
  /// All elements zero. Throws "tensor.shape", or "tensor.memory" when there is not so much.
  tensor(dtype type, std::vector<i64> shape);

  template <class T>
  static tensor from(std::vector<i64> shape, std::span<const T> values) {
    tensor t(dtype_of<T>, std::move(shape));
    if (static_cast<i64>(values.size()) != t.size_) throw_count(t, values.size());
    if (!values.empty()) std::memcpy(t.data_, values.data(), values.size_bytes());
    return t;
  }
  template <class T>
  static tensor from(std::vector<i64> shape, std::initializer_list<T> values) {
    return from<T>(std::move(shape), std::span<const T>(values.begin(), values.size()));
  }
  template <class T>
  static tensor scalar(T value) {
    return from<T>({}, std::span<const T>(&value, 1));
  }
  /// Elements that live in `owner`, to be read. Where the pointer is not aligned for the element type (external data of
  /// a model), it is a view of a copy.
  static tensor view(dtype type, std::vector<i64> shape, const void* p, std::shared_ptr<const void> owner);
  /// Elements that live in memory of the caller, to be read and written there: what a program writes to it is where the
  /// caller looks (`program::run_into`). The memory stays while a tensor refers to it: `owner` keeps it, or the caller
  /// does. Throws "tensor.alignment" for a pointer that is not aligned for the element type: a copy would not be
  /// written back.
  static tensor borrow(dtype type, std::vector<i64> shape, void* p, std::shared_ptr<const void> owner = nullptr);

  /// Elements that `source` computes when one of them is first read, for all tensors that share them; until then they
  /// take no memory. Throws "tensor.shape" where it has other bytes than these elements.
  static tensor deferred(dtype type, std::vector<i64> shape, std::shared_ptr<const byte_source> source);

  dtype type() const { return type_; }
  const std::vector<i64>& shape() const { return shape_; }
  int rank() const { return static_cast<int>(shape_.size()); }
  /// Number of elements.
  i64 size() const { return size_; }
  i64 bytes() const { return size_ * size_of(type_); }
  /// False for `tensor()`; true even for tensors with no elements.
  bool defined() const { return data_ != nullptr || access_ == access::deferred; }
  /// Are the elements read-only?
  bool is_view() const { return access_ != access::writable; }
  /// What computes the elements, as long as nobody has read them; else null.
  std::shared_ptr<const byte_source> source() const;
  /// Where the elements lie, at any address; null where they are not yet, and are not there to be copied.
  const void* stored() const;
  /// "f32[2,3]".
  std::string describe() const;

  const void* data() const { return access_ == access::deferred ? computed() : data_; }
  void* data() {
    make_writable();
    return data_;
  }
  /// All elements. Throws "tensor.dtype" when T is not the element type (elements of `index`, and the numbers of
  /// strings, are i64).
  template <class T>
  std::span<const T> data() const {
    check_type(dtype_of<T>);
    return {static_cast<const T*>(data()), static_cast<size_t>(size_)};
  }
  template <class T>
  std::span<T> data() {
    check_type(dtype_of<T>);
    make_writable();
    return {static_cast<T*>(data_), static_cast<size_t>(size_)};
  }

  /// The element at a linear index, converted as convert_element does. Throws "tensor.index".
  double at_f64(i64 i) const;
  i64 at_i64(i64 i) const;
  void set_f64(i64 i, double v);
  void set_i64(i64 i, i64 v);

  tensor clone() const;
  /// Shares the storage. Throws "tensor.shape" when the number of elements differs.
  tensor reshaped(std::vector<i64> shape) const;
  /// Shares the storage when the type is already that one.
  tensor cast(dtype to) const;
  /// What keeps the elements alive; for handing them on.
  const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  [[noreturn]] static void throw_count(const tensor& t, size_t given);
  [[noreturn]] void throw_type(dtype asked) const;
  [[noreturn]] void throw_index(i64 i) const;
  void check_type(dtype t) const {
    if (t != type_ && !((type_ == dtype::index || type_ == dtype::string) && t == dtype::i64)) throw_type(t);
  }
  void make_writable() {
    if (is_view()) *this = clone();
  }
  const void* computed() const;

  enum class access : u8 { writable, read_only, deferred };
  dtype type_ = dtype::f32;
  access access_ = access::writable;
  std::vector<i64> shape_;
  i64 size_ = 0;
  void* data_ = nullptr;
  std::shared_ptr<const void> owner_;
};

/// Is each byte an element of a type of fewer than 8 bits: within an integer's range, or a code of a float? True for
/// all other types.
bool are_elements(dtype t, const void* bytes, size_t count);

/// Takes what of the elements are pages of a mapped file out of this process's memory, as core/mapped_file.hpp says. Of
/// elements that nobody has read there is nothing.
void release_pages(const tensor& t) noexcept;

/// Same type, same shape, same bytes: NaNs with equal bits are equal, 0.0 and -0.0 are not.
bool same_bits(const tensor& a, const tensor& b);

}  // namespace tenon
