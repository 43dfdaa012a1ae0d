#include "base/file.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pgfsm/eval.h>

enum { PROGRAM_MAX = 16 << 20 };

static void on_print(void *host, const char *line, size_t size)
{
    (void)host;
    terminal_print_foreign(line, size);
    terminal_print("\n", 1);
}

static bool is_read(bool read, const char *name, const struct strbuf *program,
                    const struct error *err)
{
    if (!read && !interrupt_asked()) {
        terminal_complain("eval: %s%s%s", err->message, *err->hint ? "; " : "", err->hint);
    } else if (program->size > PROGRAM_MAX) {
        terminal_complain("eval: %s is larger than 16 MiB", name);
    }
    return read && program->size <= PROGRAM_MAX;
}

/* Where the program comes from: the argument, a file, or standard input. */
static bool read_program(const struct options *options, const char **name, struct strbuf *out)
{
    struct error err = {0};
    const char *argument = options->operands.items.count ? options->operands.items.items[0] : NULL;
    if (options->operands.items.count > 1) {
        terminal_complain("eval: give one expression only; put it in quotes");
        return false;
    }
    if (argument && options->file) {
        terminal_complain("eval: give an expression or -f FILE, not both");
        return false;
    }
    if (argument) {
        *name = "<argument>";
        strbuf_adds(out, argument);
        return true;
    }
    if (options->file && strcmp(options->file, "-") != 0) {
        *name = options->file;
        return is_read(file_load(*name, PROGRAM_MAX, out, &err), *name, out, &err);
    }
    *name = "<stdin>";
    static const char from[] = "standard input";
    return is_read(file_read(stdin, from, PROGRAM_MAX, out, &err), from, out, &err);
}

static enum status eval_program(const struct options *options, const char *name,
                                const struct strbuf *program, struct pgfsm_errors *errors)
{
    static const struct pgfsm_callbacks callbacks = {.struct_size = sizeof callbacks,
                                                     .print = on_print};
    struct pgfsm_machine *machine = NULL;
    char *value = NULL;
    bool ok =
        (!options->machine || pgfsm_machine_load(&machine, options->machine, NULL, errors)) &&
        pgfsm_eval(&value, machine, name, strbuf_text(program), program->size, &callbacks, errors);
    if (value) {
        terminal_print_foreign(value, strlen(value));
        terminal_print("\n", 1);
    }
    terminal_errors(errors);
    free(value);
    pgfsm_machine_free(machine);
    return ok ? STATUS_OK : STATUS_USAGE;
}

static enum status eval(const struct options *options)
{
    struct pgfsm_errors *errors = pgfsm_errors_new();
    struct strbuf program = {0};
    const char *name = NULL;
    enum status status = STATUS_USAGE;
    if (read_program(options, &name, &program)) {
        status = eval_program(options, name, &program, errors);
    }
    strbuf_free(&program);
    pgfsm_errors_free(errors);
    return interrupt_asked() ? STATUS_INTERRUPTED : status;
}

const struct command command_eval = {
    .name = "eval",
    .bit = FOR_EVAL,
    .operands = "[EXPR]",
    .summary = "evaluate code in the model language",
    .description =
        "Runs an expression or statements: those given, those of a file (-f), or those on\n"
        "standard input. It prints what print() prints, then the value of the last statement if\n"
        "that is an expression.",
    .examples = "pgfsm eval '[n * n for n in range(5)]'\n"
                "pgfsm eval -m machines/membership.yaml 'members'\n"
                "pgfsm eval -f model.star",
    .run = eval,
};
