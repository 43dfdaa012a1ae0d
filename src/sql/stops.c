#include "sql/stops.h"

#include "base/names.h"
#include "base/strbuf.h"
#include "sql/tokens.h"

#include <stdlib.h>
#include <string.h>

enum block {
    BLOCK_NONE,
    BLOCK_BEGIN,
    BLOCK_HANDLERS, /* BEGIN … EXCEPTION */
    BLOCK_IF,
    BLOCK_LOOP,
    BLOCK_WHILE,   /* whose condition reaches the database */
    BLOCK_CASE,    /* CASE value WHEN … */
    BLOCK_SEARCHED /* CASE WHEN … */
};

struct insertion {
    size_t at; /* byte */
    const char *text;
};

struct walk {
    const struct stops *stops;
    struct sql_list sql;
    size_t at;      /* where the next statement begins */
    size_t label;   /* the label before it; or `at` */
    bool fails;     /* the text is not understood */
    bool reached;   /* a statement before has reached the database */
    bool unstarted; /* the transaction may have no snapshot yet */
    VEC(enum block) blocks;
    VEC(struct insertion) insertions;
};

static bool is(const struct walk *walk, size_t index, const char *word)
{
    return sql_is(&walk->sql, index, word);
}

/* The first token with that word, outside of brackets and CASE; without one the text fails. */
static size_t find(struct walk *walk, size_t from, const char *word)
{
    size_t end = walk->sql.tokens.count;
    size_t at = sql_find(&walk->sql, from, end, word);
    walk->fails = walk->fails || at == end;
    return at;
}

/* --- what reaches the database --- */

static int compare_names(const void *name, const void *other)
{
    return strcmp(name, *(const char *const *)other);
}

/* A call of a function that reaches the database. */
static bool is_call(const struct walk *walk, size_t index)
{
    const struct sql_listed *token = &walk->sql.tokens.items[index];
    if (!is(walk, index + 1, "(")) {
        return false;
    }
    if (token->kind == SQL_TOKEN_QUOTED_NAME) {
        return true; /* nobody quotes names of functions that do nothing */
    }
    if (token->kind != SQL_TOKEN_WORD) {
        return false;
    }
    char *name =
        arena_strndup(walk->sql.arena, walk->sql.text + token->start, token->end - token->start);
    for (char *c = name; *c; c++) {
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    }
    return walk->stops->name_count && bsearch(name, walk->stops->names, walk->stops->name_count,
                                              sizeof *walk->stops->names, compare_names);
}

/* True if an expression of the tokens [from, to) reaches the database. */
static bool reads(const struct walk *walk, size_t from, size_t to)
{
    static const char *const words[] = {"SELECT", "FROM", "EXECUTE", "TABLE", "QUERY"};
    for (size_t i = from; i < to && i < walk->sql.tokens.count; i++) {
        bool distinct = i > from && is(walk, i, "FROM") && is(walk, i - 1, "DISTINCT");
        if ((name_is_in(sql_word(&walk->sql, i), NAMES_IN(words)) && !distinct) ||
            is_call(walk, i)) {
            return true;
        }
    }
    return false;
}

/* --- stops --- */

static void insert(struct walk *walk, size_t index, const char *format)
{
    size_t at = walk->sql.tokens.items[index].start;
    size_t line = 1;
    for (size_t i = 0; i < at; i++) {
        line += walk->sql.text[i] == '\n';
    }
    const char *condition = arena_printf(walk->sql.arena, "(CASE WHEN %s THEN %s%zu) END)",
                                         walk->stops->when, walk->stops->call, line);
    struct strbuf text = {0};
    for (const char *c = format; *c; c++) {
        if (*c == '@') {
            strbuf_adds(&text, condition);
        } else if (*c == '#') {
            strbuf_addf(&text, "%zu", walk->insertions.count + 1);
        } else {
            strbuf_addc(&text, *c);
        }
    }
    *VEC_PUSH(walk->sql.arena, &walk->insertions) =
        (struct insertion){at, strbuf_take(&text, walk->sql.arena)};
}

/* The statement, part of a statement or declaration at the index reaches the database. */
static void reach(struct walk *walk, size_t index, const char *format)
{
    if (walk->reached || walk->stops->first) {
        insert(walk, index, format);
    }
    walk->reached = true;
    walk->unstarted = false;
}

#define STATEMENT "IF @ THEN END IF; "

static void reach_statement(struct walk *walk) { reach(walk, walk->label, STATEMENT); }

/* --- statements that hold others --- */

static enum block innermost(const struct walk *walk)
{
    return walk->blocks.count ? walk->blocks.items[walk->blocks.count - 1] : BLOCK_NONE;
}

static void push(struct walk *walk, enum block block)
{
    *VEC_PUSH(walk->sql.arena, &walk->blocks) = block;
}

static void on_begin(struct walk *walk)
{
    push(walk, BLOCK_BEGIN);
    walk->at++;
}

static void on_else(struct walk *walk) { walk->at++; }

static void on_if(struct walk *walk)
{
    size_t then = find(walk, walk->at, "THEN");
    if (reads(walk, walk->at + 1, then)) {
        reach_statement(walk);
    }
    push(walk, BLOCK_IF);
    walk->at = then + 1;
}

/* Another condition of an IF or CASE, with a branch of its own before it, which is empty and never
 * taken. */
static void on_elsif(struct walk *walk)
{
    size_t then = find(walk, walk->at, "THEN");
    if (reads(walk, walk->at + 1, then)) {
        reach(walk, walk->at, "ELSIF @ THEN ");
    }
    walk->at = then + 1;
}

static void on_when(struct walk *walk)
{
    size_t then = find(walk, walk->at, "THEN");
    if (innermost(walk) == BLOCK_SEARCHED && reads(walk, walk->at + 1, then)) {
        reach(walk, walk->at, "WHEN @ THEN ");
    }
    walk->at = then + 1;
}

static void on_case(struct walk *walk)
{
    size_t then = find(walk, walk->at + 1, "THEN");
    if (reads(walk, walk->at + 1, then)) {
        reach_statement(walk);
    }
    push(walk, is(walk, walk->at + 1, "WHEN") ? BLOCK_SEARCHED : BLOCK_CASE);
    walk->at = then + 1;
}

static void on_exception(struct walk *walk)
{
    walk->fails = walk->fails || innermost(walk) != BLOCK_BEGIN;
    if (!walk->fails) {
        walk->blocks.items[walk->blocks.count - 1] = BLOCK_HANDLERS;
    }
    walk->at++;
}

/* A statement of a loop comes after the others of the loop, too. */
static void begin_loop(struct walk *walk, enum block block, size_t loop)
{
    push(walk, block);
    walk->reached = true;
    walk->at = loop + 1;
}

static void on_loop(struct walk *walk) { begin_loop(walk, BLOCK_LOOP, walk->at); }

static void on_while(struct walk *walk)
{
    size_t loop = find(walk, walk->at, "LOOP");
    bool asks = reads(walk, walk->at + 1, loop);
    if (asks) {
        reach_statement(walk);
    }
    begin_loop(walk, asks ? BLOCK_WHILE : BLOCK_LOOP, loop);
}

/* FOR i IN [REVERSE] 1..10 | query | cursor, FOREACH x [SLICE 1] IN ARRAY expression, up to LOOP */
static void on_for(struct walk *walk)
{
    size_t loop = find(walk, walk->at, "LOOP");
    size_t range = sql_find(&walk->sql, walk->at, loop, "..");
    bool query = is(walk, walk->at, "FOR") && range == loop;
    if (query || reads(walk, walk->at + 1, loop)) {
        reach_statement(walk);
    }
    begin_loop(walk, BLOCK_LOOP, loop);
}

static void on_end(struct walk *walk)
{
    walk->fails = walk->fails || walk->blocks.count == 0;
    if (innermost(walk) == BLOCK_WHILE) { /* its condition comes next */
        reach(walk, walk->at, STATEMENT);
    }
    walk->blocks.count -= walk->blocks.count > 0;
    do { /* END CASE label */
        walk->at++;
    } while (walk->at < walk->sql.tokens.count && !is(walk, walk->at - 1, ";"));
}

/* x integer := 1; up to BEGIN */
static void on_declare(struct walk *walk)
{
    walk->at++;
    while (!walk->fails && walk->at < walk->sql.tokens.count && !is(walk, walk->at, "BEGIN")) {
        size_t end = find(walk, walk->at, ";");
        size_t cursor = sql_find(&walk->sql, walk->at, end, "CURSOR");
        if (cursor == end && !is(walk, walk->at, "DECLARE") && reads(walk, walk->at + 1, end)) {
            reach(walk, walk->at, "\"pgfsm #\" pg_catalog.bool := @; ");
        }
        walk->at = is(walk, walk->at, "DECLARE") ? walk->at + 1 : end + 1;
    }
}

/* --- simple statements --- */

static bool is_assignment(const struct walk *walk, size_t index)
{
    static const char *const behind[] = {":=", "=", ".", "["};
    return (sql_is_kind(&walk->sql, index, SQL_TOKEN_WORD) ||
            sql_is_kind(&walk->sql, index, SQL_TOKEN_QUOTED_NAME) ||
            sql_is_kind(&walk->sql, index, SQL_TOKEN_POSITION)) &&
           name_is_in(sql_word(&walk->sql, index + 1), NAMES_IN(behind));
}

/* A statement without others in it. */
static void simple(struct walk *walk)
{
    /* These reach the database if an expression of theirs does, */
    static const char *const expressions[] = {"PERFORM", "SELECT",   "RETURN", "RAISE",
                                              "EXIT",    "CONTINUE", "ASSERT"};
    /* and these don't. */
    static const char *const silent[] = {"",         "NULL",   "GET",     "CLOSE",
                                         "SET",      "RESET",  "DISCARD", "COMMIT",
                                         "ROLLBACK", "NOTIFY", "LISTEN"};
    size_t from = walk->at;
    size_t to = find(walk, from, ";");
    const char *word = sql_word(&walk->sql, from);
    walk->at = to + 1;
    if (walk->fails || from == to) {
        return;
    }
    bool expression = name_is_in(word, NAMES_IN(expressions)) || is_assignment(walk, from);
    if (is(walk, from, "COMMIT") || is(walk, from, "ROLLBACK")) {
        walk->unstarted = true;
    } else if (is(walk, from, "LOCK") && walk->unstarted) {
        walk->reached = true; /* and takes no snapshot, which a stop would */
    } else if (expression ? reads(walk, from + 1, to) : !name_is_in(word, NAMES_IN(silent))) {
        reach_statement(walk);
    }
}

/* Words that begin or end what holds statements. */
static const struct {
    const char *word;
    void (*read)(struct walk *walk);
} parts[] = {
    {"DECLARE", on_declare}, {"BEGIN", on_begin},         {"IF", on_if},     {"ELSIF", on_elsif},
    {"ELSEIF", on_elsif},    {"ELSE", on_else},           {"CASE", on_case}, {"WHEN", on_when},
    {"LOOP", on_loop},       {"WHILE", on_while},         {"FOR", on_for},   {"FOREACH", on_for},
    {"END", on_end},         {"EXCEPTION", on_exception},
};

static void statement(struct walk *walk)
{
    size_t row = name_index(sql_word(&walk->sql, walk->at), ROWS_IN(parts, word));
    if (is(walk, walk->at, "<<")) { /* <<label>> */
        walk->label = walk->at;
        walk->at += 3;
        return;
    }
    if (is(walk, walk->at, "#")) { /* #option value */
        walk->at += 3;
    } else if (row < sizeof parts / sizeof *parts && !is_assignment(walk, walk->at)) {
        parts[row].read(walk);
    } else {
        simple(walk);
    }
    walk->label = walk->at;
}

static void walk_plpgsql(struct walk *walk)
{
    walk->unstarted = true;
    while (!walk->fails && walk->at < walk->sql.tokens.count) {
        statement(walk);
    }
    walk->fails = walk->fails || walk->blocks.count > 0;
}

/* The statements of an SQL function. */
static void walk_sql(struct walk *walk)
{
    size_t count = walk->sql.tokens.count;
    while (walk->at < count) {
        size_t end = sql_find(&walk->sql, walk->at, count, ";");
        if (end > walk->at) {
            reach(walk, walk->at, "SELECT @; ");
        }
        walk->at = end + 1;
    }
}

char *stops_add(const struct stops *stops, const char *body, struct arena *arena)
{
    struct walk walk = {.stops = stops,
                        .sql = {.text = body, .size = strlen(body), .arena = arena}};
    if (!sql_list_read(&walk.sql)) {
        return NULL;
    }
    (stops->language == STOPS_PLPGSQL ? walk_plpgsql : walk_sql)(&walk);
    if (walk.fails || walk.insertions.count == 0) {
        return NULL;
    }
    struct strbuf out = {0};
    size_t at = 0;
    for (size_t i = 0; i < walk.insertions.count; i++) {
        const struct insertion *insertion = &walk.insertions.items[i];
        strbuf_add(&out, body + at, insertion->at - at);
        strbuf_adds(&out, insertion->text);
        at = insertion->at;
    }
    strbuf_adds(&out, body + at);
    return strbuf_take(&out, arena);
}
