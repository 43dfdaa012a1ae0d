#include "machine/sql/sql_inside.h"

#include "base/names.h"
#include "machine/sql/sql_refuse.h"

#include <ctype.h>
#include <string.h>

/* What the text of a statement says. */
struct reading {
    struct sql_statement sql;
    size_t concurrently; /* the word's place */
    bool chain;          /* COMMIT AND CHAIN */
    bool variable;       /* psql would put a variable's value in it */
};

/* Variables that psql sets itself. */
static bool is_set_by_psql(const char *name, size_t size)
{
    bool upper = size > 0;
    for (size_t i = 0; i < size; i++) {
        upper = upper && (isupper((unsigned char)name[i]) || name[i] == '_');
    }
    return upper;
}

static bool is_variable(const struct sql_lexer *lexer, const struct sql_token *token,
                        struct sql_inside_place place)
{
    switch (token->kind) {
    case SQL_TOKEN_LITERAL:
    case SQL_TOKEN_IDENTIFIER:
        return true;
    case SQL_TOKEN_VALUE:
        return place.variables || is_set_by_psql(lexer->text + token->inner_start,
                                                 token->inner_end - token->inner_start);
    case SQL_TOKEN_END:
    case SQL_TOKEN_WORD:
    case SQL_TOKEN_QUOTED_NAME:
    case SQL_TOKEN_STRING:
    case SQL_TOKEN_ESCAPES:
    case SQL_TOKEN_UNICODE:
    case SQL_TOKEN_BITS:
    case SQL_TOKEN_DOLLAR:
    case SQL_TOKEN_NUMBER:
    case SQL_TOKEN_POSITION:
    case SQL_TOKEN_SYMBOL:
    case SQL_TOKEN_BAD:
        break;
    }
    return false;
}

static void read_text(struct sql_lexer *lexer, struct sql_inside_place place, struct reading *out)
{
    size_t depth = 0;
    for (;;) {
        struct sql_token token = sql_lex(lexer);
        if (token.kind == SQL_TOKEN_END || token.kind == SQL_TOKEN_BAD) {
            return;
        }
        bool had = out->sql.concurrently;
        sql_statement_read(&out->sql, lexer, &token, depth > 0);
        depth += sql_token_is_char(lexer, &token, '(');
        depth -= depth && sql_token_is_char(lexer, &token, ')');
        if (out->sql.concurrently && !had) {
            out->concurrently = token.start;
        }
        out->chain |= sql_token_is(lexer, &token, "CHAIN");
        out->variable |= is_variable(lexer, &token, place);
    }
}

/* A statement that begins with these words; the first row that fits counts. */
static const struct {
    const char *words;
    enum sql_inside_kind alone;  /* in a transaction of its own, as psql runs it */
    enum sql_inside_kind inside; /* in the file's own transaction */
} heads[] = {
    {"BEGIN|START TRANSACTION", SQL_INSIDE_BEGIN, SQL_INSIDE_NOTHING},
    {"COMMIT PREPARED|ROLLBACK PREPARED|PREPARE TRANSACTION", SQL_INSIDE_REFUSED,
     SQL_INSIDE_REFUSED},
    {"COMMIT|END", SQL_INSIDE_NOTHING, SQL_INSIDE_COMMIT},
    {"ROLLBACK|ABORT", SQL_INSIDE_NOTHING, SQL_INSIDE_REFUSED},
    {"SAVEPOINT|RELEASE", SQL_INSIDE_REFUSED, SQL_INSIDE_RUN},
    {"SET TRANSACTION|SET LOCAL TRANSACTION|SET SESSION CHARACTERISTICS", SQL_INSIDE_NOTHING,
     SQL_INSIDE_NOTHING},
    /* their effect ends with their transaction */
    {"SET LOCAL|SET CONSTRAINTS", SQL_INSIDE_NOTHING, SQL_INSIDE_RUN},
    /* they are not rolled back, or are about statements of ours */
    {"PREPARE|EXECUTE|DEALLOCATE|DISCARD", SQL_INSIDE_REFUSED, SQL_INSIDE_REFUSED},
    /* the server refuses them in the file's own transaction, too, and says so */
    {"VACUUM|REINDEX DATABASE|REINDEX SYSTEM", SQL_INSIDE_NOTHING, SQL_INSIDE_RUN},
};

/* Returns false if the table says nothing of it. */
static bool read_head(const struct sql_head *head, bool own, enum sql_inside_kind *out)
{
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (sql_head_is(head, heads[i].words)) {
            *out = own ? heads[i].inside : heads[i].alone;
            return true;
        }
    }
    return false;
}

/* The two words that name a statement, or one. */
static const char *name_of(const struct sql_statement *sql)
{
    const char *name = sql_transaction_control(sql);
    name = name ? name : sql_outside_transaction(sql);
    return name && strcmp(name, "CONCURRENTLY") != 0 ? name : NULL;
}

/* What no transaction can run; otherwise NULL. */
static const char *never_runs(const struct reading *reading)
{
    const struct sql_statement *sql = &reading->sql;
    return reading->variable    ? "a variable of psql"
           : sql->reads_stream  ? "COPY … FROM STDIN"
           : sql->writes_stream ? "COPY … TO STDOUT"
           : sql->adds_value    ? "ALTER TYPE … ADD VALUE"
                                : NULL;
}

static bool is_shared(const struct sql_head *head)
{
    static const char others[] = "ALTER SYSTEM|CREATE DATABASE|DROP DATABASE|CREATE TABLESPACE|"
                                 "DROP TABLESPACE|CREATE SUBSCRIPTION|DROP SUBSCRIPTION";
    return sql_is_shared(head) || sql_head_is(head, others);
}

struct sql_inside sql_inside(const struct source *source,
                             const struct sql_file_statement *statement,
                             struct sql_inside_place place)
{
    struct reading reading = {0};
    struct sql_lexer lexer = {
        .text = source->text,
        .size = statement->end,
        .at = statement->start,
        .escapes_in_strings = place.escapes,
    };
    read_text(&lexer, place, &reading);
    const struct sql_statement *sql = &reading.sql;
    struct sql_inside found = {.command = name_of(sql), .shared = is_shared(&sql->head)};
    const char *never = never_runs(&reading);
    if (never) {
        found.kind = SQL_INSIDE_REFUSED;
        found.command = never;
        return found;
    }
    if (read_head(&sql->head, place.own, &found.kind)) {
        bool chains = reading.chain && found.kind == SQL_INSIDE_COMMIT;
        found.kind = chains ? SQL_INSIDE_REFUSED : found.kind;
        found.command = found.command ? found.command : "a prepared statement";
    } else if (found.command) {
        found.kind = SQL_INSIDE_REFUSED;
    } else if (sql_outside_transaction(sql) && !place.own) {
        found.kind = SQL_INSIDE_PLAIN;
        found.command = "CONCURRENTLY";
        found.word = reading.concurrently;
    }
    return found;
}

/* Commands that only change what psql shows. */
static const char *const silent[] = {
    "a", "echo",   "encoding",   "pset", "qecho", "restrict",
    "t", "timing", "unrestrict", "warn", "x",     "errverbose",
};
static const char *const includes[] = {"i", "include"};
static const char *const includes_beside[] = {"ir", "include_relative"};
static const char *const sets[] = {"set", "unset"};

/* One argument without quotes, variables and commands behind it; otherwise NULL. */
static const char *plain_argument(const char *text, size_t size, struct arena *arena)
{
    while (size && isspace((unsigned char)*text)) {
        text++;
        size--;
    }
    while (size && isspace((unsigned char)text[size - 1])) {
        size--;
    }
    bool plain = size > 0;
    for (size_t i = 0; i < size; i++) {
        plain = plain && !isspace((unsigned char)text[i]) && !strchr("'\"`:\\|", text[i]);
    }
    return plain ? arena_strndup(arena, text, size) : NULL;
}

enum sql_psql_kind sql_psql_kind(const char *command, size_t size, struct arena *arena,
                                 const char **name)
{
    size_t end = 0;
    while (end < size && !isspace((unsigned char)command[end])) {
        end++;
    }
    const char *word = arena_strndup(arena, command, end);
    bool more = memchr(command + end, '\\', size - end) || memchr(command + end, '`', size - end);
    *name = NULL;
    if (name_is_in(word, NAMES_IN(includes)) || name_is_in(word, NAMES_IN(includes_beside))) {
        *name = plain_argument(command + end, size - end, arena);
        return !*name                                        ? SQL_PSQL_REFUSED
               : name_is_in(word, NAMES_IN(includes_beside)) ? SQL_PSQL_INCLUDES_BESIDE
                                                             : SQL_PSQL_INCLUDES;
    }
    if (more) {
        return SQL_PSQL_REFUSED;
    }
    return name_is_in(word, NAMES_IN(silent)) ? SQL_PSQL_NOTHING
           : name_is_in(word, NAMES_IN(sets)) ? SQL_PSQL_SETS
                                              : SQL_PSQL_REFUSED;
}
