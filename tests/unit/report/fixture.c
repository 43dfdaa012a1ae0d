#include "fixture.h"

#include "support/golden.h"

#include <string.h>

static const char file[] = "machine: membership\n"
                           "invariants:\n"
                           "  editors:\n"
                           "    expect: x\n";

static const struct source source = {
    .name = "machines/membership.yaml", .text = file, .size = sizeof file - 1};

static void add_rule(struct fixture *fixture, const char *name)
{
    struct rule *rule = VEC_PUSH(&fixture->arena, &fixture->machine.rules);
    rule->name = name;
    rule->index = fixture->machine.rules.count - 1;
    *VEC_PUSH(&fixture->arena, &rule->targets) = (struct rule_target){.name = "projects"};
}

static void add_invariant(struct fixture *fixture, const char *name)
{
    struct invariant *invariant = VEC_PUSH(&fixture->arena, &fixture->machine.invariants);
    invariant->name = name;
    invariant->index = fixture->machine.invariants.count - 1;
}

void fixture_begin(struct fixture *fixture)
{
    *fixture = (struct fixture){0};
    fixture->machine.name = "membership";
    fixture->machine.path = source.name;
    fixture->machine.source = &source;
    add_rule(fixture, "upsert_member");
    add_rule(fixture, "remove_member");
    add_invariant(fixture, "members");
    add_invariant(fixture, "editors");
    struct run_stats *stats = &fixture->result.stats;
    stats->rules = ARENA_ARRAY(&fixture->arena, struct rule_stats, 2);
    stats->invariants = ARENA_ARRAY(&fixture->arena, struct invariant_stats, 2);
    stats->rules[0] = (struct rule_stats){.chosen = 2431, .ran = 2431};
    stats->rules[1] = (struct rule_stats){.chosen = 2381, .ran = 2381};
    stats->invariants[0].checked = stats->invariants[1].checked = 4912;
    stats->examples = 100;
    stats->steps = 4812;
    stats->statements = 14640;
    stats->time_us = 612345;
    fixture->result.seed = 7261;
    fixture->result.outcome = RUN_PASSED;
    fixture->run = (struct report_run){
        .machine = &fixture->machine, .result = &fixture->result, .examples_planned = 100};
}

void fixture_end(struct fixture *fixture)
{
    strbuf_free(&fixture->out);
    arena_free(&fixture->arena);
}

const char *fixture_report(struct fixture *fixture)
{
    strbuf_clear(&fixture->out);
    struct report report = {.format = report_format_find("text"), .options = fixture->options};
    report_begin(&report, &fixture->out);
    report_add(&report, &fixture->run, &fixture->out);
    report_end(&report, &fixture->out);
    return strbuf_text(&fixture->out);
}

void fixture_golden(struct fixture *fixture, const char *name)
{
    char *path =
        arena_printf(&fixture->arena, "%s/../../golden/report/%s.txt", TEST_DATA_DIR, name);
    golden_check(path, fixture_report(fixture));
}

struct failure *fixture_fail(struct fixture *fixture, enum failure_kind kind)
{
    struct failure *failure = VEC_PUSH(&fixture->arena, &fixture->result.failures);
    failure->kind = kind;
    failure->identity = "invariant editors";
    failure->invariant = &fixture->machine.invariants.items[1];
    failure->rule = &fixture->machine.rules.items[0];
    failure->pos = (struct source_pos){&source, (size_t)(strstr(file, "expect") - file)};
    failure->sql = "SELECT pid FROM get_editor_project_ids() AS pid";
    failure->context = "as ann";
    failure->example = 3;
    failure->example_steps = 50;
    static const char *const columns[] = {"pid"};
    failure->columns = columns;
    failure->column_count = 1;
    fixture->result.outcome = RUN_FAILED;
    return failure;
}

struct shown_cell *fixture_cells(struct fixture *fixture, const struct failure *failure,
                                 const struct value *values)
{
    struct shown_cell *cells =
        ARENA_ARRAY(&fixture->arena, struct shown_cell, failure->column_count);
    for (size_t i = 0; i < failure->column_count; i++) {
        cells[i] = (struct shown_cell){.value = values[i]};
    }
    return cells;
}

struct value fixture_text(struct fixture *fixture, const char *text)
{
    return value_text(&fixture->arena, text);
}

void fixture_upsert(struct fixture *fixture, struct failure *failure, const char *project,
                    const char *role)
{
    struct shown_step *step = VEC_PUSH(&fixture->arena, &failure->steps);
    step->rule = &fixture->machine.rules.items[0];
    *VEC_PUSH(&fixture->arena, &step->args) = (struct shown_arg){
        .name = "project", .value = fixture_text(fixture, UUID_1), .reference = project};
    *VEC_PUSH(&fixture->arena, &step->args) =
        (struct shown_arg){.name = "role", .value = fixture_text(fixture, role)};
    failure->step = failure->steps.count;
}
