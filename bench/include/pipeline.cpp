#include <tenon/pipeline.hpp>
