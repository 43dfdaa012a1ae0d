/* A client that dies: psql connects again, and waits until the server has ended the old session. */
#include "replay/script.h"

void death_write_pid(struct script *script)
{
    strbuf_adds(script->out, "SELECT pg_catalog.pg_backend_pid() AS pgfsm_dead\n\\gset\n");
}

/* psql opens the new connection before it closes the old one. */
void death_write(struct script *script)
{
    struct strbuf *out = script->out;
    strbuf_adds(out, "-- The client dies. Another one takes its place.\n"
                     "\\set QUIET on\n"
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
