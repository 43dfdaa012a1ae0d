/* The report of mutants that Stryker's viewer shows (mutation-testing-report-schema, version 2 of
 * its format): the schema's files with the mutants in them, the machines as test files. What the
 * files don't define by its name stands in a file of its own, with the definition. */
#include "base/json.h"
#include "mutate/cause.h"
#include "report/cases.h"
#include "report/text/text.h"

#include <string.h>

static const char *const statuses[VERDICTS] = {
    [VERDICT_NONE] = "Pending",           [VERDICT_KILLED] = "Killed",
    [VERDICT_SURVIVED] = "Survived",      [VERDICT_TIMED_OUT] = "Timeout",
    [VERDICT_STILLBORN] = "CompileError", [VERDICT_BROKE] = "RuntimeError",
    [VERDICT_EQUIVALENT] = "Ignored",     [VERDICT_ACCEPTED] = "Ignored",
};

struct writer {
    const struct report *report;
    const struct report_run *run;
    struct json json;
    struct arena *arena;
};

/* Unique among those of all machines of the report. */
static const char *path_of(const struct writer *writer, const char *path)
{
    const char *from_top = report_path(writer->report, path, writer->arena);
    return writer->report->options.machines > 1
               ? arena_printf(writer->arena, "%s/%s", writer->run->machine->name, from_top)
               : from_top;
}

static const char *test_id(const struct writer *writer, const char *name)
{
    return arena_printf(writer->arena, "%s: %s", writer->run->machine->name, name);
}

static void add_position(struct json *json, const char *key, struct source_pos pos)
{
    struct source_place place = source_place(pos);
    json_open(json, key, '{');
    json_count(json, "line", place.line);
    json_count(json, "column", place.column);
    json_close(json, '}');
}

/* The rules that came to what was changed, and what failed. */
static void add_tests(struct writer *writer, const struct mutant *mutant)
{
    const struct machine *machine = writer->run->machine;
    bool is_rule = mutant->killer && strncmp(mutant->killer, "rule ", 5) == 0;
    json_open(&writer->json, "coveredBy", '[');
    for (size_t i = 0; i < machine->rules.count; i++) {
        const char *name = arena_printf(writer->arena, "rule %s", machine->rules.items[i].name);
        bool killed = is_rule && strcmp(mutant->killer, name) == 0;
        if (killed || (writer->run->result->stats.rules[i].ran &&
                       rule_names(&machine->rules.items[i], mutant->relation))) {
            json_text(&writer->json, NULL, test_id(writer, name));
        }
    }
    if (mutant->killer && !is_rule) {
        json_text(&writer->json, NULL, test_id(writer, mutant->killer));
    }
    json_close(&writer->json, ']');
    if (mutant->killer && mutant->verdict == VERDICT_KILLED) {
        json_open(&writer->json, "killedBy", '[');
        json_text(&writer->json, NULL, test_id(writer, mutant->killer));
        json_close(&writer->json, ']');
    }
}

/* `pos`: of the whole text that the change is in. */
static void add_mutant(struct writer *writer, const struct mutant *mutant, struct source_pos pos)
{
    struct json *json = &writer->json;
    const char *why = mutant->verdict == VERDICT_SURVIVED && mutant->cause
                          ? arena_printf(writer->arena, "%s %s", mutant->cause, mutant->remedy)
                          : mutant->by;
    json_open(json, NULL, '{');
    json_text(json, "id", test_id(writer, mutant->id));
    json_text(json, "mutatorName", mutant->operator);
    json_text(json, "description",
              arena_printf(writer->arena, "%s: %s%s%s", mutant->object, mutant->was,
                           *mutant->becomes ? " becomes " : " is dropped", mutant->becomes));
    json_text(json, "replacement", change_after(&mutant->change, writer->arena));
    json_open(json, "location", '{');
    add_position(json, "start", pos);
    add_position(json, "end", (struct source_pos){pos.source, pos.offset + mutant->change.size});
    json_close(json, '}');
    json_text(json, "status", statuses[mutant->verdict]);
    json_optional(json, "statusReason", why);
    json_count(json, "duration", mutant->time_us / 1000);
    add_tests(writer, mutant);
    json_close(json, '}');
}

static void open_file(struct writer *writer, const struct source *source)
{
    json_open(&writer->json, path_of(writer, source->name), '{');
    json_text(&writer->json, "language", "sql");
    json_text(&writer->json, "source", source->text);
    json_open(&writer->json, "mutants", '[');
}

static void close_file(struct writer *writer)
{
    json_close(&writer->json, ']');
    json_close(&writer->json, '}');
    strbuf_addc(writer->json.out, '\n');
}

/* The file of the schema that the mutant is in, with all others that are in it. */
static void add_source(struct writer *writer, const struct source *source)
{
    const struct mutation *mutation = writer->run->mutation;
    open_file(writer, source);
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        const struct mutant *mutant = &mutation->mutants.items[i];
        if (mutant->pos.source == source) {
            add_mutant(writer, mutant, mutant->statement);
        }
    }
    close_file(writer);
}

static bool is_of(const struct mutant *mutant, const struct mutant *first)
{
    return !mutant->pos.source && strcmp(mutant->relation, first->relation) == 0;
}

/* What the catalog has of a table or a function, with the mutants that no file defines: a line that
 * names the object, and its definition. */
static void add_definitions(struct writer *writer, const struct mutant *first)
{
    const struct mutation *mutation = writer->run->mutation;
    struct strbuf text = {0};
    VEC(size_t) starts = {0};
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        const struct mutant *mutant = &mutation->mutants.items[i];
        if (is_of(mutant, first)) {
            strbuf_addf(&text, "-- %s %s\n", mutant->kind, mutant->object);
            *VEC_PUSH(writer->arena, &starts) = text.size;
            strbuf_addf(&text, "%.*s\n\n", (int)mutant->change.size, mutant->change.text);
        }
    }
    struct source source = {.name = arena_printf(writer->arena, "catalog/%s.sql", first->relation),
                            .text = strbuf_copy(&text, writer->arena),
                            .size = text.size};
    strbuf_free(&text);
    open_file(writer, &source);
    for (size_t i = 0, of = 0; i < mutation->mutants.count; i++) {
        const struct mutant *mutant = &mutation->mutants.items[i];
        if (is_of(mutant, first)) {
            add_mutant(writer, mutant, (struct source_pos){&source, starts.items[of++]});
        }
    }
    close_file(writer);
}

/* Whether no mutant before it is in the same file. */
static bool is_first(const struct mutation *mutation, size_t index)
{
    const struct mutant *mutant = &mutation->mutants.items[index];
    for (size_t i = 0; i < index; i++) {
        const struct mutant *earlier = &mutation->mutants.items[i];
        if (mutant->pos.source ? earlier->pos.source == mutant->pos.source
                               : is_of(earlier, mutant)) {
            return false;
        }
    }
    return true;
}

static void add_test(struct writer *writer, const char *kind, const char *name,
                     struct source_pos pos)
{
    const char *title = arena_printf(writer->arena, "%s%s%s", kind, *name ? " " : "", name);
    json_open(&writer->json, NULL, '{');
    json_text(&writer->json, "id", test_id(writer, title));
    json_text(&writer->json, "name", title);
    if (pos.source) {
        json_open(&writer->json, "location", '{');
        add_position(&writer->json, "start", pos);
        json_close(&writer->json, '}');
    }
    json_close(&writer->json, '}');
}

/* The machine as a file of tests. */
static void add_machine(struct writer *writer)
{
    const struct machine *machine = writer->run->machine;
    struct json *json = &writer->json;
    json_open(json, report_path(writer->report, writer->run->path, writer->arena), '{');
    json_text(
        json, "source",
        arena_strndup(writer->arena, machine->source->text, source_written_size(machine->source)));
    json_open(json, "tests", '[');
    add_test(writer, "initialize", "", (struct source_pos){0});
    for (size_t i = 0; i < machine->rules.count; i++) {
        add_test(writer, "rule", machine->rules.items[i].name, machine->rules.items[i].pos);
    }
    for (size_t i = 0; i < machine->invariants.count; i++) {
        add_test(writer, "invariant", machine->invariants.items[i].name,
                 machine->invariants.items[i].pos);
    }
    json_close(json, ']');
    json_close(json, '}');
    strbuf_addc(json->out, '\n');
}

static void begin(const struct report *report, struct strbuf *out)
{
    struct json json = {out, false};
    json_open(&json, NULL, '{');
    json_text(&json, "schemaVersion", "2");
    json_open(&json, "thresholds", '{');
    json_count(&json, "high", 90);
    json_count(&json, "low", 60);
    json_close(&json, '}');
    json_open(&json, "framework", '{');
    json_text(&json, "name", "pgfsm");
    json_text(&json, "version", report->version);
    json_close(&json, '}');
    json_open(&json, "files", '{');
    strbuf_addc(out, '\n');
}

static void add(struct report *report, const struct report_run *run, struct strbuf *out)
{
    struct arena arena = {0};
    struct writer writer = {.report = report, .run = run, .json = {out, report->written > 0}};
    const struct mutation *mutation = run->mutation;
    writer.arena = &arena;
    for (size_t i = 0; mutation && i < mutation->mutants.count; i++) {
        const struct mutant *mutant = &mutation->mutants.items[i];
        if (is_first(mutation, i) && mutant->pos.source) {
            add_source(&writer, mutant->pos.source);
        } else if (is_first(mutation, i)) {
            add_definitions(&writer, mutant);
        }
    }
    if (mutation) {
        report->written += mutation->mutants.count;
        writer.json = (struct json){&report->kept, report->kept.size > 0};
        add_machine(&writer);
    }
    arena_free(&arena);
}

static void end(const struct report *report, struct strbuf *out)
{
    struct json json = {out, true};
    json_close(&json, '}');
    json_open(&json, "testFiles", '{');
    strbuf_add(out, strbuf_text(&report->kept), report->kept.size);
    json_close(&json, '}');
    json_close(&json, '}');
    strbuf_addc(out, '\n');
}

const struct report_format report_mutation = {
    .name = "mutation", .begin = begin, .add = add, .end = end};
