# What programs of the tests are made of. They may include "module/file.h" of every module, "support/file.h" of
# tests/support and <pgfsm/file.h>.
#
# With PGFSM_SHARED_TESTS they link the shared library, and aren't linked again when only its code changes: a change in
# `base` then links one library instead of a hundred programs.
foreach(group quick sanitised script)
  add_custom_target(${group}_programs)
endforeach()
add_dependencies(sanitised_programs pgfsm_cli)
add_dependencies(script_programs pgfsm_cli pgfsm_shared public_headers manual debian_changelog)
if(TARGET pgfsm_archive)
  add_dependencies(script_programs pgfsm_archive)
endif()

add_library(pgfsm_internals INTERFACE)
target_include_directories(pgfsm_internals INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include
                                                     ${PROJECT_SOURCE_DIR}/tests)
if(PGFSM_SHARED_TESTS)
  target_link_libraries(pgfsm_internals INTERFACE pgfsm_shared)
  set(CMAKE_LINK_DEPENDS_NO_SHARED ON)
else()
  target_link_libraries(pgfsm_internals INTERFACE pgfsm)
endif()

# pgfsm_add_test_program(target source... GROUP group [STATIC])
#
# Adds a program to the target <group>_programs: `quick` (tests without a server), `sanitised` (tests with a server that
# CI runs with sanitizers) or `script` (what the other tests need). STATIC links the archive even with
# PGFSM_SHARED_TESTS, for programs that replace a symbol of the library's (--wrap).
function(pgfsm_add_test_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC" "GROUP" "")
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  add_dependencies(${arg_GROUP}_programs ${target})
  if(arg_STATIC)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${target} PRIVATE pgfsm_options pgfsm)
  else()
    target_link_libraries(${target} PRIVATE pgfsm_options pgfsm_internals)
  endif()
endfunction()
