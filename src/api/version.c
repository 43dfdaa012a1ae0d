#include <pgfsm/version.h>

const char *pgfsm_version(void) { return PGFSM_VERSION; }
