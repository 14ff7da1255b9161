/// @file protobuf_edits: changes messages field by field, without their schema: numbers become absurd ones, fields are
/// left out, repeated, swapped and moved. What comes back is well-formed, or nearly: byte flips rarely get behind a
/// reader's frame.
#pragma once

#include <bit>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/int.hpp>

namespace tenon::testing {

inline constexpr i64 absurd_integers[] = {0,
                                          1,
                                          -1,
                                          2,
                                          -2,
                                          3,
                                          -3,
                                          7,
                                          11,
                                          16,
                                          64,
                                          255,
                                          256,
                                          4096,
                                          32768,
                                          65536,
                                          1 << 20,
                                          2147483647,
                                          2147483648,
                                          -2147483648,
                                          4294967295,
                                          4294967296,
                                          4294967297,
                                          8589934592,
                                          i64{1} << 40,
                                          i64{1} << 56,
                                          i64{1} << 58,
                                          i64{1} << 59,
                                          i64{1} << 61,
                                          i64{1} << 62,
                                          std::numeric_limits<i64>::max(),
                                          std::numeric_limits<i64>::max() - 1,
                                          std::numeric_limits<i64>::min(),
                                          std::numeric_limits<i64>::min() + 1,
                                          -(i64{1} << 62)};
inline constexpr double absurd_reals[] = {0,
                                          -0.0,
                                          1,
                                          -1,
                                          0.5,
                                          2,
                                          3,
                                          -3,
                                          1e-30,
                                          1e-45,
                                          1e30,
                                          -1e30,
                                          3.4e38,
                                          65504,
                                          2147483648.0,
                                          4294967296.0,
                                          9223372036854775808.0,
                                          18446744073709551616.0,
                                          1e300,
                                          std::numeric_limits<double>::infinity(),
                                          -std::numeric_limits<double>::infinity(),
                                          std::numeric_limits<double>::quiet_NaN()};

class protobuf_editor {
 public:
  /// `words`: what texts may become besides each other.
  explicit protobuf_editor(u64 seed, std::span<const std::string_view> words = {}) : random_(seed), words_(words) {}

  /// The message with 1 to 4 changes.
  std::string edited(std::string_view bytes) {
    message m = read(bytes, 0);
    for (int n = one_of_ten() < 6 ? 1 : 2 + static_cast<int>(pick(3)); n > 0; --n) edit(m, m);
    return write(m);
  }
  /// The message with a field of another one, where that one has fields of the same number.
  std::string joined(std::string_view bytes, std::string_view other) {
    message m = read(bytes, 0);
    const message n = read(other, 0);
    for (int attempt = 0; attempt < 16; ++attempt) {
      const message* from = &n;
      message* to = &m;
      while (true) {
        if (from->empty()) break;
        const field& f = (*from)[pick(from->size())];
        if (f.kind == kind_t::message && pick(3) != 0) {
          message* inner = nullptr;
          for (field& g : *to)
            if (g.kind == kind_t::message && g.number == f.number && (inner == nullptr || pick(2) == 0))
              inner = &g.fields;
          if (inner != nullptr) {
            from = &f.fields, to = inner;
            continue;
          }
        }
        for (field& g : *to)
          if (g.number == f.number) {
            if (pick(2) == 0) g = field(f);
            else to->insert(to->begin() + static_cast<std::ptrdiff_t>(pick(to->size() + 1)), field(f));
            return write(m);
          }
        break;
      }
    }
    return write(m);
  }

 private:
  enum class kind_t : u8 { integer, fixed64, fixed32, text, bytes, message };
  struct field;
  using message = std::vector<field>;
  struct field {
    u32 number = 0;
    kind_t kind = kind_t::integer;
    u64 value = 0;
    std::string bytes = {};
    message fields = {};
  };

  // -- the wire ------------------------------------------------------------------------------------------------------
  static bool take_number(std::string_view& s, u64& v) {
    v = 0;
    for (int shift = 0; shift < 64 && !s.empty(); shift += 7) {
      const auto b = static_cast<u8>(s.front());
      s.remove_prefix(1);
      v |= static_cast<u64>(b & 0x7f) << shift;
      if (b < 0x80) return true;
    }
    return false;
  }
  static void put_number(std::string& s, u64 v) {
    for (; v >= 0x80; v >>= 7) s += static_cast<char>(v | 0x80);
    s += static_cast<char>(v);
  }
  static u64 take_fixed(std::string_view& s, size_t n) {
    u64 v = 0;
    for (size_t i = 0; i < n; ++i) v |= static_cast<u64>(static_cast<u8>(s[i])) << (8 * i);
    s.remove_prefix(n);
    return v;
  }
  static void put_fixed(std::string& s, u64 v, size_t n) {
    for (size_t i = 0; i < n; ++i) s += static_cast<char>(v >> (8 * i));
  }
  static bool is_text(std::string_view s) {
    for (char c : s)
      if (c < ' ' || c > '~') return false;
    return !s.empty();
  }
  /// Fields until something is none; `whole` says whether all bytes were.
  static message read(std::string_view s, int depth, bool* whole = nullptr) {
    message m;
    if (whole) *whole = false;
    while (!s.empty()) {
      u64 key = 0, v = 0;
      if (!take_number(s, key) || key >> 3 == 0 || key >> 3 > 64) return m;
      field f{static_cast<u32>(key >> 3)};
      switch (key & 7) {
        case 0:
          if (!take_number(s, f.value)) return m;
          break;
        case 1:
        case 5: {
          const size_t n = (key & 7) == 1 ? 8 : 4;
          if (s.size() < n) return m;
          f.kind = n == 8 ? kind_t::fixed64 : kind_t::fixed32, f.value = take_fixed(s, n);
          break;
        }
        case 2: {
          if (!take_number(s, v) || v > s.size()) return m;
          const std::string_view inside = s.substr(0, v);
          s.remove_prefix(v);
          bool all = false;
          f.kind = is_text(inside) ? kind_t::text : kind_t::bytes;
          if (f.kind == kind_t::bytes && depth < 40) f.fields = read(inside, depth + 1, &all);
          if (all && !inside.empty()) f.kind = kind_t::message;
          else f.bytes = inside, f.fields.clear();
          break;
        }
        default: return m;
      }
      m.push_back(std::move(f));
    }
    if (whole) *whole = true;
    return m;
  }
  static std::string write(const message& m) {
    std::string s;
    for (const field& f : m) {
      const u64 wire = f.kind == kind_t::integer   ? 0
                       : f.kind == kind_t::fixed64 ? 1
                       : f.kind == kind_t::fixed32 ? 5
                                                   : 2;
      put_number(s, u64{f.number} << 3 | wire);
      if (wire == 0) put_number(s, f.value);
      else if (wire != 2) put_fixed(s, f.value, wire == 1 ? 8 : 4);
      else {
        const std::string inside = f.kind == kind_t::message ? write(f.fields) : f.bytes;
        put_number(s, inside.size()), s += inside;
      }
    }
    return s;
  }

  // -- changes -------------------------------------------------------------------------------------------------------
  size_t pick(size_t n) { return n == 0 ? 0 : static_cast<size_t>(random_() % n); }
  size_t one_of_ten() { return pick(10); }
  i64 integer() {
    return pick(3) == 0 ? static_cast<i64>(pick(12)) - 3 : absurd_integers[pick(std::size(absurd_integers))];
  }
  double real() { return absurd_reals[pick(std::size(absurd_reals))]; }

  void collect(message& m, std::vector<std::pair<message*, size_t>>& all) {
    for (size_t i = 0; i < m.size(); ++i) {
      all.emplace_back(&m, i);
      if (m[i].kind == kind_t::message) collect(m[i].fields, all);
    }
  }
  void edit(message& m, message& root) {
    std::vector<std::pair<message*, size_t>> all;
    collect(m, all);
    if (all.empty())
      return void(m.push_back({1 + static_cast<u32>(pick(25)), kind_t::integer, static_cast<u64>(integer())}));
    const auto [in, at] = all[pick(all.size())];
    field& f = (*in)[at];
    const auto place = in->begin() + static_cast<std::ptrdiff_t>(at);
    switch (pick(12)) {
      case 0: in->erase(place); return;
      case 1: {
        field copy = f;
        in->insert(in->begin() + static_cast<std::ptrdiff_t>(pick(in->size() + 1)), std::move(copy));
        return;
      }
      case 2: std::swap(f, (*in)[pick(in->size())]); return;
      case 3: f.number = 1 + static_cast<u32>(pick(25)); return;
      case 4: in->push_back({1 + static_cast<u32>(pick(25)), kind_t::integer, static_cast<u64>(integer())}); return;
      case 5: {  // a field from elsewhere, under its own number or this one
        const auto [from, i] = all[pick(all.size())];
        if (from == in && i == at) return;
        field copy = (*from)[i];
        if (depth_of(copy) + depth_of(root) > 60) return;
        if (pick(2) == 0) copy.number = f.number;
        f = std::move(copy);
        return;
      }
      default: change(f, all);
    }
  }
  static int depth_of(const field& f) { return f.kind == kind_t::message ? 1 + depth_of(f.fields) : 0; }
  static int depth_of(const message& m) {
    int d = 0;
    for (const field& f : m) d = std::max(d, depth_of(f));
    return d;
  }
  void change(field& f, const std::vector<std::pair<message*, size_t>>& all) {
    switch (f.kind) {
      case kind_t::integer:
        f.value = pick(4) == 0 ? f.value + (pick(2) ? 1 : ~u64{0}) : static_cast<u64>(integer());
        return;
      case kind_t::fixed32: f.value = std::bit_cast<u32>(static_cast<float>(real())); return;
      case kind_t::fixed64: f.value = pick(2) ? std::bit_cast<u64>(real()) : static_cast<u64>(integer()); return;
      case kind_t::text: {
        if (!words_.empty() && pick(2) == 0) return void(f.bytes = words_[pick(words_.size())]);
        for (int i = 0; i < 20; ++i)
          if (const auto [from, k] = all[pick(all.size())]; (*from)[k].kind == kind_t::text)
            return void(f.bytes = (*from)[k].bytes);
        return;
      }
      case kind_t::bytes: return change_elements(f.bytes);
      case kind_t::message: return edit(f.fields, f.fields);
    }
  }
  /// Bytes are elements of some width, or packed numbers.
  void change_elements(std::string& s) {
    const size_t what = pick(8), width = size_t{1} << pick(4);
    if (what == 0) return s.resize(pick(s.size() + 1));
    if (what == 1) return void(s += s.substr(0, 64));
    if (what == 2) {
      std::string packed;
      for (std::string_view rest = s; !rest.empty();) {
        u64 v = 0;
        if (!take_number(rest, v)) break;
        put_number(packed, pick(3) == 0 ? static_cast<u64>(integer()) : v);
      }
      return void(s = std::move(packed));
    }
    if (s.size() < width) return void(s.resize(width));
    const size_t at = pick(s.size() / width) * width;
    const double r = real();
    const u64 bits = pick(2)      ? static_cast<u64>(integer())
                     : width == 4 ? std::bit_cast<u32>(static_cast<float>(r))
                                  : std::bit_cast<u64>(r);
    std::string element;
    put_fixed(element, bits, width);
    s.replace(at, width, element);
  }

  std::mt19937_64 random_;
  std::span<const std::string_view> words_;
};

}  // namespace tenon::testing
