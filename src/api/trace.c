#include <pgfsm/trace.h>

#include "api/errors.h"
#include "base/path.h"
#include "trace/store/store.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool find_machine(const char *path, struct arena *arena, struct stored_head *out,
                         struct error *err)
{
    if (!store_head(path, arena, out, err)) {
        return false;
    }
    if (!out->file) {
        (void)error_set(err, ERROR_USAGE, "%s does not name the file of its machine, %s", path,
                        out->machine);
    } else if (access(out->file, R_OK) != 0) {
        (void)error_set(err, ERROR_USAGE, "%s is of machine %s, whose file %s can't be read: %s",
                        path, out->machine, out->file, strerror(errno));
    } else {
        return true;
    }
    return error_hint(err, "name the machine's file with --machine FILE");
}

bool pgfsm_trace_machine(char **out, const char *path, struct pgfsm_errors *errors)
{
    struct arena arena = {0};
    struct stored_head machine;
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

/* "queue-claim" of "counterexamples/queue-claim.sql" */
static const char *stem_of(const char *path, struct arena *arena)
{
    static const char *const endings[] = {".sql", ".spec", ".trace"};
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (path_ends_in(name, endings[i])) {
            return arena_strndup(arena, name, strlen(name) - strlen(endings[i]));
        }
    }
    return name;
}

/* A trace is known by the failure's name, and by its file's. */
static bool is_named(const struct stored_head *head, const char *name, struct arena *arena)
{
    return strcmp(head->name, name) == 0 || strcmp(stem_of(head->path, arena), name) == 0;
}

/* "there are: a, b, c"; those that fit */
static void hint_at_names(const struct stored_heads *heads, struct error *err)
{
    struct strbuf list = {0};
    for (size_t i = 0; i < heads->items.count; i++) {
        strbuf_addf(&list, "%s%s", i ? ", " : "", heads->items.items[i].name);
    }
    error_hint(err,
               heads->items.count ? "the stored failures are: %s"
                                  : "none is stored here; `pgfsm run` stores those that it "
                                    "finds%s",
               strbuf_text(&list));
    strbuf_free(&list);
}

static const char *find_named(const char *store, const char *name, struct arena *arena,
                              struct error *err)
{
    struct stored_heads heads;
    const char *found = NULL;
    if (strchr(name, '/') && access(name, F_OK) != 0) {
        (void)error_system(err, "can't open", name);
        return NULL;
    }
    name = stem_of(name, arena);
    store_heads(store, arena, &heads);
    for (size_t i = 0; i < heads.items.count; i++) {
        const char *path = heads.items.items[i].path;
        if (!is_named(&heads.items.items[i], name, arena)) {
            continue;
        }
        if (found) {
            (void)error_set(err, ERROR_USAGE, "two stored failures are named %s", name);
            error_hint(err, "name the file of one of them: %s or %s", found, path);
            return NULL;
        }
        found = path;
    }
    if (!found) {
        (void)error_set(err, ERROR_USAGE, "no stored failure is named %s", name);
        hint_at_names(&heads, err);
    }
    return found;
}

bool pgfsm_trace_find(char **out, const char *store, const char *name, struct pgfsm_errors *errors)
{
    struct arena arena = {0};
    struct error err = {0};
    struct strbuf text = {0};
    const char *found = find_named(store, name, &arena, &err);
    if (found) {
        strbuf_adds(&text, found);
    } else {
        (void)errors_add_usage(errors, &err);
    }
    *out = text.data; /* malloc's, as strbuf documents; NULL where nothing was added */
    arena_free(&arena);
    return found != NULL;
}

void pgfsm_trace_names(const char *store, void (*each)(void *host, const char *name), void *host)
{
    struct arena arena = {0};
    struct stored_heads heads;
    store_heads(store, &arena, &heads);
    for (size_t i = 0; i < heads.items.count; i++) {
        each(host, heads.items.items[i].name);
    }
    arena_free(&arena);
}
