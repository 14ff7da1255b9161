/// @file codegen.cpp: definition of compile/codegen.hpp over what LLVM does, in this process or apart.
#include <array>
#include <map>
#include <mutex>

#include <tenon/artifacts/elf.hpp>
#include <tenon/compile/codegen.hpp>
#include <tenon/core/byte_stream.hpp>

#include "apart.hpp"
#include "llvm.hpp"

namespace tenon::codegen {
namespace {

void send_progress(void*, const progress& p) {
  byte_writer out;
  out.number(p.done), out.number(p.all), out.text(std::string_view(p.kernel).substr(0, 1000));
  note_apart(out.bytes);
}
progress read_progress(std::string_view bytes) {
  byte_reader in(bytes, "codegen.process", "code generation", "");
  progress p;
  p.done = in.number(), p.all = in.number(), p.kernel = in.text();
  return p;
}

vector_unit vector_unit_apart(const std::string& triple, const std::string& cpu, const std::string& features) {
  const std::string bytes = run_apart("the processor", [&] {
    const vector_unit v = llvm().vector_unit_of(triple, cpu, features);
    byte_writer out;
    out.number(static_cast<u64>(v.bytes)), out.number(static_cast<u64>(v.registers)), out.number(u64{v.dot4});
    return out.bytes;
  });
  byte_reader table(bytes, "codegen.process", "the processor", "");
  vector_unit v;
  v.bytes = static_cast<int>(table.number()), v.registers = static_cast<int>(table.number());
  v.dot4 = table.number() != 0;
  return v;
}

}  // namespace

object_code emit_object(const ir::module& m, const options& o) { return emit_object(m, o, {}); }
object_code emit_object(const ir::module& m, const options& o, const progress_reader& reader) {
  if (!makes_code_apart()) return llvm().emit_object(m, o, reader);
  const auto step = [&] {
    const object_code made = llvm().emit_object(m, o, {nullptr, reader.read ? send_progress : nullptr});
    byte_writer out;
    for (const std::string* s : {&made.entry, &made.ir, &made.assembly, &made.triple, &made.cpu, &made.features})
      out.text(*s);
    out.text({made.bytes.data(), made.bytes.size()});
    return out.bytes;
  };
  const std::string bytes = run_apart("code generation", step, [&](std::string_view note) {
    if (reader.read) reader.read(reader.object, read_progress(note));
  });
  byte_reader table(bytes, "codegen.process", "code generation", "");
  object_code made;
  for (std::string* s : {&made.entry, &made.ir, &made.assembly, &made.triple, &made.cpu, &made.features})
    *s = table.text();
  const std::string code = table.text();
  made.bytes.assign(code.begin(), code.end());
  return made;
}

std::vector<char> link_shared(const object_code& object, std::optional<u64> interface) {
  if (!makes_code_apart()) return llvm().link_shared(object, interface);
  const std::string bytes = run_apart("linking", [&] {
    const std::vector<char> linked = llvm().link_shared(object, interface);
    return std::string(linked.begin(), linked.end());
  });
  return {bytes.begin(), bytes.end()};
}

vector_unit vector_unit_of(const std::string& triple, const std::string& cpu, const std::string& features) {
  if (!makes_code_apart()) return llvm().vector_unit_of(triple, cpu, features);
  // Asked for each compilation, and a process takes longer than all that it finds out.
  static std::mutex guard;
  static std::map<std::array<std::string, 3>, vector_unit> known;
  const std::lock_guard lock(guard);
  std::array key{triple, cpu, features};
  if (const auto found = known.find(key); found != known.end()) return found->second;
  return known.emplace(std::move(key), vector_unit_apart(triple, cpu, features)).first->second;
}

void open_generator() { static_cast<void>(llvm()); }

std::string host_triple() { return llvm().host_triple(); }
std::string host_cpu() { return llvm().host_cpu(); }
std::string host_features() { return llvm().host_features(); }

struct jit_code::implementation {
  std::unique_ptr<loaded_object> object;
  void* entry = nullptr;
};
jit_code::jit_code(const object_code& object) : implementation_(std::make_unique<implementation>()) {
  implementation_->object = llvm().load_object(object);
  implementation_->entry = find(object.entry);
}
jit_code::jit_code(jit_code&&) noexcept = default;
jit_code& jit_code::operator=(jit_code&&) noexcept = default;
jit_code::~jit_code() = default;
void* jit_code::entry() const { return implementation_->entry; }
void* jit_code::find(const std::string& symbol) const { return implementation_->object->find(symbol); }

}  // namespace tenon::codegen

namespace tenon {

artifact<formats::elf_shared> formats::elf_object::link(const artifact<elf_object>& a) {
  codegen::object_code o;
  o.bytes.assign(a.bytes().begin(), a.bytes().end());
  return {a.symbol(), a.target(), codegen::link_shared(o), a.producer()};
}

}  // namespace tenon
