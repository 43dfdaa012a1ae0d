#include "mutate/body/rows.h"

#include "base/names.h"

/* An aggregate of all rows: there is one row anyway. */
static bool is_total(const struct body *body, size_t from, size_t to)
{
    static const char *const totals[] = {"COUNT", "MAX",      "MIN",     "SUM",      "AVG",
                                         "EVERY", "BOOL_AND", "BOOL_OR", "ARRAY_AGG"};
    return name_is_in(body_word(body, from + 1), NAMES_IN(totals)) &&
           body_is(body, from + 2, "(") && body_find(body, from, to, "GROUP") == to;
}

/* WITH may lead to an INSERT, an UPDATE or a DELETE, which take no LIMIT. */
static bool is_query(const struct body *body, size_t from, size_t to)
{
    if (body_is(body, from, "WITH")) {
        return body_find(body, from, to, "SELECT") < to &&
               body_find(body, from, to, "INTO") == to && body_find(body, from, to, "SET") == to &&
               body_find(body, from, to, "DELETE") == to;
    }
    return body_is(body, from, "SELECT") || body_is(body, from, "TABLE");
}

void body_rows(struct body *body, size_t from, size_t to)
{
    if (from < to && is_query(body, from, to) && !is_total(body, from, to) &&
        body_find(body, from, to, "LIMIT") == to && body_find(body, from, to, "FETCH") == to) {
        size_t end = body->tokens.items[to - 1].end;
        body_add(body, BODY_FIRST_ROW, end, end, body_cased(body, from, " LIMIT 1"));
    }
}
