// ONNX files, compiled once.
#include <tenon/core/mapped_file.ipp>
#include <tenon/importers/onnx/budget.ipp>
#include <tenon/importers/onnx/data_file.ipp>
#include <tenon/importers/onnx/proto.ipp>
#include <tenon/importers/onnx/tensor_proto.ipp>
