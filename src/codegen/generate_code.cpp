/// @file generate_code.cpp: definition of passes/generate_code.hpp.
#include <tenon/passes/generate_code.hpp>

namespace tenon::passes {

ir_module<generate_code::to> generate_code::run(ir_module<from>&& module, context& cx) const {
  ir::module& m = module.body();
  codegen::object_code o = codegen::emit_object(m, cx.get<codegen::options>());
  m.add_artifact({"elf_object", o.cpu + " " + o.features, o.entry, std::move(o.bytes), name.data()});
  return ir_module<to>::adopt(std::move(m));
}

}  // namespace tenon::passes
