/// @file write.ipp: a module as bytes.
///
/// Table: header texts, metadata, then what functions refer to (symbols, locations, types, ops), each in the order of
/// its first use so that the same module gives the same bytes, then constants, functions and artifacts. Version 3 did
/// not say what functions say of their effects, version 2 had no discardable attributes. Sections: the elements of
/// constants, then the bytes of artifacts.
#pragma once

#include <unordered_map>

#include <tenon/core/byte_stream.hpp>
#include <tenon/core/element_format.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/core/version.hpp>
#include <tenon/ir/bounds_checks.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/runtime/strings.hpp>

namespace tenon {
namespace binary {

/// The names of an op's attributes, and what they hold: a library in which they differ cannot read its values. Kinds of
/// a program's own have names, and what their values are written as: `scale:quant.scale(by:r)`.
inline std::string attribute_names(std::span<const ir::attribute> list) {
  constexpr char kinds[] = "birstIRScfme";  // in the order of ir::attribute_kind
  std::string text;
  for (const ir::attribute& a : list) {
    (text += text.empty() ? "" : ",").append(a.name).append(1, ':');
    if (a.own != nullptr) text.append(a.own->name).append("(" + attribute_names(a.own->form()) + ")");
    else text += kinds[static_cast<size_t>(a.kind)];
    if (a.kind == ir::attribute_kind::enumeration) text += std::to_string(a.values.size());
  }
  return text;
}

/// Writes an attribute's value.
struct attribute_writer {
  byte_writer& out;
  bool own_kinds = false;  ///< has it written a value of a program's own kind?

  void operator()(const bool& v) { out.number(v); }
  void operator()(const i64& v) { out.signed_number(v); }
  void operator()(const double& v) { out.real(v); }
  void operator()(const std::string& v) { out.text(v); }
  void operator()(const dtype& v) { write_element_type(out, v); }
  void operator()(const constant_id& v) { out.number(v ? v.index + u64{1} : 0); }
  void operator()(const ir::function_ref& v) { out.text(v.name); }
  void operator()(const ir::access_map& v) { (*this)(v.rows); }
  void operator()(const ir::enumeration& v) { out.number(static_cast<u64>(v.value)); }
  void operator()(const ir::discardable_value& v) {
    out.number(v.index());
    std::visit([this](const auto& x) { (*this)(x); }, v);
  }
  void operator()(const ir::kind_value& v) {
    own_kinds = true;
    out.text(v.kind), out.number(v.fields.size());
    for (const ir::kind_field& f : v.fields) out.text(f.name), (*this)(f.value);
  }
  template <class T>
  void operator()(const std::vector<T>& v) {
    out.number(v.size());
    for (const T& x : v) (*this)(x);
  }
};

class module_writer {
 public:
  explicit module_writer(const ir::module& m) : m_(m) {}

  /// Of what `frame` has made: a module without notes of a program's own kinds is as the version before wrote it, and
  /// is read by libraries that know no other.
  file_kind kind() const {
    file_kind k = module_file_kind;
    if (!own_kinds_) k.version = 4;
    return k;
  }
  /// Its sections are the module's constants and artifacts, where they are.
  frame_writer frame(std::string_view phase, std::span<const std::string> facts) {
    frame_writer file(table_text(phase, facts));
    for (size_t i = 0; i < m_.constant_count(); ++i) {
      const tensor& t = m_[constant_id(i)].value;
      if (t.type() != dtype::string) file.section(t);
    }
    for (const ir::artifact& a : m_.artifacts()) file.section(a.bytes.data(), a.bytes.size());
    return file;
  }
  std::string table_text(std::string_view phase, std::span<const std::string> facts) {
    // Code that was made already knows symbols by their numbers.
    if (!m_.artifacts().empty())
      for (size_t i = 0; i < m_.symbol_count(); ++i) symbols_(m_.name(symbol_id(i)));
    byte_writer functions;
    const auto list = m_.functions();
    functions.number(list.size());
    for (function_id f : list) function(functions, m_[f]);

    byte_writer table;
    table.text(phase);
    texts(table, facts);
    table.text(m_.build.fingerprint), table.text(m_.build.target);
    table.text(std::to_string(version_major) + "." + std::to_string(version_minor) + "." +
               std::to_string(version_patch));
    std::map<std::string, std::string> entries = m_.build.entries();
    entries.insert(m_.metadata.begin(), m_.metadata.end());
    table.number(entries.size());
    for (const auto& [key, value] : entries) table.text(key), table.text(value);
    table.number(m_.conditions.items().size());
    for (const extent_condition& c : m_.conditions) table.text(c.text());
    texts(table, symbols_.texts);
    texts(table, locations_.texts);
    table.number(discardable_count_);
    table.bytes += discardable_.bytes;
    table.number(type_count_);
    table.bytes += types_.bytes;
    table.number(ops_.size());
    for (const ir::op_info* op : ops_) table.text(op->name), table.text(attribute_names(op->attributes()));
    table.number(m_.constant_count());
    for (size_t i = 0; i < m_.constant_count(); ++i) {
      const auto& c = m_[constant_id(i)];
      table.text(c.name), write_element_type(table, c.value.type()), table.number(c.value.shape().size());
      for (i64 d : c.value.shape()) table.number(static_cast<u64>(d));
      if (c.value.type() == dtype::string) {  // their numbers mean something in this process only
        texts(table, strings_of(c.value));
      }
    }
    table.bytes += functions.bytes;
    table.number(m_.artifacts().size());
    for (const ir::artifact& a : m_.artifacts()) {
      table.text(a.format), table.text(a.target), table.text(a.symbol), table.text(a.producer),
          table.number(a.bytes.size());
    }
    return std::move(table.bytes);
  }

 private:
  struct numbered_texts {
    std::vector<std::string> texts;
    std::unordered_map<std::string, u64> index;
    u64 operator()(const std::string& s) {
      const auto [it, fresh] = index.try_emplace(s, texts.size());
      if (fresh) texts.push_back(s);
      return it->second;
    }
  };
  static void texts(byte_writer& out, std::span<const std::string> list) {
    out.number(list.size());
    for (const std::string& s : list) out.text(s);
  }

  /// The number of a type, which is written after those that it is made of.
  u64 type(type_id id) {
    if (const auto it = type_index_.find(id.index); it != type_index_.end()) return it->second;
    const ir::type& t = m_[id];
    std::vector<u64> parts;
    for (type_id p : t.parts) parts.push_back(type(p));
    types_.number(static_cast<u64>(t.kind)), write_element_type(types_, t.elem), types_.number(t.ranked);
    types_.number(t.split), types_.text(t.space);
    types_.number(t.shape.size());
    for (ir::dim d : t.shape)  // an extent, nothing, or a symbol
      types_.number(d.is_static() ? static_cast<u64>(d.extent()) + 1 : 0),
          d.is_static() ? void() : types_.number(d.is_symbol() ? symbols_(m_.name(d.symbol())) + 1 : 0);
    types_.number(parts.size());
    for (u64 p : parts) types_.number(p);
    type_index_.emplace(id.index, type_count_);
    return type_count_++;
  }

  void function(byte_writer& out, const ir::function& f) {
    values_.clear();
    out.text(f.name);
    out.number(static_cast<u64>(f.kind)), out.number(f.entry), out.number(static_cast<u64>(f.purity));
    out.text(f.target), out.text(f.phase);
    texts(out, f.argument_names), texts(out, f.result_names);
    out.number(f.result_types.size());
    for (type_id t : f.result_types) out.number(type(t));
    out.number(discardable(f.discardable));
    region(out, f.body);
  }

  /// The number of a set of discardable attributes; 0 of an empty one.
  u64 discardable(const ir::discardable_attributes& d) {
    if (d.empty()) return 0;
    byte_writer set;
    attribute_writer values{set};
    set.number(d.size());
    for (const auto& [name, value] : d) {
      set.text(name);
      values(value);
    }
    own_kinds_ = own_kinds_ || values.own_kinds;
    const auto [it, fresh] = discardable_index_.try_emplace(set.bytes, discardable_count_ + 1);
    if (fresh) discardable_.bytes += set.bytes, ++discardable_count_;
    return it->second;
  }

  void define(value_id v) { values_.emplace(v.index, values_.size()); }
  void value(byte_writer& out, value_id v) {
    out.number(type(m_[v].type)), out.number(discardable(m_.discardable(v)));
    define(v);
  }
  void region(byte_writer& out, region_id r) {
    const ir::region_node& node = m_[r];
    out.number(node.arguments.size());
    for (value_id a : node.arguments) value(out, a);
    out.number(node.ops.size());
    for (op_id op : node.ops) operation(out, op);
  }
  /// A location with the constraint of the op, which stands behind a zero.
  std::string place_of(location_id l) const {
    const std::string &text = m_.text(l), &target = m_.target(l);
    return target.empty() && text.find('\0') == text.npos ? text : text + '\0' + target;
  }
  void operation(byte_writer& out, op_id op) {
    const ir::op_node& n = m_[op];
    const auto [it, fresh] = op_index_.try_emplace(n.info, ops_.size());
    if (fresh) ops_.push_back(n.info);
    out.number(it->second);
    for (const ir::attribute& a : n.info->attributes()) a.visit(m_.attributes(n.attributes), attribute_writer{out});
    out.number(n.location ? locations_(place_of(n.location)) + 1 : 0);
    out.number(discardable(m_.discardable(op)));
    out.number(n.operand_count);
    for (value_id v : m_.operands(op)) {
      const auto known = values_.find(v.index);
      if (v && known == values_.end())
        throw error("module.file", std::string(n.info->name) + " uses a value before it is defined",
                    m_.text(n.location), "verify the module");
      out.number(v ? known->second + 1 : 0);
    }
    out.number(n.result_count);
    for (value_id v : m_.results(op)) value(out, v);
    out.number(n.region_count);
    for (u32 i = 0; i < n.region_count; ++i) region(out, m_.region(op, static_cast<int>(i)));
  }

  const ir::module& m_;
  byte_writer types_, discardable_;
  u64 type_count_ = 0, discardable_count_ = 0;
  bool own_kinds_ = false;  ///< is a discardable attribute of one?
  numbered_texts symbols_, locations_;
  std::unordered_map<u32, u64> type_index_, values_;
  std::unordered_map<std::string, u64> discardable_index_;
  std::unordered_map<const ir::op_info*, u64> op_index_;
  std::vector<const ir::op_info*> ops_;
};

}  // namespace binary

std::string serialize(const ir::module& m, std::string_view phase, std::span<const std::string> facts) {
  binary::module_writer writer(m);
  const frame_writer file = writer.frame(phase, facts);
  return file.finish(writer.kind());
}
std::string serialize_table(const ir::module& m, std::string_view phase) {
  return binary::module_writer(m).table_text(phase, {});
}
void save_module(const std::string& path, const ir::module& m, std::string_view phase,
                 std::span<const std::string> facts) {
  binary::module_writer writer(m);
  const frame_writer file = writer.frame(phase, facts);
  file.write(path, writer.kind());
}

}  // namespace tenon
