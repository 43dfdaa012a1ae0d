/* Sessions in a psql script, as connections of the extension dblink (sql/sessions.sql). */
#include "base/words.h"
#include "replay/quote.h"
#include "replay/sessions/queries.h"
#include "replay/sessions/sessions.h"

#include <stdio.h>
#include <string.h>

void sessions_write_plan(struct script *script)
{
    strbuf_adds(script->out, "\\if :{?setup}\n"
                             "\\echo '1..0 # SKIP this sets up what isolationtester plays'\n"
                             "\\else\n");
    dblink_write_plan(script);
    strbuf_adds(script->out, "\\endif\n");
}

/* Appends the text as a dollar-quoted constant, with the tag $sql$ or another. */
static void add_dollars(struct strbuf *out, const char *text)
{
    char tag[32] = "$sql$";
    for (unsigned i = 2; strstr(text, tag); i++) {
        (void)snprintf(tag, sizeof tag, "$sql_%u$", i);
    }
    strbuf_addf(out, "%s%s%s", tag, text, tag);
}

/* --- what sessions need --- */

/* Values from the first part of the script, for all later connections. */
static void write_values(struct script *script)
{
    for (size_t i = 0; i < script->variables.count; i++) {
        const char *name = script->variables.items[i].name;
        strbuf_addf(script->out,
                    "SELECT pg_catalog.format('ALTER ROLE CURRENT_USER IN DATABASE %%I "
                    "SET " SESSION_SETTING "%s TO %%L',\n    pg_catalog.current_database(), "
                    "coalesce(:%s, ''))\n\\gexec\n",
                    name, name);
    }
}

static void write_gates(const struct sessions_script *sessions)
{
    struct strbuf *out = sessions->whole->out;
    const struct race *race = sessions->whole->failure->race;
    if (sessions->moves.gates || sessions->moves.limited) {
        strbuf_addf(out, "\n%s%s", replay_gates, replay_gated);
        for (size_t i = 0; i < race->bodies.count; i++) {
            strbuf_addf(out, "%s;\n", race->bodies.items[i]);
        }
    }
    if (sessions->moves.by_row) {
        strbuf_adds(out, replay_rows);
    }
    for (unsigned i = 1; i <= sessions->moves.gates; i++) {
        strbuf_addf(out, "CREATE SEQUENCE pgfsm.crossings_%u;\n", i);
        if (race->bodies.count) {
            strbuf_addf(out, "CREATE SEQUENCE pgfsm.bodies_%u;\n", i);
        }
        if (sessions->moves.by_row) {
            strbuf_addf(out, "CREATE SEQUENCE pgfsm.rows_%u;\n", i);
        }
    }
}

static void write_locks(const struct sessions_script *sessions)
{
    for (size_t i = 0; i < sessions->moves.items.count; i++) {
        const struct move *move = &sessions->moves.items.items[i];
        for (size_t k = 0; k < move->stops.count; k++) {
            strbuf_addf(sessions->whole->out, "SELECT pg_catalog.pg_advisory_lock(%u, %u);\n",
                        SESSIONS_GATE_LOCKS + move->gate, move->stops.items[k]);
        }
    }
}

static void write_extension(struct script *script)
{
    strbuf_addf(
        script->out,
        "\n-- From here on, names are pg_catalog's first, then the schema's.\n"
        "SELECT pg_catalog.set_config('search_path', pg_catalog.concat_ws(', ', 'pg_catalog, "
        "pg_temp',\n    CASE WHEN path OPERATOR(pg_catalog.<>) '' THEN path END), false)\n"
        "FROM pg_catalog.current_setting('search_path') AS path;\n\n%s\n",
        replay_sessions);
    dblink_write_extension(script);
    strbuf_adds(script->out,
                "SELECT pg_catalog.set_config('search_path', pg_catalog.concat_ws(', ', "
                "pg_catalog.current_setting('search_path'), extnamespace::regnamespace), false)\n"
                "FROM pg_extension WHERE extname = 'dblink';\n");
}

static bool has_session(const struct sessions_script *sessions, unsigned session)
{
    bool has = false;
    for (size_t i = 0; i < sessions->moves.items.count; i++) {
        has = has || sessions->moves.items.items[i].session == session;
    }
    return has;
}

/* A call of the function with what the session begins with. */
static void write_connection(struct sessions_script *sessions, unsigned session,
                             const char *function)
{
    struct strbuf *out = sessions->whole->out;
    struct strbuf settings = {0};
    session_write_settings(sessions, session, &settings);
    strbuf_addf(out, "pg_temp.%s('%s', :'connection', ", function, session_name(session));
    add_dollars(out, strbuf_text(&settings));
    strbuf_addc(out, ')');
    strbuf_free(&settings);
}

static void write_connections(struct sessions_script *sessions)
{
    struct script *script = sessions->whole;
    const char *between = "";
    dblink_write_connection(script);
    strbuf_adds(
        script->out,
        "SELECT why IS NOT NULL AS alone, pg_catalog.left(pg_catalog.translate(why, E'\\n#', '  "
        "'), 200) AS why FROM "
        "coalesce(");
    for (unsigned i = 1; i <= MOVES_CHECKS; i++) {
        if (has_session(sessions, i)) {
            strbuf_addf(script->out, "%s\n    ", between);
            write_connection(sessions, i, "connect");
            between = ",";
        }
    }
    strbuf_adds(script->out, ") AS why\n\\gset\n\\if :alone\n");
    dblink_write_skip(script, "dblink can''t connect (see the head):' :why");
}

/* --- moves --- */

static const struct recorded_statement *statement_of(const struct sessions_script *sessions,
                                                     const struct move *move)
{
    const struct recorded_step *step = &sessions->whole->recording->steps.items[move->recorded];
    return move->kind == MOVE_SEND && move->call < step->statements.count
               ? &step->statements.items[move->call]
               : NULL;
}

/* True for types that a column can't have; their values are read as text. */
static bool is_pseudo(const char *type)
{
    return word_is_in(type, "void|record|unknown|cstring|trigger|event_trigger|internal");
}

/* Appends the result's columns, "withdraw integer"; a command has a status. */
static void add_columns(struct script *script, const struct recorded_statement *statement,
                        bool types, struct strbuf *out)
{
    const char *const *names = statement ? statement_columns(script, statement) : NULL;
    size_t count = statement ? statement->columns.count : 0;
    for (size_t i = 0; i < count; i++) {
        const char *type = statement->columns.items[i].type;
        strbuf_adds(out, i ? ", " : "");
        quote_identifier(out, names[i]);
        if (types) {
            strbuf_addf(out, " %s", is_pseudo(type) ? "text" : type);
        }
    }
    strbuf_adds(out, count ? "" : types ? "status text" : "status");
}

static void add_cell(struct script *script, const struct recorded_statement *statement,
                     size_t column, const struct recorded_value *value, struct strbuf *out)
{
    const char *type = statement->columns.count ? statement->columns.items[column].type : "text";
    if (strcmp(type, "void") == 0) {
        strbuf_adds(out, "''::text");
    } else {
        value_write_typed(script, value, is_pseudo(type) ? "text" : type, out);
    }
}

static void add_expected_rows(struct script *script, const struct recorded_statement *statement,
                              struct strbuf *out)
{
    const struct recorded_rows *rows = statement->answer;
    for (size_t i = 0; i < rows->cells.count; i++) {
        size_t column = i % rows->columns;
        strbuf_adds(out, column ? ", " : i ? "), (" : "(");
        add_cell(script, statement, column, &rows->cells.items[i], out);
    }
    strbuf_adds(out, rows->cells.count ? ")" : "");
}

/* Writes the answer that the move had when the race was found. */
static void write_found(struct sessions_script *sessions, const struct move *move)
{
    struct script *script = sessions->whole;
    struct strbuf *out = script->out;
    const struct recorded_statement *statement = statement_of(sessions, move);
    const struct recorded_step *step = &script->recording->steps.items[move->recorded];
    strbuf_adds(out, "INSERT INTO found SELECT ");
    quote_literal(out, move->step, strlen(move->step));
    strbuf_addf(out, ", %zu, ", move->call + 1);
    if (move->failed) {
        strbuf_addf(out, "ARRAY['error %s']", step->sqlstate);
    } else if (!statement || !statement->answer || statement->answer->cells.count == 0) {
        strbuf_adds(out, "ARRAY[]::text[]");
    } else {
        strbuf_adds(out, "pg_catalog.array_agg(t::text) FROM (VALUES ");
        add_expected_rows(script, statement, out);
        strbuf_adds(out, ") AS t(");
        add_columns(script, statement, false, out);
        strbuf_addc(out, ')');
    }
    strbuf_adds(out, ";\n");
}

static void write_send(struct sessions_script *sessions, const struct move *move)
{
    struct script *script = sessions->whole;
    struct strbuf before = {0};
    struct strbuf sql = {0};
    session_write_before(sessions, move, &before);
    session_write_sent(sessions, move, &sql);
    strbuf_addf(script->out, "SELECT pg_temp.send('%s', ", session_name(move->session));
    quote_literal(script->out, move->step, strlen(move->step));
    strbuf_addf(script->out, ", %zu, ", move->kind == MOVE_END ? (size_t)0 : move->call + 1);
    add_dollars(script->out, strbuf_text(&sql));
    strbuf_adds(script->out, ", '");
    struct strbuf columns = {0};
    add_columns(script, statement_of(sessions, move), true, &columns);
    for (size_t i = 0; i < columns.size; i++) {
        strbuf_fill(script->out, columns.data[i], columns.data[i] == '\'' ? 2 : 1);
    }
    strbuf_addc(script->out, '\'');
    if (before.size) {
        strbuf_adds(script->out, ", ");
        add_dollars(script->out, strbuf_text(&before));
    }
    strbuf_adds(script->out, ");\n");
    strbuf_free(&columns);
    strbuf_free(&before);
    strbuf_free(&sql);
}

static void write_move(struct sessions_script *sessions, const struct move *move)
{
    struct script *script = sessions->whole;
    bool first = move->kind == MOVE_SEND && move->begins;
    if (first) {
        struct strbuf text = {0};
        strbuf_addf(&text, "%s  %s", move->step, session_call(sessions, move));
        strbuf_addc(script->out, '\n');
        comment_line(script->out, strbuf_text(&text));
        strbuf_free(&text);
    }
    if (move->kind == MOVE_GO_ON) {
        strbuf_addf(script->out, "\n-- %s goes on\n", move->step);
        strbuf_addf(script->out, "SELECT pg_temp.go_on(%u, %u);\n", move->gate, move->crossing);
        return;
    }
    if (move->kind == MOVE_DIE) {
        session_begin_anew(sessions, move->session);
        strbuf_addf(script->out, "\n-- The client of %s dies. Another one takes its place.\n",
                    move->step);
        strbuf_adds(script->out, "SELECT ");
        write_connection(sessions, move->session, "die");
        strbuf_adds(script->out, ";\n");
        return;
    }
    write_send(sessions, move);
    if (*move->notes) {
        comment_line(script->out, move->notes);
    }
}

static void write_moves(struct sessions_script *sessions)
{
    struct strbuf *out = sessions->whole->out;
    bool checks = false;
    for (size_t i = 0; i < sessions->moves.items.count; i++) {
        const struct move *move = &sessions->moves.items.items[i];
        if (move->session == MOVES_CHECKS && !checks) {
            strbuf_adds(out, "\nSELECT pg_temp.finish();\n");
        }
        checks = move->session == MOVES_CHECKS;
        write_move(sessions, move);
    }
    strbuf_adds(out, "SELECT pg_temp.finish();\n");
}

/* True if the client computed values of later statements from its answer. They are constants in the
 * script, which are right only if the answer is the same. */
static bool is_computed_from(const struct sessions_script *sessions, const struct move *move)
{
    const struct rule *rule = sessions->whole->recording->steps.items[move->recorded].rule;
    return statement_of(sessions, move) && rule && rule->computes &&
           rule->statements.items[move->call].result_slot != SLOT_NONE;
}

/* True if SQL compares its answer. Others matter only if they contradict an order. */
static bool is_compared(const struct sessions_script *sessions, const struct move *move)
{
    return move->kind == MOVE_SEND && move->counts &&
           (statement_of(sessions, move) || move->failed) &&
           (move->session == MOVES_CHECKS || is_computed_from(sessions, move) ||
            race_contradicts(sessions->whole->failure->race, move->step));
}

static void write_comparison(struct sessions_script *sessions)
{
    struct strbuf *out = sessions->whole->out;
    bool any = false;
    strbuf_adds(out, "\n-- What no order of the steps gives: is it the same again?\n"
                     "CREATE TEMP TABLE found (step text, call integer, rows text[]);\n");
    for (int all = 0; all < 2 && !any; all++) {
        for (size_t i = 0; i < sessions->moves.items.count; i++) {
            const struct move *move = &sessions->moves.items.items[i];
            bool wanted =
                is_compared(sessions, move) ||
                (all && move->kind == MOVE_SEND && move->counts && statement_of(sessions, move));
            any = any || wanted;
            if (wanted) {
                write_found(sessions, move);
            }
        }
    }
    strbuf_adds(
        out,
        "SELECT NOT pg_catalog.bool_and(same) AS ok, pg_catalog.string_agg(pg_catalog.format('%s "
        "gives %s%s', step, came,\n"
        "    CASE WHEN NOT same THEN ', not ' || found END), '; ' ORDER BY step, call) AS given\n"
        "FROM (SELECT step, call, coalesce(f.rows OPERATOR(pg_catalog.=) a.rows, false) AS same,\n"
        "          coalesce(nullif(pg_catalog.translate(pg_catalog.array_to_string(f.rows, ' '), "
        "E'\\n', ' '), ''), 'no "
        "rows') AS found,\n"
        "          pg_catalog.translate(coalesce(nullif(pg_catalog.concat_ws(' ', "
        "pg_catalog.array_to_string(a.rows, ' '), "
        "a.error), ''),\n"
        "                             'no rows'), E'\\n', ' ') AS came\n"
        "      FROM found AS f LEFT JOIN answers AS a USING (step, call)) AS compared\n\\gset\n");
}

void sessions_write_setup(struct sessions_script *sessions)
{
    write_values(sessions->whole);
    write_gates(sessions);
    strbuf_adds(sessions->whole->out, "\n\\if :{?setup}\n\\quit\n\\endif\n");
}

void sessions_write(struct sessions_script *sessions)
{
    write_extension(sessions->whole);
    write_connections(sessions);
    strbuf_adds(sessions->whole->out, "\n-- Who was there before the sessions has left.\n"
                                      "SELECT pg_advisory_unlock_all();\n");
    write_locks(sessions);
    write_moves(sessions);
    write_comparison(sessions);
}

void sessions_write_diagnostics(struct script *script, bool reproduced)
{
    strbuf_addf(script->out, "\\echo '#%s' :given\n", reproduced ? "" : " not reproduced:");
}
