#include <pgfsm/replay.h>

#include "api/database.h"
#include "api/errors.h"
#include "base/file.h"
#include "base/path.h"
#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD_MAX = 1 << 16 /* bytes of a script that its head fits in */ };

struct replayed {
    struct pgfsm_replayed public; /* first */
    struct arena arena;
};

static bool read_text(const char *path, struct arena *arena, const char **head, struct error *err)
{
    struct strbuf text = {0};
    bool read = file_head(path, HEAD_MAX, &text, err);
    *head = strbuf_take(&text, arena);
    return read;
}

/* The files that the script's head says are to be loaded first. What is not a
 * script of ours is not run: it may commit what it does. */
static bool read_head(const char *path, struct arena *arena, struct replay_head *out,
                      struct pgfsm_errors *errors)
{
    const char *head;
    struct error err = {0};
    if (!read_text(path, arena, &head, &err)) {
        return errors_add_usage(errors, &err);
    }
    if (!replay_is_script(head)) {
        (void)error_set(&err, ERROR_USAGE, "%s is not a replay script of pgfsm", path);
        error_hint(&err, "to run any SQL file: psql -X -f %s", path);
        return errors_add(errors, &err);
    }
    replay_read_head(head, arena, out);
    for (size_t i = 0; i < out->paths.count; i++) {
        out->paths.items[i] = path_beside(arena, path, out->paths.items[i]);
    }
    return true;
}

static struct pgfsm_replayed *replayed_new(struct pg_script_result *result)
{
    struct replayed *replayed = memory_alloc(sizeof *replayed);
    enum replay_verdict verdict = replay_judge(strbuf_text(&result->errors), result->status);
    if (result->lost) {
        verdict = REPLAY_FAILED;
        strbuf_adds(&result->output, "not ok 1 - the server closed the connection\n");
    }
    *replayed = (struct replayed){0};
    replayed->public = (struct pgfsm_replayed){
        .ran = verdict != REPLAY_BROKEN,
        .held = verdict == REPLAY_HELD,
        .output = strbuf_copy(&result->output, &replayed->arena),
        .output_size = result->output.size,
        .errors = strbuf_copy(&result->errors, &replayed->arena),
        .errors_size = result->errors.size,
    };
    return &replayed->public;
}

static bool run_script(struct pgfsm_replayed **out, const struct pg_script *script,
                       struct pgfsm_database *database, struct pgfsm_errors *errors)
{
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    struct pg_script_result result;
    struct error err;
    bool ran = pg_script_run(database->target, script, &result, &diagnostics, &err);
    if (ran && result.lost && !replay_came_to_loss(strbuf_text(&result.output))) {
        ran = error_set(&err, ERROR_CONNECTION, "the connection was lost before %s ended",
                        script->path);
    }
    if (ran) {
        *out = replayed_new(&result);
    } else {
        (void)errors_add_both(errors, &diagnostics, &err);
    }
    pg_script_result_free(&result);
    arena_free(&arena);
    return ran;
}

bool pgfsm_replay(struct pgfsm_replayed **out, const char *path, struct pgfsm_database *database,
                  const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors)
{
    struct arena arena = {0};
    struct replay_head read = {0};
    *out = NULL;
    database->callbacks = callbacks;
    bool ran = read_head(path, &arena, &read, errors);
    if (ran) {
        const struct pg_script script = {.path = path,
                                         .first = read.paths.items,
                                         .first_count = read.paths.count,
                                         .scratch = read.empty || read.paths.count > 0,
                                         .clock_us = read.has_clock ? &read.clock_us : NULL,
                                         .loses = read.loses};
        ran = run_script(out, &script, database, errors);
    }
    database->callbacks = NULL;
    arena_free(&arena);
    return ran;
}

void pgfsm_replayed_free(struct pgfsm_replayed *replayed)
{
    if (replayed) {
        struct replayed *whole = (struct replayed *)(void *)replayed;
        arena_free(&whole->arena);
        free(whole);
    }
}
