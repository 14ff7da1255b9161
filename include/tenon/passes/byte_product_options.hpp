/// @file byte_product_options: how products of bytes are summed; a target sets it in the context.
#pragma once

namespace tenon::passes {

struct byte_product_options {
  /// So many products are added up at once: 4 of bytes, or 2 of words where the processor does not multiply bytes.
  int together = 4;
};

}  // namespace tenon::passes
