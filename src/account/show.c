#include "account/show.h"

#include "base/utf8.h"
#include "base/visible.h"
#include "machine/conditions.h"
#include "trace/ids.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *show_count(struct arena *arena, uint64_t count)
{
    struct strbuf out = {0};
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%" PRIu64, count);
    for (int i = 0; i < size; i++) {
        strbuf_adds(&out, i && (size - i) % 3 == 0 ? "," : "");
        strbuf_addc(&out, digits[i]);
    }
    return strbuf_take(&out, arena);
}

const char *show_counted(struct arena *arena, uint64_t count, const char *noun)
{
    return arena_printf(arena, "%s %s%s", show_count(arena, count), noun, plural(count));
}

const char *show_duration(struct arena *arena, uint64_t time_us)
{
    uint64_t seconds = (time_us + 500000) / 1000000;
    if (seconds >= 3600) {
        return arena_printf(arena, "%" PRIu64 " h %" PRIu64 " min", seconds / 3600,
                            seconds % 3600 / 60);
    }
    if (seconds >= 100) {
        return arena_printf(arena, "%" PRIu64 " min %" PRIu64 " s", seconds / 60, seconds % 60);
    }
    return arena_printf(arena, "%.*f s", time_us < 9995000 ? 2 : 1, (double)time_us / 1e6);
}

const char *show_condition(const char *sqlstate)
{
    const char *name = condition_name(sqlstate);
    return name ? name : sqlstate;
}

void show_names_add(struct show_names *names, struct arena *arena, const struct shown_arg *arg)
{
    if (arg->reference && value_is_id(arg->value)) {
        *VEC_PUSH(arena, &names->items) = *arg;
    }
}

static void collect(struct show_names *names, struct arena *arena, const struct failure *failure,
                    const struct shown_arg *arg)
{
    if (!failure_draws(failure, arg->value)) {
        show_names_add(names, arena, arg);
    }
}

/* Of several names for a value the first counts: the one by which it was drawn last. */
void show_names_collect(struct show_names *names, struct arena *arena,
                        const struct failure *failure)
{
    for (size_t i = 0; i < failure->fors.count; i++) {
        collect(names, arena, failure, &failure->fors.items[i]);
    }
    for (size_t i = failure->steps.count; i-- > 0;) {
        const struct shown_step *step = &failure->steps.items[i];
        for (size_t j = 0; j < step->args.count; j++) {
            collect(names, arena, failure, &step->args.items[j]);
        }
    }
    for (size_t i = 0; i < failure->bundled.count; i++) {
        collect(names, arena, failure, &failure->bundled.items[i]);
    }
}

static const struct shown_arg *name_at(const struct show_names *names, const char *text, size_t at,
                                       size_t size)
{
    return names ? id_at(names->items.items, names->items.count, text, at, size) : NULL;
}

static const char *name_of(const struct show_names *names, struct value value)
{
    const struct string *text = value.as.string;
    const struct shown_arg *name =
        value.type == VALUE_STRING ? name_at(names, text->data, 0, text->size) : NULL;
    return name && name->value.as.string->size == text->size ? name->reference : NULL;
}

/* Whether what stands at text[at] is a string of the language, all of it. */
static bool is_quoted(const char *text, size_t at, size_t size)
{
    bool quotes = at && text[at - 1] == '"' && text[at + size] == '"';
    bool inside = at > 1 && (text[at - 2] == '\\' || text[at - 2] == 'b');
    return quotes && !inside;
}

enum naming_of_text {
    NAME_ALL,     /* wherever an id stands: for reading */
    NAME_STRINGS, /* where it is a string of its own: what comes out is code */
};

/* Appends text with the ids that have a name replaced by it; quotes around one go, too. */
static void add_by_name(struct strbuf *out, const struct show_names *names,
                        enum naming_of_text naming, const char *text)
{
    size_t size = strlen(text);
    for (size_t i = 0; i < size; i++) {
        const struct shown_arg *name = name_at(names, text, i, size);
        size_t id = name ? name->value.as.string->size : 0;
        bool quoted = name && is_quoted(text, i, id);
        if (!name || (naming == NAME_STRINGS && !quoted)) {
            strbuf_addc(out, text[i]);
            continue;
        }
        if (quoted) {
            strbuf_truncate(out, out->size - 1);
        }
        strbuf_adds(out, name->reference);
        i += id - (quoted ? 0 : 1);
    }
}

/* Text as it is shown, whole. */
static const char *named(struct arena *arena, const struct show_names *names,
                         enum naming_of_text naming, const char *text)
{
    struct strbuf safe = {0};
    struct strbuf out = {0};
    visible_adds(&safe, VISIBLE_LINE, text);
    add_by_name(&out, names, naming, strbuf_text(&safe));
    strbuf_free(&safe);
    return strbuf_take(&out, arena);
}

/* Valid text, cut to `limit` characters of which the one at `place` is one, with a word on how many
 * there are; the text itself where it is not cut. */
static const char *cut(struct arena *arena, const char *text, size_t place, size_t limit)
{
    size_t size = strlen(text);
    size_t length = utf8_length(text, size);
    if (limit == SHOW_ALL || length <= limit) {
        return text;
    }
    size_t part = limit - limit / 4;
    size_t first = place + part / 4 < part ? 0 : place - part / 4;
    first = first + part > length ? length - part : first;
    size_t start = utf8_offset(text, size, first);
    size_t end = utf8_offset(text, size, first + part);
    const char *from =
        first ? arena_printf(arena, ", from %s on", show_count(arena, first + 1)) : "";
    return arena_printf(arena, "%s%.*s%s (%s%s)", first ? "…" : "", (int)(end - start),
                        text + start, end < size ? "…" : "",
                        show_counted(arena, length, "character"), from);
}

const char *show_text(struct arena *arena, const struct show_names *names, const char *text,
                      size_t limit)
{
    return cut(arena, named(arena, names, NAME_ALL, text), 0, limit);
}

const char *show_name(struct arena *arena, const char *name)
{
    return show_text(arena, NULL, name, SHOW_ALL);
}

void show_two(struct arena *arena, const struct show_names *names, const char *texts[2],
              size_t limit)
{
    const char *a = named(arena, names, NAME_ALL, texts[0]);
    const char *b = named(arena, names, NAME_ALL, texts[1]);
    size_t common = 0;
    while (a[common] && a[common] == b[common]) {
        common++;
    }
    size_t place = utf8_length(a, utf8_cut(a, common));
    texts[0] = cut(arena, a, place, limit);
    texts[1] = cut(arena, b, place, limit);
}

const char *show_value(struct arena *arena, const struct show_names *names, struct value value,
                       size_t limit)
{
    return show_text(arena, names, value_repr_text(arena, value), limit);
}

const char *show_named_value(struct arena *arena, const struct show_names *names,
                             struct value value, const char *reference, size_t limit)
{
    const char *name = reference ? show_name(arena, reference) : "";
    if (reference && name_of(names, value)) {
        return name;
    }
    return arena_printf(arena, "%s%s%s", show_value(arena, names, value, limit),
                        reference ? "   = " : "", name);
}

/* A step whose long values are replaced by cut texts prints like any other. */
const char *show_step(struct arena *arena, const struct show_names *names,
                      const struct shown_step *step, size_t limit, bool *whole)
{
    struct strbuf text = {0};
    struct shown_step shown = *step;
    shown.args.items =
        arena_memdup(arena, step->args.items, step->args.count * sizeof *step->args.items);
    for (size_t i = 0; i < step->args.count; i++) {
        struct shown_arg *arg = &shown.args.items[i];
        if (!arg->reference) {
            const char *value =
                named(arena, names, NAME_STRINGS, value_repr_text(arena, arg->value));
            arg->reference = cut(arena, value, 0, limit);
            *whole = *whole && arg->reference == value;
        }
    }
    trace_print_step(&shown, &text);
    return show_name(arena, strbuf_take(&text, arena));
}

static size_t blank_prefix(const char *line) { return strspn(line, " \t"); }

/* Bytes of white space that every line but the first begins with; blank lines do not count. */
static size_t common_indent(const char *sql)
{
    size_t common = SIZE_MAX;
    for (const char *line = strchr(sql, '\n'); line; line = strchr(line, '\n')) {
        line++;
        size_t blank = blank_prefix(line);
        if (line[blank] != '\0' && line[blank] != '\n' && blank < common) {
            common = blank;
        }
    }
    return common == SIZE_MAX ? 0 : common;
}

static void add_sql_line(struct strbuf *out, const char *line, size_t size, size_t indent)
{
    while (size && (line[size - 1] == ' ' || line[size - 1] == '\t' || line[size - 1] == '\r')) {
        size--;
    }
    if (size) {
        strbuf_fill(out, ' ', indent);
        visible_add(out, VISIBLE_BLOCK, line, size);
    }
}

const char *show_sql(struct arena *arena, const char *sql, size_t indent, size_t max_lines)
{
    struct strbuf out = {0};
    sql += strspn(sql, "\r\n");
    size_t common = common_indent(sql);
    size_t line = 0;
    for (const char *at = sql; *at; line++) {
        size_t size = strcspn(at, "\n");
        size_t blank = line == 0 ? blank_prefix(at) : common;
        if (blank > size) {
            blank = size;
        }
        if (max_lines == SHOW_ALL || line < max_lines) {
            strbuf_adds(&out, line ? "\n" : "");
            add_sql_line(&out, at + blank, size - blank, indent);
        }
        at += size + (at[size] == '\n');
    }
    if (max_lines != SHOW_ALL && line > max_lines) {
        strbuf_addf(&out, "\n%*s… %s", (int)indent, "",
                    show_counted(arena, line - max_lines, "more line"));
    }
    return strbuf_take(&out, arena);
}
