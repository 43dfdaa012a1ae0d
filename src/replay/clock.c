/*
 * A simulated clock in a script. A setting of the server names the file that holds its time; COPY
 * writes that file between the steps' transactions.
 */
#include "example/step/advance.h"
#include "replay/script.h"
#include "value/time/moment.h"

#include <string.h>

#define CLOCK_MARK "-- Clock: "

void clock_write_head(struct script *script)
{
    const struct machine_clock *clock = script->machine->clock;
    if (clock) {
        strbuf_addf(script->out,
                    CLOCK_MARK
                    "%s\n"
                    "-- The clock is simulated, by a server that pgfsm replay starts. On any other "
                    "server, the\n"
                    "-- script tests nothing: it says so, and ends with an error.\n",
                    now_text(&script->arena, clock->start_us));
    }
}

bool clock_read_head(const char *line, size_t size, struct replay_head *out)
{
    struct arena arena = {0};
    size_t mark = strlen(CLOCK_MARK);
    struct moment moment = {0};
    if (size < mark || memcmp(line, CLOCK_MARK, mark) != 0) {
        return false;
    }
    struct value text = value_string(&arena, line + mark, size - mark);
    if (moment_read(text.as.string, &moment) && moment.kind == MOMENT_TIMESTAMPTZ) {
        out->has_clock = out->empty = true;
        out->clock_us = moment.number;
    }
    arena_free(&arena);
    return true;
}

/* Writes all six digits of the fraction and half a microsecond, so that reading does not round
 * down. */
void clock_write(const char *now, struct strbuf *out)
{
    enum { SECONDS = 19, WHOLE = 26 };
    size_t size = strlen(now) - strlen("+00");
    strbuf_addf(out, "COPY (SELECT '%.*s%s", (int)size, now, size == SECONDS ? "." : "");
    strbuf_fill(out, '0', WHOLE - size - (size == SECONDS));
    strbuf_adds(out, "5') TO :'pgfsm_clock';\n");
}

void clock_write_begin(struct script *script)
{
    if (script->machine->clock) {
        strbuf_adds(
            script->out,
            "SELECT pg_catalog.current_setting('pgfsm.clock', true) AS pgfsm_clock,\n"
            "       pg_catalog.current_setting('pgfsm.clock', true) IS NULL AS no_clock\n\\gset\n"
            "\\if :no_clock\n"
            "DO $$ BEGIN RAISE EXCEPTION 'the clock of this server is not simulated'\n"
            "    USING HINT = 'Run this script with pgfsm replay.'; END $$;\n"
            "\\endif\n");
        clock_write(now_text(&script->arena, script->machine->clock->start_us), script->out);
    }
}
