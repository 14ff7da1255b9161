/// @file chain.ipp: definitions of targets/xsimd/chain.hpp.
#pragma once

#include <algorithm>
#include <cstring>

#include <tenon/targets/xsimd/chain.hpp>

namespace tenon::xsimd_kernels {

access access::broadcast(const std::vector<i64>& operand, const std::vector<i64>& result) {
  access a;
  i64 stride = 1;
  std::vector<i64> extents, strides;
  for (size_t i = 0; i < result.size(); ++i) {  // from the last dimension
    const i64 n = result[result.size() - 1 - i], mine = i < operand.size() ? operand[operand.size() - 1 - i] : 1;
    if (n != 1) extents.push_back(n), strides.push_back(mine == 1 ? 0 : stride);
    stride *= mine;
  }
  for (size_t i = extents.size(); i-- > 0;) {
    if (!a.extents.empty() && a.strides.back() == strides[i] * extents[i]) {
      a.extents.back() *= extents[i], a.strides.back() = strides[i];
    } else {
      a.extents.push_back(extents[i]), a.strides.push_back(strides[i]);
    }
  }
  return a;
}

namespace detail {

/// Copies `n` elements that repeat every `period` into a register, the first from `phase` on: what is there already is
/// copied on, twice as much each time.
inline void repeat(float* to, const float* from, i64 period, i64 phase, i64 n) {
  const auto copy = [](float* there, const float* here, i64 count) {
    std::memcpy(there, here, static_cast<size_t>(count) * sizeof(float));
  };
  const i64 first = std::min(n, period - phase);
  copy(to, from + phase, first);
  to += first, n -= first;
  i64 done = std::min(n, period);
  copy(to, from, done);
  for (i64 more = 0; done < n; done += more) copy(to + done, to, more = std::min(done, n - done));
}

/// Copies `n` elements of an operand, from result index `begin` on, into a register.
template <class T>
void gather(float* to, const T* from, const access& how, i64 begin, i64 n) {
  const size_t rank = how.extents.size();
  if (rank == 0) {
    std::fill_n(to, n, static_cast<float>(*from));
    return;
  }
  std::vector<i64> at(rank);
  i64 offset = 0, rest = begin;
  for (size_t d = rank; d-- > 0;) {
    at[d] = rest % how.extents[d], rest /= how.extents[d];
    offset += at[d] * how.strides[d];
  }
  const i64 length = how.extents[rank - 1], stride = how.strides[rank - 1];
  while (n > 0) {
    const i64 run = std::min(n, length - at[rank - 1]);
    if (stride == 0) std::fill_n(to, run, static_cast<float>(from[offset]));
    else if (stride == 1)
      for (i64 i = 0; i < run; ++i) to[i] = static_cast<float>(from[offset + i]);
    else
      for (i64 i = 0; i < run; ++i) to[i] = static_cast<float>(from[offset + i * stride]);
    to += run, n -= run;
    offset += run * stride, at[rank - 1] += run;
    for (size_t d = rank; d-- > 1 && at[d] == how.extents[d];) {
      offset += how.strides[d - 1] - at[d] * how.strides[d];
      at[d] = 0, ++at[d - 1];
    }
  }
}

/// What a thread keeps for the next time: a block for each register, where its registers are, and steps.
struct chain_memory {
  std::vector<float> storage;
  std::vector<const float*> at;
  std::vector<running_step> steps;

  float* registers(size_t count) {
    const size_t wanted = count * static_cast<size_t>(chain::block) + 16;
    if (storage.size() < wanted) storage.resize(wanted);
    const size_t misaligned = reinterpret_cast<size_t>(storage.data()) % 64;
    return storage.data() + (misaligned ? (64 - misaligned) / sizeof(float) : 0);
  }
};
inline chain_memory& memory_of_thread() {
  static thread_local chain_memory memory;
  return memory;
}

}  // namespace detail

void chain::divide() {
  const auto reads = [](const instruction& i, int r) { return i.a == r || i.b == r || i.c == r; };
  const auto single = [&](int r) {
    return r >= 0 && static_cast<size_t>(r) < operands.size() && operands[static_cast<size_t>(r)].number();
  };
  for (size_t i = 0; i < code.size();) {
    const instruction& begin = code[i];
    group g{i, 1, runs_on(begin.fn), single(begin.a) ? begin.b : begin.a, {}};
    while (g.running && i + g.count < code.size()) {
      const instruction& next = code[i + g.count];
      const int now = code[i + g.count - 1].to;
      if (!runs_on(next.fn) || (next.a != now && next.b != now)) break;
      ++g.count;
    }
    i += g.count;
    for (size_t k = g.first; k < i; ++k) {
      bool kept = k + 1 == i;
      for (size_t later = k + 2; later < code.size(); ++later) kept = kept || reads(code[later], code[k].to);
      g.kept.push_back(kept || code[k].to == result ? 1 : 0);
    }
    const auto fill = [&](int r) {
      if (single(r)) operands[static_cast<size_t>(r)].filled = true;
    };
    if (g.running) fill(g.from);
    else fill(begin.a), fill(begin.b), fill(begin.c);
    groups.push_back(std::move(g));
  }
}

void chain::run(const frame& f, const kernel_table& k, i64 begin, i64 end) const {
  detail::chain_memory& memory = detail::memory_of_thread();
  float* const blocks = memory.registers(static_cast<size_t>(registers) + 1);
  const auto own = [&](size_t r) { return blocks + static_cast<i64>(r) * block; };
  memory.at.resize(std::max(memory.at.size(), static_cast<size_t>(registers)));
  memory.steps.resize(std::max(memory.steps.size(), code.size()));
  const float** const at = memory.at.data();
  running_step* const steps = memory.steps.data();
  for (size_t i = 0; i < operands.size(); ++i) {  // scalars stay for all blocks
    at[i] = operands[i].number() && !operands[i].filled ? f.data(operands[i].slot) : own(i);
    if (operands[i].filled)
      std::fill_n(own(i), std::min(block, (end - begin + 15) / 16 * 16), *f.data(operands[i].slot));
  }
  for (size_t r = operands.size(); r < static_cast<size_t>(registers); ++r) at[r] = own(r);
  for (i64 i = begin, n = 0; i < end; i += n) {
    n = std::min(block, end - i);
    if (n > k.lanes) n -= n % k.lanes;  // what is left of a vector is a block of its own
    const bool partial = n % k.lanes != 0;
    for (size_t o = 0; o < operands.size(); ++o) {
      const operand& x = operands[o];
      if (x.flags) {
        detail::gather(own(o), f.data<unsigned char>(x.slot), x.how, i, n);
      } else if (x.how.whole()) {
        const float* from = f.data(x.slot) + (x.how.extents.empty() ? 0 : i);
        if (partial) std::memcpy(own(o), from, static_cast<size_t>(n) * sizeof(float));
        at[o] = partial ? own(o) : from;
      } else if (const i64 period = x.how.period(); period > 0) {  // one number for each channel, most often
        const i64 phase = i % period;
        if (!partial && phase + n <= period) {
          at[o] = f.data(x.slot) + phase;
        } else if (partial || i == begin || block % period != 0) {
          detail::repeat(own(o), f.data(x.slot), period, phase, n);
          at[o] = own(o);
        }
      } else if (x.how.extents.size() > 1 || x.how.strides[0] != 0) {
        detail::gather(own(o), f.data(x.slot), x.how, i, n);
      }
    }
    float* const out = partial || gives_flags ? own(static_cast<size_t>(registers)) : f.data(this->out) + i;
    const auto source = [&](int r) { return r < 0 ? nullptr : at[r]; };
    const auto target = [&](int r) { return r == result ? out : own(static_cast<size_t>(r)); };
    for (const group& g : groups) {
      const instruction* const code_of = code.data() + g.first;
      if (!g.running) {
        k.elementwise(code_of->fn, target(code_of->to), source(code_of->a), source(code_of->b), source(code_of->c), n);
        continue;
      }
      int now = g.from;
      for (size_t s = 0; s < g.count; ++s) {
        const instruction& next = code_of[s];
        const bool second = next.a != now;
        const int with = second ? next.a : next.b;
        const bool number = static_cast<size_t>(with) < operands.size() && operands[static_cast<size_t>(with)].number();
        steps[s] = {next.fn, with == now ? nullptr : at[with], number, second,
                    g.kept[s] != 0 ? target(next.to) : nullptr};
        now = next.to;
      }
      k.running(at[g.from], steps, static_cast<i64>(g.count), n);
    }
    if (gives_flags) {
      unsigned char* flags = f.data<unsigned char>(this->out) + i;
      for (i64 j = 0; j < n; ++j) flags[j] = out[j] != 0;
    } else if (partial) {
      std::memcpy(f.data(this->out) + i, out, static_cast<size_t>(n) * sizeof(float));
    }
  }
}

}  // namespace tenon::xsimd_kernels
