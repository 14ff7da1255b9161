/// @file opencl.ipp: programs on a device: what is there once, and what a run does.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include <tenon/ir/entries.hpp>
#include <tenon/ir/entry_ports.hpp>
#include <tenon/ir/grid.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/loop/loop.hpp>
#include <tenon/passes/emit_c.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/outline_regions.hpp>
#include <tenon/runtime/external_run.hpp>
#include <tenon/targets/opencl.hpp>
#include <tenon/targets/opencl_api.ipp>
#include <tenon/targets/program_parts.hpp>
#include <tenon/targets/spec.hpp>

namespace tenon {
namespace targets::cl {

/// A device's context and its one queue, which runs commands in order.
struct open_device {
  const device& on;
  object context = nullptr, queue = nullptr;
  std::mutex mutex;  ///< one run at a time

  explicit open_device(const device& d) : on(d) {
    status s = 0;
    context = find_functions()->create_context(nullptr, 1, &d.id, nullptr, nullptr, &s);
    check(s, "'" + d.name + "' cannot be opened");
    queue = find_functions()->create_queue(context, d.id, 0, &s);
    check(s, "'" + d.name + "' cannot be opened");
  }
};
inline open_device& opened(i64 number) {
  const std::vector<device>& all = devices();
  if (all.empty())
    throw error("opencl.no_device",
                find_functions() == nullptr ? "OpenCL is not installed: there is no libOpenCL.so.1"
                                            : "OpenCL finds no device on this machine",
                {},
                "install the driver of your GPU, or one that runs on processors (Debian: ocl-icd-libopencl1 "
                "pocl-opencl-icd)");
  if (number < 0 || number >= static_cast<i64>(all.size())) {
    std::string known;
    for (size_t i = 0; i < all.size(); ++i) known += (i == 0 ? "" : ", ") + std::to_string(i) + ": " + all[i].name;
    throw error("opencl.no_device", "there is no OpenCL device " + std::to_string(number), {}, "there are " + known);
  }
  static std::mutex mutex;
  static auto& known = *new std::map<i64, std::unique_ptr<open_device>>;  // a driver may end before statics do
  const std::lock_guard lock(mutex);
  std::unique_ptr<open_device>& d = known[number];
  if (!d) d = std::make_unique<open_device>(all[static_cast<size_t>(number)]);
  return *d;
}

struct release {
  status (*with)(object);
  void operator()(object o) const { with(o); }
};
using owned = std::unique_ptr<opaque, release>;

/// Memory of a device; grows, and never shrinks.
class buffer {
 public:
  object of(open_device& d, i64 bytes) {
    bytes = std::max<i64>(bytes, 64);
    if (bytes <= bytes_) return id_.get();
    id_.reset(), bytes_ = 0;
    status s = 0;
    id_ = owned(find_functions()->create_buffer(d.context, read_write, static_cast<size_t>(bytes), nullptr, &s),
                {find_functions()->release_buffer});
    check(s, "'" + d.on.name + "' gives no buffer of " + std::to_string(bytes) + " bytes");
    bytes_ = bytes;
    return id_.get();
  }

 private:
  owned id_;
  i64 bytes_ = 0;
};

/// What an entry does, in its order: grids are launched, buffers copied.
class loaded {
 public:
  loaded(const ir::module& m, i64 number) : m_(m), device_(opened(number)) {
    const auto code = artifact_of<formats::opencl_c>(m_);
    compile({code.bytes().data(), code.bytes().size()});
    const function_id entry = ir::single_entry(m_);
    const ir::function& fn = m_[entry];
    const auto& arguments = m_[fn.body].arguments;
    inputs_ = ir::input_count(m_, entry);
    for (size_t i = 0; i < arguments.size(); ++i)
      places_[arguments[i].index] = i < inputs_ ? place{place::input, i} : place{place::output, i - inputs_};
    for (value_id a : arguments) ports_.push_back(m_.type_of(a));
    in_.resize(inputs_), out_.resize(arguments.size() - inputs_);
    for (op_id op : m_[fn.body].ops) read(op);
  }
  loaded(const loaded&) = delete;
  loaded& operator=(const loaded&) = delete;

  void run(void* const* inputs, void* const* outputs, const tenon_runtime& rt) {
    const functions& cl = *find_functions();
    const std::lock_guard lock(device_.mutex);
    table_ = rt.sizes;
    if (table_ != nullptr) {
      const size_t bytes = (m_.symbol_count() + m_.build.memory.buffers.size()) * sizeof(i64);
      check(cl.write(device_.queue, sizes_.of(device_, static_cast<i64>(bytes)), 0, 0, bytes, table_, 0, nullptr,
                     nullptr),
            "sizes");
    }
    i64 arena = 0;
    for (const auto& [offset, type] : slots_) arena = std::max(arena, begins(offset) + bytes_of(type));
    arena_.of(device_, arena);
    for (size_t i = 0; i < ports_.size(); ++i) {
      const i64 bytes = bytes_of(ports_[i]);
      if (i >= inputs_) {
        out_[i - inputs_].of(device_, bytes);
      } else if (const object to = in_[i].of(device_, bytes); bytes != 0) {
        check(cl.write(device_.queue, to, 0, 0, static_cast<size_t>(bytes), inputs[i], 0, nullptr, nullptr),
              "an input");
      }
    }
    for (const step& s : steps_) {
      if (rt.stop != nullptr && *rt.stop != 0) break;
      if (s.kernel != nullptr) launch(s);
      else copy(s);
    }
    for (size_t i = inputs_; i < ports_.size(); ++i)
      if (const i64 bytes = bytes_of(ports_[i]); bytes != 0)
        check(cl.read(device_.queue, out_[i - inputs_].of(device_, bytes), 0, 0, static_cast<size_t>(bytes),
                      outputs[i - inputs_], 0, nullptr, nullptr),
              "a result");
    check(cl.finish(device_.queue), "'" + device_.on.name + "' has not finished");
  }

  void wait() { find_functions()->finish(device_.queue); }

 private:
  struct place {
    enum { input, output, constant, arena } in = input;
    size_t number = 0;  ///< of input, output or constant
    i64 offset = 0;     ///< in the arena; -2 - i: the i-th of those that are placed for each run
  };
  struct step {
    owned kernel;  ///< null: a copy
    std::vector<place> buffers;
    std::string name;
    std::vector<op_id> loops;
    ir::type type{};  ///< of what is copied
  };

  void compile(std::string_view source) {
    const functions& cl = *find_functions();
    const std::string extensions = device_.on.text(device_extensions);
    if (source.find("cl_khr_fp64") != source.npos && extensions.find("cl_khr_fp64") == extensions.npos)
      throw error("opencl.capability", "the program computes in f64, and '" + device_.on.name + "' does not", {},
                  "choose another device (--target opencl:device_number=N), or convert the model to f32");
    const char* text = source.data();
    const size_t length = source.size();
    status s = 0;
    program_ = owned(cl.create_program(device_.context, 1, &text, &length, &s), {cl.release_program});
    check(s, "clCreateProgramWithSource");
    std::string options = "-cl-std=CL1.2";
    if ((device_.on.number<u64>(device_single_fp) & divides_correctly) != 0)
      options += " -cl-fp32-correctly-rounded-divide-sqrt";
    if (cl.build_program(program_.get(), 1, &device_.on.id, options.c_str(), nullptr, nullptr) == 0) return;
    size_t n = 0;
    std::string log;
    if (cl.get_build_info(program_.get(), device_.on.id, program_build_log, 0, nullptr, &n) == 0 && n != 0) {
      log.resize(n);
      cl.get_build_info(program_.get(), device_.on.id, program_build_log, n, log.data(), nullptr);
    }
    throw error("opencl.build", "the driver of '" + device_.on.name +
                                    "' does not take the program: " + std::string(log.c_str()).substr(0, 2000));
  }
  void read(op_id op) {
    const ir::op_view v = m_.view(op);
    if (const auto* c = v.get_if<op::constant_buffer>()) {
      places_[v.result().index] = {place::constant, constant(c->value)};
    } else if (const auto* s = v.get_if<op::slot>()) {
      places_[v.result().index] = {place::arena, 0, s->offset};
      slots_.emplace_back(s->offset, v.result_type());
    } else if (v.is<op::view_buffer>()) {
      places_[v.result().index] = places_.at(v.operand(0).index);
    } else if (v.is<op::copy_buffer>()) {
      step copy;
      copy.buffers = {places_.at(v.operand(0).index), places_.at(v.operand(1).index)}, copy.type = v.operand_type(0);
      steps_.push_back(std::move(copy));
    } else if (const auto* call = v.get_if<op::call_native>()) {
      const function_id f = m_.find_function(call->kernel.name);
      const std::vector<ir::grid_step> grids = ir::grid_steps(m_, f);
      for (size_t i = 0; i < grids.size(); ++i) {
        step launch;
        launch.name = passes::grid_symbol(m_, f, i), launch.loops = grids[i].loops;
        for (value_id x : m_.operands(op)) launch.buffers.push_back(places_.at(x.index));
        status s = 0;
        launch.kernel = owned(find_functions()->create_kernel(program_.get(), launch.name.c_str(), &s),
                              {find_functions()->release_kernel});
        check(s, "grid '" + launch.name + "'");
        steps_.push_back(std::move(launch));
      }
    }
  }
  size_t constant(constant_id c) {
    if (const auto it = constant_numbers_.find(c.index); it != constant_numbers_.end()) return it->second;
    const tensor& t = m_[c].value;
    const object to = constants_.emplace_back().of(device_, t.bytes());
    if (t.bytes() != 0)
      check(find_functions()->write(device_.queue, to, 1, 0, static_cast<size_t>(t.bytes()), std::as_const(t).data(), 0,
                                    nullptr, nullptr),
            "a constant");
    return constant_numbers_[c.index] = constants_.size() - 1;
  }

  i64 begins(i64 offset) const {
    return offset >= 0 ? offset : table_[m_.symbol_count() + static_cast<size_t>(-2 - offset)];
  }
  i64 bytes_of(const ir::type& t) const {
    i64 n = size_of(t.elem);
    for (ir::dim d : t.shape) n = checked_mul(n, d.is_static() ? d.extent() : table_[d.symbol().index]);
    return n;
  }
  object memory(const place& p) {
    switch (p.in) {
      case place::input: return in_[p.number].of(device_, 0);
      case place::output: return out_[p.number].of(device_, 0);
      case place::constant: return constants_[p.number].of(device_, 0);
      default: return arena_.of(device_, 0);
    }
  }
  u64 start(const place& p) const { return p.in == place::arena ? static_cast<u64>(begins(p.offset)) : 0; }

  void launch(const step& s) {
    const functions& cl = *find_functions();
    u32 number = 0;
    const auto give = [&](const auto& value) {
      check(cl.set_argument(s.kernel.get(), number++, sizeof value, &value), "an argument of grid '" + s.name + "'");
    };
    for (const place& p : s.buffers) give(memory(p)), give(start(p));
    give(sizes_.of(device_, 0));
    i64 total = 1;
    const std::span<const i64> known(table_, table_ != nullptr ? m_.symbol_count() : 0);
    for (op_id op : s.loops) {
      const i64 lo = ir::value_for_sizes(m_, m_.operand(op, 0), known),
                hi = ir::value_for_sizes(m_, m_.operand(op, 1), known), step = m_.view(op).as<loop::for_loop>().step,
                count = hi > lo ? (hi - lo + step - 1) / step : 0;
      give(lo), give(count);
      total = checked_mul(total, count);
    }
    if (total == 0) return;
    const size_t group =
        s.loops.empty() ? 1 : std::min<size_t>(64, device_.on.number<size_t>(device_max_work_group_size));
    const size_t items = (static_cast<size_t>(total) + group - 1) / group * group;
    check(cl.launch(device_.queue, s.kernel.get(), 1, nullptr, &items, &group, 0, nullptr, nullptr),
          "grid '" + s.name + "'");
  }
  void copy(const step& s) {
    const place &from = s.buffers[0], &to = s.buffers[1];
    const i64 bytes = bytes_of(s.type);
    if (bytes == 0 || (memory(from) == memory(to) && start(from) == start(to))) return;
    check(find_functions()->copy(device_.queue, memory(from), memory(to), start(from), start(to),
                                 static_cast<size_t>(bytes), 0, nullptr, nullptr),
          "a copy");
  }

  const ir::module m_;
  open_device& device_;
  owned program_;
  std::map<u32, place> places_;  ///< by buffer
  std::vector<ir::type> ports_;
  size_t inputs_ = 0;
  std::vector<std::pair<i64, ir::type>> slots_;
  std::vector<step> steps_;
  std::map<u32, size_t> constant_numbers_;
  std::vector<buffer> constants_, in_, out_;
  buffer arena_, sizes_;
  const i64* table_ = nullptr;  ///< of the run in progress
};

/// As the code of other generators is called: `code` is the program, and what it throws is reported when the run ends.
inline void enter(void* const* inputs, void* const* outputs, void*, const void*, const tenon_runtime* rt) {
  auto& run = tenon::detail::external_run::of(*rt);
  auto& code = *static_cast<loaded*>(const_cast<void*>(rt->external[0].code));
  try {
    code.run(inputs, outputs, *rt);
  } catch (...) {
    code.wait();  // the driver reads inputs and writes results until then
    run.failed = 1, run.error = std::current_exception();
  }
}

}  // namespace targets::cl

std::vector<std::string> opencl_devices() {
  std::vector<std::string> names;
  for (const targets::cl::device& d : targets::cl::devices()) names.push_back(d.name);
  return names;
}

program load_opencl(const ir::module& built) {
  targets::opencl options;
  if (!built.build.target.empty())
    if (const target_spec spec = parse_target(built.build.target); spec.name == targets::opencl::name.data())
      options = target_from<targets::opencl>(spec);
  const auto code = std::make_shared<targets::cl::loaded>(built, options.device_number);
  program::parts p = detail::entry_ports(built, ir::single_entry(built));
  p.fingerprint = built.build.fingerprint;
  p.target = targets::opencl::name.data();
  p.code_bytes = static_cast<i64>(artifact_of<formats::opencl_c>(built).bytes().size());
  if (p.sizes.empty()) p.arena_bytes = 0;  // it is on the device
  p.entry = &targets::cl::enter, p.code = code;
  p.external.push_back({nullptr, code.get()});
  return program(std::move(p));
}

std::unique_ptr<executable> targets::opencl_runtime::load(const ir::module& built) {
  return executable_of(load_opencl(built));
}

void targets::opencl::configure(context& cx) const {
  if (device_number < 0)
    throw usage_error("target.value", "option 'device_number' of target 'opencl' is negative", {},
                      "0 is the first device");
  passes::kernel_options k;
  k.target = "opencl";
  k.check_bounds = check_bounds;
  k.vector_bytes = 32;       // packed weights come in panels of two such vectors
  k.narrow_weights = false;  // no thread would read them as vectors
  k.widen_halves = false;    // what is between kernels goes through the device's memory
  cx.set(k);
  cx.set(passes::outline_regions{"opencl"});  // of what a host divides, the regions
}

bool targets::opencl::has(const ir::op_view& op) { return passes::has_c_form(op); }

}  // namespace tenon
