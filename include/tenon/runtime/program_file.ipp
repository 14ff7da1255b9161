/// @file program_file.ipp: program files, written and read.
///
/// File: a frame (core/framed_file.hpp) whose table holds names, ports and sizes, and whose sections are the code and
/// the constants, served in place by the mapped file.
#pragma once

#include <algorithm>
#include <cstdio>

#include <tenon/core/byte_stream.hpp>
#include <tenon/core/element_format.hpp>
#include <tenon/core/entry_symbol.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/runtime/loaded_code.hpp>
#include <tenon/runtime/processor.hpp>
#include <tenon/runtime/program_file.hpp>

namespace tenon {

namespace detail {

inline void write_texts(byte_writer& table, const std::vector<std::string>& list) {
  table.number(list.size());
  for (const std::string& s : list) table.text(s);
}
inline std::vector<std::string> read_texts(byte_reader& table) {
  std::vector<std::string> r(table.count("the number of texts"));
  for (std::string& s : r) s = table.text();
  return r;
}
inline void write_ports(byte_writer& table, const std::vector<port>& list) {
  table.number(list.size());
  for (const port& p : list) {
    table.text(p.name), write_element_type(table, p.type), table.number(p.shape.size());
    for (i64 d : p.shape) table.signed_number(d);
  }
}
inline std::vector<port> read_ports(byte_reader& table) {
  std::vector<port> r(table.count("the number of ports"));
  for (port& p : r) {
    p.name = table.text();
    p.type = read_element_type(table);
    p.shape.resize(table.number(64, "a rank"));
    for (i64& d : p.shape) {
      d = table.signed_number();
      if (d < -(i64{1} << 20) || d == -1 || d > (i64{1} << 40)) table.fail("an extent is out of range");
    }
  }
  return r;
}

/// What is said of each entry.
inline void write_signature(byte_writer& table, const program::parts& parts) {
  table.number(static_cast<u64>(parts.arena_bytes));
  write_ports(table, parts.inputs), write_ports(table, parts.outputs);
  write_texts(table, parts.sizes.symbols);
  std::vector<std::string> conditions;
  for (const extent_condition& c : parts.sizes.conditions) conditions.push_back(c.text());
  write_texts(table, conditions);
  table.number(parts.sizes.buffers.size());
  for (const auto& b : parts.sizes.buffers)
    table.number(static_cast<u64>(b.first)), table.number(static_cast<u64>(b.last)), table.text(b.bytes);
}
inline void read_signature(byte_reader& table, program::parts& p) {
  p.arena_bytes = static_cast<i64>(table.number(u64{1} << 46, "the arena's size"));
  p.inputs = read_ports(table), p.outputs = read_ports(table);
  p.sizes.symbols = read_texts(table);
  for (const std::string& text : read_texts(table)) {
    const auto c = extent_condition::parse(text);
    if (!c) table.fail("'" + text + "' is no condition on extents");
    p.sizes.conditions.push_back(*c);
  }
  p.sizes.buffers.resize(table.count("the number of buffers"));
  for (auto& b : p.sizes.buffers) {
    b.first = static_cast<i64>(table.number(1 << 30, "a position")),
    b.last = static_cast<i64>(table.number(1 << 30, "a position"));
    b.bytes = table.text();
  }
}
/// The table up to the code's size.
inline void write_interface(byte_writer& table, const program::parts& parts, std::string_view entry_symbol) {
  table.text(parts.name), table.text(parts.target), table.text(parts.fingerprint), table.text(entry_symbol);
  write_signature(table, parts);
}
/// A program of one entry has nothing of this, and its file is what it was before there were others.
inline void write_more_entries(byte_writer& table, const program::parts& parts) {
  if (!parts.more.empty()) table.number(parts.more.size());
  for (const program::parts& one : parts.more) table.text(one.name), write_signature(table, one);
}
/// Of which entry each of the others is a variant; a program without variants has nothing of this.
inline void write_variants(byte_writer& table, const program::parts& parts) {
  const auto is_variant = [](const program::parts& one) { return !one.variant_of.empty(); };
  if (std::none_of(parts.more.begin(), parts.more.end(), is_variant)) return;
  for (const program::parts& one : parts.more) table.text(one.variant_of);
}
/// Names of steps bind nobody: they are no part of the interface.
inline void write_steps(byte_writer& table, const std::vector<program_step>& steps) {
  table.number(steps.size());
  for (const program_step& s : steps)
    table.number(static_cast<u64>(s.kind)), table.text(s.name), write_texts(table, s.sources), table.text(s.work);
}
inline std::vector<program_step> read_steps(byte_reader& table) {
  std::vector<program_step> r(table.count("the number of steps"));
  for (program_step& s : r) {
    s.kind = static_cast<run_step::kind_t>(table.number(static_cast<u64>(run_step::kind_t::host), "a kind of step"));
    s.name = table.text(), s.sources = read_texts(table), s.work = table.text();
  }
  return r;
}
inline void write_constant_types(byte_writer& table, const program::parts& parts) {
  table.number(parts.constants.size());
  for (const tensor& c : parts.constants) {
    write_element_type(table, c.type()), table.number(c.shape().size());
    for (i64 d : c.shape()) table.number(static_cast<u64>(d));
  }
}

}  // namespace detail

u64 interface_of(const program::parts& parts, std::string_view entry_symbol) {
  byte_writer said;
  detail::write_interface(said, parts, entry_symbol), detail::write_constant_types(said, parts);
  detail::write_more_entries(said, parts), detail::write_variants(said, parts);
  return checksum_of(said.bytes);
}

namespace detail {

inline frame_writer program_frame(const program::parts& parts, std::span<const char> shared_object,
                                  std::string_view entry_symbol) {
  byte_writer table;
  write_interface(table, parts, entry_symbol);
  table.number(shared_object.size());
  write_constant_types(table, parts);
  write_steps(table, parts.steps);
  write_more_entries(table, parts);
  for (const program::parts& one : parts.more) write_steps(table, one.steps);
  write_variants(table, parts);
  frame_writer file(std::move(table.bytes));
  file.section(shared_object.data(), shared_object.size());
  for (const tensor& c : parts.constants) file.section(c);
  return file;
}

}  // namespace detail

std::string program_bytes(const program::parts& parts, std::span<const char> shared_object,
                          std::string_view entry_symbol) {
  return detail::program_frame(parts, shared_object, entry_symbol).finish(program_file_kind);
}

void save_program(const std::string& path, const program::parts& parts, std::span<const char> shared_object,
                  std::string_view entry_symbol) {
  detail::program_frame(parts, shared_object, entry_symbol).write(path, program_file_kind);
}

bool is_program_file(const std::string& path) { return is_file_of(path, program_file_kind); }

program_contents read_program(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& where,
                              frame_check check) {
  const framed frame = open_frame(bytes, program_file_kind, where, check);
  byte_reader table(frame.table, "program.file", where, program_file_kind.hint);
  program_contents read;
  read.file = owner, read.where = where;
  program::parts& p = read.parts;
  p.name = table.text(), p.target = table.text(), p.fingerprint = table.text();
  read.symbol = table.text();
  detail::read_signature(table, p);
  const u64 size = frame.body.size();
  u64 at = frame.table.size();
  auto section = [&](u64 n) {
    at = (at + file_alignment - 1) / file_alignment * file_alignment;
    if (at > size || n > size - at) table.fail("a section reaches beyond the end of the file");
    const char* s = frame.body.data() + at;
    at += n;
    return s;
  };
  p.code_bytes = static_cast<i64>(table.number(size, "the code's size"));
  read.code = {section(static_cast<u64>(p.code_bytes)), static_cast<size_t>(p.code_bytes)};
  const u64 constants = table.count("the number of constants");
  for (u64 i = 0; i < constants; ++i) {
    const dtype t = read_element_type(table);
    std::vector<i64> shape(table.number(64, "a rank"));
    u64 bytes = static_cast<u64>(size_of(t));
    for (i64& d : shape) {
      d = static_cast<i64>(table.number(size, "an extent"));
      if (d != 0 && bytes > size / static_cast<u64>(d)) table.fail("a constant is larger than the file");
      bytes *= static_cast<u64>(d);
    }
    const char* elements = section(bytes);
    if (!are_elements(t, elements, bytes)) table.fail("a byte is no element of " + std::string(name_of(t)));
    p.constants.push_back(tensor::view(t, std::move(shape), elements, owner));
  }
  p.steps = detail::read_steps(table);
  for (u64 n = table.left() != 0 ? table.count("the number of other entries") : 0; n > 0; --n) {
    program::parts& one = p.more.emplace_back();
    one.name = table.text(), detail::read_signature(table, one);
  }
  for (program::parts& one : p.more) one.steps = detail::read_steps(table);
  if (table.left() != 0)
    for (program::parts& one : p.more) one.variant_of = table.text();
  if (table.left() != 0) table.fail("the table is longer than it should be");
  return read;
}

program_contents read_program(const std::string& path) {
  const auto file = std::make_shared<const mapped_file>(path);
  return read_program(file->bytes(), file, path);
}

void enter_loaded(program::parts& p, const loaded_code& code, const std::string& symbol) {
  p.entry = code.entry(), p.code = code.keep();
  for (size_t i = 0; i < p.more.size(); ++i) {
    const std::string name = symbol_of_entry(symbol, i + 1);
    p.more[i].entry = reinterpret_cast<tenon_entry>(code.find(name));
    if (p.more[i].entry == nullptr)
      throw error("artifact.load", "the code does not define '" + name + "', the entry '" + p.more[i].name + "'", {},
                  program_file_kind.hint);
  }
}

program open_program(program_contents read) {
  require_processor(read.parts.target, read.where);
  if (const auto made_for = absolute_symbol(read.code, interface_symbol);
      made_for != interface_of(read.parts, read.symbol))
    throw error("program.interface",
                made_for ? "the code was made for other inputs, outputs or sizes than the file says"
                         : "the code does not say what it was made for",
                read.where, program_file_kind.hint);
  const loaded_code loaded(read.code, read.symbol);
  enter_loaded(read.parts, loaded, read.symbol);
  return program(std::move(read.parts));
}

program program::open(const std::string& path) { return open_program(read_program(path)); }

}  // namespace tenon
