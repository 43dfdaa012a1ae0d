#include "mutate/body/swaps.h"

#include "base/names.h"
#include "mutate/body/conditions.h"
#include "mutate/body/numbers.h"
#include "mutate/body/others.h"
#include "mutate/body/rows.h"
#include "mutate/body/strings.h"

#include <string.h>

/* Not UPDATE's SET a = b, nor ORDER BY a USING <. */
static bool is_comparison(const struct body *body, size_t index)
{
    return !body_has(body, index, BODY_SET) && !sql_is(&body->sql, index - 1, "USING");
}

/* Not of BETWEEN, nor of MERGE's WHEN MATCHED AND. */
static bool is_logical(const struct body *body, size_t index)
{
    static const char *const of_merge[] = {"MATCHED", "SOURCE", "TARGET"};
    return !body_has(body, index, BODY_RANGE) &&
           !name_is_in(sql_word(&body->sql, index - 1), NAMES_IN(of_merge));
}

static bool is_call(const struct body *body, size_t index)
{
    return sql_is(&body->sql, index + 1, "(");
}

/* Whether nothing touches the operator that would make another one, or a comment, with it. */
static bool stands_apart(const struct body *body, size_t index)
{
    static const char operators[] = "~!@#^&|`?+-*/%<>=";
    const struct sql_listed *token = &body->sql.tokens.items[index];
    char before = token->start > 0 ? body->sql.text[token->start - 1] : ' ';
    char behind = token->end < body->sql.size ? body->sql.text[token->end] : ' ';
    return !(before && strchr(operators, before)) && !(behind && strchr(operators, behind));
}

/* a * b, where neither is an interval; not count(*), SELECT * or t.* */
static bool is_product(const struct body *body, size_t index)
{
    static const char *const before[] = {"SELECT", "RETURNING", "DISTINCT", "ALL", "PERFORM",
                                         "(",      ",",         ".",        ""};
    static const char *const behind[] = {"FROM", "INTO", ",", ")", ";", "INTERVAL", "EXCEPT"};
    const char *last = sql_word(&body->sql, index - 1);
    bool operand = sql_is_kind(&body->sql, index - 1, SQL_TOKEN_NUMBER) ||
                   sql_is_kind(&body->sql, index - 1, SQL_TOKEN_QUOTED_NAME) ||
                   sql_is_kind(&body->sql, index - 1, SQL_TOKEN_POSITION) ||
                   !name_is_in(last, NAMES_IN(before)) || sql_is(&body->sql, index - 2, ".");
    return operand && index + 1 < body->sql.tokens.count &&
           !name_is_in(sql_word(&body->sql, index + 1), NAMES_IN(behind)) &&
           !sql_is_kind(&body->sql, index + 1, SQL_TOKEN_STRING) && stands_apart(body, index);
}

/* = ANY (…), of an array or a query. */
static bool is_quantifier(const struct body *body, size_t index)
{
    static const char *const before[] = {"=", "<>", "!=", "<", "<=", ">", ">=", "LIKE", "ILIKE"};
    return sql_is(&body->sql, index + 1, "(") &&
           name_is_in(sql_word(&body->sql, index - 1), NAMES_IN(before));
}

static const struct swap {
    const char *from;
    const char *to;
    enum body_operator_id id;
    bool (*applies)(const struct body *body, size_t index); /* NULL: always */
} swaps[] = {
    {"<", "<=", BODY_MOVE_COMPARISON, is_comparison},
    {"<=", "<", BODY_MOVE_COMPARISON, is_comparison},
    {">", ">=", BODY_MOVE_COMPARISON, is_comparison},
    {">=", ">", BODY_MOVE_COMPARISON, is_comparison},
    {"=", "<>", BODY_MOVE_COMPARISON, is_comparison},
    {"<>", "=", BODY_MOVE_COMPARISON, is_comparison},
    {"!=", "=", BODY_MOVE_COMPARISON, is_comparison},
    {"AND", "OR", BODY_SWAP_AND_OR, is_logical},
    {"OR", "AND", BODY_SWAP_AND_OR, NULL},
    {"TRUE", "FALSE", BODY_FLIP_BOOLEAN, NULL},
    {"FALSE", "TRUE", BODY_FLIP_BOOLEAN, NULL},
    {"ASC", "DESC", BODY_REVERSE_ORDER, NULL},
    {"DESC", "ASC", BODY_REVERSE_ORDER, NULL},
    {"MIN", "MAX", BODY_SWAP_EXTREMES, is_call},
    {"MAX", "MIN", BODY_SWAP_EXTREMES, is_call},
    {"LEAST", "GREATEST", BODY_SWAP_EXTREMES, is_call},
    {"GREATEST", "LEAST", BODY_SWAP_EXTREMES, is_call},
    {"BOOL_AND", "BOOL_OR", BODY_SWAP_EXTREMES, is_call},
    {"BOOL_OR", "BOOL_AND", BODY_SWAP_EXTREMES, is_call},
    {"EVERY", "BOOL_OR", BODY_SWAP_EXTREMES, is_call},
    {"ANY", "ALL", BODY_SWAP_QUANTIFIER, is_quantifier},
    {"SOME", "ALL", BODY_SWAP_QUANTIFIER, is_quantifier},
    {"ALL", "ANY", BODY_SWAP_QUANTIFIER, is_quantifier},
    {"EXCEPT", "INTERSECT", BODY_SWAP_UNION, NULL},
    {"INTERSECT", "EXCEPT", BODY_SWAP_UNION, NULL},
    {"+", "-", BODY_SWAP_ARITHMETIC, stands_apart},
    {"-", "+", BODY_SWAP_ARITHMETIC, stands_apart},
    {"*", "+", BODY_SWAP_ARITHMETIC, is_product},
};

/* NOT of any kind, with IS NOT NULL and IS NOT DISTINCT FROM. */
static void negation(struct body *body, size_t index, size_t to)
{
    static const char *const others[] = {"NULL", "MATERIALIZED", "MATCHED", "VALID"};
    const char *next = sql_word(&body->sql, index + 1);
    bool after_is = sql_is(&body->sql, index - 1, "IS");
    if (index + 1 >= to) {
        return;
    }
    if (after_is && strcmp(next, "NULL") == 0) {
        body_remove(body, BODY_FLIP_NULL_TEST, index, index + 1);
    } else if (after_is && strcmp(next, "DISTINCT") == 0 && index + 2 < to) {
        body_remove(body, BODY_MOVE_COMPARISON, index, index + 1);
        body_replace(body, BODY_FORGET_NULL, index - 1, index + 3, "=");
    } else if (!name_is_in(next, NAMES_IN(others))) {
        body_remove(body, BODY_DROP_NOT, index, index + 1);
    }
}

/* IS NULL, IS DISTINCT FROM */
static void affirmation(struct body *body, size_t index, size_t to)
{
    bool distinct = sql_is(&body->sql, index + 1, "DISTINCT");
    if (index + 1 < to && (distinct || sql_is(&body->sql, index + 1, "NULL"))) {
        size_t at = body->sql.tokens.items[index + 1].start;
        body_add(body, distinct ? BODY_MOVE_COMPARISON : BODY_FLIP_NULL_TEST, at, at,
                 body_cased(body, index + 1, "NOT "));
    }
    if (index + 2 < to && distinct) {
        body_replace(body, BODY_FORGET_NULL, index, index + 3, "<>");
    }
}

/* coalesce(x, …) and nullif(x, y) become (x). */
static void first_argument(struct body *body, size_t index, size_t to)
{
    if (index + 1 >= to || !sql_is(&body->sql, index + 1, "(")) {
        return;
    }
    size_t end = body->sql.tokens.items[index + 1].mate;
    size_t comma = sql_find(&body->sql, index + 2, end, ",");
    if (comma > index + 2 && comma < end) {
        bool simple = comma - index == 3;
        bool nullif = sql_is(&body->sql, index, "NULLIF");
        const char *kept = body_text(body, index + 2, comma);
        body_replace(body, nullif ? BODY_DROP_NULLIF : BODY_DROP_COALESCE, index, end + 1,
                     simple ? kept : arena_printf(body->sql.arena, "(%s)", kept));
    }
}

/* EXISTS (…), a IN (…), a LIKE b, a BETWEEN b AND c; not FOR x IN, position(a IN b), ROWS BETWEEN.
 */
static void assertion(struct body *body, size_t index, size_t to)
{
    static const char *const others[] = {"NOT", "ROWS", "RANGE", "GROUPS"};
    bool bare = sql_is(&body->sql, index, "EXISTS") || sql_is(&body->sql, index, "IN");
    bool of_position = sql_is(&body->sql, sql_opening(&body->sql, index) - 1, "POSITION");
    if (index + 1 < to && (!bare || sql_is(&body->sql, index + 1, "(")) && !of_position &&
        !name_is_in(sql_word(&body->sql, index - 1), NAMES_IN(others))) {
        size_t at = body->sql.tokens.items[index].start;
        body_add(body, BODY_ADD_NOT, at, at, body_cased(body, index, "NOT "));
    }
}

static bool is_recursive(const struct body *body)
{
    size_t i = 0;
    while (i < body->sql.tokens.count && !sql_is(&body->sql, i, "RECURSIVE")) {
        i++;
    }
    return i < body->sql.tokens.count;
}

/* With ALL, what WITH RECURSIVE finds again it finds for ever. */
static void united(struct body *body, size_t index, size_t to)
{
    if (index + 1 < to && sql_is(&body->sql, index + 1, "ALL")) {
        body_cut(body, BODY_SWAP_UNION, index + 1, index + 2);
    } else if (!sql_is(&body->sql, index + 1, "DISTINCT") && !is_recursive(body)) {
        size_t at = body->sql.tokens.items[index].end;
        body_add(body, BODY_SWAP_UNION, at, at, body_cased(body, index, " ALL"));
    }
}

/* ON CONFLICT … DO NOTHING | DO UPDATE SET … */
static void conflict(struct body *body, size_t index, size_t to)
{
    static const char *const behind[] = {"RETURNING", ";"};
    bool updates = sql_is(&body->sql, index + 1, "UPDATE");
    size_t start = index;
    size_t end = index + 2;
    while (start > 0 && !sql_is(&body->sql, start, "CONFLICT") &&
           !sql_is(&body->sql, start, "THEN")) {
        start--; /* THEN of MERGE */
    }
    while (updates && end < to && body->sql.tokens.items[end].mate >= end &&
           !name_is_in(sql_word(&body->sql, end), NAMES_IN(behind))) {
        end = sql_after(&body->sql, end);
    }
    if (!sql_is(&body->sql, start - 1, "ON") || end > to ||
        !(updates || sql_is(&body->sql, index + 1, "NOTHING"))) {
        return;
    }
    body_cut(body, BODY_DROP_CONFLICT, start - 1, end);
    if (updates) {
        body_replace(body, BODY_CONFLICT_NOTHING, index + 1, end,
                     body_cased(body, index, "NOTHING"));
    }
}

/* a IN (1, 2), ARRAY[1, 2] */
static void list(struct body *body, size_t index, size_t to)
{
    static const char *const queries[] = {"SELECT", "WITH", "VALUES", "TABLE"};
    bool in = sql_is(&body->sql, index, "IN");
    const char *opening = in ? "(" : "[";
    if (in) {
        assertion(body, index, to);
    }
    if (index + 1 < to && sql_is(&body->sql, index + 1, opening) &&
        !name_is_in(sql_word(&body->sql, index + 2), NAMES_IN(queries))) {
        body_items(body, index + 2, body->sql.tokens.items[index + 1].mate);
    } else if (in && sql_is(&body->sql, index + 1, "(")) {
        body_rows(body, index + 2, body->sql.tokens.items[index + 1].mate);
    }
}

/* = ANY (SELECT …) */
static void any(struct body *body, size_t index, size_t to)
{
    if (index + 1 < to && is_quantifier(body, index)) {
        body_rows(body, index + 2, body->sql.tokens.items[index + 1].mate);
    }
}

/* UPDATE … SET a = 1, b = 2 */
static void assignments(struct body *body, size_t index, size_t to)
{
    static const char *const behind[] = {"WHERE", "FROM", "RETURNING", "WHEN", ";"};
    size_t end = index + 1;
    while (end < to && body->sql.tokens.items[end].mate >= end &&
           !name_is_in(sql_word(&body->sql, end), NAMES_IN(behind))) {
        end = sql_after(&body->sql, end);
    }
    body_columns(body, index + 1, end);
}

/* SELECT DISTINCT, SELECT DISTINCT ON (…), count(DISTINCT …) */
static void distinct(struct body *body, size_t index, size_t to)
{
    static const char *const others[] = {"IS", "NOT", "UNION", "INTERSECT", "EXCEPT"};
    bool on = sql_is(&body->sql, index + 1, "ON") && sql_is(&body->sql, index + 2, "(");
    size_t next = on ? sql_after(&body->sql, index + 2) : index + 1;
    if (next < to && !name_is_in(sql_word(&body->sql, index - 1), NAMES_IN(others))) {
        body_remove(body, BODY_DROP_DISTINCT, index, next);
    }
}

/* An item of ORDER BY that says nothing of its direction gets DESC. */
static void order_item(struct body *body, size_t from, size_t to)
{
    size_t nulls = sql_find(&body->sql, from, to, "NULLS");
    if (from < nulls && sql_find(&body->sql, from, to, "ASC") == to &&
        sql_find(&body->sql, from, to, "DESC") == to &&
        sql_find(&body->sql, from, to, "USING") == to) {
        size_t at = body->sql.tokens.items[nulls - 1].end;
        body_add(body, BODY_REVERSE_ORDER, at, at, " DESC");
    }
}

static void order(struct body *body, size_t index, size_t to)
{
    static const char *const behind[] = {"LIMIT",     "OFFSET", "FETCH",  "FOR",   "ROWS",
                                         "RANGE",     "GROUPS", "UNION",  "INTO",  "EXCEPT",
                                         "RETURNING", ";",      "DO",     "WHERE", "ON",
                                         "INTERSECT", "LOOP",   "WINDOW", "GROUP"};
    size_t start = index + 2;
    if (!sql_is(&body->sql, index + 1, "BY")) {
        return;
    }
    for (size_t i = start; i <= to; i = sql_after(&body->sql, i)) {
        bool closes = i == to || body->sql.tokens.items[i].mate < i;
        bool ends = closes || (i > start && name_is_in(sql_word(&body->sql, i), NAMES_IN(behind)));
        if (ends || sql_is(&body->sql, i, ",")) {
            order_item(body, start, i);
            start = i + 1;
        }
        if (ends) {
            break;
        }
    }
}

static void join(struct body *body, size_t index, size_t to)
{
    static const char *const others[] = {"RIGHT", "FULL", "CROSS", "NATURAL", "OUTER"};
    bool outer = sql_is(&body->sql, index - 1, "OUTER");
    size_t side = index - 1 - outer;
    (void)to;
    if (sql_is(&body->sql, side, "LEFT")) {
        body_remove(body, BODY_SWAP_JOIN, side, index);
    } else if (sql_is(&body->sql, index - 1, "INNER")) {
        body_replace(body, BODY_SWAP_JOIN, index - 1, index, body_cased(body, index, "LEFT"));
    } else if (!name_is_in(sql_word(&body->sql, index - 1), NAMES_IN(others))) {
        size_t at = body->sql.tokens.items[index].start;
        body_add(body, BODY_SWAP_JOIN, at, at, body_cased(body, index, "LEFT "));
    }
}

/* FOR [NO KEY] UPDATE | [KEY] SHARE [OF table, …] [NOWAIT | SKIP LOCKED] */
static void lock(struct body *body, size_t index, size_t to)
{
    size_t end = index + 1;
    if (sql_is(&body->sql, end, "NO")) {
        end++;
    }
    if (sql_is(&body->sql, end, "KEY")) {
        end++;
    }
    if (end >= to || !(sql_is(&body->sql, end, "UPDATE") || sql_is(&body->sql, end, "SHARE"))) {
        return;
    }
    end++;
    if (sql_is(&body->sql, end, "OF")) {
        do {
            end += 2;
        } while (end < to && (sql_is(&body->sql, end, ",") || sql_is(&body->sql, end, ".")));
    }
    size_t waits = sql_is(&body->sql, end, "NOWAIT")                                          ? 1
                   : sql_is(&body->sql, end, "SKIP") && sql_is(&body->sql, end + 1, "LOCKED") ? 2
                                                                                              : 0;
    if (end + waits > to) {
        return;
    }
    body_cut(body, BODY_DROP_LOCK, index, end + waits);
    if (waits) {
        body_cut(body, BODY_DROP_SKIP_LOCKED, end, end + waits);
    }
}

/* What a word begins. */
static const struct {
    const char *word;
    void (*find)(struct body *body, size_t index, size_t to);
} finders[] = {
    {"NOT", negation},
    {"IS", affirmation},
    {"COALESCE", first_argument},
    {"DISTINCT", distinct},
    {"ORDER", order},
    {"JOIN", join},
    {"FOR", lock},
    {"IN", list},
    {"ARRAY", list},
    {"ANY", any},
    {"SOME", any},
    {"SET", assignments},
    {"NULLIF", first_argument},
    {"EXISTS", assertion},
    {"LIKE", assertion},
    {"ILIKE", assertion},
    {"BETWEEN", assertion},
    {"UNION", united},
    {"DO", conflict},
};

void body_swaps(struct body *body, size_t index, size_t to)
{
    const char *word = sql_word(&body->sql, index);
    size_t swap = name_index(word, ROWS_IN(swaps, from));
    size_t finder = name_index(word, ROWS_IN(finders, word));
    if (swap < sizeof swaps / sizeof *swaps &&
        (!swaps[swap].applies || swaps[swap].applies(body, index))) {
        body_replace(body, swaps[swap].id, index, index + 1,
                     body_cased(body, index, swaps[swap].to));
    }
    if (finder < sizeof finders / sizeof *finders) {
        finders[finder].find(body, index, to);
    }
    body_numbers(body, index, to);
    body_strings(body, index);
    body_others(body, index);
}
