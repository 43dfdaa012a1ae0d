/* Which column of which table a column of an answer is: see struct answer_column. */
#include "pg/session/queries.h"
#include "pg/session/session.h"

#include <stdlib.h>

enum { KEYS_MAX = 32 /* foreign keys from one column to the next: they may go in a circle */ };

static uint64_t column_id(uint64_t table, uint64_t number) { return table << 16U | number; }

uint64_t session_column(uint32_t table, int number) { return column_id(table, (uint64_t)number); }

static uint64_t number_at(const PGresult *result, int row, int column)
{
    return strtoull(PQgetvalue(result, row, column), NULL, 10);
}

bool session_read_origins(struct session *session, struct error *err)
{
    PGresult *result = session_ask(session, query_origins, NULL, err);
    session->origins.count = 0;
    for (int i = 0; i < PQntuples(result); i++) {
        *VEC_PUSH(&session->arena, &session->origins) = (struct column_origin){
            .column = column_id(number_at(result, i, 0), number_at(result, i, 1)),
            .from = column_id(number_at(result, i, 2), number_at(result, i, 3)),
        };
    }
    bool done = result != NULL;
    PQclear(result);
    return done;
}

/* If the column refers to several others, the first counts. They are in order of their columns. */
static const struct column_origin *find_origin(const struct session *session, uint64_t column)
{
    size_t from = 0;
    size_t to = session->origins.count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        bool before = session->origins.items[middle].column < column;
        from = before ? middle + 1 : from;
        to = before ? to : middle;
    }
    bool found = from < session->origins.count && session->origins.items[from].column == column;
    return found ? &session->origins.items[from] : NULL;
}

uint64_t session_origin(const struct session *session, uint32_t table, int number)
{
    uint64_t column = table && number > 0 ? column_id(table, (uint64_t)number) : 0;
    const struct column_origin *next = find_origin(session, column);
    for (size_t i = 0; next && i < KEYS_MAX; i++) {
        column = next->from;
        next = find_origin(session, column);
    }
    return column;
}
