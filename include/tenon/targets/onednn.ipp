/// @file onednn.ipp: definitions of targets/onednn.hpp.
#pragma once

#include <unordered_map>

#if __has_include(<oneapi/dnnl/dnnl.hpp>)

#  include <algorithm>
#  include <array>
#  include <cstdint>
#  include <cstring>
#  include <limits>
#  include <memory>
#  include <mutex>
#  include <oneapi/dnnl/dnnl.hpp>
#  include <string_view>
#  include <unordered_map>

#  include <tenon/runtime/threads.hpp>
#  include <tenon/targets/onednn.hpp>

// Of the OpenMP runtime that oneDNN brings along, where it is one that uses OpenMP.
extern "C" void omp_set_num_threads(int) __attribute__((weak));
extern "C" int omp_get_max_threads() __attribute__((weak));

namespace tenon::targets {
namespace onednn_detail {

/// What an artifact holds.
struct call {
  static constexpr i64 this_version = 3;
  i64 version = this_version;
  std::array<i64, 4> x{}, w{}, y{};  ///< [n, h, w, c], [kh, kw, c / group, o], [n, h, w, o]; -1: any, of x and y
  std::array<i64, 2> strides{1, 1}, dilations{1, 1};
  std::array<i64, 4> pads{};  ///< begins, then ends
  i64 group = 1;
  i64 arguments = 0;
  i64 at_x = -1, at_w = -1, at_bias = -1, at_addend = -1;  ///< which argument each is; -1: none
  i64 relu = 0;
  i64 rank = 4;  ///< of x, w and y as the module has them: their last extents; 2 of a product

  std::span<const i64> shape(const std::array<i64, 4>& of) const {
    return {of.end() - static_cast<std::ptrdiff_t>(rank), of.end()};
  }
  /// The result's extents for an image's.
  std::array<i64, 4> result_for(const std::array<i64, 4>& image) const {
    std::array<i64, 4> r{image[0], 0, 0, w[3]};
    for (size_t d : {size_t{0}, size_t{1}})
      r[d + 1] = std::max<i64>(
          (image[d + 1] + pads[d] + pads[d + 2] - dilations[d] * (w[d] - 1) - 1 + strides[d]) / strides[d], 0);
    return r;
  }
};
inline i64 count_of(const std::array<i64, 4>& extents) {
  i64 n = 1;
  for (i64 e : extents) n *= e;
  return n;
}

/// The calling thread's parallel regions have so many threads while this lives.
class parallel_threads {
 public:
  explicit parallel_threads(int threads) {
    if (omp_set_num_threads == nullptr || omp_get_max_threads == nullptr) return;
    before_ = omp_get_max_threads();
    omp_set_num_threads(threads);
  }
  parallel_threads(const parallel_threads&) = delete;
  parallel_threads& operator=(const parallel_threads&) = delete;
  ~parallel_threads() {
    if (before_ > 0) omp_set_num_threads(before_);
  }

 private:
  int before_ = 0;
};

using dims = dnnl::memory::dims;
using tag = dnnl::memory::format_tag;
inline dnnl::memory::desc desc(const dims& d, tag t) { return {d, dnnl::memory::data_type::f32, t}; }
inline const dnnl::engine& engine() {
  static const dnnl::engine e(dnnl::engine::kind::cpu, 0);
  return e;
}
/// What oneDNN throws, as an error of ours.
template <class F>
auto told(F&& f) {
  try {
    return f();
  } catch (const dnnl::error& e) { throw error("onednn.failed", std::string("oneDNN: ") + e.what()); }
}

/// A convolution of images of one size for a number of threads: oneDNN cuts its work when it is made.
struct primitive {
  int threads = 0;
  std::array<i64, 4> x{}, y{};
  dnnl::convolution_forward::primitive_desc desc;
  dnnl::convolution_forward run;
  bool sums = false;     ///< adds to what its result holds: the addend is copied there before
  dnnl::memory weights;  ///< in its order; empty where they are no constant
};

class convolution final : public external_code {
 public:
  explicit convolution(const call& c) : call_(c) {}

  void prepare(std::span<const tensor* const> known) override {
    const auto at = static_cast<size_t>(call_.at_w);
    if (at < known.size() && known[at] != nullptr) weights_ = *known[at];
  }
  std::vector<tensor> run(std::span<const tensor> inputs, int threads) const override {
    if (static_cast<i64>(inputs.size()) != call_.arguments)
      throw error("external.arguments",
                  std::to_string(inputs.size()) + " tensors for " + std::to_string(call_.arguments) + " arguments");
    std::vector<external_buffer> buffers;
    for (const tensor& t : inputs) buffers.push_back({t.type(), t.shape(), const_cast<void*>(t.data())});
    const std::array<i64, 4> extents = call_.result_for(extents_of(buffers[static_cast<size_t>(call_.at_x)], call_.x));
    const auto shape = call_.shape(extents);
    tensor y(dtype::f32, {shape.begin(), shape.end()});
    buffers.push_back({y.type(), y.shape(), y.data()});
    run_into(buffers, threads);
    return {std::move(y)};
  }
  void run_into(std::span<const external_buffer> buffers, int threads) const override {
    if (static_cast<i64>(buffers.size()) != call_.arguments + 1)
      throw error("external.arguments", std::to_string(buffers.size()) + " buffers for " +
                                            std::to_string(call_.arguments) + " arguments and a result");
    const auto at = [&](i64 i) -> const external_buffer& { return buffers[static_cast<size_t>(i)]; };
    const std::array<i64, 4> x = extents_of(at(call_.at_x), call_.x), y = extents_of(buffers.back(), call_.y);
    static_cast<void>(extents_of(at(call_.at_w), call_.w));
    const bool biased =
        call_.at_bias < 0 || (at(call_.at_bias).type == dtype::f32 &&
                              std::ranges::equal(at(call_.at_bias).shape, call_.shape(call_.w).last(1)));
    if (y != call_.result_for(x) || !biased || (call_.at_addend >= 0 && extents_of(at(call_.at_addend), call_.y) != y))
      unlike();
    if (count_of(y) == 0) return;
    if (count_of(x) == 0) return fill(buffers, count_of(y));
    if (threads <= 0) threads = thread_count();
    told([&] {
      const parallel_threads so_many(threads);  // also while it is made
      execute(buffers, *made_for(threads, x, y));
    });
  }

 private:
  [[noreturn]] static void unlike() {
    throw error("external.arguments", "a buffer is not what the artifact says of it");
  }
  /// A buffer's extents, which are those of @p said where that is a number.
  std::array<i64, 4> extents_of(const external_buffer& b, const std::array<i64, 4>& said) const {
    const auto wanted = call_.shape(said);
    if (b.type != dtype::f32 || b.shape.size() != wanted.size()) unlike();
    std::array<i64, 4> all;
    all.fill(1);
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] >= 0 && wanted[i] != b.shape[i]) unlike();
      all[all.size() - wanted.size() + i] = b.shape[i];
    }
    return all;
  }
  /// What comes of no pixels: sums of nothing.
  void fill(std::span<const external_buffer> buffers, i64 count) const {
    const auto from = [&](i64 i) {
      return i < 0 ? nullptr : static_cast<const float*>(buffers[static_cast<size_t>(i)].data);
    };
    const float *const bias = from(call_.at_bias), *const addend = from(call_.at_addend);
    auto* const y = static_cast<float*>(buffers.back().data);
    for (i64 i = 0; i < count; ++i) {
      const float sum = (bias != nullptr ? bias[i % call_.w[3]] : 0.f) + (addend != nullptr ? addend[i] : 0.f);
      y[i] = call_.relu != 0 && sum < 0 ? 0.f : sum;
    }
  }
  void execute(std::span<const external_buffer> buffers, const primitive& p) const {
    const auto at = [&](i64 i) { return buffers[static_cast<size_t>(i)].data; };
    thread_local dnnl::stream stream(engine());
    dnnl::memory weights = p.weights;
    if (!weights) weights = reordered(p.desc, at(call_.at_w), stream);
    // One for each thread that calls, as large as the largest call of it needs.
    thread_local std::vector<std::byte> scratch;
    const auto room = p.desc.scratchpad_desc();
    if (scratch.size() < room.get_size() + 64) scratch.resize(room.get_size() + 64);
    void* place = scratch.data();
    size_t left = scratch.size();
    std::align(64, room.get_size(), place, left);
    std::unordered_map<int, dnnl::memory> given{{DNNL_ARG_SRC, {p.desc.src_desc(), engine(), at(call_.at_x)}},
                                                {DNNL_ARG_WEIGHTS, weights},
                                                {DNNL_ARG_DST, {p.desc.dst_desc(), engine(), buffers.back().data}},
                                                {DNNL_ARG_SCRATCHPAD, {room, engine(), place}}};
    if (call_.at_bias >= 0) given.insert({DNNL_ARG_BIAS, {p.desc.bias_desc(), engine(), at(call_.at_bias)}});
    if (p.sums) std::memcpy(buffers.back().data, at(call_.at_addend), p.desc.dst_desc().get_size());
    else if (call_.at_addend >= 0)
      given.insert({DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, {image(p.y), engine(), at(call_.at_addend)}});
    p.run.execute(stream, given);
    stream.wait();
  }
  static dnnl::memory::desc image(const std::array<i64, 4>& d) { return desc({d[0], d[3], d[1], d[2]}, tag::nhwc); }
  dnnl::memory reordered(const dnnl::convolution_forward::primitive_desc& to, const void* w, dnnl::stream& s) const {
    const i64 g = call_.group, o = call_.w[3] / g;
    const auto from = g == 1 ? desc({o, call_.w[2], call_.w[0], call_.w[1]}, tag::hwio)
                             : desc({g, o, call_.w[2], call_.w[0], call_.w[1]}, tag::hwigo);
    dnnl::memory given(from, engine(), const_cast<void*>(w)), there(to.weights_desc(), engine());
    dnnl::reorder(given, there).execute(s, given, there);
    s.wait();
    return there;
  }
  std::shared_ptr<const primitive> made_for(int threads, const std::array<i64, 4>& x,
                                            const std::array<i64, 4>& y) const {
    const std::lock_guard lock(mutex_);
    const auto known = std::ranges::find_if(made_, [&](const auto& p) { return p->threads == threads && p->x == x; });
    if (known != made_.end()) {
      std::rotate(made_.begin(), known, known + 1);  // the last one that was asked for is the first
      return made_.front();
    }
    const auto p = std::make_shared<primitive>();
    p->threads = threads, p->x = x, p->y = y;
    p->desc = described(*p);
    // Its convolutions by GEMM read a second operand at wrong places (oneDNN 2.6.3, images nhwc), but sum rightly.
    if (call_.at_addend >= 0 && std::string_view(p->desc.impl_info_str()).find("gemm") != std::string_view::npos)
      p->sums = true, p->desc = described(*p);
    p->run = dnnl::convolution_forward(p->desc);
    if (weights_.defined()) {
      for (const auto& other : made_)  // for other sizes they mostly are in the same order
        if (other->weights && other->weights.get_desc() == p->desc.weights_desc()) p->weights = other->weights;
      if (!p->weights) {
        dnnl::stream s(engine());
        p->weights = reordered(p->desc, weights_.data(), s);
      }
    }
    constexpr size_t most = 16;
    if (made_.size() == most) made_.pop_back();
    made_.insert(made_.begin(), p);
    return p;
  }
  /// The addend is a second operand of what follows the convolution, or, where it sums, what the result holds before.
  dnnl::convolution_forward::primitive_desc described(const primitive& p) const {
    const i64 g = call_.group, o = call_.w[3] / g;
    dnnl::post_ops after;
    if (p.sums) after.append_sum(1.f);
    else if (call_.at_addend >= 0) after.append_binary(dnnl::algorithm::binary_add, image(p.y));
    if (call_.relu != 0) after.append_eltwise(1.f, dnnl::algorithm::eltwise_relu, 0.f, 0.f);
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(after);
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const dims w =
        g == 1 ? dims{o, call_.w[2], call_.w[0], call_.w[1]} : dims{g, o, call_.w[2], call_.w[0], call_.w[1]};
    const dnnl::memory::desc bias = call_.at_bias >= 0 ? desc({call_.w[3]}, tag::a) : dnnl::memory::desc();
    const dnnl::convolution_forward::desc wanted(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, image(p.x), desc(w, tag::any), bias,
        image(p.y), {call_.strides[0], call_.strides[1]}, {call_.dilations[0] - 1, call_.dilations[1] - 1},
        {call_.pads[0], call_.pads[1]}, {call_.pads[2], call_.pads[3]});
    return {wanted, attributes, engine()};
  }

  call call_;
  tensor weights_;
  mutable std::mutex mutex_;
  mutable std::vector<std::shared_ptr<const primitive>> made_;  ///< for the last few sizes
};

}  // namespace onednn_detail

std::vector<char> onednn_code_generator::compile(const external_function& part, context&) {
  const ir::module& m = part.module;
  const region_id body = m[part.function].body;
  const op_id last = m[m.operand(m.terminator(body), 0)].definition;
  onednn_detail::call c;
  const auto& arguments = m[body].arguments;
  const auto argument = [&](value_id v) -> i64 {
    const auto it = std::find(arguments.begin(), arguments.end(), v);
    return it == arguments.end() ? -1 : it - arguments.begin();
  };
  matched_ops found;
  std::string_view why;
  for (const auto table :
       {pattern_table_of<onednn_patterns::convolutions<any>>(), pattern_table_of<onednn_patterns::products<any>>()})
    for (const pattern_entry& p : table)
      if (found.ops.empty() && p.match(m, last, found, why)) break;
  if (found.ops.empty()) part.no_kernel(last, "it is no convolution and no product", onednn::name);
  c.arguments = static_cast<i64>(arguments.size());
  c.at_x = argument(found.find("x")), c.at_w = argument(found.find("w"));
  if (const value_id b = found.find("b")) c.at_bias = argument(b);
  if (const value_id a = found.find("addend")) c.at_addend = argument(a);
  c.relu = m.view(last).is<op::maximum>();
  for (op_id op : found.ops) {
    const ir::op_view v = m.view(op);
    const auto* conv = v.get_if<op::conv>();
    if (conv == nullptr && !v.is<op::matmul>()) continue;
    c.rank = v.result_type().rank();
    const auto last = [](auto& to, const ir::type& from) {
      to.fill(1);
      std::ranges::transform(from.shape, to.end() - static_cast<std::ptrdiff_t>(from.shape.size()),
                             [](ir::dim d) { return d.is_static() ? d.extent() : -1; });
    };
    last(c.x, v.operand_type(0)), last(c.w, v.operand_type(1)), last(c.y, v.result_type());
    if (conv == nullptr) continue;
    const auto set = [](auto& to, const std::vector<i64>& from) { std::copy(from.begin(), from.end(), to.begin()); };
    set(c.strides, conv->strides), set(c.dilations, conv->dilations), set(c.pads, conv->pads);
    c.group = conv->group;
  }
  const char* const bytes = reinterpret_cast<const char*>(&c);
  return {bytes, bytes + sizeof c};
}

std::unique_ptr<external_code> onednn_code_generator::load(std::span<const char> bytes) {
  onednn_detail::call c;
  const auto wrong = [](const char* why) {
    throw error("onednn.artifact", std::string("an artifact of format onednn_call is not right: ") + why, {},
                "build the module again");
  };
  if (bytes.size() != sizeof c) wrong("it is not one call");
  std::memcpy(&c, bytes.data(), sizeof c);
  if (c.version != onednn_detail::call::this_version) wrong("it is of another version");
  const auto in = [&](i64 at, i64 least) { return at >= least && at < c.arguments; };
  if (!in(c.at_x, 0) || !in(c.at_w, 0) || !in(c.at_bias, -1) || !in(c.at_addend, -1)) wrong("an argument is missing");
  if (c.rank != 4 && c.rank != 2) wrong("it has another rank");
  constexpr i64 most = std::numeric_limits<std::int32_t>::max();
  const auto within = [](const auto& all, i64 least) {
    return std::ranges::all_of(all, [least](i64 n) { return n >= least && n <= most; });
  };
  if (!within(c.w, 1) || !within(c.strides, 1) || !within(c.dilations, 1) || !within(c.pads, -most) ||
      !within(c.x, -1) || !within(c.y, -1))
    wrong("an extent or a step is none");
  if (c.group < 1 || c.w[3] % c.group != 0) wrong("its groups do not divide its channels");
  return std::make_unique<onednn_detail::convolution>(c);
}

}  // namespace tenon::targets

#endif
