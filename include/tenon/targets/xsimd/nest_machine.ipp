/// @file nest_machine.ipp: runs decoded nests (targets/xsimd/nests.hpp).
#pragma once

#include <algorithm>
#include <cstring>

#include <tenon/core/checked.hpp>
#include <tenon/targets/xsimd/nest_lanes.ipp>
#include <tenon/targets/xsimd/nests.hpp>
#include <tenon/targets/xsimd/steps.ipp>

namespace tenon::xsimd_kernels {

struct nest_machine {
  using instruction = nests::instruction;
  static constexpr i64 lanes = nests::lanes;
  static constexpr i64 far = i64{1} << 60;  ///< no index of a buffer
  /// Iterations in flight whose innermost index goes on by its step.
  struct segment {
    i64 first, count;
  };
  /// Where an access is for a segment: elements from the first one on, and for which of the iterations it is inside.
  struct line {
    i64 from, by, first, last;
  };

  const nests& p;
  std::vector<char> storage;
  std::span<char* const> memory;
  const i64* numbers;  ///< of the run
  int threads;
  i64 n = 1;  ///< iterations in flight
  std::vector<segment> segments;
  std::vector<i64> at;  ///< for each segment, the indices of the loops where it begins
  size_t depth = 0;
  i64 step = 1;  ///< of the innermost loop in flight
  std::vector<char> moving;

  nest_machine(const nests& program, std::span<char* const> buffers, const i64* known, const i64* sizes,
               int thread_count)
      : p(program), storage(program.start_), memory(buffers), numbers(known), threads(thread_count) {
    for (const auto& [r, symbol] : program.extents_) set_index(r, std::max<i64>(0, sizes[symbol]), true);
  }

  char* reg(u32 r) { return storage.data() + static_cast<size_t>(r) * lanes * 8; }
  template <class T>
  T* reg(u32 r) {
    return reinterpret_cast<T*>(reg(r));
  }
  i64 count(const instruction& in) const { return in.varies ? n : 1; }

  void execute(u32 block) {
    for (const instruction& in : p.blocks_[block]) {
      in.run(*this, in);
      if (in.spread) lane::spread(reg(in.to), in.width);
    }
  }

  // -- scalars ------------------------------------------------------------------------------------------------------
  static void scalar(nest_machine& m, const instruction& in) {
    in.scalar(in.fn, m.reg(in.to), m.reg(in.a), m.reg(in.b), m.reg(in.c), m.count(in));
  }
  static void convert(nest_machine& m, const instruction& in) {
    const char* from = m.reg(in.a);
    alignas(8) char wide[2][lanes * 8];
    for (size_t i = 0; i < 2 && in.before[i] != nullptr; ++i) in.before[i](wide[i], from, m.count(in)), from = wide[i];
    in.convert(m.reg(in.to), from, m.count(in));
  }

  // -- memory -------------------------------------------------------------------------------------------------------
  static u64 product(i64 a, i64 b) { return static_cast<u64>(a) * static_cast<u64>(b); }
  static i64 plus(i64 a, u64 b) { return static_cast<i64>(static_cast<u64>(a) + b); }
  /// An index as far as it is the same for all iterations; whatever values say, it does not overflow.
  i64 common(const nests::row& r) {
    u64 x = static_cast<u64>(r.constant);
    for (const nests::term& t : r.terms)
      if (t.of == nests::term::of_t::one) x += product(t.coefficient, *reg<i64>(t.at));
    return static_cast<i64>(x);
  }
  line line_of(const nests::access& a, const segment& s, const i64* begin) {
    line l{0, 0, 0, s.count};
    u64 from = 0;
    for (const nests::row& r : a.rows) {
      i64 x = common(r), by = 0;
      const i64 stride = numbers[r.stride], top = numbers[r.extent] - 1;
      for (const nests::term& t : r.terms) {
        if (t.of != nests::term::of_t::dimension) continue;
        x = plus(x, product(t.coefficient, begin[t.at]));
        if (t.at + 1 == depth) by = plus(by, product(t.coefficient, step));
      }
      from += product(x, stride), l.by = plus(l.by, product(by, stride));
      // 0 <= x + by * i <= top
      if (x < -far || x > far) l.last = 0;
      if (l.last == 0) continue;
      if (by == 0 || s.count == 1) {
        if (x < 0 || x > top) l.last = 0;
      } else if (by < -far || by > far) {  // at most one of them is inside
        i64 i = 0;
        while (i<s.count&& static_cast<u64>(plus(x, product(by, i)))> static_cast<u64>(top)) ++i;
        l.first = std::max(l.first, i), l.last = std::min(l.last, i + 1);
      } else {
        const i64 up = by < 0 ? -by : by, height = by < 0 ? top - x : x;  // each iteration is higher by `up`
        if (height < 0) l.first = std::max(l.first, (-height + up - 1) / up);
        l.last = std::min(l.last, height > top ? 0 : (top - height) / up + 1);
      }
    }
    l.from = static_cast<i64>(from);
    l.first = std::min(l.first, l.last);
    return l;
  }
  /// Where each iteration in flight accesses; -1: outside.
  void places(const nests::access& a, i64* to) {
    bool outside[lanes] = {};
    std::fill_n(to, n, 0);
    for (const nests::row& r : a.rows) {
      i64 x[lanes];
      std::fill_n(x, n, common(r));
      for (const nests::term& t : r.terms) {
        if (t.of == nests::term::of_t::lane) {
          const i64* v = reg<i64>(t.at);
          for (i64 i = 0; i < n; ++i) x[i] = plus(x[i], product(t.coefficient, v[i]));
        } else if (t.of == nests::term::of_t::dimension) {
          for (size_t s = 0; s < segments.size(); ++s) {
            const u64 by = t.at + 1 == depth ? product(t.coefficient, step) : 0;
            u64 v = product(t.coefficient, at[s * depth + t.at]);
            for (i64 i = segments[s].first, end = i + segments[s].count; i < end; ++i, v += by) x[i] = plus(x[i], v);
          }
        }
      }
      const i64 extent = numbers[r.extent], stride = numbers[r.stride];
      for (i64 i = 0; i < n; ++i) {
        outside[i] |= static_cast<u64>(x[i]) >= static_cast<u64>(extent);
        to[i] = plus(to[i], product(x[i], stride));
      }
    }
    for (i64 i = 0; i < n; ++i)
      if (outside[i]) to[i] = -1;
  }
  /// f(first iteration, how many, first element, elements from one to the next) for what is inside, and
  /// outside(first iteration, how many) for the rest.
  template <class F, class G>
  void each_line(const instruction& in, const nests::access& a, F&& f, G&& outside) {
    if (!in.varies) {
      const line l = line_of(a, {0, 1}, nullptr);
      return l.last == 1 ? f(0, 1, l.from, 0) : outside(0, 1);
    }
    if (a.by_lane) {
      i64 place[lanes];
      places(a, place);
      for (i64 i = 0; i < n; ++i) {
        if (place[i] < 0) outside(i, 1);
        else f(i, 1, place[i], 0);
      }
      return;
    }
    for (size_t s = 0; s < segments.size(); ++s) {
      const segment& g = segments[s];
      const line l = line_of(a, g, at.data() + s * depth);
      if (l.first > 0) outside(g.first, l.first);
      if (l.last > l.first) f(g.first + l.first, l.last - l.first, plus(l.from, product(l.first, l.by)), l.by);
      if (l.last < g.count) outside(g.first + l.last, g.count - l.last);
    }
  }
  static void load(nest_machine& m, const instruction& in) {
    const nests::access& a = m.p.accesses_[in.a];
    const auto outside = [&](i64 first, i64 count) {
      if (!a.guarded) m.p.fail(in, "an index is outside of what it reads");
      std::memcpy(m.reg(in.to) + first * a.width, m.reg(a.fill) + first * a.width,
                  static_cast<size_t>(count * a.width));
    };
    by_width(a.width, [&]<class T>(T) {
      const T* from = reinterpret_cast<const T*>(m.memory[a.memory]);
      T* to = m.reg<T>(in.to);
      m.each_line(
          in, a, [&](i64 first, i64 count, i64 place, i64 by) { lane::take(to + first, from + place, by, count); },
          outside);
    });
    if (a.flags) {
      u8* flags = m.reg<u8>(in.to);
      for (i64 i = 0; i < m.count(in); ++i) flags[i] = flags[i] != 0;
    }
  }
  static void store(nest_machine& m, const instruction& in) {
    const nests::access& a = m.p.accesses_[in.a];
    by_width(a.width, [&]<class T>(T) {
      T* to = reinterpret_cast<T*>(m.memory[a.memory]);
      const T* from = m.reg<T>(in.b);
      m.each_line(
          in, a, [&](i64 first, i64 count, i64 place, i64 by) { lane::put(to + place, from + first, by, count); },
          [&](i64, i64) { m.p.fail(in, "an index is outside of what it writes"); });
    });
  }

  // -- control ------------------------------------------------------------------------------------------------------
  void transfer(const std::vector<nests::move>& moves) {
    const auto bytes = [&](const nests::move& v) { return static_cast<size_t>((v.varies ? n : 1) * v.width); };
    if (moves.size() > 1) {  // they may be a permutation of what they replace
      moving.clear();
      for (const nests::move& v : moves) moving.insert(moving.end(), reg(v.from), reg(v.from) + bytes(v));
    }
    size_t from = 0;
    for (const nests::move& v : moves) {
      if (moves.size() > 1) std::memcpy(reg(v.to), moving.data() + from, bytes(v)), from += bytes(v);
      else if (v.from != v.to) std::memcpy(reg(v.to), reg(v.from), bytes(v));
      if (v.spread) lane::spread(reg(v.to), v.width);
    }
  }
  void set_index(u32 r, i64 value, bool spread) { std::fill_n(reg<i64>(r), spread ? lanes : 1, value); }
  static void loop(nest_machine& m, const instruction& in) {
    const nests::loop_data& d = m.p.loops_[in.a];
    const i64 low = *m.reg<i64>(d.low), high = *m.reg<i64>(d.high);
    const i64 times = high > low ? (high - low - 1) / d.step + 1 : 0;
    if (d.parallel && m.threads > 1 && times > 1) {
      loop_over(
          times, 1,
          [&](i64 begin, i64 end) {
            nest_machine own(m);
            own.threads = 1;
            for (i64 i = begin; i < end; ++i) own.set_index(d.index, low + i * d.step, d.spread), own.execute(d.body);
          },
          m.threads);
      return;
    }
    m.transfer(d.first);
    for (i64 i = 0; i < times; ++i) {
      m.set_index(d.index, low + i * d.step, d.spread);
      m.execute(d.body);
      m.transfer(d.next);
    }
    m.transfer(d.last);
  }
  static void branch(nest_machine& m, const instruction& in) {
    const nests::branch_data& d = m.p.branches_[in.a];
    const int taken = *m.reg<u8>(in.b) != 0 ? 0 : 1;
    m.execute(d.body[taken]);
    m.transfer(d.results[taken]);
  }

  // -- iterations in flight -----------------------------------------------------------------------------------------
  static void nest(nest_machine& m, const instruction& in) {
    const nests::nest_data& d = m.p.nests_[in.a];
    std::vector<i64> low, times;
    i64 all = 1;
    for (const nests::dimension& x : d.dims) {
      const i64 from = *m.reg<i64>(x.low), to = *m.reg<i64>(x.high);
      low.push_back(from), times.push_back(to > from ? (to - from - 1) / x.step + 1 : 0);
      all *= times.back();
    }
    if (d.whole && m.threads > 1) {
      loop_over((all + lanes - 1) / lanes, 4,
                [&](i64 begin, i64 end) {
                  nest_machine own(m);
                  own.in_flight(d, low, times, begin * lanes, std::min(all, end * lanes));
                },
                m.threads);
    } else {
      m.in_flight(d, low, times, 0, all);
    }
  }
  void in_flight(const nests::nest_data& d, const std::vector<i64>& low, const std::vector<i64>& times, i64 begin,
                 i64 end) {
    depth = d.dims.size(), step = d.dims.back().step;
    const i64 line = times.back();
    for (i64 i = begin; i < end; i += n) {
      n = std::min(lanes, end - i);
      segments.clear(), at.clear();
      for (i64 done = 0; done < n;) {
        i64 rest = i + done;
        const i64 count = std::min(n - done, line - rest % line);
        at.resize(at.size() + depth);
        for (size_t k = depth; k-- > 0;) {
          at[at.size() - depth + k] = low[k] + rest % times[k] * d.dims[k].step;
          rest /= times[k];
        }
        segments.push_back({done, count});
        done += count;
      }
      run_body(d);
    }
    n = 1;
  }
  void run_body(const nests::nest_data& d) {
    for (size_t k = 0; k < depth; ++k) {
      if (!d.dims[k].used) continue;
      i64* to = reg<i64>(d.dims[k].index);
      const i64 by = k + 1 == depth ? step : 0;
      for (size_t s = 0; s < segments.size(); ++s)
        for (i64 i = 0; i < segments[s].count; ++i) to[segments[s].first + i] = at[s * depth + k] + i * by;
    }
    execute(d.body);
  }

  // -- contractions -------------------------------------------------------------------------------------------------
  struct reading {
    i64 from = 0;
    std::vector<i64> by;  ///< elements by each of the extents
  };
  /// The bounds of an affine index over a box are attained at its corners, so one check covers the whole contraction.
  reading reading_of(const instruction& in, const nests::side& s, const std::vector<i64>& extents) {
    reading r;
    r.by.assign(extents.size(), 0);
    for (const auto& l : s.rows) {
      const i64 base = common(l), stride = numbers[l.stride];
      i64 low = base, high = base;
      bool wraps = false;
      for (size_t e = 0; e < extents.size(); ++e) {
        i64& bound = l.by[e] < 0 ? low : high;
        i64 reach = 0;
        wraps = __builtin_mul_overflow(l.by[e], extents[e] - 1, &reach) ||
                __builtin_add_overflow(bound, reach, &bound) || wraps;
        if (extents[e] > 1) r.by[e] += l.by[e] * stride;
      }
      if (wraps || low < 0 || high >= numbers[l.extent]) p.fail(in, "an index is outside of what it multiplies");
      r.from += base * stride;
    }
    return r;
  }
  static void contract(nest_machine& m, const instruction& in) {
    const nests::contract_data& c = m.p.contracts_[in.a];
    std::vector<i64> extents = c.extents;
    for (const auto& [e, r] : c.sized) extents[e] = std::max<i64>(0, *m.reg<i64>(r));
    i64 points = 1, terms = 1;
    for (size_t e = 0; e + 1 < c.outputs; ++e) points *= extents[e];
    for (size_t e = c.outputs; e < extents.size(); ++e) terms *= extents[e];
    const i64 columns = extents[c.outputs - 1], pieces = (columns + lanes - 1) / lanes;
    if (points * pieces == 0) return;
    const bool any = terms != 0;
    const reading a = any ? m.reading_of(in, c.a, extents) : reading{},
                  b = any ? m.reading_of(in, c.b, extents) : reading{};
    const auto work = [&](nest_machine& own, i64 begin, i64 end) {
      for (i64 i = begin; i < end; ++i) own.contract_piece(c, extents, a, b, any, i / pieces, i % pieces * lanes);
    };
    if (c.columns.whole && m.threads > 1)
      loop_over(
          points * pieces, std::max<i64>(1, 4096 / std::max<i64>(1, terms)),
          [&](i64 begin, i64 end) {
            nest_machine own(m);
            work(own, begin, end);
          },
          m.threads);
    else work(m, 0, points * pieces);
    m.n = 1;
  }
  void contract_piece(const nests::contract_data& c, const std::vector<i64>& extents, const reading& a,
                      const reading& b, bool any, i64 point, i64 column) {
    const size_t outputs = c.outputs, m = outputs - 1;
    n = std::min(lanes, extents[m] - column);
    i64 from_a = a.from, from_b = b.from + (any ? column * b.by[m] : 0);
    for (size_t e = m; e-- > 0;) {
      const i64 i = point % extents[e];
      point /= extents[e];
      set_index(c.at[e], i, c.spread);
      if (any) from_a += i * a.by[e], from_b += i * b.by[e];
    }
    char* const sums = reg(c.sum);
    std::memset(sums, 0, static_cast<size_t>(n * c.width));
    std::vector<i64> k(extents.size() - outputs, 0);
    alignas(8) char factor[8], raw[lanes * 8], wide[lanes * 8];
    while (any) {
      const char* x = memory[c.a.memory] + from_a * c.a.width;
      if (c.a.convert != nullptr) c.a.convert(factor, x, 1), x = factor;
      const char* line = memory[c.b.memory] + from_b * c.b.width;
      if (b.by[m] != 1 && n > 1) {
        by_width(c.b.width, [&]<class T>(T) {
          lane::take(reinterpret_cast<T*>(raw), reinterpret_cast<const T*>(line), b.by[m], n);
        });
        line = raw;
      }
      if (c.b.convert != nullptr) c.b.convert(wide, line, n), line = wide;
      c.add_products(sums, x, line, n);
      size_t e = k.size();
      for (; e != 0; --e) {
        from_a += a.by[outputs + e - 1], from_b += b.by[outputs + e - 1];
        if (++k[e - 1] < extents[outputs + e - 1]) break;
        from_a -= k[e - 1] * a.by[outputs + e - 1], from_b -= k[e - 1] * b.by[outputs + e - 1];
        k[e - 1] = 0;
      }
      if (e == 0) break;
    }
    depth = 1, step = 1;
    segments.assign(1, {0, n}), at.assign(1, column);
    run_body(c.columns);
  }
};

void nests::fail(const instruction& in, const std::string& what) const {
  throw error("external.out_of_bounds",
              "kernel '" + name_ + "': " + std::string(module_->view(in.op).name()) + ": " + what,
              module_->text((*module_)[in.op].location));
}

i64 nests::product::at(const i64* sizes) const {
  i64 n = factor;
  for (u32 s : symbols) n = checked_mul(n, std::max<i64>(0, sizes[s]));
  return n;
}

void nests::run(std::span<void* const> arguments, const i64* sizes, int threads) const {
  constexpr size_t usual = 64;
  i64 few[usual];
  std::vector<i64> many;
  const i64* numbers = fixed_.data();
  if (fixed_.size() != numbers_.size()) {
    if (numbers_.size() > usual) many.resize(numbers_.size());
    i64* const now = many.empty() ? few : many.data();
    for (size_t i = 0; i < numbers_.size(); ++i) now[i] = numbers_[i].at(sizes);
    numbers = now;
  }
  std::vector<char*> memory;
  std::vector<tensor> own;
  for (const memory_data& d : memories_) {
    if (d.argument >= 0) {
      memory.push_back(static_cast<char*>(arguments[static_cast<size_t>(d.argument)]));
    } else if (d.constant != nullptr) {
      memory.push_back(static_cast<char*>(const_cast<void*>(d.constant)));
    } else {
      own.emplace_back(dtype::u8, std::vector<i64>{numbers[d.bytes]});
      memory.push_back(static_cast<char*>(own.back().data()));
    }
  }
  nest_machine(*this, memory, numbers, sizes, threads).execute(body_);
}

}  // namespace tenon::xsimd_kernels
