#include "report/html/source.h"

#include "account/show.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "report/html/data.h"

#include <string.h>

enum {
    SOURCE_BYTES = 40000, /* of a file that is shown as a whole, and of what is shown of others */
    LINE_BYTES = 400,
    LINES_BEFORE = 6, /* around a line that matters */
    LINES_AFTER = 24,
    FAILURES = 20, /* whose lines matter */
};

struct excerpt {
    const struct report_run *run;
    struct arena *arena;
    const char **lines; /* where each begins, and the end */
    size_t count;
    bool *chosen;
    size_t bytes; /* of what is chosen */
};

size_t html_line(const struct report_run *run, struct source_pos pos)
{
    bool here = pos.source && pos.source == run->machine->source;
    return here ? source_place(pos).line : 0;
}

static void find_lines(struct excerpt *excerpt, const struct source *source)
{
    const char *end = source->text + source_written_size(source);
    const char *c = source->text;
    size_t count = 1;
    for (const char *at = c; at < end; at++) {
        count += *at == '\n';
    }
    excerpt->lines = ARENA_ARRAY(excerpt->arena, const char *, count + 1);
    while (c && c < end) {
        excerpt->lines[excerpt->count++] = c;
        c = memchr(c, '\n', (size_t)(end - c));
        c = c ? c + 1 : NULL;
    }
    excerpt->lines[excerpt->count] = end;
    excerpt->chosen = ARENA_ARRAY(excerpt->arena, bool, excerpt->count + 1);
}

/* Bytes of a line, without its end; a long one is cut. */
static size_t line_size(const struct excerpt *excerpt, size_t line)
{
    size_t size = (size_t)(excerpt->lines[line + 1] - excerpt->lines[line]);
    size -= size && excerpt->lines[line][size - 1] == '\n';
    size -= size && excerpt->lines[line][size - 1] == '\r';
    return size > LINE_BYTES ? utf8_cut(excerpt->lines[line], LINE_BYTES) : size;
}

/* Lines around `line`, which counts from 1, while there is room. */
static void choose_around(struct excerpt *excerpt, size_t line)
{
    size_t first = line > LINES_BEFORE ? line - LINES_BEFORE : 1;
    for (size_t i = first; line && i <= excerpt->count && i <= line + LINES_AFTER; i++) {
        size_t size = line_size(excerpt, i - 1) + 1;
        if (!excerpt->chosen[i - 1] && excerpt->bytes + size <= SOURCE_BYTES) {
            excerpt->chosen[i - 1] = true;
            excerpt->bytes += size;
        }
    }
}

static void choose_rules(struct excerpt *excerpt, const struct failure *failure)
{
    const struct machine *machine = excerpt->run->machine;
    for (size_t i = 0; i < failure->trace.steps.count; i++) {
        const struct trace_step *step = &failure->trace.steps.items[i];
        const struct rule *rules =
            step->initialize ? machine->initialize.items : machine->rules.items;
        choose_around(excerpt, html_line(excerpt->run, rules[step->rule].pos));
    }
    for (size_t i = 0; i < machine->invariants.count; i++) {
        if (failure->invariant == &machine->invariants.items[i]) {
            choose_around(excerpt, html_line(excerpt->run, failure->invariant->pos));
        }
    }
}

/* First what is contradicted, then what ran. */
static void choose(struct excerpt *excerpt)
{
    const struct run_result *result = excerpt->run->result;
    size_t count = result->failures.count < FAILURES ? result->failures.count : FAILURES;
    for (size_t i = 0; i < count; i++) {
        choose_around(excerpt, html_line(excerpt->run, result->failures.items[i].pos));
    }
    for (size_t i = 0; i < count; i++) {
        choose_rules(excerpt, &result->failures.items[i]);
    }
}

/* Lines that follow each other, from `first` on; the line behind them is returned. */
static size_t add_lines(const struct excerpt *excerpt, size_t first, struct strbuf *out)
{
    struct strbuf text = {0};
    size_t line = first;
    for (; line < excerpt->count && excerpt->chosen[line]; line++) {
        size_t size = line_size(excerpt, line);
        size_t whole = (size_t)(excerpt->lines[line + 1] - excerpt->lines[line]);
        strbuf_adds(&text, line > first ? "\n" : "");
        visible_add(&text, VISIBLE_BLOCK, excerpt->lines[line], size);
        strbuf_adds(&text, size + 2 < whole ? " …" : "");
    }
    data_open(out, NULL, '[');
    data_number(out, NULL, first + 1);
    data_text(out, NULL, strbuf_text(&text));
    data_close(out, ']');
    strbuf_free(&text);
    return line;
}

void html_source(const struct report_run *run, struct arena *arena, struct strbuf *out)
{
    const struct source *source = run->machine->source;
    struct excerpt excerpt = {.run = run, .arena = arena};
    if (!source || !run->result->failures.count) {
        return;
    }
    find_lines(&excerpt, source);
    if (source_written_size(source) <= SOURCE_BYTES) {
        memset(excerpt.chosen, true, excerpt.count);
    } else {
        choose(&excerpt);
    }
    data_open(out, "source", '{');
    data_text(out, "file", show_name(arena, source->name));
    data_number(out, "lines", excerpt.count);
    data_open(out, "parts", '[');
    for (size_t line = 0; line < excerpt.count; line++) {
        line = excerpt.chosen[line] ? add_lines(&excerpt, line, out) : line;
    }
    data_close(out, ']');
    data_close(out, '}');
}
