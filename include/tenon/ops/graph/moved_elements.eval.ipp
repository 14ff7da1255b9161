/// @file moved_elements.eval.ipp: definitions of ops/graph/moved_elements.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include <tenon/core/checked.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/ops/graph/moved_elements.hpp>
#include <tenon/ops/graph/window.hpp>
#include <tenon/runtime/magnitude.hpp>
#include <tenon/runtime/threads.hpp>

namespace tenon::op {
namespace detail {

inline constexpr i64 moved_rows = 64;    ///< of a block
inline constexpr i64 moved_columns = 8;  ///< a line of memory for each, which few ways of a cache hold at once

/// f(a function of two numbers): what is done is asked once, and not for each element.
template <class F>
void with_combining(combining how, F&& f) {
  if (how == combining::add) f([](double a, double b) { return a + b; });
  else if (how == combining::sub) f([](double a, double b) { return a - b; });
  else if (how == combining::mul) f([](double a, double b) { return a * b; });
  else f([](double a, double b) { return a / b; });
}

/// The extents that are not one, and which dimensions have them.
inline std::vector<size_t> long_dimensions(const std::vector<i64>& shape) {
  std::vector<size_t> r;
  for (size_t d = 0; d < shape.size(); ++d)
    if (shape[d] != 1) r.push_back(d);
  return r;
}

}  // namespace detail

moved_elements::moved_elements(const tensor& from)
    : from_(from), shape_(from.shape()), steps_(row_major_strides(shape_)) {
  const std::shared_ptr<const byte_source> any = from.source();
  if (any != nullptr && any->stored() != nullptr) at_ = any;
  const auto source = std::dynamic_pointer_cast<const moved_elements>(any);
  if (source == nullptr || source->panel_ != 0) return;
  // Since then it may have been reshaped: dimensions of one element come and go.
  const std::vector<size_t> now = detail::long_dimensions(shape_), then = detail::long_dimensions(source->shape_);
  if (now.size() != then.size()) return;
  for (size_t i = 0; i < now.size(); ++i)
    if (shape_[now[i]] != source->shape_[then[i]]) return;
  std::fill(steps_.begin(), steps_.end(), 0);
  for (size_t i = 0; i < now.size(); ++i) steps_[now[i]] = source->steps_[then[i]];
  from_ = source->from_, at_ = source->at_, combined_ = source->combined_;
  for (combination& c : combined_) {
    const auto at = std::find(then.begin(), then.end(), c.dimension);  // of one element: there is one number
    c.dimension = at == then.end() ? 0 : now[static_cast<size_t>(at - then.begin())];
  }
}

void moved_elements::transpose(std::span<const i64> p) {
  std::vector<i64> shape, steps;
  std::vector<size_t> place(p.size());
  for (size_t d = 0; d < p.size(); ++d) {
    const auto of = static_cast<size_t>(p[d]);
    shape.push_back(shape_[of]), steps.push_back(steps_[of]);
    place[of] = d;
  }
  shape_ = std::move(shape), steps_ = std::move(steps);
  for (combination& c : combined_)
    if (c.dimension < place.size()) c.dimension = place[c.dimension];
}

void moved_elements::combine(combining how, const tensor& list, size_t dimension) {
  combination c{how, {}, dimension};
  const i64 count = list.size() == 1 ? 1 : shape_[dimension];
  for (i64 i = 0; i < count; ++i) c.numbers.push_back(list.at_f64(i));
  combined_.push_back(std::move(c));
}

void moved_elements::pack(i64 panel) { panel_ = panel; }

i64 moved_elements::rows() const {
  i64 n = 1;
  for (size_t d = 0; d + 1 < shape_.size(); ++d) n *= shape_[d];
  return n;
}

std::vector<i64> moved_elements::result_shape() const {
  if (panel_ == 0) return shape_;
  std::vector<i64> r{quotient_up(columns(), panel_)};
  r.insert(r.end(), shape_.begin(), shape_.end() - 1);
  r.push_back(panel_);
  return r;
}

u64 moved_elements::parts() const { return panel_ == 0 ? 1 : static_cast<u64>(quotient_up(columns(), panel_)); }
u64 moved_elements::part_bytes() const { return static_cast<u64>(rows() * width() * size_of(from_.type())); }

tensor moved_elements::result() const {
  tensor r(from_.type(), result_shape());
  if (r.size() > 0) fill(r.data(), 0, parts());
  return r;
}
tensor moved_elements::deferred() const {
  return tensor::deferred(from_.type(), result_shape(), std::make_shared<const moved_elements>(*this));
}
tensor moved_elements::result_when_read() const {
  constexpr i64 least_bytes = 1 << 16;
  return from_.bytes() < least_bytes ? result() : deferred();
}

double moved_elements::greatest_magnitude() const {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  double bound = tenon::greatest_magnitude(from_.type(), begin(), from_.size());
  for (const combination& c : combined_) {
    double least = unknown, most = 0;  // of the numbers
    for (const double n : c.numbers) {
      if (!std::isfinite(n)) return unknown;
      least = std::min(least, std::fabs(n)), most = std::max(most, std::fabs(n));
    }
    if (c.how == combining::mul) bound *= most;
    else if (c.how == combining::div) bound /= least;
    else bound += most;
    // Rounded as elements are, which keeps their order.
    bound = tenon::visit(from_.type(), [&]<class T>(T) { return convert_element<double>(convert_element<T>(bound)); });
    if (!std::isfinite(bound)) return unknown;
  }
  return bound;
}

bool moved_elements::same(const byte_source& other) const {
  const auto* o = dynamic_cast<const moved_elements*>(&other);
  return o != nullptr && shape_ == o->shape_ && steps_ == o->steps_ && panel_ == o->panel_ &&
         combined_ == o->combined_ && from_.type() == o->from_.type() && from_.bytes() == o->from_.bytes() &&
         (begin() == o->begin() || std::memcmp(begin(), o->begin(), static_cast<size_t>(from_.bytes())) == 0);
}

u64 moved_elements::hash() const {
  std::string said;
  const auto say = [&said](const auto* first, size_t count) {
    said.append(reinterpret_cast<const char*>(first), count * sizeof *first);
  };
  for (const std::vector<i64>* list : {&shape_, &steps_}) say(list->data(), list->size());
  for (const combination& c : combined_) say(c.numbers.data(), c.numbers.size());
  said += std::string(name_of(from_.type())) + std::to_string(panel_);
  // The first and the last elements tell most others apart.
  const auto bytes = static_cast<size_t>(from_.bytes()), ends = std::min<size_t>(bytes, 64);
  say(begin(), ends), say(begin() + bytes - ends, ends);
  return checksum_of(said);
}

/// In the order of `from_`, so that each line of it comes from memory once.
std::vector<moved_elements::row_loop> moved_elements::row_loops() const {
  std::vector<row_loop> loops;
  i64 below = 1;
  for (size_t d = shape_.size() < 2 ? 0 : shape_.size() - 1; d-- > 0; below *= shape_[d])
    if (shape_[d] != 1) loops.push_back({shape_[d], steps_[d], below});
  std::sort(loops.begin(), loops.end(),
            [](const row_loop& a, const row_loop& b) { return a.step != b.step ? a.step > b.step : a.rows < b.rows; });
  return loops;
}

template <class T>
void moved_elements::apply(const combination& c, T* block, const i64* row_numbers, i64 rows, i64 first_column,
                           i64 columns) const {
  constexpr i64 n = detail::moved_columns;
  const bool by_column = c.numbers.size() > 1 && c.dimension + 1 == shape_.size();
  double numbers[n];
  i64 below = 1;
  for (size_t d = c.dimension + 1; d + 1 < shape_.size(); ++d) below *= shape_[d];
  for (i64 j = 0; j < n; ++j)
    numbers[j] = by_column && j < columns ? c.numbers[static_cast<size_t>(first_column + j)] : c.numbers[0];
  detail::with_combining(c.how, [&](auto f) {
    for (i64 r = 0; r < rows; ++r) {
      T* const row = block + r * n;
      if (!by_column && c.numbers.size() > 1) {
        const i64 at = row_numbers[r] / below % shape_[c.dimension];
        std::fill(numbers, numbers + n, c.numbers[static_cast<size_t>(at)]);
      }
      double wide[n];  // of known length: g++ makes vectors of no others at -O2
      for (i64 j = 0; j < n; ++j) wide[j] = convert_element<double>(row[j]);
      for (i64 j = 0; j < n; ++j) wide[j] = f(wide[j], numbers[j]);
      for (i64 j = 0; j < n; ++j) row[j] = convert_element<T>(wide[j]);
    }
  });
}

template <class T>
void moved_elements::move_rows(T* panel, i64 column, i64 row, i64 count, const std::vector<row_loop>& loops) const {
  constexpr i64 most = detail::moved_rows, some = detail::moved_columns;
  i64 places[most], results[most], at[64];  // of rows, in `from_` and in the panel
  i64 place = 0, result = 0;
  for (size_t l = loops.size(); l-- > 0;) {
    at[l] = row % loops[l].extent, row /= loops[l].extent;
    place += at[l] * loops[l].step, result += at[l] * loops[l].rows;
  }
  for (i64 r = 0; r < count; ++r) {
    places[r] = place, results[r] = result;
    for (size_t l = loops.size(); l-- > 0;) {
      place += loops[l].step, result += loops[l].rows;
      if (++at[l] < loops[l].extent) break;
      place -= at[l] * loops[l].step, result -= at[l] * loops[l].rows, at[l] = 0;
    }
  }
  const char* const from = begin();
  const i64 wide = width(), filled = std::min(wide, columns() - column), step = column_step();
  constexpr i64 size = sizeof(T);
  for (i64 r = 0; r < count; ++r) {
    T* const row_of_panel = panel + results[r] * wide;
    std::fill(row_of_panel + filled, row_of_panel + wide, T{});
    if (copies_rows())
      std::memcpy(row_of_panel, from + (places[r] + column * step) * size, static_cast<size_t>(filled * size));
  }
  if (copies_rows()) return;
  T elements[most * some] = {};
  for (i64 c = 0; c < filled; c += some) {
    const i64 n = std::min(some, filled - c);
    const char* const first = from + (column + c) * step * size;
    const auto load = [&](i64 r, i64 j) {
      std::memcpy(&elements[r * some + j], first + (places[r] + j * step) * size, size);
    };
    if (n == some)
      for (i64 r = 0; r < count; ++r)
        for (i64 j = 0; j < some; ++j) load(r, j);
    else
      for (i64 r = 0; r < count; ++r)
        for (i64 j = 0; j < n; ++j) load(r, j);
    for (const combination& by : combined_) apply(by, elements, results, count, column + c, n);
    for (i64 r = 0; r < count; ++r) std::copy_n(elements + r * some, n, panel + results[r] * wide + c);
  }
}

template <class T>
void moved_elements::move(T* to, i64 first, i64 count) const {
  const i64 all_rows = rows(), wide = width();
  if (all_rows == 0 || wide == 0) return;
  const std::vector<row_loop> loops = row_loops();
  // Pieces of a panel's rows. What stays in rows is read along them, panel after panel; else a panel is read as a
  // whole.
  const bool along = copies_rows();
  const i64 most = detail::moved_rows, elements = along ? 1 << 13 : 1 << 16;
  const i64 piece = quotient_up(std::max<i64>(elements / wide, 1), most) * most, pieces = quotient_up(all_rows, piece);
  parallel_for(count * pieces, along ? 8 : 1, [&](i64 begin, i64 end) {
    for (i64 i = begin; i < end; ++i) {
      const i64 panel = along ? i % count : i / pieces, first_row = (along ? i / count : i % pieces) * piece;
      const i64 last = std::min(all_rows, first_row + piece);
      for (i64 row = first_row; row < last; row += most)
        move_rows(to + panel * all_rows * wide, (first + panel) * wide, row, std::min(most, last - row), loops);
    }
  });
}

void moved_elements::fill(void* to, u64 first, u64 count) const {
  const auto moved = [&]<class T>(T) { move(static_cast<T*>(to), static_cast<i64>(first), static_cast<i64>(count)); };
  static_cast<void>(begin());  // computed here: no error may leave the loops
  if (!combined_.empty()) tenon::visit(from_.type(), moved);
  else if (size_of(from_.type()) == 1) moved(u8{});
  else if (size_of(from_.type()) == 2) moved(u16{});
  else if (size_of(from_.type()) == 4) moved(u32{});
  else moved(u64{});
}

void moved_elements::write(void* to, u64 first, u64 count) const {
  fill(to, first, count);
  if (first + count == parts()) release_pages(from_);
}

bool all_finite(const tensor& t) {
  if (!is_float(t.type())) return true;
  const std::shared_ptr<const byte_source> source = t.source();
  if (const auto* moved = dynamic_cast<const moved_elements*>(source.get()))
    if (std::isfinite(moved->greatest_magnitude())) return true;
  const void* const elements = source != nullptr && source->stored() != nullptr ? source->stored() : t.data();
  return std::isfinite(greatest_magnitude(t.type(), elements, t.size()));
}

}  // namespace tenon::op
