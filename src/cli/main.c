#include "base/names.h"
#include "base/path.h"
#include "base/shell.h"
#include "cli/command.h"
#include "cli/folder.h"
#include "cli/interrupt.h"
#include "cli/schema_command.h"
#include "cli/terminal.h"
#include "cli/watch.h"

#include <pgfsm/memory.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Words before a command that are commands themselves. */
static const char *command_word(const char *word)
{
    static const char *const words[][2] = {{"--help", "help"},
                                           {"-?", "help"},
                                           {"-h", "help"},
                                           {"--version", "version"},
                                           {"-V", "version"}};
    size_t index = name_index(word, NAMES_IN(words));
    return index < sizeof words / sizeof *words ? words[index][1] : word;
}

static enum status refuse_command(const char *word)
{
    if (word[0] == '-') {
        terminal_complain("options come after a command: %s run %s …", program_name, word);
        return STATUS_USAGE;
    }
    return command_unknown(word);
}

static bool find_machines(const struct command *command, struct options *options)
{
    enum { WITH_FOLDERS = FOR_RUN | FOR_CHECK | FOR_LIST | FOR_MUTATE | FOR_DIFF };
    return !(command->bit & WITH_FOLDERS) || folders_read(options, command->name);
}

static enum status run_found(const struct command *command, struct options *options, bool found)
{
    if (!found) {
        return STATUS_USAGE;
    }
    enum status status = schema_command_run(options, command->name);
    status = status == STATUS_OK ? command->run(options) : status;
    schema_command_end(options);
    return status;
}

static void keep_failed(struct options *options, const struct totals *totals)
{
    struct texts failed = {0};
    for (size_t i = 0; i < totals->failed.items.count; i++) {
        const char *path = arena_strdup(&options->arena, totals->failed.items.items[i]);
        *VEC_PUSH(&options->arena, &failed.items) = path;
    }
    options->operands = failed;
}

/* Again and again; the exit status is that of the last time. */
static enum status run_watching(const struct command *command, struct options *options)
{
    struct watch watch;
    struct totals totals = {0};
    enum status status = STATUS_USAGE;
    enum watch_next next = WATCH_AGAIN;
    if (!watch_begin(&watch, command->name)) {
        return status;
    }
    options->totals = &totals;
    while (next != WATCH_END) {
        bool found = find_machines(command, options);
        watch_files(&watch, options); /* what changes while it runs is a change */
        if (next == WATCH_FAILED) {
            keep_failed(options, &totals);
        }
        totals_end(&totals);
        status = run_found(command, options, found);
        totals.status = status_worst(totals.status, status);
        if (options->named.items.count == 0 || interrupt_asked()) {
            break;
        }
        totals.differs = command->bit == FOR_DIFF;
        next = watch_wait(&watch, &totals);
        if (next != WATCH_END) {
            watch_next(&watch, next);
        }
    }
    watch_end(&watch);
    totals_end(&totals);
    return status;
}

static enum status run_command(const struct command *command, const char *const *words)
{
    struct options options;
    struct strbuf problem = {0};
    enum status status = STATUS_USAGE;
    bool ok = options_read(&options, command->bit, words, &problem);
    for (size_t i = 0; i < options.warnings.items.count; i++) {
        terminal_complain("warning: %s", options.warnings.items.items[i]);
    }
    if (!ok) {
        terminal_complain("%s: %.*s", command->name, (int)problem.size - 1, problem.data);
        terminal_complain("'%s help %s' lists its options", program_name, command->name);
    } else if (options.help) {
        struct strbuf help = {0};
        help_command(command, &help);
        terminal_print(help.data, help.size);
        strbuf_free(&help);
        status = STATUS_OK;
    } else {
        status = options.watch ? run_watching(command, &options)
                               : run_found(command, &options, find_machines(command, &options));
    }
    strbuf_free(&problem);
    options_free(&options);
    return status_worst(status, terminal_finish());
}

/* A closed standard stream would let the next file that is opened take its place. */
static void open_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0) {
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

/* From where on a word holds a password, and how much of it; 0: it holds none. */
static size_t find_password(char *word, char **start)
{
    char *authority = strstr(word, "://");
    char *colon = authority ? strchr(authority + 3, ':') : NULL;
    char *at = authority ? strrchr(authority, '@') : NULL;
    if (colon && at && colon < at) {
        *start = colon + 1;
        return (size_t)(at - colon) - 1;
    }
    *start = strstr(word, "password");
    char *value = *start ? strchr(*start, '=') : NULL;
    if (!value) {
        return 0;
    }
    *start = value + 1;
    return strlen(*start);
}

/* Copies the words, and takes passwords out of those that everybody sees in the list of processes.
 * The copies live as long as the process. */
static const char *const *take_words(int argc, char **argv, struct arena *arena)
{
    const char **words = ARENA_ARRAY(arena, const char *, (size_t)argc + 1);
    for (int i = 0; i < argc; i++) {
        char *start = NULL;
        words[i] = arena_strdup(arena, argv[i]);
        size_t size = find_password(argv[i], &start);
        if (size > 0) {
            memset(start, 'x', size);
        }
    }
    return words;
}

/* Nothing is to be cleaned up by allocating: the supervisor takes the embedded server down. */
static void end_without_memory(void)
{
    static const char message[] = "pgfsm: out of memory\n";
    (void)!write(STDERR_FILENO, message, sizeof message - 1);
    _Exit(STATUS_UNREACHABLE);
}

/* As a path, or by a package manager, in whose launcher the program is called `npx pgfsm`. */
static void name_program(const char *called, struct arena *arena)
{
    struct strbuf name = {0};
    if (strchr(called, '/')) {
        shell_quote(&name, called);
        program_name = strbuf_take(&name, arena);
    } else if (path_ends_in(called, " pgfsm")) {
        program_name = called;
    }
}

int main(int argc, char **argv)
{
    pgfsm_on_out_of_memory(end_without_memory);
    static struct arena arena;
    open_standard_streams();
    interrupt_setup();
    const char *const *words = take_words(argc, argv, &arena);
    if (argc > 0) {
        name_program(words[0], &arena);
    }
    if (argc < 2) {
        struct strbuf help = {0};
        help_program(command_table, &help);
        terminal_print(help.data, help.size);
        strbuf_free(&help);
        return STATUS_USAGE;
    }
    const struct command *command = command_find(command_word(words[1]));
    return command ? (int)run_command(command, words + 2) : (int)refuse_command(words[1]);
}
