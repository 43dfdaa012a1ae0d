/* Which arguments of a failure may have any value. */
#include "example/failure/failure.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Rolled back with the example. */
struct shelf {
    int puts;
    int64_t least;
};

static struct shelf *shelf_of(struct fake *fake) { return fake->state; }

static void put(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    shelf_of(fake)->puts++;
    fake_count(reply, 1);
}

static void make(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    fake_columns(reply, "id int4");
    int id = ++shelf_of(fake)->puts;
    FAKE_ROW(reply, value_int(id));
}

/* Wrong once something was put, if the argument is large enough. */
static void look(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    bool large = call->values[0].as.integer >= shelf_of(fake)->least;
    fake_rows(reply, "wrong bool", shelf_of(fake)->puts > 0 && large ? "[(True,)]" : "[(False,)]");
}

/* Two values that are wrong only if they are not both the largest. */
static void both(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake;
    bool fine = call->values[0].as.integer >= 3 && call->values[1].as.integer >= 3;
    fake_rows(reply, "wrong bool", fine ? "[(False,)]" : "[(True,)]");
}

static const struct fake_script script[] = {{"SELECT put(:r)", put},
                                            {"SELECT make()", make},
                                            {"SELECT look(:k)", look},
                                            {"SELECT both(:a, :b)", both},
                                            {NULL, NULL}};

static struct shelf shelf;

static const struct failure *find(struct rig *rig, const char *rules, int64_t least)
{
    struct strbuf yaml = {0};
    shelf = (struct shelf){.least = least};
    strbuf_addf(&yaml, "machine: test\nmodel: n = 0\nrules:\n%s", rules);
    rig_open(rig, strbuf_text(&yaml), script, &shelf, sizeof shelf);
    strbuf_free(&yaml);
    rig->options.settings.examples = 50;
    rig->options.settings.shrink_executions = 200;
    return rig_failure(rig);
}

static void check(const char *rules, int64_t least, const char *const *remarks)
{
    struct rig rig;
    const struct failure *failure = find(&rig, rules, least);
    for (size_t i = 0; i < failure->steps.count; i++) {
        const char *remark = failure->steps.items[i].remark;
        if (remarks[i]) {
            assert_non_null(remark);
            assert_string_equal(remark, remarks[i]);
        } else {
            assert_null(remark);
        }
    }
    rig_close(&rig);
}

#define PUT(args) "  put: {args: {" args "}, sql: 'SELECT put(:r)'}\n"
#define LOOK(args) "  look: {args: {" args "}, sql: 'SELECT look(:k)', expect: False}\n"

static void test_few_values(void **state)
{
    (void)state;
    check(PUT("r: 'sampled_from([1, 2, 3])'") LOOK("k: just(1)"), 0,
          (const char *const[]){"any r fails", NULL});
    check(PUT("r: 'integers(0, 7)'") LOOK("k: just(1)"), 0,
          (const char *const[]){"any r fails", NULL});
    /* a value that it has to have, and one that some others may take the place of */
    check(PUT("r: just(1)") LOOK("k: 'sampled_from([1, 2, 3])'"), 2,
          (const char *const[]){NULL, NULL});
}

static void test_many_values(void **state)
{
    (void)state;
    check(PUT("r: 'integers(0, 1000000)'") LOOK("k: just(1)"), 0,
          (const char *const[]){"12 other values fail, too", NULL});
    check(PUT("r: 'integers(0, 8)'") LOOK("k: 'integers(0, 1000000)'"), 500,
          (const char *const[]){"8 other values fail, too", NULL});
    check(PUT("r: 'integers(0, 1000000)', t: 'text(max_size=9)'") LOOK("k: just(1)"), 0,
          (const char *const[]){"12 other values of r fail, too; 12 other values of t fail, too",
                                NULL});
}

static void test_values_of_a_bundle(void **state)
{
    (void)state;
    static const char made[] = "  make: {sql: 'SELECT make()', target: ids}\n";
    struct strbuf rules = {0};
    strbuf_addf(&rules, "%s%s", made,
                "  look: {args: {k: ids}, sql: 'SELECT look(:k)', expect: False}\n");
    /* one value has no other; of three, the last alone fails */
    check(strbuf_text(&rules), 1, (const char *const[]){NULL, NULL});
    check(strbuf_text(&rules), 3, (const char *const[]){NULL, NULL, NULL, NULL});
    strbuf_free(&rules);
}

/* Each may be anything as long as the other one stays: told of the first alone. */
static void test_together(void **state)
{
    (void)state;
    check("  both: {args: {a: 'integers(0, 3)', b: 'integers(0, 3)'}, "
          "sql: 'SELECT both(:a, :b)', expect: False}\n",
          0, (const char *const[]){"any a fails"});
}

static void test_not_without_shrinking(void **state)
{
    (void)state;
    struct rig rig;
    struct strbuf yaml = {0};
    shelf = (struct shelf){0};
    strbuf_addf(&yaml, "machine: test\nmodel: n = 0\nrules:\n%s",
                PUT("r: 'integers(0, 7)'") LOOK("k: just(1)"));
    rig_open(&rig, strbuf_text(&yaml), script, &shelf, sizeof shelf);
    strbuf_free(&yaml);
    rig.options.settings.shrink_executions = 0;
    const struct failure *failure = rig_failure(&rig);
    for (size_t i = 0; i < failure->steps.count; i++) {
        assert_null(failure->steps.items[i].remark);
    }
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_values),
        cmocka_unit_test(test_many_values),
        cmocka_unit_test(test_values_of_a_bundle),
        cmocka_unit_test(test_together),
        cmocka_unit_test(test_not_without_shrinking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
