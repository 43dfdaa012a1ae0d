/*
 * Options of the command line: a table of them, and what a command line and the environment said.
 *
 * Every option is a row: its names, what it takes, where its value goes, which commands have it,
 * what the help says. Values come from the command line, else from PGFSM_* variables.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/strbuf.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Commands that an option belongs to; a set of bits. */
enum { FOR_RUN = 1, FOR_CHECK = 2, FOR_EVAL = 4, FOR_REPLAY = 8, FOR_ALL = 0xFF };

enum option_kind {
    OPTION_FLAG,     /* bool */
    OPTION_LEVEL,    /* int: how often it was given */
    OPTION_TEXT,     /* const char * */
    OPTION_TEXTS,    /* struct texts: may be given several times */
    OPTION_NUMBER,   /* int64_t, at least `min` */
    OPTION_DURATION, /* int64_t in ms: base/timespan.h */
    OPTION_SHARD,    /* struct shard: "2/5" */
    OPTION_WHEN,     /* enum when */
};

enum option_flags {
    OPTION_ENV = 1,    /* PGFSM_<NAME> gives a default */
    OPTION_AGAIN = 2,  /* belongs to a command line that runs the same again */
    OPTION_SECRET = 4, /* may hold a password, which is not repeated */
    OPTION_PSQL = 8,   /* psql has it, too */
};

enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };

/* The index-th (from 1) of `count` shards; {0}: not given. */
struct shard {
    int64_t index;
    int64_t count;
};

struct texts {
    VEC(const char *) items;
};

struct option {
    const char *name;     /* without the dashes */
    const char *letter;   /* one, or NULL */
    const char *argument; /* as the help names it; NULL: takes none */
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

/* A number that was not given is -1. */
struct options {
    const char *dbname;
    const char *host;
    const char *port;
    const char *user;
    const char *bindir;
    struct texts apply;
    struct texts rules;
    const char *profile;
    int64_t wait_ms;

    int64_t examples;
    int64_t steps;
    int64_t seed;
    int64_t max_time_ms;
    int64_t jobs;
    struct shard shard;

    const char *out;
    const char *report;
    const char *file;
    const char *machine;
    struct texts operands;
    struct arena arena; /* of the lists */

    enum when color;
    enum when progress;
    int verbose;
    bool embedded;
    bool in_place;
    bool keep;
    bool strict;
    bool derandomize;
    bool no_pipeline;
    bool last_failed;
    bool no_save;
    bool stats;
    bool quiet;
    bool help;
};

/* Reads the words behind a command's name (`words` ends with NULL) and the environment; `command`
 * is one of the FOR_ bits. false: `problem` says what is wrong, in one or more lines. Texts are
 * borrowed from the words and the environment. options_free in any case. */
bool options_read(struct options *options, unsigned command, const char *const *words,
                  struct strbuf *problem);
void options_free(struct options *options);

/* Appends the options of a command, by group, for its help. */
void options_help(unsigned command, struct strbuf *out);

/* Appends " --apply x.sql --steps 3": what was given and belongs to running the same again by a
 * command (a FOR_ bit), quoted for a shell, without passwords. */
void options_again(const struct options *options, unsigned command, struct strbuf *out);
/* The same of the options that psql has, too: " -d app". */
void options_psql(const struct options *options, struct strbuf *out);

#endif
