// The functions of <tenon.h> that run programs: in both libraries.
#include <algorithm>
#include <cstring>
#include <new>
#include <optional>

#include <tenon/core/framed_file.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/core/nearest.hpp>
#include <tenon/core/version.hpp>
#include <tenon/runtime/run_options.hpp>

#include "opened.hpp"

struct tenon_stop {
  tenon::stop_flag flag;
};

namespace tenon::c_api {
namespace {

class callers_pool final : public loop_pool {
 public:
  explicit callers_pool(const tenon_pool& p) : pool_(p) {}
  int threads() const noexcept override { return pool_.threads; }
  void run(int count, void (*task)(void*, int), void* context) noexcept override {
    pool_.run(pool_.user, count, task, context);
  }

 private:
  const tenon_pool& pool_;
};

tenon_error& out_of_memory() {
  static tenon_error e{"memory", "there is not enough memory", "", "there is not enough memory [memory]"};
  return e;
}

/// The tensors of an array in the program's order: each says its name, or stands at its place.
std::vector<const tenon_tensor*> in_order(const tenon_tensor* given, size_t count,
                                          const std::vector<std::unique_ptr<tenon_c_port>>& ports, const char* kind) {
  if (count != ports.size())
    throw error("program.count", "the program has " + std::to_string(ports.size()) + " " + kind + "s, and " +
                                     std::to_string(count) + " were given");
  require(count == 0 || given != nullptr, "the array of tensors");
  std::vector<const tenon_tensor*> list(count);
  for (size_t i = 0; i < count; ++i) {
    size_t at = i;
    if (given[i].name != nullptr) {
      at = 0;
      while (at < count && ports[at]->name != given[i].name) ++at;
      if (at == count) {
        std::vector<std::string> names;
        for (const auto& p : ports) names.push_back(p->name);
        throw error("program.name", std::string("the program has no ") + kind + " '" + given[i].name + "'", {},
                    nearest(given[i].name, names));
      }
    }
    if (list[at] != nullptr)
      throw error("program.name", std::string(kind) + " '" + ports[at]->name + "' is given twice", {},
                  "name all of them, or give them in order");
    list[at] = &given[i];
  }
  return list;
}

/// Is there an element type of this number?
bool is_known(int number) {
  const int own = number - static_cast<int>(dtype::own0);
  return (number >= 0 && number < dtype_count) || (own >= 0 && own < own_dtypes_registered());
}

/// Data is not looked at where `described` is set.
std::vector<tensor> inputs_of(const tenon_program& p, const tenon_tensor* given, size_t count, bool described) {
  std::vector<tensor> list;
  for (const tenon_tensor* t : in_order(given, count, p.inputs, "input")) {
    const std::string who = "input '" + p.inputs[list.size()]->name + "'";
    alignas(64) static const unsigned char nothing[64] = {};
    const dtype type = type_of(t->type, who);
    std::vector<int64_t> shape = shape_of(t->rank, t->shape, who);
    i64 elements = 1;
    for (i64 d : shape) elements = d <= 0 ? 0 : elements;
    const void* data = described || elements == 0 ? nothing : t->data;
    if (data == nullptr) throw error("program.null", who + " has no data", {}, "point `data` at its elements");
    list.push_back(tensor::view(type, std::move(shape), data, nullptr));
  }
  return list;
}

}  // namespace

void require(bool good, const char* what) {
  if (!good) throw usage_error("usage", std::string(what) + " is null", {}, "see tenon.h");
}
dtype type_of(tenon_type type, const std::string& who) {
  const auto number = static_cast<int>(type);
  if (!is_known(number) || static_cast<dtype>(number) == dtype::string)
    throw error("program.type", who + " has element type " + std::to_string(number) + ", which there is not", {},
                "give one of tenon_type");
  return static_cast<dtype>(number);
}
std::vector<int64_t> shape_of(size_t rank, const int64_t* shape, const std::string& who) {
  require(rank == 0 || shape != nullptr, "a shape");
  if (rank > 64) throw error("program.type", who + " has " + std::to_string(rank) + " dimensions: 64 are the limit");
  return {shape, shape + rank};
}

tenon_error* caught() noexcept {
  try {
    try {
      throw;
    } catch (const error& e) {
      return new tenon_error{e.code(), (e.where().empty() ? "" : e.where() + ": ") + e.message(), e.hint(), e.what()};
    } catch (const std::bad_alloc&) { return &out_of_memory(); } catch (const std::exception& e) {
      return new tenon_error{"internal", e.what(), "", std::string(e.what()) + " [internal]"};
    } catch (...) { return new tenon_error{"internal", "an unknown error", "", "an unknown error [internal]"}; }
  } catch (...) { return &out_of_memory(); }
}

void add_port(std::vector<std::unique_ptr<tenon_c_port>>& list, std::string name, dtype type, bool ranked,
              std::vector<int64_t> shape, std::vector<std::string> symbols) {
  auto p = std::make_unique<tenon_c_port>();
  p->name = std::move(name), p->shape = std::move(shape), p->symbols = std::move(symbols);
  p->symbols.resize(p->shape.size());
  for (size_t d = 0; d < p->shape.size(); ++d) {
    if (p->shape[d] < 0) p->shape[d] = -1;
    p->spelled.push_back(p->shape[d] < 0 ? p->symbols[d].c_str() : nullptr);
  }
  p->seen = {p->name.c_str(), static_cast<tenon_type>(type), ranked ? p->shape.size() : SIZE_MAX, p->shape.data(),
             p->spelled.data()};
  list.push_back(std::move(p));
}

std::unique_ptr<tenon_program> opened(program p) {
  auto made = std::make_unique<tenon_program>();
  made->target = p.description().target, made->entries = p.entries();
  for (const auto* ports : {&p.inputs(), &p.outputs()})
    for (const port& one : *ports) {
      std::vector<std::string> symbols;
      for (i64 d : one.shape)
        symbols.push_back(d < 0 ? p.description().sizes.symbols.at(static_cast<size_t>(-2 - d)) : "");
      add_port(ports == &p.inputs() ? made->inputs : made->outputs, one.name, one.type, one.ranked, one.shape, symbols);
    }
  made->code = executable_of(std::move(p));
  return made;
}

/// Calls `run(threads)`, a function of <tenon.h>, where runs take these options; null is none.
template <class F>
tenon_error* with_options(const tenon_run_options* options, const F& run) {
  if (options == nullptr) return run(0);
  const bool with_pool = options->size == sizeof *options && options->pool != nullptr;
  if (tenon_error* e = guarded([&] {
        if (options->size != sizeof *options)
          throw usage_error("usage", "the size of tenon_run_options is " + std::to_string(options->size), {},
                            "set it to sizeof(tenon_run_options)");
        if (with_pool) require(options->pool->run != nullptr, "the pool's function");
        if (with_pool && options->pool->threads < 1)
          throw usage_error("usage", "the pool has no threads", {}, "see tenon.h");
      }))
    return e;
  std::optional<callers_pool> pool;
  if (with_pool) pool.emplace(*options->pool);
  const run_scope scope(
      {options->threads, pool ? &*pool : nullptr, options->stop != nullptr ? &options->stop->flag : nullptr});
  return run(options->threads);
}

}  // namespace tenon::c_api

using namespace tenon;
using namespace tenon::c_api;

void tenon_results::add(const tensor& t, const char* name) {
  seen.push_back(
      {name, static_cast<tenon_type>(t.type()), t.shape().size(), t.shape().data(), const_cast<void*>(t.data())});
}

extern "C" {

int tenon_api_version(void) { return TENON_API_VERSION; }
const char* tenon_version(void) {
  static const std::string v =
      std::to_string(version_major) + "." + std::to_string(version_minor) + "." + std::to_string(version_patch);
  return v.c_str();
}

const char* tenon_error_code(const tenon_error* e) { return e->code.c_str(); }
const char* tenon_error_message(const tenon_error* e) { return e->message.c_str(); }
const char* tenon_error_hint(const tenon_error* e) { return e->hint.c_str(); }
const char* tenon_error_text(const tenon_error* e) { return e->text.c_str(); }
void tenon_error_free(tenon_error* e) {
  if (e != &out_of_memory()) delete e;
}

const char* tenon_type_name(tenon_type type) {
  return is_known(static_cast<int>(type)) ? name_of(static_cast<dtype>(type)).data() : nullptr;
}
size_t tenon_type_size(tenon_type type) {
  return is_known(static_cast<int>(type)) ? static_cast<size_t>(size_of(static_cast<dtype>(type))) : 0;
}

tenon_error* tenon_open(const char* path, tenon_program** program) {
  return guarded([&] {
    require(path != nullptr, "the path"), require(program != nullptr, "the place of the program");
    *program = nullptr;
    const auto file = std::make_shared<const mapped_file>(path);
    *program = open_bytes(file->bytes(), file, path).release();
  });
}
tenon_error* tenon_open_memory(const void* bytes, size_t size, tenon_program** program) {
  return guarded([&] {
    require(bytes != nullptr, "the bytes"), require(program != nullptr, "the place of the program");
    *program = nullptr;
    const auto copy = std::make_shared<tensor>(dtype::u8, std::vector<i64>{static_cast<i64>(size)});  // aligned
    if (size != 0) std::memcpy(copy->data(), bytes, size);
    *program = open_bytes({static_cast<const char*>(std::as_const(*copy).data()), size}, copy, "a program in memory")
                   .release();
  });
}
void tenon_close(tenon_program* program) { delete program; }

size_t tenon_input_count(const tenon_program* program) { return program->inputs.size(); }
size_t tenon_output_count(const tenon_program* program) { return program->outputs.size(); }
const tenon_port* tenon_input(const tenon_program* program, size_t i) {
  return i < program->inputs.size() ? &program->inputs[i]->seen : nullptr;
}
const tenon_port* tenon_output(const tenon_program* program, size_t i) {
  return i < program->outputs.size() ? &program->outputs[i]->seen : nullptr;
}
const char* tenon_target(const tenon_program* program) { return program->target.c_str(); }

size_t tenon_entry_count(const tenon_program* program) { return program->entries.size(); }
const char* tenon_entry_name(const tenon_program* program, size_t i) {
  return i < program->entries.size() ? program->entries[i].c_str() : nullptr;
}
tenon_error* tenon_open_entry(const tenon_program* program, const char* name, tenon_program** entry) {
  return guarded([&] {
    require(program != nullptr, "the program"), require(name != nullptr, "the name");
    require(entry != nullptr, "the place of the entry");
    *entry = nullptr;
    const tenon::program* native = program->code->native();
    if (native == nullptr)
      throw error("program.entry", "this program has one entry, '" + program->entries.at(0) + "'", {},
                  "programs of native code may have several");
    *entry = opened(native->entry(name)).release();
  });
}

tenon_error* tenon_run(const tenon_program* program, const tenon_tensor* inputs, size_t input_count,
                       const tenon_tensor* outputs, size_t output_count, int threads) {
  return guarded([&] {
    require(program != nullptr, "the program");
    const std::vector<tensor> given = inputs_of(*program, inputs, input_count, false);
    const auto places = in_order(outputs, output_count, program->outputs, "output");
    std::vector<tensor> to;
    for (const tenon_tensor* t : places) {
      const std::string who = "output '" + program->outputs[to.size()]->name + "'";
      const dtype type = type_of(t->type, who);
      auto shape = shape_of(t->rank, t->shape, who);
      if (std::find(shape.begin(), shape.end(), 0) != shape.end()) {
        to.emplace_back(type, std::move(shape));
        continue;
      }
      if (t->data == nullptr)
        throw error("program.null", who + " has no data", {}, "point `data` at room for its elements");
      to.push_back(tensor::borrow(type, std::move(shape), t->data));
    }
    if (const tenon::program* native = program->code->native()) return native->run_into(given, to, threads);
    const std::vector<tensor> made = program->code->run(given, threads);
    for (size_t i = 0; i < made.size() && i < to.size(); ++i) {
      if (made[i].type() != to[i].type() || made[i].shape() != to[i].shape())
        throw error("program.type",
                    "output '" + program->outputs[i]->name + "' is " + made[i].describe() + ", and " +
                        to[i].describe() + " was given",
                    {}, "give a tensor of that type and shape, or call tenon_run_new");
      if (made[i].bytes() != 0) std::memcpy(to[i].data(), made[i].data(), static_cast<size_t>(made[i].bytes()));
    }
  });
}

tenon_error* tenon_stop_new(tenon_stop** stop) {
  return guarded([&] {
    require(stop != nullptr, "the place of the flag");
    *stop = new tenon_stop;
  });
}
void tenon_stop_request(tenon_stop* stop) { stop->flag.request(); }
void tenon_stop_clear(tenon_stop* stop) { stop->flag.clear(); }
void tenon_stop_free(tenon_stop* stop) { delete stop; }

tenon_error* tenon_run_with(const tenon_program* program, const tenon_tensor* inputs, size_t input_count,
                            const tenon_tensor* outputs, size_t output_count, const tenon_run_options* options) {
  return with_options(
      options, [&](int threads) { return tenon_run(program, inputs, input_count, outputs, output_count, threads); });
}

tenon_error* tenon_output_shape(const tenon_program* program, const tenon_tensor* inputs, size_t input_count, size_t i,
                                int64_t* shape, size_t room, size_t* rank) {
  return guarded([&] {
    require(program != nullptr, "the program"), require(rank != nullptr, "the place of the rank");
    const tenon::program* native = program->code->native();
    if (i >= program->outputs.size())
      throw error("program.name", "the program has " + std::to_string(program->outputs.size()) +
                                      " outputs, and no number " + std::to_string(i));
    if (native == nullptr)
      throw error("program.shape", "the shapes of this program's outputs are known once it has run", {},
                  "call tenon_run_new");
    const auto known = native->output_shapes(inputs_of(*program, inputs, input_count, true)).at(i);
    *rank = known.size();
    if (known.size() > room || (shape == nullptr && !known.empty()))
      throw error("program.shape", "output '" + program->outputs[i]->name + "' has " + std::to_string(known.size()) +
                                       " dimensions, and there is room for " + std::to_string(room));
    std::copy(known.begin(), known.end(), shape);
  });
}

tenon_error* tenon_run_new(const tenon_program* program, const tenon_tensor* inputs, size_t input_count, int threads,
                           tenon_results** results) {
  return guarded([&] {
    require(program != nullptr, "the program"), require(results != nullptr, "the place of the results");
    *results = nullptr;
    auto made = std::make_unique<tenon_results>();
    made->values = program->code->run(inputs_of(*program, inputs, input_count, false), threads);
    for (size_t i = 0; i < made->values.size(); ++i)
      made->add(made->values[i], i < program->outputs.size() ? program->outputs[i]->name.c_str() : nullptr);
    *results = made.release();
  });
}
tenon_error* tenon_run_new_with(const tenon_program* program, const tenon_tensor* inputs, size_t input_count,
                                const tenon_run_options* options, tenon_results** results) {
  return with_options(options,
                      [&](int threads) { return tenon_run_new(program, inputs, input_count, threads, results); });
}
size_t tenon_result_count(const tenon_results* results) { return results->seen.size(); }
const tenon_tensor* tenon_result(const tenon_results* results, size_t i) {
  return i < results->seen.size() ? &results->seen[i] : nullptr;
}
void tenon_results_free(tenon_results* results) { delete results; }

}  // extern "C"
