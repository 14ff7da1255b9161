// The ONNX importer, compiled once.
#include <tenon/importers/onnx.ipp>
#include <tenon/importers/onnx/context.ipp>
#include <tenon/importers/onnx/writer.ipp>
