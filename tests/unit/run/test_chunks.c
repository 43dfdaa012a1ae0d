/* A run whose fresh examples are split in chunks between processes: what one of them keeps. */
#include "example/counts.h"
#include "value/json/json.h"

#include "support/bank.h"
#include "support/literal.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { EXAMPLES = 40, CHUNK = 4 };

/* The other side of the callbacks. */
struct desk {
    struct rig rig; /* first: the host */
    struct bank bank;
    uint64_t next; /* first example of the next chunk */
    size_t taken;  /* chunks */
    bool cut;
    size_t merges; /* calls */
    struct value records[EXAMPLES + 1];
    size_t resets[EXAMPLES + 1]; /* of the database, when the example was asked for */
    const char *failed[EXAMPLES + 1];
    const struct value *counts[EXAMPLES + 1]; /* NULL: the example was not told of */
    size_t found;                             /* calls */
};

static bool take(void *host, bool wait, struct run_chunk *out, struct error *err)
{
    struct desk *desk = host;
    assert_true(wait);
    (void)err;
    *out = (struct run_chunk){0};
    if (desk->next <= EXAMPLES) {
        *out = (struct run_chunk){desk->next, desk->next + CHUNK - 1};
        desk->next += CHUNK;
        desk->taken++;
    }
    return true;
}

static const struct value *member(struct value record, const char *key)
{
    size_t at = 0;
    struct table_entry *entry;
    do {
        entry = table_next(record.as.table, &at);
    } while (entry && strcmp(entry->key.as.string->data, key) != 0);
    return entry ? &entry->value : NULL;
}

static bool done(void *host, const struct run_chunk *chunk, const struct run_part *part,
                 struct error *err)
{
    struct desk *desk = host;
    const char *line = part->records;
    desk->cut = desk->cut || part->cut;
    for (uint64_t number = chunk->first; number < chunk->first + part->count; number++) {
        struct value record;
        size_t size = strcspn(line, "\n");
        assert_true(json_decode(&desk->rig.results, line, size, &record, err));
        const struct value *told = member(record, "number");
        assert_int_equal(told ? told->as.integer : 0, number);
        const struct value *failure = member(record, "failure");
        desk->records[number] = record;
        desk->failed[number] = failure ? failure->as.string->data : NULL;
        desk->counts[number] = member(record, "counts");
        line += size + 1;
    }
    assert_int_equal(*line, '\0');
    return true;
}

static bool reported(void *host, uint64_t number, struct reported_example *out, struct error *err)
{
    struct desk *desk = host;
    out->how = desk->failed[number]   ? REPORTED_FAILED
               : desk->counts[number] ? REPORTED_PASSED
                                      : REPORTED_CUT;
    out->identity = desk->failed[number];
    if (out->how == REPORTED_CUT) {
        return true;
    }
    const struct value *least = member(desk->records[number], "least");
    out->fails = out->identity && !member(desk->records[number], "known");
    out->least = least ? (size_t)least->as.integer : 0;
    desk->resets[number] = desk->rig.fake.resets;
    return counts_read(*desk->counts[number], desk->rig.machine, &desk->rig.results, &out->stats,
                       err);
}

static void merges(void *host)
{
    struct desk *desk = host;
    desk->merges++;
}

static void on_found(void *host, const struct failure *failure, bool final)
{
    struct desk *desk = host;
    const struct run_result *result = &desk->rig.result;
    (void) final;
    assert_true((size_t)(failure - result->failures.items) < result->failures.count);
    desk->found++;
}

static void set_callbacks(struct desk *desk)
{
    desk->rig.options.settings.examples = EXAMPLES;
    desk->rig.options.record_each = true;
    desk->rig.options.callbacks.take = take;
    desk->rig.options.callbacks.done = done;
    desk->rig.options.callbacks.reported = reported;
    desk->rig.options.callbacks.merges = merges;
    desk->rig.options.callbacks.found = on_found;
}

static void open_desk(struct desk *desk, enum bank_bug bug)
{
    *desk = (struct desk){.next = 1, .bank = {.bug = bug}};
    rig_open(&desk->rig, bank_machine, bank_script, &desk->bank, sizeof desk->bank);
    set_callbacks(desk);
}

static void test_chunks(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, BANK_SOUND);
    rig_run_ok(&desk.rig);
    assert_int_equal(desk.rig.result.outcome, RUN_PASSED);
    assert_int_equal(desk.rig.result.stats.examples, EXAMPLES);
    assert_int_equal(desk.taken, EXAMPLES / CHUNK);
    rig_close(&desk.rig);
}

/* The failure that ends the connection is told as one of the run's. */
static void test_lost_connection(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, BANK_SOUND);
    desk.rig.fake.lost_after = 50;
    assert_false(rig_run(&desk.rig));
    assert_int_equal(desk.rig.err.code, ERROR_CONNECTION);
    assert_int_equal(desk.rig.result.failures.count, 1);
    assert_int_equal(desk.rig.result.failed, 1);
    assert_int_equal(desk.found, 1);
    rig_close(&desk.rig);
}

/* How many of the run's examples were run once more after all chunks were done. */
static size_t count_again(const struct desk *desk)
{
    size_t again = 0;
    for (size_t i = 1; i < EXAMPLES; i++) {
        again += desk->resets[i + 1] > desk->resets[i];
    }
    return again;
}

/* At the end, the process runs those examples of the chunks that may change what is told of a
 * failure: the first one with it, and two that may be shorter. The result is that of one process.
 */
static void test_runs_few_examples_again(void **state)
{
    (void)state;
    uint64_t failed = 0;
    for (enum bank_bug bug = BANK_LOSES_LARGE; bug < BANK_FLAKY; bug++) {
        struct desk split;
        struct desk whole;
        open_desk(&whole, bug);
        whole.rig.options.settings.shrink_executions = 500;
        whole.rig.options.max_failures = 99;
        open_desk(&split, bug);
        split.rig.options = whole.rig.options;
        whole.rig.options.callbacks.take = NULL;
        whole.rig.options.callbacks.reported = NULL;
        split.rig.options.callbacks.host = &split;
        whole.rig.options.callbacks.host = &whole;
        rig_run_ok(&whole.rig);
        rig_run_ok(&split.rig);
        const struct run_result *one = &whole.rig.result;
        const struct run_result *other = &split.rig.result;
        failed += one->failed;
        assert_int_equal(other->failed, one->failed);
        assert_int_equal(other->stats.examples, EXAMPLES);
        assert_int_equal(other->stats.steps, one->stats.steps);
        assert_int_equal(other->failures.count, one->failures.count);
        for (size_t i = 0; i < one->failures.count; i++) {
            const struct failure *failure = &one->failures.items[i];
            assert_string_equal(other->failures.items[i].identity, failure->identity);
            assert_int_equal(other->failures.items[i].example, failure->example);
            assert_int_equal(other->failures.items[i].shrinking.executions,
                             failure->shrinking.executions);
            assert_true(failure_same_calls(&other->failures.items[i], failure));
        }
        assert_in_range(count_again(&split), 1, 3 * one->failures.count);
        rig_close(&split.rig);
        rig_close(&whole.rig);
    }
    assert_in_range(failed, EXAMPLES, 5 * EXAMPLES);
}

/* What a mark makes known is counted as it was in the chunk. */
static void test_known_failures_do_not_run_again(void **state)
{
    (void)state;
    static const char yaml[] = "machine: test\n"
                               "rules:\n"
                               "  a: {sql: FAIL 23505 k users, xfail: some day}\n";
    struct desk desk = {.next = 1};
    rig_open(&desk.rig, yaml, literal_script, NULL, 0);
    set_callbacks(&desk);
    rig_run_ok(&desk.rig);
    assert_int_equal(desk.rig.result.outcome, RUN_PASSED);
    assert_int_equal(desk.rig.result.stats.examples, EXAMPLES);
    assert_int_equal(desk.rig.result.known.count, 1);
    assert_int_equal(desk.rig.result.known.items[0].failed, EXAMPLES);
    assert_int_equal(desk.rig.result.known.items[0].tried, EXAMPLES);
    assert_int_equal(desk.rig.result.failed, 0);
    assert_int_equal(count_again(&desk), 0);
    rig_close(&desk.rig);
}

static uint64_t jump(void *host)
{
    struct rig *rig = host;
    return rig->now_us += 1000; /* a millisecond at each look */
}

/* When the time is up the process takes no more chunks. What it has run by then counts, also of the
 * chunk that it could not finish. */
static void test_max_time(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, BANK_LOSES_LARGE);
    size_t failed = 0;
    size_t told = 0;
    desk.rig.options.settings.max_time_ms = 150;
    desk.rig.options.callbacks.now_us = jump;
    rig_run_ok(&desk.rig);
    for (size_t i = 1; i <= EXAMPLES; i++) {
        failed += desk.failed[i] != NULL;
        told += desk.counts[i] != NULL;
    }
    assert_in_range(desk.taken, 1, EXAMPLES / CHUNK - 1);
    assert_true(desk.cut);
    assert_in_range(told, (desk.taken - 1) * CHUNK, desk.taken * CHUNK - 1);
    assert_int_not_equal(told % CHUNK, 0);
    assert_int_equal(desk.rig.result.stats.examples, told);
    assert_int_equal(desk.rig.result.failed, failed);
    assert_int_equal(desk.rig.result.failures.count, 1);
    assert_true(desk.rig.result.cut_short);
    assert_int_equal(desk.merges, 1);
    rig_close(&desk.rig);
}

/* One that an earlier run of this process found, and that others may not know, ends its run after
 * the first examples. It hands in no later chunk as if it had run. */
static void test_failure_from_before(void **state)
{
    (void)state;
    struct desk before;
    struct desk desk;
    open_desk(&before, BANK_LOSES_LARGE);
    rig_run_ok(&before.rig);
    assert_int_equal(before.rig.result.failures.count, 1);
    const struct failure *failure = before.rig.result.failures.items;
    open_desk(&desk, BANK_LOSES_LARGE);
    const struct stored_trace stored = {.identity = failure->identity,
                                        .seed = failure->seed,
                                        .example = failure->example,
                                        .name = "bank-1",
                                        .trace = failure->trace};
    desk.next = 29;
    desk.rig.options.stored = &stored;
    desk.rig.options.stored_count = 1;
    rig_run_ok(&desk.rig);
    assert_int_equal(desk.taken, 1);
    assert_null(desk.counts[29]);
    assert_false(desk.cut);
    rig_close(&desk.rig);
    rig_close(&before.rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_runs_few_examples_again),
        cmocka_unit_test(test_known_failures_do_not_run_again),
        cmocka_unit_test(test_lost_connection),
        cmocka_unit_test(test_max_time),
        cmocka_unit_test(test_failure_from_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
