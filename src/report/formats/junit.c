/* JUnit's XML as Jenkins, GitLab and others read it. There is no standard; this is what the schemas
 * of Jenkins and its plug-ins have in common. */
#include "base/utf8.h"
#include "base/visible.h"
#include "report/cases.h"
#include "report/text/text.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* XML can't hold control characters, U+FFFE and U+FFFF, however they are written. A line's end in
 * an attribute would be read as a space. */
static void add_character(struct strbuf *out, const char *text, size_t size, uint32_t code)
{
    static const char marks[] = "<>&\"";
    static const char *const names[] = {"&lt;", "&gt;", "&amp;", "&quot;"};
    const char *mark = code < 0x80 ? strchr(marks, (int)code) : NULL;
    if (mark) {
        strbuf_adds(out, names[mark - marks]);
    } else if (code == 0xFFFE || code == 0xFFFF) {
        strbuf_addf(out, "\\u%04x", (unsigned)code);
    } else {
        strbuf_add(out, text, size);
    }
}

static void add_text(struct strbuf *out, enum visible_mode mode, const char *text)
{
    struct strbuf safe = {0};
    visible_adds(&safe, mode, text);
    for (size_t i = 0; i < safe.size;) {
        uint32_t code = 0;
        size_t size = utf8_decode(safe.data + i, safe.size - i, &code);
        add_character(out, safe.data + i, size, code);
        i += size;
    }
    strbuf_free(&safe);
}

static void add_attribute(struct strbuf *out, const char *name, const char *text)
{
    strbuf_addf(out, " %s=\"", name);
    add_text(out, VISIBLE_LINE, text);
    strbuf_addc(out, '"');
}

static void add_seconds(struct strbuf *out, uint64_t time_us)
{
    strbuf_addf(out, " time=\"%" PRIu64 ".%06" PRIu64 "\"", time_us / 1000000, time_us % 1000000);
}

static void add_case(struct strbuf *out, const char *machine, const struct report_case *item)
{
    static const char *const elements[CASE_OUTCOMES] = {
        [CASE_FAILED] = "failure",
        [CASE_KNOWN] = "skipped",
        [CASE_SKIPPED] = "skipped",
        [CASE_ERROR] = "error",
    };
    const char *element = elements[item->outcome];
    strbuf_adds(out, "    <testcase");
    add_attribute(out, "classname", machine);
    add_attribute(out, "name", item->title);
    add_seconds(out, item->time_us);
    if (item->place.line) {
        add_attribute(out, "file", item->place.file);
        strbuf_addf(out, " line=\"%zu\"", item->place.line);
    }
    if (!element) {
        strbuf_adds(out, "/>\n");
        return;
    }
    strbuf_addf(out, ">\n      <%s", element);
    bool skipped = strcmp(element, "skipped") == 0; /* which has no attributes in older schemas */
    if (!skipped) {
        add_attribute(out, "message", item->message);
    }
    strbuf_addc(out, '>');
    add_text(out, VISIBLE_BLOCK, skipped ? item->message : item->text ? item->text : "");
    strbuf_addf(out, "</%s>\n    </testcase>\n", element);
}

/* In UTC and without a zone, as Ant writes it. */
static void add_timestamp(struct strbuf *out, uint64_t time_ms)
{
    char text[32] = "";
    struct tm parts;
    time_t seconds = (time_t)(time_ms / 1000);
    if (gmtime_r(&seconds, &parts)) {
        (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
        add_attribute(out, "timestamp", text);
    }
}

static void add_suite(struct strbuf *out, const struct report_cases *cases)
{
    strbuf_adds(out, "  <testsuite");
    add_attribute(out, "name", cases->machine);
    strbuf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
                cases->items.count, cases->counts[CASE_FAILED], cases->counts[CASE_ERROR],
                cases->counts[CASE_SKIPPED] + cases->counts[CASE_KNOWN]);
    add_seconds(out, cases->time_us);
    add_timestamp(out, cases->began_ms);
    strbuf_adds(out, ">\n");
}

static void add_property(struct strbuf *out, const char *name, const char *value)
{
    strbuf_adds(out, "      <property");
    add_attribute(out, "name", name);
    add_attribute(out, "value", value);
    strbuf_adds(out, "/>\n");
}

/* Of the suite, as only newer schemas let a case have some: how to repeat the run, and where each
 * failure is stated and how it is replayed. */
static void add_properties(struct strbuf *out, const struct report_run *run,
                           const struct report_cases *cases)
{
    struct arena *arena = cases->arena;
    strbuf_adds(out, "    <properties>\n");
    add_property(out, "file", run->path);
    if (run->machine) {
        add_property(out, "seed", arena_printf(arena, "%" PRIu64, run->result->seed));
    }
    if (run->again) {
        add_property(out, "again", run->again);
    }
    for (size_t i = 0; i < cases->faults.count; i++) {
        const struct report_fault *fault = &cases->faults.items[i];
        if (!fault->failure) {
            continue;
        }
        const char *identity = fault->failure->identity;
        add_property(out, arena_printf(arena, "place: %s", identity),
                     arena_printf(arena, "%s:%zu", fault->place.file, fault->place.line));
        if (fault->replay) {
            add_property(out, arena_printf(arena, "replay: %s", identity), fault->replay);
        }
    }
    strbuf_adds(out, "    </properties>\n");
}

static void add_notes(struct strbuf *out, const struct report_notes *notes)
{
    for (size_t i = 0; i < notes->items.count; i++) {
        strbuf_addf(out, "%s: %s\n", notes->items.items[i].title, notes->items.items[i].text);
    }
}

/* What the run says of itself, and the tables of `--stats`, go to the suite's output. */
static void add_output(struct strbuf *out, const struct report *report,
                       const struct report_run *run, const struct report_cases *cases)
{
    struct strbuf text = {0};
    strbuf_addf(&text, "%s\n", cases->summary);
    add_notes(&text, &cases->notes);
    add_notes(&text, &cases->compared);
    text_stats_block(report, run, &text);
    if (run->again) {
        strbuf_addf(&text, "again: %s\n", run->again);
    }
    strbuf_adds(out, "    <system-out>");
    add_text(out, VISIBLE_BLOCK, strbuf_text(&text));
    strbuf_adds(out, "</system-out>\n");
    strbuf_free(&text);
}

static void begin(const struct report *report, struct strbuf *out)
{
    (void)report;
    strbuf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pgfsm\">\n");
}

static void add(struct report *report, const struct report_run *run,
                const struct report_cases *cases, struct strbuf *out)
{
    add_suite(out, cases);
    add_properties(out, run, cases);
    for (size_t i = 0; i < cases->items.count; i++) {
        add_case(out, cases->machine, &cases->items.items[i]);
    }
    if (run->machine) {
        add_output(out, report, run, cases);
    }
    strbuf_adds(out, "  </testsuite>\n");
}

static void end(const struct report *report, struct strbuf *out)
{
    (void)report;
    strbuf_adds(out, "</testsuites>\n");
}

const struct report_format report_junit = {
    .name = "junit", .begin = begin, .add_cases = add, .end = end};
