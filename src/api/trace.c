#include <pgfsm/trace.h>

#include "api/errors.h"
#include "base/path.h"
#include "trace/store/store.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool find_machine(const char *path, struct arena *arena, struct stored_machine *out,
                         struct error *err)
{
    if (!store_machine(path, arena, out, err)) {
        return false;
    }
    if (!out->file) {
        (void)error_set(err, ERROR_USAGE, "%s does not name the file of its machine, %s", path,
                        out->name);
    } else if (access(out->file, R_OK) != 0) {
        (void)error_set(err, ERROR_USAGE, "%s is of machine %s, whose file %s can't be read: %s",
                        path, out->name, out->file, strerror(errno));
    } else {
        return true;
    }
    return error_hint(err, "name the machine's file: pgfsm replay --machine FILE");
}

bool pgfsm_trace_machine(char **out, const char *path, struct pgfsm_errors *errors)
{
    struct arena arena = {0};
    struct stored_machine machine;
    struct error err = {0};
    struct strbuf text = {0};
    bool found = find_machine(path, &arena, &machine, &err) || errors_add_usage(errors, &err);
    if (found) {
        strbuf_adds(&text, path_shown(&arena, machine.file));
    }
    *out = text.data; /* malloc's, as strbuf documents; NULL where nothing was added */
    arena_free(&arena);
    return found;
}
