/* A race for PostgreSQL's isolationtester (src/test/isolation/README in its sources). The psql
 * script has the set-up; the spec has the sessions' statements and their order. */
#include "base/shell.h"
#include "replay/sessions/sessions.h"
#include "sql/lex.h"

#include <string.h>

/* `}` ends a block wherever it stands: in constants and names it becomes an escape. */

/* Appends text without escapes for U&'…', in which a backslash begins an escape. */
static void add_plain(struct strbuf *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '}') {
            strbuf_adds(out, "\\007D");
        } else {
            strbuf_fill(out, text[i], text[i] == '\\' ? 2 : 1);
        }
    }
}

/* Appends text that has escapes. */
static void add_escaped(struct strbuf *out, const char *text, size_t size, const char *escape)
{
    for (size_t i = 0; i < size; i++) {
        bool begins = text[i] == '\\' && i + 1 < size;
        if (text[i + begins] == '}') {
            strbuf_adds(out, escape);
        } else {
            strbuf_add(out, text + i, 1 + (size_t)begins);
        }
        i += begins;
    }
}

/* $$…$$ as U&'…' */
static void add_dollar(struct strbuf *out, const char *text, size_t size)
{
    struct strbuf doubled = {0};
    for (size_t i = 0; i < size; i++) {
        strbuf_fill(&doubled, text[i], text[i] == '\'' ? 2 : 1);
    }
    strbuf_adds(out, "U&'");
    add_plain(out, strbuf_text(&doubled), doubled.size);
    strbuf_addc(out, '\'');
    strbuf_free(&doubled);
}

static void add_token(struct strbuf *out, const char *text, const struct sql_token *token)
{
    const char *at = text + token->start;
    size_t size = token->end - token->start;
    bool unicode = *at == 'U' || *at == 'u';
    size_t prefix = strcspn(at, "'\"");
    switch (token->kind) {
    case SQL_TOKEN_STRING:
    case SQL_TOKEN_QUOTED_NAME:
    case SQL_TOKEN_UNICODE:
        strbuf_adds(out, "U&");
        if (unicode) {
            add_escaped(out, at + prefix, size - prefix, "\\007D");
        } else {
            add_plain(out, at + prefix, size - prefix);
        }
        break;
    case SQL_TOKEN_ESCAPES:
        add_escaped(out, at, size, "\\u007D");
        break;
    case SQL_TOKEN_DOLLAR:
        add_dollar(out, text + token->inner_start, token->inner_end - token->inner_start);
        break;
    case SQL_TOKEN_END:
    case SQL_TOKEN_WORD:
    case SQL_TOKEN_BITS:
    case SQL_TOKEN_NUMBER:
    case SQL_TOKEN_POSITION:
    case SQL_TOKEN_VALUE:
    case SQL_TOKEN_LITERAL:
    case SQL_TOKEN_IDENTIFIER:
    case SQL_TOKEN_SYMBOL:
    case SQL_TOKEN_BAD:
    default:
        strbuf_add(out, at, size);
        break;
    }
}

/* Appends the SQL of a block. Between tokens, only comments can have braces. */
static void add_block(struct strbuf *out, const char *text)
{
    struct sql_lexer lexer = {.text = text, .size = strlen(text)};
    size_t at = 0;
    struct sql_token token;
    do {
        token = sql_lex(&lexer);
        bool plain = !memchr(text + token.start, '}', token.end - token.start);
        for (; at < token.start; at++) {
            strbuf_addc(out, text[at] == '}' ? ')' : text[at]);
        }
        if (plain) {
            strbuf_add(out, text + token.start, token.end - token.start);
        } else {
            add_token(out, text, &token);
        }
        at = token.end;
    } while (token.kind != SQL_TOKEN_END && token.kind != SQL_TOKEN_BAD);
}

static void add_comment(struct strbuf *out, const char *indent, const char *text)
{
    struct strbuf line = {0};
    comment_line(&line, text);
    strbuf_addf(out, "%s#%s", indent, strbuf_text(&line) + 2);
    strbuf_free(&line);
}

static void add_quoted_name(struct strbuf *out, const char *name)
{
    strbuf_addc(out, '"');
    for (; *name; name++) {
        strbuf_fill(out, *name, *name == '"' ? 2 : 1);
    }
    strbuf_addc(out, '"');
}

/* Quotes the name if isolationtester needs that; its key words are in lower case. */
static void add_step_name(struct strbuf *out, const char *name)
{
    if (*name >= 'A' && *name <= 'Z') {
        strbuf_adds(out, name);
    } else {
        add_quoted_name(out, name);
    }
}

static void write_block(struct strbuf *out, const char *head, const char *name, const char *sql)
{
    strbuf_addf(out, "%s", head);
    if (name) {
        strbuf_addc(out, ' ');
        add_step_name(out, name);
    }
    strbuf_adds(out, " { ");
    add_block(out, sql);
    strbuf_adds(out, " }\n");
}

static void write_move(struct sessions_script *sessions, const struct move *move,
                       struct strbuf *out)
{
    struct strbuf sql = {0};
    session_write_before(sessions, move, &sql);
    strbuf_adds(&sql, sql.size ? "; " : "");
    session_write_sent(sessions, move, &sql);
    strbuf_addc(&sql, ';');
    write_block(out, "step", move->name, strbuf_text(&sql));
    strbuf_free(&sql);
}

static void write_settings(struct sessions_script *sessions, unsigned session, struct strbuf *out)
{
    struct strbuf sql = {0};
    session_write_settings(sessions, session, &sql);
    strbuf_adds(out, "setup\n{\n");
    add_block(out, strbuf_text(&sql));
    strbuf_adds(out, "}\n");
    strbuf_free(&sql);
}

static void write_session(struct sessions_script *sessions, unsigned session, struct strbuf *out)
{
    bool begun = false;
    for (size_t i = 0; i < sessions->moves.items.count; i++) {
        const struct move *move = &sessions->moves.items.items[i];
        if (move->session != session || move->kind == MOVE_GO_ON) {
            continue;
        }
        if (!begun) {
            strbuf_addf(out, "\nsession %s\n", session_name(session));
            write_settings(sessions, session, out);
        }
        if (move->kind == MOVE_SEND && move->begins) {
            add_comment(out, "", session_call(sessions, move));
        }
        begun = true;
        write_move(sessions, move, out);
    }
}

/* Writes the session that closes and opens the gates. */
static void write_gates(const struct sessions_script *sessions, struct strbuf *out)
{
    const struct moves *moves = &sessions->moves;
    if (moves->gates == 0) {
        return;
    }
    strbuf_adds(out, "\nsession gates\nsetup\n{\n");
    for (size_t i = 0; i < moves->items.count; i++) {
        const struct move *move = &moves->items.items[i];
        for (size_t k = 0; k < move->stops.count; k++) {
            strbuf_addf(out, "DO 'BEGIN PERFORM pg_advisory_lock(%u, %u); END';\n",
                        SESSIONS_GATE_LOCKS + move->gate, move->stops.items[k]);
        }
    }
    strbuf_adds(out, "}\n");
    for (size_t i = 0; i < moves->items.count; i++) {
        const struct move *move = &moves->items.items[i];
        if (move->kind == MOVE_GO_ON) {
            strbuf_addf(out, "step %s { DO 'BEGIN PERFORM pg_advisory_unlock(%u, %u); END'; }\n",
                        move->name, SESSIONS_GATE_LOCKS + move->gate, move->crossing);
        }
    }
}

/* Writes one line per move, with its result. */
static void write_permutation(const struct sessions_script *sessions, struct strbuf *out)
{
    strbuf_adds(out, "\npermutation\n");
    for (size_t i = 0; i < sessions->moves.items.count; i++) {
        const struct move *move = &sessions->moves.items.items[i];
        strbuf_adds(out, "    ");
        add_step_name(out, move->name);
        if (move->behind) {
            strbuf_addc(out, '(');
            add_step_name(out, move->behind);
            strbuf_addc(out, ')');
        }
        if (*move->notes) {
            add_comment(out, "  ", move->notes);
        } else {
            strbuf_addc(out, '\n');
        }
    }
}

static void write_head(const struct sessions_script *sessions, struct strbuf *out)
{
    const struct replay *replay = sessions->whole->replay;
    struct strbuf path = {0};
    struct strbuf spec = {0};
    shell_quote(&path, replay->path);
    shell_quote(&spec, replay->spec);
    add_comment(out, "",
                arena_printf(&sessions->whole->arena,
                             "%s: no serial order explains this. For PostgreSQL's isolationtester.",
                             replay->machine->name));
    strbuf_addf(out,
                "#\n"
                "# To run it, in an empty database:\n"
                "#     psql -X -v setup=1 -f %s\n"
                "#     isolationtester dbname=NAME <%s\n"
                "# It prints what each step is answered, and leaves it to you to compare: what it "
                "was when the\n"
                "# race was found stands at the end. The first command loads the schema, with what "
                "was there before the\n"
                "# sessions%s. Both commit what they do.\n"
                "# Without the race, a session may have to go on that still waits. Then "
                "isolationtester waits, too, up\n"
                "# to PGISOLATIONTIMEOUT seconds (default 300 or 360), and cancels the step.\n",
                strbuf_text(&path), strbuf_text(&spec),
                sessions->moves.gates ? ", and makes gates" : "");
    if (sessions->moves.gates) {
        strbuf_adds(out, "# A gate is where a statement, also one in a function, begins or ends to "
                         "write to a table: a step\n"
                         "# that stops there waits for a lock of the session `gates`, until that "
                         "lets it go on.\n");
    }
    strbuf_free(&path);
    strbuf_free(&spec);
}

void spec_write(struct sessions_script *sessions, struct strbuf *out)
{
    write_head(sessions, out);
    for (unsigned session = 1; session <= MOVES_CHECKS; session++) {
        write_session(sessions, session, out);
    }
    write_gates(sessions, out);
    write_permutation(sessions, out);
}
