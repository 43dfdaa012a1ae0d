#include "mutate/body/rows.h"

#include "base/names.h"

/* An aggregate of all rows: there is one row anyway. */
static bool is_total(const struct body *body, size_t from, size_t to)
{
    static const char *const totals[] = {"COUNT", "MAX",      "MIN",     "SUM",      "AVG",
                                         "EVERY", "BOOL_AND", "BOOL_OR", "ARRAY_AGG"};
    return name_is_in(sql_word(&body->sql, from + 1), NAMES_IN(totals)) &&
           sql_is(&body->sql, from + 2, "(") && sql_find(&body->sql, from, to, "GROUP") == to;
}

/* WITH may lead to an INSERT, an UPDATE or a DELETE, which take no LIMIT. */
static bool is_query(const struct body *body, size_t from, size_t to)
{
    if (sql_is(&body->sql, from, "WITH")) {
        return sql_find(&body->sql, from, to, "SELECT") < to &&
               sql_find(&body->sql, from, to, "INTO") == to &&
               sql_find(&body->sql, from, to, "SET") == to &&
               sql_find(&body->sql, from, to, "DELETE") == to;
    }
    return sql_is(&body->sql, from, "SELECT") || sql_is(&body->sql, from, "TABLE");
}

void body_rows(struct body *body, size_t from, size_t to)
{
    if (from < to && is_query(body, from, to) && !is_total(body, from, to) &&
        sql_find(&body->sql, from, to, "LIMIT") == to &&
        sql_find(&body->sql, from, to, "FETCH") == to) {
        size_t end = body->sql.tokens.items[to - 1].end;
        body_add(body, BODY_FIRST_ROW, end, end, body_cased(body, from, " LIMIT 1"));
    }
}
