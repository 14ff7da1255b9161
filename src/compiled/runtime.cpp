// Tensors, their files, threads and loaded programs, compiled once.
#include <tenon/core/dtype.ipp>
#include <tenon/artifacts/elf.ipp>
#include <tenon/core/framed_file.ipp>
#include <tenon/runtime/compare.ipp>
#include <tenon/runtime/dlpack.ipp>
#include <tenon/runtime/executable.ipp>
#include <tenon/runtime/loaded_code.ipp>
#include <tenon/runtime/npy.ipp>
#include <tenon/runtime/processor.ipp>
#include <tenon/runtime/program.ipp>
#include <tenon/runtime/program_file.ipp>
#include <tenon/runtime/tensor.ipp>
#include <tenon/runtime/text.ipp>
#include <tenon/runtime/threads.ipp>
#include <tenon/runtime/value.ipp>
