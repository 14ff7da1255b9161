// Host programs, and the pass that makes their regions, compiled once.
#include <tenon/facts/regions_outlined.ipp>
#include <tenon/passes/host_side.ipp>
#include <tenon/passes/outline_regions.ipp>
#include <tenon/targets/host_program.ipp>
