#include "replay/script.h"

#include "base/words.h"
#include "replay/quote.h"
#include "replay/sessions/sessions.h"

#include <string.h>

/* The number of steps before the sessions, or before the last step, which is checked. */
static size_t steps_before(const struct script *script)
{
    const struct recording *recording = script->recording;
    size_t count = 0;
    if (!recording->sessions) {
        return recording->steps.count - 1;
    }
    while (count < recording->steps.count && recording->steps.items[count].session == 0) {
        count++;
    }
    return count;
}

/* True if a step or the check is an attempt. */
static bool attempts(const struct script *script)
{
    const struct recorded_step *steps = script->recording->steps.items;
    for (size_t i = 0; i < steps_before(script); i++) {
        if (steps[i].raised && attempt_possible(&steps[i])) {
            return true;
        }
    }
    return !script->recording->sessions && check_attempts(script);
}

static void write_begin(struct script *script)
{
    strbuf_adds(script->out, "\n\\set ON_ERROR_STOP on\n"
                             "\\set ON_ERROR_ROLLBACK off\n"
                             "\\encoding UTF8\n"
                             "\\o /dev/null\n");
    clock_write_begin(script);
    if (script->recording->sessions) {
        sessions_write_plan(script);
    } else if (recording_ends_within(script->recording)) {
        dblink_write_plan(script);
    } else {
        strbuf_adds(script->out, "\\echo 1..1\n");
    }
    if (script->commits) {
        script_write_guard(script);
    } else {
        deferred_write_list(script);
        strbuf_adds(script->out, "\nBEGIN READ WRITE;\nSET LOCAL client_min_messages = warning;\n");
    }
    script->attempts = attempts(script);
    if (script->attempts) {
        attempt_write_function(script);
    }
    script_write_files(script, script->replay->files, script->replay->file_count);
    if (!script->recording->sessions && recording_ends_within(script->recording)) {
        death_write_gates(script);
    }
    session_write(script);
}

static void write_result(struct script *script, const char *result)
{
    strbuf_addf(script->out, "\\echo '%s 1 - ", result);
    tap_text(script->out, script->machine->name);
    strbuf_adds(script->out, ": ");
    tap_text(script->out, script->failure->identity);
    strbuf_adds(script->out, "'\n");
}

static void write_failed(struct script *script)
{
    write_result(script, "not ok");
    if (script->recording->sessions) {
        sessions_write_diagnostics(script, true);
    } else {
        check_write_diagnostics(script);
    }
    script_write_error(script->out, REPLAY_VERDICT);
}

static void write_end(struct script *script)
{
    struct strbuf *out = script->out;
    strbuf_adds(out, script->commits ? "\n\\if :ok\n" : "RESET search_path;\n\n\\if :ok\n");
    if (check_only_recognises(script->failure)) {
        write_failed(script);
        strbuf_adds(out, "\\else\n");
        script_write_error(
            out, "the answer has changed, and SQL can''t tell whether the check is true of "
                 "it; pgfsm replay of the trace can");
    } else {
        write_result(script, "ok");
        if (script->recording->sessions) {
            sessions_write_diagnostics(script, false);
        }
        strbuf_adds(out, "\\else\n");
        write_failed(script);
    }
    strbuf_adds(out, "\\endif\n");
}

static struct script script_of(const struct replay *replay, struct strbuf *out)
{
    struct script script = {
        .out = out,
        .replay = replay,
        .machine = replay->machine,
        .failure = replay->failure,
        .recording = replay->failure->recording,
        .commits = replay->settings->transactions == TRANSACTIONS_COMMIT ||
                   replay->failure->recording->sessions > 0 ||
                   (replay->sides && replay->sides->commits),
    };
    variables_collect(&script);
    context_collect_settings(&script);
    return script;
}

static void write_sessions(struct script *script)
{
    struct sessions_script sessions;
    sessions_begin(&sessions, script);
    sessions_write_setup(&sessions);
    sessions_write(&sessions);
    sessions_free(&sessions);
}

void replay_write(const struct replay *replay, struct strbuf *out)
{
    struct script script = script_of(replay, out);
    head_write(&script);
    if (replay->sides) {
        sides_write(&script);
        arena_free(&script.arena);
        return;
    }
    write_begin(&script);
    for (size_t i = 0; i < steps_before(&script); i++) {
        step_write(&script, i);
    }
    if (script.recording->sessions) {
        write_sessions(&script);
    } else {
        check_write(&script);
    }
    write_end(&script);
    arena_free(&script.arena);
}

void replay_write_spec(const struct replay *replay, struct strbuf *out)
{
    struct script script = script_of(replay, out);
    struct sessions_script sessions;
    sessions_begin(&sessions, &script);
    spec_write(&sessions, out);
    sessions_free(&sessions);
    arena_free(&script.arena);
}

/* True if a line begins with `with`. */
static bool has_line(const char *text, const char *with)
{
    size_t size = strlen(with);
    while (text && strncmp(text, with, size) != 0) {
        text = strchr(text, '\n');
        text += text ? 1 : 0;
    }
    return text != NULL;
}

enum replay_verdict replay_judge(const char *errors, int status)
{
    static const int failed = 3;                          /* psql's status if a statement failed */
    static const char last[] = ":  " REPLAY_VERDICT "\n"; /* the message of write_end */
    size_t size = strlen(errors);
    if (status == 0) {
        return REPLAY_HELD;
    }
    bool meant = size >= sizeof last - 1 && strcmp(errors + size - (sizeof last - 1), last) == 0;
    return status == failed && meant ? REPLAY_FAILED : REPLAY_BROKEN;
}

bool replay_came_to_loss(const char *tap) { return has_line(tap, "# " REPLAY_LOSS); }
