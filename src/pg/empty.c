/* A machine that needs a schema, on a database that has none. */
#include "pg/session/session.h"

#include <string.h>

enum { MISSING_SHOWN = 5 };

/* True if neither a schema nor a database that could hold one was named. */
static bool is_bare(const struct session *session)
{
    return session->target->embedded && session->options.schema_count == 0 &&
           session->options.apply_count == 0;
}

/* "line 6: relation "one" does not exist" */
static void tell_missing(struct error *into, const struct error *missing)
{
    error_detail(into, "line %zu: %s", source_place(missing->pos).line, missing->message);
}

void session_explain_empty(const struct session *session, struct diagnostics *diagnostics)
{
    struct error *items = diagnostics->errors.items;
    size_t kept = 0;
    size_t found = 0;
    struct error whole = {0};
    for (size_t i = 0; is_bare(session) && i < diagnostics->errors.count; i++) {
        if (!items[i].missing || !items[i].pos.source) {
            items[kept++] = items[i];
            continue;
        }
        if (found == 0) {
            (void)error_at(
                &whole, ERROR_MACHINE, items[i].pos,
                "the machine needs a schema: no database was named, and the embedded one is "
                "empty");
        }
        if (found++ < MISSING_SHOWN) {
            tell_missing(&whole, &items[i]);
        }
    }
    if (found == 0) {
        return;
    }
    if (found > MISSING_SHOWN) {
        error_detail(&whole, "and %zu more", found - MISSING_SHOWN);
    }
    error_hint(&whole,
               "give the machine `schema: FILE.sql`, or name the database that it is about: "
               "-d NAME");
    diagnostics->errors.count = kept;
    diagnostics_add(diagnostics, &whole);
}
