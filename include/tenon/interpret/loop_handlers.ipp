/// @file loop_handlers.ipp: the instructions of decoded kernels: scalars, conversions, loads, stores, sums of products.
///
/// A register holds exactly what the scalar's type says: f32 arithmetic is done in float, integers wrap to their width,
/// and the 16-bit floats are computed in float and rounded after every operation.
#pragma once

#include <tenon/interpret/loops.hpp>
#include <tenon/interpret/scalar.hpp>

namespace tenon::interpreting {

template <class T>
T from_register(const scalar_register& r) {
  if constexpr (std::same_as<T, bool>) {
    return r.bits != 0;
  } else {
    T v;
    std::memcpy(static_cast<void*>(&v), &r.bits, sizeof v);
    return v;
  }
}
template <class T>
scalar_register to_register(T v) {
  scalar_register r;
  if constexpr (std::same_as<T, bool>) r.bits = v ? 1 : 0;
  else std::memcpy(&r.bits, &v, sizeof v);
  return r;
}
/// Memory of a bool need not be 0 or 1.
template <class T>
T read_element(const unsigned char* base, i64 i) {
  if constexpr (std::same_as<T, bool>) return base[i] != 0;
  else return reinterpret_cast<const T*>(base)[i];
}

struct handlers {
  using instruction = kernel::instruction;
  using handler = kernel::handler;
  using scalar_fn = loop::scalar_fn;

  static scalar_register literal(dtype t, double real, i64 integer) {
    return visit_storage(t, [&]<class T>(T) {
      if constexpr (is_float(dtype_of<T>)) return to_register(convert_element<T>(real));
      else return to_register(convert_element<T>(integer));
    });
  }

  // -- scalars --
  template <class T>
  static void any_scalar(kernel& k, const instruction& in) {
    auto& r = k.registers_;
    const T a = from_register<T>(r[in.a]), b = from_register<T>(r[in.b]), c = from_register<T>(r[in.c]);
    r[in.to] = loop::gives_bool(in.fn) ? to_register<bool>(test_scalar<T>(in.fn, a, b))
                                       : to_register<T>(apply_scalar<T>(in.fn, a, b, c));
  }
  template <class T, scalar_fn Fn>
  static void quick(kernel& k, const instruction& in) {
    auto& r = k.registers_;
    const T a = from_register<T>(r[in.a]), b = from_register<T>(r[in.b]);
    if constexpr (Fn == scalar_fn::add) r[in.to] = to_register<T>(a + b);
    else if constexpr (Fn == scalar_fn::sub) r[in.to] = to_register<T>(a - b);
    else r[in.to] = to_register<T>(a * b);
  }
  static void quick_index_sum(kernel& k, const instruction& in) {
    k.registers_[in.to].bits = k.registers_[in.a].bits + k.registers_[in.b].bits;
  }
  static void quick_index_product(kernel& k, const instruction& in) {
    k.registers_[in.to].bits = k.registers_[in.a].bits * k.registers_[in.b].bits;
  }
  static void select(kernel& k, const instruction& in) {
    auto& r = k.registers_;
    r[in.to] = r[in.a].bits != 0 ? r[in.b] : r[in.c];
  }
  static handler scalar(scalar_fn fn, dtype t) {
    if (fn == scalar_fn::select) return &select;
    if (t == dtype::f32 && fn == scalar_fn::add) return &quick<float, scalar_fn::add>;
    if (t == dtype::f32 && fn == scalar_fn::sub) return &quick<float, scalar_fn::sub>;
    if (t == dtype::f32 && fn == scalar_fn::mul) return &quick<float, scalar_fn::mul>;
    if (size_of(t) == 8 && is_int(t) && fn == scalar_fn::add) return &quick_index_sum;
    if (size_of(t) == 8 && is_int(t) && fn == scalar_fn::mul) return &quick_index_product;
    return visit(t, []<class T>(T) -> handler { return &any_scalar<T>; });
  }

  /// With a narrow type on a side: through the widest types, which hold all of its values. `b` and `c` are the types.
  static void convert_narrow(kernel& k, const instruction& in) {
    const auto from = static_cast<dtype>(in.b), to = static_cast<dtype>(in.c);
    double real = 0;
    i64 integer = 0;
    visit_storage(from, [&]<class From>(From) {
      const From v = from_register<From>(k.registers_[in.a]);
      real = convert_element<double>(v), integer = convert_element<i64>(v);
    });
    k.registers_[in.to] = visit_storage(to, [&]<class To>(To) {
      return to_register<To>(is_float(from) || is_float(to) ? convert_element<To>(real) : convert_element<To>(integer));
    });
  }
  static handler convert(dtype from, dtype to) {
    if (is_narrow(from) || is_narrow(to)) return &convert_narrow;
    return visit(from, [&]<class From>(From) {
      return visit(to, []<class To>(To) -> handler {
        return [](kernel& k, const instruction& in) {
          k.registers_[in.to] = to_register<To>(convert_element<To>(from_register<From>(k.registers_[in.a])));
        };
      });
    });
  }
  static void bits_of(kernel& k, const instruction& in) {
    k.registers_[in.to] = to_register(std::bit_cast<float>(from_register<u32>(k.registers_[in.a])));
  }

  // -- memory --
  static handler load(dtype t, bool guarded) {
    return visit(bytes_of(t), [&]<class T>(T) -> handler {
      if (guarded)
        return [](kernel& k, const instruction& in) {
          const auto& a = k.accesses_[in.a];
          i64 at = 0;
          const bool inside = k.place(a, at);
          if (inside) k.watch(k.buffers_[a.memory].data + at * i64{sizeof(T)}, false, in.op);
          k.registers_[in.to] =
              inside ? to_register<T>(read_element<T>(k.buffers_[a.memory].data, at)) : k.registers_[in.b];
        };
      return [](kernel& k, const instruction& in) {
        const auto& a = k.accesses_[in.a];
        i64 at = 0;
        if (!k.place(a, at)) k.out_of_bounds(a, in.op);
        k.watch(k.buffers_[a.memory].data + at * i64{sizeof(T)}, false, in.op);
        k.registers_[in.to] = to_register<T>(read_element<T>(k.buffers_[a.memory].data, at));
      };
    });
  }
  static handler store(dtype t) {
    return visit(bytes_of(t), []<class T>(T) -> handler {
      return [](kernel& k, const instruction& in) {
        const auto& a = k.accesses_[in.a];
        const buffer& to = k.buffers_[a.memory];
        i64 at = 0;
        if (!k.place(a, at)) k.out_of_bounds(a, in.op);
        if (!to.writable)
          k.fail("interpret.read_only", "buffer " + std::to_string(a.memory) + " is a constant or an input", in.op);
        k.watch(to.data + at * i64{sizeof(T)}, true, in.op);
        reinterpret_cast<T*>(to.data)[at] = from_register<T>(k.registers_[in.b]);
      };
    });
  }

  // -- contractions --
  using sums = kernel::row_place;
  /// One row of sums over k of a * b, in the order of k; `read_a` and `read_b` give elements in the accumulator's type.
  template <class Acc, class A, class B>
  static void add_products(A read_a, B read_b, const sums& s, std::vector<scalar_register>& out) {
    std::vector<Acc> row(static_cast<size_t>(s.n), Acc{});
    std::vector<i64> at(s.k.size(), 0);
    for (;;) {
      i64 x = s.from_a, y = s.from_b;
      for (size_t e = 0; e < at.size(); ++e) x += at[e] * s.by_a[e], y += at[e] * s.by_b[e];
      const Acc p = read_a(x);
      Acc* sum = row.data();
      for (i64 j = 0; j < s.n; ++j) {
        if constexpr (std::integral<Acc>)
          sum[j] = static_cast<Acc>(static_cast<u64>(sum[j]) +
                                    static_cast<u64>(p) * static_cast<u64>(read_b(y + j * s.by_n)));
        else sum[j] += p * read_b(y + j * s.by_n);
      }
      size_t e = at.size();
      while (e != 0 && ++at[e - 1] == s.k[e - 1]) at[--e] = 0;
      if (e == 0) break;
    }
    for (size_t j = 0; j < row.size(); ++j) out[j] = to_register<Acc>(row[j]);
  }
  template <class Acc>
  struct reader {
    const unsigned char* base;
    Acc (*read)(const unsigned char*, i64);
    Acc operator()(i64 i) const { return read(base, i); }
    static reader of(const buffer& b) {
      return {b.data, visit_storage(b.type, []<class T>(T) -> Acc (*)(const unsigned char*, i64) {
                return [](const unsigned char* p, i64 i) { return convert_element<Acc>(read_element<T>(p, i)); };
              })};
    }
  };
  static void row_of_sums(dtype accumulate, const buffer& a, const buffer& b, const sums& s,
                          std::vector<scalar_register>& out) {
    const auto with = [&]<class Acc>(Acc) {
      if (a.type != dtype_of<Acc> || b.type != a.type)
        return add_products<Acc>(reader<Acc>::of(a), reader<Acc>::of(b), s, out);
      const auto *p = reinterpret_cast<const Acc*>(a.data), *q = reinterpret_cast<const Acc*>(b.data);
      add_products<Acc>([p](i64 i) { return p[i]; }, [q](i64 i) { return q[i]; }, s, out);
    };
    if (accumulate == dtype::f64) return with(double{});
    if (accumulate == dtype::f32) return with(float{});
    if (accumulate == dtype::i32) return with(i32{});
    if (accumulate == dtype::u32) return with(u32{});
    if (accumulate == dtype::u64) return with(u64{});
    if (accumulate == dtype::i64 || accumulate == dtype::index) return with(i64{});
    throw error("interpret.accumulate", "a contraction cannot accumulate in " + std::string(name_of(accumulate)), {},
                "accumulate in f32, f64 or an integer type of at least 32 bits");
  }
};

}  // namespace tenon::interpreting
