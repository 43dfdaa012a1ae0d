# pgfsm_add_versions_test(name COMMAND command... [MAJORS major...] [LABELS label...] [ENVIRONMENT variable=value...])
#
# Adds a test that runs on several major versions of PostgreSQL, all that tests/versions/servers names unless
# MAJORS says which: versions.<major>.<name>, with the label `versions`. Where the version can't be had it is
# skipped (tests/versions/on.sh).
set(versions_dir ${CMAKE_CURRENT_LIST_DIR}/../versions)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${versions_dir}/servers)
file(STRINGS ${versions_dir}/servers versions_majors REGEX "^[0-9]+ ")
list(TRANSFORM versions_majors REPLACE " .*" "")

function(pgfsm_add_versions_test name)
  set(arg_MAJORS ${versions_majors})
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "COMMAND;MAJORS;LABELS;ENVIRONMENT")
  if(given_MAJORS)
    set(arg_MAJORS ${given_MAJORS})
  endif()
  foreach(major ${arg_MAJORS})
    add_test(NAME versions.${major}.${name} COMMAND ${SH} ${versions_dir}/on.sh ${major} ${given_COMMAND})
    set_tests_properties(
      versions.${major}.${name}
      PROPERTIES LABELS "versions;${given_LABELS}" SKIP_RETURN_CODE 77 ENVIRONMENT
                 "PROGRAM=$<TARGET_FILE:pgfsm_cli>;${given_ENVIRONMENT}")
  endforeach()
endfunction()
