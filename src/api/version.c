#include "pg/pg.h"

#include <pgfsm/version.h>

_Static_assert(PGFSM_VERSION_NUMBER == PROJECT_NUMBER,
               "include/pgfsm/version.h and CMakeLists.txt have the same version");

#define TEXT_OF(number) #number
#define RANGE(oldest, newest) TEXT_OF(oldest) " to " TEXT_OF(newest)

const char *pgfsm_version(void) { return PGFSM_VERSION; }

const char *pgfsm_postgresql_versions(void) { return RANGE(PG_VERSION_OLDEST, PG_VERSION_NEWEST); }
