#include "cli/command.h"
#include "cli/database.h"
#include "cli/interrupt.h"
#include "cli/run.h"
#include "cli/terminal.h"

#include <string.h>

#include <pgfsm/pgfsm.h>

/* The merged run must be the one that was split. */
static enum status compare_options(void *host, struct work *work,
                                   const struct pgfsm_machine *machine,
                                   struct pgfsm_run_options *run)
{
    const struct pgfsm_merge *merge = host;
    const char *path = pgfsm_machine_path(machine);
    struct strbuf own = {0};
    size_t index = 0;
    (void)run;
    while (strcmp(pgfsm_merge_path(merge, index), path) != 0) {
        index++;
    }
    options_of_run(work->options, FOR_RUN, &own);
    const char *theirs = pgfsm_merge_options(merge, index);
    bool same = strcmp(strbuf_text(&own), theirs) == 0;
    if (!same) {
        terminal_complain(
            "merge: give it the options of the shards. %s ran with%s, and merge has%s", path,
            *theirs ? theirs : " none", own.size ? strbuf_text(&own) : " none");
    }
    strbuf_free(&own);
    return same ? STATUS_OK : STATUS_USAGE;
}

static bool is_usable(const struct options *options)
{
    const char *useless = options->run.last_failed ? "--last-failed"
                          : options->watch         ? "--watch"
                          : options->run.ways      ? "--ways"
                                                   : NULL;
    if (useless) {
        terminal_complain("merge: %s has no meaning here; leave it out", useless);
    }
    return !useless && run_options_usable("merge", options) && database_usable("merge", options);
}

static enum status merge(const struct options *options)
{
    struct options all = *options;
    struct pgfsm_merge *merged = NULL;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    enum status status = STATUS_USAGE;
    if (is_usable(options) && pgfsm_merge_new(&merged, options->operands.items.items,
                                              options->operands.items.count, errors)) {
        const struct run_command command = {
            .name = "run", .bit = FOR_RUN, .host = merged, .prepare = compare_options};
        const char *path;
        memset(&all.operands, 0, sizeof all.operands);
        all.arena = (struct arena){0};
        for (size_t i = 0; (path = pgfsm_merge_path(merged, i)); i++) {
            *VEC_PUSH(&all.arena, &all.operands.items) = path;
        }
        all.shard = (struct shard){0}; /* and the seed: the reports know both */
        all.run.shard_count = 0;
        all.run.seed = -1;
        all.run.merge = merged;
        status = run_machines(&all, &command);
        arena_free(&all.arena);
    }
    terminal_errors(errors);
    pgfsm_errors_free(errors);
    pgfsm_merge_free(merged);
    return status;
}

const struct command command_merge = {
    .name = "merge",
    .bit = FOR_RUN,
    .operands = "REPORT...",
    .summary = "merge the reports of shards",
    .description =
        "Makes one report of those of all shards of a run (`run --shard I/N --report json=FILE`).\n"
        "It is the one that a run without shards would have given, except for times. Give it the\n"
        "options of the shards. pgfsm runs the pinned examples, the stored failures, and of the\n"
        "other examples those that failed in a shard, to shrink and to tell each failure once.\n"
        "So it needs the machine, and a database as `run` does.",
    .examples = "pgfsm merge shards/*.json --examples 10000\n"
                "pgfsm merge shards/*.json --report junit=pgfsm.xml --report html=pgfsm.html",
    .run = merge,
};
