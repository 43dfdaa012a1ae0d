#include "cli/command.h"
#include "cli/failure.h"
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>

#include <pgfsm/trace.h>

/* What could not be written is printed, to be pasted. */
static void print_example(const char *text)
{
    terminal_complain("pin: nothing is changed; to pin it by hand, write this under `examples:`");
    terminal_print_foreign(text, strlen(text));
}

static void print_pinned(const char *what)
{
    struct strbuf line = {0};
    strbuf_addf(&line, "%s is pinned\n", what);
    terminal_print_foreign(strbuf_text(&line), line.size);
    strbuf_free(&line);
}

static enum status pin_failure(const struct options *options, const char *word)
{
    struct pgfsm_errors *errors = pgfsm_errors_new();
    struct arena arena = {0};
    char *text = NULL;
    char *found = NULL;
    const char *machine = options->machine;
    const char *trace = failure_trace(word, &arena, errors);
    if (trace && !machine && pgfsm_trace_machine(&found, trace, errors)) {
        machine = found;
    }
    bool pinned = machine && trace && pgfsm_trace_pin(&text, trace, machine, errors);
    terminal_errors(errors);
    if (pinned) {
        print_pinned(text);
    } else if (text) {
        print_example(text);
    }
    free(text);
    free(found);
    arena_free(&arena);
    pgfsm_errors_free(errors);
    return pinned ? STATUS_OK : STATUS_USAGE;
}

static enum status pin(const struct options *options)
{
    enum status status = STATUS_OK;
    if (options->operands.items.count == 0) {
        terminal_complain("pin: no failure is named; write %s pin NAME...", program_name);
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < options->operands.items.count; i++) {
        status = status_worst(status, pin_failure(options, options->operands.items.items[i]));
    }
    return status;
}

const struct command command_pin = {
    .name = "pin",
    .bit = FOR_PIN,
    .operands = "NAME...",
    .summary = "keep failures as regression tests",
    .description =
        "Writes the steps of stored failures under `examples:` of their machine, so that every\n"
        "run begins with them. NAME is the name of a failure: that of its replay script, without\n"
        ".sql. Nothing else in the file changes. If the machine could not be loaded with the\n"
        "example, the file stays as it is, and pgfsm prints the example.",
    .examples = "pgfsm pin membership-editors",
    .run = pin,
};
