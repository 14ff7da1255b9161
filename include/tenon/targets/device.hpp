/// @file device: where code runs: memory of its own, tensors brought there, work that is launched and waited for.
///
///     struct my_npu_device {
///       static constexpr fixed_string name = "npu0";
///       static constexpr device_kind kind = device_kind::extension;
///       static constexpr memory_space spaces[] = {{"dram"}, {"scratchpad", 64 << 10}};
///       using provides = capabilities<capability::scratchpad>;       // optional: what passes may rely on
///
///       tensor allocate(dtype, std::vector<i64> shape);              // in its main memory
///       void copy(tensor& to, const tensor& from);                   // one of them is the host's
///       std::vector<tensor> launch(const executable&, std::span<const tensor> inputs, int threads);
///       void wait();                                                 // until all that was launched is done
///     };
#pragma once

#include <string_view>

#include <tenon/runtime/executable.hpp>
#include <tenon/targets/capability.hpp>

namespace tenon {

/// A memory of a device. Buffers say theirs in their type; `plan_memory` keeps to the capacity.
struct memory_space {
  std::string_view name;  ///< empty: the main memory
  i64 capacity = 0;       ///< bytes; 0: as much as there is
  i64 alignment = 64;
};

/// The memories of the device that is compiled for, in the context of a compilation; `build` and `registry.hpp` say
/// them.
struct device_memory {
  std::vector<memory_space> spaces{};
  const memory_space* find(std::string_view space) const {
    for (const memory_space& s : spaces)
      if (s.name == space) return &s;
    return nullptr;
  }
};

/// What is missing from `D` for it to hold tensors and run code; empty if nothing.
template <class D>
constexpr label missing_of_device() {
  constexpr auto text = []<size_t N>(const char (&s)[N]) { return label{s, N - 1}; };
  if constexpr (!requires { label(D::name); }) return text("static constexpr tenon::fixed_string name");
  else if constexpr (!requires { D::kind; }) return text("static constexpr tenon::device_kind kind");
  else if constexpr (!requires { D::spaces[0].capacity; }) return text("static constexpr tenon::memory_space spaces[]");
  else if constexpr (!requires(D& d, std::vector<i64> s) {
                       { d.allocate(dtype::f32, s) } -> std::same_as<tensor>;
                     })
    return text("tensor allocate(dtype, std::vector<i64>)");
  else if constexpr (!requires(D& d, tensor& to, const tensor& from) { d.copy(to, from); })
    return text("void copy(tensor& to, const tensor& from)");
  else if constexpr (!requires(D& d, const executable& e, std::span<const tensor> in) {
                       { d.launch(e, in, 1) } -> std::same_as<std::vector<tensor>>;
                     })
    return text("std::vector<tensor> launch(const executable&, std::span<const tensor>, int threads)");
  else if constexpr (!requires(D& d) { d.wait(); }) return text("void wait()");
  else return {};
}

/// A device that tensors can be brought to and work can be launched on.
template <class D>
concept working_device = missing_of_device<D>().length == 0;

/// A device, erased.
class device_driver {
 public:
  virtual ~device_driver() = default;
  virtual tensor allocate(dtype type, std::vector<i64> shape) = 0;
  virtual void copy(tensor& to, const tensor& from) = 0;
  virtual std::vector<tensor> launch(const executable& code, std::span<const tensor> inputs, int threads) = 0;
  virtual void wait() = 0;
};
template <working_device D>
class driver_of final : public device_driver {
 public:
  tensor allocate(dtype type, std::vector<i64> shape) override { return device_.allocate(type, std::move(shape)); }
  void copy(tensor& to, const tensor& from) override { device_.copy(to, from); }
  std::vector<tensor> launch(const executable& code, std::span<const tensor> inputs, int threads) override {
    return device_.launch(code, inputs, threads);
  }
  void wait() override { device_.wait(); }

 private:
  D device_;
};

namespace detail {
/// What devices in the host's memory do, synchronously.
struct in_host_memory {
  static constexpr memory_space spaces[] = {{}};
  tensor allocate(dtype type, std::vector<i64> shape) { return tensor(type, std::move(shape)); }
  void copy(tensor& to, const tensor& from) { to = from; }  // tensors are not written any more once they are shared
  std::vector<tensor> launch(const executable& code, std::span<const tensor> inputs, int threads) {
    return code.run(inputs, threads);
  }
  void wait() {}
};
}  // namespace detail

}  // namespace tenon
