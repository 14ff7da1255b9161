# Files compiled as one: what they all include is parsed, and what they all instantiate is compiled, once.
#
# Each file stands in a namespace of its own, behind the headers of all, so that names do not meet. A file for which that cannot
# be is compiled alone: one that specializes or declares something of another namespace, has a `main`, defines macros, includes by
# condition, or says `// alone: why`.

# tenon_may_be_grouped(VAR FILE [condition...]): `#ifdef condition` is no obstacle, as long as it includes nothing.
function(tenon_may_be_grouped result file)
  string(REPLACE ";" "|" known "${ARGN}")
  file(STRINGS "${file}" obstacles REGEX "^(template ?<>|namespace (tenon|std)[ :{]|int main[(]|// alone: |#)")
  list(FILTER obstacles EXCLUDE REGEX "^#include ")
  if(known)
    list(FILTER obstacles EXCLUDE REGEX "^#(ifn?def (${known})$|else|endif)")
  endif()
  list(LENGTH obstacles count)
  if(count EQUAL 0)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# tenon_group_text(VAR ROOT FILE...): the text that compiles these files as one. Includes are seen from ROOT, an include path of
# whoever compiles it: so the text, and with it a compiler's cache, is the same for each copy of the project.
function(tenon_group_text result root)
  set(includes)
  set(bodies "")
  set(number 0)
  foreach(file IN LISTS ARGN)
    cmake_path(GET file PARENT_PATH folder)
    file(STRINGS "${file}" lines REGEX "^#include ")
    foreach(line IN LISTS lines)
      if(line MATCHES "^#include \"(.*)\"")
        set(beside "${folder}/${CMAKE_MATCH_1}")
        if(NOT EXISTS "${beside}")
          set(beside "${root}/${CMAKE_MATCH_1}")
        endif()
        if(NOT EXISTS "${beside}")
          continue()  # a line of a text
        endif()
        cmake_path(RELATIVE_PATH beside BASE_DIRECTORY "${root}" OUTPUT_VARIABLE shown)
        set(line "#include \"${shown}\"")
      endif()
      list(APPEND includes "${line}")
    endforeach()
    math(EXPR number "${number} + 1")
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${root}" OUTPUT_VARIABLE shown)
    string(APPEND bodies "namespace file_${number} {\n#include \"${shown}\"\n}\n")
  endforeach()
  list(REMOVE_DUPLICATES includes)
  list(JOIN includes "\n" includes)
  set(${result} "${includes}\n${bodies}" PARENT_SCOPE)
endfunction()

# tenon_grouped(VAR FOLDER ROOT FILES file... [DEFINED macro...]): sources that compile these files, at most TENON_GROUP of them
# as one; FOLDER is for those that are written. What a file needs (`// needs: llvm`) the others of its group need, too: groups are
# the same in each build. VAR_of_SOURCE lists the files of a written source.
function(tenon_grouped result folder root)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "FILES;DEFINED")
  set(made)
  set(kinds)
  foreach(file IN LISTS arg_FILES)
    tenon_may_be_grouped(may "${file}" ${arg_DEFINED})
    if(NOT may OR TENON_GROUP LESS 2)
      list(APPEND made "${file}")
      continue()
    endif()
    file(STRINGS "${file}" kind REGEX "^// needs: " LIMIT_COUNT 1)
    string(REGEX REPLACE "[^a-z]+" "_" kind "files${kind}")
    list(APPEND kinds ${kind})
    list(APPEND of_${kind} "${file}")
  endforeach()
  list(REMOVE_DUPLICATES kinds)
  foreach(kind IN LISTS kinds)
    list(LENGTH of_${kind} count)
    math(EXPR groups "(${count} + ${TENON_GROUP} - 1) / ${TENON_GROUP}")
    foreach(group RANGE 1 ${groups})
      math(EXPR first "(${group} - 1) * ${count} / ${groups}")
      math(EXPR length "${group} * ${count} / ${groups} - ${first}")
      list(SUBLIST of_${kind} ${first} ${length} files)
      if(length EQUAL 1)
        list(APPEND made ${files})
        continue()
      endif()
      set(source "${folder}/${kind}_${group}.cpp")
      tenon_group_text(text "${root}" ${files})
      file(CONFIGURE OUTPUT "${source}" CONTENT "${text}" @ONLY)  # not written anew where it is the same
      list(APPEND made "${source}")
      set("${result}_of_${source}" "${files}" PARENT_SCOPE)
    endforeach()
  endforeach()
  set(${result} "${made}" PARENT_SCOPE)
endfunction()

# tenon_compiled_together(TARGET COUNT): with TENON_GROUP, this target's files are compiled COUNT as one, too. CMake includes one
# behind the other, so that what a file has for itself must be of another name than what the others have.
function(tenon_compiled_together target count)
  if(TENON_GROUP GREATER 1)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # which takes a file in a group for a header
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
  endif()
endfunction()
