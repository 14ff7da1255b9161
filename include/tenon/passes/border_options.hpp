/// @file border_options: who sees to the borders of images; a target sets it in the context.
#pragma once

namespace tenon::passes {

struct border_options {
  /// Kernels leave out taps in the padding, or store an image with its borders; and convolutions read a few planes as
  /// they are. Else every convolution has an image that is padded and has its channels last.
  bool in_kernels = false;
};

}  // namespace tenon::passes
