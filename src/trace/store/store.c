#include "trace/store/store.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/path.h"
#include "trace/name.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char header[] = "pgfsm trace 1\n";
static const char two_databases[] =
    "two-databases"; /* what a run that compares them is, in a head */
enum { FILE_MAX = 16 << 20, SLUG_MAX = 40 };

/* Appends the letters and digits of `text` in lower case, with one `-` for anything in between. */
static void add_slug(struct strbuf *out, const char *text)
{
    size_t start = out->size;
    for (const char *c = text; *c && out->size - start < SLUG_MAX; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_';
        bool upper = *c >= 'A' && *c <= 'Z';
        if (plain || upper) {
            strbuf_addc(out, upper ? (char)(*c - 'A' + 'a') : *c);
        } else if (out->size > start && out->data[out->size - 1] != '-') {
            strbuf_addc(out, '-');
        }
    }
}

const char *store_identity(const struct stored_trace *trace, struct arena *arena)
{
    return trace->differs ? arena_printf(arena, "%s, of two databases", trace->identity)
                          : trace->identity;
}

static char *machine_directory(const char *directory, const struct machine *machine,
                               struct arena *arena)
{
    struct strbuf path = {0};
    strbuf_addf(&path, "%s/", directory);
    add_slug(&path, machine->name);
    return strbuf_take(&path, arena);
}

static char *trace_path(const char *directory, const struct machine *machine,
                        const struct stored_trace *trace, struct arena *arena)
{
    struct strbuf path = {0};
    const char *whole = store_identity(trace, arena);
    strbuf_addf(&path, "%s/", machine_directory(directory, machine, arena));
    add_slug(&path, trace->identity);
    /* different identities with the same letters get different files */
    strbuf_addf(&path, "-%08" PRIx32 ".trace", hash_bytes_32(whole, strlen(whole)));
    return strbuf_take(&path, arena);
}

/* --- reading --- */

static bool read_source(const char *path, struct arena *arena, const struct source **out,
                        struct error *err)
{
    struct strbuf text = {0};
    bool good = file_load(path, FILE_MAX, &text, err);
    if (good) {
        struct source *source = ARENA_NEW(arena, struct source);
        *source = (struct source){.name = arena_strdup(arena, path),
                                  .text = strbuf_copy(&text, arena),
                                  .size = text.size};
        *out = source;
    }
    strbuf_free(&text);
    return good;
}

/* Reads a line `key value` of the head at *at, and moves past it; NULL if the line has another key.
 */
static const char *head_line(const struct source *source, const char *key, size_t *at, size_t *size)
{
    size_t length = strlen(key);
    const char *line = source->text + *at;
    const char *end = memchr(line, '\n', source->size - *at);
    if (!end || (size_t)(end - line) <= length || memcmp(line, key, length) != 0 ||
        line[length] != ' ') {
        return NULL;
    }
    *at = (size_t)(end - source->text) + 1;
    *size = (size_t)(end - line) - length - 1;
    return line + length + 1;
}

static const char *head_string(const struct source *source, const char *key, size_t *at,
                               struct arena *arena)
{
    size_t size;
    const char *text = head_line(source, key, at, &size);
    return text && size > 0 && text[0] == '=' ? text_unescape(text + 1, size - 1, arena, NULL)
                                              : NULL;
}

static bool head_number(const struct source *source, const char *key, size_t *at, uint64_t *out)
{
    size_t size;
    const char *text = head_line(source, key, at, &size);
    char *end = NULL;
    *out = text ? strtoull(text, &end, 10) : 0;
    return text && end == text + size && size > 0;
}

static bool is_trace(const struct source *source)
{
    return source->size >= sizeof header - 1 &&
           memcmp(source->text, header, sizeof header - 1) == 0;
}

/* Reads the name in the head, or makes the one that the failure would get now. */
static void read_name(const struct source *source, struct arena *arena, size_t *at,
                      struct stored_head *out)
{
    struct strbuf name = {0};
    out->name = head_string(source, "name", at, arena);
    out->older = !out->name;
    if (!out->name || !trace_is_name(out->name)) {
        trace_name(out->machine, out->identity, &name);
        out->name = strbuf_take(&name, arena);
    }
}

/* Reads the lines in order, up to the steps. */
static bool read_head(const char *path, const struct source *source, struct arena *arena,
                      struct stored_head *out, struct error *err)
{
    size_t at = sizeof header - 1;
    *out = (struct stored_head){.path = source->name};
    out->machine = is_trace(source) ? head_string(source, "machine", &at, arena) : NULL;
    if (!out->machine) {
        (void)error_set(err, ERROR_SYSTEM, "%s is not a trace of pgfsm", path);
        return false;
    }
    out->identity = head_string(source, "failure", &at, arena);
    if (!out->identity || !head_number(source, "seed", &at, &out->seed) ||
        !head_number(source, "example", &at, &out->example)) {
        (void)error_set(err, ERROR_SYSTEM, "%s is damaged: its head can't be read", path);
        return false;
    }
    const char *file = head_string(source, "file", &at, arena);
    out->file = file ? path_beside(arena, path, file) : NULL;
    read_name(source, arena, &at, out);
    const char *kind = head_string(source, "run", &at, arena);
    out->differs = kind && strcmp(kind, two_databases) == 0;
    const char *call;
    while ((call = head_string(source, "call", &at, arena))) {
        *VEC_PUSH(arena, &out->calls) = call;
    }
    out->size = at;
    return true;
}

static bool read_trace(const struct source *source, const struct machine *machine,
                       enum trace_reading reading, struct arena *arena, struct stored_trace *out,
                       struct error *err)
{
    struct stored_head head;
    if (!read_head(source->name, source, arena, &head, err)) {
        return false;
    }
    if (strcmp(head.machine, machine->name) != 0) {
        return error_set(err, ERROR_SYSTEM, "%s is a trace of machine %s, not of %s", source->name,
                         head.machine, machine->name);
    }
    *out = (struct stored_trace){.path = source->name,
                                 .identity = head.identity,
                                 .seed = head.seed,
                                 .example = head.example,
                                 .name = head.name,
                                 .differs = head.differs};
    return trace_read(machine, source, head.size, reading, arena, &out->trace, err);
}

bool store_read(const char *path, const struct machine *machine, enum trace_reading reading,
                struct arena *arena, struct stored_trace *out, struct error *err)
{
    const struct source *source;
    return read_source(path, arena, &source, err) &&
           read_trace(source, machine, reading, arena, out, err);
}

bool store_read_text(const struct store_text *text, const struct machine *machine,
                     enum trace_reading reading, struct arena *arena, struct stored_trace *out,
                     struct error *err)
{
    struct source *source = ARENA_NEW(arena, struct source);
    *source = (struct source){.name = text->path, .text = text->text, .size = text->size};
    if (text->err) {
        *err = *text->err;
        return false;
    }
    return read_trace(source, machine, reading, arena, out, err);
}

bool store_head(const char *path, struct arena *arena, struct stored_head *out, struct error *err)
{
    const struct source *source;
    return read_source(path, arena, &source, err) && read_head(path, source, arena, out, err);
}

static int is_trace_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && path_ends_in(entry->d_name, ".trace");
}

static void load_file(const char *path, struct arena *arena, struct store_texts *out)
{
    struct error err = {0};
    const struct source *source;
    struct store_text *text = VEC_PUSH(arena, &out->items);
    text->path = path;
    if (read_source(path, arena, &source, &err)) {
        text->text = source->text;
        text->size = source->size;
    } else {
        text->err = arena_memdup(arena, &err, sizeof err);
    }
}

static bool folder_load(void *host, const struct machine *machine, struct arena *arena,
                        struct store_texts *out, struct error *err)
{
    const char *path = machine_directory(host, machine, arena);
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, is_trace_file, alphasort);
    if (count < 0) {
        return errno == ENOENT || error_system(err, "can't read the directory", path);
    }
    for (int i = 0; i < count; i++) {
        load_file(arena_printf(arena, "%s/%s", path, entries[i]->d_name), arena, out);
        free(entries[i]);
    }
    free(entries);
    return true;
}

bool store_load(const struct store *store, const struct machine *machine, struct arena *arena,
                struct stored_traces *out, struct error *err)
{
    struct store_texts texts = {0};
    *out = (struct stored_traces){0};
    if (!store->kind->load(store->host, machine, arena, &texts, err)) {
        return false;
    }
    for (size_t i = 0; i < texts.items.count; i++) {
        struct error wrong = {0};
        struct stored_trace trace;
        if (store_read_text(&texts.items.items[i], machine, TRACE_AS_FAR, arena, &trace, &wrong)) {
            *VEC_PUSH(arena, &out->items) = trace;
        } else {
            *VEC_PUSH(arena, &out->skipped) = wrong;
        }
    }
    return true;
}

static int is_shown(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void add_heads(const char *folder, struct arena *arena, struct stored_heads *out)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_trace_file, alphasort);
    for (int i = 0; i < count; i++) {
        struct stored_head head;
        struct error ignored = {0};
        if (store_head(arena_printf(arena, "%s/%s", folder, entries[i]->d_name), arena, &head,
                       &ignored)) {
            *VEC_PUSH(arena, &out->items) = head;
        }
        free(entries[i]);
    }
    free(entries);
}

void store_heads(const char *directory, struct arena *arena, struct stored_heads *out)
{
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, is_shown, alphasort);
    *out = (struct stored_heads){0};
    for (int i = 0; i < count; i++) {
        add_heads(arena_printf(arena, "%s/%s", directory, entries[i]->d_name), arena, out);
        free(entries[i]);
    }
    free(entries);
}

/* --- writing --- */

/* The path of the machine's file from the folder; NULL if the machine is not a file. */
static const char *file_from(const char *folder, const struct machine *machine, struct arena *arena)
{
    const char *from = path_absolute(arena, folder);
    const char *to = from && machine->path ? path_absolute(arena, machine->path) : NULL;
    return to ? path_relative(arena, from, to) : NULL;
}

static void write_line(const char *key, const char *text, struct strbuf *out)
{
    if (text) {
        strbuf_addf(out, "%s =", key);
        text_escape(text, strlen(text), out);
        strbuf_addc(out, '\n');
    }
}

void store_write_text(const struct machine *machine, const struct stored_trace *trace,
                      const char *file, struct strbuf *out)
{
    strbuf_adds(out, header);
    write_line("machine", machine->name, out);
    write_line("failure", trace->identity, out);
    strbuf_addf(out, "seed %" PRIu64 "\nexample %" PRIu64 "\n", trace->seed, trace->example);
    write_line("file", file, out);
    write_line("name", trace->name, out);
    write_line("run", trace->differs ? two_databases : NULL, out);
    for (size_t i = 0; i < trace->calls.count; i++) {
        write_line("call", trace->calls.items[i], out);
    }
    trace_write(machine, &trace->trace, out);
}

static bool folder_save(void *host, const struct machine *machine, const struct stored_trace *trace,
                        struct arena *arena, const char **path, struct error *err)
{
    const char *folder = machine_directory(host, machine, arena);
    if (!folder_make(folder, 0777, err)) {
        return false;
    }
    char *file = trace_path(host, machine, trace, arena);
    struct strbuf text = {0};
    store_write_text(machine, trace, file_from(folder, machine, arena), &text);
    bool good = file_replace(file, &text, err);
    strbuf_free(&text);
    *path = file;
    return good;
}

static bool folder_remove(void *host, const struct machine *machine,
                          const struct stored_trace *trace, struct error *err)
{
    struct arena arena = {0};
    const char *path = trace_path(host, machine, trace, &arena);
    bool good = unlink(path) == 0 || errno == ENOENT || error_system(err, "can't remove", path);
    arena_free(&arena);
    return good;
}

struct store store_folder(const char *directory)
{
    static const struct store_kind folder = {folder_load, folder_save, folder_remove};
    return (struct store){&folder, (void *)(uintptr_t)directory};
}

bool store_save(const struct store *store, const struct machine *machine,
                const struct stored_trace *trace, struct arena *arena, const char **path,
                struct error *err)
{
    const char *ignored;
    assert(trace->identity != NULL);
    return store->kind->save(store->host, machine, trace, arena, path ? path : &ignored, err);
}

bool store_remove(const struct store *store, const struct machine *machine,
                  const struct stored_trace *trace, struct error *err)
{
    assert(trace->identity != NULL);
    return store->kind->remove(store->host, machine, trace, err);
}
