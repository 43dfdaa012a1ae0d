#include "cli/terminal.h"

#include "base/visible.h"
#include "cli/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const char *program_name = "pgfsm";

static int write_error; /* errno of the first write that failed; 0: none */
static bool complained;

bool terminal_wants(enum when when, int file)
{
    const char *term = getenv("TERM");
    if (when != WHEN_AUTO) {
        return when == WHEN_ALWAYS;
    }
    return isatty(file) && term && *term && strcmp(term, "dumb") != 0;
}

size_t terminal_columns(int file)
{
    enum { DEFAULT_WIDTH = 80, LEAST = 20, MOST = 10000 };
    struct winsize size;
    const char *given = getenv("COLUMNS");
    long columns = given ? strtol(given, NULL, 10) : 0;
    if (file >= 0 && ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col) {
        columns = size.ws_col;
    }
    return columns < LEAST || columns > MOST ? DEFAULT_WIDTH : (size_t)columns;
}

bool terminal_color(enum when when)
{
    const char *no_color = getenv("NO_COLOR");
    return terminal_wants(when, STDOUT_FILENO) && (when == WHEN_ALWAYS || !(no_color && *no_color));
}

void terminal_print_commands(const char *text, size_t size)
{
    if (!write_error && (fwrite(text, 1, size, stdout) != size || fflush(stdout) != 0)) {
        write_error = errno ? errno : EIO;
    }
}

static void log_commands(const char *text, size_t size) { (void)fwrite(text, 1, size, stderr); }

/* Has a text written that holds no command for a runner of CI. */
static void write_safely(void (*write)(const char *, size_t), const char *text, size_t size)
{
    struct strbuf safe = {0};
    if (!log_is_obeyed()) {
        write(text, size);
        return;
    }
    log_add(&safe, text, size);
    write(strbuf_text(&safe), safe.size);
    strbuf_free(&safe);
}

void terminal_print(const char *text, size_t size)
{
    write_safely(terminal_print_commands, text, size);
}

void terminal_log(const char *text, size_t size) { write_safely(log_commands, text, size); }

void terminal_print_foreign(const char *text, size_t size)
{
    struct strbuf safe = {0};
    visible_add(&safe, VISIBLE_BLOCK, text, size);
    terminal_print(strbuf_text(&safe), safe.size);
    strbuf_free(&safe);
}

bool terminal_broken(void) { return write_error != 0; }

enum status terminal_finish(void)
{
    if (!write_error && fflush(stdout) != 0) {
        write_error = errno;
    }
    if (write_error && write_error != EPIPE && !complained) {
        complained = true;
        terminal_complain("cannot write to standard output: %s", strerror(write_error));
    }
    return write_error ? STATUS_USAGE : STATUS_OK;
}

void terminal_complain(const char *format, ...)
{
    struct strbuf line = {0};
    struct strbuf safe = {0};
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&line, format, args);
    va_end(args);
    strbuf_adds(&safe, "pgfsm: ");
    visible_add(&safe, VISIBLE_BLOCK, strbuf_text(&line), line.size);
    strbuf_addc(&safe, '\n');
    terminal_log(safe.data, safe.size);
    strbuf_free(&line);
    strbuf_free(&safe);
}

void terminal_errors(const struct pgfsm_errors *errors)
{
    for (size_t i = 0; i < pgfsm_errors_count(errors); i++) {
        const struct pgfsm_error *error = pgfsm_errors_at(errors, i);
        if (error->code == PGFSM_ERROR_INTERRUPTED) {
            terminal_complain("interrupted");
            continue;
        }
        struct strbuf text = {0};
        strbuf_addf(&text, "%s%s", error->line ? "" : "pgfsm: ", error->text);
        terminal_log(text.data, text.size);
        strbuf_free(&text);
    }
}

enum status status_of_errors(const struct pgfsm_errors *errors)
{
    static const enum status statuses[] = {
        [PGFSM_ERROR_USAGE] = STATUS_USAGE,
        [PGFSM_ERROR_MACHINE] = STATUS_USAGE,
        [PGFSM_ERROR_LIMIT] = STATUS_USAGE,
        [PGFSM_ERROR_SERVER] = STATUS_USAGE,
        [PGFSM_ERROR_CONNECTION] = STATUS_UNREACHABLE,
        [PGFSM_ERROR_INTERRUPTED] = STATUS_INTERRUPTED,
        [PGFSM_ERROR_SYSTEM] = STATUS_UNREACHABLE,
    };
    enum status worst = STATUS_OK;
    for (size_t i = 0; i < pgfsm_errors_count(errors); i++) {
        worst = status_worst(worst, statuses[pgfsm_errors_at(errors, i)->code]);
    }
    return worst;
}
