/*
 * Commands: a table of them, one file each.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/options.h"

/* What the program says to whoever started it. With several the first that applies, in the order of
 * `status_worst`. */
enum status {
    STATUS_OK = 0,
    STATUS_FAILED = 1, /* a property failed */
    STATUS_USAGE = 2,  /* wrong usage, or a mistake in a machine, its schema files, its contexts */
    STATUS_UNREACHABLE = 3, /* the database could not be reached or went away */
    STATUS_UNMET = 4,       /* a stated requirement was not met */
    STATUS_NOTHING = 5,     /* nothing was run */
    STATUS_INTERRUPTED = 130,
};
enum status status_worst(enum status a, enum status b);

struct command {
    const char *name;
    unsigned bit; /* of its options */
    const char *operands;
    const char *summary;     /* one line */
    const char *description; /* paragraphs of the help; ends without a newline */
    const char *examples;    /* lines of the help; NULL: none */
    enum status (*run)(const struct options *options);
};

/* Ends with a row whose name is NULL. */
extern const struct command command_table[];
const struct command *command_find(const char *name);
/* The name that was meant, or NULL. */
const char *command_closest(const char *name);

enum status command_run(const struct options *options);
enum status command_check(const struct options *options);
enum status command_replay(const struct options *options);
enum status command_eval(const struct options *options);
enum status command_schema(const struct options *options);
enum status command_version(const struct options *options);
enum status command_help(const struct options *options);

/* The help of one command; of the program. */
void help_command(const struct command *command, struct strbuf *out);
void help_program(struct strbuf *out);

/* How the program was called, for a line to be run again: "pgfsm". */
extern const char *program_name;

#endif
