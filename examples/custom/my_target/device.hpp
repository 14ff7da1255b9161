// The accelerator as a device: its memories, and what the host does with it.
#pragma once

#include <tenon/targets/device.hpp>
#include <tenon/targets/parts.hpp>

namespace mine {
using namespace tenon;

inline constexpr i64 scratchpad_bytes = 4096;

struct npu_device {
  static constexpr fixed_string name = "npu0";
  static constexpr device_kind kind = device_kind::extension;
  static constexpr memory_space spaces[] = {{"", 0}, {"scratchpad", scratchpad_bytes}};
  using provides = capabilities<capability::scratchpad, capability::matrix_unit>;

  // The simulator's memory is the host's; a tensor that is brought over is a copy all the same.
  tensor allocate(dtype type, std::vector<i64> shape) { return tensor(type, std::move(shape)); }
  void copy(tensor& to, const tensor& from) {
    if (from.bytes() != 0) std::memcpy(to.data(), from.data(), static_cast<size_t>(from.bytes()));
  }
  std::vector<tensor> launch(const executable& code, std::span<const tensor> inputs, int threads) {
    return code.run(inputs, threads);
  }
  void wait() {}
};

}  // namespace mine
