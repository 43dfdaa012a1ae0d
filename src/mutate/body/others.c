#include "mutate/body/others.h"

#include "base/names.h"

#include <string.h>

/* The word as the catalog has it; "" if there is none. */
static const char *name_at(const struct body *body, size_t index)
{
    if (!sql_is_kind(&body->sql, index, SQL_TOKEN_WORD)) {
        return "";
    }
    char *name = body_text(body, index, index + 1);
    for (char *c = name; *c; c++) {
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    }
    return name;
}

/* "owner.name other" */
struct line {
    const char *owner, *name, *other;
    size_t owner_size, name_size, other_size;
};

static bool next_line(const char **rest, struct line *line)
{
    const char *at = *rest;
    if (!*at) {
        return false;
    }
    line->owner = at;
    line->owner_size = strcspn(at, ".");
    line->name = at + line->owner_size + 1;
    line->name_size = strcspn(line->name, " ");
    line->other = line->name + line->name_size + 1;
    line->other_size = strcspn(line->other, "\n");
    *rest = line->other + line->other_size;
    *rest += **rest == '\n';
    return true;
}

static bool is_same(const char *text, const char *part, size_t size)
{
    return strlen(text) == size && strncmp(text, part, size) == 0;
}

static bool is_owner(const struct body *body, const char *name)
{
    const char *rest = body->others;
    struct line line;
    while (*name && next_line(&rest, &line)) {
        if (is_same(name, line.owner, line.owner_size)) {
            return true;
        }
    }
    return false;
}

/* The table that a name before a dot stands for: `members AS m`, `members m`, or the table's own.
 */
static const char *owner_of(const struct body *body, const char *qualifier)
{
    for (size_t i = 1; i < body->sql.tokens.count; i++) {
        size_t table = sql_is(&body->sql, i - 1, "AS") ? i - 2 : i - 1;
        if (strcmp(name_at(body, i), qualifier) == 0 && is_owner(body, name_at(body, table))) {
            return name_at(body, table);
        }
    }
    return qualifier;
}

/* Rows of a trigger have no column that stands alone. */
static bool stands_alone(const struct line *line)
{
    return !is_same("new", line->owner, line->owner_size) &&
           !is_same("old", line->owner, line->owner_size);
}

/* What the owner has, or without one the only one that has the name. */
static bool find_other(const struct body *body, const char *owner, const char *name,
                       struct line *out)
{
    const char *rest = body->others;
    size_t found = 0;
    struct line line;
    while (next_line(&rest, &line)) {
        if (is_same(name, line.name, line.name_size) &&
            (owner ? is_same(owner, line.owner, line.owner_size) : stands_alone(&line))) {
            *out = line;
            found++;
        }
    }
    return found == 1 && !(out->name_size == out->other_size &&
                           strncmp(out->name, out->other, out->name_size) == 0);
}

/* The word that begins the clause that the token is in, and where it is. */
static const char *clause_of(const struct body *body, size_t index, size_t *at)
{
    static const char *const clauses[] = {"SELECT", "FROM", "WHERE",  "ON",   "HAVING",    "BY",
                                          "VALUES", "SET",  "USING",  "INTO", "RETURNING", "WHEN",
                                          "THEN",   "ELSE", "RETURN", ";"};
    for (size_t i = index; i-- > 0;) {
        size_t mate = body->sql.tokens.items[i].mate;
        if (mate < i) {
            i = mate;
        } else if (name_is_in(sql_word(&body->sql, i), NAMES_IN(clauses)) &&
                   !sql_is(&body->sql, i - 1, "DISTINCT")) { /* SELECT DISTINCT ON (…) */
            *at = i;
            return sql_word(&body->sql, i);
        }
    }
    *at = 0;
    return "";
}

/* Whether rows are grouped, or the first of several is selected: then what is selected or sorted by
 * has to fit that. */
static bool is_grouped(const struct body *body)
{
    for (size_t i = 1; i < body->sql.tokens.count; i++) {
        if ((sql_is(&body->sql, i, "BY") && sql_is(&body->sql, i - 1, "GROUP")) ||
            (sql_is(&body->sql, i, "ON") && sql_is(&body->sql, i - 1, "DISTINCT"))) {
            return true;
        }
    }
    return false;
}

/* Not what is called, a table, a target, a list of columns. */
static bool is_value(const struct body *body, size_t index, size_t first)
{
    static const char *const before[] = {"::",   "AS",     "INTO", "FROM",
                                         "JOIN", "UPDATE", "ONLY", "TABLE"};
    static const char *const behind[] = {"(", ".", ":=", "=>"};
    size_t open = sql_opening(&body->sql, index);
    bool inserts = open < index &&
                   (sql_is(&body->sql, open - 2, "INTO") || sql_is(&body->sql, open - 4, "INTO"));
    return !name_is_in(sql_word(&body->sql, first - 1), NAMES_IN(before)) &&
           !name_is_in(sql_word(&body->sql, index + 1), NAMES_IN(behind)) &&
           !body_has(body, index + 1, BODY_SET) && !inserts &&
           !(open < index &&
             (sql_is(&body->sql, open - 1, "USING") || sql_is(&body->sql, open - 2, "DISTINCT")));
}

/* Whether what the token selects is known by its name: in a view, a table of FROM, a WITH. */
static bool names_column(const struct body *body, size_t index, size_t first, size_t select)
{
    static const char *const before[] = {"SELECT", "RETURNING", ",", "DISTINCT"};
    static const char *const behind[] = {",", "FROM", ")", "UNION", "WHERE", ";", ""};
    static const char *const holders[] = {"AS", "FROM", "JOIN", "LATERAL", ",", "MATERIALIZED"};
    size_t open = sql_opening(&body->sql, select);
    return name_is_in(sql_word(&body->sql, first - 1), NAMES_IN(before)) &&
           name_is_in(sql_word(&body->sql, index + 1), NAMES_IN(behind)) &&
           (open < select ? name_is_in(sql_word(&body->sql, open - 1), NAMES_IN(holders))
                          : body->keeps_names);
}

void body_others(struct body *body, size_t index)
{
    const char *name = name_at(body, index);
    bool qualified = sql_is(&body->sql, index - 1, ".");
    size_t first = qualified ? index - 2 : index;
    size_t start = 0;
    struct line line = {0};
    if (!*name || !*body->others || (qualified && index < 2) || !is_value(body, index, first)) {
        return;
    }
    const char *owner = qualified ? owner_of(body, name_at(body, first)) : NULL;
    if (!find_other(body, owner, name, &line)) {
        return;
    }
    const char *clause = clause_of(body, index, &start);
    bool selected = strcmp(clause, "SELECT") == 0 || strcmp(clause, "RETURNING") == 0;
    if ((selected || strcmp(clause, "BY") == 0) && is_grouped(body)) {
        return;
    }
    const char *other = arena_strndup(body->sql.arena, line.other, line.other_size);
    bool named = selected && names_column(body, index, first, start);
    body_replace(body, line.owner_size ? BODY_OTHER_COLUMN : BODY_OTHER_PARAMETER, index, index + 1,
                 named ? arena_printf(body->sql.arena, "%s AS %s", other, name) : other);
}
