/* Looks through the folders of a project for the SQL of its schema. */
#ifndef LAYOUT_FIND_H
#define LAYOUT_FIND_H

#include "layout/layout.h"

/* A place that a row of the table fits. */
struct found {
    const struct layout *layout;
    const char *folder;  /* where the row fits, from the current folder; "." */
    const char *path;    /* what `schema` names: the folder, a plan or a file; NULL: it is code */
    const char *globals; /* a file that the tool runs before; NULL: there is none */
    const char *rows;    /* a file of rows that the tool loads last; NULL: there is none */
    size_t files;        /* that the tool runs */
    const char *foreign; /* another database that the files are for: "MySQL"; NULL: PostgreSQL */
    bool aside;          /* in a folder of tests or examples */
};

struct finding {
    VEC(struct found) items;  /* the best first */
    const struct found *best; /* NULL: there is none, or it is not clear */
    size_t equals;            /* how many of the first items are as good as the first */
    const char *unreadable;   /* a folder that could not be read; NULL: none */
    bool stopped;             /* there are more files than it looked at */
};

/* Looks at the folder and those below it, at most FIND_ENTRIES_MAX files and folders. It follows no
 * link to a folder, and leaves out what is hidden, and folders for packages, what was built, and
 * other databases. False with `err` if the folder can't be read. */
enum { FIND_ENTRIES_MAX = 200000 };
bool layout_find(const char *folder, struct arena *arena, struct finding *out, struct error *err);

/* The text of a stand-in; its name is in a row. */
extern const char standin_supabase[];

#endif
