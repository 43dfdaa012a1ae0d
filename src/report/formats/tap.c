/* TAP, a test point for each case. What is written here means the same in versions 13 and 14; the
 * first line says 13, because the prove of Debian 12 takes nothing newer. */
#include "base/json.h"
#include "base/visible.h"
#include "report/cases.h"
#include "report/text/text.h"

#include <string.h>

/* A description or a reason, in which a '#' would begin a directive. */
static void add_escaped(struct strbuf *out, const char *text)
{
    struct strbuf safe = {0};
    visible_adds(&safe, VISIBLE_LINE, text);
    for (const char *at = strbuf_text(&safe); *at; at++) {
        if (*at == '#' || *at == '\\') {
            strbuf_addc(out, '\\');
        }
        strbuf_addc(out, *at);
    }
    strbuf_free(&safe);
}

static void add_comment(struct strbuf *out, const char *text)
{
    struct strbuf safe = {0};
    visible_adds(&safe, VISIBLE_BLOCK, text);
    for (const char *line = strbuf_text(&safe); *line;) {
        size_t size = strcspn(line, "\n");
        strbuf_addf(out, "#%s%.*s\n", size ? " " : "", (int)size, line);
        line += size + (line[size] == '\n');
    }
    strbuf_free(&safe);
}

/* A block of YAML; a text of JSON is one of YAML. */
static void add_diagnostics(struct strbuf *out, const struct report_case *item)
{
    const char *const texts[][2] = {{"message", item->message}, {"file", item->place.file}};
    strbuf_adds(out, "  ---\n");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct json json = {out, false};
        strbuf_addf(out, "  %s: ", texts[i][0]);
        json_text(&json, NULL, texts[i][1]);
        strbuf_addc(out, '\n');
    }
    if (item->place.line) {
        strbuf_addf(out, "  line: %zu\n  column: %zu\n", item->place.line, item->place.column);
    }
    strbuf_adds(out, "  ...\n");
}

static size_t count_of(const struct report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < CASE_OUTCOMES; i++) {
        count += report->cases[i];
    }
    return count;
}

static void add_case(struct strbuf *out, size_t number, const char *machine,
                     const struct report_case *item)
{
    static const struct {
        const char *verdict;
        const char *directive;
    } words[CASE_OUTCOMES] = {
        [CASE_PASSED] = {"ok", NULL},      [CASE_FAILED] = {"not ok", NULL},
        [CASE_KNOWN] = {"not ok", "TODO"}, [CASE_SKIPPED] = {"ok", "SKIP"},
        [CASE_ERROR] = {"not ok", NULL},
    };
    const char *directive = words[item->outcome].directive;
    strbuf_addf(out, "%s %zu - ", words[item->outcome].verdict, number);
    add_escaped(out, machine);
    strbuf_adds(out, ": ");
    add_escaped(out, item->title);
    if (directive) {
        strbuf_addf(out, " # %s ", directive);
        add_escaped(out, item->message);
    }
    strbuf_addc(out, '\n');
    if (item->outcome == CASE_FAILED || item->outcome == CASE_ERROR) {
        add_diagnostics(out, item);
        add_comment(out, item->text ? item->text : "");
    }
}

static void begin(const struct report *report, struct strbuf *out)
{
    (void)report;
    strbuf_adds(out, "TAP version 13\n");
}

static void add_notes(struct strbuf *out, const struct report_cases *cases,
                      const struct report_notes *notes)
{
    for (size_t i = 0; i < notes->items.count; i++) {
        const struct report_note *note = &notes->items.items[i];
        add_comment(out, arena_printf(cases->arena, "%s: %s", note->title, note->text));
    }
}

static void add(struct report *report, const struct report_run *run,
                const struct report_cases *cases, struct strbuf *out)
{
    struct strbuf stats = {0};
    size_t before = count_of(report) - cases->items.count;
    for (size_t i = 0; i < cases->items.count; i++) {
        add_case(out, before + i + 1, cases->machine, &cases->items.items[i]);
    }
    if (run->machine) {
        add_comment(out, arena_printf(cases->arena, "%s: %s", cases->machine, cases->summary));
    }
    add_notes(out, cases, &cases->notes);
    add_notes(out, cases, &cases->compared);
    text_stats_block(report, run, &stats);
    add_comment(out, strbuf_text(&stats));
    strbuf_free(&stats);
}

static void end(const struct report *report, struct strbuf *out)
{
    size_t count = count_of(report);
    strbuf_addf(out, "1..%zu%s\n", count, count ? "" : " # SKIP nothing was run");
}

const struct report_format report_tap = {
    .name = "tap", .begin = begin, .add_cases = add, .end = end};
