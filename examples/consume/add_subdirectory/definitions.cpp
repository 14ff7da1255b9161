#include <tenon/definitions.hpp>
