# An overlay port, built from the checkout that it is in: vcpkg install tenon --overlay-ports=<checkout>/packaging/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES
  llvm TENON_LLVM
  tools TENON_TOOLS)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  # Libraries for images would be those that the machine, or another port, happens to have.
  OPTIONS ${options} -DTENON_TESTS=OFF -DTENON_EXAMPLES=OFF -DTENON_C_API=OFF -DTENON_CCACHE=OFF -DTENON_IMAGES=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/tenon)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES tenon tenon-runner AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
