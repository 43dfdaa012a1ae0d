/*
 * The example database: failing traces, a text file each, under `<directory>/<machine>/`.
 *
 * A file begins with a head: whose trace it is, what failed, the seed and number of the example.
 * Lines that may be missing say where the machine's file is, as reached from the trace's folder,
 * the failure's name, and its steps as calls. The file's name is made from what identifies the
 * failure, so that a failure has one file whatever seed found it. Files are written aside and
 * renamed: a reader never sees half of one. The directory is safe to delete and to share between
 * runs; nothing in it is believed: a file that can't be read is said and skipped.
 */
#ifndef TRACE_STORE_H
#define TRACE_STORE_H

#include "base/error.h"
#include "trace/text.h"

struct stored_trace {
    const char *path;
    const char *identity; /* of the failure: "invariant editors" */
    uint64_t seed;        /* of the run that found it */
    uint64_t example;     /* number of the example in that run */
    const char *name;     /* of the failure (trace/name.h); read from an older file: made anew */
    /* The steps as a pinned example has them; none if these alone don't repeat the failure. */
    VEC(const char *) calls;
    struct trace trace;
};

struct stored_traces {
    VEC(struct stored_trace) items;
    VEC(struct error) skipped; /* files that could not be read, each with what is wrong */
};

/* All traces of the machine, by file name. A directory that is not there holds none. False with err
 * only where the directory is there and can't be read. */
bool store_load(const char *directory, const struct machine *machine, struct arena *arena,
                struct stored_traces *out, struct error *err);
/* Reads one file, of any place; false with err where it is no trace of this machine. store_load
 * reads as TRACE_AS_FAR. */
bool store_read(const char *path, const struct machine *machine, enum trace_reading reading,
                struct arena *arena, struct stored_trace *out, struct error *err);
/* Writes the trace, over an earlier one of the same identity; makes the directory. `path` of
 * `trace` is not read; the file's path goes to *path, in `arena`, if path is not NULL. */
bool store_save(const char *directory, const struct machine *machine,
                const struct stored_trace *trace, struct arena *arena, const char **path,
                struct error *err);
/* Removes the file of the identity; none there is no error. */
bool store_remove(const char *directory, const struct machine *machine, const char *identity,
                  struct error *err);
/* What the head of a trace file says, which can be read without the machine. Texts are in the
 * arena. */
struct stored_head {
    const char *path;
    const char *machine; /* its name */
    /* The machine's file as it is reached from here; NULL: the trace does not say (it was written
     * by an earlier version, or for a machine that is no file). It need not be there any more. */
    const char *file;
    const char *identity;
    uint64_t seed;
    uint64_t example;
    const char *name;
    bool older; /* written before heads had names: it has no calls */
    VEC(const char *) calls;
    size_t size; /* bytes */
};
struct stored_heads {
    VEC(struct stored_head) items;
};
/* False with err if it is not a trace file. */
bool store_head(const char *path, struct arena *arena, struct stored_head *out, struct error *err);
/* The heads of all traces in the directory, of any machine, by path. Files that can't be read are
 * left out, and so is a directory that is not there. */
void store_heads(const char *directory, struct arena *arena, struct stored_heads *out);

#endif
