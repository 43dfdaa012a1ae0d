#ifndef PGFSM_VERSION_H
#define PGFSM_VERSION_H

#include <pgfsm/export.h>

#define PGFSM_VERSION_MAJOR 0
#define PGFSM_VERSION_MINOR 1
#define PGFSM_VERSION_PATCH 0
/* 0.1.0 as 1000: for comparisons such as PGFSM_VERSION_NUMBER >= 1002. */
#define PGFSM_VERSION_NUMBER                                                                       \
    (PGFSM_VERSION_MAJOR * 1000000 + PGFSM_VERSION_MINOR * 1000 + PGFSM_VERSION_PATCH)

PGFSM_BEGIN

/* The version of the library that the program was linked with, such as "0.1.0"; a constant string.
 */
const char *pgfsm_version(void);
/* The versions of PostgreSQL that it supports, "14 to 18"; a constant string. */
const char *pgfsm_postgresql_versions(void);

PGFSM_END

#endif
