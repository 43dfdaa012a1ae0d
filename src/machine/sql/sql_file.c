#include "machine/sql/sql.h"

#include "machine/sql/sql_refuse.h"
#include "sql/lex.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

/* The facts about the statement being read, in a file for psql. */
struct file_statement {
    struct sql_statement sql;
    size_t start;
    size_t parentheses;
    bool names_strings; /* standard_conforming_strings occurs in it */
    bool has_psql;      /* a psql command is in it or before it */
    size_t psql;        /* start of the first one */
    bool unclosed;      /* it ends with an unclosed string or comment */
};

static void skip_to_line_end(struct sql_lexer *lexer)
{
    const char *end = memchr(lexer->text + lexer->at, '\n', lexer->size - lexer->at);
    lexer->at = end ? (size_t)(end - lexer->text) + 1 : lexer->size;
}

/* Skips rows of COPY: from the next line up to a line with only \. */
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

/* Skips a psql command, to the line's end. True if it sends the statement before it. */
static bool skip_meta_command(struct sql_lexer *lexer)
{
    const char *name = lexer->text + lexer->at;
    const char *line_end = memchr(name, '\n', lexer->size - lexer->at);
    size_t size = line_end ? (size_t)(line_end - name) : lexer->size - lexer->at;
    if (size && name[0] == ';') { /* \; separates statements */
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

#define STRINGS_SETTING "STANDARD_CONFORMING_STRINGS"

/* Reads a boolean like the server: a prefix of a word is enough. */
static bool is_off(const char *value, size_t size)
{
    static const struct {
        const char *word;
        size_t least;
    } words[] = {{"off", 2}, {"false", 1}, {"no", 1}, {"0", 1}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (size >= words[i].least && size <= strlen(words[i].word) &&
            strncasecmp(value, words[i].word, size) == 0) {
            return true;
        }
    }
    return false;
}

/* SET standard_conforming_strings = off, as in old dumps, makes '\'' an escape. */
static bool sets_strings(const struct file_statement *statement)
{
    const struct sql_head *head = &statement->sql.head;
    return sql_head_is(head, "SET " STRINGS_SETTING "|SET SESSION " STRINGS_SETTING
                             "|SET LOCAL " STRINGS_SETTING);
}

static void read_string_setting(struct sql_lexer *lexer, const struct file_statement *statement)
{
    const struct sql_token *token = &statement->sql.last;
    if (sets_strings(statement)) {
        size_t quote = token->kind == SQL_TOKEN_STRING || token->kind == SQL_TOKEN_ESCAPES;
        lexer->escapes_in_strings =
            is_off(lexer->text + token->start + quote, token->end - token->start - 2 * quote);
    }
}

/* True if the token holds the setting's name, in any case. */
static bool names_strings_setting(const struct sql_lexer *lexer, const struct sql_token *token)
{
    size_t size = strlen(STRINGS_SETTING);
    for (size_t i = token->start; i + size <= token->end; i++) {
        if (strncasecmp(lexer->text + i, STRINGS_SETTING, size) == 0) {
            return true;
        }
    }
    return false;
}

static void read_token(struct sql_lexer *lexer, struct file_statement *statement,
                       const struct sql_token *token)
{
    if (!statement->sql.last.end) {
        statement->start = token->start;
    }
    sql_statement_read(&statement->sql, lexer, token, statement->parentheses > 0);
    statement->parentheses += sql_token_is_char(lexer, token, '(');
    statement->parentheses -= statement->parentheses && sql_token_is_char(lexer, token, ')');
    statement->names_strings |= names_strings_setting(lexer, token);
}

/* The receiver of psql commands. */
struct commands {
    sql_command_fn *each;
    void *context;
    bool stopped;
};

static void show_command(const struct sql_lexer *lexer, struct commands *commands)
{
    const char *text = lexer->text + lexer->at;
    const char *end = memchr(text, '\n', lexer->size - lexer->at);
    size_t size = end ? (size_t)(end - text) : lexer->size - lexer->at;
    commands->stopped = commands->stopped || !commands->each(commands->context, text, size);
}

/* Reads up to the point where psql would send the statement. False at the end of the file, with the
 * rest. `commands` may be NULL. */
static bool read_statement(struct sql_lexer *lexer, struct file_statement *statement,
                           struct commands *commands)
{
    *statement = (struct file_statement){0};
    for (;;) {
        struct sql_token token = sql_lex(lexer);
        if (token.kind == SQL_TOKEN_END || token.kind == SQL_TOKEN_BAD) {
            statement->unclosed = token.kind == SQL_TOKEN_BAD;
            statement->start = statement->sql.last.end ? statement->start : token.start;
            return false;
        }
        bool meta = sql_token_is_char(lexer, &token, '\\');
        bool ends = sql_token_is_char(lexer, &token, ';') && !statement->parentheses &&
                    !statement->sql.body;
        if (meta) {
            if (commands) {
                show_command(lexer, commands);
            }
            statement->psql = statement->has_psql ? statement->psql : token.start;
            statement->has_psql = true;
            ends = skip_meta_command(lexer);
        } else if (!ends) {
            read_token(lexer, statement, &token);
        }
        if (ends) {
            break;
        }
    }
    read_string_setting(lexer, statement);
    if (statement->sql.reads_stream) {
        skip_copy_data(lexer);
    }
    return true;
}

bool sql_file_next(struct sql_file *file, struct sql_file_statement *out)
{
    assert(file->at <= file->source->size);
    struct file_statement statement;
    struct sql_lexer lexer = {
        .text = file->source->text,
        .size = file->source->size,
        .at = file->at,
        .escapes_in_strings = file->escapes,
    };
    bool more = true;
    do {
        more = read_statement(&lexer, &statement, NULL);
    } while (more && !statement.sql.last.end && !statement.has_psql);
    if (!statement.sql.last.end && !statement.unclosed) {
        statement.start = statement.sql.last.end = statement.psql;
    }
    *out = (struct sql_file_statement){
        .start = statement.start,
        .end = statement.unclosed ? lexer.size : statement.sql.last.end,
        .control = sql_transaction_control(&statement.sql),
        .has_psql = statement.has_psql,
        .psql = statement.psql,
    };
    file->at = lexer.at;
    file->escapes = lexer.escapes_in_strings;
    return statement.sql.last.end || statement.has_psql || statement.unclosed;
}

/* Names the part that psql must run by itself; NULL if there is none. */
static const char *needs_itself(const struct file_statement *statement)
{
    const char *command = sql_transaction_control(&statement->sql);
    if (!command) {
        command = sql_outside_transaction(&statement->sql);
    }
    if (!command && statement->sql.adds_value) {
        command = "ALTER TYPE … ADD VALUE";
    }
    /* From here on, the server may read strings differently. */
    if (!command && statement->names_strings && !sets_strings(statement)) {
        command = "standard_conforming_strings";
    }
    return command;
}

/* The size of \c or \connect; 0 for other commands. */
static size_t connect_size(const char *command, size_t size)
{
    size_t name = 0;
    while (name < size && command[name] >= 'a' && command[name] <= 'z') {
        name++;
    }
    bool is = (name == 1 && *command == 'c') || (name == 7 && !memcmp(command, "connect", name));
    return is ? name : 0;
}

static bool is_no_connect(void *context, const char *command, size_t size)
{
    (void)context;
    return !connect_size(command, size);
}

/* `-` is the current database, and a variable may be. */
static bool names_no_database(void *context, const char *command, size_t size)
{
    const char **found = context;
    size_t at = connect_size(command, size);
    bool connects = at > 0;
    while (at < size && strchr(" \t\r", command[at])) {
        at++;
    }
    *found = command;
    bool is_dash = at < size && command[at] == '-' && (at + 1 == size || command[at + 1] == ' ');
    return !connects || at == size || is_dash || strchr(":\\;", command[at]);
}

bool sql_file_commands(const struct source *source, sql_command_fn *each, void *context)
{
    struct sql_lexer lexer = {.text = source->text, .size = source->size};
    struct file_statement statement;
    struct commands commands = {.each = each, .context = context};
    while (read_statement(&lexer, &statement, &commands) && !commands.stopped) {
    }
    return !commands.stopped;
}

bool sql_file_connects(const struct source *source, size_t *offset)
{
    const char *found = NULL;
    bool connects = !sql_file_commands(source, names_no_database, &found);
    *offset = connects ? (size_t)(found - source->text) - 1 : 0;
    return connects;
}

bool sql_file_has_databases(const struct source *source, size_t *offset)
{
    struct sql_lexer lexer = {.text = source->text, .size = source->size};
    struct file_statement statement;
    bool has = false;
    for (bool more = true; more && !has;) {
        more = read_statement(&lexer, &statement, NULL);
        has = sql_head_is(&statement.sql.head, "CREATE DATABASE|DROP DATABASE");
    }
    *offset = statement.start;
    return has;
}

bool sql_file_needs_itself(const struct source *source, const char **what)
{
    struct sql_lexer lexer = {.text = source->text, .size = source->size};
    struct file_statement statement;
    struct commands commands = {.each = is_no_connect};
    bool more = true;
    *what = NULL;
    while (more && !*what) {
        more = read_statement(&lexer, &statement, &commands);
        *what = needs_itself(&statement);
    }
    if (commands.stopped) {
        *what = "\\connect";
    }
    return *what != NULL;
}
