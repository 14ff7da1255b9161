// The ops that the host runs: control flow, sequences, optionals, strings and sources, compiled once.
#include <tenon/ops/graph/control.ipp>
#include <tenon/ops/graph/sequence.ipp>
#include <tenon/ops/graph/source.ipp>
#include <tenon/ops/graph/text.ipp>

#include <tenon/ops/graph/control.eval.ipp>
#include <tenon/ops/graph/pattern.ipp>
#include <tenon/ops/graph/sequence.eval.ipp>
#include <tenon/ops/graph/source.eval.ipp>
#include <tenon/ops/graph/text.eval.ipp>
