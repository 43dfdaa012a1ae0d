#include "machine/sql/sql.h"

#include "machine/sql/sql_refuse.h"
#include "sql/lex.h"

#include <string.h>

/* Longer texts are set-up, which belongs in a schema file. */
enum { STATEMENTS_MAX = 1000 };

/* An open ( or [. */
struct bracket {
    char kind;
    bool array; /* ARRAY[…], where a colon is not a slice */
    size_t offset;
};

struct scan {
    const struct snippet *snippet;
    struct sql_lexer lexer;
    sql_known_name *known;
    const void *known_context;
    struct arena *arena;
    struct sql_templates *out;
    struct diagnostics *diagnostics;
    bool failed;

    /* The statement being read: */
    struct sql_template *template;
    size_t start;
    size_t first;      /* its first token, after comments */
    size_t end;        /* of its last token */
    size_t text_start; /* of the piece of text being read */
    struct sql_statement statement;
    VEC(struct bracket) brackets;
    size_t first_value; /* offset of the first :name */
};

static struct error *report(struct scan *scan, size_t offset, const char *message)
{
    scan->failed = true;
    return diagnostics_at(scan->diagnostics, snippet_pos(scan->snippet, offset), "%s", message);
}

static bool token_is(const struct scan *scan, const struct sql_token *token, const char *word)
{
    return sql_token_is(&scan->lexer, token, word);
}

static bool is_char(const struct scan *scan, const struct sql_token *token, char c)
{
    return sql_token_is_char(&scan->lexer, token, c);
}

static void add_piece(struct scan *scan, enum sql_piece_kind kind, size_t start, size_t end)
{
    struct sql_piece *piece = VEC_PUSH(scan->arena, &scan->template->pieces);
    piece->kind = kind;
    piece->offset = start - scan->start;
    piece->size = end - start;
    piece->text = arena_strndup(scan->arena, scan->lexer.text + start, end - start);
}

static void add_text_piece(struct scan *scan, size_t end)
{
    if (end > scan->text_start) {
        add_piece(scan, SQL_TEXT, scan->text_start, end);
    }
}

static void add_parameter(struct scan *scan, const struct sql_token *token,
                          enum sql_piece_kind kind)
{
    struct sql_template *template = scan->template;
    add_text_piece(scan, token->start);
    add_piece(scan, kind, token->inner_start, token->inner_end);
    template->pieces.items[template->pieces.count - 1].offset = token->start - scan->start;
    scan->text_start = token->end;
    if (kind != SQL_VALUE) {
        template->pasted = true;
    } else if (template->value_count++ == 0) {
        scan->first_value = token->start;
    }
}

/* True if a colon here follows the lower bound of a slice: x[1:n], x[i:n], x[f(1):n], but not
 * x[CASE WHEN b THEN :n END]. */
static bool ends_operand(const struct scan *scan, const struct sql_token *colon)
{
    const struct sql_token *last = &scan->statement.last;
    if (last->kind == SQL_TOKEN_SYMBOL) {
        return is_char(scan, last, ')') || is_char(scan, last, ']');
    }
    return last->kind != SQL_TOKEN_WORD || last->end == colon->start;
}

/* `:n` between brackets is the end of a slice. If n is a known name, it is also a parameter, and
 * the colon stays if a slice needs it. */
static void read_value(struct scan *scan, const struct sql_token *token)
{
    size_t depth = scan->brackets.count;
    if (!depth || scan->brackets.items[depth - 1].kind != '[' ||
        scan->brackets.items[depth - 1].array) {
        add_parameter(scan, token, SQL_VALUE);
    } else if (scan->known &&
               scan->known(scan->known_context, scan->lexer.text + token->inner_start,
                           token->inner_end - token->inner_start)) {
        struct sql_token name = *token;
        name.start += ends_operand(scan, token);
        add_parameter(scan, &name, SQL_VALUE);
    }
}

static void open_bracket(struct scan *scan, const struct sql_token *token, char kind)
{
    size_t depth = scan->brackets.count;
    bool inside_array =
        depth && scan->brackets.items[depth - 1].array &&
        (is_char(scan, &scan->statement.last, '[') || is_char(scan, &scan->statement.last, ','));
    bool array = kind == '[' && (token_is(scan, &scan->statement.last, "ARRAY") || inside_array);
    *VEC_PUSH(scan->arena, &scan->brackets) =
        (struct bracket){.kind = kind, .array = array, .offset = token->start};
}

static void close_bracket(struct scan *scan, char opening)
{
    size_t depth = scan->brackets.count;
    if (depth && scan->brackets.items[depth - 1].kind == opening) {
        scan->brackets.count--;
    }
}

static void read_symbol(struct scan *scan, const struct sql_token *token)
{
    if (token->end - token->start != 1) {
        return;
    }
    char c = scan->lexer.text[token->start];
    if (c == '(' || c == '[') {
        open_bracket(scan, token, c);
    } else if (c == ')' || c == ']') {
        close_bracket(scan, c == ')' ? '(' : '[');
    } else if (c == '{') {
        error_hint(report(scan, token->start, "a brace is not SQL outside of strings"),
                   "write a parameter as :name");
    } else if (c == '\\') {
        error_hint(report(scan, token->start, "a backslash is not SQL outside of strings"),
                   "psql's commands (\\gset, \\i, …) work in schema files only");
    }
}

static void read_position(struct scan *scan, const struct sql_token *token)
{
    if (!sql_head_is(&scan->statement.head, "CREATE")) {
        error_hint(report(scan, token->start, "parameters have names here, not numbers"),
                   "write :name, the name of an argument or of a variable of the model");
    }
}

/* Refuses ':name' with the colon inside the quotes, which is text although a parameter was meant.
 */
static void read_string(struct scan *scan, const struct sql_token *token)
{
    const char *name = scan->lexer.text + token->inner_start + 1;
    size_t size = token->inner_end - token->inner_start;
    if (size > 1 && name[-1] == ':' && scan->known &&
        scan->known(scan->known_context, name, size - 1)) {
        error_hint(report(scan, token->start, "between quotes this is text, not the parameter"),
                   "write :%.*s, without quotes, for the value; for the text itself ':' || '%.*s'",
                   (int)(size - 1), name, (int)(size - 1), name);
    }
}

static void read_token(struct scan *scan, const struct sql_token *token)
{
    if (!scan->statement.last.end) {
        scan->first = token->start;
    }
    if (token->kind == SQL_TOKEN_SYMBOL) {
        read_symbol(scan, token);
    } else if (token->kind == SQL_TOKEN_POSITION) {
        read_position(scan, token);
    } else if (token->kind == SQL_TOKEN_STRING) {
        read_string(scan, token);
    } else if (token->kind == SQL_TOKEN_VALUE) {
        read_value(scan, token);
    } else if (token->kind == SQL_TOKEN_LITERAL || token->kind == SQL_TOKEN_IDENTIFIER) {
        add_parameter(scan, token, token->kind == SQL_TOKEN_LITERAL ? SQL_LITERAL : SQL_IDENTIFIER);
    }
    sql_statement_read(&scan->statement, &scan->lexer, token, scan->brackets.count > 0);
    scan->end = token->end;
}

static void statement_begin(struct scan *scan, size_t start)
{
    while (start < scan->lexer.size && sql_is_space(scan->lexer.text[start])) {
        start++;
    }
    scan->template = ARENA_NEW(scan->arena, struct sql_template);
    scan->start = scan->text_start = scan->end = start;
    scan->statement = (struct sql_statement){0};
    scan->brackets.count = 0;
}

static void check_statement(struct scan *scan)
{
    struct source_pos pos = snippet_pos(scan->snippet, scan->first);
    if (!sql_refuse(&scan->statement, scan->out->outside, pos, scan->diagnostics)) {
        scan->failed = true;
    } else if (scan->template->value_count && sql_takes_no_values(&scan->statement.head)) {
        struct error *err = report(scan, scan->first_value, "no value can be bound here");
        error_hint(err,
                   "%s takes no parameters; write :'name' for a quoted literal or :\"name\" for a "
                   "quoted identifier, which become part of the text",
                   scan->statement.head.words[0]);
    }
}

static void statement_end(struct scan *scan)
{
    struct sql_template *template = scan->template;
    if (!scan->statement.last.end) {
        return; /* only white space and comments */
    }
    check_statement(scan);
    add_text_piece(scan, scan->end);
    template->snippet = snippet_slice(scan->snippet, scan->start, scan->end);
    const struct sql_head *head = &scan->statement.head;
    bool changes_rows = sql_head_is(head, "INSERT|UPDATE|DELETE|MERGE");
    template->is_ddl =
        sql_is_ddl(head) || (scan->statement.select_into && sql_head_is(head, "SELECT|WITH"));
    template->no_columns = template->is_ddl || (changes_rows && !scan->statement.returning);
    template->is_shared = sql_is_shared(head);
    template->command = arena_strdup(scan->arena, head->count ? head->words[0] : "");
    *VEC_PUSH(scan->arena, &scan->out->items) = template;
}

/* Reports what is still open at the end of the text. */
static void check_closed(struct scan *scan)
{
    if (scan->brackets.count) {
        const struct bracket *bracket = &scan->brackets.items[scan->brackets.count - 1];
        (void)report(scan, bracket->offset,
                     bracket->kind == '(' ? "this ( is not closed" : "this [ is not closed");
    } else if (scan->statement.body) {
        (void)report(scan, scan->statement.body_start, "this BEGIN ATOMIC has no END");
    }
}

bool sql_scan(const struct snippet *snippet, sql_known_name *known, const void *context,
              struct arena *arena, struct sql_templates *out, struct diagnostics *diagnostics)
{
    struct scan scan = {.snippet = snippet,
                        .lexer = {.text = snippet->text, .size = snippet->size},
                        .known = known,
                        .known_context = context,
                        .arena = arena,
                        .out = out,
                        .diagnostics = diagnostics};
    statement_begin(&scan, 0);
    for (;;) {
        struct sql_token token = sql_lex(&scan.lexer);
        if (token.kind == SQL_TOKEN_BAD) {
            (void)report(&scan, token.start, token.problem);
            return false;
        }
        if (token.kind == SQL_TOKEN_END) {
            break;
        }
        if (is_char(&scan, &token, ';') && !scan.brackets.count && !scan.statement.body) {
            statement_end(&scan);
            if (out->items.count > STATEMENTS_MAX) {
                return error_hint(
                    report(&scan, scan.first, "more than 1000 statements in one text"),
                    "put them into a file of `schema`");
            }
            statement_begin(&scan, token.end);
        } else {
            read_token(&scan, &token);
        }
    }
    check_closed(&scan);
    statement_end(&scan);
    return !scan.failed;
}
