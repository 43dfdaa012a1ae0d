/* SARIF 2.1.0, for code scanning: a result for each failure, at its place in the machine. SARIF's
 * rules are the kinds of failure. */
#include "account/show.h"
#include "base/hash.h"
#include "base/json.h"
#include "report/cases.h"
#include "report/stats_json.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static const struct {
    const char *id;
    const char *text;
} rules[] = {
    [FAILURE_INVARIANT] = {"invariant", "An invariant does not hold"},
    [FAILURE_EXPECT] = {"expect", "A statement does not answer as the model expects"},
    [FAILURE_CHECK] = {"check", "A check of a rule does not hold"},
    [FAILURE_UNEXPECTED_ERROR] = {"unexpected-error",
                                  "The database raises an error that the machine does not predict"},
    [FAILURE_MISSING_ERROR] = {"missing-error",
                               "The database does not raise an error that the machine predicts"},
    [FAILURE_DIFFERENT_ERROR] = {"different-error",
                                 "The database raises another error than the machine predicts"},
    [FAILURE_TIMEOUT] = {"timeout", "A statement took too long"},
    [FAILURE_CONNECTION] = {"connection", "The server went away"},
    [FAILURE_RACE] = {"race", "No serial order explains what several sessions were answered"},
    [FAILURE_DIFFERS] = {"differs", "The second database answers differently"},
    {"requirement", "A property that needs no single step does not hold"},
    {"machine", "A machine could not be run"},
};
enum {
    STEP_VALUE = 100, /* characters of an argument */
    RULES = sizeof rules / sizeof *rules,
    RULE_REQUIREMENT = RULES - 2,
    RULE_MACHINE,
};

/* A relative path as a URI; an absolute one as "file:///…". */
static const char *uri_of(struct arena *arena, const char *path)
{
    struct strbuf out = {0};
    strbuf_adds(&out, *path == '/' ? "file://" : "");
    for (const char *at = path; *at; at++) {
        bool plain = isalnum((unsigned char)*at) || strchr("-._~/", *at);
        strbuf_addf(&out, plain ? "%c" : "%%%02X", (unsigned)(unsigned char)*at);
    }
    return strbuf_take(&out, arena);
}

static void add_message(struct json *json, const char *key, const char *text)
{
    json_open(json, key, '{');
    json_text(json, "text", text);
    json_close(json, '}');
}

static void add_physical(struct json *json, const struct report_place *place, struct arena *arena)
{
    json_open(json, "physicalLocation", '{');
    json_open(json, "artifactLocation", '{');
    json_text(json, "uri", uri_of(arena, place->file));
    json_close(json, '}');
    json_open(json, "region", '{');
    json_count(json, "startLine", place->line ? place->line : 1);
    if (place->line) {
        json_count(json, "startColumn", place->column);
    }
    json_close(json, '}');
    json_close(json, '}');
}

static void add_location(struct json *json, const struct report_place *place, const char *title,
                         struct arena *arena)
{
    json_open(json, "locations", '[');
    json_open(json, NULL, '{');
    add_physical(json, place, arena);
    json_open(json, "logicalLocations", '[');
    json_open(json, NULL, '{');
    json_text(json, "fullyQualifiedName", title);
    json_close(json, '}');
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
}

/* A place that a sequence passes, and what happens there. */
static void add_passed(struct json *json, const struct report_place *place, const char *text,
                       struct arena *arena)
{
    json_open(json, NULL, '{');
    json_open(json, "location", '{');
    add_physical(json, place, arena);
    add_message(json, "message", text);
    json_close(json, '}');
    json_close(json, '}');
}

/* Where its rule stands; of a rule that stands nowhere: where the failure does. */
static struct report_place place_of_step(const struct shown_step *step,
                                         const struct report_fault *fault)
{
    struct source_pos pos = step->rule->pos;
    if (!pos.source) {
        return fault->place;
    }
    struct source_place place = source_place(pos);
    return (struct report_place){pos.source->name, place.line, place.column};
}

/* The steps of the failure in the machine's file, and then what does not hold. */
static void add_flow(const struct report *report, const struct report_fault *fault,
                     struct json *json, struct arena *arena)
{
    const struct failure *failure = fault->failure;
    struct show_names names = {0};
    show_names_collect(&names, arena, failure);
    json_open(json, "codeFlows", '[');
    json_open(json, NULL, '{');
    json_open(json, "threadFlows", '[');
    json_open(json, NULL, '{');
    json_open(json, "locations", '[');
    for (size_t i = 0; i < failure->steps.count; i++) {
        const struct shown_step *step = &failure->steps.items[i];
        struct report_place place = place_of_step(step, fault);
        bool whole = true;
        place.file = report_path(report, place.file, arena);
        add_passed(json, &place,
                   arena_printf(arena, "%zu  %s", i + 1,
                                show_step(arena, &names, step, STEP_VALUE, &whole)),
                   arena);
    }
    struct report_place end = fault->place;
    end.file = report_path(report, end.file, arena);
    add_passed(json, &end, fault->message, arena);
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
}

/* What a result is recognised by from run to run: the machine and the failure's identity. */
static void add_fingerprint(struct json *json, const char *title, const char *identity,
                            struct arena *arena)
{
    const char *both = arena_printf(arena, "%s: %s", title, identity);
    json_open(json, "partialFingerprints", '{');
    json_text(json, "pgfsm/v1", arena_printf(arena, "%016" PRIx64, hash_text(both)));
    json_close(json, '}');
}

static void add_result(const struct report *report, const struct report_cases *cases,
                       const struct report_fault *fault, struct json *json)
{
    struct arena *arena = cases->arena;
    struct report_place place = fault->place;
    size_t rule = fault->failure   ? fault->failure->kind
                  : fault->stopped ? RULE_MACHINE
                                   : RULE_REQUIREMENT;
    json_open(json, NULL, '{');
    json_text(json, "ruleId", rules[rule].id);
    json_count(json, "ruleIndex", rule);
    json_text(json, "level", "error");
    add_message(json, "message",
                arena_printf(arena, "%s: %s%s%s", cases->machine, fault->message,
                             fault->more ? "\n\n" : "", fault->more ? fault->more : ""));
    place.file = report_path(report, place.file, arena);
    add_location(json, &place, fault->title, arena);
    if (fault->failure && fault->failure->steps.count) {
        add_flow(report, fault, json, arena);
    }
    add_fingerprint(json, fault->title, fault->failure ? fault->failure->identity : "", arena);
    json_close(json, '}');
}

static void add_tool(struct json *json, const struct report *report)
{
    json_open(json, "tool", '{');
    json_open(json, "driver", '{');
    json_text(json, "name", "pgfsm");
    json_text(json, "version", report->version);
    json_open(json, "rules", '[');
    for (size_t i = 0; i < RULES; i++) {
        json_open(json, NULL, '{');
        json_text(json, "id", rules[i].id);
        add_message(json, "shortDescription", rules[i].text);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, '}');
}

static void begin(const struct report *report, struct strbuf *out)
{
    struct json json = {out, false};
    json_open(&json, NULL, '{');
    json_text(&json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_text(&json, "version", "2.1.0");
    json_open(&json, "runs", '[');
    json_open(&json, NULL, '{');
    add_tool(&json, report);
    json_text(&json, "columnKind", "unicodeCodePoints");
    json_open(&json, "results", '[');
    strbuf_addc(out, '\n');
}

static void add(struct report *report, const struct report_run *run,
                const struct report_cases *cases, struct strbuf *out)
{
    struct json json = {out, report->written > 0};
    size_t before = out->size;
    for (size_t i = 0; i < cases->faults.count; i++) {
        add_result(report, cases, &cases->faults.items[i], &json);
    }
    report->written += out->size - before;
    report_stats_keep(report, run);
}

static void end(const struct report *report, struct strbuf *out)
{
    struct json json = {out, true};
    json_close(&json, ']');
    json_open(&json, "invocations", '[');
    json_open(&json, NULL, '{');
    json_flag(&json, "executionSuccessful", report->ends[REPORT_STOPPED] == 0);
    json_close(&json, '}');
    json_close(&json, ']');
    report_stats_kept(report, &json, "properties");
    json_close(&json, '}');
    json_close(&json, ']');
    json_close(&json, '}');
    strbuf_addc(out, '\n');
}

const struct report_format report_sarif = {
    .name = "sarif", .begin = begin, .add_cases = add, .end = end};
