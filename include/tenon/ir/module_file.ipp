/// @file module_file.ipp: reading the binary form; nothing half-read comes back, and nothing in a file is believed.
#pragma once

#include <cstdio>

#include <tenon/core/element_format.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/ir/bounds_checks.hpp>
#include <tenon/ir/infer.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ir/write_module_file.ipp>
#include <tenon/ops/all.hpp>
#include <tenon/phases/ahead.hpp>
#include <tenon/runtime/strings.hpp>

namespace tenon {
namespace binary {

class module_reader {
 public:
  module_reader(std::string_view bytes, const std::string& where, const deserialize_options& options)
      : frame_(open_frame(bytes, module_file_kind, where)),
        in_(frame_.table, "module.file", where, module_file_kind.hint), options_(options) {}

  module_header header() {
    module_header h;
    h.phase = in_.text();
    h.facts = texts("facts");
    h.fingerprint = in_.text(), h.target = in_.text(), h.version = in_.text();
    h.format_version = frame_.version;
    return h;
  }

  ir::module module() {
    const module_header h = header();
    if (!options_.phase.empty() && h.phase != options_.phase)
      throw error("module.phase",
                  "the module is in phase '" + h.phase + "', not in '" + std::string(options_.phase) + "'", in_.where(),
                  "read it with load<phases::" + h.phase + ">");
    m_.build.fingerprint = h.fingerprint, m_.build.target = h.target;
    for (size_t n = in_.count("the size of the metadata"); n > 0; --n) {
      std::string key = in_.text(), text = in_.text();
      if (key == "fingerprint") continue;  // of files that said it twice
      if (!m_.build.take(key, text)) m_.metadata[std::move(key)] = std::move(text);
    }
    for (const std::string& text : texts("conditions")) {
      const auto c = extent_condition::parse(text);
      if (!c || !m_.conditions.add(*c)) in_.fail("'" + text + "' is no condition that extents can meet");
    }
    symbols_ = texts("symbols"), locations_ = texts("locations");
    for (size_t n = has_discardable() ? in_.count("the number of sets of discardable attributes") : 0; n > 0; --n)
      discardable_.push_back(discardable_set());
    for (const std::string& s : symbols_) m_.symbol(s);
    for (size_t n = in_.count("the number of types"); n > 0; --n) types_.push_back(m_.intern(type()));
    for (size_t n = in_.count("the number of kinds of ops"); n > 0; --n) ops_.push_back(kind_of_op());
    constants();
    functions();
    artifacts();
    if (in_.left() != 0) in_.fail("the table is longer than it should be");
    ir::verify(m_, {h.phase, {}, {}});
    ir::mark_untrusted(m_);
    phases::verify_ahead(m_, h.phase);
    return std::move(m_);
  }

 private:
  friend struct attribute_reader;

  std::vector<std::string> texts(const char* what) {
    std::vector<std::string> list(in_.count(what));
    for (std::string& s : list) s = in_.text();
    return list;
  }
  static u64 number_below(byte_reader& in, size_t size, const char* what) {
    if (size == 0) in.fail(std::string(what) + " that is not there");
    return in.number(size - 1, what);
  }

  bool has_discardable() const { return frame_.version >= 3; }
  ir::discardable_attributes discardable_set();
  const ir::discardable_attributes& discardable() {
    static const ir::discardable_attributes none;
    const u64 n = has_discardable() ? in_.number(discardable_.size(), "a set of discardable attributes") : 0;
    return n == 0 ? none : discardable_[n - 1];
  }
  type_id type_here() { return types_[number_below(in_, types_.size(), "a type")]; }

  ir::type type() {
    ir::type t;
    t.kind = static_cast<ir::type_kind>(in_.number(static_cast<u64>(ir::type_kind::function), "a kind of type"));
    t.elem = read_element_type(in_);
    t.ranked = in_.flag();
    t.split = static_cast<u32>(in_.number(1 << 20, "a split"));
    t.space = in_.text();
    t.shape.resize(in_.count("a rank"));
    for (ir::dim& d : t.shape) {
      if (const u64 extent = in_.number(u64{1} << 62, "an extent"); extent != 0)
        d = ir::dim(static_cast<i64>(extent - 1));
      else if (const u64 s = in_.number(symbols_.size(), "a symbol"); s != 0)
        d = ir::dim::symbol(m_.symbol(symbols_[s - 1]));
    }
    t.parts.resize(in_.count("the number of a type's parts"));
    for (type_id& p : t.parts) p = type_here();
    const size_t parts = t.parts.size();
    const bool wrapper = t.kind == ir::type_kind::sequence || t.kind == ir::type_kind::optional;
    if (wrapper ? parts != 1 : t.kind == ir::type_kind::function ? t.split > parts : parts != 0)
      in_.fail("a type is not well formed");
    if (!t.ranked && !t.shape.empty()) in_.fail("a type without rank has a shape");
    return t;
  }

  /// An op, and whether it is one of the phase; functions that are ahead of their module may hold the others.
  struct op_kind {
    const ir::op_info* info;
    bool of_phase;
  };
  op_kind kind_of_op() {
    const std::string name = in_.text(), attributes = in_.text();
    const bool typed = !options_.ops.empty();
    for (const auto list : {options_.ops, ir::built_in_op_table()})
      for (const ir::op_info* info : list) {
        if (info->name != name) continue;
        for (const ir::op_info* other : list)
          if (other->name == name && other->key != info->key)
            throw error("module.op", "two ops are named '" + name + "', and a file knows an op by its name",
                        in_.where(), "rename your own");
        if (const std::string here = attribute_names(info->attributes()); here != attributes)
          throw error("module.op",
                      "op '" + name + "' has the attributes '" + attributes + "' in the file, and '" + here + "' here",
                      in_.where(), "the file is of another version of the library, or of the op: write it again");
        return {info, !typed || list.data() == options_.ops.data()};
      }
    throw error("module.op", "there is no op '" + name + "'", in_.where(),
                "give the ops of your own by 'deserialize_options::ops', or load it as an extension of its phase");
  }

  std::string_view section(u64 n) {
    if (sections_at_ == 0) sections_at_ = frame_.table.size();
    const u64 at = (sections_at_ + file_alignment - 1) / file_alignment * file_alignment;
    if (at > frame_.body.size() || n > frame_.body.size() - at)
      in_.fail("a section reaches beyond the end of the file");
    sections_at_ = at + n;
    return frame_.body.substr(at, n);
  }

  void constants() {
    for (size_t n = in_.count("the number of constants"); n > 0; --n) {
      std::string name = in_.text();
      const dtype t = read_element_type(in_);
      std::vector<i64> shape(in_.count("a rank"));
      u64 bytes = static_cast<u64>(size_of(t));
      bool empty = false;
      for (i64& d : shape) {
        d = static_cast<i64>(in_.number(u64{1} << 40, "an extent"));
        empty = empty || d == 0;
        if (d != 0 && __builtin_mul_overflow(bytes, static_cast<u64>(d), &bytes))
          in_.fail("a constant is larger than the file");
      }
      if (t == dtype::string) {
        std::vector<std::string> texts(in_.count("the number of texts"));
        for (std::string& s : texts) s = in_.text();
        if (texts.size() != (empty ? 0 : bytes / static_cast<u64>(size_of(t))))
          in_.fail("a constant of strings has another number of texts");
        m_.add_constant(string_tensor(std::move(shape), std::span<const std::string>(texts)), std::move(name));
        continue;
      }
      const std::string_view elements = section(empty ? 0 : bytes);
      if (!are_elements(t, elements.data(), elements.size()))
        in_.fail("a byte is no element of " + std::string(name_of(t)));
      tensor value;
      if (options_.owner && !elements.empty()) {
        value = tensor::view(t, std::move(shape), elements.data(), options_.owner);
      } else {
        value = tensor(t, std::move(shape));
        if (!elements.empty()) std::memcpy(value.data(), elements.data(), elements.size());
      }
      m_.add_constant(std::move(value), std::move(name));
    }
  }

  void functions() {
    const size_t count = in_.count("the number of functions");
    for (size_t i = 0; i < count; ++i) {
      std::string name = in_.text();
      if (m_.find_function(name)) in_.fail("two functions are called '" + name + "'");
      const auto kind =
          static_cast<ir::function_kind>(in_.number(static_cast<u64>(ir::function_kind::kernel), "a kind of function"));
      const function_id f = m_.add_function(name, kind, {});
      ir::function& fn = m_[f];
      fn.entry = in_.flag();
      if (frame_.version >= 4)
        fn.purity = static_cast<ir::function_purity>(in_.number(std::size(ir::purity_names) - 1, "a purity"));
      fn.target = in_.text(), fn.phase = in_.text();
      fn.argument_names = texts("the number of inputs"), fn.result_names = texts("the number of outputs");
      fn.result_types.resize(in_.count("the number of results"));
      for (type_id& t : fn.result_types) t = type_here();
      fn.discardable = discardable();
      values_.clear();
      ahead_ = !fn.phase.empty();
      region(m_[f].body, 0);
    }
  }

  void region(region_id r, int depth) {
    if (depth > 100) in_.fail("nested more than 100 deep");
    for (size_t n = in_.count("the number of arguments"); n > 0; --n) {
      values_.push_back(m_.add_argument(r, type_here()));
      m_.set_discardable(values_.back(), discardable());
    }
    for (size_t n = in_.count("the number of ops"); n > 0; --n) operation(r, depth);
  }
  void operation(region_id r, int depth);

  void artifacts() {
    for (size_t n = in_.count("the number of artifacts"); n > 0; --n) {
      ir::artifact a;
      a.format = in_.text(), a.target = in_.text(), a.symbol = in_.text(), a.producer = in_.text();
      const std::string_view bytes = section(in_.number(frame_.body.size(), "an artifact's size"));
      a.bytes.assign(bytes.begin(), bytes.end());
      m_.add_artifact(std::move(a));
    }
  }

  framed frame_;
  byte_reader in_;
  deserialize_options options_;
  ir::module m_;
  u64 sections_at_ = 0;
  std::vector<std::string> symbols_, locations_;
  std::vector<type_id> types_;
  std::vector<op_kind> ops_;
  std::vector<ir::discardable_attributes> discardable_;
  std::vector<value_id> values_;
  bool ahead_ = false;  ///< the function being read is in a later phase
};

/// Reads an attribute's value.
struct attribute_reader {
  byte_reader& in;
  size_t constants;
  int depth = 0;  ///< of values of a program's own kinds

  void operator()(bool& v) { v = in.flag(); }
  void operator()(i64& v) { v = in.signed_number(); }
  void operator()(double& v) { v = in.real(); }
  void operator()(std::string& v) { v = in.text(); }
  void operator()(dtype& v) { v = read_element_type(in); }
  void operator()(constant_id& v) {
    const u64 n = in.number(constants, "a constant");
    v = n == 0 ? constant_id{} : constant_id(n - 1);
  }
  void operator()(ir::function_ref& v) { v.name = in.text(); }
  void operator()(ir::access_map& v) { list(v.rows, "the number of rows"); }
  void operator()(ir::enumeration& v) { v.value = static_cast<int>(in.number(v.names.size() - 1, "an enumeration")); }
  void operator()(const ir::own_value<void>& v) {
    bool read = false;  // from there on it is the kind that fails
    try {
      v.written([&](void* form) {
        for (const ir::attribute& a : v.kind.form()) a.visit(form, *this);
        read = true;
      });
    } catch (const error& e) {
      if (!read) throw;
      in.fail("no '" + std::string(v.kind.name) + "' is written so: " + e.message());
    }
  }
  void operator()(ir::discardable_value& v) {
    v = alternative<0>(in.number(std::variant_size_v<ir::discardable_value> - 1, "a type"));
  }
  void operator()(ir::kind_value& v) {
    if (++depth > 100) in.fail("nested more than 100 deep");
    v.kind = in.text();
    v.fields.resize(in.count("the number of a value's fields"));
    for (ir::kind_field& f : v.fields) f.name = in.text(), (*this)(f.value);
    --depth;
  }
  template <class T>
  void operator()(std::vector<T>& v) {
    list(v, "a list's length");
  }

 private:
  /// A value of a discardable attribute, by the number of its type.
  template <size_t I>
  ir::discardable_value alternative(size_t index) {
    if constexpr (I + 1 < std::variant_size_v<ir::discardable_value>)
      if (index != I) return alternative<I + 1>(index);
    std::variant_alternative_t<I, ir::discardable_value> v{};
    (*this)(v);
    return ir::discardable_value(std::in_place_index<I>, std::move(v));
  }

  template <class T>
  void list(std::vector<T>& v, const char* what) {
    v.resize(in.count(what));
    for (T& x : v) (*this)(x);
  }
};

inline ir::discardable_attributes module_reader::discardable_set() {
  ir::discardable_attributes d;
  attribute_reader reader{in_, 0};
  for (size_t n = in_.count("the number of discardable attributes"); n > 0; --n) {
    const std::string name = in_.text();
    if (!ir::is_namespaced_name(name) || d.find(name) != nullptr)
      in_.fail("'" + name + "' is no name of a discardable attribute, or is said twice");
    ir::discardable_value value;
    reader(value);
    if (!ir::is_well_formed(value)) in_.fail("the value of '" + name + "' cannot be spelled");
    d.set(name, std::move(value));
  }
  return d;
}

inline void module_reader::operation(region_id r, int depth) {
  const op_kind& kind = ops_[number_below(in_, ops_.size(), "a kind of op")];
  const ir::op_info& info = *kind.info;
  if (!kind.of_phase && !ahead_)
    throw error("module.op",
                "op '" + std::string(info.name) + "' does not exist in phase '" + std::string(options_.phase) + "'",
                in_.where());
  const std::unique_ptr<void, void (*)(void*)> fresh{info.make(), info.destroy};
  for (const ir::attribute& a : info.attributes()) a.visit(fresh.get(), attribute_reader{in_, m_.constant_count()});
  std::string place;
  if (const u64 l = in_.number(locations_.size(), "a location"); l != 0) place = locations_[l - 1];
  const size_t zero = std::min(place.rfind('\0'), place.size());  // behind it: the constraint of the op
  const location_id location =
      m_.location(place.substr(0, zero), zero == place.size() ? "" : place.substr(zero + 1), m_.intern(discardable()));
  std::vector<value_id> operands(in_.count("the number of operands"));
  for (value_id& v : operands)
    if (const u64 n = in_.number(values_.size(), "a value"); n != 0) v = values_[n - 1];
  std::vector<type_id> results(in_.count("the number of results"));
  std::vector<const ir::discardable_attributes*> notes;
  for (type_id& t : results) t = type_here(), notes.push_back(&discardable());
  const int regions = static_cast<int>(in_.number(std::min<u64>(in_.left(), 1 << 16), "the number of regions"));
  const op_id op = m_.make_op(info, m_.intern_attributes(info, fresh.get()), operands, results, regions, location);
  for (size_t i = 0; i < notes.size(); ++i) {
    values_.push_back(m_.result(op, static_cast<int>(i)));
    if (!notes[i]->empty()) m_.set_discardable(values_.back(), *notes[i]);
  }
  m_.append(r, op);
  for (int i = 0; i < regions; ++i) region(m_.region(op, i), depth + 1);
}

}  // namespace binary

ir::module deserialize(std::string_view bytes, const std::string& where, const deserialize_options& options) {
  return binary::module_reader(bytes, where, options).module();
}
module_header read_module_header(std::string_view bytes, const std::string& where) {
  return binary::module_reader(bytes, where, {}).header();
}

bool is_module_file(const std::string& path) { return is_file_of(path, module_file_kind); }

ir::module load_module(const std::string& path, deserialize_options options) {
  const auto file = std::make_shared<const mapped_file>(path);
  options.owner = file;
  return deserialize(file->bytes(), path, options);
}

}  // namespace tenon
