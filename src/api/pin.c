#include "machine/pin.h"

#include "api/errors.h"
#include "base/file.h"
#include "machine/machine.h"
#include "trace/store/store.h"

#include <string.h>

#include <pgfsm/trace.h>

static const char byte_order_mark[] = "\xef\xbb\xbf";
enum { FILE_MAX = 16 << 20, MARK_SIZE = sizeof byte_order_mark - 1 };

/* The whole file, also its byte order mark. */
static bool read_file(const char *path, struct arena *arena, struct source *out, struct error *err)
{
    struct strbuf text = {0};
    FILE *file = file_open(path, err);
    bool read = file && file_read(file, path, FILE_MAX, &text, err);
    if (file) {
        (void)fclose(file);
    }
    *out = (struct source){.name = path, .text = strbuf_copy(&text, arena), .size = text.size};
    strbuf_free(&text);
    return read;
}

/* Whether a run would take it. */
static bool is_machine(const char *path, const char *text, size_t size, struct arena *arena,
                       struct pgfsm_errors *errors)
{
    struct diagnostics diagnostics = {.arena = arena};
    const struct machine *machine;
    return machine_read(path, text, size, NULL, arena, &machine, &diagnostics) ||
           errors_add_all(errors, &diagnostics);
}

/* A trace may name any file. */
static bool is_of(const char *path, const char *name, struct arena *arena,
                  struct pgfsm_errors *errors)
{
    struct diagnostics diagnostics = {.arena = arena};
    const struct machine *machine;
    struct source source;
    struct error err = {0};
    if (!read_file(path, arena, &source, &err)) {
        return errors_add_usage(errors, &err);
    }
    if (!machine_read(path, source.text, source.size, NULL, arena, &machine, &diagnostics)) {
        return errors_add_all(errors, &diagnostics);
    }
    if (strcmp(machine->name, name) != 0) {
        (void)error_set(&err, ERROR_USAGE, "%s has the machine '%s', and the failure is of '%s'",
                        path, machine->name, name);
        return errors_add_usage(errors, &err);
    }
    return true;
}

/* *known: an example has these steps already. */
static bool write_example(const char *path, struct new_example *example, struct arena *arena,
                          bool *known, struct pgfsm_errors *errors)
{
    struct source source;
    struct strbuf text = {0};
    struct error err = {0};
    if (!read_file(path, arena, &source, &err)) {
        return errors_add_usage(errors, &err);
    }
    size_t mark = strncmp(source.text, byte_order_mark, MARK_SIZE) == 0 ? MARK_SIZE : 0;
    strbuf_add(&text, source.text, mark);
    source.text += mark;
    source.size -= mark;
    bool good = pin_add(&source, example, arena, &text, &err);
    *known = !good && err.code == ERROR_USAGE;
    good = good ? is_machine(path, text.data + mark, text.size - mark, arena, errors) &&
                      (file_rewrite(path, &text, &err) || errors_add_usage(errors, &err))
                : errors_add_usage(errors, &err);
    strbuf_free(&text);
    return good;
}

static bool read_trace(const char *path, struct arena *arena, struct stored_head *out,
                       struct error *err)
{
    if (!store_head(path, arena, out, err) || out->calls.count) {
        return out->calls.count > 0;
    }
    (void)error_set(err, ERROR_USAGE, "%s has no steps that can be pinned", path);
    return error_hint(err, out->older
                               ? "an earlier version of pgfsm wrote it; `pgfsm run` writes it anew"
                               : "they don't repeat the failure alone: what initialize draws, "
                                 "several sessions, or a value that differs in each run is part "
                                 "of it");
}

bool pgfsm_pin(char **out, const char *trace, const char *machine, struct pgfsm_errors *errors)
{
    struct arena arena = {0};
    struct stored_head head = {0};
    struct error err = {0};
    struct strbuf text = {0};
    bool pinned = false;
    bool known = false;
    if (!read_trace(trace, &arena, &head, &err)) {
        (void)errors_add_usage(errors, &err);
    } else {
        struct new_example example = {.name = head.name};
        for (size_t i = 0; i < head.calls.count; i++) {
            *VEC_PUSH(&arena, &example.calls) = head.calls.items[i];
        }
        known = !is_of(machine, head.machine, &arena, errors);
        pinned = !known && write_example(machine, &example, &arena, &known, errors);
        if (pinned) {
            strbuf_addf(&text, "%s:%zu: %s", machine, example.line, example.name);
        } else if (!known) {
            pin_write(&example, &text);
        }
    }
    *out = text.data; /* malloc's, as strbuf documents; NULL where nothing was added */
    arena_free(&arena);
    return pinned;
}
