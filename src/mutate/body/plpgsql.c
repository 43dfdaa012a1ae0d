#include "mutate/body/plpgsql.h"

#include "base/names.h"
#include "mutate/body/conditions.h"
#include "mutate/body/region.h"
#include "mutate/body/rows.h"

#include <string.h>

enum block {
    BLOCK_NONE,
    BLOCK_BEGIN,
    BLOCK_HANDLERS, /* BEGIN … EXCEPTION */
    BLOCK_IF,
    BLOCK_LOOP, /* without a condition */
    BLOCK_FOR,
    BLOCK_WHILE,
    BLOCK_CASE,    /* CASE value WHEN … */
    BLOCK_SEARCHED /* CASE WHEN … */
};

/* A RETURN that is left out only if the function still ends in another one, and that matters. */
struct kept_return {
    size_t from, to;
};

struct walk {
    struct body *body;
    size_t at;  /* where the next statement begins */
    bool fails; /* the text is not understood */
    VEC(enum block) blocks;
    VEC(struct kept_return) returns;
    size_t end_outer; /* index of the last RETURN or RAISE of the outermost block; 0: none */
};

static bool is(const struct walk *walk, size_t index, const char *word)
{
    return sql_is(&walk->body->sql, index, word);
}

/* The first token with that word, outside of brackets and CASE; without one the text fails. */
static size_t find(struct walk *walk, size_t from, const char *word)
{
    size_t end = walk->body->sql.tokens.count;
    size_t at = sql_find(&walk->body->sql, from, end, word);
    walk->fails = walk->fails || at == end;
    return at;
}

static enum block innermost(const struct walk *walk)
{
    return walk->blocks.count ? walk->blocks.items[walk->blocks.count - 1] : BLOCK_NONE;
}

static enum block innermost_loop(const struct walk *walk)
{
    for (size_t i = walk->blocks.count; i-- > 0;) {
        enum block block = walk->blocks.items[i];
        if (block == BLOCK_LOOP || block == BLOCK_FOR || block == BLOCK_WHILE) {
            return block;
        }
    }
    return BLOCK_NONE;
}

static void push(struct walk *walk, enum block block)
{
    *VEC_PUSH(walk->body->sql.arena, &walk->blocks) = block;
}

/* The condition from the index up to the word; goes on behind that. */
static void condition(struct walk *walk, size_t from, const char *word, unsigned always)
{
    size_t end = find(walk, from, word);
    walk->at = end + 1;
    if (!walk->fails) {
        body_region(walk->body, from, end);
        body_condition(walk->body, from, end, always);
    }
}

static void on_if(struct walk *walk)
{
    if (is(walk, walk->at, "IF")) {
        push(walk, BLOCK_IF);
    }
    condition(walk, walk->at + 1, "THEN", BODY_ALWAYS_TRUE | BODY_ALWAYS_FALSE);
}

static void on_begin(struct walk *walk)
{
    push(walk, BLOCK_BEGIN);
    walk->at++;
}

static void on_else(struct walk *walk) { walk->at++; }

static void on_exception(struct walk *walk)
{
    walk->fails = walk->fails || innermost(walk) != BLOCK_BEGIN;
    if (!walk->fails) {
        walk->blocks.items[walk->blocks.count - 1] = BLOCK_HANDLERS;
    }
    walk->at++;
}

static void on_when(struct walk *walk)
{
    enum block block = innermost(walk);
    if (block == BLOCK_HANDLERS) { /* names of errors; one that nothing raises, OTHERS included */
        size_t then = find(walk, walk->at, "THEN");
        if (!walk->fails) {
            body_replace(walk->body, BODY_DROP_HANDLER, walk->at + 1, then, "assert_failure");
        }
        walk->at = then + 1;
    } else {
        condition(walk, walk->at + 1, "THEN",
                  block == BLOCK_SEARCHED ? BODY_ALWAYS_TRUE | BODY_ALWAYS_FALSE : 0);
    }
}

static void on_case(struct walk *walk)
{
    bool searched = is(walk, walk->at + 1, "WHEN");
    size_t when = find(walk, walk->at + 1, "WHEN");
    push(walk, searched ? BLOCK_SEARCHED : BLOCK_CASE);
    if (!walk->fails) {
        body_region(walk->body, walk->at + 1, when);
    }
    walk->at = when;
}

static void on_loop(struct walk *walk)
{
    push(walk, BLOCK_LOOP);
    walk->at++;
}

static void on_while(struct walk *walk)
{
    push(walk, BLOCK_WHILE);
    condition(walk, walk->at + 1, "LOOP", BODY_ALWAYS_FALSE);
}

/* FOR i IN [REVERSE] 1..10 | query, FOREACH x [SLICE 1] IN ARRAY expression, up to LOOP */
static void on_for(struct walk *walk)
{
    size_t from = find(walk, walk->at, "IN") + 1;
    push(walk, BLOCK_FOR);
    from += is(walk, from, "REVERSE") || is(walk, from, "ARRAY");
    if (is(walk, from, "EXECUTE")) {
        walk->at = find(walk, from, "LOOP") + 1;
    } else {
        body_rows(walk->body, from, find(walk, from, "LOOP"));
        condition(walk, from, "LOOP", 0);
    }
}

static void on_end(struct walk *walk)
{
    walk->fails = walk->fails || walk->blocks.count == 0;
    walk->blocks.count -= walk->blocks.count > 0;
    do { /* END CASE label */
        walk->at++;
    } while (walk->at < walk->body->sql.tokens.count && !is(walk, walk->at - 1, ";"));
}

/* x integer := 1; up to BEGIN */
static void on_declare(struct walk *walk)
{
    struct body *body = walk->body;
    walk->at++;
    while (!walk->fails && walk->at < body->sql.tokens.count && !is(walk, walk->at, "BEGIN")) {
        static const char *const words[] = {":=", "=", "DEFAULT"};
        size_t end = find(walk, walk->at, ";");
        size_t value = end;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            size_t at = sql_find(&body->sql, walk->at, value, words[i]);
            value = at < value ? at : value;
        }
        size_t cursor = sql_find(&body->sql, walk->at, end, "CURSOR");
        if (walk->at + 1 < cursor && cursor < end) {
            value = sql_find(&body->sql, cursor, end, "FOR");
        }
        body_region(body, value + 1, end);
        walk->at = end + 1;
    }
}

/* RAISE of these says something, and does nothing. */
static bool only_says(const struct walk *walk, size_t index)
{
    static const char *const levels[] = {"DEBUG", "LOG", "INFO", "NOTICE", "WARNING"};
    return is(walk, index, "RAISE") &&
           name_is_in(sql_word(&walk->body->sql, index + 1), NAMES_IN(levels));
}

static void leave_out(struct walk *walk, size_t from, size_t to)
{
    body_replace(walk->body, BODY_DROP_STATEMENT, from, to, "NULL");
}

/* Whether nothing comes behind the statement that ends at the index but the ends of blocks. */
static bool is_last(const struct walk *walk, size_t index)
{
    static const char *const ends[] = {";", "END", "IF", "CASE"};
    while (name_is_in(sql_word(&walk->body->sql, index), NAMES_IN(ends))) {
        index++;
    }
    return index >= walk->body->sql.tokens.count;
}

static void on_return(struct walk *walk, size_t from, size_t to)
{
    bool more = is(walk, from + 1, "NEXT") || is(walk, from + 1, "QUERY");
    if (is(walk, from + 1, "QUERY")) {
        body_rows(walk->body, from + 2, to);
    }
    if (!is(walk, from + 2, "EXECUTE") || !more) {
        body_region(walk->body, from + 1 + more, to);
    }
    if (more) {
        leave_out(walk, from, to);
    } else if (walk->blocks.count > 1 || innermost(walk) == BLOCK_HANDLERS) {
        *VEC_PUSH(walk->body->sql.arena, &walk->returns) = (struct kept_return){from, to};
    }
}

/* EXIT [label] [WHEN condition]; a loop without a condition must end. */
static void on_exit(struct walk *walk, size_t from, size_t to)
{
    size_t when = sql_find(&walk->body->sql, from, to, "WHEN");
    bool endless = is(walk, from, "EXIT") && innermost_loop(walk) == BLOCK_LOOP;
    if (when < to) {
        body_region(walk->body, when + 1, to);
        body_condition(walk->body, when + 1, to,
                       endless ? BODY_ALWAYS_TRUE : BODY_ALWAYS_TRUE | BODY_ALWAYS_FALSE);
    } else if (!endless) {
        leave_out(walk, from, to);
    }
}

/* Simple statements that are read as SQL from there on: from the first word, or from the next. */
static const struct {
    const char *word;
    size_t skip;
} edited[] = {{"PERFORM", 0}, {"SELECT", 0}, {"INSERT", 0}, {"UPDATE", 0},
              {"DELETE", 0},  {"WITH", 0},   {"MERGE", 0},  {"VALUES", 0},
              {"TABLE", 0},   {"CALL", 1},   {"ASSERT", 1}};
/* Nothing comes of leaving these out, or a loop that does not end. */
static const char *const kept[] = {"NULL",  "OPEN",   "FETCH",    "MOVE",
                                   "CLOSE", "COMMIT", "ROLLBACK", ""};

static bool is_assignment(const struct walk *walk, size_t index)
{
    static const char *const behind[] = {":=", "=", ".", "["};
    const struct body *body = walk->body;
    return (sql_is_kind(&body->sql, index, SQL_TOKEN_WORD) ||
            sql_is_kind(&body->sql, index, SQL_TOKEN_QUOTED_NAME) ||
            sql_is_kind(&body->sql, index, SQL_TOKEN_POSITION)) &&
           name_is_in(sql_word(&body->sql, index + 1), NAMES_IN(behind));
}

static void assignment(struct walk *walk, size_t from, size_t to)
{
    size_t colon = sql_find(&walk->body->sql, from, to, ":=");
    size_t equal = sql_find(&walk->body->sql, from, colon, "=");
    body_region(walk->body, equal + 1, to);
    leave_out(walk, from, to);
}

/* PERFORM that does nothing but lock rows: nobody asks behind it whether it found some. */
static bool only_locks(const struct walk *walk, size_t from, size_t to)
{
    static const char *const strengths[] = {"UPDATE", "SHARE", "NO", "KEY"};
    size_t lock = sql_find(&walk->body->sql, from, to, "FOR");
    bool calls_nothing = is(walk, from + 1, "FROM") || is(walk, from + 2, "FROM");
    return is(walk, from, "PERFORM") && calls_nothing && !is(walk, to + 1, "IF") &&
           name_is_in(sql_word(&walk->body->sql, lock + 1), NAMES_IN(strengths));
}

/* SELECT … INTO takes the first row: that a LIMIT lets more pass makes no difference. */
static void freeze_limit(struct walk *walk, size_t from, size_t to)
{
    size_t into = sql_find(&walk->body->sql, from, to, "INTO");
    size_t limit = sql_find(&walk->body->sql, from, to, "LIMIT") + 1;
    if (is(walk, from, "SELECT") && into < to && !is(walk, into + 1, "STRICT") && limit < to) {
        walk->body->sql.tokens.items[limit].marks |= BODY_FROZEN;
    }
}

/* A statement without others in it. */
static void simple(struct walk *walk)
{
    size_t from = walk->at;
    size_t to = find(walk, from, ";");
    const char *word = sql_word(&walk->body->sql, from);
    walk->at = to + 1;
    if (walk->fails || from == to) {
        return;
    }
    bool outer = walk->blocks.count == 1 && innermost(walk) == BLOCK_BEGIN;
    if (outer &&
        (is(walk, from, "RETURN") || (is(walk, from, "RAISE") && !only_says(walk, from)))) {
        walk->end_outer = from;
    }
    if (is_assignment(walk, from)) {
        assignment(walk, from, to);
    } else if (is(walk, from, "RETURN")) {
        on_return(walk, from, to);
    } else if (is(walk, from, "EXIT") || is(walk, from, "CONTINUE")) {
        on_exit(walk, from, to);
    } else if (only_locks(walk, from, to)) {
        body_replace(walk->body, BODY_DROP_LOCK, from, to, "NULL");
    } else {
        freeze_limit(walk, from, to);
        size_t row = name_index(word, ROWS_IN(edited, word));
        if (row < sizeof edited / sizeof *edited) {
            body_region(walk->body, from + edited[row].skip, to);
        }
        if (!name_is_in(word, NAMES_IN(kept)) && !only_says(walk, from)) {
            leave_out(walk, from, to);
        }
    }
}

/* Words that begin or end what holds statements. */
static const struct {
    const char *word;
    void (*read)(struct walk *walk);
} parts[] = {
    {"DECLARE", on_declare}, {"BEGIN", on_begin},         {"IF", on_if},     {"ELSIF", on_if},
    {"ELSEIF", on_if},       {"ELSE", on_else},           {"CASE", on_case}, {"WHEN", on_when},
    {"LOOP", on_loop},       {"WHILE", on_while},         {"FOR", on_for},   {"FOREACH", on_for},
    {"END", on_end},         {"EXCEPTION", on_exception},
};

static void statement(struct walk *walk)
{
    size_t row = name_index(sql_word(&walk->body->sql, walk->at), ROWS_IN(parts, word));
    if (is(walk, walk->at, "<<") || is(walk, walk->at, "#")) { /* <<label>>, #option value */
        walk->at += 3;
    } else if (row < sizeof parts / sizeof *parts && !is_assignment(walk, walk->at)) {
        parts[row].read(walk);
    } else {
        simple(walk);
    }
}

bool body_plpgsql(struct body *body)
{
    struct walk walk = {.body = body};
    while (!walk.fails && walk.at < body->sql.tokens.count) {
        statement(&walk);
    }
    if (walk.fails || walk.blocks.count) {
        return false;
    }
    for (size_t i = 0; i < walk.returns.count; i++) {
        struct kept_return left = walk.returns.items[i];
        bool bare = left.to - left.from == 1;
        if (bare ? !is_last(&walk, left.to) : left.from < walk.end_outer) {
            leave_out(&walk, left.from, left.to);
        }
    }
    return true;
}
