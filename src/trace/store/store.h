/*
 * The example database: failing traces, a text each. A *store* says where the texts are: in a
 * folder, as files under `<directory>/<machine>/`, or elsewhere.
 *
 * A text begins with a head: the machine, what failed, the seed and the number of the example.
 * Optional lines hold the path of the machine's file, relative to the trace's folder, the failure's
 * name, that two databases were compared, and its steps as calls. The file's name follows from the
 * failure's identity, so that a failure has one file whatever seed found it. Files are replaced
 * atomically, so that a reader never sees a partial one. The directory is safe to delete and to
 * share between runs. Its content is not trusted: a file that can't be read is reported and
 * skipped.
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
    const char *name; /* of the failure (trace/name.h); for older files, derived from the rest of
                         the head */
    bool differs;     /* of a run over two databases: any other run does not repeat it */
    bool shrunk;      /* to be saved: it is final; not kept in the text */
    /* The steps of a pinned example; empty if these alone don't repeat the failure. */
    VEC(const char *) calls;
    struct trace trace;
};

struct stored_traces {
    VEC(struct stored_trace) items;
    VEC(struct error) skipped; /* files that could not be read, with the reasons */
};

/* Where traces are kept: texts, each under the identity of its failure. */
struct store_text {
    const char *path; /* for messages */
    const char *text;
    size_t size;
    const struct error *err; /* it could not be read; NULL: it could */
};
struct store_texts {
    VEC(struct store_text) items;
};
struct store {
    const struct store_kind *kind;
    void *host; /* of a folder: its path */
};
struct store_kind {
    /* Adds the texts of a machine. False with err if the store can't be read. */
    bool (*load)(void *host, const struct machine *machine, struct arena *arena,
                 struct store_texts *out, struct error *err);
    /* Keeps a text in place of an earlier one of this identity. Sets *path to the file that has it
     * now, in `arena`; NULL: none has. */
    bool (*save)(void *host, const struct machine *machine, const struct stored_trace *trace,
                 struct arena *arena, const char **path, struct error *err);
    /* Removes it, if it is there. */
    bool (*remove)(void *host, const struct machine *machine, const struct stored_trace *trace,
                   struct error *err);
};
/* A directory (which is created by the first save), as long as its path stays. */
struct store store_folder(const char *directory);

/* Loads all traces of the machine, of a folder by file name. A missing directory holds none. False
 * with err only if the store is there and can't be read. */
bool store_load(const struct store *store, const struct machine *machine, struct arena *arena,
                struct stored_traces *out, struct error *err);
/* Reads one file, at any path; false with err if it is not a trace of this machine. store_load
 * reads with TRACE_AS_FAR. */
bool store_read(const char *path, const struct machine *machine, enum trace_reading reading,
                struct arena *arena, struct stored_trace *out, struct error *err);
/* Reads a text; `path` is for messages, and what the path of the machine's file is relative to. */
bool store_read_text(const struct store_text *text, const struct machine *machine,
                     enum trace_reading reading, struct arena *arena, struct stored_trace *out,
                     struct error *err);
/* Appends the text of a trace, whose machine's file has this path from the text; NULL: none. */
void store_write_text(const struct machine *machine, const struct stored_trace *trace,
                      const char *file, struct strbuf *out);
/* The identity, by which a failure of two databases is told from one of a single database. */
const char *store_identity(const struct stored_trace *trace, struct arena *arena);
/* Writes the trace, and replaces an earlier one of the same identity. Ignores trace->path. If
 * `path` is not NULL, *path becomes the path of its file, in `arena`. */
bool store_save(const struct store *store, const struct machine *machine,
                const struct stored_trace *trace, struct arena *arena, const char **path,
                struct error *err);
/* Removes the trace of the failure, if it exists. */
bool store_remove(const struct store *store, const struct machine *machine,
                  const struct stored_trace *trace, struct error *err);
/* The head of a trace file, which can be read without the machine. Texts are in the arena. */
struct stored_head {
    const char *path;
    const char *machine; /* its name */
    /* The path of the machine's file from the current folder. NULL if the trace lacks it: it is
     * from an earlier version, or the machine is not a file. The file may be gone. */
    const char *file;
    const char *identity;
    uint64_t seed;
    uint64_t example;
    const char *name;
    bool differs; /* as in struct stored_trace */
    bool older;   /* written before heads had names, so it has no calls */
    VEC(const char *) calls;
    size_t size; /* bytes */
};
struct stored_heads {
    VEC(struct stored_head) items;
};
/* False with err if it is not a trace file. */
bool store_head(const char *path, struct arena *arena, struct stored_head *out, struct error *err);
/* The heads of all traces in the directory, of any machine, by path. Skips files that can't be
 * read, and a missing directory. */
void store_heads(const char *directory, struct arena *arena, struct stored_heads *out);

#endif
