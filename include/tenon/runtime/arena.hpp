/// @file arena: where buffers lie in one arena, when it is planned: by a compiler, or by a program for the sizes of a
/// run.
#pragma once

#include <algorithm>
#include <vector>

#include <tenon/core/checked.hpp>

namespace tenon {

/// From the first to the last moment that a buffer is used, both included.
struct buffer_life {
  i64 first = 0, last = 0, bytes = 0;
};

inline constexpr i64 arena_alignment = 64;

/// Gives each buffer an offset, a multiple of the alignment, such that those that live at once do not overlap, and
/// returns the arena's size. Largest first, lowest offset that is free (the "greedy by size" of Pisarchyk and Lee,
/// arXiv:2001.03288).
inline i64 place_buffers(const std::vector<buffer_life>& lives, i64* offsets, i64 alignment = arena_alignment) {
  std::vector<size_t> order(lives.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return lives[a].bytes > lives[b].bytes || (lives[a].bytes == lives[b].bytes && a < b);
  });
  std::vector<size_t> done;  // by offset
  i64 arena = 0;
  const auto room = [&](size_t i) {
    return checked_add(std::max<i64>(lives[i].bytes, 1), alignment - 1) / alignment * alignment;
  };
  for (size_t i : order) {
    const i64 size = room(i);
    i64 offset = 0;
    for (size_t p : done)  // the first gap that is large enough
      if (lives[p].first <= lives[i].last && lives[i].first <= lives[p].last) {
        if (offsets[p] >= checked_add(offset, size)) break;
        offset = std::max(offset, offsets[p] + room(p));
      }
    offsets[i] = offset;
    done.insert(std::find_if(done.begin(), done.end(), [&](size_t p) { return offsets[p] > offset; }), i);
    arena = std::max(arena, checked_add(offset, size));
  }
  return arena;
}

}  // namespace tenon
