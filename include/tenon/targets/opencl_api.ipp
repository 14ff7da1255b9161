/// @file opencl_api.ipp: the functions of OpenCL 1.2 that programs call, found when the first one is loaded.
///
/// The numbers are those of the specification. Nothing of it is needed to build: OpenCL's loader (libOpenCL.so.1) is
/// opened where it is, and brings the drivers.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <string>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/core/int.hpp>

namespace tenon::targets::cl {

struct opaque;
using object = opaque*;
using status = i32;

/// What is asked of the specification by number.
enum : u32 {
  platform_name = 0x0902,
  device_type_of = 0x1000,
  device_max_work_group_size = 0x1004,
  device_single_fp = 0x101B,
  device_name = 0x102B,
  device_extensions = 0x1030,
  program_build_log = 0x1183,
};
inline constexpr u64 any_device = 0xFFFFFFFF, gpu = 4, accelerator = 8;
inline constexpr u64 divides_correctly = 128;  ///< of device_single_fp
inline constexpr u64 read_write = 1;

/// The loader's functions; null where there is no OpenCL.
struct functions {
  status (*get_platforms)(u32, object*, u32*);
  status (*get_platform_info)(object, u32, size_t, void*, size_t*);
  status (*get_devices)(object, u64, u32, object*, u32*);
  status (*get_device_info)(object, u32, size_t, void*, size_t*);
  object (*create_context)(const std::intptr_t*, u32, const object*, void (*)(const char*, const void*, size_t, void*),
                           void*, status*);
  object (*create_queue)(object, object, u64, status*);
  object (*create_program)(object, u32, const char**, const size_t*, status*);
  status (*build_program)(object, u32, const object*, const char*, void (*)(object, void*), void*);
  status (*get_build_info)(object, object, u32, size_t, void*, size_t*);
  object (*create_kernel)(object, const char*, status*);
  status (*set_argument)(object, u32, size_t, const void*);
  object (*create_buffer)(object, u64, size_t, void*, status*);
  status (*write)(object, object, u32, size_t, size_t, const void*, u32, const object*, object*);
  status (*read)(object, object, u32, size_t, size_t, void*, u32, const object*, object*);
  status (*copy)(object, object, object, size_t, size_t, size_t, u32, const object*, object*);
  status (*launch)(object, object, u32, const size_t*, const size_t*, const size_t*, u32, const object*, object*);
  status (*finish)(object);
  status (*release_buffer)(object);
  status (*release_kernel)(object);
  status (*release_program)(object);
};

inline const functions* find_functions() {
  static const functions* const found = []() -> const functions* {
    void* library = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return nullptr;
    static functions f;
    bool all = true;
    const auto find = [&](auto& to, const char* name) {
      to = reinterpret_cast<std::remove_reference_t<decltype(to)>>(::dlsym(library, name));
      all = all && to != nullptr;
    };
    find(f.get_platforms, "clGetPlatformIDs"), find(f.get_platform_info, "clGetPlatformInfo");
    find(f.get_devices, "clGetDeviceIDs"), find(f.get_device_info, "clGetDeviceInfo");
    find(f.create_context, "clCreateContext"), find(f.create_queue, "clCreateCommandQueue");
    find(f.create_program, "clCreateProgramWithSource"), find(f.build_program, "clBuildProgram");
    find(f.get_build_info, "clGetProgramBuildInfo"), find(f.create_kernel, "clCreateKernel");
    find(f.set_argument, "clSetKernelArg"), find(f.create_buffer, "clCreateBuffer");
    find(f.write, "clEnqueueWriteBuffer"), find(f.read, "clEnqueueReadBuffer"), find(f.copy, "clEnqueueCopyBuffer");
    find(f.launch, "clEnqueueNDRangeKernel"), find(f.finish, "clFinish");
    find(f.release_buffer, "clReleaseMemObject"), find(f.release_kernel, "clReleaseKernel");
    find(f.release_program, "clReleaseProgram");
    return all ? &f : nullptr;
  }();
  return found;
}

/// The specification's name of what a driver answered, for the answers that a user can do something about.
inline std::string name_of(status s) {
  switch (s) {
    case -4: return "CL_MEM_OBJECT_ALLOCATION_FAILURE: the device has not enough memory";
    case -5: return "CL_OUT_OF_RESOURCES: the device has not enough memory or registers";
    case -6: return "CL_OUT_OF_HOST_MEMORY";
    case -11: return "CL_BUILD_PROGRAM_FAILURE";
    case -54: return "CL_INVALID_WORK_GROUP_SIZE";
    case -61: return "CL_INVALID_BUFFER_SIZE: a buffer is larger than the device allows";
    default: return "error " + std::to_string(s);
  }
}
inline void check(status s, const std::string& what) {
  if (s != 0)
    throw error("opencl.failed", what + ": the driver answers " + name_of(s), {},
                s == -4 || s == -5 || s == -61 ? "use a device with more memory, or a smaller batch" : "");
}

struct device {
  object id = nullptr;
  std::string name;
  u64 type = 0;

  template <class T>
  T number(u32 what) const {
    T value{};
    check(find_functions()->get_device_info(id, what, sizeof value, &value, nullptr), "clGetDeviceInfo");
    return value;
  }
  std::string text(u32 what) const {
    size_t n = 0;
    check(find_functions()->get_device_info(id, what, 0, nullptr, &n), "clGetDeviceInfo");
    std::string s(n, '\0');
    check(find_functions()->get_device_info(id, what, n, s.data(), nullptr), "clGetDeviceInfo");
    return s.c_str();
  }
};

/// All of all platforms: GPUs, then other accelerators, then processors.
inline const std::vector<device>& devices() {
  static const std::vector<device> all = [] {
    std::vector<device> r, kinds[3];
    const functions* cl = find_functions();
    u32 platforms = 0;
    if (cl == nullptr || cl->get_platforms(0, nullptr, &platforms) != 0) return r;
    std::vector<object> ids(platforms);
    if (platforms == 0 || cl->get_platforms(platforms, ids.data(), nullptr) != 0) return r;
    for (object p : ids) {
      u32 count = 0;
      if (cl->get_devices(p, any_device, 0, nullptr, &count) != 0 || count == 0) continue;
      std::vector<object> found(count);
      if (cl->get_devices(p, any_device, count, found.data(), nullptr) != 0) continue;
      char platform[256] = {};
      cl->get_platform_info(p, platform_name, sizeof platform - 1, platform, nullptr);
      for (object id : found) {
        device d{id, {}, 0};
        d.name = d.text(device_name) + " (" + platform + ")";
        d.type = d.number<u64>(device_type_of);
        kinds[(d.type & gpu) != 0 ? 0 : (d.type & accelerator) != 0 ? 1 : 2].push_back(std::move(d));
      }
    }
    for (std::vector<device>& kind : kinds) r.insert(r.end(), kind.begin(), kind.end());
    return r;
  }();
  return all;
}

}  // namespace tenon::targets::cl
