// Targets as data, the registry, composites and the interpreter, compiled once.
#include <tenon/core/nearest.hpp>
#include <tenon/target_json.hpp>
#include <tenon/target_json.ipp>
#include <tenon/target_spec.hpp>
#include <tenon/target_spec.ipp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/composite.ipp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/targets/interpreter.ipp>
#include <tenon/targets/registry.hpp>
#include <tenon/targets/registry.ipp>
