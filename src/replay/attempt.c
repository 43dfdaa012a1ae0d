/* Runs a step that should raise an error in a function that catches it, because psql prints every
 * error that reaches it. The function lives as long as the script's session. */
#include "base/words.h"
#include "replay/quote.h"
#include "replay/script.h"
#include "sql/lex.h"

#include <stdio.h>
#include <string.h>

bool statement_runs_in_function(const struct sql_template *sql)
{
    bool known = sql->command &&
                 word_is_in(sql->command, "SELECT|INSERT|UPDATE|DELETE|VALUES|MERGE|WITH|CALL|DO");
    bool reads = known && (*sql->command == 'S' || *sql->command == 'W');
    struct sql_lexer lexer = {.text = sql->snippet.text, .size = sql->snippet.size};
    while (reads && known) {
        struct sql_token token = sql_lex(&lexer);
        reads = token.kind != SQL_TOKEN_END && token.kind != SQL_TOKEN_BAD;
        known = !reads || !sql_token_is(&lexer, &token, "INTO");
    }
    return known;
}

bool attempt_possible(const struct recorded_step *step)
{
    bool possible = step->statements.count > 0 && !(step->rule && step->rule->outside);
    for (size_t i = 0; i < step->statements.count; i++) {
        possible = possible && statement_runs_in_function(step->statements.items[i].sql);
    }
    return possible;
}

void attempt_write_function(struct script *script)
{
    strbuf_adds(script->out,
                "-- Runs SQL that may fail, and says how. Without an error `raised` is 00000.\n"
                "CREATE FUNCTION pg_temp.attempt(sql pg_catalog.text, OUT raised pg_catalog.text, "
                "OUT message pg_catalog.text)\n"
                "    LANGUAGE plpgsql AS $$\n"
                "BEGIN\n"
                "    EXECUTE sql;\n"
                "    raised := '00000';\n"
                "    message := '';\n"
                "EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN\n"
                "    raised := SQLSTATE;\n"
                "    message := SQLERRM;\n"
                "END $$;\n");
}

/* Appends the text for format(), and the variables as its arguments. */
static void add_format(const char *text, struct strbuf *out, struct strbuf *arguments)
{
    while (*text) {
        size_t size = strcspn(text, ATTEMPT_MARK);
        for (size_t i = 0; i < size; i++) {
            strbuf_fill(out, text[i], text[i] == '%' ? 2 : 1);
        }
        text += size;
        if (*text) {
            size = strcspn(text + 1, ATTEMPT_MARK);
            strbuf_adds(out, "%s");
            strbuf_addf(arguments, ", :'%.*s'", (int)size, text + 1);
            text += size + 2;
        }
    }
}

/* Appends all of the step's statements and the check of deferred constraints in one message, so
 * that the first error ends them. */
static void add_joined(struct script *script, const struct recorded_step *step, const char *join,
                       struct strbuf *out)
{
    for (size_t i = 0; i < step->statements.count; i++) {
        const struct recorded_statement *statement = &step->statements.items[i];
        strbuf_adds(out, i ? join : "");
        context_write(script, statement->context, join, out);
        statement_write(script, statement, out);
    }
    if (deferred_possible(script, step)) {
        strbuf_adds(out, step->statements.count ? join : "");
        context_write(script, step->deferred_context, join, out);
        strbuf_adds(out, "SET CONSTRAINTS ALL IMMEDIATE");
    }
    strbuf_adds(out, ";\n");
}

/* Appends the statements one by one; they stop at the first error. */
static void add_each(struct script *script, const struct recorded_step *step)
{
    size_t count = step->statements.count;
    for (size_t i = 0; i < count; i++) {
        const struct recorded_statement *statement = &step->statements.items[i];
        strbuf_adds(script->out, i ? "\\if :ERROR\n\\else\n" : "");
        context_write(script, statement->context, ";\n", script->out);
        statement_write(script, statement, script->out);
        strbuf_adds(script->out, ";\n");
    }
    for (size_t i = 1; i < count; i++) {
        strbuf_adds(script->out, "\\endif\n");
    }
}

void attempt_write_plain(struct script *script, const struct recorded_step *step, const char *then)
{
    strbuf_adds(script->out, "\\set ON_ERROR_STOP off\n");
    if (script->outside) {
        add_each(script, step);
    } else {
        add_joined(script, step, "\\;\n", script->out);
    }
    strbuf_addf(script->out, "%s\\set ON_ERROR_STOP on\n", then);
}

void attempt_quote(const char *text, struct strbuf *out)
{
    struct strbuf format = {0};
    struct strbuf arguments = {0};
    char tag[32] = "$step$";
    for (unsigned i = 2; strstr(text, tag); i++) {
        (void)snprintf(tag, sizeof tag, "$step_%u$", i);
    }
    add_format(text, &format, &arguments);
    bool plain = arguments.size == 0;
    strbuf_addf(out, "%s%s\n", plain ? "" : "pg_catalog.format(", tag);
    strbuf_adds(out, plain ? text : strbuf_text(&format));
    strbuf_addf(out, "%s%s%s", tag, strbuf_text(&arguments), plain ? "" : ")");
    strbuf_free(&format);
    strbuf_free(&arguments);
}

void attempt_write(struct script *script, const struct recorded_step *step)
{
    struct strbuf text = {0};
    script->attempting = true;
    add_joined(script, step, ";\n", &text);
    script->attempting = false;
    strbuf_adds(script->out, "SELECT * FROM pg_temp.attempt(");
    attempt_quote(strbuf_text(&text), script->out);
    strbuf_addc(script->out, ')');
    strbuf_free(&text);
}
