/* CTRF, the Common Test Report Format (https://ctrf.io): a test for each case. The cases of a
 * machine take turns, so each starts and stops with it. */
#include "base/json.h"
#include "report/cases.h"
#include "report/stats_json.h"

/* CTRF's words; "other" is a test that ended in none of the usual ways. */
static const char *const statuses[CASE_OUTCOMES] = {
    [CASE_PASSED] = "passed",   [CASE_FAILED] = "failed", [CASE_KNOWN] = "other",
    [CASE_SKIPPED] = "skipped", [CASE_ERROR] = "failed",
};

static void add_test(struct json *json, const struct report_cases *cases,
                     const struct report_case *item)
{
    json_open(json, NULL, '{');
    json_text(json, "name", item->title);
    json_text(json, "status", statuses[item->outcome]);
    json_count(json, "duration", item->time_us / 1000);
    json_count(json, "start", cases->began_ms);
    json_count(json, "stop", cases->ended_ms);
    json_open(json, "suite", '[');
    json_text(json, NULL, cases->machine);
    json_close(json, ']');
    json_text(json, "rawStatus", case_outcomes[item->outcome]);
    json_text(json, "type", item->kind);
    json_text(json, "filePath", item->place.file);
    if (item->place.line) {
        json_count(json, "line", item->place.line);
    }
    json_optional(json, "message", item->message);
    json_optional(json, "trace", item->text);
    json_close(json, '}');
}

static void begin(const struct report *report, struct strbuf *out)
{
    struct json json = {out, false};
    json_open(&json, NULL, '{');
    json_text(&json, "reportFormat", "CTRF");
    json_text(&json, "specVersion", "0.0.0"); /* its first, and so far its only one */
    json_optional(&json, "runId", report->options.run);
    json_text(&json, "generatedBy", "pgfsm");
    json_open(&json, "results", '{');
    json_open(&json, "tool", '{');
    json_text(&json, "name", "pgfsm");
    json_text(&json, "version", report->version);
    json_close(&json, '}');
    json_open(&json, "tests", '[');
    strbuf_addc(out, '\n');
}

static void add(struct report *report, const struct report_run *run,
                const struct report_cases *cases, struct strbuf *out)
{
    struct json json = {out, report->written > 0};
    for (size_t i = 0; i < cases->items.count; i++) {
        add_test(&json, cases, &cases->items.items[i]);
    }
    report->written += cases->items.count;
    report_stats_keep(report, run);
}

static void end(const struct report *report, struct strbuf *out)
{
    struct json json = {out, true};
    const size_t *cases = report->cases;
    json_close(&json, ']');
    json_open(&json, "summary", '{');
    json_count(&json, "tests", report->written);
    json_count(&json, "passed", cases[CASE_PASSED]);
    json_count(&json, "failed", cases[CASE_FAILED] + cases[CASE_ERROR]);
    json_count(&json, "skipped", cases[CASE_SKIPPED]);
    json_count(&json, "pending", 0);
    json_count(&json, "other", cases[CASE_KNOWN]);
    json_count(&json, "start", report->began_ms);
    json_count(&json, "stop", report->ended_ms);
    json_count(&json, "duration", report->ended_ms - report->began_ms);
    json_close(&json, '}');
    report_stats_kept(report, &json, "extra");
    json_close(&json, '}');
    json_close(&json, '}');
    strbuf_addc(out, '\n');
}

const struct report_format report_ctrf = {
    .name = "ctrf", .begin = begin, .add_cases = add, .end = end};
