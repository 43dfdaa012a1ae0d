/* When an observer is told what changed in the tables. */
#include "example/observer.h"
#include "example/tables.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What happened, a letter each: a step begins, Tables, the step is done, an Invariant is asked. */
struct log {
    struct observer observer; /* first */
    struct strbuf text;
};

static void note_step(struct observer *observer, const struct step *step)
{
    (void)step;
    strbuf_addc(&((struct log *)observer)->text, 's');
}

static void note_tables(struct observer *observer, struct example *example,
                        const struct table_changes *changes)
{
    (void)example;
    assert_string_equal(changes->why_not, "a fake has none");
    strbuf_addc(&((struct log *)observer)->text, 'T');
}

static void note_done(struct observer *observer, struct example *example, const struct step *step)
{
    (void)example;
    (void)step;
    strbuf_addc(&((struct log *)observer)->text, 'd');
}

static void note_check(struct observer *observer, const struct invariant_check *check)
{
    (void)check;
    strbuf_addc(&((struct log *)observer)->text, 'I');
}

static const struct observer_ops log_ops = {
    .step = note_step,
    .tables = note_tables,
    .step_done = note_done,
    .check = note_check,
};

static bool no_tables(struct backend *backend, struct arena *arena, struct table_changes *out,
                      struct error *err)
{
    (void)backend;
    (void)arena;
    (void)err;
    *out = (struct table_changes){.why_not = "a fake has none"};
    return true;
}

static const char machine[] = "machine: test\n"
                              "model: x = 0\n"
                              "rules: {add: {model: x += 1}}\n"
                              "invariants: {sum: {check: x < 9}}\n";

static const struct fake_script script[] = {{NULL, NULL}};

static void test_when(void **state)
{
    int nothing = 0;
    struct rig rig;
    struct log log = {.observer = {&log_ops}};
    struct example_plan plan = {
        .way = &example_ways[0], .number = 1, .stepwise = true, .observer = &log.observer};
    (void)state;
    rig_open(&rig, machine, script, &nothing, sizeof nothing);
    rig.options.settings.steps = 3;
    rig.fake.ops = *rig.fake.backend.ops;
    rig.fake.ops.tables = no_tables;
    rig.fake.backend.ops = &rig.fake.ops;
    rig_start(&rig);
    rig_example(&rig, &plan);
    assert_string_equal(strbuf_text(&log.text), "IsdIsdIsdI");
    strbuf_clear(&log.text);
    plan.tables = true;
    rig_example(&rig, &plan);
    assert_string_equal(strbuf_text(&log.text), "TIsTdIsTdIsTdI");
    rig_stop(&rig);
    rig_close(&rig);
    strbuf_free(&log.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_when)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
