#include "machine/sql.h"

#include "machine/sql_lex.h"
#include "machine/sql_refuse.h"

#include <string.h>
#include <strings.h>

/* What is known of the statement being read in a file that psql would run. */
struct file_statement {
    struct sql_head head;
    bool head_done;
    size_t start;
    size_t parentheses;
    size_t body; /* depth of BEGIN ATOMIC and CASE */
    struct sql_token last;
    bool from;        /* the last word was FROM */
    bool reads_stdin; /* COPY … FROM STDIN */
    bool concurrently;
    bool adds_value; /* ALTER TYPE … ADD VALUE */
};

static void skip_to_line_end(struct sql_lexer *lexer)
{
    const char *end = memchr(lexer->text + lexer->at, '\n', lexer->size - lexer->at);
    lexer->at = end ? (size_t)(end - lexer->text) + 1 : lexer->size;
}

/* Rows of COPY: from the next line up to one that holds \. alone. */
static void skip_copy_data(struct sql_lexer *lexer)
{
    skip_to_line_end(lexer);
    while (lexer->at < lexer->size) {
        const char *line = lexer->text + lexer->at;
        skip_to_line_end(lexer);
        size_t size = (size_t)(lexer->text + lexer->at - line);
        while (size && (line[size - 1] == '\n' || line[size - 1] == '\r')) {
            size--;
        }
        if (size == 2 && !memcmp(line, "\\.", 2)) {
            return;
        }
    }
}

/* A command of psql's, to the line's end. True where it sends off the statement before it. */
static bool skip_meta_command(struct sql_lexer *lexer)
{
    const char *name = lexer->text + lexer->at;
    const char *line_end = memchr(name, '\n', lexer->size - lexer->at);
    size_t size = line_end ? (size_t)(line_end - name) : lexer->size - lexer->at;
    if (size && name[0] == ';') { /* \; parts statements */
        lexer->at++;
        return true;
    }
    bool sends = size && (name[0] == 'g' || !strncmp(name, "watch", 5) ||
                          !strncmp(name, "crosstabview", 12));
    bool copies = size > 4 && !strncmp(name, "copy", 4) && memmem(name, size, "stdin", 5);
    if (copies) {
        skip_copy_data(lexer);
    } else {
        skip_to_line_end(lexer);
    }
    return sends;
}

static bool head_is(const struct file_statement *statement, size_t at, const char *word)
{
    return at < statement->head.count && !strcmp(statement->head.words[at], word);
}

/* SET standard_conforming_strings = off, as old dumps have it: from there on '\'' is an escape. */
static void read_string_setting(struct sql_lexer *lexer, const struct file_statement *statement,
                                const struct sql_token *token)
{
    if (head_is(statement, 0, "SET") && head_is(statement, 1, "STANDARD_CONFORMING_STRINGS")) {
        size_t quote = token->kind == SQL_TOKEN_STRING || token->kind == SQL_TOKEN_ESCAPES;
        const char *value = lexer->text + token->start + quote;
        size_t size = token->end - token->start - 2 * quote;
        if (size == 3 && !strncasecmp(value, "off", 3)) {
            lexer->escapes_in_strings = true;
        } else if (size == 2 && !strncasecmp(value, "on", 2)) {
            lexer->escapes_in_strings = false;
        }
    }
}

static void read_word(struct sql_lexer *lexer, struct file_statement *statement,
                      const struct sql_token *token)
{
    if (!statement->head_done && statement->head.count < SQL_WORDS_MAX) {
        sql_head_add(&statement->head, lexer->text + token->start, token->end - token->start);
    }
    if (head_is(statement, 0, "CREATE")) {
        if (!statement->body) {
            statement->body = sql_token_is(lexer, token, "ATOMIC") &&
                              sql_token_is(lexer, &statement->last, "BEGIN");
        } else if (sql_token_is(lexer, token, "CASE")) {
            statement->body++;
        } else if (sql_token_is(lexer, token, "END")) {
            statement->body--;
        }
    }
    statement->reads_stdin =
        statement->reads_stdin ||
        (head_is(statement, 0, "COPY") && statement->from && sql_token_is(lexer, token, "STDIN"));
    statement->from = sql_token_is(lexer, token, "FROM");
    statement->concurrently = statement->concurrently || sql_token_is(lexer, token, "CONCURRENTLY");
    statement->adds_value =
        statement->adds_value ||
        (head_is(statement, 0, "ALTER") && head_is(statement, 1, "TYPE") &&
         sql_token_is(lexer, &statement->last, "ADD") && sql_token_is(lexer, token, "VALUE"));
}

static void read_token(struct sql_lexer *lexer, struct file_statement *statement,
                       const struct sql_token *token)
{
    if (!statement->last.end) {
        statement->start = token->start;
    }
    if (token->kind == SQL_TOKEN_WORD) {
        read_word(lexer, statement, token);
    } else {
        statement->head_done = true;
        statement->parentheses += sql_token_is_char(lexer, token, '(');
        statement->parentheses -= statement->parentheses && sql_token_is_char(lexer, token, ')');
    }
    read_string_setting(lexer, statement, token);
    statement->last = *token;
}

/* What is looked for in a file: names a statement that it is, or gives NULL. */
typedef const char *statement_name(const struct file_statement *statement);

static const char *transaction_control(const struct file_statement *statement)
{
    return sql_transaction_control(&statement->head);
}

static const char *needs_itself(const struct file_statement *statement)
{
    const char *command = sql_transaction_control(&statement->head);
    if (!command) {
        command = sql_outside_transaction(&statement->head, statement->concurrently);
    }
    return command || !statement->adds_value ? command : "ALTER TYPE … ADD VALUE";
}

/* \c, \connect */
static bool connects(const struct sql_lexer *lexer)
{
    const char *name = lexer->text + lexer->at;
    size_t size = 0;
    while (lexer->at + size < lexer->size && name[size] >= 'a' && name[size] <= 'z') {
        size++;
    }
    return (size == 1 && *name == 'c') || (size == 7 && !memcmp(name, "connect", size));
}

/* Where the first such statement begins; `*connect` is set where the file connects anew before. */
static bool find(const struct source *source, statement_name *wanted, struct source_pos *out,
                 const char **command, bool *connect)
{
    struct sql_lexer lexer = {.text = source->text, .size = source->size};
    struct file_statement statement = {0};
    for (;;) {
        struct sql_token token = sql_lex(&lexer);
        bool last = token.kind == SQL_TOKEN_END || token.kind == SQL_TOKEN_BAD;
        bool ends = last || (sql_token_is_char(&lexer, &token, ';') && !statement.parentheses &&
                             !statement.body);
        bool meta = sql_token_is_char(&lexer, &token, '\\');
        if (meta) {
            *connect = *connect || connects(&lexer);
            ends = skip_meta_command(&lexer);
        } else if (!ends) {
            read_token(&lexer, &statement, &token);
        }
        if (ends) {
            *command = wanted(&statement);
            if (*command) {
                *out = (struct source_pos){.source = source, .offset = statement.start};
                return true;
            }
            if (statement.reads_stdin) {
                skip_copy_data(&lexer);
            }
            statement = (struct file_statement){0};
        }
        if (last) {
            return false;
        }
    }
}

bool sql_find_transaction_control(const struct source *source, struct source_pos *out,
                                  const char **command)
{
    bool ignored = false;
    return find(source, transaction_control, out, command, &ignored);
}

bool sql_file_needs_itself(const struct source *source, const char **what)
{
    struct source_pos ignored;
    bool connect = false;
    bool found = find(source, needs_itself, &ignored, what, &connect);
    if (connect) {
        *what = "\\connect";
    }
    return found || connect;
}
