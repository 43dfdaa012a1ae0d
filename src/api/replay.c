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
    for (size_t i = 0; i < out->paths_after.count; i++) {
        out->paths_after.items[i] = path_beside(arena, path, out->paths_after.items[i]);
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

/* Of two databases: each with its server. */
struct side {
    struct pgfsm_database *database;
    struct pg_script script;
    struct pg_script_result result;
};

static bool run_side(struct side *side, struct pgfsm_errors *errors)
{
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    struct error err = {0};
    bool ran =
        pg_script_run(side->database->target, &side->script, &side->result, &diagnostics, &err) ||
        errors_add_both(errors, &diagnostics, &err);
    arena_free(&arena);
    return ran;
}

/* The first line of the script's own: before it, files are loaded. */
static bool came_to_steps(const struct side *side) { return side->result.output.size > 0; }

/* What psql complains of where it stopped, as if it had printed it. The word for ERROR is in the
 * server's language; two spaces follow it. */
static void add_stop(struct pg_script_result *result)
{
    const char *said = strbuf_text(&result->errors);
    const char *error = strstr(said, ":  ");
    while (error && error > said && error[-1] != ' ' && error[-1] != '\n') {
        error--;
    }
    if (result->status != 0 && error) {
        strbuf_addf(&result->output, "    it stops: %.*s\n", (int)strcspn(error, "\n"), error);
    }
}

/* As TAP. */
static void add_verdict(const struct strbuf *lines, const char *identity, struct strbuf *out)
{
    size_t size = strcspn(identity, "\n");
    strbuf_addf(out, "1..1\n%s 1 - %.*s: %s\n", lines->size ? "not ok" : "ok", (int)size, identity,
                lines->size ? "both sides still differ" : "both sides agree now");
    for (const char *at = strbuf_text(lines); *at;) {
        size = strcspn(at, "\n");
        strbuf_addf(out, "# %.*s\n", (int)size, at);
        at += size + 1;
    }
}

static struct pgfsm_replayed *compare(struct side sides[2])
{
    struct replayed *replayed = memory_alloc(sizeof *replayed);
    struct strbuf lines = {0};
    struct strbuf out = {0};
    bool ran = came_to_steps(&sides[0]) && came_to_steps(&sides[1]) && sides[0].result.status == 0;
    *replayed = (struct replayed){0};
    for (size_t i = 0; i < 2; i++) {
        add_stop(&sides[i].result);
    }
    replay_compare(strbuf_text(&sides[0].result.output), strbuf_text(&sides[1].result.output),
                   &lines);
    if (ran) {
        add_verdict(&lines, strbuf_text(&sides[0].result.output), &out);
    } else {
        strbuf_adds(&sides[0].result.errors, strbuf_text(&sides[1].result.errors));
    }
    replayed->public = (struct pgfsm_replayed){
        .ran = ran,
        .held = ran && lines.size == 0,
        .output = strbuf_copy(&out, &replayed->arena),
        .output_size = out.size,
        .errors = ran ? "" : strbuf_copy(&sides[0].result.errors, &replayed->arena),
        .errors_size = ran ? 0 : sides[0].result.errors.size,
    };
    strbuf_free(&lines);
    strbuf_free(&out);
    return &replayed->public;
}

static bool run_sides(struct pgfsm_replayed **out, struct side sides[2],
                      struct pgfsm_errors *errors)
{
    bool ran = run_side(&sides[0], errors) && run_side(&sides[1], errors);
    if (ran) {
        *out = compare(sides);
    }
    for (size_t i = 0; i < 2; i++) {
        pg_script_result_free(&sides[i].result);
    }
    return ran;
}

bool pgfsm_replay(struct pgfsm_replayed **out, const char *path, struct pgfsm_database *database,
                  struct pgfsm_database *after, const struct pgfsm_callbacks *callbacks,
                  struct pgfsm_errors *errors)
{
    struct arena arena = {0};
    struct replay_head read = {0};
    *out = NULL;
    after = after ? after : database;
    if (!database_begin(database, callbacks, errors)) {
        return false;
    }
    if (after != database && !database_begin(after, callbacks, errors)) {
        database_end(database);
        return false;
    }
    bool ran = read_head(path, &arena, &read, errors);
    const struct pg_script script = {.path = path,
                                     .first = read.paths.items,
                                     .first_count = read.paths.count,
                                     .scratch = read.empty || read.paths.count > 0,
                                     .clock_us = read.has_clock ? &read.clock_us : NULL,
                                     .loses = read.loses};
    struct side sides[2] = {{database, script, {0}}, {after, script, {0}}};
    sides[1].script.first = read.paths_after.items;
    sides[1].script.first_count = read.paths_after.count;
    sides[1].script.variable = "after=1";
    if (ran) {
        ran =
            read.sides ? run_sides(out, sides, errors) : run_script(out, &script, database, errors);
    }
    database_end(database);
    database_end(after);
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
