/// @file report_page_text: the files of tools/report_page, as they were when the command line was built.
#pragma once

#include <string_view>

namespace tenon::tool { extern const std::string_view page_html, page_css, page_js; }  // namespace tenon::tool
