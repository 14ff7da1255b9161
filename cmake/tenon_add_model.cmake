# tenon_add_model(NAME squeezenet FILE squeezenet.onnx [TARGET cpu] [SHAPES x=1x3x224x224 ...] [VALUES n=2 ...] [OPTIONS ...]):
# the static library NAME, of a model's code and constants, with the headers NAME.hpp (C++) and NAME.h (C). What links it
# needs nothing of tenon, and no file when it runs.
#
#   TARGET   as `tenon build --target` takes it. `cpu` is this machine's processor: say cpu:arch=x86-64-v3 for others, too;
#            c_source makes C, which needs the language C; GCC and clang take its constants in as a file.
#   SHAPES, VALUES, OPTIONS  go to `tenon build` as --shape, --value, and as they are.
function(tenon_add_model)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;FILE;TARGET" "SHAPES;VALUES;OPTIONS")
  if(NOT arg_NAME OR NOT arg_FILE)
    message(FATAL_ERROR "tenon_add_model: say NAME and FILE: tenon_add_model(NAME squeezenet FILE squeezenet.onnx)")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tenon_add_model(${arg_NAME}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(TARGET tenon_tool)
    set(tool tenon_tool)
  elseif(TARGET tenon::command)
    set(tool tenon::command)
  else()
    message(FATAL_ERROR "tenon_add_model(${arg_NAME}): this tenon was built without its command line: "
                        "configure it with -DTENON_TOOLS=ON")
  endif()
  if(NOT arg_TARGET)
    set(arg_TARGET cpu)
  endif()
  cmake_path(ABSOLUTE_PATH arg_FILE NORMALIZE)
  if(NOT EXISTS "${arg_FILE}")
    get_source_file_property(generated "${arg_FILE}" GENERATED)
    if(NOT generated)
      message(FATAL_ERROR "tenon_add_model(${arg_NAME}): there is no file ${arg_FILE}")
    endif()
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/tenon_models/${arg_NAME}")
  set(headers "${folder}/${arg_NAME}.h" "${folder}/${arg_NAME}.hpp")
  set(objects)
  set(source)
  set(weights)
  if(arg_TARGET MATCHES "^c_source")
    if(NOT CMAKE_C_COMPILER)
      message(FATAL_ERROR "tenon_add_model(${arg_NAME}): TARGET c_source makes C: say project(... LANGUAGES C CXX)")
    endif()
    set(source "${folder}/${arg_NAME}.c")
    if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang" AND NOT APPLE AND NOT WIN32)  # what reads .incbin, into ELF
      set(weights "${folder}/${arg_NAME}.weights")
      list(APPEND arg_OPTIONS --weights-apart)
    endif()
  else()
    set(objects "${folder}/${arg_NAME}_code.o" "${folder}/${arg_NAME}_data.o")
  endif()
  set(words)
  foreach(shape ${arg_SHAPES})
    list(APPEND words --shape "${shape}")
  endforeach()
  foreach(value ${arg_VALUES})
    list(APPEND words --value "${value}")
  endforeach()
  add_custom_command(OUTPUT ${headers} ${objects} ${source} ${weights}
    COMMAND ${tool} build "${arg_FILE}" --emit object --symbol "${arg_NAME}" -o "${folder}" --target "${arg_TARGET}"
            ${words} ${arg_OPTIONS}
    DEPENDS "${arg_FILE}" ${tool}
    COMMENT "tenon: ${arg_NAME} for ${arg_TARGET}" VERBATIM)
  if(weights)
    set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${weights}"
      COMPILE_DEFINITIONS "${arg_NAME}_weights_file=\"${weights}\"")
  endif()
  if(objects)
    set_source_files_properties(${objects} PROPERTIES GENERATED TRUE EXTERNAL_OBJECT TRUE)
  endif()

  add_library(${arg_NAME} STATIC ${source} ${objects})
  target_sources(${arg_NAME} PUBLIC FILE_SET HEADERS BASE_DIRS "${folder}" FILES ${headers})
  if(CMAKE_CXX_COMPILER)
    set_target_properties(${arg_NAME} PROPERTIES LINKER_LANGUAGE CXX)
  else()
    set_target_properties(${arg_NAME} PROPERTIES LINKER_LANGUAGE C)
  endif()
  target_link_libraries(${arg_NAME} INTERFACE m)
endfunction()
