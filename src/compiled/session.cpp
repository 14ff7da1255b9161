// Sessions, compiled once.
#include <tenon/session.ipp>
