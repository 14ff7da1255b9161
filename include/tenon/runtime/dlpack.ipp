/// @file dlpack: definitions.
#pragma once

#include <tenon/runtime/dlpack.hpp>

namespace tenon {
namespace detail {

inline constexpr u8 dlpack_bool = 6;  // kDLBool, which headers before 0.7 lack

/// Codes of the 8-bit floats, kDLFloat8_*, which headers before 1.1 lack.
inline constexpr u8 dlpack_float8[] = {10, 11, 12, 13, 14};

inline DLDataType dlpack_type(dtype t) {
  if (is_narrow_float(t) && t < dtype::f4e2m1)
    return {dlpack_float8[static_cast<int>(t) - static_cast<int>(dtype::f8e4m3fn)], 8, 1};
  if (is_narrow(t))
    throw error("dlpack.dtype",
                "elements of " + std::string(name_of(t)) + " are " +
                    (is_own(t) ? "none of DLPack's" : "packed in DLPack, and bytes here"),
                {}, "cast them to i8, u8 or f32 first");
  u8 code = kDLInt;
  if (t == dtype::boolean) code = dlpack_bool;
  else if (t == dtype::bf16) code = kDLBfloat;
  else if (is_float(t)) code = kDLFloat;
  else if (is_unsigned_int(t)) code = kDLUInt;
  return {code, static_cast<u8>(size_of(t) * 8), 1};
}

inline dtype dtype_of_dlpack(DLDataType t) {
  for (int i = 0; i < static_cast<int>(dtype::f4e2m1); ++i) {
    const DLDataType mine = dlpack_type(static_cast<dtype>(i));
    if (t.code == mine.code && t.bits == mine.bits && t.lanes == 1) return static_cast<dtype>(i);
  }
  throw error("dlpack.dtype",
              "a DLPack tensor of code " + std::to_string(t.code) + ", " + std::to_string(t.bits) + " bits and " +
                  std::to_string(t.lanes) + " lanes has no element type here",
              {}, "convert it before handing it over");
}

/// What a receiver's handle of either kind holds.
template <class Managed>
struct dlpack_export {
  tensor keep;
  std::vector<i64> shape, strides;
  Managed managed{};
};

template <class Managed>
Managed* export_dlpack(const tensor& t) {
  if (t.type() == dtype::string)
    throw error("dlpack.dtype", "DLPack has no strings, and " + t.describe() + " holds some");
  auto e = std::make_unique<dlpack_export<Managed>>();
  e->keep = t;
  e->shape = t.shape();
  e->strides = row_major_strides(t.shape());
  DLTensor& d = e->managed.dl_tensor;
  d.data = const_cast<void*>(t.data());
  d.device = {kDLCPU, 0};
  d.ndim = t.rank();
  d.dtype = dlpack_type(t.type());
  d.shape = e->shape.data();
  d.strides = e->strides.data();
  d.byte_offset = 0;
  e->managed.manager_ctx = e.get();
  e->managed.deleter = [](Managed* m) { delete static_cast<dlpack_export<Managed>*>(m->manager_ctx); };
  return &e.release()->managed;
}

template <class Managed>
tensor import_dlpack(Managed* m, bool read_only) {
  const DLTensor& d = m->dl_tensor;
  if (d.device.device_type != kDLCPU && d.device.device_type != kDLCUDAHost)
    throw error("dlpack.device",
                "the elements of the DLPack tensor are not in host memory (device type " +
                    std::to_string(static_cast<int>(d.device.device_type)) + ")",
                {}, "copy it to the host first");
  if (d.ndim < 0 || (d.ndim > 0 && !d.shape)) throw error("dlpack.layout", "the DLPack tensor has no shape");
  const dtype type = dtype_of_dlpack(d.dtype);
  std::vector<i64> shape(d.shape, d.shape + d.ndim);
  const i64 count = element_count(shape);
  if (count > 0 && !d.data) throw error("dlpack.layout", "the DLPack tensor has elements, but no data");
  char* data = static_cast<char*>(d.data) + d.byte_offset;

  bool in_place = reinterpret_cast<std::uintptr_t>(data) % static_cast<size_t>(size_of(type)) == 0;
  if (d.strides && count > 0) {
    const std::vector<i64> want = row_major_strides(shape);
    for (size_t i = 0; i < shape.size(); ++i) in_place = in_place && (shape[i] == 1 || d.strides[i] == want[i]);
  }
  const auto done = [](Managed* managed) {
    if (managed->deleter) managed->deleter(managed);
  };
  if (in_place) {
    // Made before it owns anything: what throws here leaves `m` with the caller.
    std::shared_ptr<Managed*> holder(new Managed*(nullptr), [done](Managed** p) {
      if (*p) done(*p);
      delete p;
    });
    tensor t = read_only ? tensor::view(type, std::move(shape), data, holder)
                         : tensor::borrow(type, std::move(shape), data, holder);
    *holder = m;
    return t;
  }
  tensor t(type, shape);
  const std::vector<i64> strides =
      d.strides ? std::vector<i64>(d.strides, d.strides + d.ndim) : row_major_strides(shape);
  gather_strided(t.data(), data, shape, strides, size_of(type));
  done(m);
  const void* copied = std::as_const(t).data();
  return tensor::view(type, std::move(shape), copied, t.owner());
}

}  // namespace detail

DLManagedTensor* to_dlpack(const tensor& t) { return detail::export_dlpack<DLManagedTensor>(t); }

tensor from_dlpack(DLManagedTensor* m) {
  if (!m) throw error("dlpack.layout", "there is no DLPack tensor: the pointer is null");
  return detail::import_dlpack(m, false);
}

#ifdef DLPACK_FLAG_BITMASK_READ_ONLY
DLManagedTensorVersioned* to_dlpack_versioned(const tensor& t) {
  DLManagedTensorVersioned* m = detail::export_dlpack<DLManagedTensorVersioned>(t);
  m->version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  m->flags = t.is_view() ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
  return m;
}

tensor from_dlpack(DLManagedTensorVersioned* m) {
  if (!m) throw error("dlpack.layout", "there is no DLPack tensor: the pointer is null");
  if (m->version.major != DLPACK_MAJOR_VERSION)
    throw error("dlpack.version",
                "a DLPack tensor of version " + std::to_string(m->version.major) + ", and version " +
                    std::to_string(DLPACK_MAJOR_VERSION) + " is known here",
                {}, "hand it over in that version");
  return detail::import_dlpack(m, (m->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0);
}
#endif

}  // namespace tenon
