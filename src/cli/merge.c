#include "cli/command.h"
#include "cli/terminal.h"

#include <string.h>
#include <unistd.h>

#include <pgfsm/errors.h>
#include <pgfsm/merge.h>

extern const struct command command_run;
extern const struct command command_mutate;
extern const struct command command_diff;

/* Those that shards run. */
static const struct command *split_command(const char *name)
{
    static const struct command *const commands[] = {&command_run, &command_mutate, &command_diff};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

/* The command that made the reports; NULL, with a complaint: it is not known, or it has not all of
 * the options. */
static const struct command *find_command(const struct options *options,
                                          const struct pgfsm_merge *merged)
{
    const char *name = pgfsm_merge_command(merged);
    const struct command *command = split_command(name);
    struct strbuf beyond = {0};
    if (!command) {
        terminal_complain("merge: another version of pgfsm made these reports, with '%s'", name);
        return NULL;
    }
    options_beyond(options, FOR_MERGE, command->bit, &beyond);
    if (beyond.size) {
        terminal_complain("merge: these are reports of `%s`, which has no%s", name,
                          strbuf_text(&beyond));
        command = NULL;
    }
    strbuf_free(&beyond);
    return command;
}

/* The command runs again, and takes the results from the reports. */
static enum status run_merged(const struct options *options, const struct command *command,
                              const struct pgfsm_merge *merged)
{
    struct options all = *options; /* with the arena, which `options` frees */
    const char *path;
    memset(&all.operands, 0, sizeof all.operands);
    for (size_t i = 0; !pgfsm_merge_is_made(merged) && (path = pgfsm_merge_path(merged, i)); i++) {
        if (access(path, F_OK) != 0) {
            terminal_complain("merge: there is no file %s, which the reports name; run merge in "
                              "the folder in which the shards ran",
                              path);
            return STATUS_USAGE;
        }
        *VEC_PUSH(&all.arena, &all.operands.items) = path;
    }
    all.run.merge = merged;
    return command->run(&all);
}

static enum status merge(const struct options *options)
{
    struct pgfsm_merge *merged = NULL;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    const struct command *command = NULL;
    enum status status = STATUS_USAGE;
    if (options->operands.items.count == 0) {
        terminal_complain("merge: no reports given; write %s merge REPORT...", program_name);
    } else if (pgfsm_merge_new(&merged, options->operands.items.items,
                               options->operands.items.count, errors)) {
        command = find_command(options, merged);
    }
    terminal_errors(errors);
    pgfsm_errors_free(errors);
    if (command) {
        status = run_merged(options, command, merged);
    }
    pgfsm_merge_free(merged);
    return status;
}

const struct command command_merge = {
    .name = "merge",
    .bit = FOR_MERGE,
    .operands = "REPORT...",
    .summary = "merge the reports of shards",
    .description =
        "Merges the reports of all shards (`run --shard I/N --report json=FILE`; also of `mutate`\n"
        "and `diff`) into the report of the whole run: what a run without shards would have said,\n"
        "but for times. Repeat the options of the shards, such as --examples and --apply, without\n"
        "--shard and --seed, and run it in the folder in which the shards ran: the reports name\n"
        "the machine files from there.\n"
        "\n"
        "pgfsm takes the examples from the reports. Of those that failed in the same way, it runs\n"
        "the first one and two that may have a shorter form (of `diff`, all), to shrink and to\n"
        "tell each failure once; also the pinned examples and the stored failures. For this it\n"
        "needs a database, as `run` does.",
    .examples = "pgfsm merge shards/*.json --examples 10000\n"
                "pgfsm merge shards/*.json --report junit=pgfsm.xml --report html=pgfsm.html",
    .run = merge,
};
