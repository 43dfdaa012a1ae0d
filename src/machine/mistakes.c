/* Collects mistakes in a machine file, each once. */
#include "machine/loader.h"

#include <stdarg.h>
#include <string.h>

/* True if the YAML has a mistake at this place. Further mistakes there are not reported. */
static bool is_damaged(const struct loader *loader, struct source_pos pos)
{
    for (size_t i = 0; i < loader->document_errors; i++) {
        if (loader->diagnostics->errors.items[i].pos.offset == pos.offset) {
            return true;
        }
    }
    return false;
}

/* True if the same mistake was found before: a context is read for each of its users. */
static bool is_reported(const struct loader *loader, const struct error *mistake)
{
    for (size_t i = 0; i < loader->diagnostics->errors.count; i++) {
        const struct error *err = &loader->diagnostics->errors.items[i];
        if (err->pos.source == mistake->pos.source && err->pos.offset == mistake->pos.offset &&
            !strcmp(err->message, mistake->message)) {
            return true;
        }
    }
    return false;
}

struct error *report_error(struct loader *loader, const struct error *err)
{
    if (is_damaged(loader, err->pos) || is_reported(loader, err)) {
        return &loader->ignored;
    }
    diagnostics_add(loader->diagnostics, err);
    struct error *last = &loader->diagnostics->errors.items[loader->diagnostics->errors.count - 1];
    return strcmp(last->message, err->message) ? &loader->ignored
                                               : last; /* NULL if there were too many */
}

struct error *report_at(struct loader *loader, struct source_pos pos, const char *format, ...)
{
    struct error err;
    struct strbuf message = {0};
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&message, format, args);
    va_end(args);
    (void)error_at(&err, ERROR_MACHINE, pos, "%s", strbuf_text(&message));
    strbuf_free(&message);
    return report_error(loader, &err);
}

const char *did_you_mean_of(struct loader *loader, const char *word, const void *names,
                            size_t count, size_t size)
{
    const char *close = closest_of(word, names, count, size);
    return close ? arena_printf(loader->arena, ", did you mean '%s'?", close) : "";
}
