// The command line `tenon`: that of tenon::tool, with the parts that are built in.
#include <tenon/tool/built_in.hpp>

int main(int argc, char** argv) { return tenon::tenon_main<tenon::built_in>(argc, argv); }
