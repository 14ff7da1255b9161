/// @file tensor: definitions: allocation, element access, casts.
#pragma once

#include <atomic>
#include <cstdlib>
#include <mutex>

#include <tenon/core/checked.hpp>
#include <tenon/core/large_memory.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/runtime/shared_constant.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon {
namespace detail {

inline constexpr size_t tensor_alignment = 64;

/// calloc and not aligned_alloc: large blocks then come as untouched zero pages.
inline std::shared_ptr<const void> allocate_zeroed(size_t bytes, void*& aligned) {
  const bool is_large = bytes >= least_large_memory;
  void* block = is_large ? allocate_large(bytes) : std::calloc(1, bytes + tensor_alignment);
  if (!block)
    throw error("tensor.memory", "cannot allocate " + std::to_string(bytes) + " bytes for a tensor", {},
                "use a smaller batch or model, or more memory");
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  aligned = static_cast<char*>(block) + (tensor_alignment - address % tensor_alignment) % tensor_alignment;
  return {block, [is_large](const void* p) { (is_large ? free_large : std::free)(const_cast<void*>(p)); }};
}

/// What tensors share whose elements are computed on demand.
class deferred_elements {
 public:
  explicit deferred_elements(std::shared_ptr<const byte_source> s) : source_(std::move(s)) {}
  const void* elements() const {
    if (const void* p = data_.load(std::memory_order_acquire)) return p;
    const std::lock_guard lock(mutex_);
    if (const void* p = data_.load(std::memory_order_relaxed)) return p;
    void* p = nullptr;
    block_ = allocate_zeroed(static_cast<size_t>(source_->bytes()), p);
    source_->write(p, 0, source_->parts());
    // Somebody else may have the same elements, as they have those that lay in a file.
    const tensor shared = shared_constant(tensor::view(dtype::u8, {static_cast<i64>(source_->bytes())}, p, block_));
    block_ = shared.owner();
    source_.reset();  // and what it computes from
    data_.store(shared.data(), std::memory_order_release);
    return shared.data();
  }
  std::shared_ptr<const byte_source> source() const {
    const std::lock_guard lock(mutex_);
    return source_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const byte_source> source_;
  mutable std::shared_ptr<const void> block_;
  mutable std::atomic<const void*> data_{nullptr};
};

/// The widest type of the same kind, which holds every value of T: casts go through it, in blocks.
template <class T>
using wide_of = std::conditional_t<is_float(dtype_of<T>), double, std::conditional_t<std::same_as<T, u64>, u64, i64>>;

template <class Wide>
void store_block(dtype to, void* out, i64 at, const Wide* block, i64 n) {
  visit_storage(to, [&]<class T>(T) {
    T* o = static_cast<T*>(out) + at;
    for (i64 i = 0; i < n; ++i) o[i] = convert_element<T>(block[i]);
  });
}

}  // namespace detail

i64 element_count(std::span<const i64> shape) {
  if (const auto n = checked_count(shape)) return *n;
  for (i64 d : shape)
    if (d < 0)
      throw error("tensor.shape", "a tensor cannot have the shape " + shape_text(shape), {},
                  "extents are not negative");
  throw error("tensor.shape", "the shape " + shape_text(shape) + " has too many elements");
}

std::vector<i64> row_major_strides(std::span<const i64> shape) {
  std::vector<i64> strides(shape.size());
  i64 s = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = s;
    s *= shape[i];
  }
  return strides;
}

namespace detail {
/// `n` elements that lie `step` elements apart.
template <size_t Width>
void gather_row(char* to, const char* from, i64 n, i64 step) {
  for (i64 i = 0; i < n; ++i)
    std::memcpy(to + i * static_cast<i64>(Width), from + i * step * static_cast<i64>(Width), Width);
}
}  // namespace detail

void gather_strided(void* out, const void* in, std::span<const i64> shape, std::span<const i64> strides, int width) {
  if (element_count(shape) == 0) return;
  std::vector<i64> counts, steps;  // of dimensions; neighbours that move alike are one
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    if (!counts.empty() && steps.back() == strides[d] * shape[d]) counts.back() *= shape[d], steps.back() = strides[d];
    else counts.push_back(shape[d]), steps.push_back(strides[d]);
  }
  if (counts.empty()) counts = steps = {1};
  const i64 n = counts.back(), step = steps.back();
  counts.pop_back(), steps.pop_back();
  auto* to = static_cast<char*>(out);
  const auto* from = static_cast<const char*>(in);
  std::vector<i64> at(counts.size());
  for (bool more = true; more; to += n * width) {
    if (step == 1) std::memcpy(to, from, static_cast<size_t>(n * width));
    else if (width == 1) detail::gather_row<1>(to, from, n, step);
    else if (width == 2) detail::gather_row<2>(to, from, n, step);
    else if (width == 4) detail::gather_row<4>(to, from, n, step);
    else detail::gather_row<8>(to, from, n, step);
    more = false;
    for (size_t d = counts.size(); d-- > 0;) {
      from += steps[d] * width;
      if (++at[d] < counts[d]) {
        more = true;
        break;
      }
      from -= at[d] * steps[d] * width;
      at[d] = 0;
    }
  }
}

std::string shape_text(std::span<const i64> shape) {
  std::string s = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i) s += ',';
    s += std::to_string(shape[i]);
  }
  return s += ']';
}

tensor::tensor(dtype type, std::vector<i64> shape)
    : type_(type), shape_(std::move(shape)), size_(element_count(shape_)) {
  owner_ = detail::allocate_zeroed(static_cast<size_t>(bytes()), data_);
}

tensor tensor::view(dtype type, std::vector<i64> shape, const void* p, std::shared_ptr<const void> owner) {
  const i64 n = element_count(shape);
  if (n == 0) return tensor(type, std::move(shape));
  if (!p) throw error("tensor.memory", "a view of shape " + shape_text(shape) + " needs a pointer, not null");
  if (reinterpret_cast<std::uintptr_t>(p) % static_cast<size_t>(size_of(type)) != 0) {
    tensor copy(type, std::move(shape));
    std::memcpy(copy.data_, p, static_cast<size_t>(copy.bytes()));
    copy.access_ = access::read_only;  // what was written to it would not be where the caller looks
    return copy;
  }
  tensor t;
  t.type_ = type;
  t.access_ = access::read_only;
  t.shape_ = std::move(shape);
  t.size_ = n;
  t.data_ = const_cast<void*>(p);  // written only after make_writable has replaced it
  t.owner_ = std::move(owner);
  return t;
}

tensor tensor::borrow(dtype type, std::vector<i64> shape, void* p, std::shared_ptr<const void> owner) {
  const i64 n = element_count(shape);
  if (n != 0 && reinterpret_cast<std::uintptr_t>(p) % static_cast<size_t>(size_of(type)) != 0)
    throw error("tensor.alignment",
                "memory for " + std::string(name_of(type)) + shape_text(shape) + " is not aligned for its elements", {},
                "give memory at a multiple of " + std::to_string(size_of(type)) + " bytes");
  tensor t = view(type, std::move(shape), p, std::move(owner));
  t.access_ = access::writable;
  return t;
}

tensor tensor::deferred(dtype type, std::vector<i64> shape, std::shared_ptr<const byte_source> source) {
  const i64 n = element_count(shape);
  if (source->bytes() != static_cast<u64>(n) * static_cast<u64>(size_of(type)))
    throw error("tensor.shape", "elements of shape " + shape_text(shape) + " cannot be computed as " +
                                    std::to_string(source->bytes()) + " bytes");
  if (n == 0) return tensor(type, std::move(shape));
  tensor t;
  t.type_ = type;
  t.access_ = access::deferred;
  t.shape_ = std::move(shape);
  t.size_ = n;
  t.owner_ = std::make_shared<const detail::deferred_elements>(std::move(source));
  return t;
}

const void* tensor::computed() const { return static_cast<const detail::deferred_elements*>(owner_.get())->elements(); }

std::shared_ptr<const byte_source> tensor::source() const {
  return access_ == access::deferred ? static_cast<const detail::deferred_elements*>(owner_.get())->source() : nullptr;
}

const void* tensor::stored() const {
  const std::shared_ptr<const byte_source> s = source();
  return s ? s->stored() : data();
}

void release_pages(const tensor& t) noexcept {
  if (const auto* p = static_cast<const char*>(t.stored())) release_pages({p, static_cast<size_t>(t.bytes())});
}

std::string tensor::describe() const { return std::string(name_of(type_)) + shape_text(shape_); }

double tensor::at_f64(i64 i) const {
  if (i < 0 || i >= size_) throw_index(i);
  return visit_storage(type_, [&]<class T>(T) { return convert_element<double>(detail::load_element<T>(data(), i)); });
}

i64 tensor::at_i64(i64 i) const {
  if (i < 0 || i >= size_) throw_index(i);
  return visit_storage(type_, [&]<class T>(T) { return convert_element<i64>(detail::load_element<T>(data(), i)); });
}

void tensor::set_f64(i64 i, double v) {
  if (i < 0 || i >= size_) throw_index(i);
  make_writable();
  visit_storage(type_, [&]<class T>(T) { static_cast<T*>(data_)[i] = convert_element<T>(v); });
}

void tensor::set_i64(i64 i, i64 v) {
  if (i < 0 || i >= size_) throw_index(i);
  make_writable();
  visit_storage(type_, [&]<class T>(T) { static_cast<T*>(data_)[i] = convert_element<T>(v); });
}

tensor tensor::clone() const {
  tensor t(type_, shape_);
  if (size_) std::memcpy(t.data_, data(), static_cast<size_t>(bytes()));
  return t;
}

tensor tensor::reshaped(std::vector<i64> shape) const {
  if (element_count(shape) != size_)
    throw error("tensor.shape", "cannot reshape " + describe() + " to " + shape_text(shape), {},
                "the numbers of elements must agree");
  tensor t = *this;
  t.shape_ = std::move(shape);
  return t;
}

tensor tensor::cast(dtype to) const {
  if (to == type_) return *this;
  tensor out(to, shape_);
  visit_storage(type_, [&]<class T>(T) {
    using wide = detail::wide_of<T>;
    wide block[512];
    const void* const from = data();
    for (i64 at = 0; at < size_; at += 512) {
      const i64 n = size_ - at < 512 ? size_ - at : 512;
      for (i64 i = 0; i < n; ++i) block[i] = convert_element<wide>(detail::load_element<T>(from, at + i));
      detail::store_block(to, out.data_, at, block, n);
    }
  });
  return out;
}

void tensor::throw_count(const tensor& t, size_t given) {
  throw error("tensor.shape", t.describe() + " has " + std::to_string(t.size()) + " elements, but " +
                                  std::to_string(given) + " are given");
}

void tensor::throw_type(dtype asked) const {
  throw error("tensor.dtype", "a tensor " + describe() + " is read as " + std::string(name_of(asked)), {},
              "use the tensor's own element type, or cast it");
}

void tensor::throw_index(i64 i) const {
  throw error("tensor.index", "element " + std::to_string(i) + " of a tensor " + describe() + " does not exist");
}

bool are_elements(dtype t, const void* bytes, size_t count) {
  if (bits_of(t) >= 8 && !is_own(t)) return true;
  const int last = is_own(t) ? (2 << narrow_format_of(t).sign_at) - 1 : 15;
  return visit_storage(t, [&]<class T>(T) {
    for (size_t i = 0; i < count; ++i) {
      const u8 b = static_cast<const u8*>(bytes)[i];
      if constexpr (is_narrow_int_v<T>) {
        const auto v = static_cast<typename T::byte>(b);
        if (T(v).value != v) return false;
      } else if (b > last) {
        return false;
      }
    }
    return true;
  });
}

bool same_bits(const tensor& a, const tensor& b) {
  return a.type() == b.type() && a.shape() == b.shape() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<size_t>(a.bytes())) == 0);
}

}  // namespace tenon
