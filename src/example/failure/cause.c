#include "example/divergence.h"

#include <ctype.h>
#include <string.h>

/* A part of a text. */
struct part {
    const char *at; /* NULL: none */
    size_t size;
};

static struct part part_of(const char *text)
{
    return (struct part){text, text ? strlen(text) : 0};
}

static bool same_part(struct part a, struct part b)
{
    return a.at && b.at && a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
}

/* Without the quotes around it, and the names in front: "o.total" is "total". */
static struct part bare_name(const char *at, const char *end)
{
    for (const char *dot = at; dot < end && !memchr(at, '(', (size_t)(end - at)); dot++) {
        at = *dot == '.' ? dot + 1 : at;
    }
    while (at < end && *at == '"') {
        at++;
    }
    while (end > at && end[-1] == '"') {
        end--;
    }
    return (struct part){at, (size_t)(end - at)};
}

/* What is not there after. */
struct missing {
    struct part kind;  /* "column" */
    struct part name;  /* "total"; of a function with its arguments */
    struct part table; /* whose column it is, if that is known */
};

/* Of `column "total" of relation "orders" does not exist`, or `record "new" has no field "total"`.
 */
static struct missing missing_in(const char *message)
{
    static const char column[] = "column";
    static const char of[] = " of relation ";
    static const char field[] = " has no field ";
    const char *end = strstr(message, " does not exist");
    const char *no = strstr(message, field);
    const char *space = strchr(message, ' ');
    struct missing out = {0};
    if (no) {
        const char *name = no + sizeof field - 1;
        out.kind = part_of(column);
        out.name = bare_name(name, name + strlen(name));
    } else if (end && space && space < end) {
        const char *table = strstr(message, of);
        table = table && table < end ? table : NULL;
        out.kind = (struct part){message, (size_t)(space - message)};
        out.name = bare_name(space + 1, table ? table : end);
        out.table = table ? bare_name(table + sizeof of - 1, end) : out.table;
    }
    return out;
}

static struct missing missing_of(const struct divergence *divergence)
{
    const struct server_error *error = divergence->error_after;
    if (divergence->kind == DIVERGES_MISSING && error && error->message) {
        return missing_in(error->message);
    }
    if (divergence->kind == DIVERGES_COLUMN && strncmp(divergence->after, "no column ", 10) == 0) {
        return (struct missing){.kind = part_of("column"), .name = part_of(divergence->column)};
    }
    return (struct missing){0};
}

static bool same_missing(const struct divergence *a, const struct divergence *b)
{
    const struct missing one = missing_of(a);
    const struct missing other = missing_of(b);
    return same_part(one.kind, other.kind) && same_part(one.name, other.name) &&
           (!one.table.at || !other.table.at || same_part(one.table, other.table));
}

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool has_text(const char *text) { return text && *text; }

/* Messages but for the numbers in them. */
static bool same_message(const char *a, const char *b)
{
    while (a && b && *a && *b) {
        bool digits = isdigit((unsigned char)*a) && isdigit((unsigned char)*b);
        if (!digits && *a != *b) {
            return false;
        }
        a += digits ? strspn(a, "0123456789") : 1;
        b += digits ? strspn(b, "0123456789") : 1;
    }
    return same_text(a, b);
}

static bool same_error(const struct server_error *a, const struct server_error *b)
{
    if (!a || !b || strcmp(a->sqlstate, b->sqlstate) != 0 || !same_text(a->table, b->table) ||
        !same_text(a->column, b->column) || !same_text(a->datatype, b->datatype) ||
        !same_text(a->constraint, b->constraint)) {
        return false;
    }
    bool named = has_text(a->table) || has_text(a->column) || has_text(a->datatype) ||
                 has_text(a->constraint);
    return named || same_message(a->message, b->message);
}

/* A constraint that is gone, or new, shows whatever the other database says. */
static bool same_constraint(const struct server_error *a, const struct server_error *b)
{
    return a && b && has_text(a->constraint) && same_error(a, b);
}

static bool same_errors(const struct divergence *a, const struct divergence *b)
{
    return (a->error_before || a->error_after) && !a->error_before == !b->error_before &&
           !a->error_after == !b->error_after &&
           (!a->error_before || same_error(a->error_before, b->error_before)) &&
           (!a->error_after || same_error(a->error_after, b->error_after));
}

bool divergence_shows_always(const struct divergence *divergence)
{
    return divergence->kind == DIVERGES_COLUMN || divergence->kind == DIVERGES_MISSING;
}

bool divergence_same_cause(const struct divergence *a, const struct divergence *b)
{
    if (divergence_shows_always(a) && divergence_shows_always(b)) {
        bool typed = a->kind == DIVERGES_COLUMN && b->kind == DIVERGES_COLUMN &&
                     same_text(a->before, b->before) && same_text(a->after, b->after);
        return typed || same_missing(a, b);
    }
    return same_constraint(a->error_before, b->error_before) ||
           same_constraint(a->error_after, b->error_after) || same_errors(a, b);
}
