// The target c_source, compiled once.
#include <tenon/artifacts/c_source.ipp>
#include <tenon/passes/emit_c.ipp>
#include <tenon/targets/c_source.ipp>
#include <tenon/targets/c_source_session.ipp>
