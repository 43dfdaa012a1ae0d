#include "report/text/show.h"

#include "base/utf8.h"
#include "base/visible.h"
#include "machine/conditions.h"
#include "trace/ids.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void show_count(struct strbuf *out, uint64_t count)
{
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%" PRIu64, count);
    for (int i = 0; i < size; i++) {
        if (i && (size - i) % 3 == 0) {
            strbuf_addc(out, ',');
        }
        strbuf_addc(out, digits[i]);
    }
}

void show_counted(struct strbuf *out, uint64_t count, const char *noun)
{
    show_count(out, count);
    strbuf_addf(out, " %s%s", noun, plural(count));
}

void show_duration(struct strbuf *out, uint64_t time_us)
{
    uint64_t seconds = (time_us + 500000) / 1000000;
    if (seconds >= 3600) {
        strbuf_addf(out, "%" PRIu64 " h %" PRIu64 " min", seconds / 3600, seconds % 3600 / 60);
    } else if (seconds >= 100) {
        strbuf_addf(out, "%" PRIu64 " min %" PRIu64 " s", seconds / 60, seconds % 60);
    } else {
        strbuf_addf(out, "%.*f s", time_us < 9995000 ? 2 : 1, (double)time_us / 1e6);
    }
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

void show_names_collect(struct show_names *names, struct arena *arena,
                        const struct failure *failure)
{
    for (size_t i = 0; i < failure->bundled.count; i++) {
        collect(names, arena, failure, &failure->bundled.items[i]);
    }
    for (size_t i = 0; i < failure->fors.count; i++) {
        collect(names, arena, failure, &failure->fors.items[i]);
    }
    for (size_t i = 0; i < failure->steps.count; i++) {
        const struct shown_step *step = &failure->steps.items[i];
        for (size_t j = 0; j < step->args.count; j++) {
            collect(names, arena, failure, &step->args.items[j]);
        }
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

/* Appends valid text, cut to `limit` characters of which the one at `place` is one, with a word on
 * how many there are. False: it is cut. */
static bool add_cut(struct strbuf *out, const struct strbuf *text, size_t place, size_t limit)
{
    size_t length = utf8_length(strbuf_text(text), text->size);
    if (limit == SHOW_ALL || length <= limit) {
        strbuf_add(out, strbuf_text(text), text->size);
        return true;
    }
    size_t part = limit - limit / 4;
    size_t first = place + part / 4 < part ? 0 : place - part / 4;
    first = first + part > length ? length - part : first;
    size_t start = utf8_offset(text->data, text->size, first);
    size_t end = utf8_offset(text->data, text->size, first + part);
    strbuf_adds(out, first ? "…" : "");
    strbuf_add(out, text->data + start, end - start);
    strbuf_adds(out, end < text->size ? "… (" : " (");
    show_counted(out, length, "character");
    if (first) {
        strbuf_adds(out, ", from ");
        show_count(out, first + 1);
        strbuf_adds(out, " on");
    }
    strbuf_adds(out, ")");
    return false;
}

/* Text as it is shown, whole. */
static void add_named(struct strbuf *out, const struct show_names *names,
                      enum naming_of_text naming, const char *text)
{
    struct strbuf safe = {0};
    visible_adds(&safe, VISIBLE_LINE, text);
    add_by_name(out, names, naming, strbuf_text(&safe));
    strbuf_free(&safe);
}

/* False: it is cut. */
static bool add_text(struct strbuf *out, const struct show_names *names, enum naming_of_text naming,
                     const char *text, size_t limit)
{
    struct strbuf named = {0};
    add_named(&named, names, naming, text);
    bool whole = add_cut(out, &named, 0, limit);
    strbuf_free(&named);
    return whole;
}

void show_two(struct strbuf *out, const struct show_names *names, const char *const *texts,
              size_t limit)
{
    struct strbuf named[2] = {{0}, {0}};
    add_named(&named[0], names, NAME_ALL, texts[0]);
    add_named(&named[1], names, NAME_ALL, texts[1]);
    const char *a = strbuf_text(&named[0]);
    const char *b = strbuf_text(&named[1]);
    size_t common = 0;
    while (a[common] && a[common] == b[common]) {
        common++;
    }
    size_t place = utf8_length(a, utf8_cut(a, common));
    for (size_t i = 0; i < 2; i++) {
        (void)add_cut(&out[i], &named[i], place, limit);
        strbuf_free(&named[i]);
    }
}

void show_text(struct strbuf *out, const struct show_names *names, const char *text, size_t limit)
{
    (void)add_text(out, names, NAME_ALL, text, limit);
}

void show_value(struct strbuf *out, const struct show_names *names, struct value value,
                size_t limit)
{
    struct strbuf text = {0};
    value_repr(value, &text);
    show_text(out, names, strbuf_text(&text), limit);
    strbuf_free(&text);
}

void show_named_value(struct strbuf *out, const struct show_names *names, struct value value,
                      const char *reference, size_t limit)
{
    if (!reference || !name_of(names, value)) {
        show_value(out, names, value, limit);
        strbuf_adds(out, reference ? "   = " : "");
    }
    if (reference) {
        show_text(out, NULL, reference, SHOW_ALL);
    }
}

/* A step whose long values are replaced by cut texts prints like any other. */
bool show_step(struct strbuf *out, const struct show_names *names, const struct shown_step *step,
               size_t limit)
{
    struct arena arena = {0};
    struct strbuf value = {0};
    struct strbuf text = {0};
    bool whole = true;
    struct shown_step cut = *step;
    cut.args.items = ARENA_ARRAY(&arena, struct shown_arg, step->args.count);
    for (size_t i = 0; i < step->args.count; i++) {
        cut.args.items[i] = step->args.items[i];
        if (!step->args.items[i].reference) {
            strbuf_clear(&value);
            strbuf_clear(&text);
            value_repr(step->args.items[i].value, &value);
            whole = add_text(&text, names, NAME_STRINGS, strbuf_text(&value), limit) && whole;
            cut.args.items[i].reference = strbuf_copy(&text, &arena);
        }
    }
    strbuf_clear(&text);
    trace_print_step(&cut, &text);
    show_text(out, NULL, strbuf_text(&text), SHOW_ALL);
    strbuf_free(&value);
    strbuf_free(&text);
    arena_free(&arena);
    return whole;
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

void show_sql(struct strbuf *out, const char *sql, size_t indent, size_t max_lines)
{
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
            strbuf_adds(out, line ? "\n" : "");
            add_sql_line(out, at + blank, size - blank, indent);
        }
        at += size + (at[size] == '\n');
    }
    if (max_lines != SHOW_ALL && line > max_lines) {
        strbuf_addc(out, '\n');
        strbuf_fill(out, ' ', indent);
        strbuf_adds(out, "… ");
        show_counted(out, line - max_lines, "more line");
    }
}
