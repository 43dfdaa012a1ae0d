/*
 * The table of command-line options, and the values that the command line and the environment give.
 *
 * Every option is a row: its names, its argument, where its value is stored, the commands that have
 * it, its help. The command line overrides PGFSM_* variables.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/strbuf.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pgfsm/database.h>
#include <pgfsm/diff.h>
#include <pgfsm/mutate.h>
#include <pgfsm/run.h>

/* Variables that no option has: for engines that know no total of shards (fleet.c), and for those
 * without an id of the run. */
#define VARIABLE_SHARDS "PGFSM_SHARDS"
#define VARIABLE_RUN_ID "PGFSM_RUN_ID"

/* The commands that have an option, as bits. */
enum {
    FOR_RUN = 1,
    FOR_CHECK = 2,
    FOR_EVAL = 4,
    FOR_REPLAY = 8,
    FOR_LIST = 16,
    FOR_INIT = 32,
    FOR_HELP = 64, /* those that have --help alone */
    FOR_MUTATE = 128,
    FOR_PIN = 256,
    FOR_SHOW = 512,
    FOR_DIFF = 1024,
    FOR_LOCKS = 2048,
    FOR_MERGE = 4096,
    FOR_ALL = 0x1FFF
};

enum option_kind {
    OPTION_FLAG,     /* bool */
    OPTION_LEVEL,    /* int: how often it was given */
    OPTION_TEXT,     /* const char * */
    OPTION_TEXTS,    /* struct texts: may be given several times; in a variable: a,b */
    OPTION_NUMBER,   /* int64_t, at least `min` */
    OPTION_DURATION, /* int64_t in ms: base/timespan.h */
    OPTION_SEED,     /* int64_t: a number from 0 up, or "auto" (SEED_AUTO) */
    OPTION_SHARD,    /* struct shard: "2/5", or "auto" (SHARD_AUTO) */
    OPTION_WHEN,     /* enum when */
    OPTION_CHOICE,   /* const char *: one of the words in `argument`, "text|json" */
};

enum option_flags {
    OPTION_ENV = 1,     /* PGFSM_<NAME> gives a default */
    OPTION_AGAIN = 2,   /* repeated on the command line that runs the same again */
    OPTION_SECRET = 4,  /* may contain a password, which is not repeated */
    OPTION_PSQL = 8,    /* psql has the same option */
    OPTION_LOCAL = 32,  /* shards of a run may differ in it: where they run, what they write, and
                           what is judged */
    OPTION_TRACES = 16, /* replay takes it for stored traces only */
};

enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };

/* Of a shard's `count`, and of a seed: the environment says it (cli/fleet.h). */
enum { SHARD_AUTO = -1, SEED_AUTO = -2 };

/* The index-th (from 1) of `count` shards; {0}: not given. */
struct shard {
    int64_t index;
    int64_t count;
};

struct texts {
    VEC(const char *) items;
    bool inherited; /* from the environment: the command line takes their place */
};

struct option {
    const char *name;     /* without the dashes */
    const char *letter;   /* one, or NULL */
    const char *argument; /* as the help shows it; NULL: takes no argument */
    enum option_kind kind;
    size_t offset; /* of the value in struct options */
    int64_t min;   /* OPTION_NUMBER */
    unsigned commands;
    unsigned flags;
    const char *group; /* heading in the help */
    const char *help;
};

/* Ends with a row whose name is NULL. */
extern const struct option option_table[];

struct options {
    struct pgfsm_database_options database;
    struct pgfsm_run_options run; /* a number that is not given is -1 */
    const char *schema_command;
    const char *schema_file; /* what the command printed; NULL: there is none */
    struct texts apply;
    struct texts migrate;
    struct texts rules;
    struct texts invariants;
    struct texts schema;
    /* The second side of diff. */
    struct texts new_schema;
    const char *new_schema_command;
    const char *new_schema_file; /* what the command printed; NULL: there is none */
    struct texts down;
    const char *base; /* a revision of git; NULL: not given */
    const char *new_dbname;
    const char *new_bindir;
    struct pgfsm_diff_options diff;
    struct texts tables;
    bool full;
    bool free;
    struct texts only;
    struct pgfsm_mutate_options mutate;
    int64_t min_score; /* percent; -1: not given */
    const char *kill;
    struct shard shard;
    const char *run_id; /* of the run that shards belong to; NULL: no engine names it */
    const char *out;
    struct texts reports;
    const char *format; /* of check's messages; NULL: text */
    const char *file;
    const char *machine;
    struct texts operands;
    struct texts named;     /* the operands as given, before folders became their machines */
    struct totals *totals;  /* of the machines; may be NULL */
    struct texts warnings;  /* messages: of variables that are probably misspelt */
    const char *for_traces; /* a given option that replay scripts do not take; NULL: none */
    struct arena arena;     /* of the lists */

    enum when color;
    enum when progress;
    bool no_schema;
    bool watch;
    bool until_eof;
    bool unsaved; /* the machine was made, and is in no file */
    bool no_save;
    bool stats;
    bool quiet;
    bool help;
};

/* Whether a value of --report, "html=FILE" or "html", names the format. */
bool report_is(const char *report, const char *format);

/* Reads the words after a command's name (`words` ends with NULL) and the environment; `command` is
 * one of the FOR_ bits. Returns false, with one or more lines in `problem`, if something is wrong.
 * Texts are borrowed from the words and the environment. Call options_free in any case. */
bool options_read(struct options *options, unsigned command, const char *const *words,
                  struct strbuf *problem);
void options_free(struct options *options);

/* Appends the options of a command, by group, for its help. */
void options_help(unsigned command, struct strbuf *out);

/* Appends " --apply x.sql --steps 3": the given options that `command` (a FOR_ bit) needs to run
 * the same again, quoted for a shell, without passwords. */
void options_again(const struct options *options, unsigned command, struct strbuf *out);
/* The same, but only those that shards of a run must have in common. */
void options_of_run(const struct options *options, unsigned command, struct strbuf *out);
/* The given options of `command` that `other` does not have, except for those that a variable can
 * give. */
void options_beyond(const struct options *options, unsigned command, unsigned other,
                    struct strbuf *out);
/* The same, only for options that psql has, too: " -d app". */
void options_psql(const struct options *options, struct strbuf *out);

#endif
