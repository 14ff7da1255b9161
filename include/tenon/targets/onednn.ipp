/// @file onednn.ipp: definitions of targets/onednn.hpp.
#pragma once

#if __has_include(<oneapi/dnnl/dnnl.hpp>)

#  include <algorithm>
#  include <array>
#  include <cstring>
#  include <map>
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
  static constexpr i64 this_version = 2;
  i64 version = this_version;
  std::array<i64, 4> x{}, w{}, y{};  ///< [n, h, w, c], [kh, kw, c / group, o], [n, h, w, o]
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
};

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

/// A convolution for a number of threads: oneDNN cuts its work when it is made.
struct primitive {
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
    const auto shape = call_.shape(call_.y);
    tensor y(dtype::f32, {shape.begin(), shape.end()});
    buffers.push_back({y.type(), y.shape(), y.data()});
    run_into(buffers, threads);
    return {std::move(y)};
  }
  void run_into(std::span<const external_buffer> buffers, int threads) const override {
    if (static_cast<i64>(buffers.size()) != call_.arguments + 1)
      throw error("external.arguments", std::to_string(buffers.size()) + " buffers for " +
                                            std::to_string(call_.arguments) + " arguments and a result");
    const auto fits = [&](i64 at, std::span<const i64> shape) {
      const external_buffer& b = buffers[static_cast<size_t>(at)];
      return b.type == dtype::f32 && std::ranges::equal(b.shape, shape);
    };
    const i64 outputs[] = {call_.w[3]};
    if (!fits(call_.at_x, call_.shape(call_.x)) || !fits(call_.at_w, call_.shape(call_.w)) ||
        !fits(call_.arguments, call_.shape(call_.y)) || (call_.at_bias >= 0 && !fits(call_.at_bias, outputs)) ||
        (call_.at_addend >= 0 && !fits(call_.at_addend, call_.shape(call_.y))))
      throw error("external.arguments", "a buffer is not what the artifact says of it");
    if (threads <= 0) threads = thread_count();
    told([&] { execute(buffers, threads); });
  }

 private:
  void execute(std::span<const external_buffer> buffers, int threads) const {
    const parallel_threads so_many(threads);
    const auto at = [&](i64 i) { return buffers[static_cast<size_t>(i)].data; };
    const primitive& p = made_for(threads);
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
      given.insert(
          {DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, {image(call_.y), engine(), at(call_.at_addend)}});
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
  const primitive& made_for(int threads) const {
    const std::lock_guard lock(mutex_);
    const auto [it, fresh] = made_.try_emplace(threads);
    if (!fresh && it->second) return *it->second;
    auto p = std::make_unique<primitive>();
    p->desc = described(false);
    // Its convolutions by GEMM read a second operand at wrong places (oneDNN 2.6.3, images nhwc), but sum rightly.
    if (call_.at_addend >= 0 && std::string_view(p->desc.impl_info_str()).find("gemm") != std::string_view::npos)
      p->desc = described(true), p->sums = true;
    p->run = dnnl::convolution_forward(p->desc);
    if (weights_.defined()) {
      dnnl::stream s(engine());
      p->weights = reordered(p->desc, weights_.data(), s);
    }
    return *(it->second = std::move(p));
  }
  /// The addend is a second operand of what follows the convolution, or, with @p sums, what the result holds before.
  dnnl::convolution_forward::primitive_desc described(bool sums) const {
    const i64 g = call_.group, o = call_.w[3] / g;
    dnnl::post_ops after;
    if (sums) after.append_sum(1.f);
    else if (call_.at_addend >= 0) after.append_binary(dnnl::algorithm::binary_add, image(call_.y));
    if (call_.relu != 0) after.append_eltwise(1.f, dnnl::algorithm::eltwise_relu, 0.f, 0.f);
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(after);
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const dims w =
        g == 1 ? dims{o, call_.w[2], call_.w[0], call_.w[1]} : dims{g, o, call_.w[2], call_.w[0], call_.w[1]};
    const dnnl::memory::desc bias = call_.at_bias >= 0 ? desc({call_.w[3]}, tag::a) : dnnl::memory::desc();
    const dnnl::convolution_forward::desc wanted(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, image(call_.x), desc(w, tag::any),
        bias, image(call_.y), {call_.strides[0], call_.strides[1]}, {call_.dilations[0] - 1, call_.dilations[1] - 1},
        {call_.pads[0], call_.pads[1]}, {call_.pads[2], call_.pads[3]});
    return {wanted, attributes, engine()};
  }

  call call_;
  tensor weights_;
  mutable std::mutex mutex_;
  mutable std::map<int, std::unique_ptr<const primitive>> made_;  ///< by the number of threads
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
    const auto last = [](auto& to, const std::vector<i64>& from) {
      to.fill(1);
      std::copy(from.begin(), from.end(), to.end() - static_cast<std::ptrdiff_t>(from.size()));
    };
    last(c.x, v.operand_type(0).extents()), last(c.w, v.operand_type(1).extents());
    last(c.y, v.result_type().extents());
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
  if (c.group < 1 || c.w[3] % c.group != 0) wrong("its groups do not divide its channels");
  return std::make_unique<onednn_detail::convolution>(c);
}

}  // namespace tenon::targets

#endif
