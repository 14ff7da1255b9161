/// @file parse_functions.ipp: reading functions, regions and ops.
#pragma once

#include <tenon/text/parse.ipp>

namespace tenon {
namespace texting {

inline std::string_view parser::value_name() {
  s_.expect("%");
  const std::string_view name = s_.name_parts_here();
  if (name.empty()) s_.fail_expected("the name of a value");
  return name;
}

inline void parser::define(std::string_view name, value_id v, size_t position) {
  const u64 hash = hash_of(name);
  if (values_.find(hash, [&](u32 n) { return defined_[n].name == name; }) != hash_index::none)
    s_.fail_at(position, "text.syntax", "%" + std::string(name) + " is defined above already");
  values_.insert(hash, static_cast<u32>(defined_.size()));
  defined_.push_back({name, v});
}

/// What a region defined is not seen behind it: names go until so many are left.
inline void parser::forget_behind(size_t defined) {
  for (; defined_.size() > defined; defined_.pop_back())
    values_.erase(hash_of(defined_.back().name), static_cast<u32>(defined_.size() - 1));
}

inline value_id parser::operand() {
  if (s_.take("_")) return {};
  const size_t start = (s_.skip_space(), s_.position());
  const std::string_view name = value_name();
  const u32 found = values_.find(hash_of(name), [&](u32 n) { return defined_[n].name == name; });
  if (found == hash_index::none) s_.fail_at(start, "text.undefined", "%" + std::string(name) + " is not defined here");
  return defined_[found].value;
}

inline void parser::arguments(region_id r) {
  s_.expect("(");
  if (s_.take(")")) return;
  do {
    const size_t start = (s_.skip_space(), s_.position());
    const std::string_view name = value_name();
    s_.expect(":");
    const value_id v = m_.add_argument(r, type_number());
    m_.set_discardable(v, discardable("[", "]"));
    define(name, v, start);
  } while (s_.take(","));
  s_.expect(")");
}

/// The names of what a function takes or gives: not more than there are.
inline std::vector<std::string> parser::port_names(const char* what, size_t most, const char* of) {
  const size_t start = (s_.skip_space(), s_.position());
  std::vector<std::string> names = strings();
  if (names.size() > most)
    s_.fail_at(start, "text.syntax",
               std::to_string(names.size()) + " " + what + " are named, and the function has " + std::to_string(most) +
                   " " + of + (most == 1 ? "" : "s"));
  return names;
}

inline void parser::function_text(ir::function_kind kind) {
  values_.clear();
  defined_.clear();
  const bool entry = s_.take("entry");
  s_.expect("@");
  const size_t start = s_.position();
  const std::string name = s_.name_or_string("the name of a function");
  if (m_.find_function(name)) s_.fail_at(start, "text.syntax", "function '" + name + "' is defined above already");
  const function_id f = m_.add_function(name, kind, {});
  m_[f].entry = entry;
  const region_id body = m_[f].body;
  arguments(body);
  if (s_.take("->")) {
    const auto results = type_list();
    m_[f].result_types = results;
  }
  if (s_.take("inputs")) m_[f].argument_names = port_names("inputs", m_[body].arguments.size(), "argument");
  if (s_.take("outputs")) m_[f].result_names = port_names("outputs", m_[f].result_types.size(), "result");
  if (s_.take("attributes")) m_[f].discardable = discardable("(", ")");
  if (s_.take("target")) {
    s_.expect("(");
    m_[f].target = s_.string();
    s_.expect(")");
  }
  if (s_.take("phase")) {
    s_.expect("(");
    const std::string phase = s_.name_or_string("the name of a phase");
    s_.expect(")");
    if (phase != phase_) m_[f].phase = phase;
  }
  for (size_t said = 1; said < std::size(ir::purity_names) && m_[f].purity == ir::function_purity::unsaid; ++said)
    if (s_.take(ir::purity_names[said])) m_[f].purity = static_cast<ir::function_purity>(said);
  ahead_ = !m_[f].phase.empty();
  s_.expect("{");
  region_text(body);
}

/// The ops of a region, up to its closing brace.
inline void parser::region_text(region_id r) {
  const number_of_depth guard(*this);
  while (!s_.take("}")) op_text(r);
}

inline parser::known_op& parser::op_named(std::string_view name, size_t position) {
  if (const auto it = ops_.find(name); it != ops_.end()) {
    if (it->second.info) return it->second;
    s_.fail_at(position, "text.op", "two ops are named '" + std::string(name) + "', and text knows an op by its name",
               "rename your own");
  }
  for (const ir::op_info* info : ir::built_in_op_table())
    if (info->name == name && ahead_)
      return ahead_ops_.try_emplace(name, known_op{info, {}})
          .first->second;  // the verifier knows which its phase lists
    else if (info->name == name)
      s_.fail_at(position, "text.op",
                 "op '" + std::string(name) + "' does not exist in phase '" +
                     std::string(options_.phase.empty() ? "of these ops" : options_.phase) + "'");
  std::vector<std::string> known;
  for (const auto& [op, info] : ops_) known.emplace_back(op);
  std::string hint = nearest(name, known);
  if (!hint.starts_with("did you mean")) hint.clear();  // all of them would be too many
  s_.fail_at(position, "text.op", "there is no op '" + std::string(name) + "'", std::move(hint));
}

/// `[%i * 2 + %k - 1, %j]`: one affine index per dimension; the values become operands in order of appearance.
inline void parser::access(operand_list& list) {
  const size_t first = list.values.size();
  std::vector<std::vector<i64>> rows;  // ragged until all values are known
  const auto add = [&](i64& to, i64 amount) {
    if (__builtin_add_overflow(to, amount, &to)) s_.fail_at(s_.position(), "text.number", "the index is out of range");
  };
  if (!s_.take("]")) {
    do {
      std::vector<i64> row(1 + list.values.size() - first, 0);
      i64 sign = s_.take("-") ? -1 : 1;
      do {
        i64 coefficient = 1;
        if (s_.peek() == '%') {
          const value_id v = operand();
          if (s_.take("*")) coefficient = s_.integer<i64>();
          if (__builtin_mul_overflow(coefficient, sign, &coefficient))
            s_.fail_at(s_.position(), "text.number", "the index is out of range");
          size_t k = first;
          while (k < list.values.size() && list.values[k] != v) ++k;
          if (k == list.values.size()) list.values.push_back(v), row.push_back(0);
          add(row[1 + k - first], coefficient);
        } else {
          const i64 number = s_.integer<i64>();
          if (__builtin_mul_overflow(number, sign, &coefficient))
            s_.fail_at(s_.position(), "text.number", "the index is out of range");
          add(row[0], coefficient);
        }
        sign = s_.take("+") ? 1 : s_.take("-") ? -1 : 0;
      } while (sign != 0);
      rows.push_back(std::move(row));
    } while (s_.take(","));
    s_.expect("]");
  }
  for (auto& row : rows) row.resize(1 + list.values.size() - first, 0);
  list.map = ir::access_map{std::move(rows)};
}

inline parser::operand_list parser::operands() {
  operand_list list;
  s_.expect("(");
  if (s_.take(")")) return list;
  do {
    if (list.map) ++list.after_access;
    list.values.push_back(operand());
    if (!list.map && s_.take_here("[")) access(list);
  } while (s_.take(","));
  s_.expect(")");
  return list;
}

/// What stands in braces, if they do: values of the attributes in `list`, of an op, or of the fields of a kind.
inline void parser::attributes(std::span<const ir::attribute> list, void* of, const char* owner,
                               std::string_view owner_name, const char* what) {
  const number_of_depth guard(*this);
  if (!s_.take("{")) return;
  do {
    const size_t start = (s_.skip_space(), s_.position());
    const std::string_view name = s_.word("the name of an attribute");
    s_.expect("=");
    const auto a = std::ranges::find(list, name, &ir::attribute::name);
    if (a == list.end()) {
      std::string known;
      for (const ir::attribute& other : list) (known += known.empty() ? "" : ", ").append(other.name);
      s_.fail_at(
          start, "text.syntax",
          std::string(owner) + " '" + std::string(owner_name) + "' has no " + what + " '" + std::string(name) + "'",
          known.empty() ? "it has none" : "it has " + known);
    }
    a->visit(of, attribute_parser{*this, name});
  } while (s_.take(","));
  s_.expect("}");
}

inline ir::discardable_value parser::discardable_value() {
  const auto list = [&]<class T>(T, auto&& element) {
    std::vector<T> v;
    s_.expect("[");
    if (s_.take("]")) return v;
    do v.push_back(element());
    while (s_.take(","));
    s_.expect("]");
    return v;
  };
  const auto integer = [&] { return s_.integer<i64>(); };
  const auto real = [&] { return s_.real<double>(); };
  const auto text = [&] { return s_.string(); };
  if (s_.take("true")) return true;
  if (s_.take("false")) return false;
  if (s_.take("reals")) return list(double{}, real);
  if (s_.take("texts")) return list(std::string{}, text);
  if (s_.peek() == '"') return text();
  if (const size_t start = s_.position(); is_name_start(s_.next())) {
    const bool is_kind = ir::is_namespaced_name(s_.word("a value"));  // as inf and nan are not
    s_.go_to(start);
    if (is_kind) return kind_value();
  }
  if (s_.peek() != '[') return s_.is_integer() ? ir::discardable_value(integer()) : ir::discardable_value(real());
  const size_t start = s_.position();
  s_.expect("[");  // the first element says what the list is of
  const bool texts = s_.peek() == '"', integers = s_.peek() == ']' || s_.is_integer();
  s_.go_to(start);
  if (texts) return list(std::string{}, text);
  return integers ? ir::discardable_value(list(i64{}, integer)) : ir::discardable_value(list(double{}, real));
}

/// A value of a program's own kind, which this program need not know: `quant.scale {by = 0.5}`, `my.layout "nchw"`.
inline ir::kind_value parser::kind_value() {
  const number_of_depth guard(*this);
  ir::kind_value v;
  v.kind = s_.word("a kind of attributes");
  if (!s_.take("{")) return v.fields.push_back({{}, discardable_value()}), v;
  if (s_.take("}")) return v;
  do {
    const size_t start = (s_.skip_space(), s_.position());
    const std::string field(s_.word("the name of a field"));
    for (const ir::kind_field& f : v.fields)
      if (f.name == field) s_.fail_at(start, "text.syntax", "'" + field + "' is said twice");
    s_.expect("=");
    v.fields.push_back({field, discardable_value()});
  } while (s_.take(","));
  s_.expect("}");
  return v;
}

/// What stands in brackets, if they do: `[user.lanes = 4]`.
inline ir::discardable_attributes parser::discardable(const char* open, const char* close) {
  ir::discardable_attributes d;
  if (!s_.take(open)) return d;
  do {
    const size_t start = (s_.skip_space(), s_.position());
    const std::string_view name = s_.word("the name of an attribute");
    if (!ir::is_namespaced_name(name))
      s_.fail_at(start, "text.syntax", "'" + std::string(name) + "' is no name of a discardable attribute",
                 "begin it with a namespace, as in user.lanes");
    if (d.find(name)) s_.fail_at(start, "text.syntax", "'" + std::string(name) + "' is said twice");
    s_.expect("=");
    d.set(name, discardable_value());
  } while (s_.take(","));
  s_.expect(close);
  return d;
}

/// What stands in braces behind an op's operands, with their access.
inline attr_id parser::attributes_of(known_op& op, const operand_list& list, size_t position) {
  const ir::op_info& info = *op.info;
  const bool none_said = !list.map && s_.peek() != '{';
  if (none_said && op.initial) return op.initial;
  const std::unique_ptr<void, void (*)(void*)> fields{info.make(), info.destroy};
  attributes(info.attributes(), fields.get(), "op", info.name, "attribute");
  if (list.map) {
    if (&info == &ir::info_of<loop::load>) {
      auto& l = *static_cast<loop::load*>(fields.get());
      l.map = *list.map;
      l.guarded = list.after_access != 0;
    } else if (&info == &ir::info_of<loop::store>) {
      static_cast<loop::store*>(fields.get())->map = *list.map;
    } else {
      s_.fail_at(position, "text.op", "op '" + std::string(info.name) + "' does not access a buffer by indices");
    }
  }
  const attr_id read = m_.intern_attributes(info, fields.get());
  if (none_said) op.initial = read;
  return read;
}

inline void parser::op_text(region_id r) {
  const size_t start = (s_.skip_space(), s_.position());
  small_vector<std::string_view, 4> names;
  if (s_.peek() == '%') {
    do names.push_back(value_name());
    while (s_.take(","));
    s_.expect("=");
  }
  const size_t name_at = (s_.skip_space(), s_.position());
  known_op& known = op_named(s_.word("an op"), name_at);
  const ir::op_info& info = *known.info;

  const operand_list list = operands();
  const int count = static_cast<int>(list.values.size());
  if (count < info.traits.min_operands || (info.traits.max_operands >= 0 && count > info.traits.max_operands))
    s_.fail_at(
        name_at, "text.op",
        "op '" + std::string(info.name) + "' has " + std::to_string(count) + (count == 1 ? " operand" : " operands") +
            ", but takes " + (info.traits.max_operands < 0 ? "at least " : "") +
            std::to_string(info.traits.min_operands) +
            (info.traits.max_operands <= info.traits.min_operands ? ""
                                                                  : " to " + std::to_string(info.traits.max_operands)));
  const attr_id attributes = attributes_of(known, list, name_at);

  small_vector<type_id, 4> types;
  std::vector<ir::discardable_attributes> notes;  ///< up to the last result that has some
  if (s_.take(":")) {
    const bool several = s_.take("(");
    if (!several || !s_.take(")")) {
      do {
        types.push_back(type_number());
        if (s_.peek() == '[') notes.resize(types.size()), notes.back() = discardable("[", "]");
      } while (several && s_.take(","));
      if (several) s_.expect(")");
    }
  }
  if (types.size() != names.size())
    s_.fail_at(
        start, "text.op",
        std::to_string(names.size()) + " results are named, but " + std::to_string(types.size()) + " types are given");
  if (info.traits.results >= 0 && names.size() != static_cast<size_t>(info.traits.results))
    s_.fail_at(start, "text.op",
               "op '" + std::string(info.name) + "' has " + std::to_string(info.traits.results) + " results, not " +
                   std::to_string(names.size()));

  int regions = info.traits.regions;
  if (regions < 0) {
    regions = 0;
    if (s_.take("regions")) {
      s_.expect("(");
      const size_t at = s_.position();
      regions = s_.integer<int>();
      if (regions < 0 || regions > 1000) s_.fail_at(at, "text.number", "expected at most 1000 regions");
      s_.expect(")");
    }
  }
  const op_id op = m_.make_op(info, attributes, list.values, types, regions, {});
  m_.append(r, op);
  op_positions_.resize(std::max<size_t>(op_positions_.size(), op.index + 1));
  op_positions_[op.index] = name_at;
  if (regions != 0) {
    s_.expect("(");
    for (int i = 0; i < regions; ++i) {
      if (i != 0) s_.expect(",");
      s_.expect("{");
      const size_t outer = defined_.size();
      if (s_.take("^")) {
        arguments(m_.region(op, i));
        s_.expect(":");
      }
      region_text(m_.region(op, i));
      forget_behind(outer);
    }
    s_.expect(")");
  }
  const auto quoted = [this] {
    s_.expect("(");
    std::string text = s_.string();
    s_.expect(")");
    return text;
  };
  const ir::discardable_attributes own = s_.take("attributes") ? discardable("(", ")") : ir::discardable_attributes();
  const std::string target = s_.take("target") ? quoted() : std::string();
  const std::string where = s_.take("loc") ? quoted() : std::string();
  m_[op].location = m_.location(where, target, m_.intern(own));
  for (size_t i = 0; i < names.size(); ++i) {
    if (i < notes.size()) m_.set_discardable(m_.result(op, static_cast<int>(i)), notes[i]);
    define(names[i], m_.result(op, static_cast<int>(i)), start);
  }
  check_type_rule(op, name_at);
}

/// What the verifier finds stands somewhere in the text.
inline void parser::verified(const ir::module& m) {
  try {
    ir::verify(m, {.type_rules = false});  // check_type_rule held each op against its own
  } catch (const ir::verify_error& e) {
    if (!e.where().empty() || !e.op() || e.op().index >= op_positions_.size()) throw;
    throw ir::verify_error(e.message(), s_.where(op_positions_[e.op().index]), e.hint(), e.op());
  }
}

inline void parser::check_type_rule(op_id op, size_t position) {
  if (m_.view(op).info().infer == nullptr) return;
  std::string problem;
  at_position(position, "text.type", [&] { problem = ir::type_rule_problem(m_, op); });
  if (!problem.empty()) s_.fail_at(position, "text.type", problem);
}

}  // namespace texting

ir::module parse(std::string_view text, std::string_view file_name, const parse_options& options) {
  texting::parser reader(text, file_name, options);
  ir::module m = reader.module_text();
  reader.verified(m);
  ir::mark_untrusted(m);
  phases::verify_ahead(m, reader.phase());
  return m;
}

std::string phase_of_text(std::string_view text, std::string_view file_name) {
  return texting::parser(text, file_name, {}).header();
}

std::vector<std::string> facts_of_text(std::string_view text, std::string_view file_name) {
  texting::parser p(text, file_name, {});
  p.header();
  return std::move(p.facts);
}

text_run run_of_text(std::string_view text, std::string_view file_name) {
  texting::parser p(text, file_name, {});
  p.header();
  return std::move(p.run);
}

}  // namespace tenon
