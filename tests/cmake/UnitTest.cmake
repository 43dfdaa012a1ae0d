# pgfsm_add_unit_test(name [SOURCES file...] [LABELS label...])
#
# Adds the cmocka test <name>.c of the calling folder, which is named after a module: an executable
# <module>_<name> and a ctest test of the name <module>.<name> with the label `unit`. SOURCES are
# further files (paths relative to the calling folder), LABELS further labels. The test may include
# "module/file.h" of every module, "support/file.h" of tests/support and <pgfsm/file.h>.
# TEST_DATA_DIR is defined as the path of the calling folder.
function(pgfsm_add_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LABELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "pgfsm_add_unit_test(${name}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME module)
  set(target ${module}_${name})
  add_executable(${target} ${name}.c ${arg_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${target} PRIVATE TEST_DATA_DIR="${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE pgfsm_options pgfsm PkgConfig::cmocka)
  add_test(NAME ${module}.${name} COMMAND ${target})
  set_tests_properties(${module}.${name} PROPERTIES LABELS "unit;${arg_LABELS}")
endfunction()
