#include "machine/sql/sql_study.h"

#include "base/words.h"
#include "sql/tokens.h"

#include <string.h>

static struct sql_list list_of(const struct snippet *statement, struct arena *arena)
{
    struct sql_list list = {.text = statement->text, .size = statement->size, .arena = arena};
    (void)sql_list_read(&list); /* sql_scan has refused unclosed strings and comments */
    return list;
}

/* The word in upper case; "" if the token is not a word. */
static const char *word_at(const struct sql_list *list, size_t index)
{
    return sql_is_kind(list, index, SQL_TOKEN_WORD) ? list->tokens.items[index].word : "";
}

static bool is_name(const struct sql_list *list, size_t index)
{
    return sql_is_kind(list, index, SQL_TOKEN_WORD) ||
           sql_is_kind(list, index, SQL_TOKEN_QUOTED_NAME) ||
           sql_is_kind(list, index, SQL_TOKEN_IDENTIFIER);
}

/* True if a name, perhaps with a schema, and an opening parenthesis begin at `index`. */
static bool is_call(const struct sql_list *list, size_t index)
{
    size_t last = sql_is(list, index + 1, ".") && is_name(list, index + 2) ? index + 2 : index;
    return is_name(list, index) && sql_is(list, last + 1, "(");
}

/* The facts about the order of a statement's rows. */
struct order {
    bool doubt; /* it may be ordered or return one row */
    bool begun; /* the main SELECT, UPDATE or DELETE was met */
    bool selects;
    bool from;    /* it has a FROM */
    bool one_row; /* an aggregate without GROUP BY */
    bool grouped;
    bool where;
    size_t filters; /* columns compared with one value */
};

/* Rows of functions and subqueries may be ordered. */
static bool is_table(const struct sql_list *list, size_t index)
{
    return is_name(list, index) && !is_call(list, index) &&
           !word_is_in(word_at(list, index), "ROWS|LATERAL|ONLY|UNNEST|SELECT");
}

static void study_clause(const struct sql_list *list, size_t at, struct order *order)
{
    static const char aggregates[] = "COUNT|SUM|MIN|MAX|AVG|ARRAY_AGG|STRING_AGG|JSON_AGG|"
                                     "JSONB_AGG|JSON_OBJECT_AGG|JSONB_OBJECT_AGG|BOOL_AND|BOOL_OR|"
                                     "EVERY";
    const char *word = word_at(list, at);
    if (!order->begun && word_is_in(word, "SELECT|UPDATE|DELETE")) {
        order->begun = true;
        order->selects = !strcmp(word, "SELECT");
    } else if (word_is_in(word, "INSERT|MERGE|VALUES|TABLE|INTO")) {
        order->doubt = true;
    } else if (!strcmp(word, "FROM") && !order->from && !sql_is(list, at - 1, "DISTINCT")) {
        order->from = true;
        order->doubt = order->doubt || (order->selects && !is_table(list, at + 1));
    } else if (!strcmp(word, "LIMIT")) {
        order->doubt = order->doubt || !sql_is_kind(list, at + 1, SQL_TOKEN_NUMBER) ||
                       sql_is_text(list, at + 1, "1");
    } else if (!strcmp(word, "GROUP")) {
        order->grouped = true;
    } else if (!order->from && is_call(list, at) && word_is_in(word, aggregates)) {
        order->one_row = true;
    }
}

static bool is_value(const struct sql_list *list, size_t index)
{
    return sql_is_kind(list, index, SQL_TOKEN_VALUE) ||
           sql_is_kind(list, index, SQL_TOKEN_LITERAL) ||
           sql_is_kind(list, index, SQL_TOKEN_NUMBER) ||
           sql_is_kind(list, index, SQL_TOKEN_STRING) || sql_is(list, index, "(") ||
           (is_call(list, index) && !word_is_in(word_at(list, index), "ANY|SOME|ALL"));
}

/* `id = :id` finds at most one row; so may two comparisons, with a key of two columns. */
static void study_filter(const struct sql_list *list, size_t at, struct order *order)
{
    static const char keys[] = "ID|UUID|CTID|KEY|NAME|EMAIL|SLUG|CODE";
    bool name = is_name(list, at) && is_value(list, at + 2);
    order->where = order->where || sql_is(list, at, "WHERE");
    if (order->where && sql_is(list, at + 1, "=") && (name || is_value(list, at))) {
        order->filters += name && !word_is_in(word_at(list, at), keys) ? 1 : 2;
    }
}

bool sql_has_no_order(const struct snippet *statement)
{
    struct arena scratch = {0};
    const struct sql_list list = list_of(statement, &scratch);
    struct order order = {0};
    size_t depth = 0; /* open parentheses */
    for (size_t i = 0; i < list.tokens.count; i++) {
        const char *word = word_at(&list, i);
        depth += sql_is(&list, i, "(");
        depth -= sql_is(&list, i, ")") && depth;
        order.doubt = order.doubt || word_is_in(word, "ORDER|FETCH|TABLESAMPLE|SETOF");
        study_filter(&list, i, &order);
        if (!depth && *word) {
            study_clause(&list, i, &order);
        }
    }
    arena_free(&scratch);
    return order.begun && (order.from || !order.selects) && !order.doubt && order.filters < 2 &&
           (!order.one_row || order.grouped);
}

static bool compares(const struct sql_list *list)
{
    bool found = false;
    for (size_t i = 0; i < list->tokens.count && !found; i++) {
        found = strpbrk(list->tokens.items[i].word, "<>") ||
                word_is_in(word_at(list, i), "BETWEEN|OVERLAPS");
    }
    return found;
}

/* True if the function at the token is PostgreSQL's. */
static bool is_own(const struct sql_list *list, size_t index)
{
    return !sql_is(list, index - 1, ".") || !strcmp(word_at(list, index - 2), "PG_CATALOG");
}

bool sql_finds_volatile(const struct snippet *statement, bool stands, size_t *start, size_t *end)
{
    /* Functions that return a new value each time. Many others are declared volatile, too. */
    static const char always[] = "RANDOM|RANDOM_NORMAL|GEN_RANDOM_UUID|UUIDV4|UUIDV7|NEXTVAL";
    struct arena scratch = {0};
    const struct sql_list list = list_of(statement, &scratch);
    /* A comparison with the past is true at any time. */
    bool clock = !stands && !compares(&list);
    bool found = false;
    for (size_t i = 0; i < list.tokens.count && !found; i++) {
        const char *word = word_at(&list, i);
        found = (word_is_in(word, always) || (clock && !strcmp(word, "CLOCK_TIMESTAMP")) ||
                 (!stands && !strcmp(word, "TIMEOFDAY"))) &&
                sql_is(&list, i + 1, "(") && is_own(&list, i);
        if (found) {
            *start = list.tokens.items[i].start;
            *end = list.tokens.items[i].end;
        }
    }
    arena_free(&scratch);
    return found;
}

bool sql_locks_rows(const struct snippet *statement)
{
    struct arena scratch = {0};
    const struct sql_list list = list_of(statement, &scratch);
    bool locks = false;
    size_t depth = 0; /* open parentheses */
    for (size_t i = 0; i < list.tokens.count; i++) {
        depth += sql_is(&list, i, "(");
        depth -= sql_is(&list, i, ")") && depth;
        locks = locks || (!depth && !strcmp(word_at(&list, i), "FOR") &&
                          word_is_in(word_at(&list, i + 1), "UPDATE|NO|SHARE|KEY"));
    }
    locks = locks && !strcmp(word_at(&list, 0), "SELECT");
    arena_free(&scratch);
    return locks;
}

bool sql_only_reads(const struct snippet *statement)
{
    static const char harmless[] =
        "ALL|AND|ANY|AS|BY|COALESCE|COUNT|ELSE|EXISTS|EXCEPT|FILTER|FROM|GREATEST|HAVING|IN|"
        "INTERSECT|IS|JOIN|LEAST|LENGTH|LIKE|LOWER|MAX|MIN|NOT|NULLIF|NUMERIC|ON|OR|OVER|SELECT|"
        "SOME|SUM|THEN|UNION|UPPER|USING|VALUES|VARCHAR|WHEN|WHERE";
    struct arena scratch = {0};
    const struct sql_list list = list_of(statement, &scratch);
    bool reads = word_is_in(word_at(&list, 0), "SELECT|VALUES|TABLE|WITH");
    for (size_t i = 0; i < list.tokens.count && reads; i++) {
        const char *word = word_at(&list, i);
        bool called = sql_is(&list, i + 1, "(") && is_name(&list, i);
        reads = !word_is_in(word, "INSERT|UPDATE|DELETE|MERGE|INTO") &&
                (!called || word_is_in(word, harmless));
    }
    arena_free(&scratch);
    return reads;
}
