/* Invariants that are left out after a step, because their answer can't have changed. */
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { TABLES = 2, TICKETS = 64 };

/* The database's rows, which a rollback restores. */
struct rows {
    int64_t table[TABLES];
};

/* Its counters, which a rollback does not restore. */
struct counts {
    int64_t table[TABLES];
    int64_t catalog;
    struct rows asked[TICKETS]; /* when it was asked */
    int64_t asked_catalog[TICKETS];
    size_t tickets;
    size_t taken; /* up to this one */
};
static struct counts counts;

static void write_to(struct fake *fake, size_t table)
{
    struct rows *rows = fake->state;
    rows->table[table]++;
    counts.table[table]++;
}

static void write_a(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    (void)reply;
    write_to(fake, 0);
}

static void refuse_a(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    write_to(fake, 0);
    fake_error(reply, "23505", "there is one", NULL, NULL);
}

static void define(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake;
    (void)call;
    (void)reply;
    counts.catalog++;
}

static void read_table(struct fake *fake, size_t table, struct fake_reply *reply)
{
    const struct rows *rows = fake->state;
    fake_columns(reply, "n int8");
    FAKE_ROW(reply, value_int(rows->table[table]));
}

static void read_a(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    read_table(fake, 0, reply);
}

static void read_b(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    read_table(fake, 1, reply);
}

/* What may write, and does. */
static void volatile_b(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    (void)reply;
    write_to(fake, 1);
}

static void nothing(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake;
    (void)call;
    (void)reply;
}

static const struct fake_script script[] = {
    {"write a", write_a}, {"refuse a", refuse_a},     {"define", define},   {"read a", read_a},
    {"read b", read_b},   {"volatile b", volatile_b}, {"nothing", nothing}, {NULL, NULL},
};

static struct invariant_reads reads[32];
static size_t read_tables[] = {0, 1};

static bool find_reads(struct backend *backend, struct backend_reads *out, struct error *err)
{
    (void)backend;
    (void)err;
    *out = (struct backend_reads){.invariants = reads, .tables = TABLES};
    return true;
}

static bool find_nothing(struct backend *backend, struct backend_reads *out, struct error *err)
{
    (void)backend;
    (void)err;
    *out = (struct backend_reads){.all = "it is on fire"};
    return true;
}

static bool fail_to_find(struct backend *backend, struct backend_reads *out, struct error *err)
{
    (void)backend;
    (void)out;
    return error_set(err, ERROR_CONNECTION, "the server is gone");
}

static bool queue_written(struct backend *backend, backend_ticket *ticket, struct error *err)
{
    (void)backend;
    (void)err;
    *ticket = counts.tickets++;
    assert_true(counts.tickets < TICKETS);
    memcpy(counts.asked[*ticket].table, counts.table, sizeof counts.table);
    counts.asked_catalog[*ticket] = counts.catalog;
    return true;
}

static bool take_written(struct backend *backend, backend_ticket ticket, struct arena *arena,
                         struct backend_written *out, struct error *err)
{
    static bool changed[TABLES];
    (void)backend;
    (void)arena;
    (void)err;
    assert_true(ticket >= counts.taken); /* in order; those of an example that ended are left */
    *out = (struct backend_written){.all = counts.taken == 0, .tables = changed};
    for (size_t i = 0; i < TABLES && counts.taken > 0; i++) {
        changed[i] = counts.asked[ticket].table[i] != counts.asked[counts.taken - 1].table[i];
        out->all = counts.asked_catalog[ticket] != counts.asked_catalog[counts.taken - 1];
    }
    counts.taken = ticket + 1;
    return true;
}

/* A machine of one rule, with twenty invariants in front of its own. */
static void open(struct rig *rig, struct rows *rows, const char *rule, const char *invariants)
{
    struct strbuf yaml = {0};
    strbuf_addf(&yaml,
                "machine: test\nmodel: |\n  a = 0\n  b = 0\nrules:\n  step: {%s}\ninvariants:\n",
                rule);
    for (int i = 0; i < 20; i++) {
        strbuf_addf(&yaml, "  pad_%d: nothing\n", i);
    }
    strbuf_addf(&yaml, "%s", invariants);
    *rows = (struct rows){0};
    counts = (struct counts){0};
    rig_open(rig, strbuf_text(&yaml), script, rows, sizeof *rows);
    strbuf_free(&yaml);
    rig->options.settings.steps = 5;
    rig->fake.ops = *rig->fake.backend.ops;
    rig->fake.ops.reads = find_reads;
    rig->fake.ops.queue_written = queue_written;
    rig->fake.ops.take_written = take_written;
    rig->fake.backend.ops = &rig->fake.ops;
    memset(reads, 0, sizeof reads);
    for (size_t i = 20; i < rig->machine->invariants.count; i++) {
        const char *name = rig->machine->invariants.items[i].name;
        reads[i].all = *name == 'v' ? "it writes" : NULL;
        reads[i].tables.items = &read_tables[*name == 'b'];
        reads[i].tables.count = 1;
    }
}

static size_t times(const struct rig *rig, const char *line)
{
    size_t count = 0;
    for (const char *at = fake_log(&rig->fake); (at = strstr(at, line)); at++) {
        count++;
    }
    return count;
}

#define A "  a: {sql: read a, expect: a}\n"
#define B "  b: {sql: read b, expect: b}\n"

struct asked {
    const char *rule;
    const char *invariants;
    size_t a; /* so often after five steps, each of them after initialize as well */
    size_t b;
};

/* Invariants that were left out after the last step are asked once more. */
static const struct asked asked[] = {
    {"sql: write a, model: a += 1", A B, 6, 2},
    {"sql: nothing", A B, 2, 2},
    {"model: pass", A B, 2, 2},
    /* what was rolled back is not there */
    {"sql: refuse a, raises: unique_violation", A B, 2, 2},
    /* from there on a query may mean something else */
    {"sql: define", A B, 6, 6},
    /* what the model expects is compared, whatever was written */
    {"sql: nothing, model: 'b += 0; a = 0'", A B, 2, 2},
    /* behind what may write, everything is asked; what it wrote shows after the next step */
    {"sql: nothing", "  v: volatile b\n" A, 6, 0},
    {"sql: nothing", A "  v: volatile b\n", 1, 0},
    {"sql: nothing, model: b += 1", "  b: {sql: read b, expect: b}\n  v: volatile b\n", 0, 6},
    {"model: b += 1", "  b: {sql: read b, expect: b}\n  v: volatile b\n", 0, 6},
    /* until counts are taken */
    {"sql: refuse a, raises: unique_violation", A "  v: volatile b\n", 6, 0},
};

static void what_is_asked(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * (sizeof asked / sizeof *asked); i++) {
        const struct asked *each = &asked[i / 2];
        struct rig rig;
        struct rows rows;
        open(&rig, &rows, each->rule, each->invariants);
        rig.options.no_pipeline = i % 2;
        rig_run_ok(&rig);
        assert_int_equal(rig.result.failures.count, 0);
        if (times(&rig, "read a") != each->a || times(&rig, "read b") != each->b) {
            fail_msg("%s, %s: asked a %zu times and b %zu times", each->rule, each->invariants,
                     times(&rig, "read a"), times(&rig, "read b"));
        }
        for (size_t j = 0; j < rig.machine->invariants.count; j++) {
            assert_int_equal(rig.result.stats.invariants[j].checked, 6);
        }
        rig_close(&rig);
    }
}

/* Later examples don't ask as they begin, if they begin as the first one did. */
static void later_examples(void **state)
{
    static const struct {
        const char *start; /* of the machine */
        const char *invariants;
        size_t a; /* so often in three examples */
    } begun[] = {
        {"", A B, 1 + 3},
        {"initialize:\n  - sql: nothing\n", A B, 1 + 3},
        {"initialize:\n  fill: {sql: nothing}\n", A B, 3 + 3}, /* in any order */
        {"", "  v: volatile b\n" A, 18},
    };
    (void)state;
    for (size_t i = 0; i < sizeof begun / sizeof *begun; i++) {
        struct rig rig;
        struct rows rows;
        struct strbuf rest = {0};
        strbuf_addf(&rest, "%s%s", begun[i].invariants, begun[i].start);
        open(&rig, &rows, "sql: nothing", strbuf_text(&rest));
        strbuf_free(&rest);
        rig.options.settings.examples = 3;
        rig_run_ok(&rig);
        if (times(&rig, "read a") != begun[i].a) {
            fail_msg("%s%s: asked a %zu times\n%s", begun[i].start, begun[i].invariants,
                     times(&rig, "read a"), fake_log(&rig.fake));
        }
        assert_int_equal(rig.result.stats.invariants[20].checked, 3 * 6);
        rig_close(&rig);
    }
}

/* What failed as an example began is asked again as the next one begins. */
static void failed_at_the_start(void **state)
{
    struct rig rig;
    struct rows rows;
    (void)state;
    open(&rig, &rows, "sql: nothing", "  b: {sql: read b, expect: b + 1}\n");
    rig.options.settings.examples = 3;
    assert_int_equal(rig_failure(&rig)->step, 0);
    assert_int_equal(rig.result.stats.steps, 0);
    rig_close(&rig);
}

/* A failure is found after the same step as when all invariants are asked. */
static void failures(void **state)
{
    static const struct {
        const char *rule;
        const char *invariants;
    } failing[] = {
        {"sql: nothing, model: a += 1", A B}, /* the model alone moved on */
        {"sql: write a", A B},
        /* an invariant wrote, and the step did not, or was rolled back */
        {"model: pass", B "  v: volatile b\n"},
        {"sql: nothing", B "  v: volatile b\n"},
        {"sql: refuse a, raises: unique_violation", B "  v: volatile b\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) {
        struct rig rig;
        struct rows rows;
        open(&rig, &rows, failing[i].rule, failing[i].invariants);
        assert_int_equal(rig_failure(&rig)->step, 1);
        assert_int_equal(rig.result.stats.steps, 1);
        rig_close(&rig);
    }
}

static void all_invariants(void **state)
{
    struct rig rig;
    struct rows rows;
    (void)state;
    open(&rig, &rows, "sql: nothing", A B);
    rig.options.all_invariants = true;
    rig_run_ok(&rig);
    assert_int_equal(times(&rig, "read a"), 6);
    assert_int_equal(counts.tickets, 0);
    rig_close(&rig);
}

/* The counts are waited for only where something may have been written. */
static void waits(void **state)
{
    struct rig rig;
    struct rows rows;
    (void)state;
    open(&rig, &rows, "sql: refuse a, raises: unique_violation", A B);
    rig_run_ok(&rig);
    assert_int_equal(counts.tickets, 6);
    assert_int_equal(counts.taken, 0);
    rig_close(&rig);
}

/* Why invariants are never left out: told where it is asked for. */
static void reasons(void **state)
{
    struct rig rig;
    struct rows rows;
    (void)state;
    open(&rig, &rows, "sql: nothing",
         A "  v: volatile b\n"
           "  c: {sql: read a, check: result.value == a}\n"
           "  m: {check: a == 0}\n");
    rig_run_ok(&rig);
    assert_null(rig.result.asked.each); /* nobody asked */
    rig.options.measure = true;
    rig_run_ok(&rig);
    const struct again_reasons *why = &rig.result.asked;
    assert_null(why->all);
    assert_null(why->each[0]);
    assert_null(why->each[20]);
    assert_string_equal(why->each[21], "it writes");
    assert_string_equal(why->each[22], "its check compares the answer with the model");
    assert_null(why->each[23]); /* the server never is */
    reads[0].all = "it reads a sample";
    reads[1].all = "it writes";
    rig_run_ok(&rig);
    assert_string_equal(rig.result.asked.each[0], "it reads a sample");
    assert_string_equal(rig.result.asked.all, "19 could be left out, which pays from 20 on");
    rig.fake.ops.reads = find_nothing;
    rig_run_ok(&rig);
    assert_null(rig.result.asked.each);
    assert_string_equal(rig.result.asked.all, "it is on fire");
    rig_close(&rig);
}

/* A run that is over is not spoilt by that. */
static void reasons_that_nobody_knows(void **state)
{
    struct rig rig;
    struct rows rows;
    (void)state;
    open(&rig, &rows, "sql: nothing", A B);
    rig.options.measure = true;
    rig.options.all_invariants = true; /* so that nothing but this asks */
    rig.fake.ops.reads = fail_to_find;
    rig_run_ok(&rig);
    assert_int_equal(rig.result.outcome, RUN_PASSED);
    assert_null(rig.result.asked.each);
    assert_null(rig.result.asked.all);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_asked),  cmocka_unit_test(failures),
        cmocka_unit_test(later_examples), cmocka_unit_test(failed_at_the_start),
        cmocka_unit_test(all_invariants), cmocka_unit_test(waits),
        cmocka_unit_test(reasons),        cmocka_unit_test(reasons_that_nobody_knows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
