/// @file regex.ipp: definitions of ops/graph/regex.hpp.
#pragma once

#include <algorithm>

#include <tenon/ops/graph/regex.hpp>

namespace tenon::op::regex {

u32 next_code_point(std::string_view s, size_t& at) {
  const auto byte = [&](size_t i) { return static_cast<u32>(static_cast<unsigned char>(s[i])); };
  const u32 first = byte(at++);
  if (first < 0x80) return first;
  const int more = first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
  if (more == 0 || first >= 0xf5 || at + static_cast<size_t>(more) > s.size()) return 0xfffd;
  u32 c = first & (0x3fu >> more);
  for (int i = 0; i < more; ++i) {
    const u32 b = byte(at + static_cast<size_t>(i));
    if ((b & 0xc0) != 0x80) return 0xfffd;
    c = c << 6 | (b & 0x3f);
  }
  at += static_cast<size_t>(more);
  return c;
}

void append_code_point(std::string& s, u32 c) {
  const auto put = [&](u32 b) { s.push_back(static_cast<char>(static_cast<unsigned char>(b))); };
  if (c < 0x80) return put(c);
  if (c < 0x800) return put(0xc0 | c >> 6), put(0x80 | (c & 0x3f));
  if (c < 0x10000) return put(0xe0 | c >> 12), put(0x80 | (c >> 6 & 0x3f)), put(0x80 | (c & 0x3f));
  put(0xf0 | c >> 18), put(0x80 | (c >> 12 & 0x3f)), put(0x80 | (c >> 6 & 0x3f)), put(0x80 | (c & 0x3f));
}

u32 upper(u32 c) {
  if (c >= 'a' && c <= 'z') return c - 32;
  if (c >= 0xe0 && c <= 0xfe && c != 0xf7) return c - 32;  // Latin-1
  if (c == 0xff) return 0x178;
  if ((c >= 0x100 && c <= 0x137) || (c >= 0x14a && c <= 0x177)) return c & ~1u;  // Latin Extended-A: pairs
  if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e)) return c % 2 == 0 ? c - 1 : c;
  if (c >= 0x3b1 && c <= 0x3c9 && c != 0x3c2) return c - 32;  // Greek
  if (c >= 0x430 && c <= 0x44f) return c - 32;                // Cyrillic
  if (c >= 0x450 && c <= 0x45f) return c - 80;
  return c;
}
u32 lower(u32 c) {
  if (c >= 'A' && c <= 'Z') return c + 32;
  if (c >= 0xc0 && c <= 0xde && c != 0xd7) return c + 32;
  if (c == 0x178) return 0xff;
  if ((c >= 0x100 && c <= 0x137 && c != 0x130) || (c >= 0x14a && c <= 0x177)) return c | 1u;
  if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e)) return c % 2 == 1 ? c + 1 : c;
  if (c >= 0x391 && c <= 0x3a9 && c != 0x3a2) return c + 32;
  if (c >= 0x410 && c <= 0x42f) return c + 32;
  if (c >= 0x400 && c <= 0x40f) return c + 80;
  return c;
}

namespace detail {

inline constexpr u32 last_code_point = 0x10ffff;
using ranges = std::vector<std::pair<u32, u32>>;
inline bool is_word(u32 c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 'a' && c <= 'z');
}

inline ranges inverse(ranges r) {
  std::sort(r.begin(), r.end());
  ranges out;
  u32 from = 0;
  for (const auto& [a, b] : r) {
    if (a > from) out.emplace_back(from, a - 1);
    from = std::max(from, b + 1);
  }
  if (from <= last_code_point) out.emplace_back(from, last_code_point);
  return out;
}

/// A part of a program that is being made: where it begins, and the ends that lead to what follows.
struct piece {
  u32 start = 0;
  std::vector<std::pair<u32, bool>> ends;  ///< instruction, and whether it is its `other`
};

class compiler {
 public:
  explicit compiler(std::string_view s) : s_(s) {}
  program made;
  std::string problem;

  void run() {
    const piece all = alternation();
    if (problem.empty() && at_ < s_.size()) problem = "')' without '('";
    const u32 end = add(instruction{});
    join(all, end);
    start_of_program(all.start);
    if (!problem.empty()) made.clear();
  }

 private:
  static constexpr size_t most = 20000;  ///< instructions, as {m,n} multiplies them

  u32 add(instruction i) {
    if (made.size() >= most) problem = "it is too large";
    else made.push_back(std::move(i));
    return static_cast<u32>(made.size() - 1);
  }
  void join(const piece& p, u32 to) {
    for (const auto& [i, other] : p.ends) (other ? made[i].other : made[i].next) = to;
  }
  /// The program begins with its first instruction.
  void start_of_program(u32 start) {
    instruction jump{instruction::kind_t::jump, start, 0, 0, false, {}};
    made.push_back(std::move(jump));
    std::swap(made.front(), made.back());
    const u32 moved = static_cast<u32>(made.size() - 1);  // what was first is last now
    for (instruction& i : made)
      for (u32* to : {&i.next, &i.other})
        if (*to == 0) *to = moved;
  }
  piece single(instruction i) {
    const u32 n = add(std::move(i));
    return {n, {{n, false}}};
  }
  piece set(ranges r, bool negated = false) {
    if (fold_) {
      const ranges given = r;
      for (const auto& [a, b] : given)
        for (u32 c = a; c <= b && c < 0x500; ++c)
          if (const u32 u = upper(c), l = lower(c); u != c || l != c) r.emplace_back(u, u), r.emplace_back(l, l);
    }
    return single({instruction::kind_t::set, 0, 0, 0, negated, std::move(r)});
  }
  piece nothing() { return single({instruction::kind_t::jump, 0, 0, 0, false, {}}); }
  piece test(char c) { return single({instruction::kind_t::assert_, 0, 0, c, false, {}}); }
  bool more() const { return at_ < s_.size() && problem.empty(); }
  bool take(char c) {
    if (!more() || s_[at_] != c) return false;
    ++at_;
    return true;
  }

  piece alternation() {
    piece p = sequence();
    while (take('|')) {
      const piece q = sequence();
      const u32 split = add({instruction::kind_t::split, p.start, q.start, 0, false, {}});
      p.start = split;
      p.ends.insert(p.ends.end(), q.ends.begin(), q.ends.end());
    }
    return p;
  }
  piece sequence() {
    piece p = nothing();
    while (more() && s_[at_] != '|' && s_[at_] != ')') {
      const piece q = repetition();
      if (!problem.empty()) break;
      join(p, q.start);
      p.ends = q.ends;
    }
    return p;
  }
  /// p, any number of times; at least once when `once`.
  piece star(piece p, bool once) {
    const u32 split = add({instruction::kind_t::split, p.start, 0, 0, false, {}});
    join(p, split);
    return {once ? p.start : split, {{split, true}}};
  }
  piece perhaps(piece p) {
    const u32 split = add({instruction::kind_t::split, p.start, 0, 0, false, {}});
    p.start = split;
    p.ends.emplace_back(split, true);
    return p;
  }
  piece repetition() {
    const size_t begin = at_;
    piece p = atom();
    while (more()) {
      const size_t end = at_;
      if (take('*')) p = star(p, false);
      else if (take('+')) p = star(p, true);
      else if (take('?')) p = perhaps(p);
      else if (i64 low, high; counts(low, high)) p = counted(begin, end, low, high);
      else break;
      take('?');  // which match is preferred does not matter for a full one
    }
    return p;
  }
  bool counts(i64& low, i64& high) {
    const size_t before = at_;
    const auto number = [&](i64& n) {
      n = 0;
      const size_t from = at_;
      while (more() && s_[at_] >= '0' && s_[at_] <= '9' && n <= 1000) n = n * 10 + (s_[at_++] - '0');
      return at_ > from;
    };
    if (take('{') && number(low)) {
      high = low;
      if (take(',')) {
        if (!number(high)) high = -1;
      }
      if (take('}')) {
        if (low > 1000 || high > 1000 || (high >= 0 && high < low)) problem = "a wrong number of repetitions";
        return true;
      }
    }
    at_ = before;
    return false;
  }
  /// The atom's text is compiled again for each copy.
  piece counted(size_t begin, size_t end, i64 low, i64 high) {
    const size_t after = at_;
    const bool fold = fold_;
    piece p = nothing();
    const auto copy = [&] {
      const size_t keep = at_;
      at_ = begin;
      const std::string_view all = s_;
      s_ = s_.substr(0, end);
      piece q = repetition();
      s_ = all, at_ = keep, fold_ = fold;
      return q;
    };
    const auto follow = [&](const piece& q) {
      join(p, q.start);
      p.ends = q.ends;
    };
    for (i64 i = 0; i < low && problem.empty(); ++i) follow(copy());
    if (high < 0 && problem.empty()) follow(star(copy(), false));
    std::vector<std::pair<u32, bool>> exits;
    for (i64 i = low; i < high && problem.empty(); ++i) {
      const piece q = perhaps(copy());
      join(p, q.start);
      p.ends.assign(q.ends.begin(), q.ends.end() - 1);
      exits.push_back(q.ends.back());
    }
    p.ends.insert(p.ends.end(), exits.begin(), exits.end());
    at_ = after;
    return p;
  }
  piece atom() {
    const char c = s_[at_++];
    switch (c) {
      case '(': return group();
      case '[': return bracket();
      case '.': return dot_all_ ? set({{0, last_code_point}}) : set({{'\n', '\n'}}, true);
      case '^': return test(lines_ ? '^' : 'A');
      case '$': return test(lines_ ? '$' : 'z');
      case '*':
      case '+':
      case '?': problem = "a repetition of nothing"; return nothing();
      case '\\': return escape();
      default: break;
    }
    --at_;
    const u32 p = next_code_point(s_, at_);
    return set({{p, p}});
  }
  piece group() {
    if (++depth_ > 200) {
      problem = "its groups nest too deep";
      return nothing();
    }
    const bool fold = fold_, dot_all = dot_all_, lines = lines_;
    if (take('?')) {
      if (take('P') || s_.substr(at_, 1) == "<") {
        const size_t end = s_.find('>', at_);
        if (end == std::string_view::npos) problem = "a group's name has no end";
        else at_ = end + 1;
      } else {
        bool on = true;
        while (more() && s_[at_] != ':' && s_[at_] != ')') {
          const char f = s_[at_++];
          if (f == '-') on = false;
          else if (f == 'i') fold_ = on;
          else if (f == 's') dot_all_ = on;
          else if (f == 'm') lines_ = on;
          else if (f != 'U') problem = "an unknown flag";
        }
        if (take(')')) return --depth_, nothing();  // holds up to the end of the group around it
        take(':');
      }
    }
    piece p = alternation();
    if (problem.empty() && !take(')')) problem = "'(' without ')'";
    fold_ = fold, dot_all_ = dot_all, lines_ = lines;
    --depth_;
    return p;
  }
  /// The set that an escape stands for; false when it is one character.
  static bool named_set(char c, ranges& r) {
    switch (c) {
      case 'd': r = {{'0', '9'}}; return true;
      case 'w': r = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}; return true;
      case 's': r = {{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}}; return true;
      case 'D':
      case 'W':
      case 'S':
        named_set(static_cast<char>(c + 32), r);
        r = inverse(std::move(r));
        return true;
      default: return false;
    }
  }
  u32 escaped_character(char c) {
    switch (c) {
      case 'n': return '\n';
      case 't': return '\t';
      case 'r': return '\r';
      case 'f': return '\f';
      case 'v': return '\v';
      case 'a': return '\a';
      case 'x': {
        u32 v = 0;
        const bool braces = take('{');
        for (int i = 0; more() && (braces ? s_[at_] != '}' : i < 2); ++i) {
          const char h = s_[at_++];
          const u32 digit = h >= '0' && h <= '9'                 ? static_cast<u32>(h - '0')
                            : (h | 32) >= 'a' && (h | 32) <= 'f' ? static_cast<u32>((h | 32) - 'a' + 10)
                                                                 : 99;
          if (digit == 99 || v > last_code_point) problem = "a wrong \\x";
          v = v * 16 + digit;
        }
        if (braces) take('}');
        return v;
      }
      default: break;
    }
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
      problem = std::string("an unknown escape \\") + c;
    return static_cast<unsigned char>(c);
  }
  piece escape() {
    if (!more()) {
      problem = "it ends with '\\'";
      return nothing();
    }
    const char c = s_[at_++];
    if (c == 'b' || c == 'B' || c == 'A' || c == 'z') return test(c);
    ranges r;
    if (named_set(c, r)) return set(std::move(r));
    const u32 p = escaped_character(c);
    return set({{p, p}});
  }
  piece bracket() {
    const bool negated = take('^');
    ranges all;
    bool first = true;
    while (more() && (s_[at_] != ']' || first)) {
      first = false;
      if (s_.substr(at_, 2) == "[:") {
        posix(all);
        continue;
      }
      ranges named;
      const auto one = [&]() -> u32 {
        if (!take('\\')) return next_code_point(s_, at_);
        if (!more()) return problem = "it ends with '\\'", 0;
        const char c = s_[at_++];
        if (named_set(c, named)) return 0;
        return escaped_character(c);
      };
      const u32 low = one();
      if (!named.empty()) {
        all.insert(all.end(), named.begin(), named.end());
        continue;
      }
      u32 high = low;
      if (at_ + 1 < s_.size() && s_[at_] == '-' && s_[at_ + 1] != ']') {
        ++at_;
        high = one();
        if (!named.empty() || high < low) problem = "a wrong range in '[]'";
      }
      all.emplace_back(low, high);
    }
    if (!take(']') && problem.empty()) problem = "'[' without ']'";
    return set(std::move(all), negated);
  }
  void posix(ranges& all) {
    static constexpr struct {
      std::string_view name;
      std::pair<u32, u32> in[4];
      size_t count;
    } classes[] = {{"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}, 3},
                   {"alpha", {{'A', 'Z'}, {'a', 'z'}}, 2},
                   {"ascii", {{0, 127}}, 1},
                   {"blank", {{'\t', '\t'}, {' ', ' '}}, 2},
                   {"cntrl", {{0, 31}, {127, 127}}, 2},
                   {"digit", {{'0', '9'}}, 1},
                   {"graph", {{33, 126}}, 1},
                   {"lower", {{'a', 'z'}}, 1},
                   {"print", {{32, 126}}, 1},
                   {"punct", {{33, 47}, {58, 64}, {91, 96}, {123, 126}}, 4},
                   {"space", {{'\t', '\r'}, {' ', ' '}}, 2},
                   {"upper", {{'A', 'Z'}}, 1},
                   {"word", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}, 4},
                   {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}, 3}};
    const size_t end = s_.find(":]", at_);
    std::string_view name = end == std::string_view::npos ? std::string_view() : s_.substr(at_ + 2, end - at_ - 2);
    const bool negated = !name.empty() && name.front() == '^';
    if (negated) name.remove_prefix(1);
    for (const auto& c : classes) {
      if (c.name != name) continue;
      ranges r(c.in, c.in + c.count);
      if (negated) r = inverse(std::move(r));
      all.insert(all.end(), r.begin(), r.end());
      at_ = end + 2;
      return;
    }
    problem = "an unknown class in '[::]'";
  }

  std::string_view s_;
  size_t at_ = 0;
  int depth_ = 0;
  bool fold_ = false, dot_all_ = false, lines_ = false;
};

/// `find_longest`; `anchored`: only what begins at `from`.
std::optional<place> leftmost_longest(const program& p, std::string_view text, size_t from, bool anchored) {
  struct thread {
    u32 at;
    size_t begin;
  };
  std::vector<thread> now, next;  // those that begin first stand first
  std::vector<u32> open;
  std::vector<size_t> seen(p.size(), 0);
  size_t round = 1;
  const auto peek = [&](size_t at) { return at < text.size() ? next_code_point(text, at) : ~0u; };
  size_t previous = from;
  while (previous > 0 && from - previous < 4 && (previous == from || (text[previous] & 0xc0) == 0x80)) --previous;
  u32 before = from > 0 ? next_code_point(text, previous) : ~0u, after = peek(from);
  // Adds all instructions that are reached from `i` without reading.
  const auto reach = [&](u32 i, size_t begin, std::vector<thread>& to) {
    open.assign(1, i);
    while (!open.empty()) {
      const u32 k = open.back();
      open.pop_back();
      if (seen[k] == round) continue;
      seen[k] = round;
      const instruction& in = p[k];
      using kind = instruction::kind_t;
      if (in.kind == kind::jump) open.push_back(in.next);
      else if (in.kind == kind::split) open.push_back(in.other), open.push_back(in.next);
      else if (in.kind == kind::assert_) {
        const bool boundary = (before != ~0u && is_word(before)) != (after != ~0u && is_word(after));
        const bool holds = in.test == 'A'   ? before == ~0u
                           : in.test == 'z' ? after == ~0u
                           : in.test == '^' ? before == ~0u || before == '\n'
                           : in.test == '$' ? after == ~0u || after == '\n'
                                            : boundary == (in.test == 'b');
        if (holds) open.push_back(in.next);
      } else {
        to.push_back({k, begin});
      }
    }
  };
  std::optional<place> found;
  if (p.empty() || from > text.size()) return found;
  for (size_t at = from;;) {
    if (!found && (!anchored || at == from)) reach(0, at, now);
    for (const thread& t : now) {
      if (p[t.at].kind != instruction::kind_t::match || (found && t.begin > found->begin)) continue;
      found = place{t.begin, at};
    }
    if (at >= text.size() || (now.empty() && (found || anchored))) return found;
    before = next_code_point(text, at);
    after = peek(at);
    ++round;
    next.clear();
    for (const thread& t : now) {
      const instruction& in = p[t.at];
      if (in.kind != instruction::kind_t::set || (found && t.begin > found->begin)) continue;
      bool inside = false;
      for (const auto& [a, b] : in.ranges) inside = inside || (before >= a && before <= b);
      if (inside != in.negated) reach(in.next, t.begin, next);
    }
    std::swap(now, next);
  }
}

}  // namespace detail

program compile(std::string_view pattern, std::string& problem) {
  detail::compiler c(pattern);
  c.run();
  problem = c.problem;
  return std::move(c.made);
}

bool full_match(const program& p, std::string_view text) {
  return detail::leftmost_longest(p, text, 0, true) == place{0, text.size()};
}

std::optional<place> find_longest(const program& p, std::string_view text, size_t from) {
  return detail::leftmost_longest(p, text, from, false);
}

}  // namespace tenon::op::regex
