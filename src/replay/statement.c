#include "base/names.h"
#include "base/words.h"
#include "replay/quote.h"
#include "replay/script.h"
#include "sql/tokens.h"

#include <string.h>
#include <strings.h>

enum { INDENT = 4 };

/* Bytes [start, end) of a statement's snippet. */
struct range {
    size_t start;
    size_t end;
};

/* The statement up to the end of its last token, because a final comment would hide text that we
 * append. */
static struct range whole(const struct sql_template *sql)
{
    struct sql_lexer lexer = {.text = sql->snippet.text, .size = sql->snippet.size};
    struct range range = {0, 0};
    for (;;) {
        struct sql_token token = sql_lex(&lexer);
        if (token.kind == SQL_TOKEN_END || token.kind == SQL_TOKEN_BAD) {
            return range;
        }
        range.end = token.end;
    }
}

/* Values in their places. */

/* Separates a constant from a name or another constant before it. */
static void separate(struct strbuf *out)
{
    char last = out->size ? out->data[out->size - 1] : ' ';
    if (sql_is_name_char(last) || strchr("'\"$&", last)) {
        strbuf_addc(out, ' ');
    }
}

/* True if the last word written is BY, after which a constant would be refused, or mean a column.
 */
static bool is_behind_by(const struct strbuf *out)
{
    size_t end = out->size;
    while (end && sql_is_space(out->data[end - 1])) {
        end--;
    }
    size_t start = end;
    while (start && sql_is_name_char(out->data[start - 1])) {
        start--;
    }
    return end - start == 2 && strncasecmp(out->data + start, "BY", 2) == 0;
}

static void add_piece_value(struct script *script, enum sql_piece_kind kind,
                            const struct recorded_value *value, struct strbuf *out)
{
    separate(out);
    if (kind != SQL_VALUE) {
        value_write_pasted(script, value, kind, out);
    } else if (value->type && is_behind_by(out)) {
        value_write_typed(script, value, value->type, out);
    } else {
        value_write(script, value, out);
    }
}

static void add_statement_text(const char *text, size_t size, struct strbuf *out)
{
    if (size && out->size && (sql_is_name_char(*text) || *text == '\'' || *text == '"')) {
        separate(out);
    }
    strbuf_add(out, text, size);
}

static void add_range(struct script *script, const struct recorded_statement *statement,
                      struct range range, struct strbuf *out)
{
    const struct sql_template *sql = statement->sql;
    struct strbuf text = {0};
    size_t slot = 0;
    for (size_t i = 0; i < sql->pieces.count; i++) {
        const struct sql_piece *piece = &sql->pieces.items[i];
        if (piece->kind == SQL_TEXT) {
            size_t start = range.start > piece->offset ? range.start - piece->offset : 0;
            size_t end = range.end > piece->offset ? range.end - piece->offset : 0;
            end = end < piece->size ? end : piece->size;
            if (start < end) {
                add_statement_text(piece->text + start, end - start, &text);
            }
            continue;
        }
        if (piece->offset >= range.start && piece->offset < range.end) {
            add_piece_value(script, piece->kind, &statement->values.items[slot], &text);
        }
        slot++;
    }
    strbuf_add(out, strbuf_text(&text), text.size);
    strbuf_free(&text);
}

/* Under this name the session has it. */
static void add_name(const struct recorded_statement *statement, struct strbuf *out)
{
    strbuf_addf(out, "pgfsm_%zu", statement->sql->id);
}

void statement_write_prepare(const struct recorded_statement *statement, struct strbuf *out)
{
    const struct sql_template *sql = statement->sql;
    struct range range = whole(sql);
    size_t number = 0;
    strbuf_adds(out, "PREPARE ");
    add_name(statement, out);
    strbuf_adds(out, " AS ");
    for (size_t i = 0; i < sql->pieces.count; i++) {
        const struct sql_piece *piece = &sql->pieces.items[i];
        if (piece->kind != SQL_TEXT) {
            separate(out);
            strbuf_addf(out, "$%zu", ++number);
        } else if (piece->offset < range.end) {
            size_t left = range.end - piece->offset;
            add_statement_text(piece->text, left < piece->size ? left : piece->size, out);
        }
    }
}

static void write_execute(struct script *script, const struct recorded_statement *statement,
                          struct strbuf *out)
{
    size_t count = statement->values.count;
    strbuf_adds(out, "EXECUTE ");
    add_name(statement, out);
    for (size_t i = 0; i < count; i++) {
        strbuf_adds(out, i ? ", " : " (");
        value_write(script, &statement->values.items[i], out);
    }
    strbuf_adds(out, count ? ")" : "");
}

void statement_write(struct script *script, const struct recorded_statement *statement,
                     struct strbuf *out)
{
    if (statement->executes) {
        write_execute(script, statement, out);
        return;
    }
    add_range(script, statement, whole(statement->sql), out);
}

/* Indents lines, except those that begin inside a constant. */
static void add_indented(const char *text, size_t size, struct strbuf *out)
{
    struct sql_lexer lexer = {.text = text, .size = size};
    size_t at = 0;
    strbuf_fill(out, ' ', INDENT);
    for (;;) {
        struct sql_token token = sql_lex(&lexer);
        bool last = token.kind == SQL_TOKEN_END || token.kind == SQL_TOKEN_BAD;
        size_t gap = last ? size : token.start;
        for (; at < gap; at++) {
            strbuf_addc(out, text[at]);
            if (text[at] == '\n') {
                strbuf_fill(out, ' ', INDENT);
            }
        }
        if (last) {
            return;
        }
        strbuf_add(out, text + at, token.end - at);
        at = token.end;
    }
}

/* WITH. */

bool statement_is_query(const struct recorded_statement *statement)
{
    const char *command = statement->sql->command;
    return command && word_is_in(command, "SELECT|INSERT|UPDATE|DELETE|VALUES|TABLE|WITH|MERGE") &&
           statement->columns.count > 0;
}

static bool is_plain_name(const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < size; i++) {
        if (!sql_is_name_char(name[i]) || (unsigned char)name[i] >= 0x80) {
            return false;
        }
    }
    return size > 0;
}

/* True if the result of a statement such as CALL, which can't be a subquery, can go directly to
 * psql's variables: one row, with columns whose names are valid for variables. */
static bool gives_one_row(const struct recorded_statement *statement)
{
    for (size_t i = 0; i < statement->columns.count; i++) {
        if (!is_plain_name(statement->columns.items[i].name)) {
            return false;
        }
    }
    return statement->columns.count > 0 && statement->rows == 1;
}

bool statement_can_catch(const struct recorded_statement *statement)
{
    return statement_is_query(statement) || gives_one_row(statement);
}

/* The start of the main query of WITH …, after the parentheses of its last WITH query. */
static size_t main_query(struct script *script, const struct sql_template *sql)
{
    static const char begins[] = "(|SELECT|INSERT|UPDATE|DELETE|VALUES|TABLE|MERGE";
    struct sql_list list = {
        .text = sql->snippet.text, .size = sql->snippet.size, .arena = &script->arena};
    size_t at = 0;
    if (!sql_list_read(&list) || !sql_list_match(&list, 0, list.tokens.count)) {
        return 0;
    }
    while (at < list.tokens.count &&
           !(sql_is(&list, at - 1, ")") && word_is_in(sql_word(&list, at), begins))) {
        at = sql_after(&list, at);
    }
    return at < list.tokens.count ? list.tokens.items[at].start : 0;
}

static void add_columns(const char *const *columns, size_t count, struct strbuf *out)
{
    strbuf_adds(out, " (");
    for (size_t i = 0; i < count; i++) {
        strbuf_adds(out, i ? ", " : "");
        quote_identifier(out, columns[i]);
    }
    strbuf_addc(out, ')');
}

void statement_write_with(struct script *script, const struct recorded_statement *statement,
                          const char *name, const char *const *columns, struct strbuf *out)
{
    const struct sql_template *sql = statement->sql;
    struct range range = whole(sql);
    struct strbuf text = {0};
    size_t start = sql->command && strcmp(sql->command, "WITH") == 0 ? main_query(script, sql) : 0;
    if (start) {
        struct range before = {0, start};
        while (before.end && sql_is_space(sql->snippet.text[before.end - 1])) {
            before.end--;
        }
        add_range(script, statement, before, out);
        strbuf_adds(out, ", ");
        range.start = start;
    } else {
        strbuf_adds(out, "WITH ");
    }
    quote_identifier(out, name);
    if (columns) {
        add_columns(columns, statement->columns.count, out);
    }
    strbuf_adds(out, " AS (\n");
    add_range(script, statement, range, &text);
    add_indented(strbuf_text(&text), text.size, out);
    strbuf_adds(out, "\n)");
    strbuf_free(&text);
}

/* Names. */

const char *const *statement_columns(struct script *script,
                                     const struct recorded_statement *statement)
{
    size_t count = statement->columns.count;
    const char **names = ARENA_ARRAY(&script->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char *own = statement->columns.items[i].name;
        const char *base = *own && strcmp(own, "?column?") != 0 ? own : "value";
        names[i] = base;
        for (size_t j = 2; name_is_in(names[i], names, i, sizeof *names, 0); j++) {
            names[i] = arena_printf(&script->arena, "%s_%zu", base, j);
        }
    }
    return names;
}

static bool uses_word(const struct sql_template *sql, const char *word)
{
    size_t size = strlen(word);
    for (size_t i = 0; i + size <= sql->snippet.size; i++) {
        if (strncasecmp(sql->snippet.text + i, word, size) == 0) {
            return true;
        }
    }
    return false;
}

const char *statement_free_name(struct script *script, const struct recorded_statement *statement,
                                const char *name)
{
    const char *free = name;
    for (size_t i = 2;
         uses_word(statement->sql, free) || name_is_in(free, ROWS_OF(statement->columns, name));
         i++) {
        free = arena_printf(&script->arena, "%s_%zu", name, i);
    }
    return free;
}
