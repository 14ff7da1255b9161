/// @file module.ipp: definitions of ir/module.hpp.
#pragma once

#include <cstring>
#include <utility>

#include <tenon/ir/library_infos.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/runtime/shared_constant.hpp>

namespace tenon::ir {
namespace detail {

/// Appends bytes that are equal exactly when the values are.
struct encoder {
  std::string& bytes;
  void operator()(const bool& v) { bytes += v ? '1' : '0'; }
  void operator()(const i64& v) { raw(&v, sizeof v); }
  void operator()(const double& v) { raw(&v, sizeof v); }
  void operator()(const std::string& v) { size(v.size()), raw(v.data(), v.size()); }
  void operator()(const dtype& v) { bytes += static_cast<char>(v); }
  void operator()(const constant_id& v) { raw(&v.index, sizeof v.index); }
  void operator()(const function_ref& v) { (*this)(v.name); }
  void operator()(const access_map& v) { (*this)(v.rows); }
  void operator()(const enumeration& v) { raw(&v.value, sizeof v.value); }
  void operator()(const discardable_value& v) {
    bytes += static_cast<char>(v.index());
    std::visit(*this, v);
  }
  void operator()(const kind_value& v) {
    (*this)(v.kind), size(v.fields.size());
    for (const kind_field& f : v.fields) (*this)(f.name), (*this)(f.value);
  }
  template <class T>
  void operator()(const std::vector<T>& v) {
    size(v.size());
    if constexpr (std::is_arithmetic_v<T>) raw(v.data(), v.size() * sizeof(T));
    else
      for (const T& x : v) (*this)(x);
  }

 private:
  void raw(const void* p, size_t n) {
    if (n != 0) bytes.append(static_cast<const char*>(p), n);
  }
  void size(u64 n) { raw(&n, sizeof n); }
};

inline u64 hash_of(const type& t) {
  u64 h = hash_mixed(hash_start, static_cast<u64>(t.kind) << 24 | static_cast<u64>(t.elem) << 8 | (t.ranked ? 1 : 0));
  h = hash_mixed(h, u64{t.split} << 32 | t.shape.size());
  if (!t.space.empty()) h = hash_mixed(h, tenon::hash_of(t.space));
  for (dim d : t.shape) h = hash_mixed(h, static_cast<u64>(d.bits));
  for (type_id p : t.parts) h = hash_mixed(h, p.index);
  return h;
}

}  // namespace detail

module::module() = default;
module::~module() = default;

module::module(const module& o) :conditions(o.conditions), build(o.build), metadata(o.metadata), types_(o.types_),
    type_numbers_(o.type_numbers_), attribute_keys_(o.attribute_keys_), symbols_(o.symbols_), locations_(o.locations_),
    location_keys_(o.location_keys_), discardable_(o.discardable_), discardable_keys_(o.discardable_keys_),
    function_numbers_(o.function_numbers_), constants_(o.constants_), functions_(o.functions_), ops_(o.ops_),
    values_(o.values_), uses_(o.uses_), region_lists_(o.region_lists_), regions_(o.regions_), artifacts_(o.artifacts_) {
  attributes_.reserve(o.attributes_.size());
  for (auto& a : o.attributes_) attributes_.push_back({a.info, {a.info->copy(a.data.get()), a.info->destroy}});
}

module& module::operator=(const module& o) {
  if (this != &o) *this = module(o);
  return *this;
}

type_id module::intern(const type& t) {
  if (!t.fits())
    throw error("ir.too_large",
                "a value cannot have the shape " + extents_text(t) + ": it has more than 2^58 elements");
  const u64 hash = detail::hash_of(t);
  u32 number = type_numbers_.find(hash, [&](u32 n) { return types_[n] == t; });
  if (number == hash_index::none) {
    number = static_cast<u32>(types_.size());
    types_.push_back(t);
    type_numbers_.insert(hash, number);
  }
  return type_id(number);
}

void encode_attributes(std::string& to, const op_info& info, const void* attributes) {
  for (const attribute& a : info.attributes()) a.visit(attributes, detail::encoder{to});
}

attr_id module::intern_attributes(const op_info& info, const void* attributes) {
  std::string key(info.name);
  key += '\0';
  encode_attributes(key, info, attributes);
  const auto [number, fresh] = attribute_keys_.intern(key);
  if (fresh) attributes_.push_back({&info, {info.copy(attributes), info.destroy}});
  return attr_id(number);
}

symbol_id module::symbol(std::string_view name) { return symbol_id(symbols_.intern(name).number); }

void module::rename_symbols(std::vector<std::string> names) {
  interned_strings renamed;
  for (const std::string& name : names)
    if (!renamed.intern(name).fresh) throw error("ir.symbols", "two symbols would be called '" + name + "'");
  symbols_ = std::move(renamed);
}

location_id module::location(std::string_view text, std::string_view target, discardable_id discardable) {
  if (text.empty() && target.empty() && !discardable) return {};
  std::string key(text);
  if (!target.empty() || discardable) key += '\0', key += target;
  if (discardable) key += '\0', key += std::to_string(discardable.index);
  const auto [number, fresh] = location_keys_.intern(key);
  if (fresh) locations_.push_back({std::string(text), std::string(target), discardable});
  return location_id(number);
}

discardable_id module::intern(const discardable_attributes& d) {
  if (d.empty()) return {};
  std::string key;
  detail::encoder encode{key};
  for (const auto& [name, value] : d) {
    encode(name);
    encode(value);
  }
  const auto [number, fresh] = discardable_keys_.intern(key);
  if (fresh) discardable_.push_back(d);
  return discardable_id(size_t{number} + 1);
}

void module::set_discardable(op_id op, const discardable_attributes& d) {
  const location_id l = ops_[op.index].location;
  const std::string where = text(l), runs_on = target(l);
  ops_[op.index].location = location(where, runs_on, intern(d));
}
void module::set_discardable(op_id op, std::string_view name, discardable_value value) {
  discardable_attributes d = discardable(op);
  d.set(name, std::move(value));
  set_discardable(op, d);
}
void module::set_discardable(value_id v, std::string_view name, discardable_value value) {
  discardable_attributes d = discardable(v);
  d.set(name, std::move(value));
  set_discardable(v, d);
}
void module::inherit_discardable(value_id v, value_id from) {
  const discardable_id theirs = values_[from.index].discardable;
  if (!theirs || theirs == values_[v.index].discardable) return;
  discardable_attributes d = discardable(v);
  d.join((*this)[theirs]);
  set_discardable(v, d);
}

namespace detail {
/// A constant is shared with whoever reads it, so nobody may write it any more: a view gives a writer elements of its
/// own.
inline tenon::tensor frozen(tenon::tensor t) {
  if (!t.defined() || t.is_view()) return t;
  if (t.owner().use_count() > 1) t = t.clone();  // somebody has it who may write it
  return tenon::tensor::view(t.type(), t.shape(), std::as_const(t).data(), t.owner());
}
}  // namespace detail

constant_id module::add_constant(tenon::tensor value, std::string name) {
  constants_.push_back({std::move(name), shared_constant(detail::frozen(std::move(value)))});
  return constant_id(constants_.size() - 1);
}

void module::release_constant(constant_id c) {
  for (const op_node& n : ops_) {
    if (n.info == nullptr) continue;
    bool refers = false;
    for (const attribute& a : n.info->attributes())
      if (a.kind == attribute_kind::constant || a.kind == attribute_kind::own)
        a.visit(attributes(n.attributes), [&](const constant_id& other) { refers = refers || other == c; });
    if (refers) return;
  }
  release_pages(std::exchange(constants_[c.index].value, {}));
}

namespace detail {
/// The name, or else the name with a number that makes it free. Of a name that is asked for n times the numbers are
/// mostly taken from 1 to n: asking for each would cost n².
inline std::string free_name(const module& m, std::string_view name) {
  const auto numbered = [&](u64 n) { return std::string(name) + (n == 0 ? "" : "_" + std::to_string(n)); };
  const auto is_taken = [&](u64 n) { return bool(m.find_function(numbered(n))); };
  if (!is_taken(0)) return numbered(0);
  u64 last_taken = 0, free = 1;
  while (is_taken(free)) last_taken = free, free *= 2;
  while (free - last_taken > 1) {
    const u64 middle = last_taken + (free - last_taken) / 2;
    (is_taken(middle) ? last_taken : free) = middle;
  }
  return numbered(free);
}
}  // namespace detail

function_id module::add_function(std::string_view name, function_kind kind, std::span<const type_id> arguments) {
  std::string unique = detail::free_name(*this, name);
  const function_id f(functions_.size());
  function_numbers_.insert(hash_of(unique), f.index);
  function fn;
  fn.name = std::move(unique);
  fn.kind = kind;
  fn.body = make_region({});
  regions_[fn.body.index].function = f;
  functions_.push_back(std::move(fn));
  for (type_id t : arguments) add_argument(functions_[f.index].body, t);
  return f;
}

namespace {
/// Ops that a pass has erased may stand in the list until it rebuilds that.
inline void erase_all(module& m, std::vector<op_id>& ops) {
  while (!ops.empty()) m.alive(ops.back()) ? m.erase(ops.back()) : ops.pop_back();
}
}  // namespace

void module::erase_function(function_id f) {
  function& fn = functions_[f.index];
  erase_all(*this, regions_[fn.body.index].ops);
  fn.alive = false;
  function_numbers_.erase(hash_of(fn.name), f.index);
}

function_id module::find_function(std::string_view name) const {
  const u32 f = function_numbers_.find(hash_of(name), [&](u32 n) { return functions_[n].name == name; });
  return f == hash_index::none ? function_id{} : function_id(f);
}

std::vector<function_id> module::functions() const {
  std::vector<function_id> r;
  for (size_t i = 0; i < functions_.size(); ++i)
    if (functions_[i].alive) r.emplace_back(i);
  return r;
}

void module::drop_use(u32 slot) {
  use_node& u = uses_[slot];
  if (!u.value) return;
  if (u.previous) uses_[u.previous.index].next = u.next;
  else values_[u.value.index].first_use = u.next;
  if (u.next) uses_[u.next.index].previous = u.previous;
  u.value = {}, u.next = {}, u.previous = {};
}

void module::link_use(u32 slot) {
  use_node& u = uses_[slot];
  if (!u.value) return;
  value_node& v = values_[u.value.index];
  u.next = v.first_use;
  if (u.next) uses_[u.next.index].previous = use_id(slot);
  v.first_use = use_id(slot);
}

op_id module::make_op(const op_info& info, attr_id attributes, std::span<const value_id> operands,
                      std::span<const type_id> results, int regions, location_id location) {
  const op_id id(ops_.size());
  op_node n;
  n.info = &info;
  n.attributes = attributes;
  n.location = location;
  n.first_operand = static_cast<u32>(uses_.size());
  n.operand_count = static_cast<u32>(operands.size());
  for (u32 i = 0; i < n.operand_count; ++i) {
    uses_.push_back({operands[i], id, i, {}, {}});
    link_use(n.first_operand + i);
  }
  n.first_result = static_cast<u32>(values_.size());
  n.result_count = static_cast<u32>(results.size());
  for (u32 i = 0; i < n.result_count; ++i) values_.push_back({results[i], id, {}, i, {}, {}});
  n.first_region = static_cast<u32>(region_lists_.size());
  n.region_count = static_cast<u32>(regions);
  ops_.push_back(n);
  for (int i = 0; i < regions; ++i) {
    const region_id r = make_region(id);
    region_lists_.push_back(r);
  }
  return id;
}

void module::append(region_id r, op_id op) {
  ops_[op.index].parent = r;
  regions_[r.index].ops.push_back(op);
}

void module::insert(region_id r, size_t position, op_id op) {
  ops_[op.index].parent = r;
  auto& ops = regions_[r.index].ops;
  ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(position), op);
}

void module::erase(op_id op) {
  op_node& n = ops_[op.index];
  for (u32 i = 0; i < n.region_count; ++i) {
    const region_id r = region_lists_[n.first_region + i];
    erase_all(*this, regions_[r.index].ops);
  }
  for (u32 i = 0; i < n.operand_count; ++i) drop_use(n.first_operand + i);
  if (n.parent) {
    auto& ops = regions_[n.parent.index].ops;
    if (!ops.empty() && ops.back() == op) {
      ops.pop_back();
    } else {
      for (auto it = ops.begin(); it != ops.end(); ++it)
        if (*it == op) {
          ops.erase(it);
          break;
        }
    }
  }
  n.parent = {};
  n.info = nullptr;
}

region_id module::make_region(op_id parent) {
  regions_.push_back({{}, {}, parent, {}});
  return region_id(regions_.size() - 1);
}

void module::erase_argument(region_id r, size_t number) {
  auto& args = regions_[r.index].arguments;
  args.erase(args.begin() + static_cast<std::ptrdiff_t>(number));
  for (size_t i = number; i < args.size(); ++i) values_[args[i].index].number = static_cast<u32>(i);
}

value_id module::add_argument(region_id r, type_id type) {
  auto& args = regions_[r.index].arguments;
  const value_id v(values_.size());
  values_.push_back({type, {}, r, static_cast<u32>(args.size()), {}, {}});
  args.push_back(v);
  return v;
}

void module::set_operand(op_id op, int number, value_id v) {
  const u32 slot = ops_[op.index].first_operand + static_cast<u32>(number);
  drop_use(slot);
  uses_[slot].value = v;
  link_use(slot);
}

void module::replace_uses(value_id from, value_id to) {
  if (to) inherit_discardable(to, from);
  while (values_[from.index].first_use) {
    const u32 slot = values_[from.index].first_use.index;
    drop_use(slot);
    uses_[slot].value = to;
    link_use(slot);
  }
}

int module::use_count(value_id v) const {
  int n = 0;
  for (use_id u = values_[v.index].first_use; u; u = uses_[u.index].next) ++n;
  return n;
}

small_vector<value_id, 4> module::operands(op_id op) const {
  small_vector<value_id, 4> r;
  const op_node& n = ops_[op.index];
  for (u32 i = 0; i < n.operand_count; ++i) r.push_back(uses_[n.first_operand + i].value);
  return r;
}

small_vector<value_id, 4> module::results(op_id op) const {
  small_vector<value_id, 4> r;
  const op_node& n = ops_[op.index];
  for (u32 i = 0; i < n.result_count; ++i) r.push_back(value_id(n.first_result + i));
  return r;
}

op_id module::terminator(region_id r) const {
  const auto& ops = regions_[r.index].ops;
  return ops.empty() ? op_id{} : ops.back();
}

function_id module::function_of(region_id r) const {
  while (regions_[r.index].parent) r = ops_[regions_[r.index].parent.index].parent;
  return regions_[r.index].function;
}

const tenon::tensor* module::constant_value(value_id v) const {
  if (!v) return nullptr;
  const op_id d = values_[v.index].definition;
  if (!d || ops_[d.index].info != &info_of<op::constant>) return nullptr;
  return &constants_[view(d).as<op::constant>().value.index].value;
}

void module::add_artifact(artifact a) {
  const auto who = [](const artifact& x) {
    return (x.producer.empty() ? std::string("one") : "'" + x.producer + "'") + " as " + x.format +
           (x.target.empty() ? "" : " for " + x.target);
  };
  if (a.symbol.empty()) throw error("ir.artifact", "an artifact names no symbol", {}, "say which entry it defines");
  if (const artifact* old = artifacts_.find(a.symbol))
    throw error("ir.artifact", "symbol '" + a.symbol + "' is defined twice: by " + who(*old) + ", and by " + who(a), {},
                "give each artifact a symbol of its own");
  artifacts_.items_.push_back(std::make_shared<const artifact>(std::move(a)));
}

void module::compact() {
  module fresh;
  fresh.conditions = std::move(conditions);
  fresh.build = std::move(build);
  fresh.metadata = std::move(metadata);
  fresh.artifacts_ = std::move(artifacts_);
  fresh.analyses_ = std::move(analyses_), fresh.analyses_.retire();
  std::vector<value_id> values(values_.size());
  std::vector<constant_id> numbers(constants_.size());  // those that are used, in order of first use
  // Types and symbols keep their ids: they are interned once and few.
  fresh.types_ = types_, fresh.type_numbers_ = type_numbers_;
  fresh.symbols_ = symbols_;
  fresh.locations_ = locations_, fresh.location_keys_ = location_keys_;
  fresh.discardable_ = discardable_, fresh.discardable_keys_ = discardable_keys_;
  fresh.ops_.reserve(ops_.size()), fresh.uses_.reserve(uses_.size()), fresh.values_.reserve(values_.size());
  std::vector<attr_id> attributes(attributes_.size());
  std::vector<bool> known_attributes(attributes_.size());
  const auto copy_attributes = [&](const op_node& n) {
    if (known_attributes[n.attributes.index]) return attributes[n.attributes.index];
    const std::unique_ptr<void, void (*)(void*)> copied{n.info->copy(attributes_[n.attributes.index].data.get()),
                                                        n.info->destroy};
    for (const attribute& a : n.info->attributes())
      a.visit(copied.get(), [&](constant_id& c) {
        if (c && !numbers[c.index])
          numbers[c.index] = fresh.add_constant(constants_[c.index].value, constants_[c.index].name);
        if (c) c = numbers[c.index];
      });
    known_attributes[n.attributes.index] = true;
    return attributes[n.attributes.index] = fresh.intern_attributes(*n.info, copied.get());
  };
  std::vector<value_id> operands;
  std::vector<type_id> results;

  auto copy_region = [&](auto& self, region_id from, region_id to) -> void {
    for (value_id a : regions_[from.index].arguments) {
      values[a.index] = fresh.add_argument(to, values_[a.index].type);
      fresh.values_[values[a.index].index].discardable = values_[a.index].discardable;
    }
    for (op_id o : regions_[from.index].ops) {
      const op_node& n = ops_[o.index];
      operands.clear(), results.clear();
      for (u32 i = 0; i < n.operand_count; ++i) {
        const value_id v = uses_[n.first_operand + i].value;
        operands.push_back(v ? values[v.index] : v);
      }
      for (u32 i = 0; i < n.result_count; ++i) results.push_back(values_[n.first_result + i].type);
      const op_id c =
          fresh.make_op(*n.info, copy_attributes(n), operands, results, static_cast<int>(n.region_count), n.location);
      for (u32 i = 0; i < n.result_count; ++i) {
        values[n.first_result + i] = fresh.result(c, static_cast<int>(i));
        fresh.values_[values[n.first_result + i].index].discardable = values_[n.first_result + i].discardable;
      }
      fresh.append(to, c);
      for (u32 i = 0; i < n.region_count; ++i)
        self(self, region_lists_[n.first_region + i], fresh.region(c, static_cast<int>(i)));
    }
  };
  for (function& f : functions_) {
    if (!f.alive) continue;
    const region_id from = f.body;
    const function_id g = fresh.add_function(f.name, f.kind, {});
    const region_id to = fresh[g].body;
    fresh[g] = std::move(f);
    fresh[g].body = to;
    copy_region(copy_region, from, to);
  }
  *this = std::move(fresh);
}

}  // namespace tenon::ir

#include <tenon/ir/transplant.hpp>  // last, since it needs the module: defines module::extract
