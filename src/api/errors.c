#include "api/errors.h"

#include "base/visible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The public codes, by the internal ones. */
static const enum pgfsm_error_code codes[] = {
    [ERROR_NONE] = PGFSM_ERROR_SYSTEM, /* an error without a code is one of ours */
    [ERROR_USAGE] = PGFSM_ERROR_USAGE,           [ERROR_MACHINE] = PGFSM_ERROR_MACHINE,
    [ERROR_LIMIT] = PGFSM_ERROR_LIMIT,           [ERROR_SERVER] = PGFSM_ERROR_SERVER,
    [ERROR_CONNECTION] = PGFSM_ERROR_CONNECTION, [ERROR_INTERRUPTED] = PGFSM_ERROR_INTERRUPTED,
    [ERROR_SYSTEM] = PGFSM_ERROR_SYSTEM,
};

struct pgfsm_errors *pgfsm_errors_new(void)
{
    struct pgfsm_errors *errors = memory_alloc(sizeof *errors);
    *errors = (struct pgfsm_errors){0};
    return errors;
}

void pgfsm_errors_free(struct pgfsm_errors *errors)
{
    if (errors) {
        arena_free(&errors->arena);
        free(errors);
    }
}

void pgfsm_errors_clear(struct pgfsm_errors *errors)
{
    arena_free(&errors->arena);
    *errors = (struct pgfsm_errors){0};
}

size_t pgfsm_errors_count(const struct pgfsm_errors *errors) { return errors->items.count; }

const struct pgfsm_error *pgfsm_errors_at(const struct pgfsm_errors *errors, size_t index)
{
    return index < errors->items.count ? &errors->items.items[index] : NULL;
}

static const char *copy(struct arena *arena, enum visible_mode mode, const char *text)
{
    struct strbuf safe = {0};
    visible_adds(&safe, mode, text);
    return strbuf_take(&safe, arena);
}

static void add(struct pgfsm_errors *errors, const struct error *err, const char *severity)
{
    struct arena *arena = &errors->arena;
    struct pgfsm_error *item = VEC_PUSH(arena, &errors->items);
    struct strbuf text = {0};
    error_format_as(err, severity, &text);
    *item = (struct pgfsm_error){
        .code = codes[err->code],
        .sqlstate = arena_strdup(arena, err->sqlstate),
        .file = "",
        .message = copy(arena, VISIBLE_LINE, err->message),
        .detail = copy(arena, VISIBLE_BLOCK, err->detail),
        .hint = copy(arena, VISIBLE_BLOCK, err->hint),
        .text = copy(arena, VISIBLE_BLOCK, strbuf_text(&text)),
    };
    if (err->pos.source) {
        struct source_place place = source_place(err->pos);
        item->file = copy(arena, VISIBLE_LINE, err->pos.source->name);
        item->line = place.line;
        item->column = place.column;
    }
    strbuf_free(&text);
}

bool errors_add(struct pgfsm_errors *errors, const struct error *err)
{
    if (errors) {
        add(errors, err, "error");
    }
    return false;
}

void errors_add_warning(struct pgfsm_errors *errors, const struct error *err)
{
    add(errors, err, "warning");
}

bool errors_add_usage(struct pgfsm_errors *errors, struct error *err)
{
    err->code = ERROR_USAGE;
    return errors_add(errors, err);
}

bool errors_add_all(struct pgfsm_errors *errors, const struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->errors.count; i++) {
        (void)errors_add(errors, &diagnostics->errors.items[i]);
    }
    return false;
}

bool errors_add_both(struct pgfsm_errors *errors, const struct diagnostics *diagnostics,
                     const struct error *err)
{
    (void)errors_add_all(errors, diagnostics);
    return err->code != ERROR_NONE && errors_add(errors, err);
}

bool errors_add_found(struct pgfsm_errors *errors, const struct pgfsm_errors *found)
{
    for (size_t i = 0; errors && i < found->items.count; i++) {
        struct arena *arena = &errors->arena;
        struct pgfsm_error item = found->items.items[i];
        item.sqlstate = arena_strdup(arena, item.sqlstate);
        item.file = arena_strdup(arena, item.file);
        item.message = arena_strdup(arena, item.message);
        item.detail = arena_strdup(arena, item.detail);
        item.hint = arena_strdup(arena, item.hint);
        item.text = arena_strdup(arena, item.text);
        *VEC_PUSH(arena, &errors->items) = item;
    }
    return false;
}

bool errors_given(const void *object, const char *what, struct pgfsm_errors *errors)
{
    return object || errors_addf(errors, ERROR_USAGE, "there is no %s: it is NULL", what);
}

bool errors_addf(struct pgfsm_errors *errors, enum error_code code, const char *format, ...)
{
    struct error err = {.code = code};
    va_list args;
    va_start(args, format);
    (void)vsnprintf(err.message, sizeof err.message, format, args);
    va_end(args);
    return errors_add(errors, &err);
}
