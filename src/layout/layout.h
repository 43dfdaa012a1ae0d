/*
 * Where migration tools keep their SQL files, and in which order they run them.
 *
 * A *layout* is a row of a table: how the tool's folder is recognised, and what it runs. Files are
 * recognised by their names and by comments in them, never by what the SQL does.
 */
#ifndef LAYOUT_LAYOUT_H
#define LAYOUT_LAYOUT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

enum layout_order {
    ORDER_NATURAL,         /* 2.sql before 10.sql */
    ORDER_TEXT,            /* 10.sql before 2.sql */
    ORDER_WITHOUT_HYPHENS, /* as text, but hyphens do not count */
    ORDER_VERSIONS,        /* Flyway's */
    ORDER_JOURNAL,         /* that of Drizzle's meta/_journal.json */
    ORDER_PLAN,            /* that of sqitch's plan */
};

/* How sure it is that a row's files are the schema of a project: the lowest number wins. */
enum layout_rank {
    RANK_MIGRATIONS = 1, /* a tool's migrations, or a dump that a tool keeps for them */
    RANK_NUMBERED,       /* numbered files of an unknown tool */
    RANK_FILE,           /* one file with a name that schemas have */
    RANK_CODE,           /* migrations that are no SQL */
};

/* Patterns are those of fnmatch, separated by "|", and relative to the folder; their `*` matches no
 * slash. NULL: there is none. */
struct layout {
    const char *tool;    /* "Flyway" */
    const char *command; /* the tool's own, whose order this is: "flyway migrate". Of code: a shell
                          * command that prints SQL. */
    const char *folder;  /* the end of the folder's path: its `*` matches a slash, too */
    const char *marker;  /* a file that must be there */
    const char *mark;    /* begins a comment of one of the files, or of code is in the marker */
    const char *files;   /* what the tool runs */
    const char *back;    /* what it runs to go back */
    enum layout_order order;
    enum layout_rank rank;
    bool deep;           /* it looks for the files in all folders below, too */
    bool alone;          /* all SQL files of the folder are `files` or `back` */
    const char *before;  /* a stand-in for what the tool's server provides: "supabase.sql" */
    const char *globals; /* a file that the tool runs before, if it is there */
    const char *rows;    /* a file of rows that the tool loads last, if it is there */
};

/* Ends with a row without a tool. */
extern const struct layout layout_table[];

/* Paths below one folder, relative to it. */
struct layout_names {
    const char *folder; /* "" is the current one */
    VEC(const char *) items;
    bool all; /* all that are there, and not only those that a pattern matches */
};

/* A layout's files, in order. */
struct layout_files {
    const struct layout *layout; /* NULL: none is recognised */
    const char *order; /* a clause: "in natural order: 2.sql comes before 10.sql"; NULL: a plan's */
    VEC(const char *) paths;
};

/* True if the path, or its last parts, match one of the patterns; `deep`: its name alone does. */
bool layout_matches(const char *patterns, const char *path, bool whole, bool deep);

/* True if the row's folder, marker, files and mark fit. Reads at most two of the files. `absolute`
 * is the folder's path. */
bool layout_fits(const struct layout *row, const struct layout_names *names, const char *absolute,
                 struct arena *arena);

/* True for a row whose files are single ones, each a schema of its own. */
bool layout_is_file(const struct layout *layout);

/* The first row for a folder of SQL that fits; NULL if there is none. */
const struct layout *layout_of(const struct layout_names *names, struct arena *arena);

/* Sorts the files that a pattern matched, as their tool does, and leaves out those that go back.
 * Files that the tool would not run stay: the pattern names them. Paths are in `arena`. */
void layout_sort(const struct layout_names *names, struct arena *arena, struct layout_files *out);

/* The files of a folder that the row's tool runs. False with `err` if its journal or its plan can't
 * be read. */
bool layout_read(const struct layout *layout, const struct layout_names *names, struct arena *arena,
                 struct layout_files *out, struct error *err);

/* plan.c: the scripts of sqitch in the folder `deploy` beside the plan, in the plan's order. False
 * with `err` if the plan can't be read or is empty. */
bool layout_read_plan(const char *path, struct arena *arena, struct layout_files *out,
                      struct error *err);

/* version.c: sorts as Flyway does, and leaves out what its latest baseline replaces. */
void layout_sort_versions(struct layout_files *files);

/* find.c: reads a folder; out->layout is NULL if its tool is not recognised. */
bool layout_read_folder(const char *folder, struct arena *arena, struct layout_files *out,
                        struct error *err);

#endif
