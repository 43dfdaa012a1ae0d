#include "cli/failure.h"

#include "base/path.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pgfsm/trace.h>

static const char *find_trace(const char *word, struct arena *arena, struct pgfsm_errors *errors)
{
    char *found = NULL;
    (void)pgfsm_trace_find(&found, FAILURE_STORE, word, errors);
    const char *path = found ? arena_strdup(arena, found) : NULL;
    free(found);
    return path;
}

/* "queue-claim.sql": the script in the folder for scripts, or NULL. */
static const char *find_script(const char *word, struct arena *arena)
{
    const char *path = arena_printf(arena, FAILURE_SCRIPTS "/%s", word);
    bool named = path_ends_in(word, ".sql") && !strchr(word, '/');
    return named && access(path, F_OK) == 0 ? path : NULL;
}

const char *failure_file(const char *word, struct arena *arena, struct pgfsm_errors *errors)
{
    const char *script = find_script(word, arena);
    return access(word, F_OK) == 0 ? word : script ? script : find_trace(word, arena, errors);
}

const char *failure_trace(const char *word, struct arena *arena, struct pgfsm_errors *errors)
{
    bool there = path_ends_in(word, ".trace") && access(word, F_OK) == 0;
    return there ? word : find_trace(word, arena, errors);
}
