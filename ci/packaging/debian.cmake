# Debian packages, made by cpack: one for each component. Configure with the prefix /usr, as the presets `package` and
# `strict` do, so that libraries are in the folder that Debian requires.
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON) # whatever the builder's umask made of them
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                                WORLD_EXECUTE)
# The maintainer; set this to the publisher of the packages.
set(CPACK_PACKAGE_CONTACT "The pgfsm authors <pgfsm@localhost>" CACHE STRING "Maintainer of the packages")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY >=)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME pgfsm)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION database)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
    "A machine names rules (SQL with generated arguments), a model of what
the database should hold, and invariants. pgfsm runs sequences of rules
inside a transaction that is rolled back, compares the database with the
model, and shows a short sequence of steps that makes them differ.")
# psql loads schema files. The server is only for runs that name no database.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS postgresql-client)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "postgresql, tzdata")
# For machines with a clock.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS libfaketime)

set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libpgfsm${soversion})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "This package has the library for programs that run machines themselves.")
# The library loads schema files with psql, too, and starts servers.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "postgresql-client, postgresql, tzdata")
configure_file(symbols.in symbols @ONLY)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/triggers ${CMAKE_CURRENT_BINARY_DIR}/symbols)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libpgfsm-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
    "This package has the headers, the static library, and the files for
pkg-config and CMake.")
# The archive needs the others, and pkg-config looks for all of them.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libpgfsm${soversion} (= ${PROJECT_VERSION}), libpq-dev, libyaml-dev, libgmp-dev, libunistring-dev")

# Files that Debian requires in every package. Other installations don't have them.
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(CONFIGURE OUTPUT changelog CONTENT "pgfsm (@PROJECT_VERSION@) unstable; urgency=medium

  * See /usr/share/doc/pgfsm/CHANGELOG.md in the package pgfsm.

 -- @CPACK_PACKAGE_CONTACT@  @now@
" @ONLY)
add_custom_command(
  OUTPUT changelog.gz
  COMMAND gzip -9nkf changelog
  DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/changelog)
add_custom_target(debian_changelog ALL DEPENDS changelog.gz)
foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} upper)
  set(folder ${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${folder} RENAME copyright COMPONENT ${component}
          EXCLUDE_FROM_ALL)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz DESTINATION ${folder} COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()

include(CPack)
