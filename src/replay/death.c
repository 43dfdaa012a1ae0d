/* A client that dies: psql connects again, and waits until the server has ended the old session. If
 * the session ends in the middle of a step, that runs on a connection of dblink's (sql/dying.sql).
 */
#include "replay/script.h"

#include "replay/sessions/queries.h"

#include <string.h>

void death_write_pid(struct script *script)
{
    strbuf_adds(script->out, "SELECT pg_catalog.pg_backend_pid() AS pgfsm_dead\n\\gset\n");
}

/* psql opens the new connection before it closes the old one. */
void death_write(struct script *script, const char *comment)
{
    struct strbuf *out = script->out;
    strbuf_addf(out, "-- %s\n", comment);
    strbuf_adds(out, "\\set QUIET on\n"
                     "\\connect\n"
                     "\\set QUIET off\n"
                     "\\encoding UTF8\n"
                     "SET client_min_messages = error;\n"
                     "SELECT pg_catalog.set_config('pgfsm.dead', :'pgfsm_dead', false);\n"
                     "DO $$ BEGIN\n"
                     "    WHILE EXISTS (SELECT FROM pg_catalog.pg_stat_get_activity(\n"
                     "        pg_catalog.current_setting('pgfsm.dead')::pg_catalog.int4)) LOOP\n"
                     "        PERFORM pg_catalog.pg_stat_clear_snapshot();\n"
                     "    END LOOP;\n"
                     "END $$;\n");
    session_write(script);
    if (script->attempts) {
        attempt_write_function(script);
    }
    script->context = NULL;
    script->defer_again = NULL;
    script->outside = script->session = false;
}

void death_write_gates(struct script *script)
{
    strbuf_addc(script->out, '\n');
    dblink_write_extension(script);
    strbuf_adds(script->out, replay_dying);
    strbuf_adds(script->out, replay_gated);
    dblink_write_connection(script);
}

/* Appends a text to be sent, unless it is empty. */
static void add_text(struct strbuf *text, struct strbuf *out)
{
    if (text->size) {
        strbuf_adds(out, ",\n    ");
        attempt_quote(strbuf_text(text), out);
    }
    strbuf_clear(text);
}

void death_write_within(struct script *script, size_t index)
{
    const struct recording *recording = script->recording;
    const struct recorded_step *step = &recording->steps.items[index];
    struct recording own = *recording;
    struct strbuf *out = script->out;
    struct strbuf text = {0};
    own.changes.connected = NULL; /* a new connection has what the database and the role set */
    strbuf_addf(out, "SELECT pgfsm.die(:'connection', %u", step->gate);
    script->out = &text;
    script->recording = &own;
    script->attempting = true;
    session_write(script);
    script->session = script->outside;
    add_text(&text, out);
    for (size_t i = 0; i < step->statements.count; i++) {
        const struct recorded_statement *statement = &step->statements.items[i];
        context_write(script, statement->context, ";\n", &text);
        add_text(&text, out);
        statement_write(script, statement, &text);
        add_text(&text, out);
    }
    script->attempting = false;
    script->recording = recording;
    script->out = out;
    strbuf_adds(out, ");\n");
    script->context = NULL;
    script->outside = script->session = false;
    strbuf_free(&text);
}
