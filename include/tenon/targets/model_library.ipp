/// @file model_library.ipp: definitions of targets/model_library.hpp.
#pragma once

#include <algorithm>
#include <memory>

#include <tenon/artifacts/c_source.hpp>
#include <tenon/artifacts/elf.hpp>
#include <tenon/artifacts/object_file.hpp>
#include <tenon/ir/bounds_checks.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/model_library.hpp>
#include <tenon/targets/model_library_headers.ipp>
#include <tenon/targets/registry.hpp>

namespace tenon {

namespace detail {
/// What the headers name, in C; `pointers`: to the constants that the source has not in itself.
inline std::string c_memory(const constant_table& table, const std::vector<std::string>& pointers) {
  const std::string count = "[" + std::to_string(std::max<size_t>(pointers.size(), 1)) + "]";
  std::string s = "\nextern const void *const " + table.symbol + count + ";\nconst void *const " + table.symbol +
                  count + " = {" + (pointers.empty() ? "0" : "");
  for (size_t i = 0; i < pointers.size(); ++i)
    s += (i == 0 ? "" : ",") + std::string(i % 4 ? " " : "\n  ") + pointers[i];
  s += "};\n";
  for (const auto& [name, bytes] : table.scratch) {
    const bool is_flag = bytes == sizeof(int);
    const std::string one = is_flag ? "int " + name : "unsigned char " + name + "[" + std::to_string(bytes) + "]";
    s += "extern " + one + ";\n" + (is_flag ? "" : "_Alignas(64) ") + one + ";\n";
  }
  return s;
}

/// Constants one behind the other in `file`, each at a multiple of 64 bytes, and what C calls each.
inline std::vector<std::string> lay_out(const ir::module& m, const std::vector<constant_id>& table,
                                        const std::string& symbol, std::string& file) {
  std::vector<std::string> pointers;
  for (const constant_id c : table) {
    const tensor& t = m[c].value;
    pointers.push_back(symbol + "_weights + " + std::to_string(file.size()));
    file.append(static_cast<const char*>(t.data()), static_cast<size_t>(t.bytes()));
    file.resize((file.size() + 63) / 64 * 64);
  }
  return pointers;
}
/// The file becomes a part of the object that is made of the source, whatever the processor.
inline std::string c_weights(const std::string& symbol) {
  std::string s = R"c(
/* The constants are the file NAME.weights, which the assembler looks for where the compiler was started, in
   folders that -Wa,-I names, or as NAME_weights_file says. With NAME_weights_elsewhere another object has them,
   as NAME_weights, aligned to 64 bytes. */
#if !defined(NAME_weights_elsewhere)
#  if !defined(__GNUC__) || !defined(__ELF__)
#    error "this compiler takes in no files: define NAME_weights_elsewhere, and link NAME.weights as NAME_weights"
#  endif
#  ifndef NAME_weights_file
#    define NAME_weights_file "NAME.weights"
#  endif
__asm__(".pushsection .rodata.NAME_weights,\"a\"\n.balign 64\n"
        ".globl NAME_weights\n.hidden NAME_weights\nNAME_weights:\n"
        ".incbin \"" NAME_weights_file "\"\n.popsection\n");
#endif
extern const unsigned char NAME_weights[];
)c";
  for (size_t at = 0; (at = s.find("NAME", at)) != s.npos; at += symbol.size()) s.replace(at, 4, symbol);
  return s;
}
}  // namespace detail

std::string library_symbol(std::string_view file_stem) { return detail::c_name(file_stem); }

void check_library_symbol(std::string_view symbol) {
  if (detail::c_name(symbol) != symbol)
    throw error("library.symbol", "'" + std::string(symbol) + "' is no name that C and C++ can call a library", {},
                "a name begins with a letter, has letters, digits and _, and is no keyword; such as '" +
                    detail::c_name(symbol) + "'");
}

model_library library_of(const ir::module& built, const library_request& request) {
  check_library_symbol(request.symbol);
  model_library lib;
  lib.symbol = request.symbol;
  const ir::artifact* code = nullptr;
  for (const ir::artifact& a : built.artifacts())
    if (a.format == std::string_view(formats::elf_object::name) ||
        a.format == std::string_view(formats::c_source::name))
      code = &a;
  const bool is_source = code != nullptr && code->format == std::string_view(formats::c_source::name);
  program::parts parts;
  if (is_source) {
    parts = detail::c_source_parts(built);
  } else {
    const target_entry* e = code == nullptr ? nullptr : lookup_entry(parse_target(code->target).name);
    if (e == nullptr || e->program_file == nullptr)
      throw error("library.no_code", "the module is not one piece of machine code", {}, "build it for cpu or c_source");
    // A program file says all of a program; from its code only the object that was linked is used.
    const auto file = std::make_shared<const std::string>(e->program_file(built));
    parts = read_program(*file, file, request.symbol).parts;
  }
  if (!parts.more.empty())
    throw error("program.entries",
                "a library has one entry, and the module has '" + parts.name + "' and '" + parts.more[0].name + "'", {},
                "build one of them by itself: alone(module, name), tenon build --function NAME");
  lib.c_header = library_c_header(parts, request), lib.cpp_header = library_cpp_header(parts, request);
  constant_table table{request.symbol + "_constants", parts.constants, {}};
  if (parts.sizes.empty())
    table.scratch = {{request.symbol + "_workspace", static_cast<u64>(std::max<i64>(parts.arena_bytes, 64))},
                     {request.symbol + "_workspace_busy", sizeof(int)}};
  const std::string entry = library_entry(request.symbol);
  if (is_source) {
    if (code->symbol != entry)
      throw error("library.symbol", "the source defines '" + code->symbol + "', not '" + entry + "'", {},
                  "build it with --target c_source:entry=" + entry);
    std::vector<std::string> pointers;
    if (request.weights_apart) {
      std::vector<constant_id> constants;
      const targets::c_source options = detail::c_source_options(built);
      lib.source = passes::c_source_of(built, entry, ir::needs_checks(built, options.check_bounds), constants);
      pointers = detail::lay_out(built, constants, request.symbol, lib.weights);
      if (!pointers.empty()) lib.source += detail::c_weights(request.symbol);
    } else {
      lib.source.assign(code->bytes.begin(), code->bytes.end());
    }
    lib.source += detail::c_memory(table, pointers);
  } else {
    lib.objects.emplace_back(request.symbol + "_code.o", renamed_symbol(code->bytes, code->symbol, entry));
    lib.objects.emplace_back(request.symbol + "_data.o", constant_object(table, code->bytes));
  }
  return lib;
}

std::string model_library::archive(std::string_view compiled) const {
  std::vector<std::pair<std::string, std::string>> members;
  if (!compiled.empty()) members.emplace_back("code.o", compiled);
  for (const auto& [name, bytes] : objects)
    members.emplace_back(name.ends_with("_code.o") ? "code.o" : "data.o", bytes);
  return archive_of(members);
}

}  // namespace tenon
