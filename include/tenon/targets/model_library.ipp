/// @file model_library.ipp: definitions of targets/model_library.hpp.
#pragma once

#include <memory>

#include <tenon/compile/artifacts/c_source.hpp>
#include <tenon/compile/artifacts/elf.hpp>
#include <tenon/compile/artifacts/object_file.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/model_library.hpp>
#include <tenon/targets/model_library_headers.ipp>
#include <tenon/targets/registry.hpp>

namespace tenon {

namespace detail {
/// What the headers name, in C: source has its constants in itself.
inline std::string c_memory(const constant_table& table) {
  std::string s =
      "\nextern const void *const " + table.symbol + "[1];\nconst void *const " + table.symbol + "[1] = {0};\n";
  for (const auto& [name, bytes] : table.scratch) {
    const bool is_flag = bytes == sizeof(int);
    const std::string one = is_flag ? "int " + name : "unsigned char " + name + "[" + std::to_string(bytes) + "]";
    s += "extern " + one + ";\n" + (is_flag ? "" : "_Alignas(64) ") + one + ";\n";
  }
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
  const target_entry* e = nullptr;
  if (code != nullptr) {
    const bool source = code->format == std::string_view(formats::c_source::name);
    e = lookup_entry(source ? std::string_view("c_source") : parse_target(code->target).name);
  }
  if (code == nullptr || e == nullptr || e->program_file == nullptr)
    throw error("library.no_code", "the module is not one piece of machine code", {}, "build it for cpu or c_source");
  // A program file says all of a program; from its code only the object that was linked is used.
  const auto file = std::make_shared<const std::string>(e->program_file(built));
  const program_contents contents = read_program(*file, file, request.symbol);
  const program::parts& parts = contents.parts;
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
  if (code->format == std::string_view(formats::c_source::name)) {
    if (code->symbol != entry)
      throw error("library.symbol", "the source defines '" + code->symbol + "', not '" + entry + "'", {},
                  "build it with --target c_source:entry=" + entry);
    lib.source.assign(code->bytes.begin(), code->bytes.end());
    lib.source += detail::c_memory(table);
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
