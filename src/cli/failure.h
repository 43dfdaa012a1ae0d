/* Failures, as the command line names them. */
#ifndef CLI_FAILURE_H
#define CLI_FAILURE_H

#include "base/arena.h"

#include <pgfsm/errors.h>

/* Where runs store failures, and where they write scripts by default. */
#define FAILURE_STORE ".pgfsm"
#define FAILURE_SCRIPTS "counterexamples"

/* The file of the failure that `word` names, in the arena: the word itself if there is such a file;
 * else, of a name that ends in .sql, the replay script; else the stored trace of the failure with
 * this name. NULL with `errors` if there is none. */
const char *failure_file(const char *word, struct arena *arena, struct pgfsm_errors *errors);
/* The same, but always a trace. */
const char *failure_trace(const char *word, struct arena *arena, struct pgfsm_errors *errors);

#endif
