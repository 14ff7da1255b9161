/// @file int_names: the integer names that the library uses, without a header of the standard library.
///
/// They are the compiler's own names of what `<cstddef>` and `<cstdint>` declare. The type layer includes nothing else,
/// and these two headers were a twentieth of what it costs; all other files include `core/int.hpp`, which has them.
#pragma once

namespace tenon {
using i8 = __INT8_TYPE__;
using i16 = __INT16_TYPE__;
using i32 = __INT32_TYPE__;
using i64 = __INT64_TYPE__;
using u8 = __UINT8_TYPE__;
using u16 = __UINT16_TYPE__;
using u32 = __UINT32_TYPE__;
using u64 = __UINT64_TYPE__;
using size_t = __SIZE_TYPE__;
}  // namespace tenon
