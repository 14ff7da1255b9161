/// @file c_source.ipp: C source as programs of this process, and in files.
#pragma once

#include <tenon/passes/kernel_options.hpp>
#include <tenon/targets/c_source.hpp>

namespace tenon {
namespace detail {

/// Entry, ports and arena; constants are in the code.
inline program::parts c_source_parts(const ir::module& m, const artifact<formats::elf_shared>& code) {
  program::parts p;
  for (function_id f : m.functions()) {
    const ir::function& fn = m[f];
    if (fn.kind != ir::function_kind::graph || !fn.entry) continue;
    const auto& arguments = m[fn.body].arguments;
    const size_t inputs = arguments.size() - fn.result_types.size();
    for (size_t i = 0; i < arguments.size(); ++i) {
      const ir::type& t = m.type_of(arguments[i]);
      const auto& names = i < inputs ? fn.argument_names : fn.result_names;
      const size_t k = i < inputs ? i : i - inputs;
      port one;
      one.name = k < names.size() ? names[k] : std::to_string(k), one.type = t.elem, one.shape = t.extents();
      (i < inputs ? p.inputs : p.outputs).push_back(std::move(one));
    }
    p.name = fn.name;
  }
  if (auto it = m.metadata.find("arena_bytes"); it != m.metadata.end()) p.arena_bytes = std::stoll(it->second);
  if (auto it = m.metadata.find("fingerprint"); it != m.metadata.end()) p.fingerprint = it->second;
  p.target = code.target();
  p.code_bytes = static_cast<i64>(code.bytes().size());
  return p;
}

}  // namespace detail

TENON_INLINE void targets::c_source::configure(context& cx) const {
  passes::kernel_options k;
  k.target = "c_source";
  k.vector_bytes = 32;  // packed weights come in panels of two such vectors
  cx.set(k);
}

TENON_INLINE program load_c_source(const ir::module& built) {
  const auto linked = link(artifact_of<formats::c_source>(built));
  program::parts p = detail::c_source_parts(built, linked);
  const loaded_code code = load(linked);
  p.entry = code.entry(), p.code = code.keep();
  return program(std::move(p));
}

TENON_INLINE void save_c_source_program(const std::string& path, const ir::module& built) {
  const auto linked = link(artifact_of<formats::c_source>(built));
  save_program(path, detail::c_source_parts(built, linked), linked.bytes(), linked.symbol());
}

}  // namespace tenon
