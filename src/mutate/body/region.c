#include "mutate/body/region.h"

#include "base/names.h"
#include "mutate/body/conditions.h"
#include "mutate/body/swaps.h"

#include <string.h>

struct level {
    struct body *body;
    size_t from, to;
    size_t segment;  /* where the current one starts */
    unsigned always; /* what its condition as a whole may be made */
    size_t betweens; /* that wait for their AND */
    bool of_case;
    bool updates;  /* UPDATE was read, */
    bool sets;     /* and SET after it, */
    bool assigned; /* and = after that, since the last comma */
    bool lists;    /* in the list of ORDER BY or GROUP BY, where a number is a column's position */
};

static void freeze(struct body *body, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        body->sql.tokens.items[i].marks |= BODY_FROZEN;
    }
}

static void freeze_group(struct body *body, size_t index)
{
    freeze(body, index, sql_after(&body->sql, index));
}

/* Behind `::`: a type with its modifiers and bounds. */
static void freeze_type(struct body *body, size_t index, size_t to)
{
    size_t i = index + 1;
    while (i + 2 < to && sql_is(&body->sql, i + 1, ".")) {
        i += 2;
    }
    for (i++; i < to && (sql_is(&body->sql, i, "(") || sql_is(&body->sql, i, "["));
         i = sql_after(&body->sql, i)) {
        freeze_group(body, i);
    }
}

/* Whether the group holds numbers only, as type modifiers do. */
static bool only_numbers(const struct body *body, size_t index)
{
    size_t i = index + 1;
    while (sql_is_kind(&body->sql, i, SQL_TOKEN_NUMBER) || sql_is(&body->sql, i, ",")) {
        i++;
    }
    return i > index + 1 && i == body->sql.tokens.items[index].mate;
}

/* Words before parentheses that hold type modifiers, or a number that means nothing. */
static const char *const modified[] = {
    "VARCHAR", "CHAR",         "CHARACTER", "VARYING",        "NUMERIC",  "DECIMAL",
    "DEC",     "BIT",          "TIME",      "TIMESTAMP",      "INTERVAL", "FLOAT",
    "NCHAR",   "CURRENT_TIME", "LOCALTIME", "LOCALTIMESTAMP", "COUNT",    "CURRENT_TIMESTAMP"};

/* Whether the parentheses at the index hold no expressions. */
static bool holds_none(const struct body *body, size_t index)
{
    const char *word = sql_word(&body->sql, index - 1);
    return strcmp(word, "OPERATOR") == 0 ||
           (name_is_in(word, NAMES_IN(modified)) && only_numbers(body, index)) ||
           (sql_is(&body->sql, index - 2, "AS") && *word == '\0');
}

/* EXISTS (SELECT 1 FROM …): nobody sees what is selected. */
static void freeze_selected(struct body *body, size_t index)
{
    size_t end = body->sql.tokens.items[index].mate;
    if (sql_is(&body->sql, index - 1, "EXISTS") && sql_is(&body->sql, index + 1, "SELECT")) {
        freeze(body, index + 2, sql_find(&body->sql, index + 2, end, "FROM"));
    }
}

static void freeze_at(struct level *level, size_t index)
{
    struct body *body = level->body;
    bool number = sql_is_kind(&body->sql, index, SQL_TOKEN_NUMBER);
    const char *last = sql_word(&body->sql, index - 1);
    if (sql_is(&body->sql, index, "::")) {
        freeze_type(body, index, level->to);
    } else if ((sql_is(&body->sql, index, "(") && holds_none(body, index)) ||
               (sql_is(&body->sql, index, "[") && body_has(body, index - 1, BODY_FROZEN))) {
        freeze_group(body, index);
    } else if (sql_is(&body->sql, index, "(")) {
        freeze_selected(body, index);
    } else if (number && (strcmp(last, "PERFORM") == 0 || strcmp(last, "BY") == 0 ||
                          (level->lists && strcmp(last, ",") == 0))) {
        freeze(body, index, index + 1);
    }
}

static const char *const cuts[] = {
    "SELECT", "PERFORM",   "FROM",    "WHERE", "GROUP",    "HAVING", "WINDOW",    "ORDER", "BY",
    "LIMIT",  "OFFSET",    "FETCH",   "FOR",   "UNION",    "EXCEPT", "INTERSECT", "ON",    "JOIN",
    "INNER",  "CROSS",     "NATURAL", "FULL",  "WHEN",     "THEN",   "ELSE",      "DO",    "INTO",
    "USING",  "RETURNING", "VALUES",  "AS",    "VARIADIC", ",",      ";",         ":=",    "=>",
    "..",     "LEFT",      "RIGHT",   "SET",   "ALL",      "AND",    "DISTINCT"};

/* Whether the token ends one segment and begins another. */
static bool cuts_at(const struct level *level, size_t index)
{
    static const char *const of_merge[] = {"MATCHED", "SOURCE", "TARGET"};
    static const char *const queries[] = {"SELECT", "UNION", "EXCEPT", "INTERSECT"};
    const struct body *body = level->body;
    const char *word = sql_word(&body->sql, index);
    const char *last = sql_word(&body->sql, index - 1);
    if (!*word || !name_is_in(word, NAMES_IN(cuts))) {
        return false;
    }
    if (strcmp(word, "AND") == 0) {
        return name_is_in(last, NAMES_IN(of_merge));
    }
    if (strcmp(word, "DISTINCT") == 0) {
        return strcmp(last, "IS") != 0 && strcmp(last, "NOT") != 0;
    }
    if (strcmp(word, "FROM") == 0) { /* a IS DISTINCT FROM b */
        const char *before = sql_word(&body->sql, index - 2);
        return strcmp(last, "DISTINCT") != 0 ||
               (strcmp(before, "IS") != 0 && strcmp(before, "NOT") != 0);
    }
    if (strcmp(word, "ALL") == 0) {
        return name_is_in(last, NAMES_IN(queries));
    }
    if (strcmp(word, "LEFT") == 0 || strcmp(word, "RIGHT") == 0) {
        return !sql_is(&body->sql, index + 1, "(");
    }
    return strcmp(word, "SET") != 0 || level->updates;
}

static void end_segment(struct level *level, size_t end)
{
    if (level->always && !sql_is(&level->body->sql, level->segment, "CURRENT")) {
        bool both = level->always & BODY_ALWAYS_FALSE;
        if (both || !body_has_operands(level->body, level->segment, end)) {
            body_condition(level->body, level->segment, end, level->always);
        }
    }
    body_operands(level->body, level->segment, end);
}

/* What the condition that the word begins may be made. */
static unsigned always_behind(const struct level *level, size_t index)
{
    const struct body *body = level->body;
    bool on = sql_is(&body->sql, index, "ON") && !sql_is(&body->sql, index - 1, "DISTINCT");
    if (level->of_case && sql_is(&body->sql, index, "WHEN")) {
        return sql_is(&body->sql, level->from, "WHEN") ? BODY_ALWAYS_TRUE | BODY_ALWAYS_FALSE : 0;
    }
    return on || sql_is(&body->sql, index, "WHERE") || sql_is(&body->sql, index, "HAVING")
               ? BODY_ALWAYS_TRUE
               : 0;
}

static void cut(struct level *level, size_t index)
{
    const struct body *body = level->body;
    bool comma = sql_is(&body->sql, index, ",");
    end_segment(level, index);
    level->segment = index + 1;
    level->always = always_behind(level, index);
    level->betweens = 0;
    level->lists = sql_is(&body->sql, index, "BY") || (level->lists && comma);
    level->sets = sql_is(&body->sql, index, "SET") || (level->sets && comma);
    level->assigned = false;
    if (sql_is(&body->sql, index, "ON") && sql_is(&body->sql, index - 1, "DISTINCT") &&
        sql_is(&body->sql, index + 1, "(")) {
        level->segment = sql_after(&body->sql, index + 1);
    }
}

/* ON CONFLICT (…) WHERE … DO: has to fit an index. Returns where to go on. */
static size_t skip_conflict(struct level *level, size_t index)
{
    size_t end = sql_find(&level->body->sql, index, level->to, "DO");
    cut(level, index);
    freeze(level->body, index, end);
    level->segment = end;
    level->always = 0;
    return end;
}

static void mark(struct level *level, size_t index)
{
    struct sql_listed *token = &level->body->sql.tokens.items[index];
    level->updates = level->updates || sql_is(&level->body->sql, index, "UPDATE");
    if (sql_is(&level->body->sql, index, "BETWEEN")) {
        level->betweens++;
    } else if (level->betweens && sql_is(&level->body->sql, index, "AND")) {
        level->betweens--;
        token->marks |= BODY_RANGE;
    } else if (level->sets && !level->assigned && sql_is(&level->body->sql, index, "=")) {
        token->marks |= BODY_SET;
        level->assigned = true;
        level->segment = index + 1;
    }
}

static void read_level(struct body *body, size_t from, size_t to)
{
    struct level level = {
        .body = body,
        .from = from,
        .to = to,
        .segment = from,
        .of_case = from > 0 && sql_is(&body->sql, from - 1, "CASE"),
    };
    size_t i = from;
    if (from < to && body_has(body, from, BODY_FROZEN) && body_has(body, to - 1, BODY_FROZEN)) {
        return;
    }
    while (i < to) {
        freeze_at(&level, i);
        if (sql_is(&body->sql, i, "ON") && sql_is(&body->sql, i + 1, "CONFLICT")) {
            i = skip_conflict(&level, i);
            continue;
        }
        if (cuts_at(&level, i)) {
            cut(&level, i);
        } else {
            mark(&level, i);
        }
        i = sql_after(&body->sql, i);
    }
    end_segment(&level, to);
}

void body_region(struct body *body, size_t from, size_t to)
{
    if (from >= to || !sql_list_match(&body->sql, from, to)) {
        return;
    }
    read_level(body, from, to);
    for (size_t i = from; i < to; i++) {
        if (body->sql.tokens.items[i].mate > i) {
            read_level(body, i + 1, body->sql.tokens.items[i].mate);
        }
    }
    for (size_t i = from; i < to; i++) {
        if (!body_has(body, i, BODY_FROZEN)) {
            body_swaps(body, i, to);
        }
    }
}
