include(CMakeFindDependencyMacro)
include(${CMAKE_CURRENT_LIST_DIR}/pgfsmTargets.cmake)

# pgfsm::static, for who wants no shared library: the archive, and what it needs.
find_package(PkgConfig QUIET)
find_package(Threads QUIET)
if(PkgConfig_FOUND AND Threads_FOUND AND NOT TARGET pgfsm::static)
  pkg_check_modules(pgfsm_needs QUIET IMPORTED_TARGET libpq yaml-0.1 gmp)
  get_target_property(pgfsm_include pgfsm::pgfsm INTERFACE_INCLUDE_DIRECTORIES)
  file(GLOB pgfsm_archive ${CMAKE_CURRENT_LIST_DIR}/../../libpgfsm.a)
  if(pgfsm_needs_FOUND AND pgfsm_archive)
    add_library(pgfsm::static STATIC IMPORTED)
    set_target_properties(
      pgfsm::static
      PROPERTIES IMPORTED_LOCATION "${pgfsm_archive}"
                 INTERFACE_INCLUDE_DIRECTORIES "${pgfsm_include}"
                 INTERFACE_LINK_LIBRARIES "PkgConfig::pgfsm_needs;unistring;Threads::Threads;m")
  endif()
endif()
