/* The number of rounds of a test: few by day, and all at night, when PGFSM_TEST_ALL is set
 * (ci/nightly). */
#ifndef SUPPORT_ROUNDS_H
#define SUPPORT_ROUNDS_H

#include <stddef.h>
#include <stdlib.h>

static inline size_t rounds(size_t few, size_t all) { return getenv("PGFSM_TEST_ALL") ? all : few; }

#endif
