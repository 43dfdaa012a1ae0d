#include "machine/pin.h"

#include "api/errors.h"
#include "base/file.h"
#include "machine/machine.h"
#include "trace/store/store.h"

#include <string.h>

#include <pgfsm/trace.h>

static const char byte_order_mark[] = "\xef\xbb\xbf";
enum { FILE_MAX = 16 << 20, MARK_SIZE = sizeof byte_order_mark - 1 };

struct pinning {
    const char *path;    /* of the machine's file */
    FILE *file;          /* nobody else pins to it while it is open */
    struct strbuf was;   /* the whole file, also its byte order mark */
    const char *machine; /* the name of the one that failed */
    struct arena *arena;
    struct pgfsm_errors *errors;
    bool unwanted; /* the example is not to be written by hand either */
};

/* As a run would take it; NULL with diagnostics. */
static const struct machine *load(const struct pinning *pinning, const char *text, size_t size,
                                  struct diagnostics *diagnostics)
{
    const struct machine *machine;
    *diagnostics = (struct diagnostics){.arena = pinning->arena};
    return machine_read(pinning->path, text, size, NULL, pinning->arena, &machine, diagnostics)
               ? machine
               : NULL;
}

/* A trace may name any file. Of one with mistakes it is said later what they are. */
static bool is_of_another(const struct pinning *pinning, const struct source *source,
                          struct error *err)
{
    struct diagnostics ignored;
    const struct machine *machine = load(pinning, source->text, source->size, &ignored);
    return machine && strcmp(machine->name, pinning->machine) != 0 &&
           !error_set(err, ERROR_USAGE, "%s has the machine '%s', and the failure is of '%s'",
                      pinning->path, machine->name, pinning->machine);
}

static bool write_text(const struct pinning *pinning, const struct strbuf *text, size_t mark)
{
    struct diagnostics diagnostics;
    struct error err = {0};
    if (!load(pinning, text->data + mark, text->size - mark, &diagnostics)) {
        return errors_add_all(pinning->errors, &diagnostics);
    }
    return file_rewrite(pinning->path, pinning->file, &pinning->was, text, &err) ||
           errors_add_usage(pinning->errors, &err);
}

static bool add_example(struct pinning *pinning, struct new_example *example)
{
    const char *was = strbuf_text(&pinning->was);
    size_t mark = strncmp(was, byte_order_mark, MARK_SIZE) == 0 ? MARK_SIZE : 0;
    const struct source source = {
        .name = pinning->path, .text = was + mark, .size = pinning->was.size - mark};
    struct strbuf text = {0};
    struct error err = {0};
    strbuf_add(&text, was, mark);
    bool other = is_of_another(pinning, &source, &err);
    bool good = !other && pin_add(&source, example, pinning->arena, &text, &err);
    pinning->unwanted = other || (!good && err.code == ERROR_USAGE);
    good = good ? write_text(pinning, &text, mark) : errors_add_usage(pinning->errors, &err);
    strbuf_free(&text);
    return good;
}

static bool write_example(struct pinning *pinning, struct new_example *example)
{
    struct error err = {0};
    pinning->file = file_open_locked(pinning->path, &err);
    bool read =
        pinning->file && file_read(pinning->file, pinning->path, FILE_MAX, &pinning->was, &err);
    bool good = read ? add_example(pinning, example) : errors_add_usage(pinning->errors, &err);
    if (pinning->file) {
        (void)fclose(pinning->file);
    }
    strbuf_free(&pinning->was);
    return good;
}

static bool read_trace(const char *path, struct arena *arena, struct stored_head *out,
                       struct error *err)
{
    if (!store_head(path, arena, out, err) || out->calls.count) {
        return out->calls.count > 0;
    }
    if (out->differs) {
        (void)error_set(err, ERROR_USAGE, "%s is what two databases answer differently", path);
        return error_hint(err, "a pinned example runs on one database; `pgfsm diff` runs stored "
                               "differences first");
    }
    (void)error_set(err, ERROR_USAGE, "%s has no steps that can be pinned", path);
    return error_hint(err, out->older
                               ? "an earlier version of pgfsm wrote it; `pgfsm run` writes it anew"
                               : "they don't repeat the failure alone: what initialize draws, "
                                 "several sessions, or a value that differs in each run is part "
                                 "of it");
}

bool pgfsm_trace_pin(char **out, const char *trace, const char *machine,
                     struct pgfsm_errors *errors)
{
    struct arena arena = {0};
    struct stored_head head = {0};
    struct error err = {0};
    struct strbuf text = {0};
    struct pinning pinning = {.path = machine, .arena = &arena, .errors = errors};
    bool pinned = false;
    if (!read_trace(trace, &arena, &head, &err)) {
        (void)errors_add_usage(errors, &err);
    } else {
        struct new_example example = {.name = head.name};
        for (size_t i = 0; i < head.calls.count; i++) {
            *VEC_PUSH(&arena, &example.calls) = head.calls.items[i];
        }
        pinning.machine = head.machine;
        pinned = write_example(&pinning, &example);
        if (pinned) {
            strbuf_addf(&text, "%s:%zu: %s", machine, example.line, example.name);
        } else if (!pinning.unwanted) {
            pin_write(&example, &text);
        }
    }
    *out = text.data; /* malloc's, as strbuf documents; NULL where nothing was added */
    arena_free(&arena);
    return pinned;
}
