/// @file c_source.ipp: C source as programs of this process, and in files.
#pragma once

#include <tenon/ir/entries.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/model_library.hpp>
#include <tenon/targets/program_parts.hpp>
#include <tenon/targets/spec.hpp>

namespace tenon {
namespace detail {

program::parts c_source_parts(const ir::module& m) {
  program::parts p = parts_of_entries(m, entry_ports);
  p.target = artifact_of<formats::c_source>(m).target();
  return p;
}

targets::c_source c_source_options(const ir::module& built) {
  if (!built.build.target.empty())
    if (const target_spec spec = parse_target(built.build.target); spec.name == targets::c_source::name.data())
      return target_from<targets::c_source>(spec);
  return {};
}

/// The artifact's source without its constants, which `p` gets: as text, compilers take longer for them than for all
/// code, and a program file has sections for them.
inline artifact<formats::elf_shared> linked_c(const ir::module& built, program::parts& p) {
  const targets::c_source options = c_source_options(built);
  const auto source = artifact_of<formats::c_source>(built);
  std::vector<constant_id> table;
  const std::string text =
      passes::c_source_of(built, source.symbol(), ir::needs_checks(built, options.check_bounds), table);
  for (const constant_id c : table) p.constants.push_back(built[c].value);
  const std::pair<std::string, u64> made_for[] = {{interface_symbol, interface_of(p, source.symbol())}};
  return formats::c_source::link({source.symbol(), source.target(), {text.begin(), text.end()}, source.producer()},
                                 static_cast<int>(options.optimize), made_for);
}

}  // namespace detail

std::unique_ptr<executable> targets::c_compiler::load(const ir::module& built) {
  return executable_of(load_c_source(built));
}

void targets::c_source::configure(context& cx) const {
  if (optimize < 0 || optimize > 3)
    throw usage_error("target.value", "option 'optimize' of target 'c_source' is out of range", {},
                      "optimize is 0 to 3");
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (size_t i = 0; i < entry.size(); ++i)
    if (!is_word(entry[i]) && !(i != 0 && is_digit(entry[i])))
      throw usage_error("target.value",
                        "option 'entry' of target 'c_source' is the name of a C function, and '" + entry + "' is none",
                        {}, "a name has letters, digits and _");
  if (!entry.empty()) cx.set(passes::emit_c{entry});
  passes::kernel_options k;
  k.target = "c_source";
  k.check_bounds = check_bounds;
  k.vector_bytes = 32;       // packed weights come in panels of two such vectors
  k.narrow_weights = false;  // C would make them floats one by one
  cx.set(k);
}

bool targets::c_source::has(const ir::op_view& op) { return passes::has_c_form(op); }

program load_c_source(const ir::module& built) {
  program::parts p = detail::c_source_parts(built);
  const auto linked = detail::linked_c(built, p);
  p.code_bytes = static_cast<i64>(linked.bytes().size());
  enter_loaded(p, load(linked), linked.symbol());
  return program(std::move(p));
}

std::string c_file_of(const ir::module& built, const std::string& symbol, const std::string& model) {
  check_library_symbol(symbol);
  const auto code = artifact_of<formats::c_source>(built);
  return c_file(detail::c_source_parts(built), {symbol, model}, {code.bytes().data(), code.bytes().size()},
                code.symbol());
}

std::string targets::c_compiler::program_file(const ir::module& built) {
  program::parts p = detail::c_source_parts(built);
  const auto linked = detail::linked_c(built, p);
  return program_bytes(p, linked.bytes(), linked.symbol());
}

void save_c_source_program(const std::string& path, const ir::module& built) {
  write_atomically(path, targets::c_compiler::program_file(built));
}

}  // namespace tenon
