#include "mutate/body.h"

#include "base/names.h"
#include "base/strbuf.h"
#include "mutate/body/plpgsql.h"
#include "mutate/body/region.h"
#include "mutate/body/rows.h"

#include <stdlib.h>
#include <string.h>

const char *const body_kind_names[BODY_KINDS] = {
    [BODY_EXPRESSION] = "expression",
    [BODY_QUERY] = "query",
    [BODY_ROWS] = "rows",
    [BODY_VIEW] = "view",
    [BODY_PLPGSQL] = "plpgsql",
};

/* Only these are edited: others, such as DDL, hold no expressions, or hide them. */
static const char *const queries[] = {"SELECT", "INSERT", "UPDATE", "DELETE", "WITH",
                                      "VALUES", "MERGE",  "TABLE",  "("};

/* An SQL function's statements; of several each but the last is left out once. */
static void edit_statements(struct body *body, bool of_rows)
{
    bool atomic = sql_is(&body->sql, 0, "BEGIN") && sql_is(&body->sql, 1, "ATOMIC");
    size_t at = atomic ? 2 : 0;
    size_t last = 0;
    size_t last_end = 0;
    while (at < body->sql.tokens.count && !(atomic && sql_is(&body->sql, at, "END"))) {
        size_t end = sql_find(&body->sql, at, body->sql.tokens.count, ";");
        if (end > at && last_end) {
            body_replace(body, BODY_DROP_STATEMENT, last, last_end, "");
        }
        if (end > at) {
            last = at;
            last_end = end + 1;
        }
        if (name_is_in(sql_word(&body->sql, at), NAMES_IN(queries))) {
            body_region(body, at, end);
        }
        at = end + 1;
    }
    if (of_rows && last_end) {
        body_rows(body, last, last_end - 1);
    }
}

static bool edit_body(struct body *body, enum body_kind kind)
{
    if (!sql_list_read(&body->sql)) {
        return false;
    }
    if (kind == BODY_PLPGSQL) {
        return body_plpgsql(body);
    }
    if ((kind == BODY_QUERY || kind == BODY_ROWS) && sql_is(&body->sql, 0, "RETURN")) {
        body_region(body, 1, body->sql.tokens.count);
    } else if (kind == BODY_QUERY || kind == BODY_ROWS || kind == BODY_VIEW) {
        edit_statements(body, kind == BODY_ROWS);
    } else {
        body_region(body, 0, body->sql.tokens.count);
    }
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct body_edit *left = a;
    const struct body_edit *right = b;
    if (left->start != right->start) {
        return left->start < right->start ? -1 : 1;
    }
    if (left->end != right->end) {
        return left->end < right->end ? -1 : 1;
    }
    return left->op != right->op ? (left->op < right->op ? -1 : 1)
                                 : strcmp(left->replacement, right->replacement);
}

void body_edits(enum body_kind kind, const char *text, size_t size, const char *others,
                struct arena *arena, struct body_edits *out)
{
    size_t count = out->items.count;
    struct body body = {.sql = {.text = text, .size = size, .arena = arena},
                        .others = others,
                        .keeps_names = kind == BODY_VIEW,
                        .out = out};
    if (!edit_body(&body, kind)) {
        out->items.count = count;
    }
    if (out->items.count > count) {
        qsort(out->items.items + count, out->items.count - count, sizeof *out->items.items,
              by_place);
    }
}

char *body_edited(const char *text, size_t size, const struct body_edit *edit, struct arena *arena)
{
    struct strbuf edited = {0};
    strbuf_add(&edited, text, edit->start);
    strbuf_adds(&edited, edit->replacement);
    strbuf_add(&edited, text + edit->end, size - edit->end);
    return strbuf_take(&edited, arena);
}
