#include "cli/database.h"

#include "base/visible.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"

#include <stdio.h>

static bool on_interrupted(void *host)
{
    (void)host;
    return interrupt_asked();
}

static void on_progress(void *host, const struct pgfsm_progress *at)
{
    struct follower *follower = host;
    progress_draw(&follower->progress, at);
}

static void on_print(void *host, const char *line, size_t size)
{
    struct follower *follower = host;
    struct strbuf safe = {0};
    progress_clear(&follower->progress);
    visible_add(&safe, VISIBLE_LINE, line, size);
    fprintf(stderr, "%s\n", strbuf_text(&safe));
    strbuf_free(&safe);
}

static void on_tell(void *host, const char *text, size_t size)
{
    struct follower *follower = host;
    progress_clear(&follower->progress);
    (void)fwrite(text, 1, size, stderr);
}

static void on_note(void *host, const char *text)
{
    struct follower *follower = host;
    progress_clear(&follower->progress);
    terminal_complain("%s", text);
}

void follower_begin(struct follower *follower, const struct options *options)
{
    *follower = (struct follower){
        .options = options,
        .progress = {.on = !options->quiet && progress_wanted(options->progress)},
        .callbacks = {.host = follower,
                      .interrupted = on_interrupted,
                      .progress = on_progress,
                      .print = on_print,
                      .tell = on_tell,
                      .note = on_note},
    };
}

bool database_usable(const char *command, const struct options *options)
{
    const char *named = options->dbname ? "-d" : options->host ? "-h" : options->port ? "-p" : "-U";
    if (options->operands.items.count == 0) {
        terminal_complain("%s: which files? %s %s FILE...", command, program_name, command);
        return false;
    }
    if (options->embedded && (options->dbname || options->host || options->port || options->user)) {
        terminal_complain("%s: --embedded and %s do not go together", command, named);
        return false;
    }
    return true;
}

struct pgfsm_database_options database_options(const struct options *options)
{
    return (struct pgfsm_database_options){
        .embedded = options->embedded,
        .dbname = options->dbname,
        .host = options->host,
        .port = options->port,
        .user = options->user,
        .bindir = options->bindir,
        .wait_ms = options->wait_ms,
    };
}

struct pgfsm_run_options run_options(const struct options *options)
{
    return (struct pgfsm_run_options){
        .examples = options->examples,
        .steps = options->steps,
        .seed = options->seed,
        .max_time_ms = options->max_time_ms,
        .jobs = options->jobs,
        .shard = options->shard.count ? options->shard.index - 1 : 0,
        .shard_count = options->shard.count,
        .profile = options->profile,
        .derandomize = options->derandomize,
        .rules = options->rules.items.items,
        .rule_count = options->rules.items.count,
        .strict = options->strict,
        .measure = options->stats,
        .verbose = options->verbose,
        .in_place = options->in_place,
        .keep = options->keep,
        .store = options->no_save ? NULL : ".pgfsm",
        .last_failed = options->last_failed,
        .no_pipeline = options->no_pipeline,
        .apply = options->apply.items.items,
        .apply_count = options->apply.items.count,
        .out = options->no_save ? NULL
               : options->out   ? options->out
                                : "counterexamples",
    };
}
