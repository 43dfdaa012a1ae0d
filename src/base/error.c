#include "base/error.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { CONTEXT_BEFORE = 70, CONTEXT_AFTER = 50 };

/* Formats into another buffer first, because the arguments may be texts of this error. */
__attribute__((format(printf, 3, 0))) static void vset(char *out, size_t capacity,
                                                       const char *format, va_list args)
{
    char text[sizeof((struct error *)0)->detail]; /* the longest of them */
    int size = vsnprintf(text, capacity, format, args);
    if (size < 0) {
        text[0] = '\0';
    } else if ((size_t)size >= capacity) {
        text[utf8_cut(text, capacity - 1)] = '\0';
    }
    memcpy(out, text, strlen(text) + 1);
}

bool error_vat(struct error *err, enum error_code code, struct source_pos pos, const char *format,
               va_list args)
{
    if (err) {
        vset(err->message, sizeof err->message, format, args);
        err->code = code;
        err->sqlstate[0] = err->detail[0] = err->hint[0] = '\0';
        err->pos = pos;
        err->missing = false;
    }
    return false;
}

bool error_set(struct error *err, enum error_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)error_vat(err, code, (struct source_pos){0}, format, args);
    va_end(args);
    return false;
}

bool error_at(struct error *err, enum error_code code, struct source_pos pos, const char *format,
              ...)
{
    va_list args;
    va_start(args, format);
    (void)error_vat(err, code, pos, format, args);
    va_end(args);
    return false;
}

bool error_system(struct error *err, const char *what, const char *path)
{
    return error_set(err, ERROR_SYSTEM, "%s %s: %s", what, path, strerror(errno));
}

bool error_hint(struct error *err, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        vset(err->hint, sizeof err->hint, format, args);
        va_end(args);
    }
    return false;
}

void error_detail(struct error *err, const char *format, ...)
{
    if (!err) {
        return;
    }
    size_t used = strlen(err->detail);
    size_t newline = used > 0;
    if (used + newline + 1 >= sizeof err->detail) {
        return;
    }
    va_list args;
    va_start(args, format);
    vset(err->detail + used + newline, sizeof err->detail - used - newline, format, args);
    va_end(args);
    if (newline) {
        err->detail[used] = '\n';
    }
}

bool error_context(struct error *err, const char *format, ...)
{
    if (err) {
        char context[sizeof err->message];
        char whole[sizeof context + 2 + sizeof err->message];
        va_list args;
        va_start(args, format);
        vset(context, sizeof context, format, args);
        va_end(args);
        int size = snprintf(whole, sizeof whole, "%s: %s", context, err->message);
        if (size >= (int)sizeof err->message) {
            whole[utf8_cut(whole, sizeof err->message - 1)] = '\0';
        }
        memcpy(err->message, whole, strlen(whole) + 1);
    }
    return false;
}

/* The bytes [from, to) of the line to show: all of a short line, or a window around the place. */
static void line_window(const struct source_place *place, size_t at, size_t *from, size_t *to)
{
    *from = 0;
    *to = place->line_size;
    if (place->line_size > CONTEXT_BEFORE + CONTEXT_AFTER) {
        *from = at > CONTEXT_BEFORE ? utf8_cut(place->line_text, at - CONTEXT_BEFORE) : 0;
        if (*to > at + CONTEXT_AFTER) {
            *to = utf8_cut(place->line_text, at + CONTEXT_AFTER);
        }
    }
}

/* Text for a terminal: control characters become spaces, bytes that are not UTF-8 become U+FFFD. */
static void add_shown(const char *text, size_t size, struct strbuf *out)
{
    for (size_t i = 0; i < size;) {
        uint32_t code;
        size_t length = utf8_decode(text + i, size - i, &code);
        if (!length) {
            strbuf_adds(out, "\xEF\xBF\xBD");
        } else if (code < 0x20U || code == 0x7FU) {
            strbuf_addc(out, ' ');
        } else {
            strbuf_add(out, text + i, length);
        }
        i += length ? length : 1;
    }
}

static void format_line(struct source_pos pos, struct strbuf *out)
{
    struct source_place place = source_place(pos);
    size_t at = (size_t)(pos.source->text + source_written(pos).offset - place.line_text);
    if (at > place.line_size) {
        at = place.line_size;
    }
    size_t from;
    size_t to;
    line_window(&place, at, &from, &to);
    strbuf_adds(out, from ? "    …" : "    ");
    size_t start = out->size;
    add_shown(place.line_text + from, at - from, out);
    size_t columns = utf8_length(out->data + start, out->size - start);
    strbuf_truncate(out, start);
    add_shown(place.line_text + from, to - from, out);
    strbuf_adds(out, to < place.line_size ? "…\n    " : "\n    ");
    strbuf_fill(out, ' ', columns + (from ? 1 : 0));
    strbuf_adds(out, "^\n");
}

void error_place(const struct error *err, struct strbuf *out)
{
    if (err->pos.source) {
        struct source_place place = source_place(err->pos);
        strbuf_addf(out, "%s:%zu:%zu: ", err->pos.source->name, place.line, place.column);
    }
}

void error_format(const struct error *err, struct strbuf *out)
{
    error_format_as(err, "error", out);
}

void error_format_as(const struct error *err, const char *severity, struct strbuf *out)
{
    error_place(err, out);
    strbuf_addf(out, "%s: %s\n", severity, err->message);
    if (err->pos.source) {
        format_line(err->pos, out);
    }
    strbuf_add_indented(out, err->detail);
    if (err->hint[0]) {
        strbuf_addf(out, "  hint: %s\n", err->hint);
    }
}

void diagnostics_add(struct diagnostics *diagnostics, const struct error *err)
{
    if (diagnostics->errors.count < DIAGNOSTICS_MAX) {
        *VEC_PUSH(diagnostics->arena, &diagnostics->errors) = *err;
    } else if (diagnostics->errors.count == DIAGNOSTICS_MAX) {
        (void)error_set(VEC_PUSH(diagnostics->arena, &diagnostics->errors), err->code,
                        "and more; fix these first");
    }
}

struct error *diagnostics_at(struct diagnostics *diagnostics, struct source_pos pos,
                             const char *format, ...)
{
    struct error err = {0};
    va_list args;
    va_start(args, format);
    (void)error_vat(&err, ERROR_MACHINE, pos, format, args);
    va_end(args);
    diagnostics_add(diagnostics, &err);
    if (diagnostics->errors.count > DIAGNOSTICS_MAX) {
        /* not kept, but the caller may give it a hint */
        return arena_memdup(diagnostics->arena, &err, sizeof err);
    }
    return &diagnostics->errors.items[diagnostics->errors.count - 1];
}

enum { MERGED_LINES_SHOWN = 12 };

static bool says_the_same(const struct error *a, const struct error *b)
{
    return a->missing && b->missing && a->pos.source && a->pos.source == b->pos.source &&
           strcmp(a->message, b->message) == 0 && strcmp(a->hint, b->hint) == 0 &&
           strcmp(a->detail, b->detail) == 0;
}

/* "used again in lines 14 and 20" */
static void tell_lines(struct error *err, const size_t *lines, size_t count)
{
    struct strbuf text = {0};
    strbuf_addf(&text, "used again in line%s ", plural(count));
    for (size_t i = 0; i < count && i < MERGED_LINES_SHOWN; i++) {
        strbuf_addf(&text, "%s%zu", i == 0 ? "" : i + 1 == count ? " and " : ", ", lines[i]);
    }
    if (count > MERGED_LINES_SHOWN) {
        strbuf_addf(&text, " and %zu more", count - MERGED_LINES_SHOWN);
    }
    error_detail(err, "%s", strbuf_text(&text));
    strbuf_free(&text);
}

/* Removes the errors that repeat the one at `first`, and adds their lines to it. */
static void merge_into(struct diagnostics *diagnostics, size_t first)
{
    size_t lines[DIAGNOSTICS_MAX + 1];
    size_t count = 0;
    struct error *items = diagnostics->errors.items;
    size_t kept = first + 1;
    for (size_t i = first + 1; i < diagnostics->errors.count; i++) {
        if (!says_the_same(&items[first], &items[i])) {
            items[kept++] = items[i];
            continue;
        }
        size_t line = source_place(items[i].pos).line;
        if (!count || lines[count - 1] != line) {
            lines[count++] = line;
        }
    }
    diagnostics->errors.count = kept;
    if (count) {
        tell_lines(&items[first], lines, count);
    }
}

void diagnostics_merge(struct diagnostics *diagnostics, size_t from)
{
    for (size_t i = from; i < diagnostics->errors.count; i++) {
        merge_into(diagnostics, i);
    }
}

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

enum { NAME_MAX_COMPARED = 63 };

/* Optimal string alignment distance, by rows; names longer than NAME_MAX_COMPARED are never close.
 */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][NAME_MAX_COMPARED + 1];
    size_t *before = rows[0];
    size_t *last = rows[1];
    size_t *now = rows[2];
    size_t n = strlen(a);
    size_t m = strlen(b);
    if (n > NAME_MAX_COMPARED || m > NAME_MAX_COMPARED) {
        return n + m;
    }
    memset(rows, 0, sizeof rows);
    for (size_t j = 0; j <= m; j++) {
        last[j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            now[j] = smallest(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < now[j]) {
                now[j] = before[j - 2] + 1;
            }
        }
        size_t *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[m];
}

/* The only name that begins with the word, `min_value` for `min`; or NULL. */
/* The name of item `index` in an array of structs of `size` bytes that begin with their names. */
static const char *name_at(const void *items, size_t index, size_t size)
{
    return *(const char *const *)(const void *)((const char *)items + index * size);
}

static const char *sole_continuation(const char *word, const void *items, size_t count, size_t size)
{
    const char *found = NULL;
    size_t length = strlen(word);
    for (size_t i = 0; i < count && length >= 3; i++) {
        const char *name = name_at(items, i, size);
        if (strncmp(name, word, length) == 0 && name[length]) {
            if (found && strcmp(found, name) != 0) {
                return NULL;
            }
            found = name;
        }
    }
    return found;
}

/* With more than one edit for every three letters, it is another word. */
enum { LETTERS_PER_EDIT = 3 };

const char *closest_of(const char *word, const void *items, size_t count, size_t size)
{
    const char *best = NULL;
    size_t length = strlen(word);
    size_t bound = length < LETTERS_PER_EDIT ? 1 : length / LETTERS_PER_EDIT;
    for (size_t i = 0; i < count; i++) {
        const char *name = name_at(items, i, size);
        size_t distance = edit_distance(word, name);
        if (distance <= bound && distance < length && distance < strlen(name)) {
            best = name;
            bound = distance ? distance - 1 : 0;
            if (distance == 0) {
                break;
            }
        }
    }
    return best ? best : sole_continuation(word, items, count, size);
}

const char *closest_name(const char *word, const char *const *names, size_t count)
{
    return closest_of(word, names, count, sizeof *names);
}
