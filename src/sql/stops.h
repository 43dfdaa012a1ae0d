/*
 * Bodies of functions with stops in them: calls between the statements that reach the database, at
 * which a session can be held (pg/sql/gates.sql).
 *
 * A body with stops does what it did before. A stop is a condition of its own, `IF (…) THEN END
 * IF;`, so FOUND, ROW_COUNT and the values of variables stay. No line is added, so errors name the
 * same lines. A stop stands only before a statement that would take a snapshot, too.
 */
#ifndef SQL_STOPS_H
#define SQL_STOPS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum stops_language { STOPS_PLPGSQL, STOPS_SQL };

struct stops {
    enum stops_language language;
    /* A stop is a call: this text, the number of the line, and `)`. It gives false or NULL. */
    const char *call;
    const char *when; /* the condition under which it is called */
    bool first;       /* also before the first statement that reaches the database */
    /* Names of functions that reach the database, in the order of strcmp. A call of another one is
     * not worth a stop. */
    const char *const *names;
    size_t name_count;
};

/* The body with stops, in the arena. NULL if there is no place for one, or the text is not
 * understood. */
char *stops_add(const struct stops *stops, const char *body, struct arena *arena);

#endif
