// The headers of README's program.
#include <tenon/importers/onnx.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>
