/* A run reports the shortest sequence that there is, from every seed: a breadth-first search over
 * small machines (toys.c), which shares nothing with the shrinker, says how long that is. */
#include "toys.h"

#include "support/rig.h"
#include "support/rounds.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* --- a toy as a machine --- */

struct toy_database {
    struct toy_state state;
    bool wrong;
};

static size_t rule_of(const struct toy *toy, const char *sql)
{
    size_t rule = 0;
    size_t size = strcspn(sql, " ");
    while (strncmp(toy->rules[rule].name, sql, size) != 0 || toy->rules[rule].name[size]) {
        rule++;
    }
    return rule;
}

static int64_t number_of(struct value value)
{
    int64_t sum = 0;
    if (value.type == VALUE_STRING) {
        return (int64_t)value.as.string->length;
    }
    for (size_t i = 0; value.type == VALUE_LIST && i < value.as.list->count; i++) {
        sum += value.as.list->items[i].as.integer;
    }
    return value.type == VALUE_LIST ? sum : value.as.integer;
}

static void step(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    const struct toy *toy = fake->host;
    struct toy_database *database = fake->state;
    int64_t drawn[TOY_DRAWS] = {0};
    int64_t made = TOY_MADE_NOTHING;
    for (size_t i = 0; i < call->value_count; i++) {
        drawn[i] = number_of(call->values[i]);
    }
    size_t rule = rule_of(toy, call->sql + strlen("run "));
    database->wrong |= toy->step(database->state.cells, rule, drawn, &made);
    fake_columns(reply, "id int4");
    if (made >= 0) {
        FAKE_ROW(reply, value_int(made));
    }
}

static void look(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    const struct toy_database *database = fake->state;
    fake_columns(reply, "wrong int4");
    FAKE_ROW(reply, value_int(database->wrong));
}

static const struct fake_script script[] = {{"run *", step}, {"look", look}, {NULL, NULL}};

static void add_strategy(const struct toy_draw *draw, struct strbuf *out)
{
    switch (draw->kind) {
    case TOY_NUMBER:
        strbuf_addf(out, "integers(%d, %d)", draw->min, draw->max);
        break;
    case TOY_LENGTH:
        strbuf_addf(out, "text(alphabet=\"ab\", min_size=%d, max_size=%d)", draw->min, draw->max);
        break;
    case TOY_SUM:
        strbuf_addf(out, "lists(integers(0, %d), max_size=3)", draw->max);
        break;
    case TOY_VALUE:
        strbuf_addf(out, "bundle_%d", draw->min);
        break;
    case TOY_END:
        break;
    }
}

static void add_rule(const struct toy_rule *rule, struct strbuf *out)
{
    strbuf_addf(out, "  %s:\n    args: {", rule->name);
    for (size_t i = 0; rule->draws[i].kind != TOY_END; i++) {
        strbuf_addf(out, "%sarg%zu: '", i ? ", " : "", i);
        add_strategy(&rule->draws[i], out);
        strbuf_addc(out, '\'');
    }
    strbuf_addf(out, "}\n    sql: run %s", rule->name);
    for (size_t i = 0; rule->draws[i].kind != TOY_END; i++) {
        strbuf_addf(out, " :arg%zu", i);
    }
    strbuf_addc(out, '\n');
    if (rule->bundle) {
        strbuf_addf(out, "    target: bundle_%d\n", rule->bundle);
    }
}

static const char *machine_of(const struct toy *toy, struct strbuf *out)
{
    strbuf_addf(out, "machine: %s\nrules:\n", toy->name);
    for (size_t i = 0; toy->rules[i].name; i++) {
        add_rule(&toy->rules[i], out);
    }
    strbuf_adds(out, "invariants:\n  right: {sql: look, expect: 0}\n");
    return strbuf_text(out);
}

/* --- the comparison --- */

/* The number of seeds that lead to a longer sequence; each is printed. */
static size_t check_toy(const struct toy *toy)
{
    struct toy_database database = {0};
    struct strbuf yaml = {0};
    struct rig rig;
    size_t longer = 0;
    size_t shortest = toy_shortest(toy);
    assert_in_range(shortest, 2, 5);
    rig_open(&rig, machine_of(toy, &yaml), script, &database, sizeof database);
    rig.fake.host = (void *)(uintptr_t)toy;
    fake_with_checkpoints(&rig.fake);
    rig.options.settings.examples = 200;
    rig.options.settings.steps = 30;
    rig.options.settings.shrink_executions = 2000;
    for (uint64_t seed = 1; seed <= rounds(10, 50); seed++) {
        rig.options.settings.seed = seed;
        const struct failure *failure = rig_failure(&rig);
        if (trace_length(&failure->trace) != shortest) {
            print_message("%s, seed %d: not %zu steps:\n%s", toy->name, (int)seed, shortest,
                          rig_steps(&rig, failure));
            longer++;
        }
        arena_reset(&rig.results);
    }
    rig_close(&rig);
    strbuf_free(&yaml);
    return longer;
}

static void test_reports_the_shortest_sequence(void **state)
{
    (void)state;
    size_t longer = 0;
    for (size_t i = 0; i < toy_count; i++) {
        longer += check_toy(&toys[i]);
    }
    assert_int_equal(longer, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reports_the_shortest_sequence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
