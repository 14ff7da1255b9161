/// @file convolution: one convolution by oneDNN, with bias and perhaps a relu: what an artifact says, and the call of
/// it.
#pragma once

#include <array>
#include <oneapi/dnnl/dnnl.hpp>

#include <tenon/compile/external/runner.hpp>

namespace mine {
using namespace tenon;
using dims = std::array<i64, 4>;

/// An artifact: the arguments that are image, weights and bias, their shapes, and whether a relu follows.
struct onednn_call {
  static constexpr fixed_string name = "onednn_call";
  dims arguments, x, w, y, pads;
  bool relu;
};

class convolution final : public external_code {
 public:
  explicit convolution(const onednn_call& c) : call_(c) {
    using tag = dnnl::memory::format_tag;
    const auto desc = [](std::vector<i64> n, tag t) { return dnnl::memory::desc(n, dnnl::memory::data_type::f32, t); };
    const auto list = [](const dims& d) { return std::vector<i64>(d.begin(), d.end()); };
    dnnl::post_ops after;
    if (c.relu) after.append_eltwise(1.f, dnnl::algorithm::eltwise_relu, 0.f, 0.f);
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(after);
    made_ = {{dnnl::prop_kind::forward_inference,
              dnnl::algorithm::convolution_direct,
              desc(list(c.x), tag::nchw),
              desc(list(c.w), tag::oihw),
              desc({c.w[0]}, tag::a),
              desc(list(c.y), tag::nchw),
              {1, 1},
              {c.pads[0], c.pads[1]},
              {c.pads[2], c.pads[3]}},
             attributes,
             engine_};
  }
  std::vector<tensor> run(std::span<const tensor> in, int) const override {
    tensor y(dtype::f32, {call_.y.begin(), call_.y.end()});
    const auto at = [&](const dnnl::memory::desc& d, const void* p) {
      return dnnl::memory(d, engine_, const_cast<void*>(p));
    };
    const auto given = [&](size_t i) { return in[static_cast<size_t>(call_.arguments[i])].data(); };
    dnnl::stream stream(engine_);
    dnnl::convolution_forward(made_).execute(stream, {{DNNL_ARG_SRC, at(made_.src_desc(), given(0))},
                                                      {DNNL_ARG_WEIGHTS, at(made_.weights_desc(), given(1))},
                                                      {DNNL_ARG_BIAS, at(made_.bias_desc(), given(2))},
                                                      {DNNL_ARG_DST, at(made_.dst_desc(), y.data())}});
    stream.wait();
    return {y};
  }

 private:
  onednn_call call_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::convolution_forward::primitive_desc made_;
};

}  // namespace mine
