#include "cli/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pgfsm/eval.h>

enum { PROGRAM_MAX = 16 << 20, CHUNK = 1 << 16 };

static void on_print(void *host, const char *line, size_t size)
{
    (void)host;
    terminal_print_foreign(line, size);
    terminal_print("\n", 1);
}

static bool read_all(FILE *file, const char *name, struct strbuf *out)
{
    static char chunk[CHUNK];
    size_t size;
    while ((size = fread(chunk, 1, sizeof chunk, file)) > 0) {
        strbuf_add(out, chunk, size);
        if (out->size > PROGRAM_MAX) {
            terminal_complain("eval: %s is larger than 16 MiB", name);
            return false;
        }
    }
    if (ferror(file)) {
        terminal_complain("eval: cannot read %s: %s", name, strerror(errno));
        return false;
    }
    return true;
}

static bool read_file(const char *path, struct strbuf *out)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        terminal_complain("eval: cannot open %s: %s", path, strerror(errno));
        return false;
    }
    bool ok = read_all(file, path, out);
    (void)fclose(file);
    return ok;
}

/* Where the program comes from: the argument, a file, or standard input. */
static bool read_program(const struct options *options, const char **name, struct strbuf *out)
{
    const char *argument = options->operands.items.count ? options->operands.items.items[0] : NULL;
    if (options->operands.items.count > 1) {
        terminal_complain("eval: one expression only; put it in quotes");
        return false;
    }
    if (argument && options->file) {
        terminal_complain("eval: an expression or -f FILE, not both");
        return false;
    }
    if (argument) {
        *name = "<argument>";
        strbuf_adds(out, argument);
        return true;
    }
    if (options->file && strcmp(options->file, "-") != 0) {
        *name = options->file;
        return read_file(options->file, out);
    }
    *name = "<stdin>";
    return read_all(stdin, "standard input", out);
}

static enum status eval_program(const struct options *options, const char *name,
                                const struct strbuf *program, struct pgfsm_errors *errors)
{
    static const struct pgfsm_callbacks callbacks = {.print = on_print};
    struct pgfsm_machine *machine = NULL;
    char *value = NULL;
    bool ok =
        (!options->machine || pgfsm_machine_load(&machine, options->machine, errors)) &&
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

enum status command_eval(const struct options *options)
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
    return status;
}
