#include "replay/script.h"

/* The settings of pgfsm's own sessions, on which the texts of values depend. */
void session_write(struct script *script)
{
    static const char *const settings[] = {
        "client_encoding = 'UTF8'",
        "client_min_messages = error",
        "standard_conforming_strings = on",
        "array_nulls = on",
        "row_security = on",
        "TimeZone = 'UTC'",
        "DateStyle = 'ISO'",
        "IntervalStyle = 'postgres'",
        "bytea_output = 'hex'",
        "extra_float_digits = 1",
    };
    /* true at the end of a line */
    static const bool ends[] = {false, true, false, false, true, false, false, true, false, true};
    struct strbuf *out = script->out;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        strbuf_addf(out, "%s%s;%s", script->commits ? "SET " : "SET LOCAL ", settings[i],
                    ends[i] ? "\n" : " ");
    }
    const char *level = isolation_name(script->replay->settings->isolation);
    if (script->commits && level) {
        strbuf_addf(out, "SET default_transaction_isolation = '%s';\n", level);
    }
    context_note_defaults(script);
    script->session = script->commits;
    for (size_t i = 0; i < script->settings.count; i++) {
        if (context_is_custom(script->settings.items[i])) {
            context_write_unset(script, i, ";\n", out);
        }
    }
    script->session = false;
}
