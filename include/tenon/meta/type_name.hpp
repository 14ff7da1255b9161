/// @file type_name: the name of a type, complete or not, at compile time, and its hash as the type's identity.
///
/// Invariant: one translation unit gives one type one hash, and different types different ones (64 bits over
/// the qualified name). The spelling of templates differs between compilers: never store the hash.
#pragma once

#include <tenon/meta/fixed_string.hpp>

namespace tenon::meta {
/// The name between other text; one template a type, since lists name hundreds of ops.
template <class T>
constexpr label decorated_name() {
  return {__PRETTY_FUNCTION__, sizeof(__PRETTY_FUNCTION__) - 1};  // "... [with T = int]" or "... [T = int]"
}
inline constexpr size_t decoration = decorated_name<int>().length - 4;
constexpr label undecorated(label name) { return {name.first + decoration, name.length - decoration - 1}; }

/// `tenon::op::conv`
template <class T>
constexpr label qualified_name() {
  return undecorated(decorated_name<T>());
}

constexpr bool begins_with(label name, const char* start) {
  size_t i = 0;
  while (i < name.length && start[i] != 0 && name.first[i] == start[i]) ++i;
  return start[i] == 0;
}

/// Is it a struct of this library's own, by the namespace of what is made of each contract? A user's may stand in
/// `tenon` itself.
template <class T>
constexpr bool is_built_in() {
  constexpr label name = qualified_name<T>();
  constexpr const char* kinds[] = {"op::", "loop::", "passes::", "phases::", "fact::", "targets::"};
  if (!begins_with(name, "tenon::")) return false;
  for (const char* kind : kinds)
    if (begins_with({name.first + 7, name.length - 7}, kind)) return true;
  return false;
}

/// `conv`: what stands behind the last `::` that is in no template argument list.
constexpr label unqualified(label name) {
  size_t start = 0;
  for (size_t i = 0, depth = 0; i < name.length; ++i) {
    const char c = name[i];
    if (c == '<' || c == '(') ++depth;
    else if (c == '>' || c == ')') --depth;
    else if (c == ':' && depth == 0) start = i + 1;
  }
  return {name.first + start, name.length - start};
}
template <class T>
constexpr label unqualified_name() {
  return unqualified(qualified_name<T>());
}

constexpr u64 hash_of(label text, u64 seed = 0xcbf29ce484222325u) {
  for (size_t i = 0; i < text.length; ++i) seed = (seed ^ static_cast<unsigned char>(text.first[i])) * 0x100000001b3u;
  return seed;
}

/// A hash of all characters, eight a step: each step is expensive for a compiler that hashes hundreds of names.
constexpr u64 key_of(label text) {
  u64 key = 0xcbf29ce484222325u ^ text.length;
  const char* c = text.first;
  const char* const end = c + text.length;
  for (; end - c >= 8; c += 8)
    key = (key ^ key >> 32 ^ u64(c[0]) ^ u64(c[1]) << 8 ^ u64(c[2]) << 16 ^ u64(c[3]) << 24 ^ u64(c[4]) << 32 ^
           u64(c[5]) << 40 ^ u64(c[6]) << 48 ^ u64(c[7]) << 56) *
          0x9e3779b97f4a7c15u;
  u64 rest = 0;
  for (; c != end; ++c) rest = rest << 8 ^ u64(*c);
  key = (key ^ key >> 32 ^ rest) * 0x9e3779b97f4a7c15u;
  return key ^ key >> 29;
}

/// The identity of a type for the judge; `T` may be only declared.
template <class T>
inline constexpr u64 type_key = key_of(qualified_name<T>());

}  // namespace tenon::meta
