#ifndef PGFSM_VERSION_H
#define PGFSM_VERSION_H

#include <pgfsm/export.h>

PGFSM_BEGIN

/* The version of the library that the program was linked with, such as "0.1.0"; a constant string.
 */
const char *pgfsm_version(void);
/* The versions of PostgreSQL that it supports, "14 to 18"; a constant string. */
const char *pgfsm_postgresql_versions(void);

PGFSM_END

#endif
