// The passes that lay data out for convolutions and matrix products, compiled once.
#include <tenon/passes/convert_layout.ipp>
#include <tenon/passes/pack_weights.ipp>
#include <tenon/passes/use_byte_products.ipp>
