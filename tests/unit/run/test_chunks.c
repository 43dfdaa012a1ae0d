/* A run whose fresh examples are split in chunks between processes: what one of them keeps. */
#include "example/counts.h"
#include "value/json/json.h"

#include "support/bank.h"
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
    const char *failed[EXAMPLES + 1];
    const char *counts[EXAMPLES + 1]; /* NULL: the example was not told of */
    size_t found;                     /* calls */
};

static bool take(void *host, struct run_chunk *out, struct error *err)
{
    struct desk *desk = host;
    (void)err;
    *out = (struct run_chunk){0};
    if (desk->next <= EXAMPLES) {
        *out = (struct run_chunk){desk->next, desk->next + CHUNK - 1};
        desk->next += CHUNK;
        desk->taken++;
    }
    return true;
}

static bool done(void *host, const struct run_chunk *chunk, const struct example_record *records,
                 size_t count, struct error *err)
{
    struct desk *desk = host;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(records[i].number, chunk->first + i);
        desk->failed[records[i].number] = records[i].identity;
        desk->counts[records[i].number] = records[i].counts;
    }
    return true;
}

static bool reported(void *host, uint64_t number, struct reported_example *out, struct error *err)
{
    struct desk *desk = host;
    struct value counts;
    out->how = desk->failed[number]   ? REPORTED_FAILED
               : desk->counts[number] ? REPORTED_PASSED
                                      : REPORTED_CUT;
    out->identity = desk->failed[number];
    return out->how != REPORTED_PASSED ||
           (json_decode(&desk->rig.results, desk->counts[number], strlen(desk->counts[number]),
                        &counts, err) &&
            counts_read(counts, desk->rig.machine, &desk->rig.results, &out->stats, err));
}

static void on_found(void *host, const struct failure *failure, bool final)
{
    struct desk *desk = host;
    const struct run_result *result = &desk->rig.result;
    (void) final;
    assert_true((size_t)(failure - result->failures.items) < result->failures.count);
    desk->found++;
}

static void open_desk(struct desk *desk, enum bank_bug bug)
{
    *desk = (struct desk){.next = 1, .bank = {.bug = bug}};
    rig_open(&desk->rig, bank_machine, bank_script, &desk->bank, sizeof desk->bank);
    desk->rig.options.settings.examples = EXAMPLES;
    desk->rig.options.record_each = true;
    desk->rig.options.callbacks.take = take;
    desk->rig.options.callbacks.done = done;
    desk->rig.options.callbacks.reported = reported;
    desk->rig.options.callbacks.found = on_found;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_lost_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
