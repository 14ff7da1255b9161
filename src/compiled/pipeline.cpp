// The context of a run and the checkers of facts, compiled once.
#include <tenon/context.ipp>
#include <tenon/facts/shapes_known.ipp>
#include <tenon/facts/channels_last.ipp>
#include <tenon/facts/extents_folded.ipp>
#include <tenon/facts/extents_known.ipp>
#include <tenon/facts/static_shapes.ipp>
#include <tenon/pipeline/order.ipp>
#include <tenon/run.ipp>
#include <tenon/pipeline/questions.ipp>
