# How all our own code is compiled: one interface target, linked privately by everything we build.
add_library(pgfsm_options INTERFACE)

target_compile_options(
  pgfsm_options
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wstrict-prototypes
            -Wmissing-prototypes
            -Wold-style-definition
            -Wvla
            -Wcast-qual
            -Wwrite-strings
            -Wformat=2
            -Wundef
            -Wswitch-enum
            -Wimplicit-fallthrough
            -Wnull-dereference
            $<$<BOOL:${PGFSM_WERROR}>:-Werror>)

# POSIX and Linux interfaces, in spite of -std=c17.
target_compile_definitions(pgfsm_options INTERFACE _GNU_SOURCE)

if(PGFSM_SANITIZE)
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=undefined
               -fno-omit-frame-pointer)
  target_compile_options(pgfsm_options INTERFACE ${sanitize})
  target_link_options(pgfsm_options INTERFACE ${sanitize})
endif()

if(PGFSM_COVERAGE)
  target_compile_options(pgfsm_options INTERFACE --coverage)
  target_link_options(pgfsm_options INTERFACE --coverage)
endif()
