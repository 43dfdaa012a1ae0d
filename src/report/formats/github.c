/* Annotations for GitHub Actions: workflow commands, which the runner finds in what a step prints.
 * GitHub shows no more than ten errors and ten warnings of a step. */
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

/* The title is what GitHub shows beside the line, and the message is what the job's log shows: each
 * says what differs. */
static const char *title_of(const char *machine, const struct report_fault *fault,
                            struct arena *arena)
{
    return fault->failure ? arena_printf(arena, "%s: %s", machine, fault->message) : fault->title;
}

static void annotate(const struct report *report, const char *level,
                     const struct report_cases *cases, const struct report_fault *fault,
                     struct strbuf *out)
{
    struct arena *arena = cases->arena;
    strbuf_addf(out, "::%s title=", level);
    add_escaped(out, title_of(cases->machine, fault, arena), false);
    strbuf_adds(out, ",file=");
    add_escaped(out, report_path(report, fault->place.file, arena), false);
    if (fault->place.line) {
        strbuf_addf(out, ",line=%zu,col=%zu", fault->place.line, fault->place.column);
    }
    strbuf_adds(out, "::");
    add_escaped(out, fault->message, true);
    if (fault->more) {
        strbuf_adds(out, "%0A");
        add_escaped(out, fault->more, true);
    }
    strbuf_addc(out, '\n');
}

static void add(struct report *report, const struct report_run *run,
                const struct report_cases *cases, struct strbuf *out)
{
    for (size_t i = 0; i < cases->faults.count; i++) {
        if (!cases->faults.items[i].with && report->written++ < ANNOTATIONS_MAX) {
            annotate(report, "error", cases, &cases->faults.items[i], out);
        }
    }
    for (size_t i = 0; run->warnings && run->warnings[i] && i < ANNOTATIONS_MAX; i++) {
        const struct report_fault warning = {
            .title = cases->machine, .place = {.file = run->path}, .message = run->warnings[i]};
        annotate(report, "warning", cases, &warning, out);
    }
    for (size_t i = 0; i < cases->doubts.count && i < ANNOTATIONS_MAX; i++) {
        annotate(report, "warning", cases, &cases->doubts.items[i], out);
    }
}

static void end(const struct report *report, struct strbuf *out)
{
    if (report->written > ANNOTATIONS_MAX) {
        strbuf_addf(out, "%zu more failures: see the summary of this step\n",
                    report->written - ANNOTATIONS_MAX);
    }
}

const struct report_format report_github = {.name = "github", .add_cases = add, .end = end};
