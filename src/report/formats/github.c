/* Annotations for GitHub Actions: workflow commands, which the runner finds in what a step prints.
 * GitHub shows no more than ten of a step. */
#include "base/visible.h"
#include "report/cases.h"

#include <string.h>

enum { ANNOTATIONS_MAX = 10 };

/* A property's value or (`is_message`) the message, in which only a line's end and '%' count. */
static void add_escaped(struct strbuf *out, const char *text, bool is_message)
{
    static const char marks[] = "%\r\n:,";
    static const char *const codes[] = {"%25", "%0D", "%0A", "%3A", "%2C"};
    struct strbuf safe = {0};
    visible_adds(&safe, VISIBLE_BLOCK, text);
    for (const char *at = strbuf_text(&safe); *at; at++) {
        const char *mark = strchr(marks, *at);
        if (mark && (!is_message || mark - marks < 3)) {
            strbuf_adds(out, codes[mark - marks]);
        } else {
            strbuf_addc(out, *at);
        }
    }
    strbuf_free(&safe);
}

static void annotate(struct report *report, const char *title, const struct report_place *place,
                     const char *message, const char *text, struct strbuf *out)
{
    struct arena arena = {0};
    if (report->written++ >= ANNOTATIONS_MAX) {
        return;
    }
    strbuf_adds(out, "::error title=");
    add_escaped(out, title, false);
    strbuf_adds(out, ",file=");
    add_escaped(out, report_path(report, place->file, &arena), false);
    arena_free(&arena);
    if (place->line) {
        strbuf_addf(out, ",line=%zu,col=%zu", place->line, place->column);
    }
    strbuf_adds(out, "::");
    add_escaped(out, message, true);
    if (text) {
        strbuf_adds(out, "%0A");
        add_escaped(out, text, true);
    }
    strbuf_addc(out, '\n');
}

static void add(struct report *report, const struct report_run *run, struct strbuf *out)
{
    struct arena arena = {0};
    const struct report_cases cases = report_cases(report, run, &arena);
    for (size_t i = 0; i < cases.items.count; i++) {
        const struct report_case *item = &cases.items.items[i];
        bool bad = item->outcome == CASE_FAILED || item->outcome == CASE_ERROR;
        const char *title = arena_printf(&arena, "%s: %s", cases.machine, item->title);
        if (bad && !item->failures.count) {
            annotate(report, title, &item->place, item->message, item->text, out);
        }
        for (size_t j = 0; !item->repeats && j < item->failures.count; j++) {
            const struct case_failure *failure = &item->failures.items[j];
            annotate(report, title, &failure->place, failure->message, failure->text, out);
        }
    }
    arena_free(&arena);
}

static void end(const struct report *report, struct strbuf *out)
{
    if (report->written > ANNOTATIONS_MAX) {
        strbuf_addf(out, "%zu more failures: see the summary of this step\n",
                    report->written - ANNOTATIONS_MAX);
    }
}

const struct report_format report_github = {.name = "github", .add = add, .end = end};
