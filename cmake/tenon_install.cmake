# tenon_install: what `cmake --install` puts where, in the components that tenon_packages makes packages of:
#
#   dev        headers, static libraries, CMake and pkg-config files
#   runtime    libtenon_runtime.so      compiler   libtenon_compiler.so
#   tools      tenon, tenon-runner, manual page, completions, tenon_add_model
#   python     the package tenon
#
# `find_package(tenon)` gives tenon::tenon, tenon::runtime, tenon::compiled and tenon::judge; with COMPONENTS llvm also
# tenon::llvm, with COMPONENTS tool tenon::tool, and tenon::llvm where it was built.
include(CMakePackageConfigHelpers)
set(tenon_config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tenon")

install(TARGETS tenon tenon_runtime tenon_judge EXPORT tenonTargets FILE_SET HEADERS COMPONENT dev)
if(TARGET tenon_compiled)
  install(TARGETS tenon_compiled EXPORT tenonTargets COMPONENT dev)
  install(FILES "${PROJECT_SOURCE_DIR}/src/linked/tenon_definitions_are_linked" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tenon_linked"
          COMPONENT dev)
endif()
install(EXPORT tenonTargets NAMESPACE tenon:: DESTINATION "${tenon_config_dir}" COMPONENT dev)
if(TARGET tenon_llvm)
  install(TARGETS tenon_llvm EXPORT tenonLLVMTargets COMPONENT dev)
  install(EXPORT tenonLLVMTargets NAMESPACE tenon:: DESTINATION "${tenon_config_dir}" COMPONENT dev)
endif()
if(TARGET tenon_c_runtime)
  foreach(library runtime compiler)
    install(TARGETS tenon_c_${library} EXPORT tenonCTargets FILE_SET HEADERS COMPONENT dev
            LIBRARY COMPONENT ${library} NAMELINK_COMPONENT dev)
  endforeach()
  install(EXPORT tenonCTargets NAMESPACE tenon:: DESTINATION "${tenon_config_dir}" COMPONENT dev)
endif()
if(TARGET tenon_tool)
  set_target_properties(tenon_tool PROPERTIES EXPORT_NAME command)
  install(TARGETS tenon_tool EXPORT tenonCommandTargets COMPONENT tools)
  install(TARGETS tenon_runner COMPONENT tools)
  if(TARGET tenon_codegen_file)
    install(TARGETS tenon_codegen_file LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/tenon" COMPONENT tools)
  endif()
  install(EXPORT tenonCommandTargets NAMESPACE tenon:: DESTINATION "${tenon_config_dir}" COMPONENT tools)
  install(TARGETS tenon_command_line EXPORT tenonToolTargets COMPONENT dev FILE_SET HEADERS COMPONENT dev)
  install(EXPORT tenonToolTargets NAMESPACE tenon:: DESTINATION "${tenon_config_dir}" COMPONENT dev)
  # The command line writes its manual page and its completions itself.
  install(CODE "set(tenon \"$<TARGET_FILE:tenon_tool>\")
set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATAROOTDIR}\")" COMPONENT tools)
  install(CODE [[
foreach(written "man:man/man1/tenon.1" "completion bash:bash-completion/completions/tenon" "completion zsh:zsh/vendor-completions/_tenon"
        "completion fish:fish/vendor_completions.d/tenon.fish")
  string(REGEX MATCH "^([^:]*):(.*)$" written "${written}")
  set(file "${share}/${CMAKE_MATCH_2}")
  separate_arguments(words UNIX_COMMAND "${CMAKE_MATCH_1}")
  cmake_path(GET file PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  execute_process(COMMAND "${tenon}" ${words} OUTPUT_FILE "${file}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()]] COMPONENT tools)
endif()
if(TARGET tenon_c_runtime)
  set(TENON_PYTHON_DIR "lib/python3/dist-packages" CACHE STRING "where the Python package is installed, below the prefix")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/tenon" DESTINATION "${TENON_PYTHON_DIR}" COMPONENT python FILES_MATCHING PATTERN "*.py")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/tenonConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/tenonConfig.cmake" INSTALL_DESTINATION "${tenon_config_dir}" PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tenonConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tenonConfig.cmake" "${PROJECT_BINARY_DIR}/tenonConfigVersion.cmake"
        DESTINATION "${tenon_config_dir}" COMPONENT dev)
# The laws of targets, for targets that are written elsewhere: `tenon_target_test`.
install(FILES "${PROJECT_SOURCE_DIR}/tests/support/target_test.hpp" "${PROJECT_SOURCE_DIR}/tests/support/random_module.hpp"
        DESTINATION "${tenon_config_dir}/testing/support" COMPONENT dev)
install(FILES "${PROJECT_SOURCE_DIR}/cmake/tenon_target_test.cmake" "${PROJECT_SOURCE_DIR}/cmake/tenon_add_model.cmake"
        DESTINATION "${tenon_config_dir}" COMPONENT dev)

# tenon_pkg_config(name description [REQUIRES names] [CFLAGS flags...] [LIBS flags...]): NAME.pc, which finds its prefix from where it is.
function(tenon_pkg_config name description)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "REQUIRES;CFLAGS;LIBS")
  foreach(list arg_REQUIRES arg_CFLAGS arg_LIBS)
    list(JOIN ${list} " " ${list})
  endforeach()
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" up "${up}")
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc" @ONLY CONTENT
"prefix=\${pcfiledir}/@up@
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@

Name: @name@
Description: @description@
Version: @PROJECT_VERSION@
Requires: @arg_REQUIRES@
Cflags: -I\${includedir} @arg_CFLAGS@
Libs: @arg_LIBS@
")
  install(FILES "${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT dev)
endfunction()
set(here "-L\${libdir}")
tenon_pkg_config(tenon-judge "the type layer as one header, without an IR: passes that fit, or do not compile")
tenon_pkg_config(tenon-headers "the headers; one file of the program includes <tenon/definitions.hpp>" LIBS -pthread -ldl)
if(TARGET tenon_compiled)
  list(TRANSFORM tenon_codec_libraries PREPEND -l OUTPUT_VARIABLE codecs)
  tenon_pkg_config(tenon "the headers with their definitions, compiled; C++20" CFLAGS "-I\${includedir}/tenon_linked"
                   LIBS "${here}" -ltenon_compiled ${codecs} -pthread -ldl)
endif()
if(TARGET tenon_llvm AND TARGET tenon_compiled)
  tenon_pkg_config(tenon-llvm "tenon with native code generation" REQUIRES tenon CFLAGS -DTENON_HAS_LLVM=1
                   LIBS "${here}" -ltenon_llvm "-L${LLVM_LIBRARY_DIR}" ${tenon_lld_libraries} -lLLVM)
endif()
if(TARGET tenon_c_runtime)
  tenon_pkg_config(tenon-c-runtime "<tenon.h>: runs program files" LIBS "${here}" -ltenon_runtime)
  tenon_pkg_config(tenon-c-compiler "<tenon.h>: runs program files, and compiles models" LIBS "${here}" -ltenon_compiler)
endif()
include(tenon_packages)
