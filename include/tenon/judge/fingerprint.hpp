/// @file fingerprint: what a pipeline does, as 64 bits: the key of caches, and a line in every artifact.
///
/// Goes by names, versions, facts and ops, never by types' spellings: the same on every compiler and run.
#pragma once

#include <string>

#include <tenon/judge/judged.hpp>

namespace tenon {
namespace detail {
constexpr u64 mix(u64 seed, label text) { return meta::hash_of(label{"\n", 1}, meta::hash_of(text, seed)); }
constexpr u64 mix(u64 seed, const fact_list& list) {
  if (list.all()) return mix(seed, label{"*", 1});
  u64 sum = 0;  // an order of facts says nothing
  for (const fact_desc* f : list) sum += mix(0x84222325u, f->name);
  return (seed ^ sum) * 0x100000001b3u;
}
constexpr u64 mix(u64 seed, const op_set& set) {
  u64 sum = 0;
  for (const op_key& op : set) sum += meta::hash_of(op.name());
  return (seed ^ sum) * 0x100000001b3u;
}
}  // namespace detail

/// The fingerprint of passes given as data.
constexpr u64 fingerprint_of(const pass_desc* const* passes, size_t count) {
  u64 h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < count; ++i) {
    const pass_desc& p = *passes[i];
    h = detail::mix(h, p.name);
    if (p.more().flag_key) h = detail::mix(h, p.more().flag) + (p.more().flag_on ? 1 : 0);
    h = (h ^ static_cast<u64>(p.more().version)) * 0x100000001b3u;
    h = detail::mix(detail::mix(h, p.from->name), p.to->name);
    h = detail::mix(detail::mix(h, p.needs()), p.gives());
    h = detail::mix(detail::mix(h, p.keeps()), p.breaks());
    h = detail::mix(detail::mix(h, p.eliminates), p.emits) + (p.emits_any() ? 1 : 0) + (p.says_breaks() ? 2 : 0);
  }
  return h;
}

namespace detail {
template <class List>
inline constexpr u64 fingerprint_of_list = 0;
template <class... Ps>
inline constexpr u64 fingerprint_of_list<pass_list<Ps...>> = fingerprint_of(pass_array<Ps...>::data, sizeof...(Ps));
}  // namespace detail

/// The fingerprint of a pipeline; options of passes are not in it (a session adds those it was given).
template <class Pipeline>
inline constexpr u64 fingerprint = detail::fingerprint_of_list<typename Pipeline::passes>;

/// As 16 digits: what `build` notes in a module's `build` record.
inline std::string fingerprint_text(u64 fingerprint) {
  std::string s(16, '0');
  for (size_t i = 16; i-- > 0; fingerprint >>= 4) s[i] = "0123456789abcdef"[fingerprint & 15];
  return s;
}

}  // namespace tenon
