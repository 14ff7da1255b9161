/// @file program_file: a program file's bytes, wherever they are: a file of its own, or a part of another one.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <tenon/core/framed_file.hpp>
#include <tenon/runtime/program.hpp>

namespace tenon {

class loaded_code;  // runtime/loaded_code.hpp

/// What the code of a program takes, gives and relies on, as one number: all that the file's table says of it. Whoever
/// links the code has it define this number as the absolute symbol `interface_symbol`, and code whose number is another
/// one, or that has none, is not run: a table that was edited speaks of other code.
inline constexpr const char* interface_symbol = "tenon_interface";
u64 interface_of(const program::parts& parts, std::string_view entry_symbol);

/// What `save_program` writes.
std::string program_bytes(const program::parts& parts, std::span<const char> shared_object,
                          std::string_view entry_symbol);
/// Reads and checks them; `owner` keeps them alive, `where` names them in errors.
program_contents read_program(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& where,
                              frame_check check = frame_check::all);
/// Puts the code into this process. Errors: "program.processor" where the processor lacks what it was made for;
/// "program.interface" where it was made for something else than the table says.
program open_program(program_contents contents);
/// Looks up the entries of a program in its code, whose first one is `symbol` (core/entry_symbol.hpp). Error
/// "artifact.load".
void enter_loaded(program::parts& p, const loaded_code& code, const std::string& symbol);

}  // namespace tenon
