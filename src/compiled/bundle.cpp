// Program files of several parts, compiled once.
#include <tenon/targets/bundle.ipp>
