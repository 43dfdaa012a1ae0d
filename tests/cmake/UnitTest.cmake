# pgfsm_add_unit_test(name [SOURCES file...] [LABELS label...] [STATIC])
#
# Adds the cmocka test <name>.c of the calling folder, which is named after a module: a program
# <module>_<name> and a ctest test of the name <module>.<name> with the labels `unit` and `quick`. SOURCES are
# further files (paths relative to the calling folder), LABELS further labels. STATIC, and what the test may
# include, are those of pgfsm_add_test_program. TEST_DATA_DIR is defined as the path of the calling folder.
function(pgfsm_add_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC" "" "SOURCES;LABELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "pgfsm_add_unit_test(${name}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME module)
  set(target ${module}_${name})
  set(static)
  if(arg_STATIC)
    set(static STATIC)
  endif()
  pgfsm_add_test_program(${target} ${name}.c ${arg_SOURCES} GROUP quick ${static})
  target_compile_definitions(${target} PRIVATE TEST_DATA_DIR="${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE PkgConfig::cmocka)
  add_test(NAME ${module}.${name} COMMAND ${target})
  set_tests_properties(${module}.${name} PROPERTIES LABELS "unit;quick;${arg_LABELS}")
endfunction()
