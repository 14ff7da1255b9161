// The functions of <tenon.h> by which models call the process: in the compiler's library, which runs such models.
#include <tenon/runtime/host_functions.hpp>

#include "opened.hpp"

struct tenon_host_call {
  std::span<const tenon::tensor> operands;
  std::vector<tenon::tensor> results;
  std::string failure;
  bool failed = false;
};

namespace tenon::c_api {
namespace {

struct callers_function {
  std::string name;
  tenon_host_function call;
  void* user;
  void (*done)(void*) = nullptr;  // set once it is registered
  ~callers_function() {
    if (done != nullptr) done(user);
  }
};

void see(tenon_results& list, std::span<const tensor> operands) {
  list.values.assign(operands.begin(), operands.end());
  for (const tensor& t : list.values) {
    if (t.defined()) list.add(t, nullptr);
    else list.seen.push_back({nullptr, tenon_f32, SIZE_MAX, nullptr, nullptr});
  }
}

std::vector<tensor> call(const void* state, std::span<const tensor> operands) {
  const auto& f = *static_cast<const callers_function*>(state);
  tenon_results given;
  see(given, operands);
  tenon_host_call c{operands, {}, {}, false};
  f.call(f.user, given.seen.data(), given.seen.size(), &c);
  if (c.failed) throw error("host_function.failed", c.failure);
  return std::move(c.results);
}

}  // namespace
}  // namespace tenon::c_api

using namespace tenon;
using namespace tenon::c_api;

extern "C" {

tenon_error* tenon_add_host_function(const char* name, tenon_host_function function, void* user, void (*done)(void*)) {
  return guarded([&] {
    require(name != nullptr, "the name"), require(function != nullptr, "the function");
    const auto f = std::make_shared<callers_function>(name, function, user);
    add_host_function(f->name, host_function{f, &call});
    f->done = done;
  });
}
int tenon_remove_host_function(const char* name) { return name != nullptr && remove_host_function(name) ? 1 : 0; }

void* tenon_add_result(tenon_host_call* call, tenon_type type, size_t rank, const int64_t* shape) {
  void* room = nullptr;
  tenon_error* const e = guarded([&] {
    const std::string who = "result " + std::to_string(call->results.size());
    tensor t(type_of(type, who), shape_of(rank, shape, who));
    static unsigned char nothing[64];
    room = t.bytes() != 0 ? t.data() : nothing;
    call->results.push_back(std::move(t));
  });
  if (e == nullptr) return room;
  tenon_fail_call(call, tenon_error_text(e));
  tenon_error_free(e);
  return nullptr;
}
void tenon_fail_call(tenon_host_call* call, const char* message) {
  if (call->failed) return;  // the first reason counts
  call->failed = true;
  tenon_error_free(guarded([&] { call->failure = message != nullptr ? message : "no reason is given"; }));
}
tenon_error* tenon_keep_operands(tenon_host_call* call, tenon_results** kept) {
  return guarded([&] {
    require(kept != nullptr, "the place of the operands");
    *kept = nullptr;
    auto made = std::make_unique<tenon_results>();
    see(*made, call->operands);
    *kept = made.release();
  });
}

}  // extern "C"
