/// @file c_products.ipp: the innermost part of contractions in C: blocks of sums that stay in registers while k runs.
///
/// Compilers that know GNU's vectors get one variable for each vector of sums, since they do not keep arrays in
/// registers at all sizes; others get plain loops. On x86-64 the processor is asked which width it has, unless the
/// unit is compiled for the widest. Products and sums are rounded apart in all forms, so all give the same results,
/// where the compiler does not contract them itself (-ffp-contract=off, which -std=c11 says to GCC).
#pragma once

#include <map>

#include <tenon/passes/c_scalars.ipp>

namespace tenon::passes::c_code {

/// A block: `rows` rows by `columns` columns of sums. `together`: so many neighbours of both operands are a step of k.
struct product_block {
  dtype a, b, sum;
  i64 rows, columns;
  i64 together = 1;
};

class products {
 public:
  static constexpr i64 most_rows = 8;
  /// How many columns a block of so many rows has: few rows need more of them, so that a sum need not wait for the
  /// last.
  static constexpr i64 most_columns(i64 rows) { return rows == 1 ? 64 : rows <= 3 ? 32 : 16; }
  explicit products(scalars& s) : scalars_(s) {}

  std::string prelude() const { return functions_.empty() ? "" : head + functions_; }

  /// The name of the C function that adds a block's products over two dimensions of k to its sums, which lie densely:
  /// (a, ar, b, n0, a0, b0, n1, a1, b1, s): rows of a are `ar` apart; n0, n1 are the extents of k, a0, b0, a1, b1
  /// their strides.
  std::string function(const product_block& p) {
    const std::string name = name_of_block(p);
    if (!known_.emplace(name, true).second) return name;
    std::string body;
    const bool vectors = has_vectors(p);
    const auto level = [&](const char* macro, i64 bytes) {
      const i64 lanes = std::min(p.columns, bytes / size_of(p.sum)), rows = std::min<i64>(p.rows, bytes == 64 ? 8 : 4);
      body += std::string("#ifdef TN_") + macro + "\n  if (TN_HAS_" + macro + ") {\n" +
              in_pieces(p, macro, lanes, rows, std::min(p.columns, 8 / rows * lanes)) + "    return;\n  }\n#endif\n";
    };
    if (vectors) level("512", 64), level("256", 32), level("128", 16);
    else body += in_pieces(p, "", 1, 4, p.columns);
    if (vectors) body += in_pieces(p, "", 1, 4, p.columns);
    functions_ += "static void " + name + parameters(p) + " {\n" + body + "}\n";
    return name;
  }

  /// The type of sums; integers wrap.
  static std::string sum_type(dtype t) { return is_float(t) ? value_type(t) : wrapping_type(t); }

 private:
  static constexpr const char* head = R"c(
#if defined(__GNUC__) && !defined(TN_NO_VECTORS)
#  define TN_128
#  define TN_HAS_128 1
#  if defined(__AVX2__)
#    define TN_256
#    define TN_HAS_256 1
#  endif
#  if defined(__AVX512F__) && defined(__AVX512BW__)
#    define TN_WIDE
#    define TN_HAS_512 1
#  endif
#  if defined(__x86_64__)
#    if !defined(TN_256)
#      define TN_256 __attribute__((target("avx2")))
#      define TN_HAS_256 __builtin_cpu_supports("avx2")
#    endif
#    if !defined(TN_WIDE)
#      define TN_WIDE __attribute__((target("avx512f,avx512bw")))
#      define TN_HAS_512 (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
#    endif
#    if defined(__clang__)
#      define TN_512 TN_WIDE __attribute__((min_vector_width(512)))
#    else
#      define TN_512 TN_WIDE
#    endif
#  endif
#endif
)c";

  static bool is_plain(dtype t) { return t != dtype::f16 && t != dtype::bf16 && t != dtype::boolean; }
  /// Whether all types are what C's vectors hold and convert by themselves.
  static bool has_vectors(const product_block& p) {
    return p.columns >= 4 && p.together == 1 && is_plain(p.a) && is_plain(p.b) && is_plain(p.sum) &&
           (is_float(p.sum) || (!is_float(p.a) && !is_float(p.b)));
  }
  static std::string name_of_block(const product_block& p) {
    return "tn_product_" + std::string(tenon::name_of(p.a)) + "_" + std::string(tenon::name_of(p.b)) + "_" +
           std::string(tenon::name_of(p.sum)) + "_" + (p.together > 1 ? std::to_string(p.together) + "x" : "") +
           std::to_string(p.rows) + "x" + std::to_string(p.columns);
  }
  static std::string parameters(const product_block& p, bool apart = false) {
    return std::string("(const ") + memory_type(p.a) + "* a, int64_t ar, const " + memory_type(p.b) +
           "* b,\n    int64_t n0, int64_t a0, int64_t b0, int64_t n1, int64_t a1, int64_t b1, " + sum_type(p.sum) +
           "* s" + (apart ? ", int64_t sr" : "") + ")";
  }

  /// Calls of functions for at most `rows` by `columns` sums, which cover the block.
  std::string in_pieces(const product_block& p, const std::string& level, i64 lanes, i64 rows, i64 columns) {
    std::string s;
    for (i64 c = 0; c < p.columns; c += columns)
      for (i64 r = 0; r < p.rows; r += rows) {
        product_block part = p;
        part.rows = std::min(rows, p.rows - r), part.columns = std::min(columns, p.columns - c);
        s += (level.empty() ? "  " : "    ") + piece(part, level, lanes) + "(a + " + std::to_string(r) +
             " * ar, ar, b + " + std::to_string(c * p.together) + ", n0, a0, b0, n1, a1, b1, s + " +
             std::to_string(r * p.columns + c) + ", " + std::to_string(p.columns) + ");\n";
      }
    return s;
  }

  /// An element of an operand as one of the sums' type.
  std::string widened(dtype from, dtype sum, const std::string& place) {
    const std::string x = scalars_.convert(from, sum, scalars_.load(from, place));
    return is_float(sum) ? x : "(" + sum_type(sum) + ")" + x;
  }

  /// The function for one piece, whose sums' rows are `sr` apart.
  std::string piece(const product_block& p, const std::string& level, i64 lanes) {
    const std::string name = name_of_block(p) + "_" + (level.empty() ? "plain" : level);
    if (!known_.emplace(name, true).second) return name;
    std::string s = (level.empty() ? "" : "#ifdef TN_" + level + "\nTN_" + level + " ") + "static inline void " + name +
                    parameters(p, true) + " {\n" + (level.empty() ? plain_body(p) : vector_body(p, lanes)) + "}\n" +
                    (level.empty() ? "" : "#endif\n");
    functions_ += s;
    return name;
  }

  static std::string loops(const product_block& p, const std::string& step) {
    return std::string("  for (int64_t i = 0; i < n0; ++i) {\n    const ") + memory_type(p.a) +
           "* x = a + i * a0;\n    const " + memory_type(p.b) +
           "* y = b + i * b0;\n    for (int64_t k = 0; k < n1; ++k, x += a1, y += b1) {\n" + step + "    }\n  }\n";
  }

  std::string plain_body(const product_block& p) {
    const std::string type = sum_type(p.sum), rows = std::to_string(p.rows), columns = std::to_string(p.columns);
    const std::string each = "  for (int r = 0; r < " + rows + "; ++r)\n    for (int j = 0; j < " + columns + "; ++j) ";
    std::string product;
    for (int i = 0; i < p.together; ++i) {
      const std::string at = std::to_string(i);
      product +=
          (i == 0 ? "" : " + ") + widened(p.a, p.sum, p.together > 1 ? "x[r * ar + " + at + "]" : "x[r * ar]") + " * " +
          widened(p.b, p.sum, p.together > 1 ? "y[" + std::to_string(p.together) + " * j + " + at + "]" : "y[j]");
    }
    return "  " + type + " t[" + rows + "][" + columns + "];\n" + each + "t[r][j] = s[r * sr + j];\n" +
           loops(p, "      for (int j = 0; j < " + columns + "; ++j)\n        for (int r = 0; r < " + rows +
                        "; ++r) t[r][j] += " + product + ";\n") +
           each + "s[r * sr + j] = t[r][j];\n";
  }

  static std::string vector_body(const product_block& p, i64 lanes) {
    const std::string type = sum_type(p.sum);
    const i64 vectors = p.columns / lanes;
    const auto vector_type = [&](const char* name, const std::string& element, i64 bytes, bool in_memory) {
      return "  typedef " + element + " " + name + " __attribute__((vector_size(" + std::to_string(bytes * lanes) +
             ")" + (in_memory ? ", aligned(" + std::to_string(bytes) + "), may_alias" : "") + "));\n";
    };
    const auto sum = [](i64 r, i64 v) { return "s" + std::to_string(r) + "_" + std::to_string(v); };
    const auto place = [&](i64 r, i64 v) {
      return "*(sums*)(s + " + std::to_string(r) + " * sr + " + std::to_string(v * lanes) + ")";
    };
    std::string first, step, last;
    for (i64 v = 0; v < vectors; ++v) {
      const std::string y = "*(const row*)(y + " + std::to_string(v * lanes) + ")";
      step += "      const vec y" + std::to_string(v) + " = " +
              (memory_type(p.b) == type ? y : "__builtin_convertvector(" + y + ", vec)") + ";\n";
    }
    for (i64 r = 0; r < p.rows; ++r) {
      const std::string x = "x" + std::to_string(r);
      step += "      const " + type + " " + x + " = (" + type + ")x[" + std::to_string(r) + " * ar];\n     ";
      for (i64 v = 0; v < vectors; ++v) {
        step += " " + sum(r, v) + " += " + x + " * y" + std::to_string(v) + ";";
        first += "  vec " + sum(r, v) + " = " + place(r, v) + ";\n";
        last += "  " + place(r, v) + " = " + sum(r, v) + ";\n";
      }
      step += "\n";
    }
    return vector_type("vec", type, size_of(p.sum), false) + vector_type("sums", type, size_of(p.sum), true) +
           vector_type("row", memory_type(p.b), size_of(p.b), true) + first + loops(p, step) + last;
  }

  scalars& scalars_;
  std::map<std::string, bool> known_;
  std::string functions_;
};

}  // namespace tenon::passes::c_code
