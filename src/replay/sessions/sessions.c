#include "replay/sessions/sessions.h"

#include "machine/sql/sql_study.h"

#include <string.h>

static struct recording *recording_for_sessions(struct arena *arena,
                                                const struct recording *recording)
{
    struct recording *copy = arena_memdup(arena, recording, sizeof *recording);
    copy->changes.connected = NULL; /* the server sets it on each new connection */
    return copy;
}

void sessions_begin(struct sessions_script *sessions, struct script *whole)
{
    *sessions = (struct sessions_script){.whole = whole};
    moves_of(whole->failure, &whole->arena, &sessions->moves);
    for (unsigned i = 0; i < MOVES_CHECKS; i++) {
        struct script *script = &sessions->each[i].script;
        *script = *whole;
        script->arena = (struct arena){0};
        script->out = NULL;
        script->context = NULL;
        script->values_in_settings = true;
        script->recording = recording_for_sessions(&script->arena, whole->recording);
    }
}

void sessions_free(struct sessions_script *sessions)
{
    for (unsigned i = 0; i < MOVES_CHECKS; i++) {
        arena_free(&sessions->each[i].script.arena);
    }
}

/* The session that detects a deadlock is ended by it. So only the session that ended may check for
 * deadlocks in time. One that waited before the others checks when they do, too. */
static const char *deadlock_timeout(const struct sessions_script *sessions, unsigned session)
{
    const struct recording *recording = sessions->whole->recording;
    const struct move *own = moves_deadlocked(&sessions->moves, recording, session);
    bool any = false;
    for (unsigned i = 1; i <= TRACE_SESSIONS_MAX; i++) {
        any = any || moves_deadlocked(&sessions->moves, recording, i);
    }
    return !any ? NULL : !own ? "100s" : own->came_last ? "10ms" : "5s";
}

void session_write_settings(const struct sessions_script *sessions, unsigned session,
                            struct strbuf *out)
{
    struct script script = sessions->each[session - 1].script;
    const char *timeout = deadlock_timeout(sessions, session);
    script.out = out;
    session_write(&script);
    if (timeout) {
        strbuf_addf(out, "SET deadlock_timeout = '%s';\n", timeout);
    }
    strbuf_adds(out, "SET " SESSION_SETTING "stops = '';\n");
}

static const struct recorded_statement *statement_of(const struct sessions_script *sessions,
                                                     const struct move *move)
{
    const struct recorded_step *step = &sessions->whole->recording->steps.items[move->recorded];
    return move->kind == MOVE_SEND && move->call < step->statements.count
               ? &step->statements.items[move->call]
               : NULL;
}

/* Joins commands on a line, without the end of the last. */
static void join_commands(struct strbuf *out, const char *commands)
{
    size_t size = strlen(commands);
    while (size && strchr(";\n", commands[size - 1])) {
        size--;
    }
    strbuf_adds(out, size && out->size ? "; " : "");
    strbuf_add(out, commands, size);
}

static void write_stops(struct session_script *session, const struct move *move, struct strbuf *out)
{
    strbuf_adds(out, "SET LOCAL " SESSION_SETTING "stops = '");
    if (move->stops.count + move->ends.count > 0) {
        strbuf_addf(out, "%u", move->gate);
    }
    for (size_t i = 0; i < move->stops.count; i++) {
        strbuf_addf(out, " %u", move->stops.items[i]);
    }
    for (size_t i = 0; i < move->ends.count; i++) {
        strbuf_addf(out, " -%u", move->ends.items[i]);
    }
    strbuf_adds(out, "'");
    session->told = move->stops.count + move->ends.count > 0;
}

void session_begin_anew(struct sessions_script *sessions, unsigned session)
{
    struct session_script *of = &sessions->each[session - 1];
    of->script.context = NULL;
    of->script.defer_again = NULL;
    of->script.outside = of->script.session = false;
    of->told = false;
}

void session_write_before(struct sessions_script *sessions, const struct move *move,
                          struct strbuf *out)
{
    struct session_script *session = &sessions->each[move->session - 1];
    const struct recorded_statement *statement = statement_of(sessions, move);
    const struct recorded_step *step = &sessions->whole->recording->steps.items[move->recorded];
    struct strbuf begin = {0};
    struct strbuf context = {0};
    struct strbuf stops = {0};
    struct strbuf before = {0};
    if (move->kind == MOVE_SEND && move->begins) {
        session->script.out = &begin;
        step_begin(&session->script, move->recorded);
        step_write_begin(&session->script, move->recorded);
        session->told = false;
    }
    if (move->kind == MOVE_SEND) {
        context_write(&session->script, statement ? statement->context : step->deferred_context,
                      "; ", &context);
        if (context.size && context.data[context.size - 1] == ' ') {
            strbuf_truncate(&context, context.size - 1);
        }
        if (move->stops.count || move->ends.count || session->told || context.size) {
            write_stops(session, move, &stops);
        }
    }
    join_commands(&before, strbuf_text(&begin));
    join_commands(&before, strbuf_text(&context));
    join_commands(&before, strbuf_text(&stops));
    strbuf_add(out, strbuf_text(&before), before.size);
    strbuf_free(&begin);
    strbuf_free(&context);
    strbuf_free(&stops);
    strbuf_free(&before);
}

void session_write_sent(struct sessions_script *sessions, const struct move *move,
                        struct strbuf *out)
{
    const struct recorded_statement *statement = statement_of(sessions, move);
    if (statement && move->by_row && sql_locks_rows(&statement->sql->snippet)) {
        strbuf_adds(out, "WITH pgfsm_rows AS MATERIALIZED (");
        statement_write(&sessions->each[move->session - 1].script, statement, out);
        strbuf_adds(out, "\n) SELECT * FROM pgfsm_rows WHERE pgfsm.locked()");
    } else if (statement) {
        statement_write(&sessions->each[move->session - 1].script, statement, out);
    } else {
        strbuf_adds(out, "COMMIT");
    }
}

const char *session_call(const struct sessions_script *sessions, const struct move *move)
{
    const struct race *race = sessions->whole->failure->race;
    const struct recorded_step *step = &sessions->whole->recording->steps.items[move->recorded];
    struct strbuf text = {0};
    if (step->invariant) {
        strbuf_addf(&text, "invariant %s", step->invariant->name);
    }
    for (size_t i = 0; i < race->steps.count && step->session; i++) {
        if (race->steps.items[i].id == step->id) {
            trace_print_step(&race->steps.items[i].shown, &text);
        }
    }
    return strbuf_take(&text, &sessions->whole->arena);
}

const char *session_name(unsigned session)
{
    static const char *const names[] = {"A", "B", "C", "D", "checks"};
    return names[session - 1];
}

/* Whether the value was in a table before the session read it. The script compares what is read. */
static bool is_stored(const struct recording *recording, struct recorded_cell from)
{
    const struct recorded_step *step = &recording->steps.items[from.step];
    const struct recorded_statement *statement = &step->statements.items[from.statement];
    return step->rule && step->rule->computes && statement->columns.items[from.column].stored;
}

static bool depends(const struct recording *recording, const struct recorded_value *value)
{
    for (size_t i = 0; i < value->parts.count; i++) {
        const struct recorded_part *part = &value->parts.items[i];
        struct recorded_cell from = recording_cell(recording, part->cell);
        if (part->cell && from.step != SIZE_MAX && recording->steps.items[from.step].session &&
            !is_stored(recording, from) && strspn(part->text, "0123456789") != part->size) {
            return true;
        }
    }
    return false;
}

static bool statement_depends(const struct recording *recording,
                              const struct recorded_statement *statement)
{
    const struct recorded_context *context = statement->context;
    bool found = false;
    for (size_t i = 0; i < statement->values.count; i++) {
        found = found || depends(recording, &statement->values.items[i]);
    }
    for (size_t i = 0; context && i < context->settings.count; i++) {
        found = found || depends(recording, &context->settings.items[i].value);
    }
    return found;
}

bool sessions_depend(const struct recording *recording)
{
    for (size_t i = 0; i < recording->steps.count; i++) {
        const struct recorded_step *step = &recording->steps.items[i];
        for (size_t k = 0; k < step->statements.count; k++) {
            if (statement_depends(recording, &step->statements.items[k])) {
                return true;
            }
        }
    }
    return false;
}
