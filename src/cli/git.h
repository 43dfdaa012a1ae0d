/*
 * Files of a repository as git has them at a revision.
 *
 * It asks the program `git`, for what no hook, filter or other setting of a repository takes part
 * in: neither the index nor the work tree is read or changed.
 */
#ifndef CLI_GIT_H
#define CLI_GIT_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

struct git_file {
    const char *path; /* from the top of the repository */
    const char *object;
    bool link;   /* a symbolic link: its text is where it leads */
    bool wanted; /* git_read is to give it; set by the caller, cleared by git_read */
};

/* A revision of a repository. Free it with git_close, also after a failure. */
struct git {
    struct arena arena;
    const char *revision; /* as the user writes it */
    const char *commit;   /* what it stands for, in hexadecimal digits */
    const char *top;      /* the absolute path of the repository's folder */
    VEC(struct git_file) files;
};

/* Finds the repository of a folder, and lists the files of a revision; `git` is {0}. Complains if
 * it can't. */
bool git_open(struct git *git, const char *revision, const char *folder);
void git_close(struct git *git);

/* NULL if there is no such file. */
struct git_file *git_find(const struct git *git, const char *path);

/* Calls `each` with the text of every wanted file, until it returns false. Complains if git fails;
 * `scratch` is a folder for a file that lives as long as the call. */
bool git_read(struct git *git, const char *scratch,
              bool (*each)(void *host, const struct git_file *file, const char *text, size_t size),
              void *host);

#endif
