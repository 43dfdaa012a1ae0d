#include "machine/sql/sql_study.h"

#include "base/words.h"
#include "sql/lex.h"

#include <string.h>

enum { AHEAD = 6, WORD_SIZE = 64 };

/* Reads a statement with a look at the tokens ahead. */
struct reader {
    struct sql_lexer lexer;
    struct sql_token ahead[AHEAD]; /* the first is the current one */
    struct sql_token before;
    size_t depth;         /* open parentheses */
    char word[WORD_SIZE]; /* the current token in lower case, if it is a name; else "" */
};

static const char *word_of(const struct reader *reader, size_t index, char *out)
{
    const struct sql_token *token = &reader->ahead[index];
    size_t size = token->end - token->start;
    out[0] = '\0';
    if (token->kind == SQL_TOKEN_WORD && size < WORD_SIZE) {
        for (size_t i = 0; i < size; i++) {
            char c = reader->lexer.text[token->start + i];
            out[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        }
        out[size] = '\0';
    }
    return out;
}

static bool is_char(const struct reader *reader, size_t index, char c)
{
    return sql_token_is_char(&reader->lexer, &reader->ahead[index], c);
}

static bool is_text(const struct reader *reader, const struct sql_token *token, const char *text)
{
    size_t size = token->end - token->start;
    return size == strlen(text) && !memcmp(reader->lexer.text + token->start, text, size);
}

static bool reads_on(const struct reader *reader)
{
    return reader->ahead[0].kind != SQL_TOKEN_END && reader->ahead[0].kind != SQL_TOKEN_BAD;
}

static void settle(struct reader *reader)
{
    (void)word_of(reader, 0, reader->word);
    reader->depth += is_char(reader, 0, '(');
    reader->depth -= is_char(reader, 0, ')') && reader->depth;
}

static struct reader reader_of(const struct snippet *statement)
{
    struct reader reader = {.lexer = {.text = statement->text, .size = statement->size}};
    for (size_t i = 0; i < AHEAD; i++) {
        reader.ahead[i] = sql_lex(&reader.lexer);
    }
    settle(&reader);
    return reader;
}

static void next(struct reader *reader)
{
    const struct sql_token *last = &reader->ahead[AHEAD - 1];
    bool over = last->kind == SQL_TOKEN_END || last->kind == SQL_TOKEN_BAD;
    struct sql_token token = over ? *last : sql_lex(&reader->lexer);
    reader->before = reader->ahead[0];
    memmove(reader->ahead, reader->ahead + 1, sizeof reader->ahead - sizeof reader->ahead[0]);
    reader->ahead[AHEAD - 1] = token;
    settle(reader);
}

static bool is_name(const struct reader *reader, size_t index)
{
    return reader->ahead[index].kind == SQL_TOKEN_WORD ||
           reader->ahead[index].kind == SQL_TOKEN_QUOTED_NAME ||
           reader->ahead[index].kind == SQL_TOKEN_IDENTIFIER;
}

/* Whether what begins at `index` is a name, perhaps with a schema's, and an opening parenthesis. */
static bool calls(const struct reader *reader, size_t index)
{
    size_t at = index + 1;
    if (!is_name(reader, index)) {
        return false;
    }
    if (at + 2 < AHEAD && is_char(reader, at, '.') && is_name(reader, at + 1)) {
        at += 2;
    }
    return at < AHEAD && is_char(reader, at, '(');
}

/* What is known of the order of a statement's rows. */
struct order {
    bool doubt; /* it may have one, or return one row */
    bool begun; /* the main SELECT, UPDATE or DELETE was met */
    bool selects;
    bool from;    /* it has a FROM */
    bool one_row; /* an aggregate without GROUP BY */
    bool grouped;
    bool where;
    size_t filters; /* columns compared with one value */
};

/* The rows of functions and subqueries may have an order of their own. */
static bool is_table(const struct reader *reader, size_t index)
{
    char word[WORD_SIZE];
    return is_name(reader, index) && !calls(reader, index) &&
           !word_is_in(word_of(reader, index, word), "rows|lateral|only|unnest|select");
}

static void study_clause(const struct reader *reader, struct order *order)
{
    static const char aggregates[] = "count|sum|min|max|avg|array_agg|string_agg|json_agg|"
                                     "jsonb_agg|json_object_agg|jsonb_object_agg|bool_and|bool_or|"
                                     "every";
    const char *word = reader->word;
    if (!order->begun && word_is_in(word, "select|update|delete")) {
        order->begun = true;
        order->selects = !strcmp(word, "select");
    } else if (word_is_in(word, "insert|merge|values|table|into")) {
        order->doubt = true;
    } else if (!strcmp(word, "from") && !order->from &&
               !sql_token_is(&reader->lexer, &reader->before, "DISTINCT")) {
        order->from = true;
        order->doubt = order->doubt || (order->selects && !is_table(reader, 1));
    } else if (!strcmp(word, "limit")) {
        order->doubt = order->doubt || reader->ahead[1].kind != SQL_TOKEN_NUMBER ||
                       is_text(reader, &reader->ahead[1], "1");
    } else if (!strcmp(word, "group")) {
        order->grouped = true;
    } else if (!order->from && calls(reader, 0) && word_is_in(word, aggregates)) {
        order->one_row = true;
    }
}

static bool is_value(const struct reader *reader, size_t index)
{
    enum sql_token_kind kind = reader->ahead[index].kind;
    char word[WORD_SIZE];
    return kind == SQL_TOKEN_VALUE || kind == SQL_TOKEN_LITERAL || kind == SQL_TOKEN_NUMBER ||
           kind == SQL_TOKEN_STRING || is_char(reader, index, '(') ||
           (calls(reader, index) && !word_is_in(word_of(reader, index, word), "any|some|all"));
}

/* `id = :id` finds one row at most; so may two comparisons, by a key of two columns. */
static void study_filter(const struct reader *reader, struct order *order)
{
    static const char keys[] = "id|uuid|ctid|key|name|email|slug|code";
    bool equals = is_char(reader, 1, '=');
    bool name = is_name(reader, 0) && is_value(reader, 2);
    order->where = order->where || !strcmp(reader->word, "where");
    if (order->where && equals && (name || is_value(reader, 0))) {
        order->filters += name && !word_is_in(reader->word, keys) ? 1 : 2;
    }
}

bool sql_has_no_order(const struct snippet *statement)
{
    struct order order = {0};
    for (struct reader reader = reader_of(statement); reads_on(&reader); next(&reader)) {
        order.doubt = order.doubt || word_is_in(reader.word, "order|fetch|tablesample|setof");
        study_filter(&reader, &order);
        if (!reader.depth && reader.word[0]) {
            study_clause(&reader, &order);
        }
    }
    return order.begun && (order.from || !order.selects) && !order.doubt && order.filters < 2 &&
           (!order.one_row || order.grouped);
}

static bool compares(const struct snippet *statement)
{
    for (struct reader reader = reader_of(statement); reads_on(&reader); next(&reader)) {
        if (is_char(&reader, 0, '<') || is_char(&reader, 0, '>') ||
            word_is_in(reader.word, "between|overlaps")) {
            return true;
        }
    }
    return false;
}

/* Whether the function at the current token is PostgreSQL's own. */
static bool is_own(const struct reader *reader)
{
    static const char schema[] = "pg_catalog.";
    size_t size = sizeof schema - 1;
    size_t start = reader->ahead[0].start;
    return !sql_token_is_char(&reader->lexer, &reader->before, '.') ||
           (start >= size && !memcmp(reader->lexer.text + start - size, schema, size));
}

bool sql_finds_volatile(const struct snippet *statement, bool stands, size_t *start, size_t *end)
{
    /* Those that give another value each time. Many others are declared volatile, too. */
    static const char always[] = "random|random_normal|gen_random_uuid|uuidv4|uuidv7|nextval";
    /* That a time lies in the past is true whenever it is asked. */
    bool clock = !stands && !compares(statement);
    for (struct reader reader = reader_of(statement); reads_on(&reader); next(&reader)) {
        bool found = word_is_in(reader.word, always) ||
                     (clock && !strcmp(reader.word, "clock_timestamp")) ||
                     (!stands && !strcmp(reader.word, "timeofday"));
        if (found && is_char(&reader, 1, '(') && is_own(&reader)) {
            *start = reader.ahead[0].start;
            *end = reader.ahead[0].end;
            return true;
        }
    }
    return false;
}

bool sql_only_reads(const struct snippet *statement)
{
    static const char harmless[] =
        "all|and|any|as|by|coalesce|count|else|exists|except|filter|from|greatest|having|in|"
        "intersect|is|join|least|length|like|lower|max|min|not|nullif|numeric|on|or|over|select|"
        "some|sum|then|union|upper|using|values|varchar|when|where";
    struct reader reader = reader_of(statement);
    if (!word_is_in(reader.word, "select|values|table|with")) {
        return false;
    }
    for (; reads_on(&reader); next(&reader)) {
        bool called = is_char(&reader, 1, '(') && is_name(&reader, 0);
        if (word_is_in(reader.word, "insert|update|delete|merge|into") ||
            (called && !word_is_in(reader.word, harmless))) {
            return false;
        }
    }
    return true;
}
